import { type Role, rolesOf } from '../../shared/permissions.ts'
import type { OrganizationLine } from '../../shared/transfer.ts'
import type { App } from '../dependencies.ts'
import { type EventOrigin } from '../event/event-rows.ts'
import { record } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import { findOrganization, findOrganizationBySlug } from '../organization/organizations.ts'
import type { Numbered, Outcome } from './outcome.ts'
import {
  areStored,
  findNamedUsers,
  insertMembers,
  insertImportedOrganization,
  jsonOrEmpty,
  jsonOrNull,
  lockImports,
  type NamedUser,
} from './users.ts'

/** Milliseconds, enough for an organization with a hundred thousand members. */
const timeout = 120_000

/** The state of the current import. */
export type ImportState = {
  /** Ids of users in its lines, imported now or before. Another system may have given the same ids to other users. */
  seenIds: ReadonlySet<string>
  /** Whether the file contains lines of users. Without any, ids refer to existing users. */
  hasUsers: () => boolean
  /** Users that a dry run has not stored, by email address and id. */
  dryRunUsers: ReadonlyMap<string, string>
  /** Organizations that a dry run has not stored, by slug. */
  dryRunSlugs: Map<string, string | undefined>
  /** Ids of objects that a dry run has not stored: `organization ID`, `team ID`, `member ID`. */
  dryRunIds: Set<string>
}

/**
 * Imports an organization with its teams and members, one of whom must be an owner. An existing organization is left
 * unchanged.
 */
export async function importOrganization(
  app: App & EventOrigin,
  { line, value }: Numbered<OrganizationLine>,
  { dryRun, known }: { dryRun: boolean; known: ImportState },
): Promise<Outcome> {
  const outcome: Outcome = { line, about: value.slug, result: 'imported', notes: [] }
  const skip = (note: string): Outcome => ({ ...outcome, result: 'skipped', notes: [...outcome.notes, note] })
  return transaction(
    app,
    async (tx) => {
      await lockImports(tx)
      const holder = await findOrganizationBySlug(tx, value.slug)
      const same = value.id === undefined ? holder : await findOrganization(tx, value.id)
      const isRepeated =
        (known.dryRunSlugs.has(value.slug) && known.dryRunSlugs.get(value.slug) === value.id) ||
        (value.id !== undefined && known.dryRunIds.has(`organization ${value.id}`))
      if (same || isRepeated) return { ...outcome, result: 'existing' }
      if (holder || known.dryRunSlugs.has(value.slug)) return skip('the slug belongs to another organization')
      const members = await membersOf(tx, value, {
        notes: outcome.notes,
        known,
        requiresVerifiedEmail: app.config.emailVerification !== 'required',
      })
      if (!members.some(({ roles }) => roles.includes('owner'))) return skip('none of its members is an owner')
      const ids = idsOf(value, members)
      if (await anyExists(tx, ids, known.dryRunIds)) return skip('the id of a team or member belongs to another one')
      if (dryRun) {
        known.dryRunSlugs.set(value.slug, value.id)
        for (const id of namesOf(ids)) known.dryRunIds.add(id)
        if (value.id !== undefined) known.dryRunIds.add(`organization ${value.id}`)
        return outcome
      }
      await store(tx, app, value, members)
      return outcome
    },
    { timeout },
  )
}

type Ids = { teams: string[]; members: string[] }

/** The ids that a line gives its teams and its imported members. */
function idsOf({ teams, members: lines }: OrganizationLine, members: readonly FoundMember[]): Ids {
  const given = new Set(lines.map(({ id }) => id))
  return {
    teams: teams.flatMap(({ id }) => id ?? []),
    members: members.map(({ id }) => id).filter((id) => given.has(id)),
  }
}

const namesOf = ({ teams, members }: Ids) => [
  ...teams.map((id) => `team ${id}`),
  ...members.map((id) => `member ${id}`),
]

/** Whether one of these ids occurs twice, in this file or in the database. */
async function anyExists(tx: Tx, ids: Ids, known: ReadonlySet<string>): Promise<boolean> {
  const names = namesOf(ids)
  if (new Set(names).size < names.length || names.some((name) => known.has(name))) return true
  return areStored(tx, ids)
}

type FoundMember = {
  id: string
  userId: string
  roles: readonly Role[]
  team: string | null | undefined
  createdAt: Date | null
}

/** The members whose user exists, each once. */
async function membersOf(
  tx: Tx,
  { members, teams }: OrganizationLine,
  {
    notes,
    known: { seenIds, hasUsers, dryRunUsers },
    requiresVerifiedEmail,
  }: { notes: string[]; known: ImportState; requiresVerifiedEmail: boolean },
): Promise<FoundMember[]> {
  const named = members.flatMap(({ userId, email }) => userId ?? email ?? [])
  const users = await findNamedUsers(tx, named)
  // Where email addresses need no verification before the first sign-in, an imported unverified address shows nothing
  // about its owner later.
  const mayMatchByEmail = ({ id, isOwn, emailVerified }: NamedUser) =>
    isOwn && (!requiresVerifiedEmail || emailVerified || seenIds.has(id))
  const stored = new Map([
    ...users.filter(({ id }) => !hasUsers() || seenIds.has(id)).map(({ id }) => [id, id] as const),
    ...users.filter(mayMatchByEmail).map(({ id, email }) => [email, id] as const),
    ...users.flatMap(({ id, previousEmail }) => (previousEmail === null ? [] : [[previousEmail, id] as const])),
  ])
  const seen = new Set<string>()
  return members.flatMap(({ id, userId, email, role, team, createdAt }) => {
    const name = userId ?? email ?? ''
    const found = stored.get(name) ?? dryRunUsers.get(name)
    const roles = rolesOf([role].flat().join(','))
    if (found === undefined || seen.has(found) || roles.length === 0) {
      const isElsewhere = users.some(({ id }) => id === name)
      const missing = isElsewhere
        ? 'is not a user of this file: another system may have issued the id'
        : 'does not exist here'
      const problem = roles.length === 0 ? 'has no known role' : 'is listed twice'
      notes.push(`the member ${name} ${found === undefined ? missing : problem}`)
      return []
    }
    seen.add(found)
    const isTeamKnown = !team || teams.some((one) => one.id === team || one.name === team)
    if (!isTeamKnown) notes.push(`the team ${team} of ${name} is not a team of this line: the first team is used`)
    return [{ id: id ?? newId(), userId: found, roles, team, createdAt: createdAt ?? null }]
  })
}

async function store(
  tx: Tx,
  app: App & EventOrigin,
  value: OrganizationLine,
  members: readonly FoundMember[],
): Promise<void> {
  const id = value.id ?? newId()
  const createdAt = value.createdAt ?? app.now
  const { name, slug, logo } = value
  const own = { metadata: jsonOrNull(value.metadata), privateMetadata: jsonOrEmpty(value.privateMetadata) }
  const limits = {
    membershipLimit: value.membershipLimit ?? null,
    secondFactorFrom: value.secondFactorFrom ?? null,
  }
  const organization = { id, name, slug, logo: logo ?? null, ...limits, ...own, createdAt }
  // Every organization has a team, which contains its members.
  const given = value.teams.length > 0 ? value.teams : [{ name }]
  const teams = given.map((team) => ({ id: newId(), organizationId: id, createdAt, ...defined(team) }))
  await insertImportedOrganization(tx, organization, teams)
  const teamOf = (wanted: string | null | undefined) => {
    if (wanted === null) return null
    return (teams.find((team) => team.id === wanted || team.name === wanted) ?? teams[0])?.id ?? null
  }
  const rows = members.map((member) => ({
    id: member.id,
    userId: member.userId,
    role: member.roles.join(','),
    teamId: teamOf(member.team),
    createdAt: member.createdAt ?? createdAt,
  }))
  await insertMembers(tx, id, rows)
  const event = { actorId: null, subjectId: null, organizationId: id, data: { name, slug, members: rows.length } }
  await record(tx, app, { type: 'organization.imported', ...event })
}

function defined<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null)) as {
    [Key in keyof Values]: NonNullable<Values[Key]>
  }
}

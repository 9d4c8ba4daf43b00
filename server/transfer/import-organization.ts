import { type Role, rolesOf } from '../../shared/permissions.ts'
import type { OrganizationLine } from '../../shared/transfer.ts'
import type { App } from '../dependencies.ts'
import { type Origin, record } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import { transaction, type Tx } from '../foundation/database.ts'
import type { Numbered, Outcome } from './outcome.ts'
import { jsonOrNull, lockImports } from './users.ts'

/** Rows of one statement. */
const batch = 1_000

/** Users of this import that a dry run has not stored: their ids by address and by id. */
export type Unstored = ReadonlyMap<string, string>

/** Imports an organization with its teams and members. It needs an owner among them, and stays as it is if it is there already. */
export async function importOrganization(
  app: App & Origin,
  { line, value }: Numbered<OrganizationLine>,
  { dryRun, unstored }: { dryRun: boolean; unstored: Unstored },
): Promise<Outcome> {
  const outcome: Outcome = { line, about: value.slug, result: 'imported', notes: [] }
  const skip = (note: string): Outcome => ({ ...outcome, result: 'skipped', notes: [...outcome.notes, note] })
  return transaction(app, async (tx) => {
    await lockImports(tx)
    const holder = await tx.organization.findUnique({ where: { slug: value.slug } })
    const same = value.id === undefined ? holder : await tx.organization.findUnique({ where: { id: value.id } })
    if (same) return { ...outcome, result: 'existing' }
    if (holder) return skip('the slug belongs to another organization')
    const members = await membersOf(tx, value, { notes: outcome.notes, unstored })
    if (!members.some(({ roles }) => roles.includes('owner'))) return skip('none of its members is an owner')
    if (dryRun) return outcome
    await store(tx, app, value, members)
    return outcome
  })
}

type Found = {
  id: string
  userId: string
  roles: readonly Role[]
  team: string | null | undefined
  createdAt: Date | null
}

/** The members whose user exists, each once. */
async function membersOf(
  tx: Tx,
  { members }: OrganizationLine,
  { notes, unstored }: { notes: string[]; unstored: Unstored },
): Promise<Found[]> {
  const named = members.flatMap(({ userId, email }) => userId ?? email ?? [])
  const users = await tx.$queryRaw<{ id: string; email: string }[]>`
    select id, email from "User" where id = any(${named}) or email = any(${named})`
  const known = new Map([...unstored, ...users.flatMap(({ id, email }) => [[id, id] as const, [email, id] as const])])
  const seen = new Set<string>()
  return members.flatMap(({ id, userId, email, role, team, createdAt }) => {
    const name = userId ?? email ?? ''
    const found = known.get(name)
    const roles = rolesOf([role].flat().join(','))
    if (found === undefined || seen.has(found) || roles.length === 0) {
      notes.push(
        `the member ${name} ${found === undefined ? 'is not a user here' : roles.length === 0 ? `has no known role` : 'is there twice'}`,
      )
      return []
    }
    seen.add(found)
    return [{ id: id ?? newId(), userId: found, roles, team, createdAt: createdAt ?? null }]
  })
}

async function store(tx: Tx, app: App & Origin, value: OrganizationLine, members: readonly Found[]): Promise<void> {
  const id = value.id ?? newId()
  const createdAt = value.createdAt ?? app.now
  const { name, slug, logo } = value
  const data = { id, name, slug, logo: logo ?? null, metadata: jsonOrNull(value.metadata), createdAt }
  await tx.organization.create({ data })
  // Every organization has a team, in which its members are.
  const given = value.teams.length > 0 ? value.teams : [{ name }]
  const teams = given.map((team) => ({ id: newId(), organizationId: id, createdAt, ...defined(team) }))
  await tx.team.createMany({ data: teams })
  const teamOf = (wanted: string | null | undefined) => {
    if (wanted === null) return null
    return (teams.find((team) => team.id === wanted || team.name === wanted) ?? teams[0])?.id ?? null
  }
  const rows = members.map((member) => ({
    id: member.id,
    organizationId: id,
    userId: member.userId,
    role: member.roles.join(','),
    teamId: teamOf(member.team),
    createdAt: member.createdAt ?? createdAt,
  }))
  for (let at = 0; at < rows.length; at += batch) await tx.member.createMany({ data: rows.slice(at, at + batch) })
  const event = { actorId: null, subjectId: null, organizationId: id, data: { name, slug, members: rows.length } }
  await record(tx, app, { type: 'organization.imported', ...event })
}

function defined<Values extends object>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null)) as {
    [Key in keyof Values]: NonNullable<Values[Key]>
  }
}

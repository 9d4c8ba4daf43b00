import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { languageById } from '../../shared/language.ts'
import type { App } from '../dependencies.ts'
import type { Tx } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import { hasVerifiedEmail, displayEmail } from '../foundation/verified-email.ts'
import { findOrganizationsAfter, findUsersAfter } from './users.ts'

/** Users read per query. */
const perPage = 500
/** Organizations read per query, with all their members. */
const organizationsPerPage = 20

/** Maximum duration of an export, in milliseconds. */
const timeout = 6 * 3_600_000

/**
 * Writes all users and organizations as lines for an import, from one snapshot. Returns how many there were. An error
 * of `output` ends it.
 */
export async function exportLines(app: App, output: Writable): Promise<{ users: number; organizations: number }> {
  return transaction(app, (tx) => writeLines(tx, output), { timeout, isolationLevel: 'RepeatableRead' })
}

async function writeLines(tx: Tx, output: Writable): Promise<{ users: number; organizations: number }> {
  const write = async (line: object) => {
    // Some programs treat the separators of Unicode as line ends.
    const text = JSON.stringify(line)
      .replaceAll('\u2028', String.raw`\u2028`)
      .replaceAll('\u2029', String.raw`\u2029`)
    if (!output.write(`${text}\n`)) await once(output, 'drain')
  }
  const users = await forEachPage(perPage, (last) => findUsersAfter(tx, last, perPage), {
    idOf: ({ user }) => user.id,
    each: (row) => write(userLine(row)),
  })
  const organizations = await forEachPage(
    organizationsPerPage,
    (last) => findOrganizationsAfter(tx, last, organizationsPerPage),
    { idOf: ({ id }) => id, each: (row) => write(organizationLine(row)) },
  )
  return { users, organizations }
}

/** Reads rows page by page, each after the id of the last row of the page before. Returns how many there were. */
async function forEachPage<Row>(
  size: number,
  read: (last: string) => Promise<Row[]>,
  { idOf, each }: { idOf: (row: Row) => string; each: (row: Row) => Promise<void> },
): Promise<number> {
  let count = 0
  for (let last = ''; ;) {
    const page = await read(last)
    for (const row of page) {
      await each(row)
      last = idOf(row)
    }
    count += page.length
    if (page.length < size) return count
  }
}

type UserRow = Awaited<ReturnType<typeof findUsersAfter>>[number]
type OrganizationRow = Awaited<ReturnType<typeof findOrganizationsAfter>>[number]

/** A user as a line of an import, with the email address that others see. */
function userLine({ user, passwordHash, identities }: UserRow) {
  const { id, name, username, displayUsername, image, createdAt, metadata, privateMetadata } = user
  return {
    type: 'user',
    id,
    email: displayEmail(user),
    emailVerified: hasVerifiedEmail(user),
    name,
    username,
    displayUsername,
    image,
    createdAt,
    passwordHash,
    language: languageById(user.language).code,
    identities: identities.map((one) => ({
      provider: one.providerId,
      accountId: one.accountId,
      createdAt: one.createdAt,
    })),
    banned: user.bannedAt === null ? null : { reason: user.banReason, expiresAt: user.banExpiresAt },
    metadata,
    privateMetadata,
  }
}

/** An organization as a line of an import, with its teams and members. */
function organizationLine({ secondFactorFrom, teams, members, ...organization }: OrganizationRow) {
  const { id, name, slug, logo, metadata, privateMetadata, membershipLimit, createdAt } = organization
  return {
    type: 'organization',
    id,
    name,
    slug,
    logo,
    metadata,
    privateMetadata,
    membershipLimit,
    ...(secondFactorFrom !== null && { secondFactorFrom }),
    createdAt,
    teams: teams.map((team) => ({ id: team.id, name: team.name, createdAt: team.createdAt })),
    members: members.map((member) => ({
      id: member.id,
      userId: member.userId,
      role: member.role,
      team: member.teamId,
      createdAt: member.createdAt,
    })),
  }
}

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

async function writeLines(db: Tx, output: Writable): Promise<{ users: number; organizations: number }> {
  const count = { users: 0, organizations: 0 }
  const write = async (line: object) => {
    // Some programs treat the separators of Unicode as line ends.
    const text = JSON.stringify(line)
      .replaceAll('\u2028', String.raw`\u2028`)
      .replaceAll('\u2029', String.raw`\u2029`)
    if (!output.write(`${text}\n`)) await once(output, 'drain')
  }
  for (let last = ''; ;) {
    const page = await findUsersAfter(db, last, perPage)
    for (const { user, passwordHash, identities } of page) {
      const email = displayEmail(user)
      const emailVerified = hasVerifiedEmail(user)
      const { id, name, username, displayUsername, image, createdAt } = user
      await write({
        type: 'user',
        id,
        email,
        emailVerified,
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
        metadata: user.metadata,
        privateMetadata: user.privateMetadata,
      })
    }
    count.users += page.length
    last = page.at(-1)?.user.id ?? last
    if (page.length < perPage) break
  }
  for (let last = ''; ;) {
    const page = await findOrganizationsAfter(db, last, organizationsPerPage)
    for (const {
      id,
      name,
      slug,
      logo,
      metadata,
      privateMetadata,
      membershipLimit,
      secondFactorFrom,
      createdAt,
      teams,
      members,
    } of page) {
      await write({
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
      })
    }
    count.organizations += page.length
    last = page.at(-1)?.id ?? last
    if (page.length < organizationsPerPage) break
  }
  return count
}

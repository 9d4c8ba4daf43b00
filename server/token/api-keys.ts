import { FullUser } from '../../shared/account.ts'
import { sha256 } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { withRelation } from '../foundation/lists.ts'
import { endConnections } from './connections.ts'

/** Every key starts with this prefix, so that secret scanners find leaked keys. */
export const keyPrefix = 'foyer_'

/** Finds an enabled key that has not expired, with its user. A key of an organization ends with its user's membership. */
export async function findApiKey(tx: Tx, key: string, now: Date) {
  const stored = await tx.apiKey.findUnique({ where: { keyHash: sha256(key) }, include: { user: true } })
  const [found] = withRelation(stored ? [stored] : [], 'user')
  if (!found?.isEnabled || (found.expiresAt !== null && found.expiresAt <= now)) return undefined
  const { user, ...row } = found
  const { organizationId, userId } = row
  if (organizationId !== null) {
    const member = await tx.member.findUnique({ where: { organizationId_userId: { organizationId, userId } } })
    if (!member) return undefined
  }
  const { bannedAt, banExpiresAt } = user
  return { key: row, user: FullUser.parse(user), ban: { bannedAt, banExpiresAt } }
}

export type FoundApiKey = NonNullable<Awaited<ReturnType<typeof findApiKey>>>

/** Deletes the keys that a user has created for an organization, when the membership ends. */
export async function deleteKeysOfMember(tx: Tx, member: { userId: string; organizationId: string }): Promise<void> {
  const { userId, organizationId } = member
  await tx.apiKey.deleteMany({ where: { userId, organizationId } })
}

/** Deletes all keys and connected applications of a user, because another person may have created them. */
export async function deleteLastingAccess(tx: Tx, userId: string): Promise<void> {
  await tx.apiKey.deleteMany({ where: { userId } })
  await endConnections(tx, { userId })
}

/**
 * Marks a user's keys as no longer created with a second factor when one is removed, because the finder of a lost
 * factor may have created them. Keys that are older than that factor are unchanged.
 */
export async function revokeStrongAuthentication(tx: Tx, userId: string, addedAt: Date): Promise<void> {
  const where = { userId, isStrong: true, createdAt: { gte: addedAt } }
  await tx.apiKey.updateMany({ where, data: { isStrong: false } })
}

/** Minimum time between two records of a use, in milliseconds. */
const useMs = 60_000

/** Uses that this process has not recorded yet, by key. Those of the last minute are lost when it ends. */
const uncounted = new Map<string, number>()
const maxUncounted = 10_000

/** Records that a key was used, and how often, at most once a minute. */
export async function recordUse(tx: Tx, { key }: FoundApiKey, now: Date): Promise<void> {
  const uses = (uncounted.get(key.id) ?? 0) + 1
  if (key.lastUsedAt !== null && now.getTime() - key.lastUsedAt.getTime() < useMs) {
    if (uses > 1 || uncounted.size < maxUncounted) uncounted.set(key.id, uses)
    return
  }
  uncounted.delete(key.id)
  const data = { lastUsedAt: now, requestCount: { increment: uses } }
  await tx.apiKey.updateMany({ where: { id: key.id }, data })
}

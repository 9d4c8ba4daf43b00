import type { Pool } from 'pg'
import type { ApiKey } from '../../prisma/client/client.ts'
import type { FullUser } from '../../shared/account.ts'
import { sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'
import { endConnections } from './connections.ts'

/** Every key starts with this prefix, so that secret scanners find leaked keys. */
export const keyPrefix = 'foyer_'

/** What a call with a key needs of it. */
type CalledKey = Pick<
  ApiKey,
  | 'id'
  | 'organizationId'
  | 'createdWithSecondFactor'
  | 'permissions'
  | 'rateLimitMax'
  | 'rateLimitWindowMs'
  | 'isRateLimited'
  | 'lastUsedAt'
  | 'expiresAt'
  | 'updatedAt'
>

type FoundApiKey = {
  key: CalledKey
  user: FullUser
  ban: { bannedAt: Date | null; banExpiresAt: Date | null }
}

/**
 * Finds an enabled key that has not expired, with its user. A key of an organization ends with its user's membership.
 * One prepared statement, because every call of a program runs it: Prisma's two or three took 0.4 ms more CPU.
 */
export async function findApiKey(pool: Pool, key: string, now: Date): Promise<FoundApiKey | undefined> {
  const { rows } = await pool.query<KeyRow>(byHash({ keyHash: sha256(key), now }))
  const [row] = rows
  if (!row) return undefined
  const {
    keyId,
    keyUpdatedAt,
    organizationId,
    createdWithSecondFactor,
    permissions,
    lastUsedAt,
    expiresAt,
    ...others
  } = row
  const { rateLimitMax, rateLimitWindowMs, isRateLimited, bannedAt, banExpiresAt, ...user } = others
  const limits = { rateLimitMax, rateLimitWindowMs, isRateLimited }
  const times = { lastUsedAt, expiresAt, updatedAt: keyUpdatedAt }
  return {
    key: { id: keyId, organizationId, createdWithSecondFactor, permissions, ...limits, ...times },
    user,
    ban: { bannedAt, banExpiresAt },
  }
}

type KeyRow = Omit<CalledKey, 'id' | 'updatedAt'> &
  FullUser &
  FoundApiKey['ban'] & { keyId: string; keyUpdatedAt: Date }

const byHash = statement(
  'apiKeys.find',
  `select k.id as "keyId", k."organizationId", k."createdWithSecondFactor", k.permissions, k."rateLimitMax", k."rateLimitWindowMs",
    k."isRateLimited", k."lastUsedAt", k."expiresAt", k."updatedAt" as "keyUpdatedAt", u.id, u.email, u.name, u.image,
    u."emailVerified", u."createdAt", u."updatedAt", u.username, u."displayUsername", u.language, u.role, u.metadata,
    u."twoFactorEnabled", u."bannedAt", u."banExpiresAt"
  from "ApiKey" k join "User" u on u.id = k."userId"
  where k."keyHash" = :keyHash and k."isEnabled" and (k."expiresAt" is null or k."expiresAt" > :now::timestamptz)
    and (k."organizationId" is null or exists (
      select from "Member" m where m."organizationId" = k."organizationId" and m."userId" = k."userId"))`,
)

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
export async function clearSecondFactorOfKeys(tx: Tx, userId: string, addedAt: Date): Promise<void> {
  const where = { userId, createdWithSecondFactor: true, createdAt: { gte: addedAt } }
  await tx.apiKey.updateMany({ where, data: { createdWithSecondFactor: false } })
}

/** Minimum time between two records of a use, in milliseconds. */
const useMs = 60_000

/** Uses that this process has not recorded yet, by key. Those of the last minute are lost when it ends. */
const uncounted = new Map<string, number>()
const maxUncounted = 10_000

/** Records that a key was used, and how often, at most once a minute. */
export async function recordUse(db: Db, { key }: FoundApiKey, now: Date): Promise<void> {
  const uses = (uncounted.get(key.id) ?? 0) + 1
  if (key.lastUsedAt !== null && now.getTime() - key.lastUsedAt.getTime() < useMs) {
    if (uses > 1 || uncounted.size < maxUncounted) uncounted.set(key.id, uses)
    return
  }
  uncounted.delete(key.id)
  const data = { lastUsedAt: now, requestCount: { increment: uses } }
  await db.apiKey.updateMany({ where: { id: key.id }, data })
}

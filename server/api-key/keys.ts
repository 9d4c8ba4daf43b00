import type { Prisma, ApiKey as StoredKey } from '../../prisma/client/client.ts'
import type { ApiKey } from '../../shared/api-key.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'

/** Maximum calls with one key in a day: more than a busy back end makes, so that only a runaway program is stopped. */
export const keyLimit = { max: 1_000_000, windowMs: 86_400_000 }

/** Maximum number of keys of one user. */
export const maxKeys = 100

/** A key as its owner sees it. */
export function toApiKey(row: StoredKey): ApiKey {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    prefix: row.prefix,
    userId: row.userId,
    organizationId: row.organizationId,
    enabled: row.isEnabled,
    expiresAt: row.expiresAt,
    lastRequest: row.lastUsedAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    metadata: row.metadata,
    permissions: permissionsOf(row.permissions),
    rateLimitEnabled: row.isRateLimited,
    rateLimitMax: row.rateLimitMax,
    rateLimitTimeWindow: row.rateLimitWindowMs,
    requestCount: row.requestCount,
    remaining: null,
    refillAmount: null,
    refillInterval: null,
    lastRefillAt: null,
  }
}

function permissionsOf(value: Prisma.JsonValue): Record<string, string[]> | null {
  if (!isRecord(value)) return null
  return Object.fromEntries(
    Object.entries(value).map(([resource, actions]) => [resource, Array.isArray(actions) ? actions.map(String) : []]),
  )
}

/** Keys of a user, or all keys of an organization, oldest first. */
export async function listKeys(db: Db, owner: { userId: string } | { organizationId: string }): Promise<ApiKey[]> {
  const rows = await db.apiKey.findMany({ where: owner, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: 1000 })
  return rows.map(toApiKey)
}

/** How many keys a user has, those for organizations included. */
export async function countKeys(tx: Tx, userId: string): Promise<number> {
  return tx.apiKey.count({ where: { userId } })
}

export async function insertKey(tx: Tx, key: Prisma.ApiKeyUncheckedCreateInput): Promise<StoredKey> {
  return tx.apiKey.create({ data: key })
}

export async function findKey(db: Db, id: string): Promise<StoredKey | null> {
  return db.apiKey.findUnique({ where: { id } })
}

export async function updateKey(db: Db, id: string, changes: Prisma.ApiKeyUpdateInput): Promise<StoredKey> {
  return db.apiKey.update({ where: { id }, data: changes })
}

/** Deletes a key. False if it no longer exists. */
export async function deleteKey(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.apiKey.deleteMany({ where: { id } })
  return count > 0
}

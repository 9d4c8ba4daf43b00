import { newId, sha256 } from './crypto.ts'
import type { Db, Tx } from './database.ts'

/**
 * Pending one-time secrets: links, codes, challenges and states. A row is found by its identifier, which names the
 * purpose and what it is about: the hash of the secret, or for a code, the session. It is used once. Rows with a user
 * are deleted with the user's other pending secrets.
 */
export type Verification = { id: string; value: string; userId: string | null; expiresAt: Date }

type NewVerification = { identifier: string; value: string; userId?: string | null; expiresAt: Date; now: Date }

/** The identifier of what only the holder of a secret can find. */
export function identifierOf(purpose: string, secret: string): string {
  return `${purpose}:${sha256(secret)}`
}

/** Stores a value, in place of an earlier one with the same identifier. */
export async function storeVerification(db: Db, { identifier, now, userId = null, ...rest }: NewVerification) {
  const stored = { ...rest, userId, createdAt: now }
  await db.verification.upsert({
    where: { identifier },
    create: { id: newId(), identifier, ...stored },
    update: stored,
  })
}

/** Finds a value without using it up. It may have expired. */
export async function findVerification(db: Db, identifier: string): Promise<Verification | undefined> {
  return (await db.verification.findUnique({ where: { identifier } })) ?? undefined
}

/** Locks a value until the transaction ends, so that each of several concurrent attempts is counted. */
export async function lockVerification(tx: Tx, identifier: string): Promise<Verification | undefined> {
  const [row] = await tx.$queryRaw<Verification[]>`
    select id, value, "userId", "expiresAt" from "Verification" where identifier = ${identifier} for update`
  return row
}

/**
 * Uses up a value in one statement: of several concurrent requests, only one succeeds (SEC-50). Undefined if it is
 * unknown, used or expired.
 */
export async function consumeVerification(
  db: Db,
  identifier: string,
  now: Date,
): Promise<Pick<Verification, 'value' | 'userId'> | undefined> {
  const [row] = await db.$queryRaw<Pick<Verification, 'value' | 'userId' | 'expiresAt'>[]>`
    delete from "Verification" where identifier = ${identifier} returning value, "userId", "expiresAt"`
  return row && row.expiresAt > now ? row : undefined
}

/** Replaces a value, as after a wrong attempt. */
export async function updateVerification(tx: Tx, { id, value }: Pick<Verification, 'id' | 'value'>): Promise<void> {
  await tx.verification.updateMany({ where: { id }, data: { value } })
}

/** Deletes a value. False if it was already deleted: another request has used it. */
export async function deleteVerification(tx: Tx, { id }: Pick<Verification, 'id'>): Promise<boolean> {
  const { count } = await tx.verification.deleteMany({ where: { id } })
  return count === 1
}

/** Deletes up to `limit` expired values. Returns how many. */
export async function deleteExpiredVerifications(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return db.$executeRaw`
    delete from "Verification" where id in (select id from "Verification" where "expiresAt" <= ${now} limit ${limit})`
}

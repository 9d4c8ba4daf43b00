import { setTimeout as wait } from 'node:timers/promises'
import type { Lease as LeaseRow } from '../../prisma/client/client.ts'
import { newId } from './crypto.ts'
import { violatedUnique } from './database-errors.ts'
import type { Db } from './database.ts'
import { statement } from './statement.ts'
import { secondsAfter } from './time.ts'
import type { PgTransaction, Statements } from './transactions.ts'

/** Time between two attempts, in milliseconds. */
const pollMs = 100

/** What one process at a time may do, under a key. It expires, so that a process that dies holds nothing for long. */
type Lease = { key: string; seconds: number; clock: () => Date }

/**
 * Takes a lease, unless another process holds it. Returns the id of its row, which `releaseLease` deletes. A row is
 * used instead of a lock, because no transaction may stay open while a provider answers.
 */
export async function acquireLease(db: Db, { key, seconds, clock }: Lease): Promise<string | undefined> {
  const now = clock()
  await db.lease.deleteMany({ where: { key, expiresAt: { lte: now } } })
  const row = { id: newId(), key, createdAt: now, expiresAt: secondsAfter(now, seconds) }
  try {
    await db.lease.create({ data: row })
    return row.id
  } catch (error) {
    if (!violatedUnique(error)) throw error
    return undefined
  }
}

/** Takes a lease that is still held for its full time again. Returns false if it has expired meanwhile. */
export async function renewLease(
  db: Db,
  { id, seconds, clock }: { id: string; seconds: number; clock: () => Date },
): Promise<boolean> {
  const now = clock()
  const where = { id, expiresAt: { gt: now } }
  const { count } = await db.lease.updateMany({ where, data: { expiresAt: secondsAfter(now, seconds) } })
  return count === 1
}

/** Deletes a lease, or its stored result, before it expires. Does nothing if the row is gone. */
export async function releaseLease(db: Db, id: string): Promise<void> {
  await db.lease.deleteMany({ where: { id } })
}

/** Stores the result of the work under a lease, which is kept until `expiresAt`. */
export async function storeLeaseResult(
  db: Db,
  id: string,
  { result, expiresAt }: { result: string; expiresAt: Date },
): Promise<void> {
  await db.lease.updateMany({ where: { id }, data: { result, expiresAt } })
}

/** A lease or its stored result. */
export async function findLease(db: Db, key: string): Promise<LeaseRow | null> {
  return db.lease.findUnique({ where: { key } })
}

/** Whether a lease is held, and has not expired. */
export async function isLeased(db: Db, key: string, now: Date): Promise<boolean> {
  return (await db.lease.count({ where: { key, expiresAt: { gt: now } } })) > 0
}

/** Deletes the leases, and the results, of all keys that start with this text. */
export async function releaseLeasesWithPrefix(sql: Statements, prefix: string): Promise<void> {
  await sql.query(deleteLeases({ prefix }))
}

/** Like `releaseLeasesWithPrefix`, together with the commit of a transaction. */
export function releaseLeasesAtCommit(sql: Pick<PgTransaction, 'queryAtCommit'>, prefix: string): void {
  sql.queryAtCommit(deleteLeases({ prefix }))
}

const deleteLeases = statement('leases.end', 'delete from "Lease" where starts_with(key, :prefix)')

/**
 * Tries something until it returns a value, at most for this time. Undefined if it never did. The first attempt is made
 * at once, also if the time is 0.
 */
export async function poll<Result>(
  attempt: () => Promise<Result | undefined>,
  maxSeconds: number,
): Promise<Result | undefined> {
  for (let attempts = 0; ; attempts++) {
    const result = await attempt()
    if (result !== undefined || attempts * pollMs >= maxSeconds * 1000) return result
    await wait(pollMs)
  }
}

/** Deletes up to `limit` expired leases. Returns how many. */
export async function deleteExpiredLeases(db: Db, { now, limit }: { now: Date; limit: number }): Promise<number> {
  return db.$executeRaw`
    delete from "Lease" where id in (select id from "Lease" where "expiresAt" <= ${now} limit ${limit})`
}

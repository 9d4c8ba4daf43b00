import type { FactorRemoval } from '../../prisma/client/client.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { secondsAfter } from '../foundation/time.ts'

/** How long a user has to cancel the removal of lost second factors: a day. */
const delaySeconds = 86_400

/** The pending removal of a user's second factors. */
export async function findRemoval(db: Db, userId: string): Promise<FactorRemoval | null> {
  return db.factorRemoval.findUnique({ where: { userId } })
}

/** Starts the removal, or starts its delay again. Returns when the factors are removed. */
export async function startRemoval(
  tx: Tx,
  { userId, startedBy, now }: { userId: string; startedBy: string; now: Date },
): Promise<Date> {
  const removal = { startedBy, removeAt: secondsAfter(now, delaySeconds), createdAt: now }
  await tx.factorRemoval.upsert({ where: { userId }, create: { userId, ...removal }, update: removal })
  return removal.removeAt
}

/** Cancels the pending removal. Returns whether there was one. */
export async function cancelRemoval(tx: Tx, userId: string): Promise<boolean> {
  const { count } = await tx.factorRemoval.deleteMany({ where: { userId } })
  return count > 0
}

/** Ends the pending removal of a user who has removed the last factor. */
export async function endRemovalWithoutFactor(tx: Tx, userId: string): Promise<void> {
  const user = { twoFactorEnabled: false, passkeys: { none: {} } }
  await tx.factorRemoval.deleteMany({ where: { userId, user } })
}

/** Removals whose time has come, oldest first. */
export async function listDueRemovals(db: Db, now: Date, limit: number): Promise<FactorRemoval[]> {
  return db.factorRemoval.findMany({ where: { removeAt: { lte: now } }, orderBy: { removeAt: 'asc' }, take: limit })
}

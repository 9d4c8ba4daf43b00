import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '../foundation/crypto.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { secondsAfter } from '../foundation/time.ts'

/** Seconds within which the working request must finish: five provider calls at their deadline, and a margin. */
const workingSeconds = 60
/** Seconds that the other requests wait for its result. */
const waitSeconds = 12

type Flight = {
  /** Identifies the object to create and its owner: the same key gets the same result. */
  key: string
  /** How long the result is returned to repeated requests. */
  keepSeconds: number
  clock: () => Date
}

/**
 * Creates something at the provider only once, however often it is requested. The request that stores the row, in any
 * process, does the work; the others return its result. If it fails, the waiting requests are refused and do not retry,
 * because the provider may have created the object without answering. The provider is never called inside a
 * transaction.
 */
export async function singleFlight(
  db: Tx,
  { key, keepSeconds, clock }: Flight,
  make: () => Promise<string>,
): Promise<string> {
  let hasWaited = false
  for (let attempts = 0; attempts < waitSeconds * 10; attempts++) {
    const now = clock()
    await db.providerRequest.deleteMany({ where: { key, expiresAt: { lte: now } } })
    const known = await db.providerRequest.findUnique({ where: { key } })
    if (known?.result != null) return known.result
    if (!known && hasWaited) break
    if (known) {
      hasWaited = true
      await wait(100)
      continue
    }
    const id = newId()
    const expiresAt = secondsAfter(now, workingSeconds)
    const isFirst = await db.providerRequest.create({ data: { id, key, createdAt: now, expiresAt } }).then(
      () => true,
      (error: unknown) => (violatedUnique(error) ? false : Promise.reject(error)),
    )
    if (!isFirst) continue
    try {
      const result = await make()
      const until = secondsAfter(clock(), keepSeconds)
      await db.providerRequest.updateMany({ where: { id }, data: { result, expiresAt: until } })
      return result
    } catch (error) {
      await db.providerRequest.deleteMany({ where: { id } })
      throw error
    }
  }
  refuse('PAYMENT_PROVIDER_UNAVAILABLE', { retryAfterSeconds: waitSeconds })
}

/** The lease under which plan, quantity and owner of a subscription change. */
export const subscriptionLease = (subscriptionId: string) => `subscription:${subscriptionId}`

/**
 * Runs work that changes one object at the provider, while no other process does. Others wait for `waitSeconds` and are
 * then refused. The lock is a row that expires, because no transaction may stay open while the provider answers.
 */
export async function withLease<Result>(
  db: Tx,
  { key, clock, waitSeconds: seconds = waitSeconds }: { key: string; clock: () => Date; waitSeconds?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 0; ; attempts++) {
    const now = clock()
    const id = newId()
    const expiresAt = secondsAfter(now, workingSeconds)
    await db.providerRequest.deleteMany({ where: { key, expiresAt: { lte: now } } })
    const isHeld = await db.providerRequest.create({ data: { id, key, createdAt: now, expiresAt } }).then(
      () => true,
      (error: unknown) => (violatedUnique(error) ? false : Promise.reject(error)),
    )
    if (isHeld) return work().finally(() => db.providerRequest.deleteMany({ where: { id } }))
    if (attempts >= seconds * 10) refuse('PAYMENT_PROVIDER_UNAVAILABLE', { retryAfterSeconds: waitSeconds })
    await wait(100)
  }
}

import type { App } from '../../dependencies.ts'
import type { Db } from '../../foundation/database.ts'
import { releaseLease, findLease, poll, renewLease, storeLeaseResult, acquireLease } from '../../foundation/leases.ts'
import { refuse } from '../../foundation/refusal.ts'
import { secondsAfter } from '../../foundation/time.ts'

/** Seconds within which the working request must finish: five provider calls at their deadline, and a margin. */
const defaultLeaseSeconds = 60
/** Seconds that the other requests wait for its result. */
const waitSeconds = 12

type SingleFlightOptions = {
  /** Identifies the object to create and its owner: the same key gets the same result. */
  key: string
  /** How long the result is returned to repeated requests. */
  resultTtlSeconds: number
  /** Seconds within which the work must finish, and in which it is not done again if it may have been done. */
  leaseSeconds?: number
  /**
   * Whether the provider may have made the object, although this error was its answer. Then it is not made again before
   * the lease expires. Without this function, another request may make it at once.
   */
  mayHaveSucceeded?: (error: unknown) => boolean
}

/**
 * Creates something at the provider only once, however often it is requested. The request that stores the row, in any
 * process, does the work; the others return its result. If it fails, the waiting requests are refused and do not retry,
 * because the provider may have created the object without answering. The provider is never called inside a
 * transaction. `create` may call `renew` directly before a request that must not be made twice: it is refused if the work
 * has taken so long that another request may have begun.
 */
export async function singleFlight(
  { db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>,
  { key, resultTtlSeconds, leaseSeconds = defaultLeaseSeconds, mayHaveSucceeded = () => false }: SingleFlightOptions,
  create: (renew: () => Promise<void>) => Promise<string>,
): Promise<string> {
  const id = await acquireLease(db, { key, seconds: leaseSeconds, clock })
  if (id === undefined) return awaitResult({ db, clock }, key)
  const renew = async () => {
    if (!(await renewLease(db, { id, seconds: leaseSeconds, clock }))) refuse('PAYMENT_PROVIDER_UNAVAILABLE')
  }
  const result = await create(renew).catch(async (error: unknown) => {
    if (!mayHaveSucceeded(error)) await releaseLease(db, id)
    throw error
  })
  const expiresAt = secondsAfter(clock(), resultTtlSeconds)
  // The object has been created. The lease stays until it expires, so that it is not created again at once.
  await storeLeaseResult(db, id, { result, expiresAt }).catch((error: unknown) => {
    log.error({ err: error, key }, 'failed to store the result of the payment provider')
  })
  return result
}

/** The result of the request that does the work. */
async function awaitResult({ db, clock }: Pick<App, 'db' | 'clock'>, key: string): Promise<string> {
  const ended = await poll(async () => {
    const lease = await findLease(db, key)
    if (!lease) return { result: null }
    return lease.result === null ? undefined : lease
  }, waitSeconds)
  if (ended) return ended.result ?? refuse('PAYMENT_PROVIDER_UNAVAILABLE', { retryAfterSeconds: waitSeconds })
  const lease = await findLease(db, key)
  if (lease?.result != null) return lease.result
  const seconds = lease ? Math.ceil((lease.expiresAt.getTime() - clock().getTime()) / 1000) : 0
  return refuse('PAYMENT_PROVIDER_UNAVAILABLE', { retryAfterSeconds: Math.max(waitSeconds, seconds) })
}

/** Key of the lease under which plan, quantity and owner of a subscription change. */
export const subscriptionLeaseKey = (subscriptionId: string) => `subscription:${subscriptionId}`

/**
 * Runs work that changes one object at the provider, while no other process does. Others wait for `waitSeconds` and are
 * then refused.
 */
export async function withLease<Result>(
  db: Db,
  { key, clock, waitSeconds: maxSeconds = waitSeconds }: { key: string; clock: () => Date; waitSeconds?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const id = await poll(() => acquireLease(db, { key, seconds: defaultLeaseSeconds, clock }), maxSeconds)
  if (id === undefined) refuse('PAYMENT_PROVIDER_UNAVAILABLE', { retryAfterSeconds: waitSeconds })
  return work().finally(() => releaseLease(db, id))
}

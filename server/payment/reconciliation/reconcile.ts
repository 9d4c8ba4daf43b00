import { z } from 'zod'
import type { App } from '../../dependencies.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { daysBefore } from '../../foundation/time.ts'
import { applySnapshot, fetchSnapshot } from '../events/apply-snapshot.ts'
import { listProducts } from '../provider/products.ts'
import { callPaymentProvider, paymentProviderStatus, readList } from '../provider/provider-api.ts'
import {
  expireUnknownSubscription,
  findKnown,
  findSubscriptionsToCompare,
  markCompared,
} from '../records/reconciled-rows.ts'
import { type Comparison, comparedLists, comparisons } from './reconciled-lists.ts'

/** Rows read per batch. */
const batchSize = 200
/** Hours after which a subscription is compared again. Those compared last night wait for the next one. */
const comparedHours = 20
/** Number of past days in which missing objects are searched. */
const lookbackDays = 30
const pageSize = 100
/** Maximum number of pages of one list. */
const maxPages = 500

/** The known subscriptions are compared first. */
const stages = ['subscriptions', ...comparedLists] as const

/** The position at which an interrupted reconciliation continues. */
export const ReconcileProgress = z.object({
  stage: z.enum(stages),
  page: z.number().int().min(0),
  /** How often this night's comparison was interrupted. */
  pauses: z.number().int().min(0).default(0),
})
type Progress = z.output<typeof ReconcileProgress>

/** Maximum interruptions per night: an object that never answers must not be requested indefinitely. */
const maxPauses = 50

/** One run: when it ends, the number of consecutive objects that could not be read, and whether any was read. */
type ReconcileRun = {
  app: App
  endsAt: number
  failures: number
  hasSucceeded: boolean
  /** Known subscriptions that the provider does not know, and whether it knew any. */
  unknown: string[]
  hasFoundKnown: boolean
}

/** Minutes after which a run ends and is continued later: a job that lasts for hours would be started a second time. */
const runMinutes = 30
/** This many consecutive unreadable objects mean that the provider is failing. */
const maxFailures = 5
/** Seconds until a run is continued if the provider specifies no time. */
const defaultPauseSeconds = 300

/**
 * Ends a run. Undefined means that continuing tonight is pointless, for example because the provider refuses the API
 * key.
 */
class ReconciliationPausedError extends Error {
  readonly afterSeconds: number | undefined

  constructor(afterSeconds: number | undefined, cause?: unknown) {
    super('the reconciliation pauses', { cause })
    this.afterSeconds = afterSeconds
  }
}

/**
 * Compares our rows with the provider's, every night: each subscription that may grant access, then subscriptions,
 * payments, refunds, disputes and license keys of the last 30 days that never arrived or have another state. If the
 * provider does not answer or asks for a pause, and after half an hour, the rest is left to a later run, which
 * continues at the same position. Returns that position and the time of the next run. Undefined if everything was
 * compared, or cannot be.
 */
export async function reconcile(
  app: App,
  from: Progress = { stage: 'subscriptions', page: 0, pauses: 0 },
): Promise<{ progress: Progress; afterSeconds: number } | undefined> {
  if (!app.config.payments) return undefined
  // This also renews the features of products. If the call fails, the stored ones stay.
  await listProducts(app).catch(() => [])
  const run: ReconcileRun = {
    app,
    endsAt: app.clock().getTime() + runMinutes * 60_000,
    failures: 0,
    hasSucceeded: false,
    unknown: [],
    hasFoundKnown: false,
  }
  let progress = from
  try {
    for (const stage of stages.slice(stages.indexOf(from.stage))) {
      progress = { ...from, stage, page: stage === from.stage ? from.page : 0 }
      if (stage === 'subscriptions') await compareSubscriptions(run)
      else await compareList(run, comparisons[stage], progress.page, (page) => void (progress = { ...progress, page }))
    }
    return undefined
  } catch (error) {
    if (!(error instanceof ReconciliationPausedError)) throw error
    const { afterSeconds } = error
    app.log.warn({ err: error.cause ?? error, ...progress, afterSeconds }, 'payment reconciliation paused')
    if (afterSeconds === undefined || from.pauses >= maxPauses) return undefined
    return { progress: { ...progress, pauses: from.pauses + 1 }, afterSeconds }
  }
}

/** Ends the run after its time, and on an error that is not about one object alone. */
function recordResult(run: ReconcileRun, error?: unknown): void {
  const key = error instanceof Refusal ? error.key : undefined
  if (key === 'PAYMENT_PROVIDER_UNAVAILABLE' && paymentProviderStatus(error) !== 500) {
    throw new ReconciliationPausedError(
      (error instanceof Refusal ? error.retryAfterSeconds : undefined) ?? defaultPauseSeconds,
      error,
    )
  }
  run.hasSucceeded ||= error === undefined
  // A refusal of one object says nothing about the next one; a failure of the provider does.
  const isFault = key === 'PAYMENT_PROVIDER_UNAVAILABLE' || key === 'PAYMENT_PROVIDER_INVALID_RESPONSE'
  run.failures = isFault ? run.failures + 1 : 0
  if (run.failures >= maxFailures && !run.hasSucceeded) throw new ReconciliationPausedError(defaultPauseSeconds, error)
  if (run.app.clock().getTime() >= run.endsAt) throw new ReconciliationPausedError(1)
}

/** Ends the run if the provider refuses our API key, and not only one object: it then refuses a list as well. */
async function pauseIfKeyRejected({ app, hasSucceeded }: ReconcileRun, error: unknown): Promise<void> {
  if (hasSucceeded || !(error instanceof Refusal) || error.key !== 'PAYMENT_PROVIDER_REJECTED_CREDENTIALS') return
  const query = { page_number: 0, page_size: 1 }
  const isRefused = await callPaymentProvider(app.config.payments, z.unknown(), (client) =>
    readList(client.subscriptions.list(query)),
  ).then(
    () => false,
    (second: unknown) => second instanceof Refusal && second.key === error.key,
  )
  if (isRefused) throw new ReconciliationPausedError(undefined, error)
}

async function compareSubscriptions(run: ReconcileRun): Promise<void> {
  const { app } = run
  const before = new Date(app.clock().getTime() - comparedHours * 3_600_000)
  for (;;) {
    const rows = await findSubscriptionsToCompare(app.db, { before, now: app.clock(), limit: batchSize })
    for (const { subscriptionId, eventAt } of rows) {
      try {
        await compareOne(run, comparisons.newSubscriptions, subscriptionId, eventAt)
      } catch (error) {
        // If the provider asked for a pause, the next run starts with this object. An object that never answers must
        // not stop every night's run.
        const status = error instanceof ReconciliationPausedError ? paymentProviderStatus(error.cause) : undefined
        const isAboutSubscription =
          error instanceof ReconciliationPausedError &&
          error.cause !== undefined &&
          (status === undefined || status === 504)
        if (isAboutSubscription && run.hasSucceeded) await markCompared(app.db, subscriptionId, app.clock())
        throw error
      }
      // An object that could not be read has also had its turn.
      if (run.hasSucceeded) await markCompared(app.db, subscriptionId, app.clock())
    }
    if (rows.length < batchSize || !run.hasSucceeded) break
  }
  await endUnknownSubscriptions(run)
}

/**
 * Ends subscriptions that the provider does not know, if it knows others: with the API key of another mode, or another
 * address, it would know none.
 */
async function endUnknownSubscriptions({ app, unknown, hasFoundKnown }: ReconcileRun): Promise<void> {
  if (!hasFoundKnown) return
  for (const id of unknown)
    if (await expireUnknownSubscription(app.db, id, app.clock()))
      app.log.warn({ id }, 'ended a subscription that is unknown to the payment provider')
}

const ListPage = z.object({ items: z.array(z.record(z.string(), z.unknown())) })

async function compareList(
  run: ReconcileRun,
  comparison: Comparison,
  firstPage: number,
  onPage: (page: number) => void,
): Promise<void> {
  const { app } = run
  const { table, idName, statusName } = comparison
  let former: string | undefined
  for (let page = firstPage; page < maxPages; page++) {
    onPage(page)
    const items = await readPage(run, comparison, page)
    if (!items) return
    const listed = items.flatMap((item) => {
      const id = item[idName]
      const status = statusName === undefined ? undefined : item[statusName]
      return typeof id === 'string' && id.length <= 256 ? [{ id, status: status ?? null }] : []
    })
    const ids = listed.map(({ id }) => id)
    const known = await findKnown(app.db, table, ids)
    for (const { id, status } of listed) {
      const row = known.get(id)
      const isSame = row !== undefined && (statusName === undefined || row.status === status)
      if (!isSame) await compareOne(run, comparison, id, row?.eventAt)
    }
    const last = ids.at(-1)
    // A provider that ignores the page number returns the same page indefinitely.
    if (items.length < pageSize || last === former) return
    former = last
  }
}

/** One page of a list. Undefined if it cannot be read; the other lists are still compared. */
async function readPage(run: ReconcileRun, { list, type }: Comparison, page: number) {
  const { app } = run
  const created_at_gte = daysBefore(app.clock(), lookbackDays).toISOString()
  const query = { created_at_gte, page_number: page, page_size: pageSize }
  try {
    const { items } = await callPaymentProvider(app.config.payments, ListPage, (client) =>
      readList(list(client, query)),
    )
    recordResult(run)
    return items
  } catch (error) {
    if (error instanceof ReconciliationPausedError) throw error
    await pauseIfKeyRejected(run, error)
    recordResult(run, error)
    app.log.warn({ err: error, type, page }, 'failed to compare a list with the payment provider')
    return undefined
  }
}

/** Compares one object. An object that cannot be read or applied does not prevent the others from being compared. */
async function compareOne(
  run: ReconcileRun,
  { type, read }: Comparison,
  id: string,
  expectedEventAt: Date | undefined,
): Promise<void> {
  const { app } = run
  try {
    const snapshot = await fetchSnapshot(app, type, (client) => read(client, id).withResponse())
    await applySnapshot(app, snapshot, { id, expectedEventAt })
    run.hasFoundKnown ||= type === 'subscription.updated' && expectedEventAt !== undefined
    recordResult(run)
  } catch (error) {
    if (error instanceof ReconciliationPausedError) throw error
    // A 404 means that the provider does not know the object.
    const isUnknown = paymentProviderStatus(error) === 404
    if (isUnknown && type === 'subscription.updated' && expectedEventAt) run.unknown.push(id)
    await pauseIfKeyRejected(run, error)
    recordResult(run, isUnknown ? undefined : error)
    app.log.warn({ err: error, type, id }, 'failed to compare an object with the payment provider')
  }
}

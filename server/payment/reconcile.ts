import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { type PaymentSettings, callProvider, providerStatus, readList } from '../foundation/dodo.ts'
import { Refusal } from '../foundation/refusal.ts'
import { applySnapshot, fetchSnapshot } from './apply-snapshot.ts'
import { findPaymentStates, findSubscriptionTimes, findSubscriptionsToCompare, markCompared } from './compared.ts'
import { listProducts } from './products.ts'

/** Rows that are read at once. */
const batch = 200
/** A subscription is compared again after this time, in hours: one that the last night reached waits for the next one. */
const comparedHours = 20
/** Days back in which new subscriptions and payments are looked for. */
const lookbackDays = 30
const pageSize = 100
/** Maximum number of pages of one list. */
const maxPages = 500

/** Where an interrupted reconciliation goes on. */
export const ReconcileProgress = z
  .object({
    stage: z.enum(['subscriptions', 'newSubscriptions', 'payments']).default('subscriptions'),
    page: z.number().int().default(0),
  })
  .default({ stage: 'subscriptions', page: 0 })
type Progress = z.output<typeof ReconcileProgress>

const stages = ['subscriptions', 'newSubscriptions', 'payments'] as const

/**
 * Compares our rows with the provider's, every night: each subscription that may grant access, then subscriptions and payments
 * of the last 30 days that never arrived. If the provider does not answer or asks for a pause, the rest is left to a later
 * run, which goes on at the same place. Returns when and where to go on. Undefined if everything was compared.
 */
export async function reconcile(
  app: App,
  from: Progress = { stage: 'subscriptions', page: 0 },
): Promise<{ progress: Progress; afterSeconds: number } | undefined> {
  const { payments } = app.config
  if (!payments) return undefined
  // What products grant is renewed with them. Without an answer, what is stored stays.
  await listProducts(app).catch(() => [])
  let progress = from
  for (const stage of stages.slice(stages.indexOf(from.stage))) {
    progress = { stage, page: stage === from.stage ? from.page : 0 }
    const onPage = (page: number) => void (progress = { stage, page })
    try {
      if (stage === 'subscriptions') await compareSubscriptions(app)
      else if (stage === 'newSubscriptions') await compareNewSubscriptions(app, payments, progress.page, onPage)
      else await comparePayments(app, payments, progress.page, onPage)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const afterSeconds = pauseOf(error)
      const note = { err: error, ...progress }
      if (afterSeconds === undefined) app.log.warn(note, 'a list of the payment provider could not be compared')
      else app.log.warn(note, 'the reconciliation of payments is continued later')
      if (afterSeconds !== undefined) return { progress, afterSeconds }
    }
  }
  return undefined
}

/** Seconds to wait if the provider is away or asks for a pause. Undefined for an error about one object alone. */
function pauseOf(error: unknown): number | undefined {
  const isAway = error instanceof Refusal && error.key === 'PAYMENT_PROVIDER_IS_AWAY' && providerStatus(error) !== 500
  return isAway ? (error.retryAfterSeconds ?? defaultPauseSeconds) : undefined
}

const defaultPauseSeconds = 60

async function compareSubscriptions(app: App): Promise<void> {
  const before = new Date(app.clock().getTime() - comparedHours * 3_600_000)
  for (;;) {
    const rows = await findSubscriptionsToCompare(app.db, { before, now: app.clock(), limit: batch })
    for (const { subscriptionId, eventAt } of rows) {
      await compareOne(app, 'subscription', subscriptionId, eventAt)
      await markCompared(app.db, subscriptionId, app.clock())
    }
    if (rows.length < batch) return
  }
}

/** One object that cannot be read or applied does not keep the others from being compared. */
async function compareOne(app: App, kind: 'subscription' | 'payment', id: string, knownSince: Date | undefined) {
  try {
    const snapshot = await fetchSnapshot(app, `${kind}.updated`, (client) =>
      (kind === 'subscription' ? client.subscriptions.retrieve(id) : client.payments.retrieve(id)).withResponse(),
    )
    await applySnapshot(app, snapshot, { id, knownSince })
  } catch (error) {
    if (pauseOf(error) !== undefined) throw error
    app.log.warn({ err: error, kind, id }, 'an object of the payment provider could not be compared')
  }
}

const SubscriptionPage = z.object({ items: z.array(z.looseObject({ subscription_id: z.string().min(1).max(256) })) })

async function compareNewSubscriptions(
  app: App,
  settings: PaymentSettings,
  firstPage: number,
  onPage: (page: number) => void,
): Promise<void> {
  const created_at_gte = since(app)
  for (let page = firstPage; page < maxPages; page++) {
    onPage(page)
    const { items } = await callProvider(settings, SubscriptionPage, (client) =>
      readList(client.subscriptions.list({ created_at_gte, page_number: page, page_size: pageSize })),
    )
    const ids = items.map(({ subscription_id }) => subscription_id)
    const known = await findSubscriptionTimes(app.db, ids)
    for (const id of ids) if (!known.has(id)) await compareOne(app, 'subscription', id, undefined)
    if (items.length < pageSize) return
  }
}

const PaymentPage = z.object({
  items: z.array(z.looseObject({ payment_id: z.string().min(1).max(256), status: z.string().nullish().catch(null) })),
})

async function comparePayments(
  app: App,
  settings: PaymentSettings,
  firstPage: number,
  onPage: (page: number) => void,
): Promise<void> {
  const created_at_gte = since(app)
  for (let page = firstPage; page < maxPages; page++) {
    onPage(page)
    const { items } = await callProvider(settings, PaymentPage, (client) =>
      readList(client.payments.list({ created_at_gte, page_number: page, page_size: pageSize })),
    )
    const known = await findPaymentStates(
      app.db,
      items.map(({ payment_id }) => payment_id),
    )
    for (const { payment_id: id, status = null } of items) {
      const row = known.get(id)
      if (!row || row.status !== status) await compareOne(app, 'payment', id, row?.eventAt)
    }
    if (items.length < pageSize) return
  }
}

function since(app: App): string {
  return new Date(app.clock().getTime() - lookbackDays * 86_400_000).toISOString()
}

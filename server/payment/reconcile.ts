import type DodoPayments from 'dodopayments'
import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { callProvider, providerStatus, readList } from '../foundation/dodo.ts'
import { Refusal } from '../foundation/refusal.ts'
import { applySnapshot, fetchSnapshot, type Snapshot } from './apply-snapshot.ts'
import { type ComparedTable, findKnown, findSubscriptionsToCompare, markCompared } from './compared.ts'
import { listProducts } from './products.ts'

/** Rows that are read at once. */
const batch = 200
/** Hours after which a subscription is compared again: what the last night reached waits for the next one. */
const comparedHours = 20
/** Days back in which objects that never arrived are looked for. */
const lookbackDays = 30
const pageSize = 100
/** Maximum number of pages of one list. */
const maxPages = 500

/** The lists of the provider that are compared, after the subscriptions that we know. */
const lists = ['newSubscriptions', 'payments', 'refunds', 'disputes'] as const
const stages = ['subscriptions', ...lists] as const

/** Where an interrupted reconciliation goes on. */
export const ReconcileProgress = z.object({ stage: z.enum(stages), page: z.number().int().min(0) })
type Progress = z.output<typeof ReconcileProgress>

/**
 * Compares our rows with the provider's, every night: each subscription that may grant access, then subscriptions, payments,
 * refunds and disputes of the last 30 days that never arrived or have another state. If the provider does not answer or asks
 * for a pause, the rest is left to a later run, which goes on at the same place. Returns when and where. Undefined if
 * everything was compared.
 */
export async function reconcile(
  app: App,
  from: Progress = { stage: 'subscriptions', page: 0 },
): Promise<{ progress: Progress; afterSeconds: number } | undefined> {
  if (!app.config.payments) return undefined
  // What products grant is renewed with them. Without an answer, what is stored stays.
  await listProducts(app).catch(() => [])
  let progress = from
  for (const stage of stages.slice(stages.indexOf(from.stage))) {
    progress = { stage, page: stage === from.stage ? from.page : 0 }
    const onPage = (page: number) => void (progress = { stage, page })
    try {
      if (stage === 'subscriptions') await compareSubscriptions(app)
      else await compareList(app, comparisons[stage], progress.page, onPage)
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
      await compareOne(app, comparisons.newSubscriptions, subscriptionId, eventAt)
      await markCompared(app.db, subscriptionId, app.clock())
    }
    if (rows.length < batch) return
  }
}

type Comparison = {
  table: ComparedTable
  type: Snapshot['type']
  /** Names of the id and, where a change of it matters, of the status in the provider's list. */
  idName: string
  statusName?: string
  list: (client: DodoPayments, query: ListQuery) => { asResponse: () => Promise<Response> }
  read: (client: DodoPayments, id: string) => { withResponse: () => PromiseLike<unknown> }
}
type ListQuery = { created_at_gte: string; page_number: number; page_size: number }

const comparisons: Record<(typeof lists)[number], Comparison> = {
  // Those that we know are compared one by one.
  newSubscriptions: {
    table: 'Subscription',
    type: 'subscription.updated',
    idName: 'subscription_id',
    list: ({ subscriptions }, query) => subscriptions.list(query),
    read: ({ subscriptions }, id) => subscriptions.retrieve(id),
  },
  payments: {
    table: 'Payment',
    type: 'payment.updated',
    idName: 'payment_id',
    statusName: 'status',
    list: ({ payments }, query) => payments.list(query),
    read: ({ payments }, id) => payments.retrieve(id),
  },
  refunds: {
    table: 'Refund',
    type: 'refund.updated',
    idName: 'refund_id',
    statusName: 'status',
    list: ({ refunds }, query) => refunds.list(query),
    read: ({ refunds }, id) => refunds.retrieve(id),
  },
  disputes: {
    table: 'Dispute',
    type: 'dispute.updated',
    idName: 'dispute_id',
    statusName: 'dispute_status',
    list: ({ disputes }, query) => disputes.list(query),
    read: ({ disputes }, id) => disputes.retrieve(id),
  },
}

const ListPage = z.object({ items: z.array(z.record(z.string(), z.unknown())) })

async function compareList(
  app: App,
  comparison: Comparison,
  firstPage: number,
  onPage: (page: number) => void,
): Promise<void> {
  const { table, idName, statusName } = comparison
  const created_at_gte = new Date(app.clock().getTime() - lookbackDays * 86_400_000).toISOString()
  let former: string | undefined
  for (let page = firstPage; page < maxPages; page++) {
    onPage(page)
    const query = { created_at_gte, page_number: page, page_size: pageSize }
    const { items } = await callProvider(app.config.payments, ListPage, (client) =>
      readList(comparison.list(client, query)),
    )
    const listed = items.flatMap((item) => {
      const id = item[idName]
      const status = statusName === undefined ? undefined : item[statusName]
      return typeof id === 'string' && id.length <= 256 ? [{ id, status: status ?? null }] : []
    })
    const known = await findKnown(
      app.db,
      table,
      listed.map(({ id }) => id),
    )
    for (const { id, status } of listed) {
      const row = known.get(id)
      const isSame = row !== undefined && (statusName === undefined || row.status === status)
      if (!isSame) await compareOne(app, comparison, id, row?.eventAt)
    }
    const last = listed.at(-1)?.id
    // A provider that ignores the page number answers the same page for ever.
    if (items.length < pageSize || last === former) return
    former = last
  }
}

/** One object that cannot be read or applied does not keep the others from being compared. */
async function compareOne(app: App, { type, read }: Comparison, id: string, knownSince: Date | undefined) {
  try {
    const snapshot = await fetchSnapshot(app, type, (client) => read(client, id).withResponse())
    await applySnapshot(app, snapshot, { id, knownSince })
  } catch (error) {
    if (pauseOf(error) !== undefined) throw error
    app.log.warn({ err: error, type, id }, 'an object of the payment provider could not be compared')
  }
}

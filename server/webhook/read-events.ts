import type { z } from 'zod'
import type { ListPublishedEvents, WebhookBody } from '../../shared/webhook.ts'
import type { App } from '../dependencies.ts'
import type { Db } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { eventsAfter, isEventListUsed, assignSequence, sequenceOf } from './event-sequence.ts'

/** Events numbered in one statement. */
const batchSize = 2_000
/** Milliseconds that a call, and a run of the job, may spend numbering events. */
const budgetMs = { call: 2_000, job: 30_000 }

/**
 * The events after a given one, in causal order. Only committed events are numbered, by one reader at a
 * time: an event that commits later gets a higher number, so that a reader who follows the numbers misses none.
 */
export async function readEvents(
  ctx: Context,
  { after, limit }: z.output<typeof ListPublishedEvents>,
): Promise<WebhookBody[]> {
  for (const end = performance.now() + budgetMs.call; performance.now() < end;) {
    const page = await readPage(ctx.db, { after, limit })
    if (page?.length === limit) return page
    if ((await assignSomeSequences(ctx)) > 0) continue
    // Another reader may have assigned the numbers meanwhile.
    const last = await readPage(ctx.db, { after, limit })
    if (last) return last
  }
  // The first reader after a long time. The job continues the numbering.
  refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 10 })
}

/** Numbers events in advance once there has been a reader. Installations without a reader save the writes. */
export async function assignEventSequences(app: App): Promise<void> {
  if (!(await isEventListUsed(app.db))) return
  const end = performance.now() + budgetMs.job
  while (performance.now() < end) if ((await assignSomeSequences(app)) < batchSize) return
}

/** The numbered events after a given one. Undefined if that one has no number yet. */
async function readPage(
  db: Db,
  { after, limit }: z.output<typeof ListPublishedEvents>,
): Promise<WebhookBody[] | undefined> {
  const from = after === undefined ? 0n : await sequenceOf(db, after)
  if (from === undefined) refuse('EVENT_NOT_FOUND')
  return from === null ? undefined : eventsAfter(db, from, limit)
}

async function assignSomeSequences(app: Pick<App, 'db'>): Promise<number> {
  return transaction(app, (tx) => assignSequence(tx, batchSize))
}

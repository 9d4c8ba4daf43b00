import type { z } from 'zod'
import type { ReplayEvents, WebhookBody } from '../../shared/webhook.ts'
import type { App } from '../dependencies.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { type SentEvent, webhookBody } from './body.ts'

/** Events numbered in one statement. */
const batchSize = 2_000
/** Milliseconds that a call, and a run of the job, may spend numbering events. */
const budgetMs = { call: 2_000, job: 30_000 }

/**
 * The events after a given one, in the order of their causes. Only committed events are numbered, by one reader at a
 * time: an event that commits later gets a higher number, so that a reader who follows the numbers misses none.
 */
export async function readEvents(
  ctx: Context,
  { after, limit }: z.output<typeof ReplayEvents>,
): Promise<WebhookBody[]> {
  for (const end = performance.now() + budgetMs.call; performance.now() < end;) {
    const page = await readPage(ctx.db, { after, limit })
    if (page?.length === limit) return page
    if ((await numberEvents(ctx)) > 0) continue
    // Another reader may have assigned the numbers meanwhile.
    const last = await readPage(ctx.db, { after, limit })
    if (last) return last
  }
  // The first reader after a long time. The job continues the numbering.
  refuse('SERVICE_UNAVAILABLE', { retryAfterSeconds: 10 })
}

/** Numbers events in advance once there has been a reader. Installations without a reader save the writes. */
export async function numberAhead(app: App): Promise<void> {
  const [{ isRead } = { isRead: false }] = await app.db.$queryRaw<{ isRead: boolean }[]>`
    select exists (select from "Event" where sequence is not null) as "isRead"`
  if (!isRead) return
  const end = performance.now() + budgetMs.job
  while (performance.now() < end) if ((await numberEvents(app)) < batchSize) return
}

/** The numbered events after a given one. Undefined if that one has no number yet. */
async function readPage(tx: Tx, { after, limit }: z.output<typeof ReplayEvents>): Promise<WebhookBody[] | undefined> {
  const from = after === undefined ? 0n : await sequenceOf(tx, after)
  if (from === undefined) refuse('EVENT_NOT_FOUND')
  return from === null ? undefined : eventsAfter(tx, from, limit)
}

/** The number of an event. Null if it has none yet, undefined if the event does not exist. */
async function sequenceOf(tx: Tx, id: string): Promise<bigint | null | undefined> {
  const [found] = await tx.$queryRaw<{ sequence: bigint | null }[]>`select sequence from "Event" where id = ${id}`
  return found?.sequence
}

async function eventsAfter(tx: Tx, sequence: bigint, limit: number): Promise<WebhookBody[]> {
  const rows = await tx.$queryRaw<(SentEvent & { at: Date })[]>`
    select id, type, "actorId", "subjectId", "organizationId", data, at from "Event"
    where sequence > ${sequence} order by sequence limit ${limit}`
  return rows.map(({ at, ...event }) => webhookBody(event, at))
}

/** Numbers committed events in the order in which they were recorded. Returns how many there were. */
async function numberEvents(ctx: Pick<App, 'db'>): Promise<number> {
  return transaction(ctx, async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('Event.sequence'))`
    return tx.$executeRaw`
      update "Event" e set sequence = f.last + f.place from (
        select id, row_number() over (order by position nulls first, id) as place,
          (select coalesce(max(sequence), 0) from "Event") as last
        from (
          select id, position from "Event" where sequence is null order by position nulls first, id limit ${batchSize}) n) f
      where e.id = f.id`
  })
}

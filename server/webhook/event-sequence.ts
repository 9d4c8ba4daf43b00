import type { WebhookBody } from '../../shared/webhook.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { type SentEvent, webhookBody } from './body.ts'

/** Whether the list of events has ever been read. */
export async function isEventListUsed(db: Db): Promise<boolean> {
  const [found] = await db.$queryRaw<{ isRead: boolean }[]>`
    select exists (select from "Event" where sequence is not null) as "isRead"`
  return found?.isRead ?? false
}

/** The number of an event. Null if it has none yet, undefined if the event does not exist. */
export async function sequenceOf(db: Db, id: string): Promise<bigint | null | undefined> {
  const [found] = await db.$queryRaw<{ sequence: bigint | null }[]>`select sequence from "Event" where id = ${id}`
  return found?.sequence
}

/** Bodies of events whose number is larger, in the order of their numbers. */
export async function eventsAfter(db: Db, sequence: bigint, limit: number): Promise<WebhookBody[]> {
  const rows = await db.$queryRaw<(SentEvent & { at: Date })[]>`
    select id, type, "actorId", "subjectId", "organizationId", data, at from "Event"
    where sequence > ${sequence} order by sequence limit ${limit}`
  return rows.map(({ at, ...event }) => webhookBody(event, at))
}

/**
 * Numbers committed events in the order in which they were recorded. Returns how many there were. Others who number
 * wait for the end of the transaction.
 */
export async function assignSequence(tx: Tx, limit: number): Promise<number> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('Event.sequence'))`
  return tx.$executeRaw`
    update "Event" e set sequence = f.last + f.place from (
      select id, row_number() over (order by position nulls first, id) as place,
        (select coalesce(max(sequence), 0) from "Event") as last
      from (
        select id, position from "Event" where sequence is null order by position nulls first, id limit ${limit}) n) f
    where e.id = f.id`
}

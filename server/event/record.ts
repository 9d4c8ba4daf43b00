import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { networksOf } from '../foundation/address.ts'
import type { Limiter } from '../foundation/limits.ts'
import type { EventData, EventType } from '../../shared/event.ts'
import { onCommit, type Sql, type Tx } from '../foundation/database.ts'
import type { Log } from '../foundation/log.ts'

/** Where an event comes from: the request, or an empty text for each where there is none. */
export type Origin = { now: Date; ipAddress: string; userAgent: string; requestId: string; log: Log }

type Of<Type extends EventType> = {
  type: Type
  data: EventData<Type>
  /** Left out where nobody known did it. */
  actorId?: string | null | undefined
  /** Left out where the actor is the one it is about. */
  subjectId?: string | null | undefined
  organizationId?: string | null | undefined
}

/** Something that happened, by its type and the fields of that type. */
export type NewEvent = { [Type in EventType]: Of<Type> }[EventType]

/** The columns of an event, in the order of `recordText`. */
export type EventParameters = [
  ...[id: string, type: string, actorId: string | null, subjectId: string | null, organizationId: string | null],
  ...[at: Date, ipAddress: string, userAgent: string, requestId: string, data: string],
]

/** Writes an event in the transaction of its cause; the log line follows when the transaction has committed. */
export async function record(tx: Tx, origin: Origin, event: NewEvent): Promise<void> {
  await tx.$executeRawUnsafe(insertText, ...eventParameters(origin, event))
  onCommit(tx, () => logEvent(origin, event))
}

/** Several events of one transaction, in one statement. */
export async function recordAll(tx: Tx, origin: Origin, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  // Not by createMany, whose plan Prisma makes anew: accepting an invitation cost 5.9 instead of 4.6 ms of CPU with it.
  const rows = events.map((event) => eventParameters(origin, event))
  await tx.$executeRawUnsafe(`${insertInto} values ${rows.map((_, n) => row(n * 10 + 1)).join(', ')}`, ...rows.flat())
  onCommit(tx, () => {
    for (const event of events) logEvent(origin, event)
  })
}

/** The same on a connection of the pool, for transactions without Prisma; the caller logs when it has committed. */
export async function recordWith(sql: Pick<Sql, 'query'>, origin: Origin, event: NewEvent): Promise<void> {
  await sql.query({ name: 'events.record', text: insertText, values: eventParameters(origin, event) })
}

/** Events that a stranger can cause at will: of one type about one subject so many a minute are kept, and the log has all. */
const maxPerMinute = 20
/** And of one type in all, no matter who causes them. */
const maxPerMinuteOfAll = 200

/**
 * Records a refusal, outside of a transaction. It never fails: the caller is about to be refused anyway, and a database that
 * is away must not change the answer.
 */
export async function recordLimited(ctx: Origin & { pool: Pool; limiter: Limiter }, event: NewEvent): Promise<void> {
  const [narrow, wide = narrow] = networksOf(ctx.ipAddress)
  const about = event.subjectId ?? event.actorId ?? wide
  const own = { key: `event:${event.type}:${about}`, max: maxPerMinute, seconds: 60 }
  const all = { key: `event:${event.type}`, max: maxPerMinuteOfAll, seconds: 60 }
  const isFlood = ctx.limiter.consumeHere(own, ctx.now) > 0 || ctx.limiter.consumeHere(all, ctx.now) > 0
  if (isFlood) {
    logEvent(ctx, event)
    return
  }
  logEvent(ctx, event)
  await recordWith(ctx.pool, ctx, event).catch((error: unknown) => {
    ctx.log.warn({ err: error, type: event.type, requestId: ctx.requestId }, 'event not recorded')
  })
}

/** An event as parameters of a statement that has `recordText` as a part of it. */
export function eventParameters(origin: Origin, event: NewEvent): EventParameters {
  const { type, data, actorId = null, subjectId = actorId, organizationId = null } = event
  const { now, ipAddress, userAgent, requestId } = origin
  const about: [string | null, string | null, string | null] = [actorId, subjectId, organizationId]
  return [newEventId(now), type, ...about, now, ipAddress, userAgent, requestId, JSON.stringify(data)]
}

/**
 * The insertion as a part of a larger statement, so that it costs no round trip of its own: `source` is a part that has one
 * row when the event happened and none when it did not. `first` is the number of the first of ten parameters;
 * `dataOf` may add to the data, and `user` name actor and subject, as only the statement knows them.
 */
export function recordText(
  first: number,
  source: string,
  dataOf: (place: string) => string = (place) => place,
  user?: string,
): string {
  const [id, type, actor, subject, organization, at, address, agent, request, data] = places(first)
  return `event as (
    insert into "Event" (id, type, "actorId", "subjectId", "organizationId", at, "ipAddress", "userAgent", "requestId", data)
    select ${id}, ${type}, coalesce(${actor}, ${user ?? 'null'}), coalesce(${subject}, ${user ?? 'null'}), ${organization}, ${at}::timestamptz, ${address}, ${agent}, ${request}, ${dataOf(`${data}::jsonb`)}
    from ${source})`
}

/** One line of the log for an event (SEC-90); the fields of its data follow under `data`. */
export function logEvent({ requestId, ipAddress, log }: Origin, { type, actorId, subjectId, ...more }: NewEvent): void {
  const { organizationId, data } = more
  log.info({ requestId, ipAddress, userId: subjectId ?? actorId, actorId, organizationId, data }, type)
}

const insertInto = `
  insert into "Event" (id, type, "actorId", "subjectId", "organizationId", at, "ipAddress", "userAgent", "requestId", data)`

const insertText = `${insertInto} values ${row(1)}`

/** The parameters of one event from number `first` on, as a row of values. */
function row(first: number): string {
  const [id, type, actor, subject, organization, at, ...more] = places(first)
  const data = more.pop()
  return `(${[id, type, actor, subject, organization, `${at}::timestamptz`, ...more, `${data}::jsonb`].join(', ')})`
}

function places(first: number): string[] {
  return Array.from({ length: 10 }, (_, n) => `$${first + n}`)
}

let lastMs = 0
let sequence = 0

/** A UUID of version 7 (RFC 9562, 6.2 method 1): the ids of one process ascend, also within one millisecond. */
export function newEventId(now: Date): string {
  // The clocks of two requests may interleave: the order of the ids is the order of recording.
  const ms = Math.max(now.getTime(), lastMs)
  sequence = ms === lastMs ? sequence + 1 : 0
  lastMs = ms
  const time = ms.toString(16).padStart(12, '0')
  const random = randomBytes(8)
  // The variant of RFC 9562: the two highest bits are 10.
  random[0] = (random.readUInt8(0) & 0x3f) | 0x80
  const rest = random.toString('hex')
  const counter = (sequence & 0xfff).toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

/** The smallest id that an event of this time can have: for sweeping by time. */
export function firstEventId(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

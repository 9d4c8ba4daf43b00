import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { networksOf } from '../foundation/address.ts'
import type { Limiter } from '../foundation/limits.ts'
import type { EventData, EventType } from '../../shared/event.ts'
import { onCommit, type Sql, type Tx } from '../foundation/database.ts'
import type { Log } from '../foundation/log.ts'

/** The request that caused an event. Fields are empty strings if there was no request. */
export type Origin = {
  now: Date
  ipAddress: string
  userAgent: string
  requestId: string
  log: Log
  /** The administrator who acts as the caller. Kept in the data of each event, so that both are named (SEC-127). */
  impersonatorId?: string | undefined
}

type Of<Type extends EventType> = {
  type: Type
  data: EventData<Type>
  /** Omitted if the actor is unknown. */
  actorId?: string | null | undefined
  /** Omitted if the actor is also the subject. */
  subjectId?: string | null | undefined
  organizationId?: string | null | undefined
}

/** A new event: its type and the fields of that type. */
export type NewEvent = { [Type in EventType]: Of<Type> }[EventType]

/** Column values of an event, in the order of `recordText`. */
export type EventParameters = [
  ...[id: string, type: string, actorId: string | null, subjectId: string | null, organizationId: string | null],
  ...[at: Date, ipAddress: string, userAgent: string, requestId: string, data: string],
]

/** Records an event in the given transaction, and returns its id. It is logged after the commit. */
export async function record(tx: Tx, origin: Origin, event: NewEvent): Promise<string> {
  const parameters = eventParameters(origin, event)
  await tx.$executeRawUnsafe(insertText, ...parameters)
  onCommit(tx, () => logEvent(origin, event))
  return parameters[0]
}

/** Records several events of one transaction in one statement. */
export async function recordAll(tx: Tx, origin: Origin, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  // Prisma rebuilds the plan of createMany each time: accepting an invitation took 5.9 instead of 4.6 ms of CPU.
  const rows = events.map((event) => eventParameters(origin, event))
  await tx.$executeRawUnsafe(`${insertInto} values ${rows.map((_, n) => row(n * 10 + 1)).join(', ')}`, ...rows.flat())
  onCommit(tx, () => {
    for (const event of events) logEvent(origin, event)
  })
}

/** Like `record`, for pg transactions without Prisma. The caller logs the event after the commit. */
export async function recordWith(sql: Pick<Sql, 'query'>, origin: Origin, event: NewEvent): Promise<void> {
  await sql.query({ name: 'events.record', text: insertText, values: eventParameters(origin, event) })
}

/** Maximum events per minute of one type about one subject, if unauthenticated clients can cause them. All are logged. */
const maxPerMinute = 20
/** Maximum events per minute of one type, about all subjects. */
const maxPerMinuteOfAll = 200

/**
 * Records a rate-limited event outside a transaction. It never throws: the caller is about to be refused anyway, and an
 * unavailable database must not change the response.
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

/**
 * The insert of `count` events as part of a larger statement. `first` is the number of the first parameter, ten for
 * each event.
 */
export function recordAllText(first: number, count: number): string {
  const rows = Array.from({ length: count }, (_, n) => row(first + n * 10))
  return `events as (${insertInto} values ${rows.join(', ')})`
}

/** Parameters of an event for a statement that contains `recordText`. */
export function eventParameters(origin: Origin, event: NewEvent): EventParameters {
  const { type, data, actorId = null, subjectId = actorId, organizationId = null } = event
  const { now, ipAddress, userAgent, requestId } = origin
  const about: [string | null, string | null, string | null] = [actorId, subjectId, organizationId]
  const text = JSON.stringify(dataOf(origin, data))
  return [newEventId(now), type, ...about, now, ipAddress, userAgent, requestId, text]
}

/**
 * The insert as part of a larger statement, which saves a round trip. `source` is a CTE that returns one
 * row if the event happened and none otherwise. `first` is the number of the first of ten parameters.
 * `dataOf` can extend the data, and `user` can set actor and subject if only the statement knows them.
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

function dataOf({ impersonatorId }: Origin, data: NewEvent['data']): object {
  return impersonatorId === undefined ? data : { ...data, impersonatorId }
}

/** Writes the log line of an event (SEC-90), with its data under `data`. */
export function logEvent(origin: Origin, { type, actorId, subjectId, ...more }: NewEvent): void {
  const { requestId, ipAddress, log } = origin
  const { organizationId } = more
  const data = dataOf(origin, more.data)
  log.info({ requestId, ipAddress, userId: subjectId ?? actorId, actorId, organizationId, data }, type)
}

const insertInto = `
  insert into "Event" (id, type, "actorId", "subjectId", "organizationId", at, "ipAddress", "userAgent", "requestId", data)`

const insertText = `${insertInto} values ${row(1)}`

/** The placeholders of one event as a row of values, starting at number `first`. */
function row(first: number): string {
  const [id, type, actor, subject, organization, at, ...more] = places(first)
  const data = more.pop()
  return `(${[id, type, actor, subject, organization, `${at}::timestamptz`, ...more, `${data}::jsonb`].join(', ')})`
}

function places(first: number): string[] {
  return Array.from({ length: 10 }, (_, n) => `$${first + n}`)
}

/** The counter has twelve bits. */
const maxSequence = 0xfff

let lastMs = 0
let sequence = 0

/** A UUIDv7 (RFC 9562, 6.2 method 1). Ids of one process are ascending, even within one millisecond. */
export function newEventId(now: Date): string {
  // Requests may record out of order of their `now`: ids follow the order of recording.
  const isNext = now.getTime() > lastMs
  sequence = isNext ? 0 : (sequence + 1) & maxSequence
  // An exhausted counter continues in the next millisecond.
  lastMs = isNext ? now.getTime() : lastMs + (sequence === 0 ? 1 : 0)
  const ms = lastMs
  const time = ms.toString(16).padStart(12, '0')
  const random = randomBytes(8)
  // RFC 9562 variant: the two highest bits are 10.
  random[0] = (random.readUInt8(0) & 0x3f) | 0x80
  const rest = random.toString('hex')
  const counter = sequence.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${rest.slice(0, 4)}-${rest.slice(4)}`
}

/** The smallest possible event id for this time, used to delete events by age. */
export function firstEventId(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

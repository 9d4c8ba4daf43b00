import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import type { EventData, EventType } from '../../shared/event.ts'
import { networksOf } from '../foundation/address.ts'
import type { Tx } from '../foundation/database.ts'
import type { Limiter } from '../foundation/limits.ts'
import type { Log } from '../foundation/log.ts'
import { statement } from '../foundation/statement.ts'
import { onCommit, type Sql } from '../foundation/transactions.ts'

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

/** The origin of an event that no request caused: a job, or a command, whose name is given as the user agent. */
export function originWithoutRequest({ clock, log }: { clock: () => Date; log: Log }, userAgent = ''): Origin {
  return { now: clock(), ipAddress: '', userAgent, requestId: '', log }
}

type EventOf<Type extends EventType> = {
  type: Type
  data: EventData<Type>
  /** Omitted if the actor is unknown. */
  actorId?: string | null | undefined
  /** Omitted if the actor is also the subject. */
  subjectId?: string | null | undefined
  organizationId?: string | null | undefined
}

/** A new event: its type and the fields of that type. */
export type NewEvent = { [Type in EventType]: EventOf<Type> }[EventType]

/** The values of an event's columns, as parameters whose names start with a prefix. */
export type EventParameters = Record<string, string | Date | null>

/** Records an event in the given transaction, and returns its id. It is logged after the commit. */
export async function record(tx: Tx, origin: Origin, event: NewEvent): Promise<string> {
  const id = newEventId(origin.now)
  const { text, values } = insertOne(eventParameters(origin, event, { id }))
  await tx.$executeRawUnsafe(text, ...values)
  onCommit(tx, () => logEvent(origin, event))
  return id
}

/** Records several events of one transaction in one statement. */
export async function recordAll(tx: Tx, origin: Origin, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  // Prisma rebuilds the plan of createMany each time: accepting an invitation took 5.9 instead of 4.6 ms of CPU.
  const prefixes = events.map((_, n) => `event${n}`)
  const parameters = events.map((event, n) => eventParameters(origin, event, { prefix: prefixes[n] }))
  // Prisma names the statement itself.
  const insert = statement('', `${insertInto} values ${prefixes.map(row).join(', ')}`)
  const { text, values } = insert(Object.assign({}, ...parameters))
  await tx.$executeRawUnsafe(text, ...values)
  onCommit(tx, () => {
    for (const event of events) logEvent(origin, event)
  })
}

/** Like `record`, for pg transactions without Prisma. The caller logs the event after the commit. */
export async function recordWith(sql: Pick<Sql, 'query'>, origin: Origin, event: NewEvent): Promise<void> {
  await sql.query(insertOne(eventParameters(origin, event)))
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
  const isFlood = ctx.limiter.consumeInMemory(own, ctx.now) > 0 || ctx.limiter.consumeInMemory(all, ctx.now) > 0
  logEvent(ctx, event)
  if (isFlood) return
  await recordWith(ctx.pool, ctx, event).catch((error: unknown) => {
    ctx.log.warn({ err: error, type: event.type, requestId: ctx.requestId }, 'event not recorded')
  })
}

/** The insert of several events as part of a larger statement. Each has a prefix for the names of its parameters. */
export function recordAllText(prefixes: readonly string[]): string {
  return `events as (${insertInto} values ${prefixes.map(row).join(', ')})`
}

/** Parameters of an event for a statement that contains `recordText`, or `recordAllText` with this prefix. */
export function eventParameters(
  origin: Origin,
  event: NewEvent,
  { prefix = 'event', id = newEventId(origin.now) }: { prefix?: string | undefined; id?: string } = {},
): EventParameters {
  const { type, data, actorId = null, subjectId = actorId, organizationId = null } = event
  const { now, ipAddress, userAgent, requestId } = origin
  const columns = {
    Id: id,
    Type: type,
    ActorId: actorId,
    SubjectId: subjectId,
    OrganizationId: organizationId,
    At: now,
    IpAddress: ipAddress,
    UserAgent: userAgent,
    RequestId: requestId,
    Data: JSON.stringify(dataOf(origin, data)),
  }
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [`${prefix}${name}`, value]))
}

/**
 * The insert as part of a larger statement, which saves a round trip. `from` is a CTE that returns one row if the event
 * happened and none otherwise. `data` is SQL for what is added to the data, and `user` for actor and subject, if only
 * the statement knows them.
 */
export function recordText({ from, data, user = 'null' }: { from: string; data?: string; user?: string }): string {
  return `event as (
    ${insertInto}
    select :eventId, :eventType, coalesce(:eventActorId, ${user}), coalesce(:eventSubjectId, ${user}), :eventOrganizationId,
      :eventAt::timestamptz, :eventIpAddress, :eventUserAgent, :eventRequestId, :eventData::jsonb${data === undefined ? '' : ` || ${data}`}
    from ${from})`
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

/** The parameters of one event as a row of values. */
function row(prefix: string): string {
  const names = ['Id', 'Type', 'ActorId', 'SubjectId', 'OrganizationId', 'At::timestamptz', 'IpAddress', 'UserAgent']
  return `(${[...names, 'RequestId', 'Data::jsonb'].map((name) => `:${prefix}${name}`).join(', ')})`
}

const insertOne = statement('events.record', `${insertInto} values ${row('event')}`)

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

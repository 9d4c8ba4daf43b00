import type { EventData, EventType } from '../../shared/event.ts'
import type { Tx } from '../foundation/database.ts'
import type { Log } from '../foundation/log.ts'
import type { Metrics } from '../foundation/metrics.ts'
import { statement } from '../foundation/statement.ts'
import { newEventId } from './event-ids.ts'

/** The request that caused an event. Fields are empty strings if there was no request. */
export type Origin = {
  now: Date
  ipAddress: string
  userAgent: string
  requestId: string
  log: Log
  /** Counts the events, if METRICS_PORT is set. */
  metrics?: Metrics | undefined
  /** The administrator who acts as the caller. Kept in the data of each event, so that both are named (SEC-127). */
  impersonatorId?: string | undefined
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

/** The data of an event, with the administrator who acted as the caller. */
export function dataOf({ impersonatorId }: Origin, data: NewEvent['data']): object {
  return impersonatorId === undefined ? data : { ...data, impersonatorId }
}

const insertInto = `
  insert into "Event" (id, type, "actorId", "subjectId", "organizationId", at, "ipAddress", "userAgent", "requestId", data)`

/** The parameters of one event as a row of values. */
function row(prefix: string): string {
  const names = ['Id', 'Type', 'ActorId', 'SubjectId', 'OrganizationId', 'At::timestamptz', 'IpAddress', 'UserAgent']
  return `(${[...names, 'RequestId', 'Data::jsonb'].map((name) => `:${prefix}${name}`).join(', ')})`
}

/** Inserts one event. */
export const insertOne = statement('events.record', `${insertInto} values ${row('event')}`)

/** Inserts an event, for transactions with Prisma. */
export async function insertEvent(tx: Tx, parameters: EventParameters): Promise<void> {
  const { text, values } = insertOne(parameters)
  await tx.$executeRawUnsafe(text, ...values)
}

/**
 * Inserts several events in one statement. Prisma rebuilds the plan of createMany each time: accepting an invitation took 5.9
 * instead of 4.6 ms of CPU.
 */
export async function insertEvents(tx: Tx, origin: Origin, events: readonly NewEvent[]): Promise<void> {
  const prefixes = events.map((_, n) => `event${n}`)
  const parameters = events.map((event, n) => eventParameters(origin, event, { prefix: prefixes[n] }))
  // Prisma names the statement itself.
  const insert = statement('', `${insertInto} values ${prefixes.map(row).join(', ')}`)
  const { text, values } = insert(Object.assign({}, ...parameters))
  await tx.$executeRawUnsafe(text, ...values)
}

import type { EventData, EventType } from '../../shared/event.ts'
import type { Db, Tx } from '../foundation/database.ts'
import type { Log } from '../foundation/log.ts'
import type { Metrics } from '../foundation/metrics.ts'
import { statement } from '../foundation/statement.ts'
import { newEventId } from './event-ids.ts'

/** The request that caused an event. Fields are empty strings if there was no request. */
export type EventOrigin = {
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

/** The values of an event's columns. */
export type EventParameters = {
  id: string
  type: EventType
  actorId: string | null
  subjectId: string | null
  organizationId: string | null
  at: Date
  ipAddress: string
  userAgent: string
  requestId: string
  /** JSON. */
  data: string
}

/** The insert of several events as part of a larger statement. Each event is the parameter with one of these names. */
export function recordAllSql(names: readonly string[]): string {
  return `events as (${insertInto} values ${names.map(row).join(', ')})`
}

/**
 * The value of the parameter `event` of a statement with `recordSql`, or of one of the parameters of `recordAllSql`.
 */
export function eventParameters(origin: EventOrigin, event: NewEvent, id = newEventId(origin.now)): EventParameters {
  const { type, data, actorId = null, subjectId = actorId, organizationId = null } = event
  const { now, ipAddress, userAgent, requestId } = origin
  const text = JSON.stringify(dataOf(origin, data))
  return { id, type, actorId, subjectId, organizationId, at: now, ipAddress, userAgent, requestId, data: text }
}

/**
 * The insert as part of a larger statement, which saves a round trip. `from` is a CTE that returns one row if the event
 * happened and none otherwise. `data` is SQL for what is added to the data, and `user` for actor and subject, if only
 * the statement knows them.
 */
export function recordSql({ from, data, user = 'null' }: { from: string; data?: string; user?: string }): string {
  return `event as (
    ${insertInto}
    select :event.id, :event.type, coalesce(:event.actorId, ${user}), coalesce(:event.subjectId, ${user}),
      :event.organizationId, :event.at::timestamptz, :event.ipAddress, :event.userAgent, :event.requestId,
      :event.data::jsonb${data === undefined ? '' : ` || ${data}`}
    from ${from})`
}

/** The data of an event, with the administrator who acted as the caller. */
export function dataOf({ impersonatorId }: EventOrigin, data: NewEvent['data']): object {
  return impersonatorId === undefined ? data : { ...data, impersonatorId }
}

const insertInto = `
  insert into "Event" (id, type, "actorId", "subjectId", "organizationId", at, "ipAddress", "userAgent", "requestId", data)`

/** A row of values: the columns of the event in this parameter. */
function row(parameter: string): string {
  const columns = ['id', 'type', 'actorId', 'subjectId', 'organizationId', 'at::timestamptz', 'ipAddress', 'userAgent']
  return `(${[...columns, 'requestId', 'data::jsonb'].map((column) => `:${parameter}.${column}`).join(', ')})`
}

/** Inserts one event. */
export const insertOne = statement('events.record', `${insertInto} values ${row('event')}`)

/** Inserts an event with Prisma, inside its transactions or outside. */
export async function insertEvent(db: Db, event: EventParameters): Promise<void> {
  const { text, values } = insertOne({ event })
  await db.$executeRawUnsafe(text, ...values)
}

/**
 * Inserts several events in one statement. Prisma rebuilds the plan of createMany each time: accepting an invitation
 * took 5.9 instead of 4.6 ms of CPU.
 */
export async function insertEvents(tx: Tx, origin: EventOrigin, events: readonly NewEvent[]): Promise<void> {
  const named = events.map((event, n) => [`event${n}`, eventParameters(origin, event)] as const)
  // Prisma names the statement itself.
  const insert = statement('', `${insertInto} values ${named.map(([name]) => row(name)).join(', ')}`)
  const { text, values } = insert(Object.fromEntries(named))
  await tx.$executeRawUnsafe(text, ...values)
}

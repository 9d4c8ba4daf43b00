import type { Pool } from 'pg'
import type { Db, Tx } from '../foundation/database.ts'
import { networksOf } from '../foundation/ip-address.ts'
import type { Limiter } from '../foundation/limits.ts'
import { onCommit, type PgTransaction } from '../foundation/transactions.ts'
import { newEventId } from './event-ids.ts'
import {
  dataOf,
  eventParameters,
  insertEvent,
  insertEvents,
  insertOne,
  type NewEvent,
  type EventOrigin,
} from './event-rows.ts'

/** The origin of an event that no request caused: a job, or a command, whose name is given as the user agent. */
export function originWithoutRequest(
  { clock, log, metrics }: { clock: () => Date } & Pick<EventOrigin, 'log' | 'metrics'>,
  userAgent = '',
): EventOrigin {
  return { now: clock(), ipAddress: '', userAgent, requestId: '', log, metrics }
}

/** Records an event, and returns its id. Inside a transaction, it is logged after the commit. */
export async function record(db: Db, origin: EventOrigin, event: NewEvent): Promise<string> {
  const id = newEventId(origin.now)
  await insertEvent(db, eventParameters(origin, event, id))
  onCommit(db, () => logEvent(origin, event))
  return id
}

/** Records several events of one transaction in one statement. */
export async function recordAll(tx: Tx, origin: EventOrigin, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertEvents(tx, origin, events)
  onCommit(tx, () => {
    for (const event of events) logEvent(origin, event)
  })
}

/** Like `record`, for pg transactions without Prisma. The caller logs the event after the commit. */
export async function recordWith(
  sql: Pick<PgTransaction, 'query'>,
  origin: EventOrigin,
  event: NewEvent,
): Promise<void> {
  await sql.query(insertOne({ event: eventParameters(origin, event) }))
}

/**
 * Maximum events per minute of one type about one subject, if unauthenticated clients can cause them. All are logged.
 */
const maxPerMinute = 20
/** Maximum events per minute of one type, about all subjects. */
const maxPerMinuteOfAll = 200

/**
 * Records a rate-limited event outside a transaction. It never throws: the caller is about to be refused anyway, and an
 * unavailable database must not change the response.
 */
export async function recordLimited(
  ctx: EventOrigin & { pool: Pool; limiter: Limiter },
  event: NewEvent,
): Promise<void> {
  const [subnet, site = subnet] = networksOf(ctx.ipAddress)
  const about = event.subjectId ?? event.actorId ?? site
  const own = { key: `event:${event.type}:${about}`, max: maxPerMinute, seconds: 60 }
  const all = { key: `event:${event.type}`, max: maxPerMinuteOfAll, seconds: 60 }
  const isFlood = ctx.limiter.consumeInMemory(own, ctx.now) > 0 || ctx.limiter.consumeInMemory(all, ctx.now) > 0
  logEvent(ctx, event)
  if (isFlood) return
  await recordWith(ctx.pool, ctx, event).catch((error: unknown) => {
    ctx.log.warn({ err: error, type: event.type, requestId: ctx.requestId }, 'failed to record an event')
  })
}

/** Counts an event, and writes its log line (SEC-90), with its data under `data`. */
export function logEvent(origin: EventOrigin, { type, actorId, subjectId, ...more }: NewEvent): void {
  const { requestId, ipAddress, log, metrics } = origin
  metrics?.event(type)
  const { organizationId } = more
  const data = dataOf(origin, more.data)
  log.info({ requestId, ipAddress, userId: subjectId ?? actorId, actorId, organizationId, data }, type)
}

import type { z } from 'zod'
import type { WebhookDelivery, WebhookEndpoint } from '../../prisma/client/client.ts'
import { Delivery, type DeliveryDetails, type ListDeliveries } from '../../shared/webhook.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { type SentEvent, webhookBody } from './body.ts'

/** A delivery as administrators see it. */
export function toDelivery(row: WebhookDelivery): z.output<typeof Delivery> {
  const { deliveredAt, ...delivery } = row
  const status = row.nextTryAt !== null ? 'pending' : deliveredAt === null ? 'failed' : 'delivered'
  return Delivery.parse({ ...delivery, status })
}

const ofStatus = {
  pending: { nextTryAt: { not: null } },
  delivered: { nextTryAt: null, deliveredAt: { not: null } },
  failed: { nextTryAt: null, deliveredAt: null },
}

/** Lists deliveries of an endpoint, newest first. */
export async function listDeliveries(
  db: Db,
  { endpointId, status, cursor, limit }: z.output<typeof ListDeliveries>,
): Promise<WebhookDelivery[]> {
  const id = cursor === undefined ? {} : { id: { lt: cursor } }
  const where = { endpointId, ...id, ...(status && ofStatus[status]) }
  return db.webhookDelivery.findMany({ where, orderBy: { id: 'desc' }, take: limit })
}

export async function findDeliveryRow(db: Db, id: string): Promise<WebhookDelivery | null> {
  return db.webhookDelivery.findUnique({ where: { id } })
}

/** A delivery with the body of its event. */
export async function findDelivery(db: Db, deliveryId: string): Promise<z.output<typeof DeliveryDetails> | undefined> {
  const row = await findDeliveryRow(db, deliveryId)
  if (!row) return undefined
  const event = await db.event.findUnique({ where: { id: row.eventId } })
  return { ...toDelivery(row), body: event && webhookBody(event, event.at) }
}

/** Makes a delivery due, regardless of its outcome. Undefined if there is none. */
export async function scheduleNow(tx: Tx, id: string, now: Date): Promise<WebhookDelivery | undefined> {
  const data = { nextTryAt: now, deliveredAt: null }
  const [row] = await tx.webhookDelivery.updateManyAndReturn({ where: { id }, data })
  return row
}

/** Queues the delivery of an event to one endpoint. */
export async function insertDelivery(
  tx: Tx,
  { endpointId, eventId, type, now }: { endpointId: string; eventId: string; type: string; now: Date },
): Promise<WebhookDelivery> {
  const id = `${eventId}.${endpointId}`
  return tx.webhookDelivery.create({ data: { id, endpointId, eventId, type, nextTryAt: now, createdAt: now } })
}

/** A delivery that this process has claimed, with its event and its endpoint. */
export type Claimed = { id: string; attempt: number; endpoint: WebhookEndpoint; event: SentEvent }

/**
 * Claims due deliveries for a process that can take `capacity` more. Each endpoint has its share, and failing and
 * healthy endpoints have separate `limits`, so that neither unresponsive nor slow endpoints delay the others. `busy` is
 * the number of deliveries in progress by endpoint.
 */
export async function claimDeliveries(
  db: Db,
  { now, until, capacity, limits, share, busy }: ClaimOptions,
): Promise<Claimed[]> {
  const underWay = JSON.stringify(Object.fromEntries(busy))
  const claimed = await db.$queryRaw<{ id: string; attempt: number; endpointId: string; eventId: string }[]>`
    with found as (
      select d.id, e."failingSince" is not null as failing, d."nextTryAt", b.busy + row_number() over (partition by e.id order by d."nextTryAt") as turn
      from "WebhookEndpoint" e
        cross join lateral (select coalesce((${underWay}::jsonb->>e.id)::int, 0) as busy) b
        cross join lateral (
          select id, "nextTryAt" from "WebhookDelivery" where "endpointId" = e.id and "nextTryAt" <= ${now} order by "nextTryAt"
          limit greatest(0, case when e."failingSince" is null then ${share.healthy}::int else ${share.failing}::int end - b.busy)
          for update skip locked) d
      where e."isEnabled"),
    placed as (
      select id, failing, turn, "nextTryAt", row_number() over (partition by failing order by turn, "nextTryAt") as place from found),
    taken as (
      select coalesce(sum(b.busy) filter (where e."failingSince" is not null), 0) as failing,
        coalesce(sum(b.busy) filter (where e."failingSince" is null), 0) as healthy
      from (select key as id, value::int as busy from jsonb_each_text(${underWay}::jsonb)) b
        join "WebhookEndpoint" e on e.id = b.id),
    due as (
      select p.id from placed p, taken t
      where p.place <= case when p.failing then ${limits.failing}::int - t.failing else ${limits.healthy}::int - t.healthy end
      order by p.failing, p.turn, p."nextTryAt" limit ${capacity})
    update "WebhookDelivery" set "nextTryAt" = ${until}, attempt = attempt + 1 where id in (select id from due)
    returning id, attempt, "endpointId", "eventId"`
  if (claimed.length === 0) return []
  const ids = (key: 'endpointId' | 'eventId') => ({ in: [...new Set(claimed.map((one) => one[key]))] })
  const endpoints = new Map(
    (await db.webhookEndpoint.findMany({ where: { id: ids('endpointId') } })).map((e) => [e.id, e]),
  )
  const events = new Map((await db.event.findMany({ where: { id: ids('eventId') } })).map((e) => [e.id, e]))
  return claimed.flatMap(({ id, attempt, endpointId, eventId }) => {
    const endpoint = endpoints.get(endpointId)
    const event = events.get(eventId)
    // Deleted meanwhile, or the event has exceeded its retention: the sweep removes the delivery.
    return endpoint && event ? [{ id, attempt, endpoint, event }] : []
  })
}

type ClaimOptions = {
  now: Date
  until: Date
  capacity: number
  limits: { healthy: number; failing: number }
  share: { healthy: number; failing: number }
  busy: ReadonlyMap<string, number>
}

/** The result of one attempt. `nextTryAt` is null after success and after the last attempt. */
export type Result = {
  isDelivered: boolean
  responseStatus: number | null
  response: string | null
  failure: string | null
  nextTryAt: Date | null
}

/**
 * Stores the result of an attempt, unless another attempt was requested meanwhile, and the time since which its
 * endpoint has been failing.
 */
export async function storeResult(
  db: Db,
  { id, attempt, endpoint }: Pick<Claimed, 'id' | 'attempt' | 'endpoint'>,
  { isDelivered, ...result }: Result,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { id, attempt, nextTryAt: until },
    data: { ...result, deliveredAt: isDelivered ? now : null },
  })
  await db.webhookEndpoint.updateMany({
    where: { id: endpoint.id, failingSince: isDelivered ? { not: null } : null },
    data: { failingSince: isDelivered ? null : now },
  })
}

/** Maximum rows per statement. */
const batchSize = 20_000

/**
 * Ends the attempts of deliveries that wait for an endpoint which no longer receives their event types, in batches.
 * Returns whether there may be more of them. They can still be sent again individually.
 */
export async function cancelUnsubscribedDeliveries(db: Db, endpointId: string): Promise<boolean> {
  // By the endpoint's current types: they may have been changed again.
  const count = await db.$executeRaw`
    update "WebhookDelivery" set "nextTryAt" = null where id in (
      select d.id from "WebhookDelivery" d join "WebhookEndpoint" e on e.id = d."endpointId"
      where d."endpointId" = ${endpointId} and d."nextTryAt" is not null and d.type <> 'webhook.test'
        and cardinality(e.types) > 0 and not d.type = any(e.types)
      limit ${batchSize})`
  return count === batchSize
}

/** The administrator who added an endpoint, or all administrators if that user no longer is one. */
export async function findEndpointContacts(tx: Tx, { createdBy }: Pick<WebhookEndpoint, 'createdBy'>) {
  const administrators = await tx.user.findMany({
    where: { role: 'admin', bannedAt: null },
    orderBy: { createdAt: 'asc' },
    take: maxNotified,
  })
  const creator = await tx.user.findFirst({ where: { id: createdBy, role: 'admin', bannedAt: null } })
  return creator ? [creator] : administrators
}

/** Maximum number of administrators notified of an endpoint without an owner. */
const maxNotified = 20

/** Deletes up to `limit` deliveries with lower ids than `before`, the oldest first. Returns how many. */
export async function deleteDeliveries(db: Db, { before, limit }: { before: string; limit: number }): Promise<number> {
  return db.$executeRaw`
    delete from "WebhookDelivery" where id in (
      select id from "WebhookDelivery" where id < ${before} order by id limit ${limit})`
}

/** Deletes up to `limit` deliveries to an endpoint. Returns how many. */
export async function deleteDeliveriesTo(db: Db, endpointId: string, limit: number): Promise<number> {
  return db.$executeRaw`
    delete from "WebhookDelivery" where id in (
      select id from "WebhookDelivery" where "endpointId" = ${endpointId} limit ${limit})`
}

/**
 * Deleted endpoints that still have deliveries. Skips from one endpoint to the next in the index, regardless of the
 * number of rows of each.
 */
export async function listDeletedEndpoints(db: Db): Promise<{ endpointId: string }[]> {
  return db.$queryRaw`
    with recursive step as (
      (select "endpointId" from "WebhookDelivery" order by "endpointId" limit 1)
      union all
      select (select d."endpointId" from "WebhookDelivery" d where d."endpointId" > step."endpointId" order by d."endpointId" limit 1)
      from step where step."endpointId" is not null)
    select "endpointId" from step
    where "endpointId" is not null and not exists (select from "WebhookEndpoint" e where e.id = step."endpointId")`
}

import type { z } from 'zod'
import { Prisma, type WebhookDelivery, type WebhookEndpoint } from '../../prisma/client/client.ts'
import { Delivery, type ListDeliveries, type ReplayEvents, type WebhookBody } from '../../shared/webhook.ts'
import type { Tx } from '../foundation/database.ts'
import { type SentEvent, webhookBody } from './body.ts'

/** A delivery as administrators see it. */
export function shownDelivery(row: WebhookDelivery): z.output<typeof Delivery> {
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
  tx: Tx,
  { endpointId, status, cursor, limit }: z.output<typeof ListDeliveries>,
): Promise<WebhookDelivery[]> {
  const id = cursor === undefined ? {} : { id: { lt: cursor } }
  const where = { endpointId, ...id, ...(status && ofStatus[status]) }
  return tx.webhookDelivery.findMany({ where, orderBy: { id: 'desc' }, take: limit })
}

/** A delivery that this process has claimed, with its event and its endpoint. */
export type Claimed = { id: string; attempt: number; endpoint: WebhookEndpoint; event: SentEvent }

/**
 * Claims deliveries that are due, oldest first, for a process that has `room` for so many. Each endpoint has its share: one that
 * does not answer holds up no other. `busy` is the number of deliveries under way by endpoint.
 */
export async function claimDeliveries(
  tx: Tx,
  { now, until, room, perEndpoint, busy }: ClaimOptions,
): Promise<Claimed[]> {
  const underWay = JSON.stringify(Object.fromEntries(busy))
  const claimed = await tx.$queryRaw<{ id: string; attempt: number; endpointId: string; eventId: string }[]>`
    with due as (
      select d.id from "WebhookEndpoint" e cross join lateral (
        select id from "WebhookDelivery" where "endpointId" = e.id and "nextTryAt" <= ${now}
        order by "nextTryAt" limit greatest(0, ${perEndpoint}::int - coalesce((${underWay}::jsonb->>e.id)::int, 0))
        for update skip locked) d
      where e."isEnabled" limit ${room})
    update "WebhookDelivery" set "nextTryAt" = ${until}, attempt = attempt + 1 where id in (select id from due)
    returning id, attempt, "endpointId", "eventId"`
  if (claimed.length === 0) return []
  const ids = (key: 'endpointId' | 'eventId') => ({ in: [...new Set(claimed.map((one) => one[key]))] })
  const endpoints = new Map(
    (await tx.webhookEndpoint.findMany({ where: { id: ids('endpointId') } })).map((e) => [e.id, e]),
  )
  const events = new Map((await tx.event.findMany({ where: { id: ids('eventId') } })).map((e) => [e.id, e]))
  return claimed.flatMap(({ id, attempt, endpointId, eventId }) => {
    const endpoint = endpoints.get(endpointId)
    const event = events.get(eventId)
    // Deleted meanwhile, or older than events are kept: the sweep removes the delivery.
    return endpoint && event ? [{ id, attempt, endpoint, event }] : []
  })
}

type ClaimOptions = { now: Date; until: Date; room: number; perEndpoint: number; busy: ReadonlyMap<string, number> }

/** The result of one try. `nextTryAt` is null after success and after the last try. */
export type Result = {
  isDelivered: boolean
  responseStatus: number | null
  response: string | null
  failure: string | null
  nextTryAt: Date | null
}

/** Stores the result of a try, and since when its endpoint has been failing. Returns that time. */
export async function storeResult(
  tx: Tx,
  { id, endpoint }: Pick<Claimed, 'id' | 'endpoint'>,
  { isDelivered, ...result }: Result,
  now: Date,
): Promise<Date | null> {
  await tx.webhookDelivery.updateMany({ where: { id }, data: { ...result, deliveredAt: isDelivered ? now : null } })
  const failing = { id: endpoint.id, failingSince: isDelivered ? { not: null } : null }
  if (isDelivered ? endpoint.failingSince !== null : endpoint.failingSince === null) {
    await tx.webhookEndpoint.updateMany({ where: failing, data: { failingSince: isDelivered ? null : now } })
  }
  return isDelivered ? null : (endpoint.failingSince ?? now)
}

/** The administrator who added an endpoint; all of them, if that one is none any more. */
export async function findEndpointOwners(tx: Tx, { createdBy }: Pick<WebhookEndpoint, 'createdBy'>) {
  const administrators = await tx.user.findMany({
    where: { role: 'admin', bannedAt: null },
    orderBy: { createdAt: 'asc' },
    take: maxTold,
  })
  const creator = await tx.user.findFirst({ where: { id: createdBy, role: 'admin', bannedAt: null } })
  return creator ? [creator] : administrators
}

/** Administrators who are told of an endpoint without an owner. */
const maxTold = 20

/** The events after one, in the order of their transactions: only those below the oldest running one, so that none comes later. */
export async function replayEvents(
  tx: Tx,
  { after, limit }: z.output<typeof ReplayEvents>,
): Promise<WebhookBody[] | undefined> {
  const from =
    after === undefined
      ? Prisma.sql`true`
      : Prisma.sql`("transactionId", id) > (select "transactionId", id from "Event" where id = ${after})`
  if (after !== undefined && (await tx.event.count({ where: { id: after } })) === 0) return undefined
  const rows = await tx.$queryRaw<(SentEvent & { at: Date })[]>`
    select id, type, "actorId", "subjectId", "organizationId", data, at from "Event"
    where ${from} and "transactionId" < pg_snapshot_xmin(pg_current_snapshot())
    order by "transactionId", id limit ${limit}`
  return rows.map(({ at, ...event }) => webhookBody(event, at))
}

/**
 * The numbers of transactions begin anew in a database that was restored from a dump. Events of the former one would be ahead of
 * all new ones: they get the lowest number, and are in the order of their ids.
 */
export async function settleRestoredEvents(tx: Tx): Promise<number> {
  return tx.$executeRaw`
    update "Event" set "transactionId" = '0' where "transactionId" >= pg_snapshot_xmax(pg_current_snapshot())`
}

import type { z } from 'zod'
import type { DisputeRow, UnassignedEvent } from '../../shared/payment.ts'
import type { App } from '../dependencies.ts'
import { type NewEvent, type Origin, logEvent, recordWith } from '../event/record.ts'
import { type Tx, inTransaction } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { applyEvent, isDone } from './apply-event.ts'
import { attributeEvent, markAssigned, lockInOrder, lockNames } from './attribution.ts'
import { readEnvelope } from './envelope.ts'
import { type Owner, columnsOf } from './owner.ts'
import { readEvent } from './read-event.ts'

type Paged = { limit?: number | undefined; cursor?: string | undefined }

const defaultPageSize = 50

/** Events that wait for an administrator, oldest first. */
export async function listUnassignedEvents(
  tx: Tx,
  { limit = defaultPageSize, cursor }: Paged,
): Promise<z.input<typeof UnassignedEvent>[]> {
  const from = cursor === undefined ? undefined : await tx.webhookEvent.findUnique({ where: { id: cursor } })
  if (from === null) return []
  const rows = await tx.webhookEvent.findMany({
    where: {
      appliedAt: null,
      ...(from && {
        OR: [{ receivedAt: { gt: from.receivedAt } }, { receivedAt: from.receivedAt, id: { gt: from.id } }],
      }),
    },
    orderBy: [{ receivedAt: 'asc' }, { id: 'asc' }],
    take: limit,
  })
  return rows.map(({ id, type, subjectId, occurredAt, receivedAt, failure, payload }) => {
    const { customerId, email } = customerOf(payload)
    return {
      id,
      type,
      subjectId,
      occurredAt,
      receivedAt,
      failure,
      customerId: customerId ?? null,
      email: email ?? null,
    }
  })
}

/** Applies a kept event once more; it may belong to somebody by now, or what failed may be mended. */
export async function processAgain(
  app: App & Origin,
  eventId: string,
  by: (isAssigned: boolean) => NewEvent,
): Promise<boolean> {
  const { now } = app
  const isAssigned = await inTransaction(app.pool, async (sql) => {
    const { rows } = await sql.query<{ payload: unknown; appliedAt: Date | null }>(
      'select payload, "appliedAt" from "WebhookEvent" where id = $1 for update',
      [eventId],
    )
    const [row] = rows
    const envelope = row && readEnvelope(Buffer.from(JSON.stringify(row.payload)))
    if (!envelope) refuse('EVENT_NOT_FOUND')
    if (row.appliedAt) return true
    const event = { ...envelope, id: eventId }
    const object = readEvent(event)
    await lockInOrder(sql, object)
    const attribution = await attributeEvent(sql, app.keys.purchases, object, event.occurredAt)
    await applyEvent(sql, app, { event, object, attribution }, now)
    const hasOwner = isDone(object, attribution)
    await sql.query('update "WebhookEvent" set failure = null, "appliedAt" = $2 where id = $1', [
      eventId,
      hasOwner ? now : null,
    ])
    await recordWith(sql, app, by(hasOwner))
    return hasOwner
  })
  logEvent(app, by(isAssigned))
  return isAssigned
}

/**
 * Says whose the event's customer is: the link, every row that was the former owner's through it or nobody's, and the events
 * that waited. Without a customer it is the one purchase that changes hands.
 */
export async function assignCustomer(
  app: App & Origin,
  eventId: string,
  owner: Owner,
  assigned: NewEvent,
): Promise<void> {
  const { now } = app
  const event = await app.db.webhookEvent.findUnique({ where: { id: eventId } })
  if (!event) refuse('EVENT_NOT_FOUND')
  const { customerId } = await customerOfEvent(app.db, event.payload)
  const { userId, organizationId } = columnsOf(owner)
  await inTransaction(app.pool, async (sql) => {
    // Deliveries about the same customer or purchase wait, and then see whose it is now.
    const subject = ['Payment', 'Subscription'].map((table) => `${table}:${event.subjectId}`)
    await lockNames(sql, customerId === undefined ? subject : [`Customer:${customerId}`])
    await recordWith(sql, app, assigned)
    if (customerId === undefined) {
      const { rowCount } = await sql.query(
        `with payment as (update "Payment" set "userId" = $2, "organizationId" = $3 where "paymentId" = $1 returning 1),
          subscription as (update "Subscription" set "userId" = $2, "organizationId" = $3 where "subscriptionId" = $1 returning 1)
          select 1 from payment union all select 1 from subscription`,
        [event.subjectId, userId, organizationId],
      )
      if (rowCount === 0) refuse('OWNER_NOT_FOUND')
      await sql.query('update "WebhookEvent" set "appliedAt" = $2 where "subjectId" = $1 and "appliedAt" is null', [
        event.subjectId,
        now,
      ])
      return
    }
    const { rows } = await sql.query<{ userId: string | null; organizationId: string | null }>(
      'select "userId", "organizationId" from "Customer" where "customerId" = $1 for update',
      [customerId],
    )
    const former = rows[0] ?? { userId: null, organizationId: null }
    await sql.query(
      `insert into "Customer" ("customerId", email, name, "userId", "organizationId", "createdAt", "updatedAt")
        values ($1, '', '', $2, $3, $4, $4)
        on conflict ("customerId") do update set "userId" = $2, "organizationId" = $3, "updatedAt" = $4`,
      [customerId, userId, organizationId, now],
    )
    for (const table of ['Payment', 'Subscription', 'LicenseKey']) {
      await sql.query(
        `update "${table}" set "userId" = $2, "organizationId" = $3 where "customerId" = $1
          and "userId" is not distinct from $4 and "organizationId" is not distinct from $5`,
        [customerId, userId, organizationId, former.userId, former.organizationId],
      )
    }
    await markAssigned(sql, { customerId, paymentId: null, subscriptionId: null }, now)
  })
  logEvent(app, assigned)
}

/** A refund or dispute speaks of a payment, whose customer it is. */
async function customerOfEvent(tx: Tx, payload: unknown) {
  const own = customerOf(payload)
  const data = isRecord(payload) && isRecord(payload['data']) ? payload['data'] : {}
  const paymentId = data['payment_id']
  if (own.customerId !== undefined || typeof paymentId !== 'string') return own
  const payment = await tx.payment.findUnique({ where: { paymentId } })
  return { customerId: payment?.customerId || undefined }
}

function customerOf(payload: unknown): { customerId?: string | undefined; email?: string | undefined } {
  const data = isRecord(payload) && isRecord(payload['data']) ? payload['data'] : {}
  const customer = isRecord(data['customer']) ? data['customer'] : {}
  const id = customer['customer_id'] ?? data['customer_id']
  const { email } = customer
  return {
    customerId: typeof id === 'string' && id !== '' ? id : undefined,
    email: typeof email === 'string' ? email : undefined,
  }
}

/** Money at risk, newest first. */
export async function listDisputes(
  tx: Tx,
  { limit = defaultPageSize, cursor }: Paged,
): Promise<z.input<typeof DisputeRow>[]> {
  const from = cursor === undefined ? undefined : await tx.dispute.findUnique({ where: { disputeId: cursor } })
  if (from === null) return []
  const rows = await tx.dispute.findMany({
    where: from
      ? {
          OR: [{ createdAt: { lt: from.createdAt } }, { createdAt: from.createdAt, disputeId: { lt: from.disputeId } }],
        }
      : {},
    orderBy: [{ createdAt: 'desc' }, { disputeId: 'desc' }],
    take: limit,
  })
  return rows.map(({ disputeId: id, disputeStage: stage, disputeStatus: status, ...row }) => ({
    id,
    stage,
    status,
    ...row,
  }))
}

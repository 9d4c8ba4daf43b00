import type { z } from 'zod'
import type { DisputeRow, Stray } from '../../shared/payment.ts'
import type { App } from '../context.ts'
import type { Tx } from '../foundation/db.ts'
import { isRecord } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { applyEvent } from './events.ts'
import { readEnvelope } from './envelope.ts'
import { settleStrays, type Owner } from './owners.ts'

type Paged = { limit?: number | undefined; cursor?: string | undefined }

const usualPage = 50

/** Events that wait for an administrator, oldest first. */
export async function listStrays(tx: Tx, { limit = usualPage, cursor }: Paged): Promise<z.input<typeof Stray>[]> {
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
export async function processAgain(app: App, eventId: string, now: Date): Promise<boolean> {
  return app.db.$transaction(async (tx) => {
    await tx.$queryRaw`select id from "WebhookEvent" where id = ${eventId} for update`
    const event = await tx.webhookEvent.findUnique({ where: { id: eventId } })
    const envelope = event && readEnvelope(Buffer.from(JSON.stringify(event.payload)))
    if (!event || !envelope) refuse('EVENT_NOT_FOUND')
    if (event.appliedAt) return true
    const isSettled = await applyEvent(tx, app, { ...envelope, id: eventId }, now)
    await tx.webhookEvent.update({
      where: { id: eventId },
      data: { failure: null, ...(isSettled && { appliedAt: now }) },
    })
    return isSettled
  })
}

/** Ties the event's customer to an owner and settles what waited for that. */
export async function assignCustomer(app: App, eventId: string, owner: Owner, now: Date): Promise<void> {
  await app.db.$transaction(async (tx) => {
    const event = await tx.webhookEvent.findUnique({ where: { id: eventId } })
    if (!event) refuse('EVENT_NOT_FOUND')
    const { customerId } = await customerOfEvent(tx, event.payload)
    if (customerId === undefined) refuse('OWNER_NOT_FOUND')
    const tie = { userId: null, organizationId: null, ...owner, updatedAt: now }
    await tx.customer.upsert({
      where: { customerId },
      update: tie,
      create: { customerId, email: '', name: '', createdAt: now, ...tie },
    })
    const payments = await tx.payment.findMany({ where: { customerId }, select: { paymentId: true } })
    await settleStrays(tx, { customerId }, now)
    for (const { paymentId } of payments) await settleStrays(tx, { customerId, paymentId }, now)
  })
}

/** A refund or dispute speaks of a payment, whose customer it is. */
async function customerOfEvent(tx: Tx, payload: unknown) {
  const own = customerOf(payload)
  const data = isRecord(payload) && isRecord(payload['data']) ? payload['data'] : {}
  const paymentId = data['payment_id']
  if (own.customerId !== undefined || typeof paymentId !== 'string') return own
  const payment = await tx.payment.findUnique({ where: { paymentId } })
  return { customerId: payment?.customerId }
}

function customerOf(payload: unknown): { customerId?: string | undefined; email?: string | undefined } {
  const data = isRecord(payload) && isRecord(payload['data']) ? payload['data'] : {}
  const customer = isRecord(data['customer']) ? data['customer'] : {}
  const id = customer['customer_id'] ?? data['customer_id']
  const { email } = customer
  return {
    customerId: typeof id === 'string' ? id : undefined,
    email: typeof email === 'string' ? email : undefined,
  }
}

/** Money at risk, newest first. */
export async function listDisputes(
  tx: Tx,
  { limit = usualPage, cursor }: Paged,
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

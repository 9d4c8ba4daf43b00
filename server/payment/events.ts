import { z } from 'zod'
import { terminalStatuses } from '../../shared/payment.ts'
import { Prisma } from '../../prisma/client/client.ts'
import type { App } from '../context.ts'
import type { Tx } from '../foundation/db.ts'
import type { Envelope } from './envelope.ts'
import { notifyOf } from './notices.ts'
import { findOwner, rememberCustomer, settleStrays, type Owner } from './owners.ts'

export type PaymentEvent = Envelope & { id: string }

// Payloads are read leniently: the provider adds fields and states, and has told nulls where papers say text. What has no id
// cannot be kept as a row, and fails; the event itself is kept all the same.
const Id = z.string().min(1).max(256)
const Text = z.string().max(2000).nullish().catch(null)
const Amount = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => (value == null || !Number.isFinite(value) ? null : BigInt(Math.trunc(value))))
const Count = z
  .number()
  .catch(1)
  .transform((value) => Math.max(0, Math.min(2_147_483_647, Math.trunc(value))))
const Time = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => {
    const time = new Date(text ?? '')
    return Number.isNaN(time.getTime()) || Math.abs(time.getTime()) > 4e12 ? null : time
  })
const Party = z
  .looseObject({ customer_id: Id, email: z.string().max(254).catch(''), name: z.string().max(500).catch('') })
  .nullish()
  .catch(null)
const Metadata = z.record(z.string(), z.unknown()).nullish().catch(null)

const Payment = z.looseObject({
  payment_id: Id,
  status: Text,
  total_amount: Amount,
  currency: Text,
  customer: Party,
  subscription_id: Text,
  metadata: Metadata,
  created_at: Time,
})
const Subscription = z.looseObject({
  subscription_id: Id,
  product_id: Text,
  quantity: Count,
  status: Text,
  currency: Text,
  recurring_pre_tax_amount: Amount,
  next_billing_date: Time,
  cancel_at_next_billing_date: z.boolean().catch(false),
  customer: Party,
  metadata: Metadata,
  created_at: Time,
})
const Refund = z.looseObject({
  refund_id: Id,
  payment_id: Id,
  amount: Amount,
  currency: Text,
  is_partial: z.boolean().catch(false),
  reason: Text,
  status: Text,
  created_at: Time,
})
const Dispute = z.looseObject({
  dispute_id: Id,
  payment_id: Id,
  amount: z.union([z.string().max(64), z.number().transform(String)]).catch(''),
  currency: Text,
  dispute_stage: Text,
  dispute_status: Text,
  remarks: Text,
  created_at: Time,
})
const LicenseKey = z.looseObject({
  id: Id,
  key: z.string().max(2000),
  status: Text,
  product_id: Text,
  customer_id: Id,
  payment_id: Text,
  subscription_id: Text,
  expires_at: Time,
  created_at: Time,
})

/**
 * Brings what an event says into the rows that are shown: the state is in the payload, never in the event's name. Answers
 * whether it belongs to somebody; the others wait for an administrator. Kinds that have no rows are kept and done.
 */
export async function applyEvent(tx: Tx, app: App, event: PaymentEvent, now: Date): Promise<boolean> {
  const { type } = event
  if (type.startsWith('payment.')) return applyPayment(tx, app, event, now)
  if (type.startsWith('subscription.')) return applySubscription(tx, app, event, now)
  if (type.startsWith('refund.')) return applyRefund(tx, event)
  if (type.startsWith('dispute.')) return applyDispute(tx, event)
  if (type.startsWith('license_key.')) return applyLicenseKey(tx, event, now)
  app.log.info({ type, eventId: event.id }, 'a payment event of a kind without rows')
  return true
}

async function applyPayment(tx: Tx, app: App, event: PaymentEvent, now: Date): Promise<boolean> {
  const payment = Payment.parse(event.data)
  const { owner, customerId } = await ownerOf(tx, payment, now)
  const change = await project(tx, event, {
    table: 'Payment',
    key: ['paymentId', payment.payment_id],
    terminal: terminalStatuses.payment,
    statusColumn: 'status',
    values: {
      status: payment.status ?? null,
      totalAmount: payment.total_amount ?? 0n,
      currency: payment.currency ?? '',
      customerId,
      subscriptionId: payment.subscription_id ?? null,
      createdAt: payment.created_at ?? event.occurredAt,
    },
    owner,
  })
  if (owner) await settleStrays(tx, { paymentId: payment.payment_id, customerId }, now)
  if (change.isNewer && payment.status === 'succeeded' && owner) {
    await tx.pendingCheckout.deleteMany({ where: { purchaseKey: { startsWith: `${ownerKey(owner)}:` } } })
  }
  const isFailure = payment.status === 'failed' && change.formerStatus !== 'failed' && payment.subscription_id
  if (change.isNewer && isFailure && owner) await notifyOf(tx, app, 'paymentFailed', owner, now)
  return owner !== undefined
}

async function applySubscription(tx: Tx, app: App, event: PaymentEvent, now: Date): Promise<boolean> {
  const subscription = Subscription.parse(event.data)
  const { owner, customerId } = await ownerOf(tx, subscription, now)
  const status = subscription.status ?? null
  const change = await project(tx, event, {
    table: 'Subscription',
    key: ['subscriptionId', subscription.subscription_id],
    terminal: terminalStatuses.subscription,
    statusColumn: 'status',
    values: {
      productId: subscription.product_id ?? '',
      quantity: subscription.quantity,
      status,
      currency: subscription.currency ?? '',
      recurringPreTaxAmount: subscription.recurring_pre_tax_amount ?? 0n,
      nextBillingDate: subscription.next_billing_date,
      cancelAtNextBillingDate: subscription.cancel_at_next_billing_date,
      customerId,
      createdAt: subscription.created_at ?? event.occurredAt,
    },
    owner,
  })
  if (owner) await settleStrays(tx, { customerId }, now)
  if (change.isNewer && status !== change.formerStatus && owner) {
    if (status === 'on_hold') await notifyOf(tx, app, 'subscriptionOnHold', owner, now)
    if (status === 'cancelled' || status === 'expired') await notifyOf(tx, app, 'subscriptionEnded', owner, now)
  }
  return owner !== undefined
}

async function applyRefund(tx: Tx, event: PaymentEvent): Promise<boolean> {
  const refund = Refund.parse(event.data)
  await project(tx, event, {
    table: 'Refund',
    key: ['refundId', refund.refund_id],
    terminal: terminalStatuses.refund,
    statusColumn: 'status',
    values: {
      paymentId: refund.payment_id,
      amount: refund.amount,
      currency: refund.currency ?? null,
      isPartial: refund.is_partial,
      reason: refund.reason ?? null,
      status: refund.status ?? null,
      createdAt: refund.created_at ?? event.occurredAt,
    },
  })
  return hasOwnedPayment(tx, refund.payment_id)
}

async function applyDispute(tx: Tx, event: PaymentEvent): Promise<boolean> {
  const dispute = Dispute.parse(event.data)
  await project(tx, event, {
    table: 'Dispute',
    key: ['disputeId', dispute.dispute_id],
    terminal: terminalStatuses.dispute,
    statusColumn: 'disputeStatus',
    values: {
      paymentId: dispute.payment_id,
      amount: dispute.amount,
      currency: dispute.currency ?? '',
      disputeStage: dispute.dispute_stage ?? null,
      disputeStatus: dispute.dispute_status ?? null,
      remarks: dispute.remarks ?? null,
      createdAt: dispute.created_at ?? event.occurredAt,
    },
  })
  return hasOwnedPayment(tx, dispute.payment_id)
}

async function applyLicenseKey(tx: Tx, event: PaymentEvent, now: Date): Promise<boolean> {
  const key = LicenseKey.parse(event.data)
  const { owner, customerId } = await ownerOf(
    tx,
    { customer: { customer_id: key.customer_id, email: '', name: '' }, metadata: null },
    now,
  )
  await project(tx, event, {
    table: 'LicenseKey',
    key: ['id', key.id],
    terminal: terminalStatuses.licenseKey,
    statusColumn: 'status',
    values: {
      key: key.key,
      status: key.status ?? null,
      productId: key.product_id ?? '',
      customerId,
      paymentId: key.payment_id ?? null,
      subscriptionId: key.subscription_id ?? null,
      expiresAt: key.expires_at,
      createdAt: key.created_at ?? event.occurredAt,
    },
    owner,
  })
  return owner !== undefined
}

type Buyer = { customer?: z.output<typeof Party>; metadata?: z.output<typeof Metadata> }

/** Whose object it is; the provider's customer is remembered on the way. */
async function ownerOf(tx: Tx, { customer, metadata }: Buyer, now: Date) {
  const owner = await findOwner(tx, { customer, metadata })
  if (customer) await rememberCustomer(tx, customer, owner, now)
  return { owner, customerId: customer?.customer_id ?? '' }
}

async function hasOwnedPayment(tx: Tx, paymentId: string): Promise<boolean> {
  const payment = await tx.payment.findUnique({ where: { paymentId } })
  if (!payment) return false
  if (payment.userId !== null || payment.organizationId !== null) return true
  const customer = await tx.customer.findUnique({ where: { customerId: payment.customerId } })
  return customer?.userId != null || customer?.organizationId != null
}

export function ownerKey(owner: Owner): string {
  return 'userId' in owner ? `user-${owner.userId}` : `organization-${owner.organizationId}`
}

type Projection = {
  table: 'Payment' | 'Refund' | 'Dispute' | 'Subscription' | 'LicenseKey'
  key: [column: string, value: string]
  terminal: readonly string[]
  statusColumn: string
  values: Record<string, string | number | bigint | boolean | Date | null>
  /** Of rows that have owner columns; the payment's owner is that of its refunds and disputes. */
  owner?: Owner | undefined
}

/**
 * Writes one row by the newest event alone, in one statement. Newest is the later time; of one moment the terminal state, then
 * the greater webhook-id: a total order, so that whatever order events arrive in, the same row stands (R60, SEC-76). An
 * owner, once known, stays.
 */
async function project(tx: Tx, event: PaymentEvent, { table, key, terminal, statusColumn, values, owner }: Projection) {
  const hasOwner = table !== 'Refund' && table !== 'Dispute'
  const status = values[statusColumn]
  const isTerminal = typeof status === 'string' && terminal.includes(status)
  const columns: Record<string, unknown> = {
    [key[0]]: key[1],
    ...values,
    payload: JSON.stringify(event.data),
    eventAt: event.occurredAt,
    eventId: event.id,
  }
  const owners: Record<string, unknown> = hasOwner
    ? {
        userId: owner && 'userId' in owner ? owner.userId : null,
        organizationId: owner && 'organizationId' in owner ? owner.organizationId : null,
      }
    : {}
  const name = (column: string) => Prisma.raw(`"${column}"`)
  const all = { ...columns, ...owners }
  const target = Prisma.raw(`"${table}"`)
  const cast = (column: string, value: unknown) =>
    column === 'payload' ? Prisma.sql`${value}::jsonb` : Prisma.sql`${value}`
  const rows = await tx.$queryRaw<{ formerStatus: string | null; isNewer: boolean }[]>`
    with former as (select ${name(statusColumn)} as status from ${target} where ${name(key[0])} = ${key[1]} for update),
    written as (
      insert into ${target} (${Prisma.join(Object.keys(all).map(name))})
      values (${Prisma.join(Object.entries(all).map(([column, value]) => cast(column, value)))})
      on conflict (${name(key[0])}) do update set ${Prisma.join(
        Object.keys(columns).map((column) => Prisma.sql`${name(column)} = excluded.${name(column)}`),
      )}
      where (${target}."eventAt", coalesce(${target}.${name(statusColumn)} = any(${[...terminal]}::text[]), false), ${target}."eventId")
        < (excluded."eventAt", ${isTerminal}::boolean, excluded."eventId")
      returning 1)
    select (select status from former) as "formerStatus", exists (select from written) as "isNewer"`
  if (hasOwner && owner) {
    await tx.$executeRaw`
      update ${target} set "userId" = ${owners['userId']}, "organizationId" = ${owners['organizationId']}
      where ${name(key[0])} = ${key[1]} and "userId" is null and "organizationId" is null`
  }
  return rows[0] ?? { formerStatus: null, isNewer: false }
}

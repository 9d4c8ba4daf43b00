import { z } from 'zod'
import { terminalStatuses } from '../../shared/payment.ts'
import type { Envelope } from './envelope.ts'

/** What an event has to do: the row it writes, whose it may be, and of whom it speaks. */
export type Plan = {
  projection?: Projection
  customer?: { customer_id: string; email: string; name: string } | undefined
  /** What was put in at the checkout; only what our server has signed is believed. */
  metadata?: Record<string, unknown>
  /** A refund, a dispute or a key is its payment's owner's, or its subscription's. */
  paymentId?: string
  subscriptionId?: string
  /** The mail that is sent if the row takes this state. */
  notice?: 'paymentFailed' | 'subscriptionOnHold' | 'subscriptionEnded'
  /** A purchase has come to its end: what was begun for it is over. */
  isPurchase?: true
}

export type Projection = {
  table: 'Payment' | 'Refund' | 'Dispute' | 'Subscription' | 'LicenseKey'
  key: [column: string, value: string]
  terminal: readonly string[]
  statusColumn: 'status' | 'disputeStatus'
  values: Record<string, string | number | bigint | boolean | Date | null>
}

// Payloads are read leniently: the provider adds fields and states, and sends nulls where its documentation says text. What has no id
// cannot be kept as a row, and fails; the event itself is kept all the same.
const Id = z.string().min(1).max(256)
const Text = z.string().max(2000).nullish().catch(null)
/** Largest number that a column of 64 bits holds. */
const largest = 9_223_372_036_854_775_807n
const Amount = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => {
    if (value == null || !Number.isFinite(value)) return null
    const whole = BigInt(Math.trunc(value))
    return whole > largest ? largest : whole < -largest ? -largest : whole
  })
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

/** Reads an event: the state is in the payload, never in the event's name. A kind without rows has an empty plan. */
export function planOf({ type, data, occurredAt }: Envelope): Plan {
  if (type.startsWith('payment.')) return planPayment(Payment.parse(data), occurredAt)
  if (type.startsWith('subscription.')) return planSubscription(Subscription.parse(data), occurredAt)
  if (type.startsWith('refund.')) return planRefund(Refund.parse(data), occurredAt)
  if (type.startsWith('dispute.')) return planDispute(Dispute.parse(data), occurredAt)
  if (type.startsWith('license_key.')) return planLicenseKey(LicenseKey.parse(data), occurredAt)
  return {}
}

function planPayment(payment: z.output<typeof Payment>, at: Date): Plan {
  const { status, subscription_id: subscriptionId, customer } = payment
  return {
    projection: {
      table: 'Payment',
      key: ['paymentId', payment.payment_id],
      terminal: terminalStatuses.payment,
      statusColumn: 'status',
      values: {
        status: status ?? null,
        totalAmount: payment.total_amount ?? 0n,
        currency: payment.currency ?? '',
        customerId: customer?.customer_id ?? '',
        subscriptionId: subscriptionId ?? null,
        createdAt: payment.created_at ?? at,
      },
    },
    customer: customer ?? undefined,
    metadata: payment.metadata ?? {},
    ...(status === 'failed' && subscriptionId && { notice: 'paymentFailed' }),
    ...(status === 'succeeded' && { isPurchase: true }),
  }
}

function planSubscription(subscription: z.output<typeof Subscription>, at: Date): Plan {
  const { status, customer, next_billing_date: next, cancel_at_next_billing_date: isEnding } = subscription
  // Cancelled with time that is paid for is not the end yet.
  const hasEnded = status === 'expired' || (status === 'cancelled' && !(isEnding && next !== null && next > at))
  const notice = status === 'on_hold' ? 'subscriptionOnHold' : hasEnded ? 'subscriptionEnded' : undefined
  return {
    projection: {
      table: 'Subscription',
      key: ['subscriptionId', subscription.subscription_id],
      terminal: terminalStatuses.subscription,
      statusColumn: 'status',
      values: {
        productId: subscription.product_id ?? '',
        quantity: subscription.quantity,
        status: status ?? null,
        currency: subscription.currency ?? '',
        recurringPreTaxAmount: subscription.recurring_pre_tax_amount ?? 0n,
        nextBillingDate: subscription.next_billing_date,
        cancelAtNextBillingDate: subscription.cancel_at_next_billing_date,
        customerId: customer?.customer_id ?? '',
        createdAt: subscription.created_at ?? at,
        statusSince: at,
      },
    },
    customer: customer ?? undefined,
    metadata: subscription.metadata ?? {},
    ...(notice && { notice }),
  }
}

function planRefund(refund: z.output<typeof Refund>, at: Date): Plan {
  return {
    projection: {
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
        createdAt: refund.created_at ?? at,
      },
    },
    paymentId: refund.payment_id,
  }
}

function planDispute(dispute: z.output<typeof Dispute>, at: Date): Plan {
  return {
    projection: {
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
        createdAt: dispute.created_at ?? at,
      },
    },
    paymentId: dispute.payment_id,
  }
}

function planLicenseKey(key: z.output<typeof LicenseKey>, at: Date): Plan {
  return {
    projection: {
      table: 'LicenseKey',
      key: ['id', key.id],
      terminal: terminalStatuses.licenseKey,
      statusColumn: 'status',
      values: {
        key: key.key,
        status: key.status ?? null,
        productId: key.product_id ?? '',
        customerId: key.customer_id,
        paymentId: key.payment_id ?? null,
        subscriptionId: key.subscription_id ?? null,
        expiresAt: key.expires_at,
        createdAt: key.created_at ?? at,
      },
    },
    customer: { customer_id: key.customer_id, email: '', name: '' },
    ...(key.payment_id && { paymentId: key.payment_id }),
    ...(key.subscription_id && { subscriptionId: key.subscription_id }),
  }
}

import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { columnsOf } from '../owner.ts'
import { Amount, Id, Metadata, Party, Text, Time } from './fields.ts'
import { assignOwnerless, changeText, isNewer, keepOwner, upsert, type PaymentObject } from './object.ts'

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

/** A payment in any of its states. */
export function readPayment(data: unknown, at: Date): PaymentObject {
  const payment = Payment.parse(data)
  const { payment_id: id, customer, subscription_id: subscriptionId } = payment
  const status = payment.status ?? null
  return {
    table: 'Payment',
    assign: assignOwnerless('Payment', id),
    id,
    status,
    customer: customer ?? undefined,
    metadata: payment.metadata ?? {},
    // A renewal names no owner: it belongs to the owner of its subscription.
    subscriptionId: subscriptionId || undefined,
    notice: status === 'failed' && subscriptionId ? 'paymentFailed' : undefined,
    isPurchase: status === 'succeeded',
    write(sql, { payload, eventAt, eventId }, owner) {
      const { userId, organizationId } = columnsOf(owner)
      return upsert(sql, 'payment', upsertText, [
        id,
        status,
        payment.total_amount === null ? '0' : String(payment.total_amount),
        payment.currency ?? '',
        customer?.customer_id ?? '',
        subscriptionId ?? null,
        payment.created_at ?? at,
        JSON.stringify(payload),
        eventAt,
        eventId,
        userId,
        organizationId,
      ])
    },
  }
}

const upsertText = `
  with former as (
    select status, false as "wasEnding", "userId" is null and "organizationId" is null as "hadNoOwner"
    from "Payment" where "paymentId" = $1 for update),
  written as (
    insert into "Payment" as t ("paymentId", status, "totalAmount", currency, "customerId", "subscriptionId", "createdAt",
      payload, "eventAt", "eventId", "userId", "organizationId")
    values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12)
    on conflict ("paymentId") do update set
      status = excluded.status, "totalAmount" = excluded."totalAmount", currency = excluded.currency,
      "customerId" = coalesce(nullif(excluded."customerId", ''), t."customerId"), "subscriptionId" = excluded."subscriptionId", "createdAt" = excluded."createdAt",
      payload = excluded.payload, "eventAt" = excluded."eventAt", "eventId" = excluded."eventId", ${keepOwner}
    where ${isNewer('status', terminalStatuses.payment)}
    returning 1)
  ${changeText}`

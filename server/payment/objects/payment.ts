import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { statement } from '../../foundation/statement.ts'
import { billingOwnerColumns } from '../billing-owner/billing-owner.ts'
import { Amount, Id, Metadata, Party, Text, Time } from './fields.ts'
import { assignUnassigned, type PaymentObject } from './object.ts'
import { returnChangeSql, isNewerSql, keepOwnerSql, upsert } from './upsert.ts'

const Payment = z.looseObject({
  payment_id: Id,
  status: Text,
  total_amount: Amount,
  currency: Text,
  customer: Party,
  subscription_id: Text,
  metadata: Metadata,
  created_at: Time,
  /** Whether it only verified a new payment method, without a charge. */
  is_update_payment_method: z.boolean().catch(false),
})

/** A payment in any of its states. */
export function readPayment(data: unknown, at: Date): PaymentObject {
  const payment = Payment.parse(data)
  const { payment_id: id, customer, subscription_id: subscriptionId } = payment
  const status = payment.status ?? null
  return {
    table: 'Payment',
    assign: assignUnassigned('Payment', id),
    id,
    status,
    customer: customer ?? undefined,
    metadata: payment.metadata ?? {},
    // A renewal names no owner: it belongs to the owner of its subscription.
    subscriptionId: subscriptionId || undefined,
    notice: status === 'failed' && subscriptionId && !payment.is_update_payment_method ? 'paymentFailed' : undefined,
    isCompleted: status === 'succeeded',
    write(sql, { payload, eventAt, eventId }, owner) {
      const row = payments({
        paymentId: id,
        status,
        totalAmount: payment.total_amount === null ? '0' : String(payment.total_amount),
        currency: payment.currency ?? '',
        customerId: customer?.customer_id ?? '',
        subscriptionId,
        createdAt: payment.created_at ?? at,
        payload: JSON.stringify(payload),
        eventAt,
        eventId,
        terminal: terminalStatuses.payment,
        ...billingOwnerColumns(owner),
      })
      return upsert(sql, row)
    },
  }
}

const payments = statement(
  'payments.upsert.Payment',
  `with former as (
    select status, false as "wasCancelingAtPeriodEnd", "userId" is null and "organizationId" is null as "hadNoOwner"
    from "Payment" where "paymentId" = :paymentId for update),
  written as (
    insert into "Payment" as t (
      "paymentId", status, "totalAmount", currency, "customerId", "subscriptionId", "createdAt", payload, "eventAt",
      "eventId", "userId", "organizationId")
    values (
      :paymentId, :status, :totalAmount, :currency, :customerId, :subscriptionId, :createdAt, :payload, :eventAt,
      :eventId, :userId, :organizationId)
    on conflict ("paymentId") do update set
      status = excluded.status,
      "totalAmount" = excluded."totalAmount",
      currency = excluded.currency,
      "customerId" = coalesce(nullif(excluded."customerId", ''), t."customerId"),
      "subscriptionId" = excluded."subscriptionId",
      "createdAt" = excluded."createdAt",
      payload = excluded.payload,
      "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId",
      ${keepOwnerSql}
    where ${isNewerSql('status')}
    returning 1)
  ${returnChangeSql}`,
)

import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { statement } from '../../foundation/statement.ts'
import { Amount, Id, Text, Time } from './fields.ts'
import type { PaymentObject } from './object.ts'
import { returnChangeSql, isNewerSql, upsert } from './upsert.ts'

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

/** A refund: it belongs to the owner of its payment. */
export function readRefund(data: unknown, at: Date): PaymentObject {
  const refund = Refund.parse(data)
  const { refund_id: id, payment_id: paymentId } = refund
  const status = refund.status ?? null
  return {
    table: 'Refund',
    id,
    status,
    paymentId,
    write(sql, { payload, eventAt, eventId }) {
      const row = refunds({
        refundId: id,
        paymentId,
        amount: refund.amount === null ? null : String(refund.amount),
        currency: refund.currency,
        isPartial: refund.is_partial,
        reason: refund.reason,
        status,
        createdAt: refund.created_at ?? at,
        payload: JSON.stringify(payload),
        eventAt,
        eventId,
        terminal: terminalStatuses.refund,
      })
      return upsert(sql, row)
    },
  }
}

const refunds = statement(
  'payments.upsert.Refund',
  `with former as (
    select status, false as "wasCancelingAtPeriodEnd", false as "hadNoOwner"
    from "Refund" where "refundId" = :refundId for update),
  written as (
    insert into "Refund" as t (
      "refundId", "paymentId", amount, currency, "isPartial", reason, status, "createdAt", payload, "eventAt",
      "eventId")
    values (
      :refundId, :paymentId, :amount, :currency, :isPartial, :reason, :status, :createdAt, :payload, :eventAt,
      :eventId)
    on conflict ("refundId") do update set
      "paymentId" = excluded."paymentId",
      amount = coalesce(excluded.amount, t.amount),
      currency = coalesce(excluded.currency, t.currency),
      "isPartial" = excluded."isPartial" or t."isPartial",
      reason = coalesce(excluded.reason, t.reason),
      status = excluded.status,
      "createdAt" = excluded."createdAt",
      payload = excluded.payload,
      "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId"
    where ${isNewerSql('status')}
    returning 1)
  ${returnChangeSql}`,
)

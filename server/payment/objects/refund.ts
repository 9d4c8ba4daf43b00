import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { Amount, Id, Text, Time } from './fields.ts'
import { changeText, isNewer, upsert, type PaymentObject } from './object.ts'

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
    write: (sql, { payload, eventAt, eventId }) =>
      upsert(sql, 'refund', upsertText, [
        id,
        paymentId,
        refund.amount === null ? null : String(refund.amount),
        refund.currency ?? null,
        refund.is_partial,
        refund.reason ?? null,
        status,
        refund.created_at ?? at,
        JSON.stringify(payload),
        eventAt,
        eventId,
      ]),
  }
}

const upsertText = `
  with former as (
    select status, false as "wasEnding", false as "hadNoOwner" from "Refund" where "refundId" = $1 for update),
  written as (
    insert into "Refund" as t ("refundId", "paymentId", amount, currency, "isPartial", reason, status, "createdAt", payload,
      "eventAt", "eventId")
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
    on conflict ("refundId") do update set
      "paymentId" = excluded."paymentId", amount = excluded.amount, currency = excluded.currency,
      "isPartial" = excluded."isPartial", reason = excluded.reason, status = excluded.status,
      "createdAt" = excluded."createdAt", payload = excluded.payload, "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId"
    where ${isNewer('status', terminalStatuses.refund)}
    returning 1)
  ${changeText}`

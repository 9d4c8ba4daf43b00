import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { Id, Text, Time } from './fields.ts'
import { changeText, isNewer, upsert, type PaymentObject } from './object.ts'

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

/** A dispute: it belongs to the owner of its payment, and only administrators see it. */
export function readDispute(data: unknown, at: Date): PaymentObject {
  const dispute = Dispute.parse(data)
  const { dispute_id: id, payment_id: paymentId } = dispute
  const status = dispute.dispute_status ?? null
  return {
    table: 'Dispute',
    id,
    status,
    paymentId,
    write: (sql, { payload, eventAt, eventId }) =>
      upsert(sql, 'dispute', upsertText, [
        id,
        paymentId,
        dispute.amount,
        dispute.currency ?? '',
        dispute.dispute_stage ?? null,
        status,
        dispute.remarks ?? null,
        dispute.created_at ?? at,
        JSON.stringify(payload),
        eventAt,
        eventId,
      ]),
  }
}

const upsertText = `
  with former as (
    select "disputeStatus" as status, false as "wasEnding", false as "hadNoOwner"
    from "Dispute" where "disputeId" = $1 for update),
  written as (
    insert into "Dispute" as t ("disputeId", "paymentId", amount, currency, "disputeStage", "disputeStatus", remarks,
      "createdAt", payload, "eventAt", "eventId")
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)
    on conflict ("disputeId") do update set
      "paymentId" = excluded."paymentId", amount = excluded.amount, currency = excluded.currency,
      "disputeStage" = excluded."disputeStage", "disputeStatus" = excluded."disputeStatus", remarks = excluded.remarks,
      "createdAt" = excluded."createdAt", payload = excluded.payload, "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId"
    where ${isNewer('disputeStatus', terminalStatuses.dispute)}
    returning 1)
  ${changeText}`

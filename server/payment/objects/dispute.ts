import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { statement } from '../../foundation/statement.ts'
import { Id, Text, Time } from './fields.ts'
import type { PaymentObject } from './object.ts'
import { returnChangeSql, isNewerSql, upsert } from './upsert.ts'

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
    write(sql, { payload, eventAt, eventId }) {
      const row = disputes({
        disputeId: id,
        paymentId,
        amount: dispute.amount,
        currency: dispute.currency ?? '',
        disputeStage: dispute.dispute_stage,
        disputeStatus: status,
        remarks: dispute.remarks,
        createdAt: dispute.created_at ?? at,
        payload: JSON.stringify(payload),
        eventAt,
        eventId,
        terminal: terminalStatuses.dispute,
      })
      return upsert(sql, row)
    },
  }
}

const disputes = statement(
  'payments.upsert.Dispute',
  `with former as (
    select "disputeStatus" as status, false as "wasCancelingAtPeriodEnd", false as "hadNoOwner"
    from "Dispute" where "disputeId" = :disputeId for update),
  written as (
    insert into "Dispute" as t (
      "disputeId", "paymentId", amount, currency, "disputeStage", "disputeStatus", remarks, "createdAt", payload,
      "eventAt", "eventId")
    values (
      :disputeId, :paymentId, :amount, :currency, :disputeStage, :disputeStatus, :remarks, :createdAt, :payload,
      :eventAt, :eventId)
    on conflict ("disputeId") do update set
      "paymentId" = excluded."paymentId",
      amount = excluded.amount,
      currency = excluded.currency,
      "disputeStage" = excluded."disputeStage",
      "disputeStatus" = excluded."disputeStatus",
      remarks = excluded.remarks,
      "createdAt" = excluded."createdAt",
      payload = excluded.payload,
      "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId"
    where ${isNewerSql('"disputeStatus"')}
    returning 1)
  ${returnChangeSql}`,
)

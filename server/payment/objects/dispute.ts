import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { Id, Text, Time } from './fields.ts'
import type { PaymentObject } from './object.ts'
import { upsert, upsertInto } from './upsert.ts'

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
      })
      return upsert(sql, row)
    },
  }
}

const disputes = upsertInto({
  name: 'Dispute',
  key: 'disputeId',
  columns: ['paymentId', 'amount', 'currency', 'disputeStage', 'disputeStatus', 'remarks'],
  status: { column: 'disputeStatus', terminal: terminalStatuses.dispute },
  hasOwner: false,
})

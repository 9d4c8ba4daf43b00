import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { Amount, Id, Text, Time } from './fields.ts'
import type { PaymentObject } from './object.ts'
import { upsert, upsertInto } from './upsert.ts'

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
      })
      return upsert(sql, row)
    },
  }
}

const refunds = upsertInto({
  name: 'Refund',
  key: 'refundId',
  columns: ['paymentId', 'amount', 'currency', 'isPartial', 'reason', 'status'],
  status: { column: 'status', terminal: terminalStatuses.refund },
  hasOwner: false,
  // The list of refunds of a payment leaves these out.
  kept: {
    amount: 'coalesce(excluded.amount, t.amount)',
    currency: 'coalesce(excluded.currency, t.currency)',
    reason: 'coalesce(excluded.reason, t.reason)',
    isPartial: 'excluded."isPartial" or t."isPartial"',
  },
})

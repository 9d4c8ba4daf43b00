import { isRecord } from '../../foundation/records.ts'

/**
 * Amount of a refund: its own, else the one in its payment's list of refunds, else the payment's if it was refunded in
 * full.
 */
export function amountOf(
  { refundId, amount, isPartial }: { refundId: string; amount: bigint | null; isPartial: boolean },
  { payload, totalAmount }: { payload: unknown; totalAmount: bigint },
): number {
  if (amount !== null) return Number(amount)
  const listed = isRecord(payload) && Array.isArray(payload['refunds']) ? payload['refunds'] : []
  const own: unknown = listed.find((one: unknown) => isRecord(one) && one['refund_id'] === refundId)
  if (isRecord(own) && typeof own['amount'] === 'number') return own['amount']
  return isPartial ? 0 : Number(totalAmount)
}

/** Key of the lease for a full refund of a payment. Its result is the provider's id of the refund. */
export const refundLeaseKey = (paymentId: string) => `refund:${paymentId}`

/** Whether a refund with this status, as the provider names it, may still succeed. It may be under review for days. */
export function isOngoingRefund(status: string | null): boolean {
  return status !== 'failed' && status !== 'succeeded'
}

/**
 * SQL: the amount of a refund `r` of a payment `p`. If the refund's own events do not name it, that in the payment's
 * list of refunds; else that of the payment, or 0 for a partial refund.
 */
export const refundAmountSql = `coalesce(r.amount::numeric,
  (select (one->>'amount')::numeric
    from jsonb_array_elements(case jsonb_typeof(p.payload->'refunds') when 'array' then p.payload->'refunds' else '[]' end) one
    where one->>'refund_id' = r."refundId" and jsonb_typeof(one->'amount') = 'number' limit 1),
  case when r."isPartial" then 0 else p."totalAmount" end)`

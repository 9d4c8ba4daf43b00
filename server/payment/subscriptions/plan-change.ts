import { isRecord } from '../../foundation/records.ts'

type PlanChange = {
  productId: string
  quantity: number
  onPaymentFailure: 'prevent_change' | 'apply_change'
  now: Date
}

/**
 * The body of a change of plan or quantity. The provider removes what the change does not list, so the add-ons in the
 * subscription's newest payload are sent along, and its discounts if only the quantity changes. Discounts of another
 * plan are the operator's decision (`preserve_on_plan_change` at the provider). `onPaymentFailure` is always sent: the
 * provider's own default applies the change although its charge failed.
 */
export function planChangeBody(
  { payload }: { payload: unknown },
  { productId, quantity, onPaymentFailure, now }: PlanChange,
) {
  const plan = isRecord(payload) ? payload : {}
  const addons = itemsOf(plan, 'addons').flatMap(({ addon_id, quantity: count }) =>
    typeof addon_id === 'string' && typeof count === 'number' ? [{ addon_id, quantity: count }] : [],
  )
  const discount_codes = plan['product_id'] === productId ? discountCodesOf(plan, now) : []
  return {
    product_id: productId,
    quantity,
    proration_billing_mode: 'prorated_immediately' as const,
    on_payment_failure: onPaymentFailure,
    ...(addons.length > 0 && { addons }),
    ...(discount_codes.length > 0 && { discount_codes }),
  }
}

/**
 * The codes of a subscription's discounts, in their order, unless the provider preserves all of them itself. One that
 * is used up or has expired would start again, or be refused.
 */
function discountCodesOf(plan: Record<string, unknown>, now: Date): string[] {
  const discounts = itemsOf(plan, 'discounts').filter(
    ({ cycles_remaining: cycles, expires_at: end }) =>
      cycles !== 0 && !(typeof end === 'string' && Date.parse(end) <= now.getTime()),
  )
  if (discounts.every((discount) => discount['preserve_on_plan_change'] === true)) return []
  return discounts
    .toSorted((a, b) => Number(a['position'] ?? 0) - Number(b['position'] ?? 0))
    .flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
}

function itemsOf(plan: Record<string, unknown>, name: string): Record<string, unknown>[] {
  const list = plan[name]
  return Array.isArray(list) ? list.filter(isRecord) : []
}

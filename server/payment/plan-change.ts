import { isRecord } from '../foundation/records.ts'

/**
 * The body of a change of plan or quantity. The provider removes add-ons that the change does not list, so those in the
 * subscription's newest payload are sent along.
 */
export function planChange(
  { payload }: { payload: unknown },
  { productId, quantity }: { productId: string; quantity: number },
) {
  const listed = isRecord(payload) && Array.isArray(payload['addons']) ? payload['addons'] : []
  const addons = listed.flatMap((one: unknown) => {
    const { addon_id, quantity: count } = isRecord(one) ? one : {}
    return typeof addon_id === 'string' && typeof count === 'number' ? [{ addon_id, quantity: count }] : []
  })
  const change = { product_id: productId, quantity, proration_billing_mode: 'prorated_immediately' as const }
  return addons.length > 0 ? { ...change, addons } : change
}

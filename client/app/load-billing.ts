import { queries } from '../api/client.ts'
import type { BillingScope } from '../payment/billing-scope.ts'

/**
 * Loads what is above the rest of a billing screen in one request: nothing moves down later. Each part fails on its
 * own.
 */
export async function loadBilling(scope: BillingScope): Promise<void> {
  const { hasPayments } = await queries.session.options.ensureData()
  if (!hasPayments) return
  // The provider is asked at the same time, in a request of its own that nothing waits for.
  void queries.payment.products.prefetch(undefined, { trpc: { context: { isSlow: true } } })
  const { subscriptions, payments, months, customers, licenseKeys } = queries.payment
  await Promise.all([subscriptions, payments, months, customers, licenseKeys].map((query) => query.prefetch(scope)))
}

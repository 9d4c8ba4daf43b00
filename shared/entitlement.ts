import { z } from 'zod'
import { type EntitlingSubscription, isEntitled } from './payment.ts'
import { Id, Timestamp } from './schema.ts'

/** The features available to an owner: those of every product with a subscription that grants access. */
export const FeatureAccess = z.object({
  /** Names of features, sorted, each once. */
  features: z.array(z.string()),
  plans: z.array(z.object({ productId: z.string(), quantity: z.number(), status: z.string().nullable() })),
})
export type FeatureAccess = z.output<typeof FeatureAccess>

/** One entitlement: a product with a subscription that grants access. */
export const Entitlement = z.object({
  /** Product id. */
  product: z.string(),
  /** Name of the product as last read from the payment provider. */
  name: z.string().nullable(),
  status: z.string().nullable(),
  /** When access ends, if known. A subscription that renews has no end. */
  until: Timestamp.nullable(),
})
export type Entitlement = z.output<typeof Entitlement>

export const EntitlementScope = z.object({ organizationId: Id.optional() }).default({})

type Subscribed = EntitlingSubscription & { productId: string; quantity: number }
type EvaluationTime = { now: Date; graceSeconds: number }

/** Computes the entitlements from an owner's subscriptions and the features of each product. */
export function featureAccessOf(
  subscriptions: readonly Subscribed[],
  featuresByProduct: ReadonlyMap<string, readonly string[]>,
  at: EvaluationTime,
): FeatureAccess {
  const entitling = subscriptions.filter((subscription) => isEntitled(subscription, at))
  const features = entitling.flatMap(({ productId }) => featuresByProduct.get(productId) ?? [])
  return {
    features: [...new Set(features)].toSorted(),
    plans: entitling.map(({ productId, quantity, status }) => ({ productId, quantity, status })),
  }
}

/** Whether a feature is among the entitlements. */
export function hasFeature({ features }: Pick<FeatureAccess, 'features'>, feature: string): boolean {
  return features.includes(feature)
}

/** When a subscription's access ends. Null while it renews. */
export function accessEndsAt(
  subscription: EntitlingSubscription,
  { graceSeconds }: Pick<EvaluationTime, 'graceSeconds'>,
): Date | null {
  const { status, nextBillingDate, cancelAtNextBillingDate, since, pastDueEndsAt } = subscription
  if (status === 'past_due') return pastDueEndsAt == null ? null : new Date(pastDueEndsAt)
  if (status === 'on_hold') return new Date(new Date(since).getTime() + graceSeconds * 1000)
  return cancelAtNextBillingDate && nextBillingDate !== null ? new Date(nextBillingDate) : null
}

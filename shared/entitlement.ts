import { z } from 'zod'
import { Id } from './account.ts'
import { type Entitling, isEntitled } from './payment.ts'

/** What an owner may use: the features of every product with a subscription that grants access. */
export const Entitlements = z.object({
  /** Names of features, sorted, each once. */
  features: z.array(z.string()),
  plans: z.array(z.object({ productId: z.string(), quantity: z.number(), status: z.string().nullable() })),
})
export type Entitlements = z.output<typeof Entitlements>

export const EntitlementsOf = z.object({ organizationId: Id.optional() }).default({})

type Subscribed = Entitling & { productId: string; quantity: number }

/** Computes the entitlements from an owner's subscriptions and the features of each product. */
export function entitlementsOf(
  subscriptions: readonly Subscribed[],
  featuresByProduct: ReadonlyMap<string, readonly string[]>,
  at: { now: Date; graceSeconds: number },
): Entitlements {
  const entitling = subscriptions.filter((subscription) => isEntitled(subscription, at))
  const features = entitling.flatMap(({ productId }) => featuresByProduct.get(productId) ?? [])
  return {
    features: [...new Set(features)].toSorted(),
    plans: entitling.map(({ productId, quantity, status }) => ({ productId, quantity, status })),
  }
}

/** Whether a feature is among the entitlements. */
export function has({ features }: Pick<Entitlements, 'features'>, feature: string): boolean {
  return features.includes(feature)
}

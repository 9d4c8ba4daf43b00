import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import {
  type Entitlement,
  type FeatureAccess,
  type EntitlementScope,
  featureAccessOf,
} from '../../../shared/entitlement.ts'
import { refuse } from '../../foundation/refusal.ts'
import { findOwnMember } from '../../organization/require-member.ts'
import type { Context, CallerContext } from '../../request/context.ts'
import type { BillingOwner } from '../billing-owner/billing-owner.ts'
import { findFeatures, listProducts } from '../provider/products.ts'
import { findEntitlements } from './entitlements.ts'
import { findEntitlingSubscriptions } from './owned-subscriptions.ts'

/** The products that the caller, or an organization that the caller is a member of, has access to. */
export async function listEntitlements(
  ctx: CallerContext,
  options: z.output<typeof EntitlementScope>,
): Promise<Entitlement[]> {
  return findEntitlements(ctx, await ownerNamed(ctx, options))
}

/** The features of the caller, or of an organization for any of its members. Read from our own rows only. */
export async function readFeatures(
  ctx: CallerContext,
  options: z.output<typeof EntitlementScope>,
): Promise<FeatureAccess> {
  const owner = await ownerNamed(ctx, options)
  const subscriptions = await findEntitlingSubscriptions(ctx.pool, owner)
  const productIds = subscriptions.map(({ productId }) => productId)
  const features = await featuresOf(ctx, productIds)
  return featureAccessOf(subscriptions, features, { now: ctx.now, graceSeconds: ctx.config.paymentGraceSeconds })
}

/** The owner that a call names. Organizations that do not exist get the same error as those of others. */
async function ownerNamed(
  ctx: CallerContext,
  { organizationId }: z.output<typeof EntitlementScope>,
): Promise<BillingOwner> {
  if (organizationId === undefined) return { userId: ctx.user.id }
  const member = await findOwnMember(ctx, organizationId)
  return member ? { organizationId } : refuse('NOT_A_MEMBER_FORBIDDEN')
}

/** Maximum milliseconds that a response waits for the provider to describe an unknown product. */
const maxWaitMs = 2_000
/** Milliseconds until the provider is asked again about a product that it did not describe. */
const retryMs = 60_000
let askedAt = 0

/** Features of products as last read. Unknown products are looked up at the provider, with a short wait. */
async function featuresOf(ctx: Context, productIds: string[]): Promise<Map<string, string[]>> {
  const known = await findFeatures(ctx.db, productIds)
  const now = ctx.clock().getTime()
  if (productIds.every((id) => known.has(id)) || now - askedAt < retryMs) return known
  askedAt = now
  const reading = listProducts(ctx).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'failed to read products from the payment provider'),
  )
  await Promise.race([reading, wait(maxWaitMs, undefined, { ref: false })])
  return findFeatures(ctx.db, productIds)
}

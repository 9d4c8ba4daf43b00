import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { type Entitlements, type EntitlementsOf, entitlementsOf } from '../../shared/entitlement.ts'
import { refuse } from '../foundation/refusal.ts'
import { findMember } from '../organization/members.ts'
import type { Caller, Context } from '../request/context.ts'
import type { Owner } from './owner.ts'
import { findFeatures, listProducts } from './products.ts'
import { findEntitling } from './purchases.ts'

/** The entitlements of the caller, or of an organization for each of its members. Read from our own rows alone. */
export async function readEntitlements(
  ctx: Context & Caller,
  { organizationId }: z.output<typeof EntitlementsOf>,
): Promise<Entitlements> {
  const owner: Owner = organizationId === undefined ? { userId: ctx.user.id } : { organizationId }
  if ('organizationId' in owner && !(await findMember(ctx.pool, { ...owner, userId: ctx.user.id }))) {
    refuse('USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION')
  }
  const subscriptions = await findEntitling(ctx.db, owner)
  const productIds = subscriptions.map(({ productId }) => productId)
  const features = await featuresOf(ctx, productIds)
  return entitlementsOf(subscriptions, features, { now: ctx.now, graceSeconds: ctx.config.paymentGraceSeconds })
}

/** Time that an answer waits for the provider to describe a product that was never read, in milliseconds. */
const maxWaitMs = 2_000
/** A provider that did not describe a product is not asked again for so long, in milliseconds. */
const retryMs = 60_000
let askedAt = 0

/** Features of products as last read. A product that was never read is looked for at the provider, without a long wait. */
async function featuresOf(ctx: Context, productIds: string[]): Promise<Map<string, string[]>> {
  const known = await findFeatures(ctx.db, productIds)
  const now = ctx.clock().getTime()
  if (productIds.every((id) => known.has(id)) || now - askedAt < retryMs) return known
  askedAt = now
  const reading = listProducts(ctx).catch((error: unknown) => ctx.log.warn({ err: error }, 'products were not read'))
  await Promise.race([reading, wait(maxWaitMs, undefined, { ref: false })])
  return findFeatures(ctx.db, productIds)
}

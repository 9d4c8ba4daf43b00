import type { Pool } from 'pg'
import { accessEndsAt, type Entitlement } from '../../../shared/entitlement.ts'
import { isEntitled } from '../../../shared/payment.ts'
import type { BillingOwner } from '../billing-owner/billing-owner.ts'
import { findEntitlingSubscriptions } from './owned-subscriptions.ts'

type Deps = { pool: Pool; now: Date; config: { paymentGraceSeconds: number } }

/** The products that an owner has access to, read from our own rows only. */
export async function findEntitlements({ pool, now, config }: Deps, owner: BillingOwner): Promise<Entitlement[]> {
  const at = { now, graceSeconds: config.paymentGraceSeconds }
  const entitling = (await findEntitlingSubscriptions(pool, owner)).filter((subscription) =>
    isEntitled(subscription, at),
  )
  return entitling.map((subscription) => ({
    product: subscription.productId,
    name: subscription.name,
    status: subscription.status,
    until: accessEndsAt(subscription, at),
  }))
}

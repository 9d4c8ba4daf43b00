import type { Pool } from 'pg'
import { endOf, type Entitlement } from '../../../shared/entitlement.ts'
import { isEntitled } from '../../../shared/payment.ts'
import type { Owner } from '../owner/owner.ts'
import { findEntitling } from './owned-subscriptions.ts'

type Deps = { pool: Pool; now: Date; config: { paymentGraceSeconds: number } }

/** The products that an owner has access to, read from our own rows only. */
export async function findEntitlements({ pool, now, config }: Deps, owner: Owner): Promise<Entitlement[]> {
  const at = { now, graceSeconds: config.paymentGraceSeconds }
  const entitling = (await findEntitling(pool, owner)).filter((subscription) => isEntitled(subscription, at))
  return entitling.map((subscription) => ({
    product: subscription.productId,
    name: subscription.name,
    status: subscription.status,
    until: endOf(subscription, at),
  }))
}

import type { z } from 'zod'
import type { AdministeredSubscription } from '../../shared/payment.ts'
import type { Db } from '../foundation/database.ts'
import type { BillingOwner } from '../payment/billing-owner/billing-owner.ts'
import { withProductNames } from '../purchase/product-names.ts'

/** Maximum number of subscriptions on a details page. */
const maxShown = 100

/** Subscriptions of a user or an organization, newest first. */
export async function listSubscriptionsOf(
  db: Db,
  owner: BillingOwner,
): Promise<z.output<typeof AdministeredSubscription>[]> {
  const rows = await db.subscription.findMany({
    where: owner,
    orderBy: [{ createdAt: 'desc' }, { subscriptionId: 'desc' }],
    take: maxShown,
    select: {
      subscriptionId: true,
      productId: true,
      status: true,
      nextBillingDate: true,
      cancelAtNextBillingDate: true,
    },
  })
  return (await withProductNames(db, rows)).map(({ subscriptionId: id, ...row }) => ({ id, ...row }))
}

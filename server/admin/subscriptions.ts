import type { z } from 'zod'
import type { AdministeredSubscription } from '../../shared/payment.ts'
import type { Tx } from '../foundation/database.ts'
import type { BillingOwner } from '../payment/billing-owner/billing-owner.ts'
import { withProductNames } from '../purchase/product-names.ts'

/** Maximum number of subscriptions on a details page. */
const maxShown = 100

/** Subscriptions of a user or an organization, newest first. */
export async function listSubscriptionsOf(
  tx: Tx,
  owner: BillingOwner,
): Promise<z.output<typeof AdministeredSubscription>[]> {
  const rows = await tx.subscription.findMany({
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
  return (await withProductNames(tx, rows)).map(({ subscriptionId: id, ...row }) => ({ id, ...row }))
}

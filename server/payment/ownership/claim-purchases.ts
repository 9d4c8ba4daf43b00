import type { App } from '../../dependencies.ts'
import { pgTransaction } from '../../foundation/transactions.ts'
import { takeAdvisoryLocks } from '../records/locks.ts'
import { findClaimableCustomers, lockAddressOwner } from './claimable-customers.ts'
import { assignUnownedPurchases } from './dependents.ts'

/** Maximum number of customers that one run assigns. */
const maxPerRun = 200

/**
 * Assigns purchases that were made before the buyer signed up, or verified the email address that was used. The buyer
 * already sees them through the address; after this they belong to the buyer even if the address changes. Runs every
 * ten minutes.
 */
export async function claimPurchases(app: App): Promise<void> {
  const now = app.clock()
  for (const { customerId, userId } of await findClaimableCustomers(app.db, maxPerRun)) {
    await pgTransaction(app.paymentApplyPool, async (sql) => {
      await takeAdvisoryLocks(sql, [`Customer:${customerId}`])
      // The user may have been deleted, or have changed the email address.
      if (await lockAddressOwner(sql, customerId, userId))
        await assignUnownedPurchases(sql, customerId, { userId }, now)
    })
  }
}

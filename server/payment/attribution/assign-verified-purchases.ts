import type { App } from '../../dependencies.ts'
import { pgTransaction } from '../../foundation/transactions.ts'
import { takeAdvisoryLocks } from '../records/locks.ts'
import { findAssignableCustomers, lockUserOfEmail } from './assignable-customers.ts'
import { assignUnassignedPurchases } from './dependents.ts'

/** Maximum number of customers that one run assigns. */
const maxPerRun = 200

/**
 * Assigns purchases that were made before the buyer signed up, or verified the email address that was used. The buyer
 * already sees them through the address; after this they belong to the buyer even if the address changes. Runs every
 * ten minutes.
 */
export async function assignVerifiedPurchases(app: App): Promise<void> {
  const now = app.clock()
  for (const { customerId, userId } of await findAssignableCustomers(app.db, maxPerRun)) {
    await pgTransaction(app.paymentApplyPool, async (sql) => {
      await takeAdvisoryLocks(sql, [`Customer:${customerId}`])
      // The user may have been deleted, or have changed the email address.
      if (await lockUserOfEmail(sql, customerId, userId))
        await assignUnassignedPurchases(sql, customerId, { userId }, now)
    })
  }
}

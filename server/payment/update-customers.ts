import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { callProvider } from '../foundation/dodo.ts'
import { Refusal } from '../foundation/refusal.ts'
import { findOutdatedCustomers, setCustomerEmail } from './customers.ts'

/** Maximum number of customers that one run updates. */
const maxPerRun = 500

/**
 * Tells the provider the new address of users who have changed theirs. Otherwise receipts would go to the former address, and
 * its next holder's purchases by a link would be attached to the former one's customer. Runs every ten minutes.
 */
export async function updateCustomers(app: App): Promise<void> {
  if (!app.config.payments) return
  for (const { customerId, email, name } of await findOutdatedCustomers(app.db, maxPerRun)) {
    try {
      await callProvider(app.config.payments, z.unknown(), (client) =>
        client.customers.update(customerId, { email, name }),
      )
    } catch (error) {
      app.log.warn({ err: error, customerId }, 'the address of a customer was not updated')
      if (error instanceof Refusal && error.key !== 'PAYMENT_WAS_REFUSED') return
    }
    // An address that the provider refuses is not told again.
    await setCustomerEmail(app.db, customerId, email, app.clock())
  }
}

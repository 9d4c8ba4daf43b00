import { z } from 'zod'
import type { App } from '../../dependencies.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { linkOwnCustomer } from '../attribution/customers.ts'
import { callPaymentProvider } from '../provider/provider-api.ts'
import { createProviderCustomer } from './create-customer.ts'
import {
  findUsersOfOrganizationEmails,
  findOutdatedCustomers,
  markVerifiedEmails,
  setCustomerEmail,
} from './customer-emails.ts'

/** Maximum number of customers that one run updates, and creates. */
const maxPerRun = 500

/**
 * Keeps the provider's customers separate, even with the same email addresses. Runs every ten minutes.
 *
 * - Sends the provider the new email address of users who have changed theirs. Otherwise receipts would go to the
 *   former address, and guest purchases of its next holder would be attached to the former holder's customer. An
 *   organization's receipts are no longer sent to a member who has left.
 * - Creates a customer for a user whose email address an organization's customer has. Otherwise the user's private
 *   guest purchases would be attached to the organization's customer, and shown in its portal.
 */
export async function updateCustomers(app: App): Promise<void> {
  if (!app.config.payments) return
  await markVerifiedEmails(app.db)
  for (const { customerId, email, name } of await findOutdatedCustomers(app.db, maxPerRun)) {
    const outcome = await attempt(app, { customerId }, () =>
      callPaymentProvider(app.config.payments, z.unknown(), (client) =>
        client.customers.update(customerId, { email, name }),
      ),
    )
    if (outcome === 'unreachable') return
    await setCustomerEmail(app.db, { customerId, email, isAccepted: outcome === 'done', now: app.clock() })
  }
  for (const { userId, email, name } of await findUsersOfOrganizationEmails(app.db, maxPerRun)) {
    const outcome = await attempt(app, { userId }, async () => {
      const customerId = await createProviderCustomer(app.config.payments, { email, name })
      const isNew = await linkOwnCustomer(app.db, { customerId, email, name, owner: { userId }, now: app.clock() })
      if (!isNew) app.log.warn({ userId, customerId }, 'failed to create a customer at the payment provider')
    })
    if (outcome === 'unreachable') return
  }
}

/** If the provider is unreachable, the rest waits for the next run. A refusal affects this customer alone. */
async function attempt(
  app: App,
  about: object,
  call: () => Promise<unknown>,
): Promise<'done' | 'refused' | 'unreachable'> {
  try {
    await call()
    return 'done'
  } catch (error) {
    app.log.warn({ err: error, ...about }, 'failed to update a customer at the payment provider')
    return !(error instanceof Refusal) || error.key === 'PAYMENT_WAS_REFUSED' ? 'refused' : 'unreachable'
  }
}

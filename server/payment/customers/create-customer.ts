import { z } from 'zod'
import { refuse } from '../../foundation/refusal.ts'
import { verifiedEmail } from '../../foundation/verified-email.ts'
import { findOrganization } from '../../organization/organizations.ts'
import type { CallerContext } from '../../request/context.ts'
import { findUserById } from '../../session/users.ts'
import { countCustomers, linkOwnCustomer } from '../attribution/customers.ts'
import { findOwnCustomer } from '../attribution/owned-customers.ts'
import { type BillingOwner, billingOwnerKey } from '../billing-owner/billing-owner.ts'
import { callPaymentProvider, type PaymentSettings } from '../provider/provider-api.ts'
import { singleFlight } from '../provider/single-flight.ts'

const CreatedCustomer = z.object({ customer_id: z.string().min(1).max(256) })

/** Concurrent first checkouts of one owner get the same customer. Later ones find its row. */
const resultTtlSeconds = 60

/**
 * Returns the owner's customer at the provider, creating it before the first checkout. A person and an organization
 * never share a customer, even with the same email address, because everyone who may open a customer's portal sees all
 * of its purchases.
 */
export async function findOrCreateCustomer(ctx: CallerContext, owner: BillingOwner): Promise<string> {
  const known = await findOwnCustomer(ctx.db, owner)
  if (known !== undefined) return known
  // Without the count, the request would return the former customer, which the provider no longer knows.
  const count = await countCustomers(ctx.db, owner)
  const key = `customer:${billingOwnerKey(owner)}:${count}`
  return singleFlight(ctx, { key, resultTtlSeconds }, () => createOnce(ctx, owner))
}

async function createOnce(ctx: CallerContext, owner: BillingOwner): Promise<string> {
  const known = await findOwnCustomer(ctx.db, owner)
  if (known !== undefined) return known
  const { email, isEmailUnverified } = await billingEmailOf(ctx)
  const name = await nameOf(ctx, owner)
  const customerId = await createProviderCustomer(ctx.config.payments, { email, name })
  const made = { customerId, email, name, isEmailUnverified }
  if (await linkOwnCustomer(ctx.db, { ...made, owner, now: ctx.clock() })) return customerId
  // The provider returned an existing customer, which would mix the purchases of two owners.
  refuse('PAYMENT_PROVIDER_INVALID_RESPONSE', { cause: new Error(`customer ${customerId} already exists`) })
}

/** Creates a customer at the provider, and returns its id. */
export async function createProviderCustomer(
  settings: PaymentSettings | undefined,
  customer: { email: string; name: string },
): Promise<string> {
  const made = await callPaymentProvider(settings, CreatedCustomer, (client) => client.customers.create(customer))
  return made.customer_id
}

/**
 * The email address to send to the provider: the last one that the user has verified, not one whose change is
 * unconfirmed. The provider attaches a guest purchase (see attribution/owned-customers.ts) to the newest customer with
 * the buyer's address.
 */
async function billingEmailOf({ db, user }: CallerContext): Promise<{ email: string; isEmailUnverified: boolean }> {
  const row = (await findUserById(db, user.id)) ?? refuse('UNAUTHORIZED')
  const verified = verifiedEmail(row)
  return { email: verified ?? row.email, isEmailUnverified: verified === null }
}

async function nameOf({ db, user }: CallerContext, owner: BillingOwner): Promise<string> {
  if ('userId' in owner) return user.name
  const organization = await findOrganization(db, owner.organizationId)
  return organization?.name ?? refuse('ORGANIZATION_NOT_FOUND')
}

import { z } from 'zod'
import { type PaymentSettings, callProvider } from '../foundation/dodo.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'
import { findOwnCustomer, linkOwnCustomer } from './customers.ts'
import { type Owner, ownerKey } from './owner.ts'
import { singleFlight } from './single-flight.ts'

const Made = z.object({ customer_id: z.string().min(1).max(256) })

/** Concurrent first checkouts of one owner get the same customer. Later ones find its row. */
const keepSeconds = 60

/**
 * Returns the owner's customer at the provider, which is made before the first checkout. A person's and an organization's are
 * never one, whatever their addresses: everyone who may open a customer's portal sees all of its purchases.
 */
export async function createCustomer(ctx: Context & Caller, owner: Owner): Promise<string> {
  const known = await findOwnCustomer(ctx.db, owner)
  if (known !== undefined) return known
  // Without the count, a request would get the former customer again that the provider has lost.
  const count = await ctx.db.customer.count({ where: owner })
  const flight = { key: `customer:${ownerKey(owner)}:${count}`, keepSeconds, clock: ctx.clock }
  return singleFlight(ctx.db, flight, () => make(ctx, owner))
}

async function make(ctx: Context & Caller, owner: Owner): Promise<string> {
  const known = await findOwnCustomer(ctx.db, owner)
  if (known !== undefined) return known
  const { email } = ctx.user
  const name = await nameOf(ctx, owner)
  const customerId = await createAtProvider(ctx.config.payments, { email, name })
  if (await linkOwnCustomer(ctx.db, { customerId, email, name, owner, now: ctx.clock() })) return customerId
  // The provider returned a customer that exists. It would mix the purchases of two owners.
  refuse('PAYMENT_PROVIDER_ANSWER_IS_UNUSABLE', { cause: new Error(`customer ${customerId} is known already`) })
}

/** Makes a customer at the provider, and returns its id. */
export async function createAtProvider(
  settings: PaymentSettings | undefined,
  customer: { email: string; name: string },
): Promise<string> {
  const made = await callProvider(settings, Made, (client) => client.customers.create(customer))
  return made.customer_id
}

async function nameOf({ db, user }: Context & Caller, owner: Owner): Promise<string> {
  if ('userId' in owner) return user.name
  const organization = await db.organization.findUnique({ where: { id: owner.organizationId } })
  return organization?.name ?? refuse('ORGANIZATION_NOT_FOUND')
}

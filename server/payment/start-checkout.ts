import type { z } from 'zod'
import type { CreateCheckout } from '../../shared/payment.ts'
import { withQuery } from '../../shared/redirect.ts'
import { record } from '../event/record.ts'
import { createCheckoutSession } from '../foundation/dodo.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'
import { customersOf } from './attribution.ts'
import { checkoutBody, oneCheckout } from './create-checkout.ts'
import { ownerEvent, ownerFor } from './find-owner.ts'
import { ownerMetadata } from './signed-metadata.ts'

/** A checkout at the provider for me, or for an organization that I may act for; a second click finds the first one's. */
export async function startCheckout(ctx: Context & Caller, input: z.output<typeof CreateCheckout>) {
  if (!ctx.config.payments) refuse('PAYMENTS_ARENT_ENABLED')
  const owner = await ownerFor(ctx, input.organizationId)
  const [known] = await customersOf(ctx.db, owner)
  const hasOwnCustomer = 'organizationId' in owner
  const buyer = {
    email: ctx.user.email,
    name: ctx.user.name,
    ...(known && { customerId: known.customerId }),
    ...(hasOwnCustomer && !known && { create_new_customer: true }),
  }
  const body = checkoutBody(input, buyer, ownerMetadata(ctx.keys.purchases, { owner, hasOwnCustomer }))
  const checkoutUrl = await oneCheckout(ctx.db, { owner, body, clock: ctx.clock }, async () => {
    const return_url = returnUrl(ctx, input.organizationId)
    const session = await createCheckoutSession(ctx.config.payments, { ...body, return_url })
    return session.checkout_url ?? refuse('PAYMENT_WAS_REFUSED')
  })
  const productIds = body.product_cart.map(({ product_id }) => product_id)
  await record(ctx.db, ctx, { type: 'payment.checkout_started', ...ownerEvent(ctx, owner), data: { productIds } })
  return { checkoutUrl }
}

/**
 * Where the provider sends people back to: for whom it was, and since when a payment can be this one's. It adds what it likes,
 * and nothing of that is believed.
 */
export function returnUrl({ config, now }: Context, organizationId: string | undefined): string {
  const query = { since: String(now.getTime()), ...(organizationId !== undefined && { organization: organizationId }) }
  return withQuery(`${config.appOrigin}/billing/return`, query)
}

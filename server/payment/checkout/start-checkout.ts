import { z } from 'zod'
import type { CheckoutLink, CreateCheckout } from '../../../shared/payment.ts'
import { withQuery } from '../../../shared/redirect.ts'
import { record } from '../../event/record.ts'
import { newId, sha256 } from '../../foundation/crypto.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Context, CallerContext } from '../../request/context.ts'
import { markCustomerMissing } from '../attribution/customers.ts'
import { ownerMetadata } from '../attribution/signed-metadata.ts'
import { type BillingOwner, billingOwnerKey } from '../billing-owner/billing-owner.ts'
import { ownerEvent, requireBillingOwner } from '../billing-owner/require-billing-owner.ts'
import { findOrCreateCustomer } from '../customers/create-customer.ts'
import { callPaymentProvider, paymentProviderStatus } from '../provider/provider-api.ts'
import { singleFlight } from '../provider/single-flight.ts'
import { checkoutBody } from './checkout-body.ts'
import { checkoutLink } from './checkout-link.ts'

/** Seconds during which a repeated request returns the same checkout. */
const resultTtlSeconds = 900

type CheckoutInput = z.output<typeof CreateCheckout>

/** Starts a checkout for the caller, or for an organization whose billing the caller manages. */
export async function startCheckout(ctx: CallerContext, input: CheckoutInput) {
  if (!ctx.config.payments) refuse('PAYMENTS_ARENT_ENABLED')
  const owner = await requireBillingOwner(ctx, input.organizationId)
  const body = checkoutBody(input, { language: ctx.language.code, ...(input.theme && { theme: input.theme }) })
  const key = `${billingOwnerKey(owner)}:${sha256(JSON.stringify([body, input.metadata]))}`
  const checkoutUrl = await singleFlight(ctx, { key, resultTtlSeconds }, async () => {
    const customerId = await findOrCreateCustomer(ctx, owner)
    const url = await createCheckoutSession(ctx, { owner, body, customerId, input })
    if (url !== undefined) return url
    // The provider no longer knows the customer: it is created again, once.
    await markCustomerMissing(ctx.db, customerId, ctx.now)
    const renewed = await findOrCreateCustomer(ctx, owner)
    return (
      (await createCheckoutSession(ctx, { owner, body, customerId: renewed, input })) ?? refuse('PAYMENT_WAS_REFUSED')
    )
  })
  const productIds = body.product_cart.map(({ product_id }) => product_id)
  await record(ctx.db, ctx, { type: 'payment.checkout_started', ...ownerEvent(ctx, owner), data: { productIds } })
  return { checkoutUrl }
}

const CheckoutSession = z.object({ checkout_url: z.url({ protocol: /^https?$/ }) })

type SessionBody = Parameters<Parameters<Parameters<typeof callPaymentProvider>[2]>[0]['checkoutSessions']['create']>[0]

type NewSession = {
  owner: BillingOwner
  body: ReturnType<typeof checkoutBody>
  customerId: string
  input: CheckoutInput
}

/** Creates the checkout session. Undefined if the provider does not know the customer. */
async function createCheckoutSession(
  ctx: Context,
  { owner, body, customerId, input }: NewSession,
): Promise<string | undefined> {
  const signed = ownerMetadata(ctx.keys.purchases, { owner, checkoutId: newId(), customerId })
  const session = {
    ...body,
    customer: { customer_id: customerId },
    return_url: returnUrl(ctx, input.organizationId),
    cancel_url: returnUrl(ctx, input.organizationId, { canceled: '1' }),
    metadata: { ...input.metadata, ...signed },
  }
  try {
    // Countries, currencies and languages are plain text here, and validated by the provider.
    const made = await callPaymentProvider(ctx.config.payments, CheckoutSession, (client) =>
      client.checkoutSessions.create(session as SessionBody),
    )
    return made.checkout_url
  } catch (error) {
    const status = paymentProviderStatus(error)
    if ((status === 404 || status === 422) && (await isCustomerMissing(ctx, customerId))) return undefined
    throw error
  }
}

/** Whether the provider does not know this customer, as after a change from test to live mode. */
async function isCustomerMissing(ctx: Context, customerId: string): Promise<boolean> {
  try {
    await callPaymentProvider(ctx.config.payments, z.unknown(), (client) => client.customers.retrieve(customerId))
    return false
  } catch (error) {
    return paymentProviderStatus(error) === 404
  }
}

/** Builds a static checkout link for the caller or an organization. The provider is not called. */
export async function buildCheckoutLink(ctx: CallerContext, input: z.output<typeof CheckoutLink>) {
  const { payments } = ctx.config
  if (!payments) refuse('PAYMENTS_ARENT_ENABLED')
  const owner = await requireBillingOwner(ctx, input.organizationId)
  // Anyone can pay with the link, under any email address. It is valid only for the first customer that pays.
  const metadata = ownerMetadata(ctx.keys.purchases, { owner, checkoutId: newId(), customerId: undefined })
  const options = { environment: payments.environment, returnUrl: returnUrl(ctx, input.organizationId), metadata }
  return { url: checkoutLink(input, options) }
}

/**
 * The page that the provider redirects to after a checkout, with its owner and start time, by which the page recognizes
 * the payment. Parameters that the provider adds are not trusted.
 */
function returnUrl(
  { config, now }: Context,
  organizationId: string | undefined,
  more: { canceled?: '1' } = {},
): string {
  const organization = organizationId === undefined ? {} : { organization: organizationId }
  return withQuery(`${config.appOrigin}/billing/return`, { since: String(now.getTime()), ...organization, ...more })
}

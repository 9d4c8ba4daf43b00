import { z } from 'zod'
import {
  BuiltLink,
  CheckoutLink,
  CreateCheckout,
  ForWhom,
  LicenseKeyRow,
  ListPayments,
  PaidMonths,
  PaymentRow,
  PortalLink,
  Product,
  StartedCheckout,
  SubscriptionRow,
} from '../../shared/payment.ts'
import { can } from '../../shared/permissions.ts'
import { withQuery } from '../../shared/redirect.ts'
import { record } from '../event/record.ts'
import { callProvider, createCheckoutSession } from '../foundation/dodo.ts'
import { refuse } from '../foundation/refusal.ts'
import { findMember } from '../organization/members.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'
import type { Caller, Context } from '../request/context.ts'
import { customersOf } from './attribution.ts'
import { checkoutBody, checkoutLink, oneCheckout } from './create-checkout.ts'
import { type Owner, columnsOf } from './owner.ts'
import { listProducts } from './products.ts'
import { listLicenseKeys, listPayments, listSubscriptions, paidMonths } from './purchases.ts'
import { ownerMetadata } from './signed-metadata.ts'

/**
 * Where the provider sends people back to: for whom it was, and since when a payment can be this one's. It adds what it likes,
 * and nothing of that is believed.
 */
function returnUrl({ config, now }: Context, organizationId: string | undefined): string {
  const query = { since: String(now.getTime()), ...(organizationId !== undefined && { organization: organizationId }) }
  return withQuery(`${config.appOrigin}/billing/return`, query)
}

export const paymentRouter = router({
  /** A checkout at the provider for me, or for an organization that I may act for; a second click finds the first one's. */
  createCheckout: protectedProcedure
    .meta({ rest: 'POST /api/payments/checkout', limit: { max: 20, seconds: 60 } })
    .input(CreateCheckout)
    .output(StartedCheckout)
    .mutation(async ({ ctx, input }) => {
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
      await record(ctx.db, ctx, { type: 'payment.checkout_started', ...aboutOwner(ctx, owner), data: { productIds } })
      return { checkoutUrl }
    }),

  /** The provider's static page with every option in its address; nothing is asked of the provider. */
  checkoutLink: protectedProcedure
    .meta({ rest: 'POST /api/payments/checkout-link' })
    .input(CheckoutLink)
    .output(BuiltLink)
    .mutation(async ({ ctx, input }) => {
      const { payments } = ctx.config
      if (!payments) refuse('PAYMENTS_ARENT_ENABLED')
      const owner = await ownerFor(ctx, input.organizationId)
      // The address of the payer may be anybody's: the customer of such a purchase is nobody's own.
      const metadata = ownerMetadata(ctx.keys.purchases, { owner, hasOwnCustomer: false })
      const place = { environment: payments.environment, returnUrl: returnUrl(ctx, input.organizationId), metadata }
      return { url: checkoutLink(input, place) }
    }),

  /** The provider's own pages for cards, invoices and the end of a subscription. */
  portal: protectedProcedure
    .meta({ rest: 'POST /api/payments/portal' })
    .input(ForWhom)
    .output(PortalLink)
    .mutation(async ({ ctx, input }) => {
      const owner = await ownerFor(ctx, input.organizationId)
      const [customer] = await customersOf(ctx.db, owner)
      if (!ctx.config.payments) refuse('PAYMENTS_ARENT_ENABLED')
      if (!customer) refuse('NO_PURCHASES')
      const return_url = `${ctx.config.appOrigin}/billing`
      const { link } = await callProvider(ctx.config.payments, (client) =>
        client.customers.customerPortal.create(customer.customerId, { return_url }),
      )
      await record(ctx.db, ctx, { type: 'payment.portal_opened', ...aboutOwner(ctx, owner), data: {} })
      return { link }
    }),

  products: protectedProcedure
    .meta({ rest: 'GET /api/payments/products' })
    .output(z.array(Product))
    .query(({ ctx }) => listProducts(ctx.config.payments, ctx.clock())),

  payments: protectedProcedure
    .meta({ rest: 'GET /api/payments' })
    .input(ListPayments)
    .output(z.array(PaymentRow))
    .query(async ({ ctx, input }) =>
      listPayments(ctx.db, { ...input, owner: await ownerFor(ctx, input.organizationId) }),
    ),

  subscriptions: protectedProcedure
    .meta({ rest: 'GET /api/payments/subscriptions' })
    .input(ListPayments)
    .output(z.array(SubscriptionRow))
    .query(async ({ ctx, input }) => {
      const owner = await ownerFor(ctx, input.organizationId)
      const grace = { now: ctx.now, graceSeconds: ctx.config.paymentGraceSeconds }
      return listSubscriptions(ctx.db, { ...input, owner }, grace)
    }),

  licenseKeys: protectedProcedure
    .meta({ rest: 'GET /api/payments/license-keys' })
    .input(ListPayments)
    .output(z.array(LicenseKeyRow))
    .query(async ({ ctx, input }) =>
      listLicenseKeys(ctx.db, { ...input, owner: await ownerFor(ctx, input.organizationId) }),
    ),

  /** For the screens: what was paid month by month. */
  months: protectedProcedure
    .input(ForWhom)
    .output(PaidMonths)
    .query(async ({ ctx, input }) => paidMonths(ctx.db, await ownerFor(ctx, input.organizationId), ctx.now)),
})

/** Who did it for whom: the columns of an event about purchases. */
function aboutOwner({ user }: Pick<Caller, 'user'>, owner: Owner) {
  return { actorId: user.id, organizationId: columnsOf(owner).organizationId }
}

/** Me, or the organization that is named if my role there may change it. */
async function ownerFor(
  { user, pool }: Context & Pick<Caller, 'user'>,
  organizationId: string | undefined,
): Promise<Owner> {
  if (organizationId === undefined) return { userId: user.id }
  const member = await findMember(pool, { organizationId, userId: user.id })
  if (!member || !can(member.role, 'organization', 'update')) {
    refuse('YOU_ARE_NOT_ALLOWED_TO_MANAGE_BILLING', member ? { organizationId } : {})
  }
  return { organizationId }
}

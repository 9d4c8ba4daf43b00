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
import { refuse } from '../foundation/refusal.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'
import { checkoutLink } from './create-checkout.ts'
import { ownerFor } from './find-owner.ts'
import { openPortal } from './open-portal.ts'
import { listProducts } from './products.ts'
import { listLicenseKeys, listPayments, listSubscriptions, paidMonths } from './purchases.ts'
import { ownerMetadata } from './signed-metadata.ts'
import { returnUrl, startCheckout } from './start-checkout.ts'

export const paymentRouter = router({
  /** A checkout at the provider for me, or for an organization that I may act for; a second click finds the first one's. */
  createCheckout: protectedProcedure
    .meta({ rest: 'POST /api/payments/checkout', limit: { max: 20, seconds: 60 } })
    .input(CreateCheckout)
    .output(StartedCheckout)
    .mutation(({ ctx, input }) => startCheckout(ctx, input)),

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
      const options = { environment: payments.environment, returnUrl: returnUrl(ctx, input.organizationId), metadata }
      return { url: checkoutLink(input, options) }
    }),

  /** The provider's own pages for cards, invoices and the end of a subscription. */
  portal: protectedProcedure
    .meta({ rest: 'POST /api/payments/portal' })
    .input(ForWhom)
    .output(PortalLink)
    .mutation(({ ctx, input }) => openPortal(ctx, input)),

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

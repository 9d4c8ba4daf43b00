import { z } from 'zod'
import { Entitlement, FeatureAccess, EntitlementScope } from '../../shared/entitlement.ts'
import {
  ActivatedLicense,
  ActivateLicense,
  CheckoutLinkUrl,
  CancelSubscription,
  ChangePlan,
  PlanChanged,
  CheckDiscount,
  CheckedDiscount,
  CheckoutLink,
  CreateCheckout,
  CustomerRow,
  DeactivateLicense,
  InvoiceReference,
  OptionalOwner,
  LicenseKeyRow,
  ListPayments,
  OpenPortal,
  PaidMonths,
  PaymentRow,
  PaymentsPage,
  PlanPreview,
  PortalLink,
  Product,
  SearchPayments,
  StartedCheckout,
  SubscriptionReference,
  SubscriptionRow,
  TransferSubscription,
  ValidatedLicense,
  ValidateLicense,
} from '../../shared/payment.ts'
import { Status } from '../../shared/schema.ts'
import { freshProcedure, protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { anyCaller, programs, router } from '../procedure/trpc.ts'
import { billingOwnerProcedure } from './billing-owner/guard.ts'
import { buildCheckoutLink, startCheckout } from './checkout/start-checkout.ts'
import { listCustomers, createPortalSession } from './customers/create-portal-session.ts'
import { activateLicense, checkDiscount, deactivateLicense, validateLicense } from './licenses/licenses.ts'
import { listLicenseKeys } from './licenses/owned-license-keys.ts'
import { downloadInvoice } from './payments/download-invoice.ts'
import { listPayments, sumPaymentsByMonth, searchPayments } from './payments/owned-payments.ts'
import { listProducts } from './provider/products.ts'
import {
  cancelSubscription,
  changePlan,
  previewPlan,
  resumeSubscription,
  transferSubscription,
  updatePaymentMethod,
} from './subscriptions/change-subscription.ts'
import { listSubscriptions } from './subscriptions/owned-subscriptions.ts'
import { listEntitlements, readFeatures } from './subscriptions/read-entitlements.ts'

/** Limit of calls that reach the payment provider. */
const providerCallLimit = { max: 20, seconds: 60 }
/** High enough for all invoices of one page of the table. Each download calls the provider. */
const invoiceLimit = { max: 60, seconds: 60 }
/** The permission that an API key needs to read its organization's purchases. */
const billing = ['organization', 'update'] as const

const done = { status: true as const }

export const paymentRouter = router({
  invoice: protectedProcedure
    .meta({
      rest: 'GET /api/payments/invoice',
      summary: 'Invoice of a payment, or receipt of a refund, as PDF',
      openTo: ['impersonator'],
      limit: invoiceLimit,
      responseType: 'pdf',
    })
    .input(InvoiceReference)
    .query(({ ctx, input }) => downloadInvoice(ctx, input)),
  /** Starts a checkout for the caller or an organization. A repeated request returns the same one. */
  createCheckout: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /api/payments/checkout',
      summary: 'Start a checkout for the caller or an organization',
      limit: providerCallLimit,
      perUser: true,
    })
    .input(CreateCheckout)
    .output(StartedCheckout)
    .mutation(({ ctx, input }) => startCheckout(ctx, input)),

  checkoutLink: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /api/payments/checkout-link',
      summary: 'A link to the payment provider’s checkout page',
    })
    .input(CheckoutLink)
    .output(CheckoutLinkUrl)
    .mutation(({ ctx, input }) => buildCheckoutLink(ctx, input)),

  customers: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /api/payments/customers',
      summary: 'List the customers of the caller or an organization at the payment provider',
    })
    .input(OptionalOwner)
    .concat(billingOwnerProcedure)
    .output(z.array(CustomerRow))
    .query(({ ctx }) => listCustomers(ctx.db, ctx.owner)),

  portal: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /api/payments/portal',
      summary: 'Open the payment provider’s customer portal',
      limit: providerCallLimit,
      perUser: true,
    })
    .input(OpenPortal)
    .output(PortalLink)
    .mutation(({ ctx, input }) => createPortalSession(ctx, input)),

  products: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'GET /api/payments/products', summary: 'List the products on sale' })
    .output(z.array(Product))
    .query(({ ctx }) => listProducts(ctx)),

  payments: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /api/payments',
      summary: 'List the payments of the caller or an organization, newest first',
    })
    .input(ListPayments)
    .concat(billingOwnerProcedure)
    .output(z.array(PaymentRow))
    .query(({ ctx, input }) => listPayments(ctx.db, { ...input, owner: ctx.owner })),

  /** For the UI: the payments table. */
  search: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(SearchPayments)
    .concat(billingOwnerProcedure)
    .output(PaymentsPage)
    .query(({ ctx, input }) => searchPayments(ctx.db, ctx.owner, input)),

  subscriptions: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /api/payments/subscriptions',
      summary: 'List the subscriptions of the caller or an organization',
    })
    .input(ListPayments)
    .concat(billingOwnerProcedure)
    .output(z.array(SubscriptionRow))
    .query(({ ctx, input }) => {
      const grace = { now: ctx.now, graceSeconds: ctx.config.paymentGraceSeconds }
      return listSubscriptions(ctx.db, { ...input, owner: ctx.owner }, grace)
    }),

  cancelSubscription: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /api/payments/subscriptions/cancel',
      summary: 'Cancel a subscription at the end of the paid period',
      limit: providerCallLimit,
      perUser: true,
    })
    .input(CancelSubscription)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await cancelSubscription(ctx, input)
      return done
    }),

  resumeSubscription: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /api/payments/subscriptions/resume',
      summary: 'Undo the cancellation of a subscription',
      limit: providerCallLimit,
      perUser: true,
    })
    .input(SubscriptionReference)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await resumeSubscription(ctx, input)
      return done
    }),

  previewPlan: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /api/payments/subscriptions/preview-plan',
      summary: 'What another plan or quantity would cost',
      requiredPermission: billing,
      limit: providerCallLimit,
      perUser: true,
    })
    .input(ChangePlan.extend({ quantity: z.coerce.number().pipe(ChangePlan.shape.quantity.unwrap()).default(1) }))
    .output(PlanPreview)
    .query(({ ctx, input }) => previewPlan(ctx, input)),

  changePlan: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /api/payments/subscriptions/change-plan',
      summary: 'Change the plan or quantity of a subscription',
      limit: providerCallLimit,
      perUser: true,
    })
    .input(ChangePlan)
    .output(PlanChanged)
    .mutation(async ({ ctx, input }) => ({ ...done, hasChanged: await changePlan(ctx, input) })),

  updatePaymentMethod: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /api/payments/subscriptions/update-payment-method',
      summary: 'The page on which the payment method of a subscription is replaced',
      limit: providerCallLimit,
      perUser: true,
    })
    .input(SubscriptionReference)
    .output(PortalLink)
    .mutation(({ ctx, input }) => updatePaymentMethod(ctx, input)),

  transferSubscription: freshProcedure
    .meta({
      rest: 'POST /api/payments/subscriptions/transfer',
      summary: 'Move a subscription, with its payments, to the caller or an organization',
    })
    .input(TransferSubscription)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await transferSubscription(ctx, input)
      return done
    }),

  licenseKeys: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'GET /api/payments/license-keys',
      summary: 'List the license keys of the caller or an organization',
    })
    .input(ListPayments)
    .concat(billingOwnerProcedure)
    .output(z.array(LicenseKeyRow))
    .query(({ ctx, input }) => listLicenseKeys(ctx.db, { ...input, owner: ctx.owner })),

  /**
   * Products that the caller, or an organization that the caller is a member of, has access to. Tokens contain them
   * too.
   */
  entitlements: protectedProcedure
    .meta({
      openTo: anyCaller,
      organizationScope: 'by_input',
      rest: 'GET /api/payments/entitlements',
      summary: 'The products that the caller or an organization has access to',
    })
    .input(EntitlementScope)
    .output(z.array(Entitlement))
    .query(({ ctx, input }) => listEntitlements(ctx, input)),

  features: protectedProcedure
    .meta({
      openTo: anyCaller,
      organizationScope: 'by_input',
      rest: 'GET /api/payments/features',
      summary: 'The features of those products',
    })
    .input(EntitlementScope)
    .output(FeatureAccess)
    .query(({ ctx, input }) => readFeatures(ctx, input)),

  checkDiscount: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /api/payments/discount',
      summary: 'Whether a discount code can be used',
      limit: providerCallLimit,
      perUser: true,
    })
    .input(CheckDiscount)
    .output(CheckedDiscount)
    .query(({ ctx, input }) => checkDiscount(ctx.config.payments, input, ctx.now)),

  /** Activates a license key for one installation. Anyone who has the key may use it. */
  activateLicense: publicProcedure
    .meta({
      rest: 'POST /api/payments/licenses/activate',
      summary: 'Activate a license key for one installation',
      limit: providerCallLimit,
    })
    .input(ActivateLicense)
    .output(ActivatedLicense)
    .mutation(({ ctx, input }) => activateLicense(ctx.config.payments, input)),

  deactivateLicense: publicProcedure
    .meta({
      rest: 'POST /api/payments/licenses/deactivate',
      summary: 'Deactivate a license key for one installation',
      limit: providerCallLimit,
    })
    .input(DeactivateLicense)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await deactivateLicense(ctx.config.payments, input)
      return done
    }),

  validateLicense: publicProcedure
    .meta({
      rest: 'POST /api/payments/licenses/validate',
      summary: 'Whether a license key is valid',
      limit: providerCallLimit,
    })
    .input(ValidateLicense)
    .output(ValidatedLicense)
    .mutation(async ({ ctx, input }) => ({ isValid: await validateLicense(ctx.config.payments, input) })),

  /** Totals paid by month. */
  months: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(OptionalOwner)
    .concat(billingOwnerProcedure)
    .output(PaidMonths)
    .query(({ ctx }) => sumPaymentsByMonth(ctx.db, ctx.owner, ctx.now)),
})

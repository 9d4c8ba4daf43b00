import { z } from 'zod'
import { isEmail } from './identity.ts'
import { paymentFilters } from './payment-filter.ts'
import { ExternalId, Id, Page, Status, TablePage, Timestamp } from './schema.ts'

/**
 * Statuses that the payment provider documents, for display. The provider adds new ones, so events and rows accept any
 * text.
 */
export const subscriptionStatuses = [
  'pending',
  'active',
  'past_due',
  'on_hold',
  'paused',
  'cancelled',
  'expired',
  'failed',
] as const

/** Statuses of subscriptions that will be charged again, unless they are set to end. */
export const ongoingStatuses = ['active', 'past_due', 'on_hold', 'paused'] as const

/** Final statuses. If two events have the same time, the one with a final status takes precedence. */
export const terminalStatuses = {
  payment: ['succeeded', 'cancelled'],
  refund: ['succeeded', 'failed'],
  dispute: ['dispute_won', 'dispute_lost', 'dispute_accepted', 'dispute_cancelled', 'dispute_expired'],
  subscription: ['expired', 'failed', 'cancelled'],
  licenseKey: ['expired'],
} as const

/** The fields that decide whether a subscription grants access. */
export type EntitlingSubscription = {
  status: string | null
  nextBillingDate: Date | string | null
  cancelAtNextBillingDate: boolean
  /** When the status was reported. */
  since: Date | string
  /** End of the grace period of a subscription that is past due, if the provider has reported it. */
  pastDueEndsAt?: Date | string | null
}

/**
 * Whether a subscription currently grants access. Active: yes, until the next billing date if it is set to end then.
 * Past due: until the grace period of the provider ends. Cancelled: until the next billing date, if it was set to end
 * then. On hold: during the operator's grace period. A payment alone never grants access.
 */
export function isEntitled(
  subscription: EntitlingSubscription,
  { now, graceSeconds }: { now: Date; graceSeconds: number },
): boolean {
  const { status, nextBillingDate, cancelAtNextBillingDate, since, pastDueEndsAt } = subscription
  const isPaidAhead = nextBillingDate !== null && new Date(nextBillingDate) > now
  switch (status) {
    case 'active':
      // The event of its end may be lost.
      return !cancelAtNextBillingDate || nextBillingDate === null || isPaidAhead
    case 'past_due':
      return pastDueEndsAt == null || new Date(pastDueEndsAt) > now
    case 'cancelled':
      return cancelAtNextBillingDate && isPaidAhead
    case 'on_hold':
      return new Date(since).getTime() + graceSeconds * 1000 > now.getTime()
    default:
      return false
  }
}

/** The buyer: the named organization, else the caller. */
const For = z.object({ organizationId: Id.optional() })

/** ISO 3166-1 alpha-2. */
const Country = z.string().regex(/^[A-Za-z]{2}$/)
/** ISO 4217. */
const Currency = z.string().regex(/^[A-Za-z]{3}$/)

const Billing = z.object({
  city: z.string().max(200),
  country: Country,
  state: z.string().max(200),
  street: z.string().max(500),
  zipcode: z.union([z.string().max(32), z.number().transform(String)]),
})

const Quantity = z.number().int().min(1).max(10_000)
const CartLine = z.object({ product_id: Id, quantity: Quantity, amount: z.number().int().min(0).optional() })
const Addon = z.object({ addon_id: Id, quantity: Quantity })

/**
 * Keys and values within the provider's limits: 50 keys of 40 characters, values of 500 characters. Keys that start
 * with `foyer_` are reserved for the owner that the server signs.
 */
const Metadata = z
  .record(z.string().regex(/^(?!foyer_)[\w-]{1,40}$/i), z.string().max(500))
  .refine((record) => Object.keys(record).length <= 45)

/**
 * The checkout payload, whose fields are those of Dodo Payments. The payer comes from the session, so a `customer` in
 * the payload is ignored.
 */
export const CreateCheckout = For.extend({
  product_id: Id.optional(),
  quantity: Quantity.optional(),
  product_cart: z.array(CartLine).min(1).max(100).optional(),
  billing: Billing.optional(),
  discount_id: z.string().max(100).optional(),
  discount_code: z.string().max(100).optional(),
  addons: z.array(Addon).max(50).optional(),
  metadata: Metadata.optional(),
  currency: Currency.optional(),
  billing_currency: Currency.optional(),
  /** VAT or other tax id, and the company's name, for the invoice. */
  tax_id: z.string().min(1).max(50).optional(),
  customer_business_name: z.string().min(1).max(250).optional(),
  /** Color scheme of the checkout page. */
  theme: z.enum(['light', 'dark', 'system']).optional(),
})
  .refine(({ product_id, product_cart }) => (product_id === undefined) !== (product_cart === undefined))
  // With several products, it is unknown which one the add-ons belong to.
  .refine(({ product_cart = [], addons = [] }) => product_cart.length < 2 || addons.length === 0)
export type CreateCheckout = z.output<typeof CreateCheckout>

export const StartedCheckout = z.object({ checkoutUrl: z.string() })

const Flag = z.boolean().optional()

/** All options of a static checkout link (Dodo Payments). A disable flag only takes effect together with its value. */
export const CheckoutLink = For.extend({
  productId: Id,
  quantity: Quantity.default(1),
  fullName: z.string().max(200).optional(),
  firstName: z.string().max(100).optional(),
  lastName: z.string().max(100).optional(),
  email: z
    .string()
    .max(254)
    .refine((text) => isEmail(text.toLowerCase()))
    .optional(),
  country: Country.optional(),
  addressLine: z.string().max(500).optional(),
  city: z.string().max(200).optional(),
  state: z.string().max(200).optional(),
  zipCode: z.string().max(32).optional(),
  disableFullName: Flag,
  disableFirstName: Flag,
  disableLastName: Flag,
  disableEmail: Flag,
  disableCountry: Flag,
  disableAddressLine: Flag,
  disableCity: Flag,
  disableState: Flag,
  disableZipCode: Flag,
  paymentCurrency: Currency.optional(),
  showCurrencySelector: Flag,
  paymentAmount: z.number().int().min(0).optional(),
  showDiscounts: Flag,
  metadata: Metadata.optional(),
}).superRefine((options, ctx) => {
  for (const name of lockableFields) {
    const flag = `disable${name[0]?.toUpperCase()}${name.slice(1)}`
    const isSet = Object.entries(options).some(([key, value]) => key === flag && value === true)
    if (isSet && options[name] === undefined) ctx.addIssue({ code: 'custom', path: [flag], message: 'needs its value' })
  }
})
export type CheckoutLink = z.output<typeof CheckoutLink>

/** Fields of the link that can be shown as read-only. */
export const lockableFields = [
  'fullName',
  'firstName',
  'lastName',
  'email',
  'country',
  'addressLine',
  'city',
  'state',
  'zipCode',
] as const

export const CheckoutLinkUrl = z.object({ url: z.string() })
export const OptionalOwner = For.default({})
/** `customerId`: one of the owner's customers at the provider, if there are several. */
export const OpenPortal = For.extend({ customerId: Id.optional() }).default({})
export const PortalLink = z.object({ link: z.string() })

/** A customer at the provider that represents the owner. Each has its own portal. */
export const CustomerRow = z.object({ id: z.string(), email: z.string() })

export const SubscriptionReference = z.object({ subscriptionId: ExternalId })

/** Cancellation reasons of the provider's reports. */
export const cancellationReasons = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'low_quality',
  'too_complex',
  'other',
] as const

export const CancelSubscription = SubscriptionReference.extend({
  feedback: z.enum(cancellationReasons).optional(),
  comment: z.string().trim().max(500).optional(),
})

/** A cancellation by an administrator: by default at the end of the paid period. */
export const CancelAnySubscription = SubscriptionReference.extend({ isImmediate: z.boolean().default(false) })

export const ChangePlan = SubscriptionReference.extend({
  productId: Id,
  /** Omitted: unchanged. With seats, it is the number of members. */
  quantity: Quantity.optional(),
})

/** `hasChanged` is false as long as the charge for the change has not succeeded: until then the former plan stays. */
export const PlanChanged = Status.extend({ hasChanged: z.boolean() })

/** Amounts are in the currency's smallest unit. */
export const PlanPreview = z.object({
  effectiveAt: z.string(),
  now: z.object({ amount: z.number(), currency: z.string(), tax: z.number().nullable() }),
  recurring: z.object({ amount: z.number(), currency: z.string() }),
})

/** The new owner: the named organization, else the caller. */
export const TransferSubscription = SubscriptionReference.extend({ organizationId: Id.optional() })

export const Product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** In the currency's smallest unit. Null if the customer chooses the amount. */
  price: z.number().nullable(),
  currency: z.string().nullable(),
  isRecurring: z.boolean(),
  /** Whether the price includes tax. Null if the provider does not report it. */
  isTaxIncluded: z.boolean().nullable(),
  /** Time between two charges, such as 1 Month. Null for one-time products. */
  interval: z.string().nullable(),
  intervalCount: z.number().nullable(),
  trialDays: z.number().nullable(),
  /** Names of the features that the product grants. */
  features: z.array(z.string()),
})

const DocumentId = z.string().regex(/^[\w-]{1,256}$/)

/** The invoice of a payment, or the receipt of one of its refunds. */
export const InvoiceReference = z.object({ paymentId: DocumentId, refundId: DocumentId.optional() })

export const ListPayments = Page.unwrap().extend({ organizationId: Id.optional() }).default({})

/** Amounts are in the currency's smallest unit. */
export const PaymentRow = z.object({
  id: z.string(),
  status: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  createdAt: Timestamp,
  subscriptionId: z.string().nullable(),
  cardLastFour: z.string().nullable(),
  errorMessage: z.string().nullable(),
  invoiceUrl: z.string().nullable(),
  refunds: z.array(
    z.object({ id: z.string(), status: z.string().nullable(), amount: z.number().nullable(), createdAt: Timestamp }),
  ),
  /** Total of the successful refunds. */
  refunded: z.number(),
})

/** Statuses of a dispute: those that the provider documents, and one that it has added. */
export const disputeStatuses = [
  'dispute_opened',
  'dispute_challenged',
  'dispute_won',
  'dispute_lost',
  'dispute_accepted',
  'dispute_cancelled',
  'dispute_expired',
] as const

/** Columns that the payments table sorts by. */
export const paymentSorts = ['date', 'amount'] as const

export const SearchPayments = TablePage.extend({
  organizationId: Id.optional(),
  /** Six characters or more of a payment's id, an amount as in `19.99`, or the last four digits of a card. */
  search: z.string().max(100).optional(),
  status: z.enum(paymentFilters).optional(),
  sort: z.enum(paymentSorts).default('date'),
  descending: z.boolean().default(true),
})
export const PaymentsPage = z.object({ payments: z.array(PaymentRow), total: z.int() })

export const SubscriptionRow = z.object({
  id: z.string(),
  productId: z.string(),
  /** Null if the product was never read from the payment provider. */
  productName: z.string().nullable(),
  quantity: z.number(),
  status: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  /** Whether `amount` includes tax. Null if the provider does not report it. */
  isTaxIncluded: z.boolean().nullable(),
  interval: z.string().nullable(),
  intervalCount: z.number().nullable(),
  nextBillingDate: Timestamp.nullable(),
  /** End of the trial period. Null without a trial, or after it. */
  trialEndsAt: Timestamp.nullable(),
  pastDueEndsAt: Timestamp.nullable(),
  cancelAtNextBillingDate: z.boolean(),
  createdAt: Timestamp,
  isEntitled: z.boolean(),
})

/** A subscription as administrators see it. */
export const AdministeredSubscription = SubscriptionRow.pick({
  id: true,
  productId: true,
  productName: true,
  status: true,
  nextBillingDate: true,
  cancelAtNextBillingDate: true,
})

export const LicenseKeyRow = z.object({
  id: z.string(),
  key: z.string(),
  status: z.string().nullable(),
  productId: z.string(),
  expiresAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

/** Totals paid per month, newest last. One entry per currency and month with payments. */
export const PaidMonths = z.array(z.object({ month: z.string(), currency: z.string(), amount: z.number() }))

// For administrators.

export const OpenPaymentEvent = z.object({
  id: z.string(),
  type: z.string(),
  subjectId: z.string().nullable(),
  occurredAt: Timestamp,
  receivedAt: Timestamp,
  /** Why the event could not be applied. Null if it is only unassigned. */
  stateReason: z.string().nullable(),
  customerId: z.string().nullable(),
  email: z.string().nullable(),
  /** Amount of the payment, or of a period of the subscription before taxes, in the currency's smallest unit. */
  price: z.object({ amount: z.number(), currency: z.string() }).nullable(),
})

/** The new owner of a customer: a user by email, or an organization by slug, in any case. */
export const AssignEvent = z
  .object({
    eventId: ExternalId,
    email: z.string().max(254).optional(),
    slug: z.string().max(64).toLowerCase().optional(),
  })
  .refine(({ email, slug }) => (email === undefined) !== (slug === undefined))

/** A stored payment event, by its id at the provider. */
export const PaymentEventReference = z.object({ eventId: ExternalId })
/** Dismisses an unassigned or failed event. */
export const DismissEvent = PaymentEventReference.extend({ reason: z.string().trim().min(1).max(500) })

export const DisputeRow = z.object({
  id: z.string(),
  paymentId: z.string(),
  amount: z.string(),
  currency: z.string(),
  stage: z.string().nullable(),
  status: z.string().nullable(),
  remarks: z.string().nullable(),
  createdAt: Timestamp,
  /** Email address of the payment's customer. Null if the payment has not arrived, or has none. */
  email: z.string().nullable(),
  /** What was paid, in the smallest unit of its currency. Null if the payment has not arrived. */
  payment: z.object({ amount: z.number(), currency: z.string() }).nullable(),
})

// License keys. Anyone who has a key may use it; the calls need no session.

const LicenseKey = z.string().trim().min(1).max(500)
export const ActivateLicense = z.object({ licenseKey: LicenseKey, name: z.string().trim().min(1).max(200) })
export const ActivatedLicense = z.object({ instanceId: z.string(), productId: z.string() })
export const DeactivateLicense = z.object({ licenseKey: LicenseKey, instanceId: ExternalId })
export const ValidateLicense = DeactivateLicense.partial({ instanceId: true })
export const ValidatedLicense = z.object({ isValid: z.boolean() })

export const CheckDiscount = z.object({ code: z.string().trim().min(1).max(100), productId: Id.optional() })
/** `amount`: hundredths of a percent for the type `percentage`, else the currency's smallest unit. */
export const CheckedDiscount = z.object({
  isValid: z.boolean(),
  type: z.string().nullable(),
  amount: z.number().nullable(),
})

// Figures for administrators. Amounts are in the currency's smallest unit.

const AmountIn = z.object({ currency: z.string(), amount: z.number() })
export const RevenueFigures = z.object({
  /** Amount of the active and past-due subscriptions for one month. */
  recurring: z.array(AmountIn),
  activeOrPastDue: z.number(),
  endedRecently: z.number(),
  failedRecently: z.number(),
  months: PaidMonths,
})

/**
 * For the table of all payments. `search` is the id of a payment, customer, user or organization, or an email address.
 */
export const SearchAllPayments = TablePage.extend({
  search: z.string().trim().max(254).optional(),
  status: z.enum(paymentFilters).optional(),
  /** By date. */
  descending: z.boolean().default(true),
}).prefault({})
export const AdministeredPayment = z.object({
  id: z.string(),
  status: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  createdAt: Timestamp,
  customerId: z.string(),
  email: z.string().nullable(),
  refunded: z.number(),
  /** A refund was requested, and its outcome is not known yet. */
  isRefunding: z.boolean(),
  /** The customer disputes the payment, or has won a dispute. A refund would return the amount twice. */
  isDisputed: z.boolean(),
})
export const PaymentReference = z.object({ paymentId: ExternalId })
/** One payment, for administrators. */
export const PaymentDetails = AdministeredPayment.extend({
  /** The user or organization that the payment belongs to. Null if it is unassigned, and for deleted owners. */
  owner: z.object({ kind: z.enum(['user', 'organization']), id: z.string(), name: z.string() }).nullable(),
  subscriptionId: z.string().nullable(),
  cardLastFour: z.string().nullable(),
  /** Why the provider or the bank declined it. */
  errorMessage: z.string().nullable(),
  errorCode: z.string().nullable(),
  invoiceUrl: z.string().nullable(),
  refunds: z.array(
    z.object({
      id: z.string(),
      status: z.string().nullable(),
      amount: z.number().nullable(),
      reason: z.string().nullable(),
      createdAt: Timestamp,
    }),
  ),
  disputes: z.array(DisputeRow),
})
export const AllPaymentsPage = z.object({ payments: z.array(AdministeredPayment), total: z.int() })
export const RefundPayment = z.object({
  paymentId: ExternalId,
  reason: z.string().trim().min(1).max(500).optional(),
})

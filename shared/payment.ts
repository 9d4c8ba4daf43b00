import { z } from 'zod'
import { Id, Moment, Page } from './account.ts'

/** Statuses from the specification, for display. The provider adds new ones, so events and rows accept any text. */
export const subscriptionStatuses = [
  'pending',
  'active',
  'on_hold',
  'paused',
  'cancelled',
  'expired',
  'failed',
] as const

/** Final statuses. If two events have the same time, the one with a final status takes precedence. */
export const terminalStatuses = {
  payment: ['succeeded', 'cancelled'],
  refund: ['succeeded', 'failed'],
  dispute: ['dispute_won', 'dispute_lost', 'dispute_accepted', 'dispute_cancelled', 'dispute_expired'],
  subscription: ['expired', 'failed', 'cancelled'],
  licenseKey: ['expired'],
} as const

type Entitling = {
  status: string | null
  nextBillingDate: Date | string | null
  cancelAtNextBillingDate: boolean
  /** When the status was reported. */
  since: Date | string
}

/**
 * Whether a subscription currently grants access. Active: yes. Cancelled: until the next billing date, if it was set to
 * end then. On hold: during the operator's grace period. A payment alone never grants access.
 */
export function isEntitled(
  subscription: Entitling,
  { now, graceSeconds }: { now: Date; graceSeconds: number },
): boolean {
  const { status, nextBillingDate, cancelAtNextBillingDate, since } = subscription
  const isPaidAhead = nextBillingDate !== null && new Date(nextBillingDate) > now
  switch (status) {
    case 'active':
      return true
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

const Billing = z.object({
  city: z.string().max(200),
  country: z.string().length(2),
  state: z.string().max(200),
  street: z.string().max(500),
  zipcode: z.union([z.string().max(32), z.number().transform(String)]),
})

const Quantity = z.number().int().min(1).max(10_000)
const CartLine = z.object({ product_id: Id, quantity: Quantity, amount: z.number().int().min(0).optional() })
const Addon = z.object({ addon_id: Id, quantity: Quantity })

/** Keys and values within the provider's limits: 50 keys of 40 characters, values of 500 characters. */
const Metadata = z
  .record(z.string().regex(/^[\w-]{1,40}$/), z.string().max(500))
  .refine((record) => Object.keys(record).length <= 45)

/** The specification's checkout payload. The payer comes from the session, so a `customer` in the payload is ignored. */
export const CreateCheckout = For.extend({
  product_id: Id.optional(),
  quantity: Quantity.optional(),
  product_cart: z.array(CartLine).min(1).max(100).optional(),
  billing: Billing.optional(),
  discount_id: z.string().max(100).optional(),
  discount_code: z.string().max(100).optional(),
  addons: z.array(Addon).max(50).optional(),
  metadata: Metadata.optional(),
  currency: z.string().length(3).optional(),
  billing_currency: z.string().length(3).optional(),
}).refine(({ product_id, product_cart }) => (product_id === undefined) !== (product_cart === undefined))
export type CreateCheckout = z.output<typeof CreateCheckout>

export const StartedCheckout = z.object({ checkoutUrl: z.string() })

const Flag = z.boolean().optional()

/** All options of the specification's checkout link. A disable flag only takes effect together with its value. */
export const CheckoutLink = For.extend({
  productId: Id,
  quantity: Quantity.default(1),
  fullName: z.string().max(200).optional(),
  firstName: z.string().max(100).optional(),
  lastName: z.string().max(100).optional(),
  email: z.string().max(254).optional(),
  country: z.string().length(2).optional(),
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
  paymentCurrency: z.string().length(3).optional(),
  showCurrencySelector: Flag,
  paymentAmount: z.number().int().min(0).optional(),
  showDiscounts: Flag,
}).superRefine((options, ctx) => {
  for (const name of disablable) {
    const flag = `disable${name[0]?.toUpperCase()}${name.slice(1)}`
    const isSet = Object.entries(options).some(([key, value]) => key === flag && value === true)
    if (isSet && options[name] === undefined) ctx.addIssue({ code: 'custom', path: [flag], message: 'needs its value' })
  }
})
export type CheckoutLink = z.output<typeof CheckoutLink>

/** Fields of the link that can be shown as read-only. */
export const disablable = [
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

export const BuiltLink = z.object({ url: z.string() })
export const ForWhom = For.default({})
export const PortalLink = z.object({ link: z.string() })

export const Product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  /** In the currency's smallest unit. Null if the customer chooses the amount. */
  price: z.number().nullable(),
  currency: z.string().nullable(),
  isRecurring: z.boolean(),
})

export const ListPayments = Page.unwrap().extend({ organizationId: Id.optional() }).default({})

/** Amounts are in the currency's smallest unit. */
export const PaymentRow = z.object({
  id: z.string(),
  status: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  createdAt: Moment,
  subscriptionId: z.string().nullable(),
  cardLastFour: z.string().nullable(),
  errorMessage: z.string().nullable(),
  invoiceUrl: z.string().nullable(),
  refunds: z.array(
    z.object({ id: z.string(), status: z.string().nullable(), amount: z.number().nullable(), createdAt: Moment }),
  ),
  /** Total of the successful refunds. */
  refunded: z.number(),
})

export const SubscriptionRow = z.object({
  id: z.string(),
  productId: z.string(),
  quantity: z.number(),
  status: z.string().nullable(),
  amount: z.number(),
  currency: z.string(),
  interval: z.string().nullable(),
  nextBillingDate: Moment.nullable(),
  cancelAtNextBillingDate: z.boolean(),
  createdAt: Moment,
  isEntitled: z.boolean(),
})

export const LicenseKeyRow = z.object({
  id: z.string(),
  key: z.string(),
  status: z.string().nullable(),
  productId: z.string(),
  expiresAt: Moment.nullable(),
  createdAt: Moment,
})

/** Totals paid per month, newest last. One entry per currency and month with payments. */
export const PaidMonths = z.array(z.object({ month: z.string(), currency: z.string(), amount: z.number() }))

// For administrators.

export const UnassignedEvent = z.object({
  id: z.string(),
  type: z.string(),
  subjectId: z.string().nullable(),
  occurredAt: Moment,
  receivedAt: Moment,
  /** Why the event could not be applied. Null if it is only unassigned. */
  failure: z.string().nullable(),
  customerId: z.string().nullable(),
  email: z.string().nullable(),
})

/** The new owner of a customer: a user by email, or an organization by slug. */
export const AssignEvent = z
  .object({
    eventId: z.string().min(1).max(256),
    email: z.string().max(254).optional(),
    slug: z.string().max(64).optional(),
  })
  .refine(({ email, slug }) => (email === undefined) !== (slug === undefined))

export const DisputeRow = z.object({
  id: z.string(),
  paymentId: z.string(),
  amount: z.string(),
  currency: z.string(),
  stage: z.string().nullable(),
  status: z.string().nullable(),
  remarks: z.string().nullable(),
  createdAt: Moment,
})

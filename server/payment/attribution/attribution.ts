import { normalizeEmail } from '../../../shared/identity.ts'
import type { KeyList } from '../../foundation/crypto.ts'
import { statement } from '../../foundation/statement.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { billingOwnerColumns, type BillingOwner, billingOwnerOf } from '../billing-owner/billing-owner.ts'
import type { PaymentObject } from '../objects/object.ts'
import { readSignedCheckout } from './signed-metadata.ts'

/** The owner of an event, and what else its arrival allows to assign. */
export type Attribution = {
  owner: BillingOwner | undefined
  /**
   * Like `owner`, but may have been deleted: the row still names that owner, so that no other one gets the purchase.
   */
  rowOwner: BillingOwner | undefined
  /** Whether the owner was found through the provider's customer, and not through the purchase itself. */
  isByCustomer: boolean
  /** Whether the provider's customer was made for an organization. */
  isCustomerOfOrganization: boolean
  /** Whether rows or events that refer to the same purchase or customer have no owner yet. */
  hasDependents: boolean
  /**
   * Whether this is an attempt to pay by a static link that was not bought with yet. Its purchase decides who owns it:
   * the payer is not necessarily the one that the link was made for.
   */
  awaitsFirstPurchase: boolean
  /** The owner that our server signed into the metadata. The purchase may belong to another one now. */
  signedOwner: BillingOwner | undefined
}

/**
 * Finds the owner of an object in one statement on unique and partial indexes. The first candidate wins, by `rank`:
 * 1. The owner of the object's row.
 * 2. The owner of the payment or subscription that it refers to, which may have been transferred since.
 * 3. The owner that our server signed into its metadata, only for that checkout and its customer.
 * 4. The owner of the subscription's first payment.
 * 5. The owner of the provider's customer.
 * 6. The user who has verified the customer's email address.
 *
 * The last two do not apply to an attempt to pay by a static link, before the first purchase with it.
 *
 * An event older than the stored customer does not restore a former email address (SEC-116). An object that refers to a
 * purchase which has not arrived yet waits for it. The owner's row is locked until the commit. If the owner was
 * deleted, the object is left to an administrator.
 */
export async function attributeEvent(
  sql: PgTransaction,
  keys: KeyList,
  object: PaymentObject | undefined,
  { eventAt, now }: { eventAt: Date; now: Date },
): Promise<Attribution> {
  const { customer, metadata = {}, paymentId, subscriptionId, table, id = null } = object ?? {}
  const customerId = customer?.customer_id ?? null
  const signed = readSignedCheckout(keys, metadata)
  // Some events name no customer. The signature is enough then: nobody can replay it under a customer of their own.
  const isForCustomer = signed?.customerId === undefined || customerId === null || signed.customerId === customerId
  const parameters = {
    customerId,
    email: normalizeEmail(customer?.email ?? ''),
    parentPaymentId: paymentId,
    parentSubscriptionId: subscriptionId,
    ownPaymentId: table === 'Payment' ? id : null,
    ownSubscriptionId: table === 'Subscription' ? id : null,
    eventAt,
    now,
    // The customer of a static link is not known before its first payment.
    checkoutId: signed && signed.customerId === undefined ? signed.checkoutId : null,
    // A payment that failed, or names no customer, does not bind the link to a customer.
    isCompleted: object?.isCompleted ?? false,
    signedOwner: billingOwnerColumns(isForCustomer ? signed?.owner : undefined),
  }
  const { rows } = await sql.query<AttributionRow>(attribute(parameters))
  const [row] = rows
  const hasDependents = row?.hasDependents ?? false
  const rowOwner = row && billingOwnerOf({ userId: row.rowUserId, organizationId: row.rowOrganizationId })
  const { isByCustomer = false, isCustomerOfOrganization = false, awaitsFirstPurchase = false } = row ?? {}
  return {
    owner: billingOwnerOf(row),
    rowOwner,
    isByCustomer,
    isCustomerOfOrganization,
    hasDependents,
    awaitsFirstPurchase,
    signedOwner: signed?.owner,
  }
}

type AttributionRow = {
  organizationId: string | null
  userId: string | null
  rowOrganizationId: string | null
  rowUserId: string | null
  isByCustomer: boolean
  isCustomerOfOrganization: boolean
  hasDependents: boolean
  awaitsFirstPurchase: boolean
}

const attribute = statement(
  'payments.attribute',
  `with parent as (
    select "userId", "organizationId", "customerId" from "Payment" where "paymentId" = :parentPaymentId
    union all select "userId", "organizationId", "customerId" from "Subscription" where "subscriptionId" = :parentSubscriptionId),
  customer as (
    select "userId", "organizationId", email, "eventAt", "isEmailUnverified", "lastSentEmail", "transferredFromUserId" from "Customer"
    where "customerId" = coalesce(:customerId, (select nullif("customerId", '') from parent limit 1))),
  bound as (
    insert into "CheckoutBinding" ("checkoutId", "customerId", "createdAt")
    select :checkoutId, :customerId, :now::timestamptz where :checkoutId::text is not null and :customerId::text is not null and :isCompleted::boolean
    on conflict ("checkoutId") do update set "checkoutId" = excluded."checkoutId" returning "customerId"),
  binding as (
    select "customerId" from bound
    union all select "customerId" from "CheckoutBinding" where "checkoutId" = :checkoutId and not exists (select from bound)),
  verified as (
    select id, email from "User"
    where "emailVerified" and email = coalesce(
      (select nullif(email, '') from customer where "eventAt" > :eventAt::timestamptz), nullif(:email, ''),
      (select nullif(email, '') from customer))),
  -- The first payment of a subscription may arrive before it; every other object waits for the one that it refers to,
  -- and for its owner.
  own_reference as (
    select (:parentPaymentId::text is null and (:parentSubscriptionId::text is null or :ownPaymentId::text is not null))
      or exists (select from parent where "userId" is not null or "organizationId" is not null) as "isResolved"),
  candidates as (
    select 1 as rank, "organizationId", "userId" from "Payment" where "paymentId" = :ownPaymentId
    union all select 1, "organizationId", "userId" from "Subscription" where "subscriptionId" = :ownSubscriptionId
    union all select 2, "organizationId", "userId" from parent
    union all select 3, :signedOwner.organizationId, :signedOwner.userId where :checkoutId::text is null
      or (select "customerId" from binding limit 1) = :customerId
    union all (select 4, "organizationId", "userId" from "Payment"
      where "subscriptionId" = :ownSubscriptionId and ("organizationId" is not null or "userId" is not null)
      order by "createdAt", "paymentId" limit 1)
    union all select 5, "organizationId", "userId" from customer where (select "isResolved" from own_reference)
      -- A customer whose email address now belongs to another user does not represent its former owner (SEC-116).
      and ("userId" is null or not exists (select from verified where verified.id <> customer."userId"))
      -- A customer with an unverified email address gets only purchases whose checkout names its owner.
      and (not "isEmailUnverified" or exists (
        select from verified where verified.id = customer."userId" and verified.email = customer."lastSentEmail"))
      -- A customer that came with a transfer gets no guest purchase of its former user.
      and ("transferredFromUserId" is null or not exists (select from verified where verified.id = customer."transferredFromUserId"))
    -- Its owner may have changed the email address since: only a user who verified the one it was created with counts.
    union all select 6, null, id from verified where (select "isResolved" from own_reference)
      and not exists (select from customer where "isEmailUnverified" and verified.email is distinct from "lastSentEmail")),
  payment_link as (
    select :checkoutId::text is not null and not :isCompleted::boolean and not exists (select from binding) as "isUnused"),
  best as (
    select rank, "organizationId", "userId" from candidates
    where ("organizationId" is not null or "userId" is not null) and (rank < 5 or not (select "isUnused" from payment_link))
    order by rank limit 1)
  select
    (select id from "Organization" where id = (select "organizationId" from best) for key share) as "organizationId",
    (select id from "User" where id = (select "userId" from best where "organizationId" is null) for key share) as "userId",
    (select "organizationId" from best) as "rowOrganizationId",
    (select case when "organizationId" is null then "userId" end from best) as "rowUserId",
    coalesce((select rank from best) >= 5, false) as "isByCustomer",
    (select "organizationId" from customer) is not null as "isCustomerOfOrganization",
    (select "isUnused" from payment_link) and not exists (select from best) as "awaitsFirstPurchase",
    exists (select from "PaymentEvent" e where e.state = 'unassigned' and e."customerId" = :customerId)
      or exists (select from "PaymentEvent" e where e.state = 'unassigned' and e."paymentId" = :ownPaymentId)
      or exists (select from "PaymentEvent" e where e.state = 'unassigned' and e."subscriptionId" = :ownSubscriptionId)
      -- Failed attempts to pay for it by a static link.
      or exists (select from "Payment" where "subscriptionId" = :ownSubscriptionId and "userId" is null and "organizationId" is null) as "hasDependents"`,
)

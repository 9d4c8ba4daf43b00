import type { Sql } from '../foundation/database.ts'
import type { PaymentObject } from './objects/object.ts'
import { type Owner, columnsOf } from './owner.ts'

/**
 * Assigns rows that refer to a purchase and arrived before it had an owner: the payments and license keys of a
 * subscription, the keys of a payment. Their events, and those of refunds and disputes, no longer wait for an
 * administrator.
 */
export async function assignDependents(
  sql: Sql,
  { table, id }: Pick<PaymentObject, 'table' | 'id'>,
  owner: Owner,
  now: Date,
): Promise<void> {
  const { userId, organizationId } = columnsOf(owner)
  const isPayment = table === 'Payment'
  await sql.query({
    name: `payments.dependents.${isPayment ? 'payment' : 'subscription'}`,
    text: isPayment ? ofPaymentText : ofSubscriptionText,
    values: [id, userId, organizationId, now],
  })
}

const ownerless = `"userId" is null and "organizationId" is null`

/**
 * Marks unassigned events as applied, by conditions that each have a partial index: joined by `or` they would read every
 * unassigned event. Events that another transaction is applying are left to it.
 */
const applied = (...conditions: string[]) => `
  update "WebhookEvent" set state = 'applied', "appliedAt" = $4 where id in (
    select id from "WebhookEvent" where id = any(array(
      ${conditions.map((condition) => `select id from "WebhookEvent" where state = 'unassigned' and ${condition}`).join(' union ')}))
      and state = 'unassigned' order by id for update skip locked)`

const ofPaymentText = `
  with keys as (
    update "LicenseKey" set "userId" = $2, "organizationId" = $3 where "paymentId" = $1 and ${ownerless})
  ${applied('"paymentId" = $1')}`

const ofSubscriptionText = `
  with keys as (
    update "LicenseKey" set "userId" = $2, "organizationId" = $3 where ${ownerless} and id in (
      select id from "LicenseKey" where "subscriptionId" = $1
      union all select k.id from "Payment" p join "LicenseKey" k using ("paymentId") where p."subscriptionId" = $1)),
  payments as (
    update "Payment" set "userId" = $2, "organizationId" = $3 where "subscriptionId" = $1 and ${ownerless}
    returning "paymentId")
  ${applied('"subscriptionId" = $1', '"paymentId" in (select "paymentId" from payments)')}`

/**
 * Assigns all purchases of a customer that have no owner, once its owner is known, unless another owner has bought
 * under the same customer: the former and the next holder of an email address never see each other's purchases
 * (SEC-116).
 */
export async function claimCustomer(sql: Sql, customerId: string, owner: Owner, now: Date): Promise<void> {
  const { userId, organizationId } = columnsOf(owner)
  await sql.query({
    name: 'payments.claim',
    text: claimText,
    values: [customerId, userId, organizationId, now],
  })
}

const other = (table: string) => `
  exists (select from "${table}" where "customerId" = $1 and not (${ownerless})
    and ("userId" is distinct from $2 or "organizationId" is distinct from $3))`

const claim = (table: string, id: string) => `
  update "${table}" set "userId" = $2, "organizationId" = $3
  where "customerId" = $1 and ${ownerless} and not (select "is" from shared) returning ${id}`

const claimText = `
  with shared as (select ${['Payment', 'Subscription', 'LicenseKey'].map(other).join(' or ')} as "is"),
  payments as (${claim('Payment', '"paymentId"')}),
  subscriptions as (${claim('Subscription', '"subscriptionId"')}),
  -- A key waits for its purchase, which may turn out to have another owner.
  keys as (
    update "LicenseKey" k set "userId" = $2, "organizationId" = $3
    where "customerId" = $1 and ${ownerless} and not (select "is" from shared)
      and ("paymentId" in (select "paymentId" from payments) or "subscriptionId" in (select "subscriptionId" from subscriptions)
        or ("paymentId" is null and "subscriptionId" is null)) returning id)
  ${applied(
    '"subjectId" in (select "paymentId" from payments union select "subscriptionId" from subscriptions union select id from keys)',
    '"paymentId" in (select "paymentId" from payments)',
  )}`

import { statement } from '../../foundation/statement.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { hasPurchasesOfOthersSql } from '../../purchase/purchases-of-others.ts'
import { billingOwnerColumns, type BillingOwner } from '../billing-owner/billing-owner.ts'
import type { PaymentObject } from '../objects/object.ts'

/**
 * Assigns rows that refer to a purchase and arrived before it had an owner: the payments and license keys of a
 * subscription, the keys of a payment. Their events, and those of refunds and disputes, no longer wait for an
 * administrator.
 */
export async function assignDependents(
  sql: PgTransaction,
  { table, id }: Pick<PaymentObject, 'table' | 'id'>,
  owner: BillingOwner,
  now: Date,
): Promise<void> {
  const assign = table === 'Payment' ? assignOfPayment : assignOfSubscription
  await sql.query(assign({ id, ...billingOwnerColumns(owner), now }))
}

const isUnassignedSql = `"userId" is null and "organizationId" is null`

/**
 * Marks unassigned events as applied, by conditions that each have a partial index: joined by `or` they would read
 * every unassigned event. Events that another transaction has locked are left to it.
 */
const markAppliedSql = (...conditions: string[]) => `
  update "PaymentEvent" set state = 'applied', "appliedAt" = :now where id in (
    select id from "PaymentEvent" where id = any(array(
      ${conditions.map((condition) => `select id from "PaymentEvent" where state = 'unassigned' and ${condition}`).join(' union ')}))
      and state = 'unassigned' order by id for update skip locked)`

const assignOfPayment = statement(
  'payments.dependentsOfPayment',
  `with keys as (
    update "LicenseKey" set "userId" = :userId, "organizationId" = :organizationId where "paymentId" = :id and ${isUnassignedSql})
  ${markAppliedSql('"paymentId" = :id')}`,
)

const assignOfSubscription = statement(
  'payments.dependentsOfSubscription',
  `with keys as (
    update "LicenseKey" set "userId" = :userId, "organizationId" = :organizationId where ${isUnassignedSql} and id in (
      select id from "LicenseKey" where "subscriptionId" = :id
      union all select k.id from "Payment" p join "LicenseKey" k using ("paymentId") where p."subscriptionId" = :id)),
  payments as (
    update "Payment" set "userId" = :userId, "organizationId" = :organizationId where "subscriptionId" = :id and ${isUnassignedSql}
    returning "paymentId")
  ${markAppliedSql('"subscriptionId" = :id', '"paymentId" in (select "paymentId" from payments)')}`,
)

/**
 * Assigns all purchases of a customer that have no owner, once its owner is known, unless another owner has bought
 * under the same customer: the former and the next holder of an email address never see each other's purchases
 * (SEC-116).
 */
export async function assignUnassignedPurchases(
  sql: PgTransaction,
  customerId: string,
  owner: BillingOwner,
  now: Date,
): Promise<void> {
  await sql.query(assignAll({ customerId, ...billingOwnerColumns(owner), now }))
}

const belongsToOtherOwnerSql = (row: string) => `(${row}."userId" is not null or ${row}."organizationId" is not null)
  and (${row}."userId" is distinct from :userId or ${row}."organizationId" is distinct from :organizationId)`

/**
 * Excludes attempts to pay by a static link, which wait for their purchase: other rows without an owner are purchases,
 * or have an event that waits for an owner. For a row `t` of the table.
 */
export const isAssignableSql = (table: 'Payment' | 'Subscription', id: string) => `(
  ${table === 'Payment' ? `t.status = 'succeeded'` : `t.status not in ('pending', 'failed')`}
  or exists (select from "PaymentEvent" e where e.state = 'unassigned' and e."subjectId" = t.${id}))`

const assign = (table: 'Payment' | 'Subscription', id: string) => `
  update "${table}" t set "userId" = :userId, "organizationId" = :organizationId
  where "customerId" = :customerId and ${isUnassignedSql} and not (select "hasOtherOwners" from shared_customer) and ${isAssignableSql(table, id)}
  returning ${id}`

const assignAll = statement(
  'payments.assignUnassigned',
  `with shared_customer as (select ${hasPurchasesOfOthersSql(':customerId', belongsToOtherOwnerSql)} as "hasOtherOwners"),
  payments as (${assign('Payment', '"paymentId"')}),
  subscriptions as (${assign('Subscription', '"subscriptionId"')}),
  -- A key waits for its purchase, which may turn out to have another owner.
  keys as (
    update "LicenseKey" k set "userId" = :userId, "organizationId" = :organizationId
    where "customerId" = :customerId and ${isUnassignedSql} and not (select "hasOtherOwners" from shared_customer)
      and ("paymentId" in (select "paymentId" from payments) or "subscriptionId" in (select "subscriptionId" from subscriptions)
        or ("paymentId" is null and "subscriptionId" is null)) returning id)
  ${markAppliedSql(
    '"subjectId" in (select "paymentId" from payments union select "subscriptionId" from subscriptions union select id from keys)',
    '"paymentId" in (select "paymentId" from payments)',
  )}`,
)

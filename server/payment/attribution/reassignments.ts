import { statement } from '../../foundation/statement.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { type BillingOwner, billingOwnerColumns } from '../billing-owner/billing-owner.ts'
import { isAssignableSql } from './dependents.ts'

/** The condition of a row `t` without an owner, or with one that was deleted. */
const isUnassignedOrOrphanedSql = `(
  (t."userId" is null and t."organizationId" is null)
  or (t."organizationId" is not null and not exists (select from "Organization" o where o.id = t."organizationId"))
  or (t."organizationId" is null and t."userId" is not null and not exists (select from "User" u where u.id = t."userId")))`

const markAppliedOfPurchase = statement(
  'payments.markPurchaseApplied',
  `update "PaymentEvent" set state = 'applied', "appliedAt" = :now where id in (
    select id from "PaymentEvent" where state = 'unassigned' and "subjectId" in (:paymentId, :subscriptionId, :subjectId)
    order by id for update skip locked)`,
)

export type OwnerColumns = { userId: string | null; organizationId: string | null }

const selectCustomerOwner = 'select "userId", "organizationId" from "Customer" where "customerId" = $1'

/** The owner of a customer. */
export async function findCustomerOwner(sql: PgTransaction, customerId: string): Promise<OwnerColumns | undefined> {
  return (await sql.query<OwnerColumns>(selectCustomerOwner, [customerId])).rows[0]
}

/** Like `findCustomerOwner`, and locks the customer. */
export async function lockCustomerOwner(sql: PgTransaction, customerId: string): Promise<OwnerColumns | undefined> {
  return (await sql.query<OwnerColumns>(`${selectCustomerOwner} for update`, [customerId])).rows[0]
}

/** The state of an event as it is now. */
export async function findEventState(sql: PgTransaction, eventId: string): Promise<{ state: string } | undefined> {
  return (await sql.query<{ state: string }>('select state from "PaymentEvent" where id = $1', [eventId])).rows[0]
}

const selectAssignableOwner = statement(
  'payments.findAssignableOwner',
  `select "userId", "organizationId" from (
    select 0 as rank, "userId", "organizationId" from "Subscription" t
    where "subscriptionId" = :subscriptionId and (:isCorrection::boolean or ${isUnassignedOrOrphanedSql})
    union all
    select 1, "userId", "organizationId" from "Payment" t
    where "paymentId" = :paymentId and (:isCorrection::boolean or ${isUnassignedOrOrphanedSql})
    union all
    select 2, "userId", "organizationId" from "LicenseKey" t
    where id = :subjectId and (:isCorrection::boolean or ${isUnassignedOrOrphanedSql})) as found
  order by rank limit 1`,
)

/** Matches a row of the purchase that belongs to the former owner, or has no owner. */
const isMovableSql = `(
  (:isCorrection::boolean and t."userId" is not distinct from :formerUserId
    and t."organizationId" is not distinct from :formerOrganizationId) or ${isUnassignedOrOrphanedSql})`

const moveOne = statement(
  'payments.movePurchase',
  `with subscription as (${moveSql('"Subscription"', 't."subscriptionId" = :subscriptionId')}),
  payment as (${moveSql('"Payment"', '(t."paymentId" = :paymentId or t."subscriptionId" = :subscriptionId)')}),
  key as (${moveSql(
    '"LicenseKey"',
    `(t.id = :subjectId or t."paymentId" = :paymentId or t."subscriptionId" = :subscriptionId
      or t."paymentId" in (select "paymentId" from "Payment" where "subscriptionId" = :subscriptionId))`,
  )})
  select 1`,
)

function moveSql(table: string, isPart: string): string {
  return `update ${table} t set "userId" = :userId, "organizationId" = :organizationId where ${isPart} and ${isMovableSql}`
}

const upsertCustomerOwner = statement(
  'payments.setCustomerOwner',
  `insert into "Customer" ("customerId", email, name, "userId", "organizationId", "createdAt", "updatedAt")
  values (:customerId, '', '', :userId, :organizationId, :now, :now)
  on conflict ("customerId") do update set "userId" = excluded."userId", "organizationId" = excluded."organizationId",
    "updatedAt" = excluded."updatedAt", "isEmailUnverified" = false, "transferredFromUserId" = null`,
)

const markAppliedOfCustomer = statement(
  'payments.markCustomerApplied',
  `update "PaymentEvent" set state = 'applied', "appliedAt" = :now where id in (
    select id from "PaymentEvent" where state = 'unassigned' and ("customerId" = :customerId
      or "paymentId" in (select "paymentId" from "Payment" where "customerId" = :customerId))
    order by id for update skip locked)`,
)

const moves = (
  [
    ['Payment', '"paymentId"'],
    ['Subscription', '"subscriptionId"'],
    ['LicenseKey', 'id'],
  ] as const
).map(([table, id]) =>
  statement(
    `payments.move.${table}`,
    `update "${table}" as t set "userId" = :userId, "organizationId" = :organizationId where t."customerId" = :customerId and (
      (t."userId" is not distinct from :formerUserId and t."organizationId" is not distinct from :formerOrganizationId)
      or ${isUnassignedOrOrphanedSql})${
        table === 'LicenseKey'
          ? ''
          : ` and (t."userId" is not null or t."organizationId" is not null or ${isAssignableSql(table, id)})`
      }`,
  ),
)

/** Locks the new owner until the transaction ends. False if it was deleted meanwhile. */
export async function lockBillingOwner(sql: PgTransaction, owner: BillingOwner): Promise<boolean> {
  const { userId, organizationId } = billingOwnerColumns(owner)
  const { rows } = await sql.query<{ exists: boolean }>(
    `select (select id from "User" where id = $1 for key share) is not null
      or (select id from "Organization" where id = $2 for key share) is not null as "exists"`,
    [userId, organizationId],
  )
  return rows[0]?.exists ?? false
}

/** A purchase by the ids of its event. A correction also moves one that has an owner. */
type Purchase = {
  paymentId: string | null
  subscriptionId: string | null
  subjectId: string | null
  isCorrection: boolean
}

/** The current owner of the subscription, else of the payment, else of the license key, if it may be assigned. */
export async function findAssignableOwner(sql: PgTransaction, purchase: Purchase): Promise<OwnerColumns | undefined> {
  return (await sql.query<OwnerColumns>(selectAssignableOwner(purchase))).rows[0]
}

/** Moves the purchase itself, its payments and its license keys. */
export async function movePurchase(
  sql: PgTransaction,
  purchase: Purchase,
  { from, to }: { from: OwnerColumns; to: BillingOwner },
): Promise<void> {
  await sql.query(moveOne({ ...purchase, ...billingOwnerColumns(to), ...former(from) }))
}

/** Moves the customer's purchases that belong to the former owner, or to nobody. */
export async function moveAllPurchases(
  sql: PgTransaction,
  customerId: string,
  { from, to, now }: { from: OwnerColumns | undefined; to: BillingOwner; now: Date },
): Promise<void> {
  for (const move of moves) await sql.query(move({ customerId, ...billingOwnerColumns(to), now, ...former(from) }))
}

const former = (from: OwnerColumns | undefined) => ({
  formerUserId: from?.userId ?? null,
  formerOrganizationId: from?.organizationId ?? null,
})

/** Makes an owner that of a customer, which may not be stored yet. */
export async function setCustomerOwner(
  sql: PgTransaction,
  customerId: string,
  owner: BillingOwner,
  now: Date,
): Promise<void> {
  await sql.query(upsertCustomerOwner({ customerId, ...billingOwnerColumns(owner), now }))
}

/** Marks the waiting events of a purchase as applied. */
export async function markPurchaseEventsApplied(
  sql: PgTransaction,
  { paymentId, subscriptionId, subjectId }: Purchase,
  now: Date,
): Promise<void> {
  await sql.query(markAppliedOfPurchase({ paymentId, subscriptionId, subjectId, now }))
}

/** Marks the waiting events of a customer as applied. */
export async function markCustomerEventsApplied(sql: PgTransaction, customerId: string, now: Date): Promise<void> {
  await sql.query(markAppliedOfCustomer({ customerId, now }))
}

import { normalizeEmail } from '../../../shared/identity.ts'
import type { Db } from '../../foundation/database.ts'
import { statement } from '../../foundation/statement.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { billingOwnerColumns, type BillingOwner } from '../billing-owner/billing-owner.ts'
import type { PaymentObject } from '../objects/object.ts'

/** Stores the provider's customer of an event. An event never changes an existing owner. */
export async function upsertCustomerOfEvent(
  sql: PgTransaction,
  { customer_id: customerId, email, name }: NonNullable<PaymentObject['customer']>,
  { now, eventAt }: { now: Date; eventAt: Date },
): Promise<void> {
  await sql.query(upsertCustomer({ customerId, email: normalizeEmail(email), name, now, eventAt }))
}

const upsertCustomer = statement(
  'payments.upsertCustomer',
  `insert into "Customer" as known ("customerId", email, name, "createdAt", "updatedAt", "eventAt")
  values (:customerId, :email, :name, :now, :now, :eventAt)
  on conflict ("customerId") do update set
    email = case when excluded.email = '' or known."eventAt" > excluded."eventAt" then known.email else excluded.email end,
    name = case when excluded.name = '' or known."eventAt" > excluded."eventAt" then known.name else excluded.name end,
    "eventAt" = greatest(known."eventAt", case when excluded.email <> '' then excluded."eventAt" end),
    "missingSince" = null, "updatedAt" = excluded."updatedAt"`,
)

type NewCustomer = { customerId: string; email: string; name: string; isEmailUnverified?: boolean }

/**
 * Links a newly created customer to this owner. False if the provider returned a customer that is already known and may
 * belong to another owner.
 */
export async function linkOwnCustomer(
  db: Db,
  { owner, now, ...made }: NewCustomer & { owner: BillingOwner; now: Date },
): Promise<boolean> {
  const email = normalizeEmail(made.email)
  const data = { ...made, email, lastSentEmail: email, ...billingOwnerColumns(owner), createdAt: now, updatedAt: now }
  const { count } = await db.customer.createMany({ data, skipDuplicates: true })
  return count === 1
}

/** Marks a customer that the provider no longer knows. Checkouts and portals no longer use it. */
export async function markCustomerMissing(db: Db, customerId: string, now: Date): Promise<void> {
  await db.customer.updateMany({ where: { customerId }, data: { missingSince: now } })
}

/**
 * Records that a user bought something personal under an organization's customer with the user's verified email
 * address.
 */
export async function markPersonalPurchase(sql: PgTransaction, customerId: string, userId: string): Promise<void> {
  await sql.query(setPersonalPurchases({ customerId, userId }))
}

const setPersonalPurchases = statement(
  'payments.markPersonalPurchase',
  `update "Customer" c set "hasPersonalPurchases" = true from "User" u
      where c."customerId" = :customerId and c."organizationId" is not null and not c."hasPersonalPurchases"
        and u.id = :userId and u."emailVerified" and u.email = c.email`,
)

/** Email addresses by customer id. Customers without an address are omitted. */
export async function emailsOfCustomers(
  db: Db,
  rows: readonly { customerId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const customers = await db.customer.findMany({
    where: { customerId: { in: rows.map(({ customerId }) => customerId) }, email: { not: '' } },
    select: { customerId: true, email: true },
  })
  return new Map(customers.map(({ customerId, email }) => [customerId, email]))
}

/** How many customers at the provider belong to an owner. */
export async function countCustomers(db: Db, owner: BillingOwner): Promise<number> {
  return db.customer.count({ where: owner })
}

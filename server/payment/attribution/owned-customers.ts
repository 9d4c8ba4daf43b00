import { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../foundation/database.ts'
import { hasPurchasesOfOthersSql, isOfAnotherUserSql } from '../../purchase/purchases-of-others.ts'
import type { BillingOwner } from '../billing-owner/billing-owner.ts'

/**
 * The customer that checkouts of this owner use: the newest one that is linked to it. Excluded are customers that came
 * with a transfer, which return with it, and those with guest purchases, whose portal the owner may not open.
 *
 * A guest purchase is one bought through a payment link by someone who does not own the customer: the provider attaches
 * it to the newest customer with the buyer's email address.
 */
export async function findOwnCustomer(db: Db, owner: BillingOwner): Promise<string | undefined> {
  const customerIds = (await customersOf(db, owner)).map(({ customerId }) => customerId)
  const row = await db.customer.findFirst({
    where: { ...owner, missingSince: null, transferredFromUserId: null, customerId: { in: customerIds } },
    orderBy: [{ updatedAt: 'desc' }, { customerId: 'asc' }],
    select: { customerId: true },
  })
  return row?.customerId
}

/** Matches a row whose owner is not the owner of its customer. */
const isOfOtherOwnerSql = (row: string) =>
  `(${row}."userId" is distinct from c."userId" or ${row}."organizationId" is distinct from c."organizationId")`

/**
 * Whether a customer has no guest purchases: everything bought under it belongs to its owner. While the owner has not
 * verified the customer's email address, the portal would show guest purchases to the owner.
 */
export const hasOnlyOwnPurchasesSql = Prisma.raw(
  // A license key waits for its purchase, and has no owner until then.
  `not ${hasPurchasesOfOthersSql('c."customerId"', isOfOtherOwnerSql, ['Payment', 'Subscription'])}`,
)

/** Whether there are purchases without a user: of no owner, or of an organization. */
const hasUnassignedPurchasesSql = Prisma.raw(
  hasPurchasesOfOthersSql('c."customerId"', (row) => `${row}."userId" is null`),
)
/** Whether there are purchases of another owner than the user in the CTE `me`. */
const hasPurchasesOfAnotherUserSql = Prisma.raw(
  hasPurchasesOfOthersSql('c."customerId"', isOfAnotherUserSql('(select id from me)')),
)

/**
 * Returns the provider's customers that represent an owner, newest first:
 * - those that our server or an administrator has linked;
 * - for a user, also customers without a link whose newest email address is the user's verified one;
 * - for a user, also customers without a link under which the user has bought, while no other user has their address.
 *
 * A customer with purchases of another owner represents no user: the former and the next holder of an address never see
 * each other's purchases, cards and invoices (SEC-116).
 */
export async function customersOf(db: Db, owner: BillingOwner): Promise<OwnedCustomer[]> {
  return db.$queryRaw<OwnedCustomer[]>(selectCustomers(owner))
}

/** The statement of `customersOf`, used by other statements as a subquery. */
export function selectCustomers(owner: BillingOwner): Prisma.Sql {
  if ('organizationId' in owner) {
    return Prisma.sql`select "customerId", email, "missingSince" from "Customer" c where "organizationId" = ${owner.organizationId}
      and (not "isEmailUnverified" and "transferredFromUserId" is null or ${hasOnlyOwnPurchasesSql})
      and not "hasPersonalPurchases"
      order by "updatedAt" desc, "customerId" limit ${maxCustomers}`
  }
  const { userId } = owner
  // Finds candidates through three indexes. A condition with `or` would read every customer without a link (30 ms at
  // 100,000).
  return Prisma.sql`
    with me as (select ${userId}::text as id),
    bought as (
      select "customerId" from "Payment" where "userId" = ${userId} and status = 'succeeded'
      union select "customerId" from "Subscription" where "userId" = ${userId} and status is distinct from 'failed'),
    mine as (select email from "User" where id = ${userId} and "emailVerified"),
    candidates as (
      select "customerId" from "Customer" where "userId" = ${userId}
      union select "customerId" from "Customer" where email in (select email from mine)
      union select "customerId" from bought)
    select c."customerId", c.email, c."missingSince" from candidates join "Customer" c using ("customerId")
    where c."organizationId" is null and (c."userId" = ${userId} or (c."userId" is null
      and (c.email in (select email from mine) or (
        not exists (select from "User" u where u.email = c.email and u."emailVerified" and u.id <> ${userId})
        and not ${hasUnassignedPurchasesSql}))))
      -- The user loses a customer that we created only when the next holder of its email address has bought under it.
      and ((c."userId" = ${userId} and not exists (
          select from "User" u where u.email = c.email and u."emailVerified" and u.id <> ${userId}))
        or not ${hasPurchasesOfAnotherUserSql})
      -- A user who has verified the email address that it was created with made the purchases.
      and (not c."isEmailUnverified" or ${hasOnlyOwnPurchasesSql}
        or (c.email = c."lastSentEmail" and c.email in (select email from mine)))
    order by c."updatedAt" desc, c."customerId" limit ${maxCustomers}`
}

export type OwnedCustomer = { customerId: string; email: string; missingSince: Date | null }

/** Maximum number of customers of one owner that are read. */
const maxCustomers = 100

/** Matches rows of an owner: assigned to it, or without an owner and bought under one of its customers. */
export async function ownedBy(db: Db, owner: BillingOwner) {
  const customers = await customersOf(db, owner)
  const customerIds = customers.map(({ customerId }) => customerId)
  return { OR: [owner, { userId: null, organizationId: null, customerId: { in: customerIds } }] }
}

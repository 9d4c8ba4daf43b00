import { Prisma } from '../../prisma/client/client.ts'
import { normalizeEmail } from '../../shared/identity.ts'
import { can, roles } from '../../shared/permissions.ts'
import type { Sql, Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'
import type { PaymentObject } from './objects/object.ts'
import { type Owner, columnsOf } from './owner.ts'

/** Stores the provider's customer of an event. An event never changes an existing owner. */
export async function rememberCustomer(
  sql: Sql,
  { customer_id: customerId, email, name }: NonNullable<PaymentObject['customer']>,
  { now, eventAt }: { now: Date; eventAt: Date },
): Promise<void> {
  await sql.query(upsertCustomer({ customerId, email: normalizeEmail(email), name, now, eventAt }))
}

const upsertCustomer = statement(
  'payments.customer',
  `insert into "Customer" as known ("customerId", email, name, "createdAt", "updatedAt", "eventAt")
  values (:customerId, :email, :name, :now, :now, :eventAt)
  on conflict ("customerId") do update set
    email = case when excluded.email = '' or known."eventAt" > excluded."eventAt" then known.email else excluded.email end,
    name = case when excluded.name = '' or known."eventAt" > excluded."eventAt" then known.name else excluded.name end,
    "eventAt" = greatest(known."eventAt", case when excluded.email <> '' then excluded."eventAt" end),
    "lostAt" = null, "updatedAt" = excluded."updatedAt"`,
)

/**
 * The customer that checkouts of this owner use: the newest one that is linked to it. Excluded are customers that came
 * with a transfer, which return with it, and those with guest purchases, whose portal the owner may not open.
 *
 * A guest purchase is one bought through a payment link by someone who does not own the customer: the provider attaches
 * it to the newest customer with the buyer's email address.
 */
export async function findOwnCustomer(tx: Tx, owner: Owner): Promise<string | undefined> {
  const customerIds = (await customersOf(tx, owner)).map(({ customerId }) => customerId)
  const row = await tx.customer.findFirst({
    where: { ...owner, lostAt: null, movedFromId: null, customerId: { in: customerIds } },
    orderBy: [{ updatedAt: 'desc' }, { customerId: 'asc' }],
    select: { customerId: true },
  })
  return row?.customerId
}

type NewCustomer = { customerId: string; email: string; name: string; isAddressUnverified?: boolean }

/**
 * Links a newly created customer to this owner. False if the provider returned a customer that is already known and may
 * belong to another owner.
 */
export async function linkOwnCustomer(
  tx: Tx,
  { owner, now, ...made }: NewCustomer & { owner: Owner; now: Date },
): Promise<boolean> {
  const email = normalizeEmail(made.email)
  const data = { ...made, email, toldEmail: email, ...columnsOf(owner), createdAt: now, updatedAt: now }
  const { count } = await tx.customer.createMany({ data, skipDuplicates: true })
  return count === 1
}

/**
 * Customers whose email address at the provider has to be updated, oldest first:
 * - of users who have verified another address since;
 * - of organizations whose receipts go to an address that we sent to the provider for a person who no longer manages
 *   the billing, or had not verified it. Their receipts then go to the first owner.
 *
 * An address that was set in the portal and does not belong to a user, such as that of an accounting department, stays.
 * So does an unverified one with guest purchases.
 */
export async function findOutdatedCustomers(
  tx: Tx,
  limit: number,
): Promise<{ customerId: string; email: string; name: string }[]> {
  return tx.$queryRaw<{ customerId: string; email: string; name: string }[]>`
    select "customerId", email, name from (
      select c."customerId", u.email, u.name, c."updatedAt" from "Customer" c join "User" u on u.id = c."userId"
      where u."emailVerified" and c.email <> u.email and c."lostAt" is null
        and (not c."isAddressUnverified" or ${hasOnlyOwnPurchases})
      union all
      select c."customerId", owner.email, o.name, c."updatedAt" from "Customer" c
      join "Organization" o on o.id = c."organizationId"
      left join lateral (
        select id from "User" where email = c.email and "emailVerified"
        union all select id from "User" where "previousEmail" = c.email limit 1) holder on true
      cross join lateral (
        select u.email from "Member" m join "User" u on u.id = m."userId"
        where m."organizationId" = o.id and 'owner' = any(string_to_array(m.role, ',')) and u."emailVerified"
        order by m."createdAt", m.id limit 1) owner
      where c."lostAt" is null and owner.email <> c.email and (holder.id is not null or c.email = c."toldEmail")
        and (not c."isAddressUnverified" or ${hasOnlyOwnPurchases})
        and not exists (select from "Member" m where m."organizationId" = o.id and m."userId" = holder.id
          and string_to_array(m.role, ',') && ${billingRoles})) outdated
    order by "updatedAt", "customerId" limit ${limit}`
}

/** Roles that manage an organization's billing. */
const billingRoles = roles.filter((role) => can(role, 'organization', 'update'))

/**
 * Users whose verified email address an organization's customer has, and who have no newer customer of their own. The
 * provider attaches guest purchases to the newest customer with the buyer's address, which is the organization's.
 */
export async function findHiddenBuyers(
  tx: Tx,
  limit: number,
): Promise<{ userId: string; email: string; name: string }[]> {
  return tx.$queryRaw<{ userId: string; email: string; name: string }[]>`
    select u.id as "userId", u.email, u.name from "Customer" c
    join "User" u on u.email = c.email and u."emailVerified"
    where c."organizationId" is not null and c."lostAt" is null
      and not exists (select from "Customer" own where own."userId" = u.id and own.email = c.email
        and own."lostAt" is null and own."createdAt" > c."createdAt")
    group by u.id order by random() limit ${limit}`
}

/** Records the verified email address that the provider has accepted or refused, so that it is not sent again. */
export async function setCustomerEmail(
  tx: Tx,
  { customerId, email, isTaken, now }: { customerId: string; email: string; isTaken: boolean; now: Date },
): Promise<void> {
  await tx.$executeRaw`
    update "Customer" c set email = ${email}, "updatedAt" = ${now},
      "toldEmail" = case when ${isTaken} then ${email} else c."toldEmail" end,
      "isAddressUnverified" = c."isAddressUnverified" and not ${isTaken}
    where "customerId" = ${customerId} and (not c."isAddressUnverified" or ${hasOnlyOwnPurchases})`
}

/**
 * Records that the email address which a customer was created with has been verified, by its user or by a person who
 * manages the billing.
 */
export async function markVerifiedAddresses(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    update "Customer" c set "isAddressUnverified" = false
    where c."isAddressUnverified" and c.email = c."toldEmail" and ${hasOnlyOwnPurchases} and exists (
      select from "User" u where u.email = c.email and u."emailVerified" and (u.id = c."userId" or exists (
        select from "Member" m where m."organizationId" = c."organizationId" and m."userId" = u.id
          and string_to_array(m.role, ',') && ${billingRoles})))`
}

/** Marks a customer that the provider no longer knows. Checkouts and portals no longer use it. */
export async function markCustomerLost(tx: Tx, customerId: string, now: Date): Promise<void> {
  await tx.customer.updateMany({ where: { customerId }, data: { lostAt: now } })
}

/** Every payment except failed and cancelled ones. One that is still processing counts. */
const attempted = Prisma.sql`(p.status is null or p.status not in ('failed', 'cancelled'))`

/** Matches a row whose owner is not the owner of its customer. */
const isForeign = (row: string) =>
  Prisma.raw(
    `(${row}."userId" is distinct from c."userId" or ${row}."organizationId" is distinct from c."organizationId")`,
  )

/**
 * Whether a customer has no guest purchases: everything bought under it belongs to its owner. While the owner has not
 * verified the customer's email address, the portal would show guest purchases to the owner.
 */
const hasOnlyOwnPurchases = Prisma.sql`not exists (select from "Payment" p
    where p."customerId" = c."customerId" and ${isForeign('p')} and ${attempted})
  and not exists (select from "Subscription" s
    where s."customerId" = c."customerId" and ${isForeign('s')} and s.status <> 'failed')`

/**
 * Returns the provider's customers that represent an owner, newest first:
 * - those that our server or an administrator has linked;
 * - for a user, also customers without a link whose newest email address is the user's verified one;
 * - for a user, also customers without a link under which the user has bought, while no other user has their address.
 *
 * A customer with purchases of another owner represents no user: the former and the next holder of an address never see
 * each other's purchases, cards and invoices (SEC-116).
 */
export async function customersOf(tx: Tx, owner: Owner): Promise<CustomerRow[]> {
  return tx.$queryRaw<CustomerRow[]>(selectCustomers(owner))
}

/** The statement of `customersOf`, used by other statements as a subquery. */
export function selectCustomers(owner: Owner): Prisma.Sql {
  if ('organizationId' in owner) {
    return Prisma.sql`select "customerId", email, "lostAt" from "Customer" c where "organizationId" = ${owner.organizationId}
      and (not "isAddressUnverified" and "movedFromId" is null or ${hasOnlyOwnPurchases})
      order by "updatedAt" desc, "customerId" limit ${maxCustomers}`
  }
  const { userId } = owner
  // Finds candidates through three indexes. A condition with `or` would read every customer without a link (30 ms at
  // 100,000).
  return Prisma.sql`
    with bought as (
      select "customerId" from "Payment" where "userId" = ${userId} and status = 'succeeded'
      union select "customerId" from "Subscription" where "userId" = ${userId}),
    mine as (select email from "User" where id = ${userId} and "emailVerified"),
    candidates as (
      select "customerId" from "Customer" where "userId" = ${userId}
      union select "customerId" from "Customer" where email in (select email from mine)
      union select "customerId" from bought)
    select c."customerId", c.email, c."lostAt" from candidates join "Customer" c using ("customerId")
    where c."organizationId" is null and (c."userId" = ${userId} or (c."userId" is null
      and (c.email in (select email from mine) or (
        not exists (select from "User" u where u.email = c.email and u."emailVerified" and u.id <> ${userId})
        and not exists (select from "Payment" p
          where p."customerId" = c."customerId" and p."userId" is null and ${attempted})
        and not exists (select from "Subscription" s where s."customerId" = c."customerId" and s."userId" is null)
        and not exists (select from "LicenseKey" k where k."customerId" = c."customerId" and k."userId" is null)))))
      -- The user loses a customer that we created only when the next holder of its email address has bought under it.
      and ((c."userId" = ${userId} and not exists (
          select from "User" u where u.email = c.email and u."emailVerified" and u.id <> ${userId}))
        or (not exists (select from "Payment" p where p."customerId" = c."customerId" and ${attempted}
            and (p."userId" <> ${userId} or p."organizationId" is not null))
          and not exists (select from "Subscription" s where s."customerId" = c."customerId" and s.status <> 'failed'
            and (s."userId" <> ${userId} or s."organizationId" is not null))
          and not exists (select from "LicenseKey" k where k."customerId" = c."customerId"
            and (k."userId" <> ${userId} or k."organizationId" is not null))))
      -- A user who has verified the email address that it was created with made the purchases.
      and (not c."isAddressUnverified" or ${hasOnlyOwnPurchases}
        or (c.email = c."toldEmail" and c.email in (select email from mine)))
    order by c."updatedAt" desc, c."customerId" limit ${maxCustomers}`
}

/**
 * Customers with unassigned events whose email address a user has verified, and under which no other owner has bought.
 */
export async function findClaimableCustomers(tx: Tx, limit: number): Promise<{ customerId: string; userId: string }[]> {
  return tx.$queryRaw<{ customerId: string; userId: string }[]>`
    select c."customerId", u.id as "userId" from "Customer" c
    join "User" u on u.email = c.email and u."emailVerified"
    where c."userId" is null and c."organizationId" is null
      and exists (select from "WebhookEvent" e where e.state = 'unassigned' and e."customerId" = c."customerId")
      and not exists (select from "Payment" p where p."customerId" = c."customerId"
        and (p."organizationId" is not null or p."userId" <> u.id))
      and not exists (select from "Subscription" s where s."customerId" = c."customerId"
        and (s."organizationId" is not null or s."userId" <> u.id))
      and not exists (select from "LicenseKey" k where k."customerId" = c."customerId"
        and (k."organizationId" is not null or k."userId" <> u.id))
    order by random() limit ${limit}`
}

/**
 * Whether the user still has the verified email address of an unlinked customer. Both rows are locked until the
 * transaction ends.
 */
export async function lockAddressOwner(sql: Sql, customerId: string, userId: string): Promise<boolean> {
  const { rows } = await sql.query(
    `select 1 from "Customer" c join "User" u on u.email = c.email and u."emailVerified"
      where c."customerId" = $1 and u.id = $2 and c."userId" is null and c."organizationId" is null
      for key share of u for share of c`,
    [customerId, userId],
  )
  return rows.length === 1
}

export type CustomerRow = { customerId: string; email: string; lostAt: Date | null }

/** Maximum number of customers of one owner that are read. */
const maxCustomers = 100

/** Matches rows of an owner: assigned to it, or without an owner and bought under one of its customers. */
export async function ownedBy(tx: Tx, owner: Owner) {
  const customers = await customersOf(tx, owner)
  const customerIds = customers.map(({ customerId }) => customerId)
  return { OR: [owner, { userId: null, organizationId: null, customerId: { in: customerIds } }] }
}

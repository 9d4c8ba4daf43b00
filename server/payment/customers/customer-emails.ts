import { Prisma } from '../../../prisma/client/client.ts'
import { managesBilling, roles } from '../../../shared/permissions.ts'
import type { Db } from '../../foundation/database.ts'
import { hasRoleSql } from '../../foundation/member-roles.ts'
import { hasOnlyOwnPurchasesSql } from '../attribution/owned-customers.ts'

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
  db: Db,
  limit: number,
): Promise<{ customerId: string; email: string; name: string }[]> {
  return db.$queryRaw<{ customerId: string; email: string; name: string }[]>`
    select "customerId", email, name from (
      select c."customerId", u.email, u.name, c."updatedAt" from "Customer" c join "User" u on u.id = c."userId"
      where u."emailVerified" and c.email <> u.email and c."missingSince" is null
        and (not c."isEmailUnverified" or ${hasOnlyOwnPurchasesSql})
      union all
      select c."customerId", owner.email, o.name, c."updatedAt" from "Customer" c
      join "Organization" o on o.id = c."organizationId"
      left join lateral (
        select id from "User" where email = c.email and "emailVerified"
        union all select id from "User" where "previousEmail" = c.email limit 1) holder on true
      cross join lateral (
        select u.email from "Member" m join "User" u on u.id = m."userId"
        where m."organizationId" = o.id and ${Prisma.raw(hasRoleSql('m', 'owner'))} and u."emailVerified"
        order by m."createdAt", m.id limit 1) owner
      where c."missingSince" is null and owner.email <> c.email and (holder.id is not null or c.email = c."lastSentEmail")
        and (not c."isEmailUnverified" or ${hasOnlyOwnPurchasesSql})
        and not exists (select from "Member" m where m."organizationId" = o.id and m."userId" = holder.id
          and string_to_array(m.role, ',') && ${billingRoles})) outdated
    order by "updatedAt", "customerId" limit ${limit}`
}

/** Roles that manage an organization's billing. */
const billingRoles = roles.filter(managesBilling)

/**
 * Users whose verified email address an organization's customer has, and who have no newer customer of their own. The
 * provider attaches guest purchases to the newest customer with the buyer's address, which is the organization's.
 */
export async function findUsersOfOrganizationEmails(
  db: Db,
  limit: number,
): Promise<{ userId: string; email: string; name: string }[]> {
  return db.$queryRaw<{ userId: string; email: string; name: string }[]>`
    select u.id as "userId", u.email, u.name from "Customer" c
    join "User" u on u.email = c.email and u."emailVerified"
    where c."organizationId" is not null and c."missingSince" is null
      and not exists (select from "Customer" own where own."userId" = u.id and own.email = c.email
        and own."missingSince" is null and own."createdAt" > c."createdAt")
    group by u.id order by random() limit ${limit}`
}

/** Records the verified email address that the provider has accepted or refused, so that it is not sent again. */
export async function setCustomerEmail(
  db: Db,
  { customerId, email, isAccepted, now }: { customerId: string; email: string; isAccepted: boolean; now: Date },
): Promise<void> {
  await db.$executeRaw`
    update "Customer" c set email = ${email}, "updatedAt" = ${now},
      "lastSentEmail" = case when ${isAccepted} then ${email} else c."lastSentEmail" end,
      "isEmailUnverified" = c."isEmailUnverified" and not ${isAccepted}
    where "customerId" = ${customerId} and (not c."isEmailUnverified" or ${hasOnlyOwnPurchasesSql})`
}

/**
 * Records that the email address which a customer was created with has been verified, by its user or by a person who
 * manages the billing.
 */
export async function markVerifiedEmails(db: Db): Promise<void> {
  await db.$executeRaw`
    update "Customer" c set "isEmailUnverified" = false
    where c."isEmailUnverified" and c.email = c."lastSentEmail" and ${hasOnlyOwnPurchasesSql} and exists (
      select from "User" u where u.email = c.email and u."emailVerified" and (u.id = c."userId" or exists (
        select from "Member" m where m."organizationId" = c."organizationId" and m."userId" = u.id
          and string_to_array(m.role, ',') && ${billingRoles})))`
}

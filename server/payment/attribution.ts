import { Prisma } from '../../prisma/client/client.ts'
import { normalizeEmail } from '../../shared/account.ts'
import type { KeyList } from '../foundation/crypto.ts'
import type { Sql, Tx } from '../foundation/database.ts'
import { type Owner, columnsOf } from './owner.ts'
import type { PaymentObject } from './objects/object.ts'
import { readOwner } from './signed-metadata.ts'

/** Whom an event belongs to, and what else its arrival may assign. */
export type Attribution = {
  owner: Owner | undefined
  /** Whom the provider's customer was made for by our own server; everybody else is found by the customer's address. */
  customerOwner: Owner | undefined
  hasUnassigned: boolean
  hasKeys: boolean
}

/**
 * One event at a time about one customer, payment or object: what two of them read of each other would be old. Locked in the
 * order of their names, so that no two wait for each other.
 */
export async function lockInOrder(sql: Sql, object: PaymentObject | undefined): Promise<void> {
  if (!object) return
  const { customer, paymentId, subscriptionId, table, id } = object
  const subject = `${table}:${id}`
  const names = [
    subject,
    customer && `Customer:${customer.customer_id}`,
    paymentId && `Payment:${paymentId}`,
    subscriptionId && `Subscription:${subscriptionId}`,
  ].filter((name): name is string => name !== undefined && name !== '')
  await lockNames(sql, names)
}

/** The same for names such as `Customer:cus_1`. */
export async function lockNames(sql: Sql, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql.query({
    name: 'payments.turns',
    text: 'select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name',
    values: [[...new Set(names)].toSorted()],
  })
}

/**
 * The owner of an object: whom our own server named and signed in its metadata; for a refund, dispute or key the owner of its
 * payment or subscription; else whom the provider's customer stands for; else the user who has verified the customer's address.
 * An event that is older than what is known of the customer does not bring a former address back (SEC-116).
 * What names a purchase that has not come yet waits for it. Undefined: it waits for an administrator. One statement, by
 * unique indexes.
 */
export async function attributeEvent(
  sql: Sql,
  keys: KeyList,
  object: PaymentObject | undefined,
  eventAt: Date,
): Promise<Attribution> {
  const { customer, metadata = {}, paymentId, subscriptionId, table, id = null } = object ?? {}
  const named = readOwner(keys, metadata)
  const { userId, organizationId } = columnsOf(named?.owner)
  const values = [
    organizationId,
    userId,
    customer?.customer_id ?? null,
    normalizeEmail(customer?.email ?? ''),
    paymentId ?? null,
    subscriptionId ?? null,
    table === 'Payment' ? id : null,
    table === 'Subscription' ? id : null,
    eventAt,
  ]
  const { rows } = await sql.query<AttributionRow>({ name: 'payments.standing', text: attributionText, values })
  const [row] = rows
  return {
    owner: ownerOf(row?.organizationId, row?.userId),
    customerOwner: named?.hasOwnCustomer && row?.isNamed ? named.owner : undefined,
    hasUnassigned: row?.hasUnassigned ?? false,
    hasKeys: row?.hasKeys ?? false,
  }
}

type AttributionRow = {
  organizationId: string | null
  userId: string | null
  isNamed: boolean
  hasUnassigned: boolean
  hasKeys: boolean
}

function ownerOf(organizationId: string | null | undefined, userId: string | null | undefined): Owner | undefined {
  if (organizationId) return { organizationId }
  return userId ? { userId } : undefined
}

const attributionText = `
  with parent as (
    select "userId", "organizationId", "customerId" from "Payment" where "paymentId" = $5
    union all select "userId", "organizationId", "customerId" from "Subscription" where "subscriptionId" = $6),
  customer as (
    select "userId", "organizationId", email, "eventAt" from "Customer"
    where "customerId" = coalesce($3, (select nullif("customerId", '') from parent limit 1))),
  named as (
    -- Held until the commit: neither is deleted beside the customer that is stored for it.
    select (select id from "Organization" where id = $1 for key share) as "organizationId",
      (select id from "User" where id = $2 for key share) as "userId"),
  verified as (
    select id from "User"
    where "emailVerified" and email = coalesce(
      (select nullif(email, '') from customer where "eventAt" > $9::timestamptz), nullif($4, ''),
      (select nullif(email, '') from customer))),
  -- The first payment of a subscription may arrive before it; every other object waits for the one that it refers to.
  judge as (select ($5::text is null and ($6::text is null or $7::text is not null)) or exists (select from parent) as can),
  known as (
    select "userId", "organizationId" from "Payment" where "paymentId" = $7
    union all select "userId", "organizationId" from "Subscription" where "subscriptionId" = $8),
  candidates as (
    select 0 as rank, "organizationId", "userId" from known
    union all select 1, "organizationId", case when "organizationId" is null then "userId" end as "userId" from named
    union all select 2, "organizationId", "userId" from parent
    union all select 3, "organizationId", "userId" from customer where (select can from judge)
    union all select 4, null, id from verified where (select can from judge))
  select "organizationId", "userId", exists (select from named where "organizationId" is not null or "userId" is not null) as "isNamed",
    exists (select from "WebhookEvent" e where e."appliedAt" is null and e.failure is null and (
      e.payload->'data'->'customer'->>'customer_id' = $3 or e.payload->'data'->>'customer_id' = $3
      or e.payload->'data'->>'payment_id' = $7 or e.payload->'data'->>'subscription_id' = $8
      or e.payload->'data'->>'payment_id' in (select "paymentId" from "Payment" where "customerId" = $3))) as "hasUnassigned",
    exists (select from "LicenseKey" k where k."userId" is null and k."organizationId" is null
      and k."customerId" = $3 and (k."paymentId" = $7 or k."subscriptionId" = $8)) as "hasKeys"
  from (select 1) as one left join lateral (
    select "organizationId", "userId" from candidates
    where "organizationId" is not null or "userId" is not null order by rank limit 1) as best on true`

/** Payments that came before their subscription, and had no owner, are those of the subscription's owner. */
export async function assignPayments(sql: Sql, subscriptionId: string, owner: Owner): Promise<void> {
  const { userId, organizationId } = columnsOf(owner)
  await sql.query({
    name: 'payments.assign.Payment',
    text: `update "Payment" set "userId" = $2, "organizationId" = $3
      where "subscriptionId" = $1 and "userId" is null and "organizationId" is null`,
    values: [subscriptionId, userId, organizationId],
  })
}

/** Keys that came before the purchase they belong to are its owner's. */
export async function assignKeys(sql: Sql, { table, id }: PaymentObject, owner: Owner): Promise<void> {
  const { userId, organizationId } = columnsOf(owner)
  const column = table === 'Payment' ? 'paymentId' : 'subscriptionId'
  await sql.query({
    name: `payments.keys.${table}`,
    text: `update "LicenseKey" set "userId" = $2, "organizationId" = $3
      where "${column}" = $1 and "userId" is null and "organizationId" is null`,
    values: [id, userId, organizationId],
  })
}

/** The provider's customer, and whom it stands for once that is known; a link is never undone by an event. */
export async function rememberCustomer(
  sql: Sql,
  { customer_id: customerId, email, name }: NonNullable<PaymentObject['customer']>,
  customerOwner: Owner | undefined,
  { now, eventAt }: { now: Date; eventAt: Date },
): Promise<void> {
  const { userId, organizationId } = columnsOf(customerOwner)
  await sql.query({
    name: 'payments.customer',
    text: customerText,
    values: [customerId, normalizeEmail(email), name, userId, organizationId, now, eventAt],
  })
}

const customerText = `
  insert into "Customer" as known ("customerId", email, name, "userId", "organizationId", "createdAt", "updatedAt", "eventAt")
  values ($1, $2, $3, $4, $5, $6, $6, $7)
  on conflict ("customerId") do update set
    email = case when excluded.email = '' or known."eventAt" > excluded."eventAt" then known.email else excluded.email end,
    name = case when excluded.name = '' or known."eventAt" > excluded."eventAt" then known.name else excluded.name end,
    "eventAt" = greatest(known."eventAt", case when excluded.email <> '' then excluded."eventAt" end),
    "userId" = case when known."organizationId" is null then coalesce(known."userId", excluded."userId") end,
    "organizationId" = case when known."userId" is null then coalesce(known."organizationId", excluded."organizationId") end,
    "updatedAt" = excluded."updatedAt"`

/**
 * Events that only waited for an owner are marked as applied when one is known: of this customer, of its payments, and about this one.
 * What another delivery is settling at the same time is left to it.
 */
export async function markAssigned(
  sql: Sql,
  {
    customerId,
    paymentId,
    subscriptionId,
  }: { customerId: string | null; paymentId: string | null; subscriptionId: string | null },
  now: Date,
): Promise<void> {
  await sql.query({
    name: 'payments.settle',
    text: `update "WebhookEvent" set "appliedAt" = $3 where id in (
      select id from "WebhookEvent" where "appliedAt" is null and failure is null and (
        payload->'data'->'customer'->>'customer_id' = $1 or payload->'data'->>'customer_id' = $1
        or payload->'data'->>'payment_id' = $2 or payload->'data'->>'subscription_id' = $4
        or payload->'data'->>'payment_id' in (select "paymentId" from "Payment" where "customerId" = $1))
      order by id for update skip locked)`,
    values: [customerId, paymentId, now, subscriptionId],
  })
}

/** Every payment but those that came to nothing: one that is still processing is somebody's purchase already. */
const attempted = Prisma.sql`(p.status is null or p.status not in ('failed', 'cancelled'))`

/**
 * The provider's customers that stand for an owner: those that our server or an administrator has linked; and for a person
 * those without a link whose newest address is the person's verified one, or as which the person has bought while nobody else
 * has that address. A customer as which somebody else has bought is nobody's: the former and the next holder of an address
 * never see each other's purchases, cards and invoices (SEC-116).
 */
export async function customersOf(tx: Tx, owner: Owner): Promise<{ customerId: string }[]> {
  if ('organizationId' in owner) {
    return tx.customer.findMany({ where: owner, select: { customerId: true }, orderBy: newest, take: maxCustomers })
  }
  const { userId } = owner
  return tx.$queryRaw<{ customerId: string }[]>`
    with bought as (
      select "customerId" from "Payment" where "userId" = ${userId} and status = 'succeeded'
      union select "customerId" from "Subscription" where "userId" = ${userId}),
    mine as (select email from "User" where id = ${userId} and "emailVerified")
    select c."customerId" from "Customer" c
    where c."userId" = ${userId} or (c."userId" is null and c."organizationId" is null
      and (c.email in (select email from mine) or (c."customerId" in (select "customerId" from bought)
        and not exists (select from "User" u where u.email = c.email and u."emailVerified" and u.id <> ${userId})
        and not exists (select from "Payment" p
          where p."customerId" = c."customerId" and p."userId" is null and ${attempted})
        and not exists (select from "Subscription" s where s."customerId" = c."customerId" and s."userId" is null)
        and not exists (select from "LicenseKey" k where k."customerId" = c."customerId" and k."userId" is null)))
      and not exists (select from "Payment" p where p."customerId" = c."customerId" and ${attempted}
        and (p."userId" <> ${userId} or p."organizationId" is not null))
      and not exists (select from "Subscription" s where s."customerId" = c."customerId"
        and (s."userId" <> ${userId} or s."organizationId" is not null))
      and not exists (select from "LicenseKey" k where k."customerId" = c."customerId"
        and (k."userId" <> ${userId} or k."organizationId" is not null)))
    order by c."updatedAt" desc, c."customerId" limit ${maxCustomers}`
}

const newest = [{ updatedAt: 'desc' as const }, { customerId: 'asc' as const }]

/** Customers of one owner that are looked at; the provider makes one for each address. */
const maxCustomers = 100

/** Rows of an owner: attributed to it, or without an owner and bought as one of its customers. */
export async function ownedBy(tx: Tx, owner: Owner) {
  const customers = await customersOf(tx, owner)
  const customerIds = customers.map(({ customerId }) => customerId)
  return { OR: [owner, { userId: null, organizationId: null, customerId: { in: customerIds } }] }
}

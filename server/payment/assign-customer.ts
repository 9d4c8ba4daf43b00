import { lockAsAdministrator } from '../account/administrators.ts'
import type { App } from '../dependencies.ts'
import { logEvent, type NewEvent, type Origin, recordWith } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { statement } from '../foundation/statement.ts'
import { inTransaction, type Sql } from '../foundation/transactions.ts'
import type { Caller } from '../request/read-caller.ts'
import { lockNames } from './attribution.ts'
import { assignDependents } from './dependents.ts'
import { columnsOf, type Owner } from './owner.ts'

/** The condition of a row `t` without an owner, or with one that was deleted. */
const belongsToNobody = `(
  (t."userId" is null and t."organizationId" is null)
  or (t."organizationId" is not null and not exists (select from "Organization" o where o.id = t."organizationId"))
  or (t."organizationId" is null and t."userId" is not null and not exists (select from "User" u where u.id = t."userId")))`

type StoredEvent = {
  customerId: string | null
  paymentId: string | null
  subscriptionId: string | null
  subjectId: string | null
  state: string
}

/**
 * For administrators. Assigns the customer of an event to an owner, with its waiting events and every purchase that had
 * no owner, whose owner was deleted, or whose former owner had it through this customer. If the event has no customer,
 * only its purchase is assigned.
 */
export async function assignCustomer(
  app: App & Origin & Pick<Caller, 'user'>,
  eventId: string,
  owner: Owner,
  assigned: NewEvent,
): Promise<void> {
  const found = (await app.db.paymentEvent.findUnique({ where: { id: eventId } })) ?? refuse('EVENT_NOT_FOUND')
  const customerId = await customerOf(app, found)
  await inTransaction(app.pool, async (sql) => {
    await lockAsAdministrator(sql, app.user.id)
    // The locks that events of this customer and purchase take: their deliveries wait, and then read the new owner.
    await lockNames(sql, [
      ...(customerId === undefined ? [] : [`Customer:${customerId}`]),
      ...(found.paymentId === null ? [] : [`Payment:${found.paymentId}`]),
      ...(found.subscriptionId === null ? [] : [`Subscription:${found.subscriptionId}`]),
    ])
    // Another administrator may have assigned the event while this call waited.
    const { rows } = await sql.query<Pick<StoredEvent, 'state'>>('select state from "PaymentEvent" where id = $1', [
      eventId,
    ])
    const event = { ...found, ...rows[0] }
    if (!(await isHeld(sql, owner))) refuse('OWNER_NOT_FOUND')
    await recordWith(sql, app, assigned)
    const isAlone = customerId === undefined || (await standsAlone(sql, event, { customerId, owner }))
    if (isAlone) await assignPurchase(sql, event, owner, app.now)
    else await assignPurchases(sql, customerId, owner, app.now)
  })
  logEvent(app, assigned)
}

/** A refund or dispute names only a payment, which names the customer. */
async function customerOf(
  { db }: App,
  { customerId, paymentId }: Omit<StoredEvent, 'state'>,
): Promise<string | undefined> {
  if (customerId !== null || paymentId === null) return customerId ?? undefined
  const payment = await db.payment.findUnique({ where: { paymentId } })
  return payment?.customerId || undefined
}

/**
 * Whether a purchase is assigned without its customer. A guest purchase (see customers.ts) belongs to its buyer alone;
 * the customer's other purchases stay with the customer's owner.
 */
async function standsAlone(
  sql: Sql,
  { paymentId, subscriptionId, subjectId, state }: StoredEvent,
  { customerId, owner }: { customerId: string; owner: Owner },
): Promise<boolean> {
  const { rows } = await sql.query<Columns>(
    `select "userId", "organizationId" from "Customer"
      where "customerId" = $1 and ("userId" is not null or "organizationId" is not null)`,
    [customerId],
  )
  const [holder] = rows
  if (!holder) return false
  const found = await sql.query<Columns>(findFormer({ paymentId, subscriptionId, subjectId, isCorrection: true }))
  const [bought] = found.rows
  const isNobodys = !bought || (bought.userId === null && bought.organizationId === null)
  if (!isNobodys) return !isSame(bought, holder)
  return state !== 'applied' && !isSame(columnsOf(owner), holder)
}

function isSame(one: Columns, other: Columns): boolean {
  return one.userId === other.userId && one.organizationId === other.organizationId
}

/**
 * Assigns one payment or subscription, with the rows that refer to it. Before its event has been applied, only a
 * purchase without an owner can be assigned; afterwards an administrator can correct the assignment.
 */
async function assignPurchase(
  sql: Sql,
  { paymentId, subscriptionId, subjectId, state }: StoredEvent,
  owner: Owner,
  now: Date,
): Promise<void> {
  const purchase = { paymentId, subscriptionId, subjectId, isCorrection: state === 'applied' }
  const { rows } = await sql.query<Columns>(findFormer(purchase))
  const [former] = rows
  if (!former) refuse('PURCHASE_CANNOT_BE_ASSIGNED')
  const { userId: formerUserId, organizationId: formerOrganizationId } = former
  await sql.query(movePurchase({ ...purchase, ...columnsOf(owner), formerUserId, formerOrganizationId }))
  if (subscriptionId !== null) await assignDependents(sql, { table: 'Subscription', id: subscriptionId }, owner, now)
  if (paymentId !== null) await assignDependents(sql, { table: 'Payment', id: paymentId }, owner, now)
  // The events of the purchases themselves.
  await sql.query(applyOfPurchase({ paymentId, subscriptionId, subjectId, now }))
}

const applyOfPurchase = statement(
  'payments.applyOfPurchase',
  `update "PaymentEvent" set state = 'applied', "appliedAt" = :now where id in (
    select id from "PaymentEvent" where state = 'unassigned' and "subjectId" in (:paymentId, :subscriptionId, :subjectId)
    order by id for update skip locked)`,
)

type Columns = { userId: string | null; organizationId: string | null }

/** The current owner of the subscription, else of the payment, else of the license key, if it may be assigned. */
const findFormer = statement(
  'payments.former',
  `select "userId", "organizationId" from (
    select 0 as rank, "userId", "organizationId" from "Subscription" t
    where "subscriptionId" = :subscriptionId and (:isCorrection::boolean or ${belongsToNobody})
    union all
    select 1, "userId", "organizationId" from "Payment" t
    where "paymentId" = :paymentId and (:isCorrection::boolean or ${belongsToNobody})
    union all
    select 2, "userId", "organizationId" from "LicenseKey" t
    where id = :subjectId and (:isCorrection::boolean or ${belongsToNobody})) as found
  order by rank limit 1`,
)

/** Matches a row of the purchase that belongs to the former owner, or has no owner. */
const wasFormer = `(
  (:isCorrection::boolean and t."userId" is not distinct from :formerUserId
    and t."organizationId" is not distinct from :formerOrganizationId) or ${belongsToNobody})`

/** The purchase itself, its payments and its license keys. */
const movePurchase = statement(
  'payments.movePurchase',
  `with subscription as (${movedText('"Subscription"', 't."subscriptionId" = :subscriptionId')}),
  payment as (${movedText('"Payment"', '(t."paymentId" = :paymentId or t."subscriptionId" = :subscriptionId)')}),
  key as (${movedText(
    '"LicenseKey"',
    `(t.id = :subjectId or t."paymentId" = :paymentId or t."subscriptionId" = :subscriptionId
      or t."paymentId" in (select "paymentId" from "Payment" where "subscriptionId" = :subscriptionId))`,
  )})
  select 1`,
)

function movedText(table: string, isPart: string): string {
  return `update ${table} t set "userId" = :userId, "organizationId" = :organizationId where ${isPart} and ${wasFormer}`
}

async function assignPurchases(sql: Sql, customerId: string, owner: Owner, now: Date): Promise<void> {
  const { rows } = await sql.query<Columns>(
    'select "userId", "organizationId" from "Customer" where "customerId" = $1 for update',
    [customerId],
  )
  const [former] = rows
  const moved = { customerId, ...columnsOf(owner), now }
  await sql.query(upsertHolder(moved))
  for (const move of moves) {
    const { userId: formerUserId = null, organizationId: formerOrganizationId = null } = former ?? {}
    await sql.query(move({ ...moved, formerUserId, formerOrganizationId }))
  }
  await sql.query(applyOfCustomer(moved))
}

const upsertHolder = statement(
  'payments.holder',
  `insert into "Customer" ("customerId", email, name, "userId", "organizationId", "createdAt", "updatedAt")
  values (:customerId, '', '', :userId, :organizationId, :now, :now)
  on conflict ("customerId") do update set "userId" = excluded."userId", "organizationId" = excluded."organizationId",
    "updatedAt" = excluded."updatedAt", "isAddressUnverified" = false, "transferredFromUserId" = null`,
)

const applyOfCustomer = statement(
  'payments.applyOfCustomer',
  `update "PaymentEvent" set state = 'applied', "appliedAt" = :now where id in (
    select id from "PaymentEvent" where state = 'unassigned' and ("customerId" = :customerId
      or "paymentId" in (select "paymentId" from "Payment" where "customerId" = :customerId))
    order by id for update skip locked)`,
)

/** Moves the customer's rows of a table that belong to the former owner, or to nobody. */
const moves = ['Payment', 'Subscription', 'LicenseKey'].map((table) =>
  statement(
    `payments.move.${table}`,
    `update "${table}" as t set "userId" = :userId, "organizationId" = :organizationId where t."customerId" = :customerId and (
      (t."userId" is not distinct from :formerUserId and t."organizationId" is not distinct from :formerOrganizationId)
      or ${belongsToNobody})`,
  ),
)

/** Locks the new owner until the transaction ends. False if it was deleted meanwhile. */
async function isHeld(sql: Sql, owner: Owner): Promise<boolean> {
  const { userId, organizationId } = columnsOf(owner)
  const { rows } = await sql.query<{ is: boolean }>(
    `select (select id from "User" where id = $1 for key share) is not null
      or (select id from "Organization" where id = $2 for key share) is not null as "is"`,
    [userId, organizationId],
  )
  return rows[0]?.is ?? false
}

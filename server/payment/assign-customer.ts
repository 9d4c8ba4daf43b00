import { keepAdministrator } from '../account/administrators.ts'
import type { App } from '../dependencies.ts'
import { type NewEvent, type Origin, logEvent, recordWith } from '../event/record.ts'
import { type Sql, inTransaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller } from '../request/context.ts'
import { lockNames } from './attribution.ts'
import { assignDependents } from './dependents.ts'
import { type Owner, columnsOf } from './owner.ts'

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
  const found = (await app.db.webhookEvent.findUnique({ where: { id: eventId } })) ?? refuse('EVENT_NOT_FOUND')
  const customerId = await customerOf(app, found)
  await inTransaction(app.pool, async (sql) => {
    await keepAdministrator(sql, app.user.id)
    // The locks that events of this customer and purchase take: their deliveries wait, and then read the new owner.
    await lockNames(sql, [
      ...(customerId === undefined ? [] : [`Customer:${customerId}`]),
      ...(found.paymentId === null ? [] : [`Payment:${found.paymentId}`]),
      ...(found.subscriptionId === null ? [] : [`Subscription:${found.subscriptionId}`]),
    ])
    // Another administrator may have assigned the event while this call waited.
    const { rows } = await sql.query<Pick<StoredEvent, 'state'>>('select state from "WebhookEvent" where id = $1', [
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
  const found = await sql.query<Columns>(formerText, [paymentId, subscriptionId, true, subjectId])
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
  const { userId, organizationId } = columnsOf(owner)
  const isCorrection = state === 'applied'
  const { rows } = await sql.query<Columns>(formerText, [paymentId, subscriptionId, isCorrection, subjectId])
  const [former] = rows
  if (!former) refuse('PURCHASE_CANNOT_BE_ASSIGNED')
  const purchase = [paymentId, subscriptionId, userId, organizationId]
  const values = [...purchase, isCorrection, former.userId, former.organizationId, subjectId]
  await sql.query(purchaseText, values)
  if (subscriptionId !== null) await assignDependents(sql, { table: 'Subscription', id: subscriptionId }, owner, now)
  if (paymentId !== null) await assignDependents(sql, { table: 'Payment', id: paymentId }, owner, now)
  // The events of the purchases themselves.
  await sql.query(
    `update "WebhookEvent" set state = 'applied', "appliedAt" = $3 where id in (
      select id from "WebhookEvent" where state = 'unassigned' and "subjectId" in ($1, $2, $4) order by id for update skip locked)`,
    [paymentId, subscriptionId, now, subjectId],
  )
}

type Columns = { userId: string | null; organizationId: string | null }

/** The current owner of the subscription, else of the payment, else of the license key, if it may be assigned. */
const formerText = `
  select "userId", "organizationId" from (
    select 0 as rank, "userId", "organizationId" from "Subscription" t where "subscriptionId" = $2 and ($3::boolean or ${belongsToNobody})
    union all
    select 1, "userId", "organizationId" from "Payment" t where "paymentId" = $1 and ($3::boolean or ${belongsToNobody})
    union all
    select 2, "userId", "organizationId" from "LicenseKey" t where id = $4 and ($3::boolean or ${belongsToNobody})) as found
  order by rank limit 1`

/** Matches a row of the purchase that belongs to the former owner, or has no owner. */
const wasFormer = `(
  (t."userId" is not distinct from $6 and t."organizationId" is not distinct from $7 and $5::boolean) or ${belongsToNobody})`

/** The purchase itself, its payments and its license keys. */
const purchaseText = `
  with subscription as (${movedText('"Subscription"', 't."subscriptionId" = $2')}),
  payment as (${movedText('"Payment"', '(t."paymentId" = $1 or t."subscriptionId" = $2)')}),
  key as (${movedText(
    '"LicenseKey"',
    `(t.id = $8 or t."paymentId" = $1 or t."subscriptionId" = $2
      or t."paymentId" in (select "paymentId" from "Payment" where "subscriptionId" = $2))`,
  )})
  select 1`

function movedText(table: string, isPart: string): string {
  return `update ${table} t set "userId" = $3, "organizationId" = $4 where ${isPart} and ${wasFormer}`
}

async function assignPurchases(sql: Sql, customerId: string, owner: Owner, now: Date): Promise<void> {
  const { userId, organizationId } = columnsOf(owner)
  const { rows } = await sql.query<{ userId: string | null; organizationId: string | null }>(
    'select "userId", "organizationId" from "Customer" where "customerId" = $1 for update',
    [customerId],
  )
  const former = rows[0] ?? { userId: null, organizationId: null }
  await sql.query(
    `insert into "Customer" ("customerId", email, name, "userId", "organizationId", "createdAt", "updatedAt")
      values ($1, '', '', $2, $3, $4, $4)
      on conflict ("customerId") do update set "userId" = $2, "organizationId" = $3, "updatedAt" = $4,
        "isAddressUnverified" = false, "movedFromId" = null`,
    [customerId, userId, organizationId, now],
  )
  for (const text of assignTexts) {
    await sql.query(text, [customerId, userId, organizationId, former.userId, former.organizationId])
  }
  await sql.query(
    `update "WebhookEvent" set state = 'applied', "appliedAt" = $2 where id in (
      select id from "WebhookEvent" where state = 'unassigned' and ("customerId" = $1
        or "paymentId" in (select "paymentId" from "Payment" where "customerId" = $1))
      order by id for update skip locked)`,
    [customerId, now],
  )
}

const assignTexts = ['"Payment"', '"Subscription"', '"LicenseKey"'].map(
  (table) => `
  update ${table} as t set "userId" = $2, "organizationId" = $3 where t."customerId" = $1 and (
    (t."userId" is not distinct from $4 and t."organizationId" is not distinct from $5)
    or ${belongsToNobody})`,
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

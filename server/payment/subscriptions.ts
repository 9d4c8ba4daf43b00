import type { Sql, Tx } from '../foundation/database.ts'
import { livingStatuses } from '../../shared/payment.ts'
import { ownedBy } from './customers.ts'
import type { Owner } from './owner.ts'

/** The subscription, if it belongs to this owner. */
export async function findOwnedSubscription(tx: Tx, owner: Owner, subscriptionId: string) {
  const owned = await ownedBy(tx, owner)
  return tx.subscription.findFirst({ where: { subscriptionId, ...owned } })
}

/** The organization that a subscription belongs to, if it is one. */
export async function findOrganizationOf(tx: Tx, subscriptionId: string): Promise<string | undefined> {
  const row = await tx.subscription.findUnique({ where: { subscriptionId }, select: { organizationId: true } })
  return row?.organizationId ?? undefined
}

/** Takes the lock that the events of a subscription take. */
export async function lockSubscription(tx: Tx, subscriptionId: string): Promise<void> {
  const name = `Subscription:${subscriptionId}`
  await tx.$queryRaw`select 1 from (select pg_advisory_xact_lock(hashtextextended(${name}, 0))) as locked`
}

/** Customers as which something was bought: those with a living subscription first, in the given order otherwise. */
export async function withPurchases<Row extends { customerId: string }>(tx: Tx, customers: Row[]): Promise<Row[]> {
  const customerIds = customers.map(({ customerId }) => customerId)
  const rows = await tx.$queryRaw<{ customerId: string; isLiving: boolean }[]>`
    select c."customerId", exists (select from "Subscription" s where s."customerId" = c."customerId"
      and s.status = any(${[...livingStatuses]}::text[])) as "isLiving"
    from unnest(${customerIds}::text[]) as c("customerId")
    where exists (select from "Payment" p where p."customerId" = c."customerId")
      or exists (select from "Subscription" s where s."customerId" = c."customerId")
      or exists (select from "LicenseKey" k where k."customerId" = c."customerId")`
  const known = new Map(rows.map(({ customerId, isLiving }) => [customerId, isLiving]))
  return customers
    .filter(({ customerId }) => known.has(customerId))
    .toSorted((a, b) => Number(known.get(b.customerId)) - Number(known.get(a.customerId)))
}

/**
 * Moves a subscription, with its payments and keys, to another owner. Its renewals follow it. The provider's customer follows
 * when nothing else was bought as that customer.
 */
export async function moveSubscription(tx: Tx, subscriptionId: string, to: Owner): Promise<void> {
  const data =
    'userId' in to ? { userId: to.userId, organizationId: null } : { userId: null, organizationId: to.organizationId }
  const { customerId } = await tx.subscription.update({ where: { subscriptionId }, data })
  await tx.payment.updateMany({ where: { subscriptionId }, data })
  await tx.licenseKey.updateMany({ where: { subscriptionId }, data })
  if (customerId === '') return
  const others = { customerId, OR: [{ subscriptionId: null }, { subscriptionId: { not: subscriptionId } }] }
  const count =
    (await tx.payment.count({ where: others })) +
    (await tx.licenseKey.count({ where: others })) +
    (await tx.subscription.count({ where: { customerId, subscriptionId: { not: subscriptionId } } }))
  if (count === 0) await tx.customer.updateMany({ where: { customerId }, data })
}

/** Maximum number of trials that one night looks at. */
const maxTrials = 5_000

/** Active subscriptions with a trial whose owner has not been told of its end. */
export async function findTrials(tx: Tx, now: Date) {
  return tx.subscription.findMany({
    where: {
      status: 'active',
      trialRemindedAt: null,
      cancelAtNextBillingDate: false,
      nextBillingDate: { gt: now },
      payload: { path: ['trial_period_days'], gt: 0 },
    },
    orderBy: { subscriptionId: 'asc' },
    take: maxTrials,
    select: { subscriptionId: true, userId: true, organizationId: true, payload: true, createdAt: true },
  })
}

/** Notes that the owner is told. False if it was noted already. */
export async function markTrialReminded(sql: Sql, subscriptionId: string, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    'update "Subscription" set "trialRemindedAt" = $2 where "subscriptionId" = $1 and "trialRemindedAt" is null',
    [subscriptionId, now],
  )
  return rowCount === 1
}

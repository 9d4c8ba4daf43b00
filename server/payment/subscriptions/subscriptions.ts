import type { Subscription } from '../../../prisma/client/client.ts'
import { ongoingStatuses } from '../../../shared/payment.ts'
import { managesBilling } from '../../../shared/permissions.ts'
import type { Db, Tx } from '../../foundation/database.ts'
import { releaseLeasesWithPrefix } from '../../foundation/leases.ts'
import { type PgTransaction, statementsOf } from '../../foundation/transactions.ts'
import { ownedBy } from '../attribution/owned-customers.ts'
import { billingOwnerColumns, type BillingOwner, billingOwnerKey } from '../billing-owner/billing-owner.ts'

/** The subscription, if it belongs to this owner. */
export async function findOwnedSubscription(db: Db, owner: BillingOwner, subscriptionId: string) {
  const owned = await ownedBy(db, owner)
  return db.subscription.findFirst({ where: { subscriptionId, ...owned } })
}

/** A subscription of any owner. */
export async function findSubscription(db: Db, subscriptionId: string): Promise<Subscription | null> {
  return db.subscription.findUnique({ where: { subscriptionId } })
}

/** The organization that a subscription belongs to, if its owner is an organization. */
export async function findOrganizationOf(db: Db, subscriptionId: string): Promise<string | undefined> {
  const row = await db.subscription.findUnique({ where: { subscriptionId }, select: { organizationId: true } })
  return row?.organizationId ?? undefined
}

/** Locks a new owner until the transaction ends. False if it was deleted, or the user no longer manages its billing. */
export async function lockManagedBillingOwner(tx: Tx, owner: BillingOwner, userId: string): Promise<boolean> {
  if ('userId' in owner) {
    return (await tx.$queryRaw<unknown[]>`select 1 from "User" where id = ${owner.userId} for key share`).length === 1
  }
  const { organizationId } = owner
  const held = await tx.$queryRaw<unknown[]>`select 1 from "Organization" where id = ${organizationId} for key share`
  const member = await tx.member.findFirst({ where: { organizationId, userId } })
  return held.length === 1 && member !== null && managesBilling(member.role)
}

/**
 * Customers under which something was bought: those with an active subscription first, otherwise in the given order.
 */
export async function customersWithPurchases<Row extends { customerId: string }>(
  db: Db,
  customers: Row[],
): Promise<Row[]> {
  const customerIds = customers.map(({ customerId }) => customerId)
  const rows = await db.$queryRaw<{ customerId: string; isOngoing: boolean }[]>`
    select c."customerId", exists (select from "Subscription" s where s."customerId" = c."customerId"
      and s.status = any(${[...ongoingStatuses]}::text[])) as "isOngoing"
    from unnest(${customerIds}::text[]) as c("customerId")
    where exists (select from "Payment" p where p."customerId" = c."customerId")
      or exists (select from "Subscription" s where s."customerId" = c."customerId")
      or exists (select from "LicenseKey" k where k."customerId" = c."customerId")`
  const known = new Map(rows.map(({ customerId, isOngoing }) => [customerId, isOngoing]))
  return customers
    .filter(({ customerId }) => known.has(customerId))
    .toSorted((a, b) => Number(known.get(b.customerId)) - Number(known.get(a.customerId)))
}

/**
 * Moves a subscription, with its payments and license keys, to another owner. Its renewals follow it. The provider's
 * customer, with its card and invoices, moves from a user to an organization if it was created for that user and
 * nothing else was bought under it, and moves back to that user on the same condition. Otherwise a customer never
 * leaves an organization, nor a guest who paid through a link.
 */
export async function moveSubscription(
  tx: Tx,
  { subscriptionId, from, to }: { subscriptionId: string; from: BillingOwner; to: BillingOwner },
): Promise<void> {
  const data = billingOwnerColumns(to)
  const { customerId } = await tx.subscription.update({ where: { subscriptionId }, data })
  const payments = await tx.payment.findMany({ where: { subscriptionId }, select: { paymentId: true } })
  await tx.payment.updateMany({ where: { subscriptionId }, data })
  const paymentIds = payments.map(({ paymentId }) => paymentId)
  await tx.licenseKey.updateMany({ where: { OR: [{ subscriptionId }, { paymentId: { in: paymentIds } }] }, data })
  const others = { customerId, OR: [{ subscriptionId: null }, { subscriptionId: { not: subscriptionId } }] }
  const ofAnotherPayment = {
    OR: [{ subscriptionId: { not: null } }, { paymentId: null }, { paymentId: { notIn: paymentIds } }],
  }
  // Before a customer moves back, its user may have bought more under it.
  const foreign = 'userId' in to ? [{ OR: [{ userId: null }, { userId: { not: to.userId } }] }] : []
  // Attempts that failed are no purchases.
  const paid = { OR: [{ status: null }, { status: { notIn: ['failed', 'cancelled'] } }] }
  const begun = { OR: [{ status: null }, { status: { not: 'failed' } }] }
  const count =
    (await tx.payment.count({ where: { AND: [others, paid, ...foreign] } })) +
    (await tx.licenseKey.count({ where: { AND: [others, ofAnotherPayment, ...foreign] } })) +
    (await tx.subscription.count({
      where: { AND: [{ customerId, subscriptionId: { not: subscriptionId } }, begun, ...foreign] },
    }))
  if (count === 0) await moveCustomer(tx, { customerId, from, to })
}

/** Moves the customer of a user to an organization, or back. Customers in any other situation stay where they are. */
async function moveCustomer(
  tx: Tx,
  { customerId, from, to }: { customerId: string; from: BillingOwner; to: BillingOwner },
): Promise<void> {
  const data = billingOwnerColumns(to)
  if ('userId' in from && 'organizationId' in to) {
    // The customer was created for the user, or has the user's verified email address.
    const count = await tx.$executeRaw`
      update "Customer" c set "userId" = null, "organizationId" = ${to.organizationId}, "transferredFromUserId" = ${from.userId}
      where c."customerId" = ${customerId} and c."organizationId" is null and (c."userId" = ${from.userId}
        or (c."userId" is null and exists (
          select from "User" u where u.id = ${from.userId} and u."emailVerified" and u.email = c.email)))`
    // The customer is no longer offered, nor a checkout that was started for it.
    for (const prefix of count > 0 ? [`${billingOwnerKey(from)}:`, `customer:${billingOwnerKey(from)}:`] : [])
      await releaseLeasesWithPrefix(statementsOf(tx), prefix)
  }
  if ('organizationId' in from && 'userId' in to) {
    const where = { customerId, organizationId: from.organizationId, transferredFromUserId: to.userId }
    await tx.customer.updateMany({ where, data: { ...data, transferredFromUserId: null } })
  }
}

/** Maximum number of trials checked in one night. */
const maxTrials = 5_000

/** Active subscriptions with a trial whose owner has not been notified of its end. */
export async function findTrialsToNotify(db: Db, { now, until }: { now: Date; until: Date }) {
  return db.subscription.findMany({
    where: {
      status: 'active',
      trialRemindedAt: null,
      cancelAtNextBillingDate: false,
      // The first charge is due when the trial ends.
      nextBillingDate: { gt: now, lte: until },
      payload: { path: ['trial_period_days'], gt: 0 },
    },
    orderBy: { subscriptionId: 'asc' },
    take: maxTrials,
    select: { subscriptionId: true, userId: true, organizationId: true, payload: true, createdAt: true },
  })
}

/** Records that the owner is being notified. False if this was recorded before. */
export async function markTrialNotified(sql: PgTransaction, subscriptionId: string, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    'update "Subscription" set "trialRemindedAt" = $2 where "subscriptionId" = $1 and "trialRemindedAt" is null',
    [subscriptionId, now],
  )
  return rowCount === 1
}

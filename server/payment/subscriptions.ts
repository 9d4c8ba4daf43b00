import type { Tx } from '../foundation/database.ts'
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

/** Customers with a living subscription first, in the given order otherwise. */
export async function orderByLivingSubscriptions<Row extends { customerId: string }>(
  tx: Tx,
  customers: Row[],
): Promise<Row[]> {
  const rows = await tx.subscription.findMany({
    where: { customerId: { in: customers.map(({ customerId }) => customerId) }, status: { in: [...livingStatuses] } },
    select: { customerId: true },
    distinct: ['customerId'],
  })
  const living = new Set(rows.map(({ customerId }) => customerId))
  const isLiving = ({ customerId }: Row) => Number(living.has(customerId))
  return customers.toSorted((a, b) => isLiving(b) - isLiving(a))
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

import type { Tx } from '../foundation/database.ts'

type Due = { before: Date; now: Date; limit: number }

/**
 * Subscriptions that may grant access or may do so again, and were last compared before a point in time. Those that were never
 * compared, or waited longest, come first.
 */
export async function findSubscriptionsToCompare(
  tx: Tx,
  { before, now, limit }: Due,
): Promise<{ subscriptionId: string; eventAt: Date }[]> {
  return tx.subscription.findMany({
    where: {
      AND: [
        { OR: [{ comparedAt: null }, { comparedAt: { lt: before } }] },
        {
          OR: [
            { status: { in: ['pending', 'active', 'past_due', 'on_hold', 'paused'] } },
            { status: 'cancelled', nextBillingDate: { gt: now } },
          ],
        },
      ],
    },
    orderBy: [{ comparedAt: { sort: 'asc', nulls: 'first' } }, { subscriptionId: 'asc' }],
    take: limit,
    select: { subscriptionId: true, eventAt: true },
  })
}

/** Notes the time of a comparison, on our clock: it only determines when the next one is due. */
export async function markCompared(tx: Tx, subscriptionId: string, now: Date): Promise<void> {
  await tx.subscription.updateMany({ where: { subscriptionId }, data: { comparedAt: now } })
}

/** The event times of the subscriptions that are known. */
export async function findSubscriptionTimes(tx: Tx, ids: string[]): Promise<Map<string, Date>> {
  const rows = await tx.subscription.findMany({
    where: { subscriptionId: { in: ids } },
    select: { subscriptionId: true, eventAt: true },
  })
  return new Map(rows.map(({ subscriptionId, eventAt }) => [subscriptionId, eventAt]))
}

/** Status and event time of the payments that are known. */
export async function findPaymentStates(
  tx: Tx,
  ids: string[],
): Promise<Map<string, { status: string | null; eventAt: Date }>> {
  const rows = await tx.payment.findMany({
    where: { paymentId: { in: ids } },
    select: { paymentId: true, status: true, eventAt: true },
  })
  return new Map(rows.map(({ paymentId, ...row }) => [paymentId, row]))
}

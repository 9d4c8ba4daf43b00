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

/** Tables of objects that the provider lists. */
export type ComparedTable = 'Subscription' | 'Payment' | 'Refund' | 'Dispute'

type Known = { id: string; status: string | null; eventAt: Date }

/** Status and event time of the objects that are known, by their id. */
export async function findKnown(tx: Tx, table: ComparedTable, ids: string[]): Promise<Map<string, Known>> {
  const rows = await readKnown[table](tx, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

const readKnown: Record<ComparedTable, (tx: Tx, ids: string[]) => PromiseLike<Known[]>> = {
  Subscription: (tx, ids) => tx.$queryRaw`
    select "subscriptionId" as id, status, "eventAt" from "Subscription" where "subscriptionId" = any(${ids})`,
  Payment: (tx, ids) => tx.$queryRaw`
    select "paymentId" as id, status, "eventAt" from "Payment" where "paymentId" = any(${ids})`,
  Refund: (tx, ids) => tx.$queryRaw`
    select "refundId" as id, status, "eventAt" from "Refund" where "refundId" = any(${ids})`,
  Dispute: (tx, ids) => tx.$queryRaw`
    select "disputeId" as id, "disputeStatus" as status, "eventAt" from "Dispute" where "disputeId" = any(${ids})`,
}

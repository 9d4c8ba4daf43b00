import { terminalStatuses } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import type { PaymentObject } from '../objects/object.ts'

type Due = { before: Date; now: Date; limit: number }

/**
 * Subscriptions that may grant access, now or again, and were last compared before a point in time. The longest waiting
 * come first.
 */
export async function findSubscriptionsToCompare(
  db: Db,
  { before, now, limit }: Due,
): Promise<{ subscriptionId: string; eventAt: Date }[]> {
  return db.$queryRaw<{ subscriptionId: string; eventAt: Date }[]>`
    select "subscriptionId", "eventAt" from "Subscription"
    where "comparedAt" < ${before}
      and (status in ('pending', 'active', 'past_due', 'on_hold', 'paused')
        or (status = 'cancelled' and "nextBillingDate" > ${now}))
    order by "comparedAt", "subscriptionId" limit ${limit}`
}

/** Records the time of a comparison, on our clock: it only determines when the next one is due. */
export async function markCompared(db: Db, subscriptionId: string, now: Date): Promise<void> {
  await db.subscription.updateMany({ where: { subscriptionId }, data: { comparedAt: now } })
}

/**
 * Ends a subscription that the provider does not know, such as one of its test mode, once a renewal is due. Returns
 * whether it was ended.
 */
export async function expireUnknownSubscription(db: Db, subscriptionId: string, now: Date): Promise<boolean> {
  const where = { subscriptionId, status: { notIn: [...terminalStatuses.subscription] }, nextBillingDate: { lt: now } }
  const { count } = await db.subscription.updateMany({ where, data: { status: 'expired', statusSince: now } })
  return count > 0
}

/** Tables of objects that the provider lists. */
export type ReconciledTable = 'Subscription' | 'Payment' | 'Refund' | 'Dispute' | 'LicenseKey'

type StoredRow = { id: string; status: string | null; eventAt: Date }

/** Status and event time of the known objects, by id. */
export async function findKnown(db: Db, table: ReconciledTable, ids: string[]): Promise<Map<string, StoredRow>> {
  const rows = await readKnown[table](db, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

const readKnown: Record<ReconciledTable, (db: Db, ids: string[]) => PromiseLike<StoredRow[]>> = {
  Subscription: (tx, ids) => tx.$queryRaw`
    select "subscriptionId" as id, status, "eventAt" from "Subscription" where "subscriptionId" = any(${ids})`,
  Payment: (tx, ids) => tx.$queryRaw`
    select "paymentId" as id, status, "eventAt" from "Payment" where "paymentId" = any(${ids})`,
  Refund: (tx, ids) => tx.$queryRaw`
    select "refundId" as id, status, "eventAt" from "Refund" where "refundId" = any(${ids})`,
  LicenseKey: (tx, ids) => tx.$queryRaw`select id, status, "eventAt" from "LicenseKey" where id = any(${ids})`,
  Dispute: (tx, ids) => tx.$queryRaw`
    select "disputeId" as id, "disputeStatus" as status, "eventAt" from "Dispute" where "disputeId" = any(${ids})`,
}

/** Time of the event that wrote the row of an object. Undefined without a row. */
export async function findEventTime(
  sql: PgTransaction,
  { table, id }: Pick<PaymentObject, 'table' | 'id'>,
): Promise<Date | undefined> {
  const { rows } = await sql.query<{ eventAt: Date }>(eventTimeTexts[table], [id])
  return rows[0]?.eventAt
}

const eventTimeTexts = {
  Payment: 'select "eventAt" from "Payment" where "paymentId" = $1',
  Refund: 'select "eventAt" from "Refund" where "refundId" = $1',
  Dispute: 'select "eventAt" from "Dispute" where "disputeId" = $1',
  Subscription: 'select "eventAt" from "Subscription" where "subscriptionId" = $1',
  LicenseKey: 'select "eventAt" from "LicenseKey" where id = $1',
} as const

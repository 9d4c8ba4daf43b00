import type { z } from 'zod'
import type { Dispute } from '../../../prisma/client/client.ts'
import type { DisputeRow, disputeStatuses } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import { beforeCursor, maxRows } from '../../foundation/lists.ts'
import { emailsOfCustomers } from '../attribution/customers.ts'

type Page = { limit?: number | undefined; cursor?: string | undefined }

/** Disputes, newest first. */
export async function listDisputes(db: Db, { limit = maxRows, cursor }: Page): Promise<z.input<typeof DisputeRow>[]> {
  const from = cursor === undefined ? undefined : await db.dispute.findUnique({ where: { disputeId: cursor } })
  if (from === null) return []
  const rows = await db.dispute.findMany({
    where: from ? beforeCursor(from, 'disputeId') : {},
    orderBy: [{ createdAt: 'desc' }, { disputeId: 'desc' }],
    take: limit,
  })
  return withPayments(db, rows)
}

/** All disputes of one payment, newest first. */
export async function listDisputesOf(db: Db, paymentId: string): Promise<z.input<typeof DisputeRow>[]> {
  const rows = await db.dispute.findMany({
    where: { paymentId },
    orderBy: [{ createdAt: 'desc' }, { disputeId: 'desc' }],
    take: maxRows,
  })
  return withPayments(db, rows)
}

async function withPayments(db: Db, rows: readonly Dispute[]): Promise<z.input<typeof DisputeRow>[]> {
  const payments = await db.payment.findMany({
    where: { paymentId: { in: rows.map(({ paymentId }) => paymentId) } },
    select: { paymentId: true, customerId: true, totalAmount: true, currency: true },
  })
  const paymentOf = new Map(payments.map((payment) => [payment.paymentId, payment]))
  const emails = await emailsOfCustomers(db, payments)
  return rows.map(({ disputeId: id, disputeStage: stage, disputeStatus: status, ...row }) => {
    const disputed = paymentOf.get(row.paymentId)
    const payment = disputed ? { amount: Number(disputed.totalAmount), currency: disputed.currency } : null
    return { id, stage, status, ...row, payment, email: (disputed && emails.get(disputed.customerId)) ?? null }
  })
}

/**
 * Statuses of disputes after which the payment is the seller's. One that has expired usually ends against the seller.
 */
const sellerWonStatuses = ['dispute_won', 'dispute_cancelled'] as const satisfies (typeof disputeStatuses)[number][]

/** Whether a dispute prevents a refund: the customer has won it, or may still win. */
export function preventsRefund(status: string | null): boolean {
  return !sellerWonStatuses.some((ended) => ended === status)
}

/**
 * Those of these payments that are disputed, or whose dispute the customer has won: a refund would return the amount
 * twice.
 */
export async function findDisputedPaymentIds(db: Db, paymentIds: readonly string[]): Promise<ReadonlySet<string>> {
  const disputes = await db.dispute.findMany({
    where: {
      paymentId: { in: [...paymentIds] },
      OR: [{ disputeStatus: null }, { disputeStatus: { notIn: [...sellerWonStatuses] } }],
    },
    select: { paymentId: true },
  })
  return new Set(disputes.map(({ paymentId }) => paymentId))
}

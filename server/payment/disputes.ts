import type { z } from 'zod'
import type { DisputeRow } from '../../shared/payment.ts'
import type { Tx } from '../foundation/database.ts'
import { beforeCursor, maxRows } from '../foundation/lists.ts'
import { emailsOfCustomers } from './customers.ts'

type Paged = { limit?: number | undefined; cursor?: string | undefined }

/** Disputes, newest first. */
export async function listDisputes(tx: Tx, { limit = maxRows, cursor }: Paged): Promise<z.input<typeof DisputeRow>[]> {
  const from = cursor === undefined ? undefined : await tx.dispute.findUnique({ where: { disputeId: cursor } })
  if (from === null) return []
  const rows = await tx.dispute.findMany({
    where: from ? beforeCursor(from, 'disputeId') : {},
    orderBy: [{ createdAt: 'desc' }, { disputeId: 'desc' }],
    take: limit,
  })
  const payments = await tx.payment.findMany({
    where: { paymentId: { in: rows.map(({ paymentId }) => paymentId) } },
    select: { paymentId: true, customerId: true, totalAmount: true, currency: true },
  })
  const paymentOf = new Map(payments.map((payment) => [payment.paymentId, payment]))
  const emails = await emailsOfCustomers(tx, payments)
  return rows.map(({ disputeId: id, disputeStage: stage, disputeStatus: status, ...row }) => {
    const disputed = paymentOf.get(row.paymentId)
    const payment = disputed ? { amount: Number(disputed.totalAmount), currency: disputed.currency } : null
    return { id, stage, status, ...row, payment, email: (disputed && emails.get(disputed.customerId)) ?? null }
  })
}

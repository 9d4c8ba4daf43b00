import type { z } from 'zod'
import type { Payment } from '../../../prisma/client/client.ts'
import type { PaymentDetails } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import { maxRows } from '../../foundation/lists.ts'
import { httpsOf, textOf } from '../provider/payload.ts'
import { toAdministeredPayments } from './all-payments.ts'
import { listDisputesOf } from './disputes.ts'
import { amountOf } from './refunds.ts'

/** One payment as administrators see it, with its owner, refunds and disputes. */
export async function findPaymentDetails(
  db: Db,
  paymentId: string,
  now: Date,
): Promise<z.input<typeof PaymentDetails> | undefined> {
  const payment = await db.payment.findUnique({ where: { paymentId } })
  const [row] = payment ? await toAdministeredPayments(db, [payment], now) : []
  if (!payment || !row) return undefined
  const refunds = await db.refund.findMany({
    where: { paymentId },
    orderBy: [{ createdAt: 'desc' }, { refundId: 'desc' }],
    take: maxRows,
  })
  return {
    ...row,
    owner: await readOwnerName(db, payment),
    subscriptionId: payment.subscriptionId,
    cardLastFour: textOf(payment.payload, 'card_last_four'),
    errorMessage: textOf(payment.payload, 'error_message'),
    errorCode: textOf(payment.payload, 'error_code'),
    invoiceUrl: httpsOf(payment.payload, 'invoice_url'),
    refunds: refunds.map((refund) => {
      const { refundId: id, status, reason, createdAt } = refund
      return { id, status, reason, createdAt, amount: amountOf(refund, payment) }
    }),
    disputes: await listDisputesOf(db, paymentId),
  }
}

async function readOwnerName(db: Db, { userId, organizationId }: Payment) {
  const select = { id: true, name: true }
  if (organizationId !== null) {
    const organization = await db.organization.findUnique({ where: { id: organizationId }, select })
    return organization && { kind: 'organization' as const, ...organization }
  }
  const user = userId === null ? null : await db.user.findUnique({ where: { id: userId }, select })
  return user && { kind: 'user' as const, ...user }
}

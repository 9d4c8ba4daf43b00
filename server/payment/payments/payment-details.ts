import type { z } from 'zod'
import type { Payment } from '../../../prisma/client/client.ts'
import type { PaymentDetails } from '../../../shared/payment.ts'
import type { Tx } from '../../foundation/database.ts'
import { maxRows } from '../../foundation/lists.ts'
import { httpsOf, textOf } from '../provider/payload.ts'
import { toAdministeredPayments } from './all-payments.ts'
import { listDisputesOf } from './disputes.ts'
import { amountOf } from './refunds.ts'

/** One payment as administrators see it, with its owner, refunds and disputes. */
export async function findPaymentDetails(
  tx: Tx,
  paymentId: string,
  now: Date,
): Promise<z.input<typeof PaymentDetails> | undefined> {
  const payment = await tx.payment.findUnique({ where: { paymentId } })
  const [row] = payment ? await toAdministeredPayments(tx, [payment], now) : []
  if (!payment || !row) return undefined
  const refunds = await tx.refund.findMany({
    where: { paymentId },
    orderBy: [{ createdAt: 'desc' }, { refundId: 'desc' }],
    take: maxRows,
  })
  return {
    ...row,
    owner: await readOwnerName(tx, payment),
    subscriptionId: payment.subscriptionId,
    cardLastFour: textOf(payment.payload, 'card_last_four'),
    errorMessage: textOf(payment.payload, 'error_message'),
    errorCode: textOf(payment.payload, 'error_code'),
    invoiceUrl: httpsOf(payment.payload, 'invoice_url'),
    refunds: refunds.map((refund) => {
      const { refundId: id, status, reason, createdAt } = refund
      return { id, status, reason, createdAt, amount: amountOf(refund, payment) }
    }),
    disputes: await listDisputesOf(tx, paymentId),
  }
}

async function readOwnerName(tx: Tx, { userId, organizationId }: Payment) {
  const select = { id: true, name: true }
  if (organizationId !== null) {
    const organization = await tx.organization.findUnique({ where: { id: organizationId }, select })
    return organization && { kind: 'organization' as const, ...organization }
  }
  const user = userId === null ? null : await tx.user.findUnique({ where: { id: userId }, select })
  return user && { kind: 'user' as const, ...user }
}

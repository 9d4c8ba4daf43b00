import type { Payment, Refund } from '../../../prisma/client/client.ts'
import type { Tx } from '../../foundation/database.ts'

/** The payment with this id of the provider. Null if no event about it was applied. */
export async function findPayment(tx: Tx, paymentId: string): Promise<Payment | null> {
  return tx.payment.findUnique({ where: { paymentId } })
}

export async function findRefund(tx: Tx, refundId: string): Promise<Refund | null> {
  return tx.refund.findUnique({ where: { refundId } })
}

/** All refunds of a payment, in no order. */
export async function listRefundsOf(tx: Tx, paymentId: string): Promise<Refund[]> {
  return tx.refund.findMany({ where: { paymentId } })
}

import type { Payment, Refund } from '../../../prisma/client/client.ts'
import type { Db } from '../../foundation/database.ts'

/** The payment with this id of the provider. Null if no event about it was applied. */
export async function findPayment(db: Db, paymentId: string): Promise<Payment | null> {
  return db.payment.findUnique({ where: { paymentId } })
}

export async function findRefund(db: Db, refundId: string): Promise<Refund | null> {
  return db.refund.findUnique({ where: { refundId } })
}

/** All refunds of a payment, in no order. */
export async function listRefundsOf(db: Db, paymentId: string): Promise<Refund[]> {
  return db.refund.findMany({ where: { paymentId } })
}

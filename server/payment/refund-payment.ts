import { z } from 'zod'
import type { Payment } from '../../prisma/client/client.ts'
import type { RefundPayment } from '../../shared/payment.ts'
import { requireCurrentAdministrator } from '../account/administrators.ts'
import { record } from '../event/record.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { listDisputed, preventsRefund } from './disputes.ts'
import { callProvider } from './provider-api.ts'
import { refreshPayment } from './refresh-payment.ts'
import { amountOf, isOngoingRefund, refundKey } from './refunds.ts'
import { singleFlight, withLease } from './single-flight.ts'

/** Seconds during which a refund is not started again. Its event arrives earlier. */
const keepSeconds = 3_600

/** Refunds a payment in full. The provider's event updates its row. */
export async function refundPayment(ctx: CallerContext, input: z.output<typeof RefundPayment>): Promise<void> {
  const { paymentId, reason } = input
  const { key } = await requireRefundable(ctx, paymentId)
  let isRequested = false
  const mayBeMade = (error: unknown) => isRequested && !isDefinite(error)
  // Two administrators, or two clicks, start only one refund.
  await singleFlight(ctx, { key, keepSeconds, mayBeMade }, () =>
    // The key changes when the event of a failed refund arrives.
    withLease(ctx.db, { key: `refunding:${paymentId}`, clock: ctx.clock }, async () => {
      // Again, while no other request is under way: the last one may have started a refund without getting an answer.
      const { payment } = await requireRefundable(ctx, paymentId)
      await requireCurrentAdministrator(ctx.pool, ctx.user.id)
      const reasonField = reason === undefined ? {} : { reason }
      isRequested = true
      await callProvider(ctx.config.payments, z.unknown(), (client) =>
        client.refunds.create({ payment_id: paymentId, ...reasonField }),
      )
      const { organizationId, userId: subjectId } = payment
      const event = { actorId: ctx.user.id, subjectId, organizationId, data: { paymentId, ...reasonField } }
      // The refund has begun: a failure here must not let it be requested again.
      await record(ctx.db, ctx, { type: 'payment.refunded', ...event }).catch((error: unknown) => {
        ctx.log.error({ err: error, requestId: ctx.requestId, ...event }, 'refund not recorded')
      })
      return 'refunded'
    }),
  )
}

/** Whether the provider has certainly not started a refund: it has refused the request. */
function isDefinite(error: unknown): boolean {
  const { key } = error instanceof Refusal ? error : {}
  return (
    key === 'PAYMENT_WAS_REFUSED' || key === 'PAYMENT_PROVIDER_REJECTED_CREDENTIALS' || key === 'PAYMENTS_ARENT_ENABLED'
  )
}

/**
 * Refuses unless the payment can be refunded in full, by its state at the provider and by our rows: events of a refund or
 * of a dispute may have been lost, and the provider may be behind them. Returns its row, and the key of the request.
 */
async function requireRefundable(ctx: CallerContext, paymentId: string): Promise<{ payment: Payment; key: string }> {
  const known = await ctx.db.payment.findUnique({ where: { paymentId } })
  if (known?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  const atProvider = await refreshPayment(ctx, known)
  const payment = await ctx.db.payment.findUnique({ where: { paymentId } })
  if (payment?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  const isDisputed = atProvider?.disputes.some(({ status }) => preventsRefund(status)) === true
  if (isDisputed || (await listDisputed(ctx.db, [paymentId])).size > 0) refuse('PAYMENT_IS_DISPUTED')
  const rows = await ctx.db.refund.findMany({ where: { paymentId } })
  const ours = rows.map((row) => ({ ...row, amount: amountOf(row, payment) }))
  for (const refunds of [ours, atProvider?.refunds ?? []]) {
    if (refunds.some(({ status }) => isOngoingRefund(status))) refuse('REFUND_IN_PROGRESS')
    const done = refunds.filter(({ status }) => status === 'succeeded')
    const amount = done.reduce((sum, refund) => sum + (refund.amount ?? 0), 0)
    if (done.some(({ isPartial }) => !isPartial) || amount >= payment.totalAmount) refuse('PAYMENT_IS_REFUNDED')
  }
  if (atProvider?.isFullyRefunded) refuse('PAYMENT_IS_REFUNDED')
  return { payment, key: refundKey(paymentId, rows) }
}

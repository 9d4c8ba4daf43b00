import { z } from 'zod'
import type { RefundPayment } from '../../shared/payment.ts'
import { requireCurrentAdministrator } from '../account/administrators.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { listDisputed } from './disputes.ts'
import { callProvider } from './provider-api.ts'
import { refreshPayment } from './refresh-payment.ts'
import { isOngoingRefund, refundKey } from './refunds.ts'
import { singleFlight } from './single-flight.ts'

/** Seconds during which a refund is not started again. Its event arrives earlier. */
const keepSeconds = 3_600

/** Refunds a payment in full. The provider's event updates its row. */
export async function refundPayment(ctx: CallerContext, input: z.output<typeof RefundPayment>): Promise<void> {
  const { paymentId, reason } = input
  const { failed } = await requireRefundable(ctx, paymentId)
  // Two administrators, or two clicks, start only one refund.
  await singleFlight(ctx, { key: refundKey(paymentId, failed), keepSeconds }, async () => {
    // Again, while no other request is under way: the last one may have started a refund without getting an answer.
    const { payment } = await requireRefundable(ctx, paymentId)
    await requireCurrentAdministrator(ctx.pool, ctx.user.id)
    const reasonField = reason === undefined ? {} : { reason }
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
  })
}

/**
 * Refuses unless the payment can be refunded in full, by its present state at the provider: events of a refund or of a
 * dispute may have been lost. Returns its row, and how many refunds have failed.
 */
async function requireRefundable(ctx: CallerContext, paymentId: string) {
  const known = await ctx.db.payment.findUnique({ where: { paymentId } })
  if (known?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  await refreshPayment(ctx, known)
  const payment = await ctx.db.payment.findUnique({ where: { paymentId } })
  if (payment?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  if ((await listDisputed(ctx.db, [paymentId])).size > 0) refuse('PAYMENT_IS_DISPUTED')
  const refunds = await ctx.db.refund.findMany({ where: { paymentId } })
  const full = refunds.filter(({ isPartial }) => !isPartial)
  if (full.some(({ status }) => isOngoingRefund(status))) refuse('REFUND_IN_PROGRESS')
  if (full.some(({ status }) => status === 'succeeded')) refuse('PAYMENT_IS_REFUNDED')
  return { payment, failed: refunds.filter(({ status }) => status === 'failed').length }
}

import { z } from 'zod'
import type { RefundPayment } from '../../shared/payment.ts'
import { requireCurrentAdministrator } from '../account/administrators.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { listDisputed } from './disputes.ts'
import { callProvider } from './provider-api.ts'
import { isOngoingRefund, refundKey } from './refunds.ts'
import { singleFlight } from './single-flight.ts'

/** Seconds during which a refund is not started again. Its event arrives earlier. */
const keepSeconds = 3_600

/** Refunds a payment in full. The provider's event updates its row. */
export async function refundPayment(ctx: CallerContext, input: z.output<typeof RefundPayment>): Promise<void> {
  const { paymentId, reason } = input
  const payment = await ctx.db.payment.findUnique({ where: { paymentId } })
  if (payment?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  const reasonField = reason === undefined ? {} : { reason }
  if ((await listDisputed(ctx.db, [paymentId])).size > 0) refuse('PAYMENT_IS_DISPUTED')
  const refunds = await ctx.db.refund.findMany({ where: { paymentId } })
  if (refunds.some(({ status, isPartial }) => !isPartial && isOngoingRefund(status))) refuse('REFUND_IN_PROGRESS')
  // Two administrators, or two clicks, start only one refund.
  const key = refundKey(paymentId, refunds.filter(({ status }) => status === 'failed').length)
  await singleFlight(ctx.db, { key, keepSeconds, clock: ctx.clock }, async () => {
    await requireCurrentAdministrator(ctx.pool, ctx.user.id)
    await callProvider(ctx.config.payments, z.unknown(), (client) =>
      client.refunds.create({ payment_id: paymentId, ...reasonField }),
    )
    const { organizationId, userId: subjectId } = payment
    const event = { actorId: ctx.user.id, subjectId, organizationId, data: { paymentId, ...reasonField } }
    // The refund has begun: a failure here must not let it be requested again.
    await record(ctx.db, ctx, { type: 'payment.refunded', ...event }).catch((error: unknown) => {
      ctx.log.error({ err: error, paymentId, actorId: ctx.user.id }, 'refund not recorded')
    })
    return 'refunded'
  })
}

import { z } from 'zod'
import type { RefundPayment } from '../../shared/payment.ts'
import { holdAdministrator } from '../account/administrators.ts'
import { record } from '../event/record.ts'
import { callProvider } from '../foundation/dodo.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'
import { singleFlight } from './single-flight.ts'

/** A refund that was started is not started again for so long, in seconds: its event arrives before. */
const keepSeconds = 3_600

/** Refunds a payment in full. Its row follows with the event of the provider. */
export async function refundPayment(ctx: Context & Caller, input: z.output<typeof RefundPayment>): Promise<void> {
  const { paymentId, reason } = input
  const payment = await ctx.db.payment.findUnique({ where: { paymentId } })
  if (payment?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  const said = reason === undefined ? {} : { reason }
  // Two administrators, or two clicks, make one refund; after one that failed there may be another.
  const failed = await ctx.db.refund.count({ where: { paymentId, status: 'failed' } })
  await singleFlight(ctx.db, { key: `refund:${paymentId}:${failed}`, keepSeconds, clock: ctx.clock }, async () => {
    // Waits for a demotion that is being committed. Nothing is locked while the provider answers.
    await holdAdministrator(ctx.pool, ctx.user.id)
    await callProvider(ctx.config.payments, z.unknown(), (client) =>
      client.refunds.create({ payment_id: paymentId, ...said }),
    )
    const { organizationId, userId: subjectId } = payment
    const event = { actorId: ctx.user.id, subjectId, organizationId, data: { paymentId, ...said } }
    await record(ctx.db, ctx, { type: 'payment.refunded', ...event })
    return 'refunded'
  })
}

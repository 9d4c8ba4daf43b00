import { z } from 'zod'
import type { RefundPayment } from '../../shared/payment.ts'
import { record } from '../event/record.ts'
import { callProvider } from '../foundation/dodo.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'

/** Refunds a payment in full. Its row follows with the event of the provider. */
export async function refundPayment(ctx: Context & Caller, input: z.output<typeof RefundPayment>): Promise<void> {
  const { paymentId, reason } = input
  const payment = await ctx.db.payment.findUnique({ where: { paymentId } })
  if (payment?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  const said = reason === undefined ? {} : { reason }
  await callProvider(ctx.config.payments, z.unknown(), (client) =>
    client.refunds.create({ payment_id: paymentId, ...said }),
  )
  const { organizationId, userId: subjectId } = payment
  const event = { actorId: ctx.user.id, subjectId, organizationId, data: { paymentId, ...said } }
  await record(ctx.db, ctx, { type: 'payment.refunded', ...event })
}

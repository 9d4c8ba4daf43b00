import { z } from 'zod'
import type { Payment } from '../../../prisma/client/client.ts'
import type { EventData } from '../../../shared/event.ts'
import type { RefundPayment } from '../../../shared/payment.ts'
import { requireAdministratorNow } from '../../account/administrators.ts'
import { record } from '../../event/record.ts'
import type { Db } from '../../foundation/database.ts'
import { releaseLease, findLease } from '../../foundation/leases.ts'
import { withoutUndefined } from '../../foundation/records.ts'
import { Refusal, refuse } from '../../foundation/refusal.ts'
import type { CallerContext } from '../../request/context.ts'
import { callPaymentProvider, paymentProviderStatus } from '../provider/provider-api.ts'
import { singleFlight } from '../provider/single-flight.ts'
import { findPayment, findRefund, listRefundsOf } from '../records/stored-payments.ts'
import { findDisputedPaymentIds, preventsRefund } from './disputes.ts'
import { refreshPayment } from './refresh-payment.ts'
import { amountOf, isOngoingRefund, refundLeaseKey } from './refunds.ts'

/** Seconds during which a refund is not started again. Its event arrives earlier. */
const resultTtlSeconds = 3_600

/**
 * Seconds in which a second request is not made after one without a clear answer: a minute, by which the provider lists
 * a refund, and the four minutes by which the clocks of two processes may differ (REL-10).
 */
const leaseSeconds = 300

/** The answer to a request. */
const CreatedRefund = z.object({ refund_id: z.string().min(1).max(256), status: z.string().nullish() })

/** Refunds a payment in full. The provider's event updates its row. */
export async function refundPayment(ctx: CallerContext, input: z.output<typeof RefundPayment>): Promise<void> {
  const { paymentId } = input
  await requireRefundable(ctx, paymentId)
  const key = refundLeaseKey(paymentId)
  await releaseLeaseOfFailedRefund(ctx.db, key)
  let isRequested = false
  const mayHaveSucceeded = (error: unknown) => isRequested && !isCertainlyNotStarted(error)
  // Two administrators, or two clicks, start only one refund.
  await singleFlight(ctx, { key, resultTtlSeconds, leaseSeconds, mayHaveSucceeded }, async (renew) => {
    // Again, while no other request is under way: the last one may have started a refund without getting an answer.
    const payment = await requireRefundable(ctx, paymentId)
    await requireAdministratorNow(ctx.pool, ctx.user.id)
    const data = withoutUndefined(input)
    // Before the request, so that its author is known even if this process ends before the answer arrives.
    await record(ctx.db, ctx, { type: 'payment.refund_requested', actorId: ctx.user.id, subjectId: null, data })
    await renew()
    isRequested = true
    const refundId = await requestRefund(ctx, input)
    await recordRefund(ctx, payment, data)
    return refundId
  })
}

/** Requests a refund, and returns its id. */
async function requestRefund(ctx: CallerContext, { paymentId, reason }: z.output<typeof RefundPayment>) {
  const reasonField = reason === undefined ? {} : { reason }
  const answer = await callPaymentProvider(ctx.config.payments, z.unknown(), (client) =>
    client.refunds.create({ payment_id: paymentId, ...reasonField }),
  )
  const { data, error } = CreatedRefund.safeParse(answer)
  // Not known to be a refund, as with the page of a proxy. It may be one.
  if (!data) refuse('PAYMENT_PROVIDER_INVALID_RESPONSE', { cause: error })
  if (data.status === 'failed') refuse('PAYMENT_WAS_REFUSED')
  return data.refund_id
}

/** Records a refund. It has begun: a failure here must not let it be requested again. */
async function recordRefund(
  ctx: CallerContext,
  { organizationId, userId }: Payment,
  data: EventData<'payment.refunded'>,
): Promise<void> {
  const event = { actorId: ctx.user.id, subjectId: userId, organizationId, data }
  await record(ctx.db, ctx, { type: 'payment.refunded', ...event }).catch((error: unknown) => {
    ctx.log.error({ err: error, requestId: ctx.requestId, ...event }, 'failed to record a refund')
  })
}

/** Lets a refund be requested again after the last one has failed. */
async function releaseLeaseOfFailedRefund(db: Db, key: string): Promise<void> {
  const request = await findLease(db, key)
  if (request?.result == null) return
  const refund = await findRefund(db, request.result)
  if (refund?.status === 'failed') await releaseLease(db, request.id)
}

/** Whether the provider has certainly not started a refund: it has refused the request. */
function isCertainlyNotStarted(error: unknown): boolean {
  const { key } = error instanceof Refusal ? error : {}
  return (
    paymentProviderStatus(error) === 429 ||
    key === 'PAYMENT_WAS_REFUSED' ||
    key === 'PAYMENT_PROVIDER_REJECTED_CREDENTIALS' ||
    key === 'PAYMENTS_ARENT_ENABLED'
  )
}

/**
 * Refuses unless the payment can be refunded in full, by its state at the provider and by our rows: events of a refund
 * or of a dispute may have been lost, and the provider may be behind them. Returns its row.
 */
async function requireRefundable(ctx: CallerContext, paymentId: string): Promise<Payment> {
  const known = await findPayment(ctx.db, paymentId)
  if (known?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  const atProvider = await refreshPayment(ctx, known)
  const payment = await findPayment(ctx.db, paymentId)
  if (payment?.status !== 'succeeded') refuse('PAYMENT_NOT_FOUND')
  const isDisputed = atProvider?.disputes.some(({ status }) => preventsRefund(status)) === true
  if (isDisputed || (await findDisputedPaymentIds(ctx.db, [paymentId])).size > 0) refuse('PAYMENT_IS_DISPUTED')
  const rows = await listRefundsOf(ctx.db, paymentId)
  const ours = rows.map((row) => ({ ...row, amount: amountOf(row, payment) }))
  for (const refunds of [ours, atProvider?.refunds ?? []]) {
    if (refunds.some(({ status }) => isOngoingRefund(status))) refuse('REFUND_IN_PROGRESS')
    const done = refunds.filter(({ status }) => status === 'succeeded')
    const amount = done.reduce((sum, refund) => sum + (refund.amount ?? 0), 0)
    if (done.some(({ isPartial }) => !isPartial) || amount >= payment.totalAmount) refuse('PAYMENT_IS_REFUNDED')
  }
  if (atProvider?.isFullyRefunded) refuse('PAYMENT_IS_REFUNDED')
  return payment
}

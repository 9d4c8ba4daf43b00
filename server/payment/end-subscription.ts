import type { z } from 'zod'
import { type EndSubscription, ongoingStatuses } from '../../shared/payment.ts'
import { requireCurrentAdministrator } from '../account/administrators.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { updateSubscription } from './change-subscription.ts'

/**
 * Cancels a subscription of any owner, for an administrator: at the end of the paid period, or immediately. Nothing is
 * refunded. The owner's log names the administrator. Repeating it has no effect.
 */
export async function endSubscription(
  ctx: CallerContext,
  { subscriptionId, isImmediate }: z.output<typeof EndSubscription>,
): Promise<void> {
  const changes = {
    cancel_reason: 'cancelled_by_merchant',
    // A cancellation for the end of the period would keep the access until then.
    ...(isImmediate
      ? { status: 'cancelled', cancel_at_next_billing_date: false }
      : { cancel_at_next_billing_date: true }),
  }
  await updateSubscription(ctx, subscriptionId, async () => {
    const row = await ctx.db.subscription.findUnique({ where: { subscriptionId } })
    if (!row) refuse('SUBSCRIPTION_NOT_FOUND')
    const isOngoing = ongoingStatuses.some((status) => status === row.status)
    if (!isOngoing || (!isImmediate && row.cancelAtNextBillingDate)) return undefined
    await requireCurrentAdministrator(ctx.pool, ctx.user.id)
    const { organizationId, userId: subjectId } = row
    const about = { actorId: ctx.user.id, subjectId, organizationId, data: { subscriptionId, isImmediate } }
    return { row, changes, event: { type: 'payment.subscription_canceled', ...about } }
  })
}

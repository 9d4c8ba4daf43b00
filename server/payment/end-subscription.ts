import type { z } from 'zod'
import type { EndSubscription } from '../../shared/payment.ts'
import { lockAsAdministrator } from '../account/administrators.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { updateSubscription } from './change-subscription.ts'

/**
 * Cancels a subscription of any owner, for an administrator: at the end of the paid period, or immediately. Nothing is
 * refunded. The owner's log names the administrator.
 */
export async function endSubscription(
  ctx: CallerContext,
  { subscriptionId, isImmediate }: z.output<typeof EndSubscription>,
): Promise<void> {
  const row = await ctx.db.subscription.findUnique({ where: { subscriptionId } })
  if (!row) refuse('SUBSCRIPTION_NOT_FOUND')
  // Waits for a demotion that is being committed. No lock is held while the provider answers.
  await lockAsAdministrator(ctx.pool, ctx.user.id)
  const changes = {
    cancel_reason: 'cancelled_by_merchant',
    ...(isImmediate ? { status: 'cancelled' } : { cancel_at_next_billing_date: true }),
  }
  await updateSubscription(ctx, { row }, changes, {
    type: 'payment.subscription_canceled',
    actorId: ctx.user.id,
    subjectId: row.userId,
    organizationId: row.organizationId,
    data: { subscriptionId, isImmediate },
  })
}

import type { z } from 'zod'
import { type CancelAnySubscription, terminalStatuses } from '../../../shared/payment.ts'
import { requireAdministratorNow } from '../../account/administrators.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { CallerContext } from '../../request/context.ts'
import { updateSubscription } from './change-subscription.ts'
import { findSubscription } from './subscriptions.ts'

/**
 * Cancels a subscription of any owner, for an administrator: at the end of the paid period, or immediately. Nothing is
 * refunded. The owner's log names the administrator.
 */
export async function cancelAnySubscription(
  ctx: CallerContext,
  { subscriptionId, isImmediate }: z.output<typeof CancelAnySubscription>,
): Promise<void> {
  const changes = {
    cancel_reason: 'cancelled_by_merchant',
    // A cancellation for the end of the period would keep the access until then.
    ...(isImmediate
      ? { status: 'cancelled', cancel_at_next_billing_date: false }
      : { cancel_at_next_billing_date: true }),
  }
  const read = () => findSubscription(ctx.db, subscriptionId)
  const before = await read()
  await updateSubscription(ctx, subscriptionId, async () => {
    const row = await read()
    if (!row) refuse('SUBSCRIPTION_NOT_FOUND')
    // The second click of two: the first one has just done it.
    if (before && isDone(row, isImmediate) && !isDone(before, isImmediate)) return undefined
    if (hasEnded(row)) refuse('SUBSCRIPTION_HAS_ENDED')
    await requireAdministratorNow(ctx.pool, ctx.user.id)
    const { organizationId, userId: subjectId } = row
    const about = { actorId: ctx.user.id, subjectId, organizationId, data: { subscriptionId, isImmediate } }
    // A repeat asks the provider, and is recorded: our row may be older than a change that the owner has made there.
    return { row, changes, event: { type: 'payment.subscription_canceled', ...about } }
  })
}

type State = { status: string | null; cancelAtNextBillingDate: boolean }

const hasEnded = ({ status }: State) => terminalStatuses.subscription.some((terminal) => terminal === status)

function isDone(state: State, isImmediate: boolean): boolean {
  return hasEnded(state) || (!isImmediate && state.cancelAtNextBillingDate)
}

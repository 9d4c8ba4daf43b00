import type { App } from '../dependencies.ts'
import { type EventOrigin } from '../event/event-rows.ts'
import { record } from '../event/record.ts'
import { cancelRemoval } from '../factor/factor-removals.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { type MailRecipient, composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'

/** Cancels the removal that an administrator has started: the signed-in user states that no factor is lost. */
export async function cancelOwnFactorRemoval(ctx: CallerContext): Promise<void> {
  await transaction(ctx, async (tx) => {
    const user = await lockCaller(tx, ctx)
    if (!(await cancelPendingRemoval(tx, ctx, user))) refuse('FACTOR_REMOVAL_NOT_PENDING')
  })
}

/**
 * Cancels a pending removal: a user who uses the second factor has not lost it. The user is notified by email, because
 * it could be a thief.
 */
export async function cancelPendingRemoval(
  tx: Tx,
  ctx: App & EventOrigin,
  user: MailRecipient & { id: string },
): Promise<boolean> {
  if (!(await cancelRemoval(tx, user.id))) return false
  await record(tx, ctx, { type: 'user.two_factor_removal_canceled', actorId: user.id, data: {} })
  await ctx.outbox.enqueue(tx, composeMail('twoFactorRemovalCanceled', user, ctx), ctx.now)
  return true
}

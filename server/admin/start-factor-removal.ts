import { record } from '../event/record.ts'
import { userHasSecondFactor } from '../factor/assurance.ts'
import { startRemoval } from '../factor/factor-removals.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndUser } from './lock.ts'

/**
 * Starts the removal of a user's lost second factors. The user is notified by email and has a day to cancel it by
 * signing in with one of them. Administrators cannot do this for themselves.
 */
export async function startFactorRemoval(ctx: CallerContext, userId: string): Promise<Date> {
  if (userId === ctx.user.id) refuse('ANOTHER_ADMINISTRATOR_IS_NEEDED')
  const { now } = ctx
  return transaction(ctx, async (tx) => {
    const user = await lockAdministratorsAndUser(tx, ctx, userId)
    if (!(await userHasSecondFactor(tx, user))) refuse('TWO_FACTOR_NOT_ENABLED')
    const removeAt = await startRemoval(tx, { userId, startedBy: ctx.user.id, now })
    const data = { at: removeAt.toISOString() }
    await record(tx, ctx, { type: 'user.two_factor_removal_started', actorId: ctx.user.id, subjectId: userId, data })
    await ctx.outbox.enqueue(tx, composeMail('twoFactorRemoval', user, { now, expiresAt: removeAt }), now)
    return removeAt
  })
}

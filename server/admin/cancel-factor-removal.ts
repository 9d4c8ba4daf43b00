import { record } from '../event/record.ts'
import { cancelRemoval } from '../factor/factor-removals.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndUser } from './lock.ts'

/** Cancels the removal of a user's second factors. */
export async function cancelFactorRemoval(ctx: CallerContext, userId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndUser(tx, ctx, userId)
    if (!(await cancelRemoval(tx, userId))) refuse('FACTOR_REMOVAL_NOT_PENDING')
    const event = { actorId: ctx.user.id, subjectId: userId, data: {} }
    await record(tx, ctx, { type: 'user.two_factor_removal_canceled', ...event })
  })
}

import { record } from '../event/record.ts'
import { cancelRemoval } from '../factor/two-factors.ts'
import { transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'

/** Cancels the removal that an administrator has begun: its user is signed in and says that nothing is lost. */
export async function keepOwnFactor(ctx: Context & Caller): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockCaller(tx, ctx)
    if (!(await cancelRemoval(tx, ctx.user.id))) refuse('TWO_FACTOR_NOT_ENABLED')
    await record(tx, ctx, { type: 'user.two_factor_removal_canceled', actorId: ctx.user.id, data: {} })
  })
}

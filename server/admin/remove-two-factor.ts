import { record } from '../event/record.ts'
import { hasFactor, removalDelaySeconds } from '../factor/two-factors.ts'
import { newSecret } from '../foundation/crypto.ts'
import { refuse } from '../foundation/refusal.ts'
import { secondsAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { lockAdministered } from './lock.ts'

/**
 * Starts the removal of a user's lost second factor. The user is notified by email and has a day to cancel it by
 * signing in with the second factor. Administrators cannot do this for themselves.
 */
export async function removeTwoFactor(ctx: Context & Caller, userId: string): Promise<Date> {
  if (userId === ctx.user.id) refuse('ANOTHER_ADMINISTRATOR_IS_NEEDED')
  const removalAt = secondsAfter(ctx.now, removalDelaySeconds)
  await transaction(ctx, async (tx) => {
    const user = await lockAdministered(tx, ctx, userId)
    if (!(await hasFactor(tx, user))) refuse('TWO_FACTOR_NOT_ENABLED')
    const removal = { removalAt, removalBy: ctx.user.id }
    // A user who has only passkeys has no authenticator app: this row stores the removal.
    const create = { userId, ...removal, generation: newSecret(), createdAt: ctx.now, updatedAt: ctx.now }
    await tx.twoFactor.upsert({ where: { userId }, create, update: removal })
    const data = { at: removalAt.toISOString() }
    await record(tx, ctx, { type: 'user.two_factor_removal_started', actorId: ctx.user.id, subjectId: userId, data })
    await ctx.outbox.enqueue(tx, composeMail('twoFactorRemoval', user, { now: ctx.now, expiresAt: removalAt }), ctx.now)
  })
  return removalAt
}

/** Cancels the removal. */
export async function keepTwoFactor(ctx: Context & Caller, userId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministered(tx, ctx, userId)
    const { count } = await tx.twoFactor.updateMany({
      where: { userId, removalAt: { not: null } },
      data: { removalAt: null, removalBy: null },
    })
    if (count === 0) refuse('FACTOR_REMOVAL_NOT_PENDING')
    const event = { actorId: ctx.user.id, subjectId: userId, data: {} }
    await record(tx, ctx, { type: 'user.two_factor_removal_canceled', ...event })
  })
}

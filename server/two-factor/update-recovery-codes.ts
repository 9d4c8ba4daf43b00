import { record } from '../event/record.ts'
import { newRecoveryCodes, storeRecoveryCodes } from '../factor/recovery-codes.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { confirmPassword } from './confirm-password.ts'

/** Replaces all recovery codes with new ones, which are shown once. */
export async function updateRecoveryCodes(ctx: CallerContext, password: string | undefined): Promise<string[]> {
  if (!ctx.user.twoFactorEnabled) refuse('TWO_FACTOR_NOT_ENABLED')
  await confirmPassword(ctx, password)
  const { now, keys, user } = ctx
  const codes = newRecoveryCodes()
  await transaction(ctx, async (tx) => {
    const { twoFactorEnabled } = await lockCaller(tx, ctx)
    if (!twoFactorEnabled) refuse('TWO_FACTOR_NOT_ENABLED')
    await storeRecoveryCodes(tx, { userId: user.id, keys: keys.storage }, codes, { isPending: false, now })
    await record(tx, ctx, { type: 'user.recovery_codes_replaced', actorId: user.id, data: {} })
    await ctx.outbox.enqueue(tx, composeMail('recoveryCodesReplaced', user, ctx), now)
  })
  return codes
}

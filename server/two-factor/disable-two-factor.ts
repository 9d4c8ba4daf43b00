import { FullUser } from '../../shared/account.ts'
import { record } from '../event/record.ts'
import { findAuthenticatorApp, removeAuthenticatorApp } from '../factor/authenticator-apps.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { readUser } from '../session/users.ts'
import { cancelPendingRemoval } from './cancel-factor-removal.ts'
import { confirmPassword } from './confirm-password.ts'

/** Removes the authenticator app and all recovery codes. */
export async function disableTwoFactor(ctx: CallerContext, password: string | undefined): Promise<void> {
  await confirmPassword(ctx, password)
  const { now, user } = ctx
  const changed = await transaction(ctx, async (tx) => {
    const { twoFactorEnabled } = await lockCaller(tx, ctx)
    if (!(await findAuthenticatorApp(tx, user.id))) refuse('TWO_FACTOR_NOT_ENABLED')
    // Who can disable the app has not lost everything: the passkeys stay.
    if (twoFactorEnabled) await cancelPendingRemoval(tx, ctx, user)
    await removeAuthenticatorApp(tx, user.id)
    if (twoFactorEnabled) {
      await record(tx, ctx, { type: 'user.two_factor_disabled', actorId: user.id, data: {} })
      await ctx.outbox.enqueue(tx, composeMail('twoFactorDisabled', user, ctx), now)
    }
    return readUser(tx, user.id)
  })
  await ctx.renewCookies({ user: FullUser.parse(changed) })
}

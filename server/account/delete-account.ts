import type { z } from 'zod'
import type { DeleteUser } from '../../shared/account.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { secondsAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { clearSessionCookies } from '../session/session-cookies.ts'
import { isFresh } from '../session/session-lifetime.ts'
import { checkPassword } from './check-password.ts'
import { findPassword } from './credentials.ts'
import { deleteUserWithData } from './delete-user.ts'
import { createToken } from './tokens.ts'

/**
 * Deletes the caller's account: immediately with password or emailed token; otherwise emails a link (fresh session).
 */
export async function deleteAccount(ctx: CallerContext, input: z.output<typeof DeleteUser>) {
  const { password, token, callbackURL } = input
  const checkedHash = password === undefined ? undefined : await checkPassword(ctx, password)
  if (password === undefined && !isFresh(ctx, ctx.session))
    refuse('SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION')
  if (token === undefined && password === undefined) {
    await mailDeletionLink(ctx, callbackURL)
    return { success: true as const, message: 'Verification email sent' as const }
  }
  await transaction(ctx, async (tx) => {
    // A password reset since then has ended this session, and replaced the password that was checked.
    await lockCaller(tx, ctx)
    if (checkedHash !== undefined && (await findPassword(tx, ctx.user.id))?.hash !== checkedHash)
      refuse('INVALID_PASSWORD')
    await deleteUserWithData(tx, ctx, ctx.user, { token })
  })
  clearSessionCookies(ctx)
  return { success: true as const, message: 'User deleted' as const }
}

async function mailDeletionLink(ctx: CallerContext, callbackURL: string | undefined): Promise<void> {
  const { user, config, now } = ctx
  const lifetimeSeconds = config.deleteTokenLifetimeSeconds
  await transaction(ctx, async (tx) => {
    const holder = { userId: user.id, email: user.email }
    const token = await createToken(tx, 'delete-account', { ...holder, now, lifetimeSeconds })
    const query = new URLSearchParams({ token, callbackURL: callbackURL || '/' })
    const link = `${config.appOrigin}${config.basePath}/delete-user/callback?${query}`
    const expiresAt = secondsAfter(now, lifetimeSeconds)
    const mail = composeMail('confirmDeletion', user, { ...ctx, link, expiresAt, budget: 'confirmation' })
    await ctx.outbox.enqueueOrRefuse(tx, mail, now)
    await record(tx, ctx, { type: 'user.deletion_requested', actorId: user.id, data: {} })
  })
}

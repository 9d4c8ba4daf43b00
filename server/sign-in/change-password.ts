import type { z } from 'zod'
import { type ChangePassword, FullUser } from '../../shared/account.ts'
import { checkPassword } from '../account/check-password.ts'
import { changePassword } from '../account/credentials.ts'
import { newPasswordProblem } from '../account/password.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { rememberDevice } from '../session/known-devices.ts'
import { lockSession, lockUser } from '../session/locks.ts'
import { clearSessionCookies, setSessionCookies } from '../session/session-cookies.ts'
import { renewSessionToken, revokeSessions } from '../session/sessions.ts'
import { readUser } from '../session/users.ts'
import { endGrantsOfSession } from '../token/grants.ts'
import { factorOf, startSession } from './start-session.ts'

/** Changes the password. The session continues with a new token, or a new session replaces all sessions. */
export async function changeOwnPassword(ctx: CallerContext, input: z.output<typeof ChangePassword>) {
  const { user, session, now } = ctx
  const problem = await newPasswordProblem(input.newPassword, ctx.config, user)
  if (problem) refuse(problem)
  const stored = await checkPassword(ctx, input.currentPassword)
  const passwordHash = await ctx.hasher.hash(input.newPassword)
  const { owner, secondFactor, sessionToken } = await transaction(ctx, async (tx) => {
    // Locked before the account's row, as in a password reset, to avoid a deadlock.
    await lockUser(tx, user.id)
    const held = await lockSession(tx, session.id)
    if (!(await changePassword(tx, { userId: user.id, passwordHash, now }, stored))) refuse('INVALID_PASSWORD')
    if (input.revokeOtherSessions) await revokeSessions(tx, user.id)
    await ctx.outbox.enqueue(tx, composeMail('passwordChanged', user, ctx), now)
    await record(tx, ctx, { type: 'user.password_changed', actorId: user.id, data: { method: 'change' } })
    if (input.revokeOtherSessions) {
      await record(tx, ctx, { type: 'user.sessions_revoked', actorId: user.id, data: { except: null } })
    }
    const renewed = input.revokeOtherSessions ? undefined : await renewSessionToken(tx, session.id, now)
    // A copy of the session's cookie, which the renewal makes invalid, may have given applications access. The session is
    // locked by then, as where it ends.
    if (!input.revokeOtherSessions) await endGrantsOfSession(tx, session.id, now)
    const owner = await readUser(tx, user.id)
    return { secondFactor: held && factorOf(held), owner, sessionToken: renewed }
  })
  // Browsers that signed in with the old password are no longer known. This one has just verified the password.
  rememberDevice(ctx.cookies, owner)
  if (input.revokeOtherSessions) {
    const started = await startSession(ctx, FullUser.parse(owner), {
      method: 'password_change',
      basis: { passwordHash },
      secondFactor,
    })
    return { token: started.outcome === 'created' ? started.session.token : null, user }
  }
  // The session ended in the meantime: the password is changed, and this browser has to sign in with it.
  if (sessionToken === undefined) clearSessionCookies(ctx)
  else setSessionCookies(ctx, { sessionToken, current: { user, session }, remembered: ctx.remembered })
  return { token: null, user }
}

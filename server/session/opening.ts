import type { FullUser } from '../../shared/account.ts'
import { CurrentSession } from '../../shared/session.ts'
import { clearSignUpMark } from '../account/verification.ts'
import type { Context } from '../context.ts'
import { setSessionCookies, wantsNoMemory } from './session-cookies.ts'
import { createSession } from './sessions.ts'

/** How a session is wanted; whether it is remembered is up to the browser's flag where the call does not say. */
type Wish = { remembered?: boolean; passwordHash?: string }

/** Opens a session for this user in this browser. Undefined when the password was changed meanwhile. */
export async function openSession(ctx: Context, user: FullUser, { remembered, passwordHash }: Wish = {}) {
  const isRemembered = remembered ?? !wantsNoMemory(ctx)
  const opened = await createSession(ctx.pool, {
    userId: user.id,
    now: ctx.now,
    ipAddress: ctx.ipAddress,
    userAgent: ctx.userAgent,
    remembered: isRemembered,
    lifetimeSeconds: ctx.config.sessionLifetimeSeconds,
    ...(passwordHash !== undefined && { passwordHash }),
  })
  if (!opened) return undefined
  // The user's row may know more than the browser is to keep.
  const current = CurrentSession.parse({ session: opened.session, user })
  setSessionCookies(ctx, { secret: opened.secret, current, remembered: isRemembered })
  clearSignUpMark(ctx.cookies)
  ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: user.id }, 'signed in')
  return opened.session
}

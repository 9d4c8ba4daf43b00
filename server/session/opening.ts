import type { FullUser } from '../../shared/account.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../foundation/db.ts'
import { clearSignUpMark } from '../account/verification.ts'
import { setSessionCookies, wantsNoMemory } from './session-cookies.ts'
import { createSession } from './sessions.ts'

/** A session for this user in this browser, and after it is stored the cookies that open it. */
export async function openSession(ctx: Context, user: FullUser, wish: { remembered?: boolean } = {}) {
  const opened = await storeSession(ctx, ctx.db, user, wish)
  return opened.handOver()
}

/** The same inside a transaction; `handOver` sets the cookies and is called after the commit. */
export async function storeSession(ctx: Context, tx: Tx, user: FullUser, { remembered }: { remembered?: boolean }) {
  const isRemembered = remembered ?? !wantsNoMemory(ctx)
  const { session, secret } = await createSession(tx, {
    userId: user.id,
    now: ctx.now,
    ipAddress: ctx.ipAddress,
    userAgent: ctx.userAgent,
    remembered: isRemembered,
    lifetimeSeconds: ctx.config.sessionLifetimeSeconds,
  })
  return {
    handOver() {
      setSessionCookies(ctx, { secret, current: { session, user }, remembered: isRemembered })
      clearSignUpMark(ctx.cookies)
      ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: user.id }, 'signed in')
      return session
    },
  }
}

import { FullUser } from '../../shared/account.ts'
import { CurrentSession } from '../../shared/session.ts'
import { record, recordAll } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { createImpersonation, deleteImpersonations } from '../session/impersonations.ts'
import {
  clearAdministratorToken,
  clearSessionCookies,
  setAdministratorToken,
  readAdministratorToken,
  setSessionCookies,
} from '../session/session-cookies.ts'
import { findSession, isBanned, isCurrent } from '../session/session-rows.ts'
import { lockAdministratorsAndUser } from './lock.ts'

/**
 * Lets an administrator act as a user in this browser, for at most an hour and no longer than the administrator's own
 * session. Administrators cannot impersonate each other. Calls that change the account or have lasting effects are
 * refused meanwhile (SEC-127).
 */
export async function impersonateUser(ctx: CallerContext, userId: string): Promise<CurrentSession> {
  const { now, ipAddress, userAgent } = ctx
  const { sessionToken, current } = await transaction(ctx, async (tx) => {
    const user = await lockAdministratorsAndUser(tx, ctx, userId)
    if (user.role === 'admin') refuse('YOU_CANNOT_IMPERSONATE_ADMINS')
    if (isBanned(user, now)) refuse('BANNED_USER')
    const { session, sessionToken } = await createImpersonation(tx, { userId, caller: ctx, now, ipAddress, userAgent })
    const about = { actorId: ctx.user.id, subjectId: userId }
    await record(tx, ctx, { type: 'user.impersonation_started', ...about, data: { sessionId: session.id } })
    return { sessionToken, current: CurrentSession.parse({ session, user: FullUser.parse(user) }) }
  })
  // No longer than the impersonation: the next person to use the browser must not be able to return to the
  // administrator's session.
  const seconds = Math.ceil((current.session.expiresAt.getTime() - now.getTime()) / 1000)
  setAdministratorToken(ctx, ctx.sessionToken, seconds)
  setSessionCookies(ctx, { sessionToken, current, remembered: false })
  return current
}

/**
 * Ends the impersonation in this browser, even if it has expired, and restores the administrator's own session. No
 * other call restores it, so that no request meant for the user runs in the administrator's name.
 */
export async function stopImpersonating(ctx: Context): Promise<CurrentSession> {
  // A token or key sent besides the cookies would determine the caller, and hide the session that has to end.
  if (ctx.credential) refuse('INSUFFICIENT_SCOPE')
  const caller = await ctx.caller()
  if (caller && caller.session.impersonatedBy === undefined) refuse('YOU_ARE_NOT_IMPERSONATING_ANYONE')
  const sessionToken = readAdministratorToken(ctx)
  const found = sessionToken === undefined ? undefined : await findSession(ctx.pool, sessionToken)
  const isValid = found && isCurrent(found, ctx.now)
  // Another administrator's cookie restores nothing.
  const isOwn = isValid && (caller === undefined || found.user.id === caller.session.impersonatedBy)
  await endImpersonations(ctx, { id: caller?.session.id, ofSession: isOwn ? found.session.id : undefined })
  clearAdministratorToken(ctx)
  if (sessionToken === undefined || !isOwn) {
    clearSessionCookies(ctx)
    refuse('UNAUTHORIZED')
  }
  const current = CurrentSession.parse({ session: found.session, user: found.user })
  setSessionCookies(ctx, { sessionToken, current, remembered: found.remembered })
  return current
}

/** Ends this impersonation, or all those of an administrator's own session. Records each one that had not ended yet. */
async function endImpersonations(
  ctx: Context,
  { id, ofSession }: { id: string | undefined; ofSession: string | undefined },
) {
  // Recorded as the administrator's own action, not as an impersonated one.
  const origin = { ...ctx, impersonatorId: undefined }
  await transaction(ctx, async (tx) => {
    const ended = await deleteImpersonations(tx, { id, ofSession })
    const events = ended.map(({ id: sessionId, userId, impersonatedBy }) => {
      return {
        type: 'user.impersonation_ended' as const,
        actorId: impersonatedBy,
        subjectId: userId,
        data: { sessionId },
      }
    })
    await recordAll(tx, origin, events)
  })
}

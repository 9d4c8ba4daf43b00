import { FullUser } from '../../shared/account.ts'
import { CurrentSession } from '../../shared/session.ts'
import { record } from '../event/record.ts'
import { transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'
import {
  clearSessionCookies,
  clearAdministratorToken,
  keepAdministratorToken,
  readAdministratorToken,
  setSessionCookies,
} from '../session/session-cookies.ts'
import { createImpersonation, findImpersonator, findSession, isBanned } from '../session/sessions.ts'
import { lockAdministered } from './lock.ts'

/**
 * Lets an administrator act as a user in this browser, for at most an hour and no longer than the administrator's own session.
 * Never as another administrator. What changes the account or lasts is refused meanwhile (SEC-127).
 */
export async function impersonateUser(ctx: Context & Caller, userId: string): Promise<CurrentSession> {
  const { now, ipAddress, userAgent } = ctx
  const { sessionToken, current } = await transaction(ctx, async (tx) => {
    const user = await lockAdministered(tx, ctx, userId)
    if (user.role === 'admin') refuse('YOU_CANNOT_IMPERSONATE_ADMINS')
    if (isBanned(user, now)) refuse('BANNED_USER')
    const { session, sessionToken } = await createImpersonation(tx, { userId, caller: ctx, now, ipAddress, userAgent })
    const about = { actorId: ctx.user.id, subjectId: userId }
    await record(tx, ctx, { type: 'user.impersonation_started', ...about, data: { sessionId: session.id } })
    return { sessionToken, current: CurrentSession.parse({ session, user: FullUser.parse(user) }) }
  })
  keepAdministratorToken(ctx, ctx.sessionToken)
  setSessionCookies(ctx, { sessionToken, current, remembered: false })
  return current
}

/**
 * Ends the impersonation in this browser, and gives the administrator's own session back; also if the impersonation has ended
 * already. Nothing else gives it back, so that no request meant for the user runs in the administrator's name.
 */
export async function stopImpersonating(ctx: Context): Promise<CurrentSession> {
  const caller = await ctx.caller()
  if (caller && caller.session.impersonatedBy === undefined) refuse('YOU_ARE_NOT_IMPERSONATING_ANYONE')
  const sessionToken = readAdministratorToken(ctx)
  const own = caller ? await endImpersonation(ctx, caller) : undefined
  const found = sessionToken === undefined ? undefined : await findSession(ctx.pool, sessionToken)
  const isValid = found && found.session.expiresAt > ctx.now && !isBanned(found.ban, ctx.now)
  clearAdministratorToken(ctx)
  if (sessionToken === undefined || !isValid || (caller && found.session.id !== own)) {
    clearSessionCookies(ctx)
    refuse('UNAUTHORIZED')
  }
  const current = CurrentSession.parse({ session: found.session, user: found.user })
  setSessionCookies(ctx, { sessionToken, current, remembered: found.remembered })
  return current
}

/** Ends an impersonation; returns the id of the administrator's own session, if that one is still good. */
async function endImpersonation(ctx: Context, { session }: Caller): Promise<string | undefined> {
  const { now } = ctx
  const actorId = session.impersonatedBy ?? null
  return transaction(ctx, async (tx) => {
    const impersonator = await findImpersonator(tx, session.id, now)
    await tx.session.deleteMany({ where: { id: session.id } })
    const about = { actorId, subjectId: session.userId }
    // The administrator does this as such.
    const origin = { ...ctx, impersonatorId: undefined }
    await record(tx, origin, { type: 'user.impersonation_ended', ...about, data: { sessionId: session.id } })
    return impersonator?.sessionId
  })
}

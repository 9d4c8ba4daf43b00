import type { EventOrigin } from '../event/event-rows.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { lockSessionsOfAdministrator } from '../session/locks.ts'
import {
  clearAdministratorToken,
  clearSessionCookies,
  readAdministratorToken,
  readSessionToken,
} from '../session/session-cookies.ts'
import { findSession, type FoundSession } from '../session/session-rows.ts'
import { endBySignOut, revokeSession } from '../session/sessions.ts'

/** Signs out: ends the session of this browser, or that of the access token sent, and clears the cookies. */
export async function signOut(ctx: Context): Promise<void> {
  const caller = ctx.credential && (await ctx.caller())
  if (caller?.verifiedCredential) await transaction(ctx, (tx) => endSession(tx, ctx, caller))
  if (!caller) await endByCookies(ctx)
  clearSessionCookies(ctx)
}

/**
 * Ends the session of this browser. An administrator who acts as a user leaves both sessions, because no cookie could
 * end the administrator's own session later.
 */
async function endByCookies(ctx: Context): Promise<void> {
  const sessionToken = readSessionToken(ctx)
  const ofAdministrator = readAdministratorToken(ctx)
  if (ofAdministrator === undefined) {
    if (sessionToken !== undefined) await endBySignOut(ctx.pool, ctx, sessionToken)
    return
  }
  // Found by its token: a credential in a header would hide it.
  const acting = sessionToken === undefined ? undefined : await findSession(ctx.pool, sessionToken)
  const own = await findSession(ctx.pool, ofAdministrator)
  // The administrator's own actions are not recorded as impersonated ones.
  const origin = { ...ctx, impersonatorId: undefined }
  await transaction(ctx, async (tx) => {
    // The administrator's own session first, as where the role or that session ends.
    if (own) await lockSessionsOfAdministrator(tx, own.user.id)
    if (acting) await endActing(tx, origin, acting)
    if (own) await endSession(tx, origin, own)
  })
  clearAdministratorToken(ctx)
}

/** Ends the session in which an administrator acts as a user, and records that both have left it. */
async function endActing(tx: Tx, origin: EventOrigin, { user, session }: FoundSession): Promise<void> {
  const impersonatorId = session.impersonatedBy
  const sessionId = await endSession(tx, { ...origin, impersonatorId }, { user, session })
  if (impersonatorId === undefined || sessionId === undefined) return
  const about = { actorId: impersonatorId, subjectId: user.id }
  await record(tx, origin, { type: 'user.impersonation_ended', ...about, data: { sessionId } })
}

/** Ends a session by its handle. Returns its id, or undefined if it had already ended. */
async function endSession(
  tx: Tx,
  origin: EventOrigin,
  { user, session }: Pick<FoundSession, 'user' | 'session'>,
): Promise<string | undefined> {
  const sessionId = await revokeSession(tx, user.id, session.token)
  if (sessionId === undefined) return undefined
  await record(tx, origin, { type: 'user.signed_out', actorId: user.id, data: { sessionId } })
  return sessionId
}

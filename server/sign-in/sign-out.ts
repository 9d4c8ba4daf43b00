import { record } from '../event/record.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import {
  clearAdministratorToken,
  clearSessionCookies,
  readAdministratorToken,
  readSessionToken,
} from '../session/session-cookies.ts'
import { findSession } from '../session/session-rows.ts'
import { endBySignOut, revokeSession } from '../session/sessions.ts'

/** Signs out: ends the session of this browser, or that of the access token sent, and clears the cookies. */
export async function signOut(ctx: Context): Promise<void> {
  const caller = ctx.credential && (await ctx.caller())
  if (caller?.authenticated) await endByToken(ctx, caller)
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
  const isActing = ofAdministrator !== undefined && sessionToken !== undefined
  // Found by its token: a credential in a header would hide it.
  const acting = isActing ? await findSession(ctx.pool, sessionToken) : undefined
  const impersonatorId = acting?.session.impersonatedBy
  if (sessionToken !== undefined) await endBySignOut(ctx.pool, { ...ctx, impersonatorId }, sessionToken)
  if (ofAdministrator === undefined) return
  const origin = { ...ctx, impersonatorId: undefined }
  if (acting && impersonatorId !== undefined) {
    const about = { actorId: impersonatorId, subjectId: acting.user.id }
    await record(ctx.db, origin, { type: 'user.impersonation_ended', ...about, data: { sessionId: acting.session.id } })
  }
  await endBySignOut(ctx.pool, origin, ofAdministrator)
  clearAdministratorToken(ctx)
}

async function endByToken(ctx: Context, { user, session }: Caller): Promise<void> {
  await transaction(ctx, async (tx) => {
    const sessionId = await revokeSession(tx, user.id, session.token)
    if (sessionId !== undefined)
      await record(tx, ctx, { type: 'user.signed_out', actorId: user.id, data: { sessionId } })
  })
}

import { z } from 'zod'
import { Page, Status, Success } from '../../shared/account.ts'
import { CurrentSession, Device, GetSession, RevokeSession, Session } from '../../shared/session.ts'
import { record } from '../event/record.ts'
import { distrustBrowsers } from '../factor/two-factors.ts'
import { isUnavailable, transaction } from '../foundation/database.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { deviceNames } from '../foundation/user-agent.ts'
import { publicProcedure, protectedProcedure, mayLag } from '../procedure/guards.ts'
import { jsonText } from '../procedure/json-text.ts'
import type { Caller, Context } from '../request/context.ts'
import { writeCurrent } from './cookie-cache.ts'
import {
  clearSessionCookies,
  readCachedAnswer,
  readSessionToken,
  setCacheCookie,
  readAdministratorToken,
  clearAdministratorToken,
} from './session-cookies.ts'
import { findSession, listSessions, revokeSession, revokeSessions, signOut } from './sessions.ts'

export const sessionProcedures = {
  /** Returns the current session and user, or null if not signed in; never an error. */
  get: publicProcedure
    .meta({ rest: 'GET /get-session', answers: CurrentSession.nullable() })
    .input(GetSession)
    .query(async ({ ctx, input }) => jsonText<z.output<typeof CurrentSession> | null>(await readSession(ctx, input))),

  /** Lists the caller's active sessions, including the current one; returns handles, never secrets. */
  list: protectedProcedure
    .meta({ openTo: ['access_token', 'impersonator'], rest: 'GET /list-sessions' })
    .input(Page)
    .output(z.array(Session))
    .use(mayLag)
    .query(({ ctx, input }) => listSessions(ctx.db, { ...input, userId: ctx.user.id, now: ctx.now })),

  /** Lists the same sessions for the UI: device names, current session first, then newest first. */
  devices: protectedProcedure
    .meta({ openTo: ['access_token', 'impersonator'] })
    .output(z.array(Device))
    .query(async ({ ctx }) => {
      const sessions = await listSessions(ctx.db, { userId: ctx.user.id, now: ctx.now })
      return sessions
        .map((session) => ({ ...session, isCurrent: session.id === ctx.session.id, ...deviceNames(session.userAgent) }))
        .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.createdAt.getTime() - a.createdAt.getTime())
    }),

  revoke: protectedProcedure
    .meta({ openTo: ['access_token'], rest: 'POST /revoke-session' })
    .input(RevokeSession)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await transaction(ctx, async (tx) => {
        const sessionId = (await revokeSession(tx, ctx.user.id, input.token)) ?? refuse('SESSION_NOT_FOUND')
        await record(tx, ctx, { type: 'user.session_revoked', actorId: ctx.user.id, data: { sessionId } })
      })
      return { status: true }
    }),

  revokeAll: protectedProcedure
    .meta({ openTo: ['access_token'], rest: 'POST /revoke-sessions' })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await endSessions(ctx, null)
      clearSessionCookies(ctx)
      return { status: true }
    }),

  revokeOthers: protectedProcedure
    .meta({ openTo: ['access_token'], rest: 'POST /revoke-other-sessions' })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await endSessions(ctx, ctx.session.id)
      return { status: true }
    }),

  /** Ends the session and clears the cookies; the response is the same without a session. */
  signOut: publicProcedure
    .meta({ rest: 'POST /sign-out' })
    .output(Success)
    .mutation(async ({ ctx }) => {
      // A program that was given a token ends the session that the token belongs to.
      const caller = ctx.credential && (await ctx.caller())
      if (caller?.authenticated) await endByToken(ctx, caller)
      if (!caller) await endByCookies(ctx)
      clearSessionCookies(ctx)
      return { success: true }
    }),
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
  if (sessionToken !== undefined) await signOut(ctx.pool, { ...ctx, impersonatorId }, sessionToken)
  if (ofAdministrator === undefined) return
  const origin = { ...ctx, impersonatorId: undefined }
  if (acting && impersonatorId !== undefined) {
    const about = { actorId: impersonatorId, subjectId: acting.user.id }
    await record(ctx.db, origin, { type: 'user.impersonation_ended', ...about, data: { sessionId: acting.session.id } })
  }
  await signOut(ctx.pool, origin, ofAdministrator)
  clearAdministratorToken(ctx)
}

async function endByToken(ctx: Context, { user, session }: Caller): Promise<void> {
  await transaction(ctx, async (tx) => {
    const sessionId = await revokeSession(tx, user.id, session.token)
    if (sessionId !== undefined)
      await record(tx, ctx, { type: 'user.signed_out', actorId: user.id, data: { sessionId } })
  })
}

/** Ends all sessions of the caller, or all except one, and records an event. */
async function endSessions(ctx: Context & Pick<Caller, 'user'>, except: string | null): Promise<void> {
  await transaction(ctx, async (tx) => {
    await revokeSessions(tx, ctx.user.id, except ?? undefined)
    await distrustBrowsers(tx, ctx.user.id)
    await record(tx, ctx, { type: 'user.sessions_revoked', actorId: ctx.user.id, data: { except } })
  })
}

/** Returns the response of get-session as JSON text, from the cookie cache if valid, otherwise from the database. */
async function readSession(ctx: Context, options: z.output<typeof GetSession>): Promise<string> {
  const cached = options.disableCookieCache || ctx.credential ? undefined : readCachedAnswer(ctx)
  if (cached !== undefined) return cached
  try {
    const caller = await ctx.caller({ mayExtend: !options.disableRefresh, acceptsKeys: true })
    if (!caller) return 'null'
    // A key of an organization gives access to that organization, not to the account of its creator.
    if (caller.authenticated?.kind === 'api_key' && caller.authenticated.organizationId !== null)
      refuse('INSUFFICIENT_SCOPE')
    const text = writeCurrent(caller)
    if (ctx.config.hasCookieCache && !caller.authenticated) setCacheCookie(ctx, { ...caller, ...caller.session, text })
    return text
  } catch (error) {
    if (error instanceof Refusal || isUnavailable(error)) throw error
    refuse('FAILED_TO_GET_SESSION', { cause: error })
  }
}

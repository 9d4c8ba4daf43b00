import { z } from 'zod'
import { normalizeUsername, Page, providerIds, Status, Success, usernameProblem } from '../../shared/account.ts'
import {
  CurrentSession,
  Device,
  DoorOptions,
  GetSession,
  Reauthenticate,
  Reauthenticated,
  ReauthenticateSocial,
  RevokeSession,
  SentToProvider,
  Session,
  SignedIn,
  SignedInByUsername,
  SignInEmail,
  SignInUsername,
} from '../../shared/session.ts'
import { startAtProvider } from '../account/social.ts'
import type { Caller, Context } from '../context.ts'
import { record } from '../event/record.ts'
import { namesOf } from '../foundation/user-agent.ts'
import { isUnavailable, transaction } from '../foundation/db.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { given, open, router, signedIn, strictLimit, strictLimitForMail } from '../procedure.ts'
import { reauthenticate, sendCode } from './reauthenticate.ts'
import { writeCurrent } from './cookie-cache.ts'
import { clearSessionCookies, readCachedAnswer, readSessionToken, setCacheCookie } from './session-cookies.ts'
import { listSessions, revokeSession, revokeSessions, signOut } from './sessions.ts'
import { signInSocial } from './sign-in-social.ts'
import { signInWithPassword } from './sign-in.ts'

export const sessionRouter = router({
  /** Who is signed in, or null; never an error for somebody who is not. */
  get: open
    .meta({
      rest: 'GET /get-session',
      verbatim: async (ctx, query) => writeSession(ctx, given(GetSession, query)),
    })
    .input(GetSession)
    .output(CurrentSession.nullable())
    .query(async ({ ctx, input }) => CurrentSession.nullable().parse(JSON.parse(await writeSession(ctx, input)))),

  /** What this Foyer offers at its door, for the screens. */
  options: open.output(DoorOptions).query(({ ctx: { config, outbox } }) => ({
    emailPassword: config.hasEmailPassword,
    passwordLength: config.passwordLength,
    hasPayments: config.payments !== undefined || config.webhookKeys.length > 0,
    hasCheckout: config.payments !== undefined,
    providers: providerIds.filter((id) => config.providers[id] !== undefined),
    hasMailbox: !outbox.delivers && config.hasDevelopmentPages,
  })),

  signInEmail: open
    .meta({ rest: 'POST /sign-in/email', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) => (ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_IS_NOT_ENABLED')))
    .input(SignInEmail)
    .output(SignedIn)
    .mutation(async ({ ctx, input: { email, callbackURL, ...input } }) => {
      const { session, user } = await signInWithPassword(ctx, {
        ...input,
        callbackURL,
        by: { email },
        refusals: { wrong: 'INVALID_EMAIL_OR_PASSWORD', unverified: 'EMAIL_NOT_VERIFIED' },
      })
      return { redirect: Boolean(callbackURL), url: callbackURL || null, token: session.token, user }
    }),

  signInUsername: open
    .meta({ rest: 'POST /sign-in/username', limit: strictLimit, startsSession: true })
    .use(({ ctx, next }) => (ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_IS_NOT_ENABLED')))
    .input(SignInUsername)
    .output(SignedInByUsername)
    .mutation(async ({ ctx, input }) => {
      if (input.username === '' || input.password === '') refuse('INVALID_USERNAME_OR_PASSWORD')
      const problem = usernameProblem(input.username)
      if (problem) refuse(problem)
      try {
        const { session, user } = await signInWithPassword(ctx, {
          ...input,
          by: { username: normalizeUsername(input.username) },
          refusals: { wrong: 'INVALID_USERNAME_OR_PASSWORD', unverified: 'USERNAME_EMAIL_NOT_VERIFIED' },
        })
        return { token: session.token, user }
      } catch (error) {
        if (error instanceof Refusal || isUnavailable(error)) throw error
        refuse('UNEXPECTED_ERROR', { cause: error })
      }
    }),

  signInSocial,

  /** Mails a code by which somebody without a password re-authenticates, where a fresh session is needed. */
  sendReauthenticationCode: signedIn
    .meta({ rest: 'POST /reauthenticate/send-code', limit: strictLimitForMail })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await sendCode(ctx)
      return { status: true }
    }),

  /** Replaces the session by a fresh one, by the password or by the mailed code. */
  reauthenticate: signedIn
    .meta({ rest: 'POST /reauthenticate', limit: strictLimit })
    .input(Reauthenticate)
    .output(Reauthenticated)
    .mutation(({ ctx, input }) => reauthenticate(ctx, input)),

  /** Begins to re-authenticate at a provider that is linked to the signed-in user. */
  reauthenticateSocial: signedIn
    .meta({ rest: 'POST /reauthenticate/social', limit: strictLimit })
    .input(ReauthenticateSocial)
    .output(SentToProvider)
    .mutation(async ({ ctx, input }) => {
      const url = await startAtProvider(ctx, {
        provider: input.provider,
        callbackURL: input.callbackURL || '/',
        errorURL: input.errorCallbackURL || undefined,
        scopes: [],
        requestSignUp: false,
        reauthenticate: ctx.user.id,
      })
      return { url, redirect: true }
    }),

  /** The own sessions that still live, this one included; handles, never secrets. */
  list: signedIn
    .meta({ rest: 'GET /list-sessions' })
    .input(Page)
    .output(z.array(Session))
    .query(({ ctx, input }) => listSessions(ctx.db, { ...input, userId: ctx.user.id, now: ctx.now })),

  /** The same for the screens: devices by name, this one first, then the newest. */
  devices: signedIn.output(z.array(Device)).query(async ({ ctx }) => {
    const sessions = await listSessions(ctx.db, { userId: ctx.user.id, now: ctx.now })
    return sessions
      .map((session) => ({ ...session, isCurrent: session.id === ctx.session.id, ...namesOf(session.userAgent) }))
      .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.createdAt.getTime() - a.createdAt.getTime())
  }),

  revoke: signedIn
    .meta({ rest: 'POST /revoke-session' })
    .input(RevokeSession)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await transaction(ctx, async (tx) => {
        const sessionId = (await revokeSession(tx, ctx.user.id, input.token)) ?? refuse('SESSION_NOT_FOUND')
        await record(tx, ctx, { type: 'user.session_revoked', actorId: ctx.user.id, data: { sessionId } })
      })
      return { status: true }
    }),

  revokeAll: signedIn
    .meta({ rest: 'POST /revoke-sessions' })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await endSessions(ctx, null)
      clearSessionCookies(ctx)
      return { status: true }
    }),

  revokeOthers: signedIn
    .meta({ rest: 'POST /revoke-other-sessions' })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await endSessions(ctx, ctx.session.id)
      return { status: true }
    }),

  /** Ends the session and clears the cookies; somebody without a session hears the same (R21). */
  signOut: open
    .meta({ rest: 'POST /sign-out' })
    .output(Success)
    .mutation(async ({ ctx }) => {
      const sessionToken = readSessionToken(ctx)
      if (sessionToken !== undefined) await signOut(ctx.pool, ctx, sessionToken)
      clearSessionCookies(ctx)
      return { success: true }
    }),
})

/** Ends all sessions of the caller, or all but this one, and records it. */
async function endSessions(ctx: Context & Pick<Caller, 'user'>, except: string | null): Promise<void> {
  await transaction(ctx, async (tx) => {
    await revokeSessions(tx, ctx.user.id, except ?? undefined)
    await record(tx, ctx, { type: 'user.sessions_revoked', actorId: ctx.user.id, data: { except } })
  })
}

/** get-session's answer as JSON text: from the browser's cookies as it stands there, else from the database. */
async function writeSession(ctx: Context, wish: z.output<typeof GetSession>): Promise<string> {
  const cached = wish.disableCookieCache ? undefined : readCachedAnswer(ctx)
  if (cached !== undefined) return cached
  try {
    const caller = await ctx.caller({ mayExtend: !wish.disableRefresh })
    if (!caller) return 'null'
    const text = writeCurrent(caller)
    if (ctx.config.hasCookieCache) setCacheCookie(ctx, { ...caller, ...caller.session, text })
    return text
  } catch (error) {
    if (error instanceof Refusal || isUnavailable(error)) throw error
    refuse('FAILED_TO_GET_SESSION', { cause: error })
  }
}

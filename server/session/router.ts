import { z } from 'zod'
import { normalizeUsername, Page, providerIds, Status, Success, usernameProblem } from '../../shared/account.ts'
import {
  CurrentSession,
  Device,
  DoorOptions,
  GetSession,
  RevokeSession,
  Session,
  SignedIn,
  SignedInByUsername,
  SignInEmail,
  SignInUsername,
} from '../../shared/session.ts'
import type { Context } from '../context.ts'
import { deviceOf } from '../foundation/device.ts'
import { isUnavailable } from '../foundation/db.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { given, narrow, open, router, signedIn } from '../procedure.ts'
import { writeCurrent } from './cookie-cache.ts'
import { clearSessionCookies, readCachedAnswer, readSecret, setCacheCookie } from './session-cookies.ts'
import { endSession, listSessions, revokeSession, revokeSessions } from './sessions.ts'
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
    hasPayments: config.payments !== undefined,
    providers: providerIds.filter((id) => config.providers[id] !== undefined),
    hasMailbox: !outbox.delivers && !config.isProduction,
  })),

  signInEmail: open
    .meta({ rest: 'POST /sign-in/email', limit: narrow, isEntrance: true })
    .use(({ ctx, next }) => (ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_IS_NOT_ENABLED')))
    .input(SignInEmail)
    .output(SignedIn)
    .mutation(async ({ ctx, input: { email, callbackURL, ...input } }) => {
      const { session, user } = await signInWithPassword(ctx, {
        ...input,
        callbackURL,
        by: { email },
        refusals: { wrong: 'INVALID_EMAIL_OR_PASSWORD', unproven: 'EMAIL_NOT_VERIFIED' },
      })
      return { redirect: Boolean(callbackURL), url: callbackURL || null, token: session.token, user }
    }),

  signInUsername: open
    .meta({ rest: 'POST /sign-in/username', limit: narrow, isEntrance: true })
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
          refusals: { wrong: 'INVALID_USERNAME_OR_PASSWORD', unproven: 'USERNAME_EMAIL_NOT_VERIFIED' },
        })
        return { token: session.token, user }
      } catch (error) {
        if (error instanceof Refusal || isUnavailable(error)) throw error
        refuse('UNEXPECTED_ERROR', { cause: error })
      }
    }),

  signInSocial,

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
      if (!(await revokeSession(ctx.db, ctx.user.id, input.token))) refuse('SESSION_NOT_FOUND')
      return { status: true }
    }),

  revokeAll: signedIn
    .meta({ rest: 'POST /revoke-sessions' })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await revokeSessions(ctx.db, ctx.user.id)
      clearSessionCookies(ctx)
      return { status: true }
    }),

  revokeOthers: signedIn
    .meta({ rest: 'POST /revoke-other-sessions' })
    .output(Status)
    .mutation(async ({ ctx }) => {
      await revokeSessions(ctx.db, ctx.user.id, ctx.session.id)
      return { status: true }
    }),

  /** Ends the session and clears the cookies; somebody without a session hears the same (R21). */
  signOut: open
    .meta({ rest: 'POST /sign-out' })
    .output(Success)
    .mutation(async ({ ctx }) => {
      const secret = readSecret(ctx)
      if (secret !== undefined) await endSession(ctx.db, secret)
      clearSessionCookies(ctx)
      return { success: true }
    }),
})

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

function namesOf(userAgent: string) {
  const { browser = null, system = null } = deviceOf(userAgent)
  return { browser, system }
}

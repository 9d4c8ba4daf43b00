import type { z } from 'zod'
import { CurrentSession, DoorOptions, GetSession, SignedIn, SignInEmail } from '../../shared/session.ts'
import { Success } from '../../shared/account.ts'
import { findUserWithPassword, replaceHash } from '../account/users.ts'
import { verificationMail } from '../account/verification.ts'
import type { Context } from '../context.ts'
import { isUnavailable } from '../foundation/db.ts'
import { refuse, Refusal } from '../foundation/refusal.ts'
import { narrow, open, router } from '../procedure.ts'
import { writeCurrent } from './cookie-cache.ts'
import { clearSessionCookies, readCachedAnswer, readSecret, setCacheCookie } from './session-cookies.ts'
import { endSession } from './sessions.ts'
import { openSession } from './opening.ts'
import { failureLimits } from './tries.ts'

export const sessionRouter = router({
  /** Who is signed in, or null; never an error for somebody who is not. */
  get: open
    .meta({
      rest: 'GET /get-session',
      verbatim: async (ctx, query) => writeSession(ctx, GetSession.safeParse(query).data),
    })
    .input(GetSession)
    .output(CurrentSession.nullable())
    .query(async ({ ctx, input }) => CurrentSession.nullable().parse(JSON.parse(await writeSession(ctx, input)))),

  /** What this Foyer offers at its door, for the screens. */
  options: open.output(DoorOptions).query(({ ctx: { config, outbox } }) => ({
    emailPassword: config.hasEmailPassword,
    passwordLength: config.passwordLength,
    hasMailbox: !outbox.delivers && !config.isProduction,
  })),

  signInEmail: open
    .meta({ rest: 'POST /sign-in/email', limit: narrow, isEntrance: true })
    .use(({ ctx, next }) => (ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_IS_NOT_ENABLED')))
    .input(SignInEmail)
    .output(SignedIn)
    .mutation(async ({ ctx, input }) => {
      const { email, password, callbackURL, rememberMe } = input
      const tries = failureLimits(email, ctx.address)
      const waitSeconds = await ctx.limiter.count(tries, ctx.now)
      if (waitSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })

      const user = await findUserWithPassword(ctx.pool, { email })
      const isRight = await ctx.hasher.verify(password, user?.password)
      if (!user?.password || !isRight) {
        ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: user?.id }, 'sign-in failed')
        refuse('INVALID_EMAIL_OR_PASSWORD')
      }
      await ctx.limiter.forgive(tries.map(({ key }) => key))
      const passwordHash = await currentHash(ctx, user.id, { password, stored: user.password })
      if (!user.emailVerified && ctx.config.emailVerification === 'required') {
        if (ctx.config.sendsVerificationEmail) {
          const mail = await verificationMail(ctx, user, { ...ctx, callbackURL })
          await ctx.db.$transaction((tx) => ctx.outbox.enqueue(tx, mail, ctx.now))
        }
        refuse('EMAIL_NOT_VERIFIED')
      }

      const session = await openSession(ctx, user, { remembered: rememberMe, passwordHash })
      if (!session) refuse('INVALID_EMAIL_OR_PASSWORD')
      return { redirect: callbackURL !== undefined, url: callbackURL ?? null, token: session.token, user }
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
async function writeSession(ctx: Context, wish: z.output<typeof GetSession> | undefined): Promise<string> {
  if (!wish) refuse('INVALID_QUERY')
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

/** The hash as it is stored after a sign-in: made anew when today's parameters are higher. */
async function currentHash(ctx: Context, userId: string, { password, stored }: { password: string; stored: string }) {
  if (!ctx.hasher.isOutdated(stored)) return stored
  const renewed = await ctx.hasher.hash(password)
  await replaceHash(ctx.db, userId, { old: stored, new: renewed })
  return renewed
}

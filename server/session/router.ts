import { CurrentSession, DoorOptions, GetSession, SignedIn, SignInEmail } from '../../shared/session.ts'
import { Success } from '../../shared/account.ts'
import { findUserWithPassword, replaceHash } from '../account/users.ts'
import { verificationMail } from '../account/verification.ts'
import type { Context } from '../context.ts'
import { isUnavailable } from '../foundation/db.ts'
import { refuse, Refusal } from '../foundation/refusal.ts'
import { narrow, open, router } from '../procedure.ts'
import { clearSessionCookies, readCachedAnswer, readSecret } from './session-cookies.ts'
import { endSession } from './sessions.ts'
import { openSession } from './opening.ts'
import { failureLimits } from './tries.ts'

export const sessionRouter = router({
  /** Who is signed in, or null; never an error for somebody who is not. */
  get: open
    .meta({ rest: 'GET /get-session', verbatim: cachedSession })
    .input(GetSession)
    .output(CurrentSession.nullable())
    .query(async ({ ctx, input }) => {
      const wish = { mayUseCache: !input.disableCookieCache, mayExtend: !input.disableRefresh }
      const caller = await ctx.caller(wish).catch((error: unknown) => {
        if (error instanceof Refusal || isUnavailable(error)) throw error
        refuse('FAILED_TO_GET_SESSION', { cause: error })
      })
      return caller ?? null
    }),

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

      const found = await findUserWithPassword(ctx.db, { email })
      const isRight = await ctx.hasher.verify(password, found?.password)
      if (!found?.password || !isRight) {
        ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: found?.user.id }, 'sign-in failed')
        refuse('INVALID_EMAIL_OR_PASSWORD')
      }
      await ctx.limiter.forgive(tries.map(({ key }) => key))
      if (ctx.hasher.isOutdated(found.password)) {
        await replaceHash(ctx.db, found.user.id, { old: found.password, new: await ctx.hasher.hash(password) })
      }
      if (!found.user.emailVerified && ctx.config.emailVerification === 'required') {
        if (ctx.config.sendsVerificationEmail) {
          const mail = await verificationMail(ctx, found.user, { ...ctx, callbackURL })
          await ctx.db.$transaction((tx) => ctx.outbox.enqueue(tx, mail, ctx.now))
        }
        refuse('EMAIL_NOT_VERIFIED')
      }

      const session = await openSession(ctx, found.user, { remembered: rememberMe })
      return {
        redirect: callbackURL !== undefined,
        url: callbackURL ?? null,
        token: session.token,
        user: found.user,
      }
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

/** get-session's answer from the browser's cookies, unless the caller wants the database. */
function cachedSession(ctx: Context, query: { get: (name: string) => string | undefined }): string | undefined {
  return query.get('disableCookieCache') === 'true' ? undefined : readCachedAnswer(ctx)
}

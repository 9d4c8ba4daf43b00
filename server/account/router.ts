import { SendVerificationEmail, SignedUp, SignUpEmail, Status } from '../../shared/account.ts'
import { isUnavailable, violatedUnique } from '../foundation/db.ts'
import { noMail } from '../foundation/mail.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { narrow, narrowForMail, open, router } from '../procedure.ts'
import { openSession } from '../session/opening.ts'
import { accountMail } from './mails.ts'
import { newPasswordProblem } from './password.ts'
import { createUser, newUser } from './users.ts'
import { markSignUp, verificationMail } from './verification.ts'

export const accountRouter = router({
  /**
   * Opens an account. Where the address has to be proven first, an address that exists is answered like a new one and its
   * owner gets a mail instead (R20); where sign-up signs in at once, it says that the user exists.
   */
  signUpEmail: open
    .meta({ rest: 'POST /sign-up/email', limit: narrow, isEntrance: true })
    .use(({ ctx, next }) =>
      ctx.config.hasEmailPassword ? next() : refuse('EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'),
    )
    .input(SignUpEmail)
    .output(SignedUp)
    .mutation(async ({ ctx, input }) => {
      const { config, now, outbox } = ctx
      refuseForeignPicture(input.image, config.appOrigin)
      const problem = await newPasswordProblem(input.password, config.passwordLength, input)
      if (problem) refuse(problem)

      const user = newUser({ ...input, now, language: ctx.language.id })
      const passwordHash = await ctx.hasher.hash(input.password)
      const mail = await verificationMail(ctx, user, { ...ctx, callbackURL: input.callbackURL })
      const isHidden = config.emailVerification === 'required'
      try {
        const stored = config.sendsVerificationEmail ? await outbox.prepare(mail, now) : undefined
        await createUser(ctx.pool, user, { passwordHash, mail: stored ?? noMail(now) })
        if (!isHidden) return { token: (await openSession(ctx, user))?.token ?? null, user }
        markSignUp(ctx.cookies, user.id, now)
        return { token: null, user }
      } catch (error) {
        if (error instanceof Refusal || isUnavailable(error)) throw error
        const taken = violatedUnique(error)
        if (taken?.includes('username')) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
        if (!taken?.includes('email')) refuse('FAILED_TO_CREATE_USER', { cause: error })
        if (!isHidden) refuse('USER_ALREADY_EXISTS')
      }

      const owner = await ctx.db.user.findUnique({ where: { email: input.email } })
      if (owner) {
        const link = `${config.appOrigin}/sign-in?email=${encodeURIComponent(owner.email)}`
        const notice = accountMail('signUpAttempt', owner, { ...ctx, link, isLimited: true })
        await ctx.db.$transaction((tx) => outbox.enqueue(tx, notice, now))
      }
      markSignUp(ctx.cookies, user.id, now)
      return { token: null, user }
    }),

  /** Sends the verification link again. The answer is the same for every address (SEC-20). */
  sendVerificationEmail: open
    .meta({ rest: 'POST /send-verification-email', limit: narrowForMail })
    .use(({ ctx, next }) => (ctx.config.sendsVerificationEmail ? next() : refuse('VERIFICATION_EMAIL_ISNT_ENABLED')))
    .input(SendVerificationEmail)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      const user = await ctx.db.user.findUnique({ where: { email: input.email } })
      if (user && !user.emailVerified) {
        const mail = await verificationMail(ctx, user, { ...ctx, callbackURL: input.callbackURL })
        await ctx.db.$transaction((tx) => ctx.outbox.enqueue(tx, mail, ctx.now))
      }
      return { status: true }
    }),
})

/** Pictures come over https, or over http from Foyer's own origin (R25). */
function refuseForeignPicture(address: string | null | undefined, appOrigin: string): void {
  if (!address || address.toLowerCase().startsWith('https:')) return
  if (new URL(address).origin !== appOrigin) refuse('INVALID_BODY')
}

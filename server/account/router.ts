import { z } from 'zod'
import {
  ChangeEmail,
  ChangePassword,
  Deleted,
  DeleteUser,
  ForgetPassword,
  LinkedAccount,
  normalizeUsername,
  passwordProblem,
  PasswordChanged,
  ResetPassword,
  SendVerificationEmail,
  SignedUp,
  SignUpEmail,
  Status,
  UnlinkAccount,
  UpdateUser,
} from '../../shared/account.ts'
import type { Context } from '../context.ts'
import { isUnavailable, violatedUnique } from '../foundation/db.ts'
import { noMail } from '../foundation/mail.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { fresh, isFresh, narrow, narrowForMail, open, router, signedIn } from '../procedure.ts'
import { openSession } from '../session/opening.ts'
import { clearSessionCookies, setSessionCookies } from '../session/session-cookies.ts'
import { renewSecret, revokeSessions } from '../session/sessions.ts'
import { countTry, forgiveTries } from '../session/tries.ts'
import { listAccounts, unlinkAccount } from './accounts.ts'
import { changePassword, findPasswordHash, resetPassword } from './credentials.ts'
import { deleteAccount } from './deletion.ts'
import { accountMail } from './mails.ts'
import { newPasswordProblem } from './password.ts'
import { refuseForeignPicture } from './pictures.ts'
import { socialProcedures } from './social-procedures.ts'
import { createToken, findToken, takeToken } from './tokens.ts'
import { createUser, newUser, updateUser } from './users.ts'
import { changeLinkMail, markSignUp, verificationMail } from './verification.ts'

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
      // Before the address is looked at: else what is said of the username would tell whether the address exists.
      await refuseTakenUsername(ctx, input.username)
      try {
        const stored = config.sendsVerificationEmail ? await outbox.prepare(mail, now) : undefined
        await createUser(ctx.pool, user, { passwordHash, mail: stored ?? noMail(now) })
        if (!isHidden) return { token: (await openSession(ctx, user))?.token ?? null, user }
        markSignUp(ctx.cookies, user.id, now)
        return { token: null, user }
      } catch (error) {
        if (error instanceof Refusal || isUnavailable(error)) throw error
        if (config.sendsVerificationEmail) await outbox.takeBack(mail)
        const taken = violatedUnique(error)
        if (taken?.includes('username')) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
        if (!taken?.includes('email')) refuse('FAILED_TO_CREATE_USER', { cause: error })
        if (!isHidden) refuse('USER_ALREADY_EXISTS')
      }

      await refuseTakenUsername(ctx, input.username)
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

  update: signedIn
    .meta({ rest: 'POST /update-user' })
    .input(UpdateUser)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      const { email: _never, ...changes } = input
      refuseForeignPicture(changes.image, ctx.config.appOrigin)
      if (Object.keys(changes).length === 0) return { status: true }
      const user = await updateUser(ctx.db, ctx.user.id, { ...changes, now: ctx.now }).catch((error: unknown) => {
        if (violatedUnique(error)?.includes('username')) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
        throw error
      })
      await ctx.renewCookies({ user })
      return { status: true }
    }),

  /** Is a username still to be had? For the form of somebody who is signed in; the change itself decides. */
  isUsernameFree: signedIn
    .input(z.object({ username: z.string().max(64) }))
    .output(z.boolean())
    .query(async ({ ctx, input }) => {
      const where = { username: normalizeUsername(input.username) }
      const owner = await ctx.db.user.findUnique({ where, select: { id: true } })
      return !owner || owner.id === ctx.user.id
    }),

  /** Mails a link to a new password. The answer is the same for every address. */
  forgetPassword: open
    .meta({ rest: 'POST /forget-password', limit: narrowForMail })
    .use(({ ctx, next }) => (ctx.config.mayResetPassword ? next() : refuse('RESET_PASSWORD_ISNT_ENABLED')))
    .input(ForgetPassword)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      const { now, config } = ctx
      const user = await ctx.db.user.findUnique({ where: { email: input.email } })
      if (!user) return { status: true }
      const lifetimeSeconds = config.resetTokenLifetimeSeconds
      await ctx.db.$transaction(async (tx) => {
        const token = await createToken(tx, 'reset-password', { userId: user.id, now, lifetimeSeconds })
        const query = new URLSearchParams({ callbackURL: input.redirectTo || '/reset-password' })
        const link = `${config.appOrigin}${config.basePath}/reset-password/${token}?${query}`
        const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
        await ctx.outbox.enqueue(
          tx,
          accountMail('resetPassword', user, { ...ctx, link, expiresAt, isLimited: true }),
          now,
        )
      })
      return { status: true }
    }),

  /** A new password by the mailed token: it proves the address, ends every session and voids every other secret. */
  resetPassword: open
    .meta({ rest: 'POST /reset-password', queryFields: ['token'] })
    .input(ResetPassword)
    .output(Status)
    .mutation(async ({ ctx, input: { newPassword, token } }) => {
      const { now } = ctx
      if (!token) refuse('RESET_INVALID_TOKEN')
      const tooShortOrLong = passwordProblem(newPassword, ctx.config.passwordLength)
      if (tooShortOrLong) refuse(tooShortOrLong)
      const userId = await findToken(ctx.db, 'reset-password', token, now)
      const user = userId === undefined ? null : await ctx.db.user.findUnique({ where: { id: userId } })
      if (!user) refuse('RESET_INVALID_TOKEN')
      const problem = await newPasswordProblem(newPassword, ctx.config.passwordLength, user)
      if (problem) refuse(problem)
      const passwordHash = await ctx.hasher.hash(newPassword)
      await ctx.db.$transaction(async (tx) => {
        if ((await takeToken(tx, 'reset-password', token, now)) !== user.id) refuse('RESET_INVALID_TOKEN')
        await resetPassword(tx, { userId: user.id, passwordHash, now })
        await revokeSessions(tx, user.id)
        await ctx.outbox.enqueue(tx, accountMail('passwordChanged', user, ctx), now)
      })
      await forgiveTries(ctx.limiter, { typed: user.email, address: ctx.address })
      ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: user.id }, 'password reset')
      return { status: true }
    }),

  changePassword: signedIn
    .meta({ rest: 'POST /change-password', limit: narrow })
    .input(ChangePassword)
    .output(PasswordChanged)
    .mutation(async ({ ctx, input }) => {
      const { user, session, now } = ctx
      const problem = await newPasswordProblem(input.newPassword, ctx.config.passwordLength, user)
      if (problem) refuse(problem)
      const stored = await checkPassword(ctx, input.currentPassword)
      const passwordHash = await ctx.hasher.hash(input.newPassword)
      const secret = await ctx.db.$transaction(async (tx) => {
        if (!(await changePassword(tx, { userId: user.id, passwordHash, now }, stored))) refuse('INVALID_PASSWORD')
        if (input.revokeOtherSessions) await revokeSessions(tx, user.id)
        await ctx.outbox.enqueue(tx, accountMail('passwordChanged', user, ctx), now)
        return input.revokeOtherSessions ? undefined : await renewSecret(tx, session.id, now)
      })
      if (input.revokeOtherSessions)
        return { token: (await openSession(ctx, user, { passwordHash }))?.token ?? null, user }
      // Gone meanwhile: the password is changed, and this browser signs in with it.
      if (secret === undefined) clearSessionCookies(ctx)
      else setSessionCookies(ctx, { secret, current: { user, session }, remembered: ctx.remembered })
      return { token: null, user }
    }),

  /** An unproven address changes at once; a proven one after its owner has confirmed it from there (spec 4). */
  changeEmail: signedIn
    .meta({ rest: 'POST /change-email', limit: narrow })
    .input(ChangeEmail)
    .output(Status)
    .mutation(async ({ ctx, input: { newEmail, callbackURL } }) => {
      const { user, config, now } = ctx
      if (!config.mayChangeEmail) refuse('CHANGE_EMAIL_IS_DISABLED')
      if (newEmail === user.email) refuse('EMAIL_IS_THE_SAME')
      if (await ctx.db.user.findUnique({ where: { email: newEmail } })) refuse('COULDNT_UPDATE_YOUR_EMAIL')
      if (user.emailVerified) {
        if (!config.sendsVerificationEmail) refuse('VERIFICATION_EMAIL_ISNT_ENABLED')
        await ctx.db.$transaction(async (tx) => {
          await ctx.outbox.enqueue(tx, await changeLinkMail(ctx, tx, user, { ...ctx, newEmail, callbackURL }), now)
        })
        return { status: true }
      }
      const changed = { ...user, email: newEmail }
      const mail = await verificationMail(ctx, changed, { ...ctx, callbackURL })
      const renewed = await ctx.db
        .$transaction(async (tx) => {
          const row = await updateUser(tx, user.id, { email: newEmail, now })
          if (config.sendsVerificationEmail) await ctx.outbox.enqueue(tx, mail, now)
          return row
        })
        .catch((error: unknown) => {
          if (violatedUnique(error)) refuse('COULDNT_UPDATE_YOUR_EMAIL')
          throw error
        })
      await ctx.renewCookies({ user: renewed })
      return { status: true }
    }),

  /**
   * Deletes the account: at once with the password or a mailed token, else by a mail that a fresh session may ask for.
   */
  delete: signedIn
    .meta({ rest: 'POST /delete-user', limit: narrow })
    .use(({ ctx, next }) => (ctx.config.mayDeleteUser ? next() : refuse('NOT_FOUND')))
    .input(DeleteUser)
    .output(Deleted)
    .mutation(async ({ ctx, input: { password, token, callbackURL } }) => {
      const { user, config, now } = ctx
      if (password !== undefined) await checkPassword(ctx, password)
      else if (!isFresh(ctx, ctx.session)) refuse('SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION')
      if (token !== undefined || password !== undefined) {
        await ctx.db.$transaction(async (tx) => {
          if (token !== undefined && (await takeToken(tx, 'delete-account', token, now)) !== user.id) {
            refuse('DELETE_INVALID_TOKEN')
          }
          await deleteAccount(tx, ctx, user)
        })
        clearSessionCookies(ctx)
        return { success: true, message: 'User deleted' }
      }
      const lifetimeSeconds = config.deleteTokenLifetimeSeconds
      await ctx.db.$transaction(async (tx) => {
        const secret = await createToken(tx, 'delete-account', { userId: user.id, now, lifetimeSeconds })
        const query = new URLSearchParams({ token: secret, callbackURL: callbackURL || '/' })
        const link = `${config.appOrigin}${config.basePath}/delete-user/callback?${query}`
        const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
        await ctx.outbox.enqueue(
          tx,
          accountMail('confirmDeletion', user, { ...ctx, link, expiresAt, isLimited: true }),
          now,
        )
      })
      return { success: true, message: 'Verification email sent' }
    }),

  listAccounts: signedIn
    .meta({ rest: 'GET /list-accounts' })
    .output(z.array(LinkedAccount))
    .query(({ ctx }) => listAccounts(ctx.db, ctx.user.id)),

  unlink: fresh
    .meta({ rest: 'POST /unlink-account' })
    .input(UnlinkAccount)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      const wish = { ...input, accountId: input.accountId, mayUnlinkLast: ctx.config.mayUnlinkLastAccount }
      await ctx.db.$transaction((tx) => unlinkAccount(tx, { ...wish, userId: ctx.user.id }))
      return { status: true }
    }),

  ...socialProcedures,
})

/** Holds a password against the stored one, counted like a sign-in; answers the stored hash. */
async function checkPassword(ctx: Context & { user: { id: string } }, password: string): Promise<string> {
  const stored = await findPasswordHash(ctx.db, ctx.user.id)
  if (stored === undefined) refuse('CREDENTIAL_ACCOUNT_NOT_FOUND')
  const attempt = { typed: ctx.user.id, address: ctx.address, now: ctx.now }
  const waitSeconds = await countTry(ctx.limiter, attempt)
  if (waitSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  if (!(await ctx.hasher.verify(password, stored))) refuse('INVALID_PASSWORD')
  await forgiveTries(ctx.limiter, attempt)
  return stored
}

async function refuseTakenUsername({ db }: Context, typed: string | undefined): Promise<void> {
  if (typed === undefined) return
  const owner = await db.user.findUnique({ where: { username: normalizeUsername(typed) }, select: { id: true } })
  if (owner) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
}

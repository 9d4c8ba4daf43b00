import { FullUser, type SignUpEmail } from '../../shared/account.ts'
import { newPasswordProblem } from '../account/password.ts'
import { rememberSignUp } from '../account/sign-up-cookie.ts'
import { createUserWithPassword, findUserByReservedEmail, findUserIdByUsername, newUser } from '../account/users.ts'
import { verificationMail } from '../account/verification.ts'
import { eventParameters, type NewEvent } from '../event/event-rows.ts'
import { logEvent } from '../event/record.ts'
import { isUnavailable, violatedUnique } from '../foundation/database-errors.ts'
import { checkPictureUrl } from '../foundation/pictures.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { isEmailOfUser } from '../foundation/verified-email.ts'
import { noMail } from '../mail/mail-rows.ts'
import type { Mail } from '../mail/mail.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { startSession } from './start-session.ts'

/**
 * Creates an account. If the email address must be verified first, an existing address gets the same response after the
 * same work: a hash, a signed link and one email (SEC-20, SEC-120). If sign-up signs in immediately, it returns an
 * error.
 */
export async function signUp(ctx: Context, input: SignUpEmail) {
  const { config, now } = ctx
  checkPictureUrl(input.image, config.appOrigin)
  const problem = await newPasswordProblem(input.password, config, input)
  if (problem) refuse(problem)
  const user = newUser({ ...input, now, language: ctx.language.id })
  const passwordHash = await ctx.hasher.hash(input.password)
  const isHidden = config.emailVerification === 'required'
  // Checked before the email address is looked up, otherwise the error for a username would reveal whether the address
  // exists.
  await refuseTakenUsername(ctx, input.username)

  const mail = await mailFor(ctx, user, input)
  if (mail.isForOwner || !(await create(ctx, { user, passwordHash, mail: mail.mail }))) {
    if (!isHidden) refuse('USER_ALREADY_EXISTS')
    const forOwner = mail.isForOwner ? mail : await mailFor(ctx, user, input)
    await deliver(ctx, forOwner.mail)
  } else if (!isHidden) {
    const started = await startSession(ctx, FullUser.parse(user), { method: 'password' })
    return { token: started.outcome === 'created' ? started.session.token : null, user }
  }
  rememberSignUp(ctx.cookies, user.id, now)
  return { token: null, user }
}

type NewUser = ReturnType<typeof newUser>

/**
 * Chooses the email of a sign-up: the link for a new account; the account's own link again for one never verified, so
 * that the mailbox owner decides (SEC-110); for a verified account, a notice of the attempt.
 */
async function mailFor(ctx: Context, user: NewUser, { email, callbackURL }: SignUpEmail) {
  const owner = await findUserByReservedEmail(ctx.db, email)
  const link = await verificationMail(ctx, owner ?? user, { ...ctx, callbackURL })
  // An email address reserved for a pending change belongs to its owner, like a verified one.
  const isOwned = owner !== undefined && isEmailOfUser(owner, email)
  if (!isOwned) return { isForOwner: owner !== undefined, mail: link }
  const signIn = `${ctx.config.appOrigin}/sign-in?email=${encodeURIComponent(owner.email)}`
  const notice = composeMail('signUpAttempt', { ...owner, email }, { ...ctx, link: signIn, budget: 'verification' })
  return { isForOwner: true, mail: notice }
}

type NewAccount = { user: NewUser; passwordHash: string; mail: Mail }

/** Stores account, email and event in one statement. Returns false if the email address was taken concurrently. */
async function create(ctx: Context, { user, passwordHash, mail }: NewAccount): Promise<boolean> {
  const { config, now, outbox } = ctx
  const event: NewEvent = { type: 'user.signed_up', actorId: user.id, data: { method: 'password' } }
  try {
    const stored = config.sendsVerificationEmail ? await outbox.prepare(mail, now) : undefined
    await createUserWithPassword(ctx.pool, user, {
      passwordHash,
      mail: stored ?? noMail(now),
      event: eventParameters(ctx, event),
    })
    logEvent(ctx, event)
    return true
  } catch (error) {
    if (error instanceof Refusal || isUnavailable(error)) throw error
    const taken = violatedUnique(error)
    if (taken?.includes('username')) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
    if (taken?.includes('email')) return false
    refuse('FAILED_TO_CREATE_USER', { cause: error })
  }
}

/** Sends the email for an existing account, with the same rate limit and one statement, as for a new account. */
async function deliver(ctx: Context, mail: Mail): Promise<void> {
  const stored = await ctx.outbox.prepare(mail, ctx.now)
  if (stored) await ctx.outbox.storePrepared(ctx.pool, stored)
}

async function refuseTakenUsername({ db }: Context, typed: string | undefined): Promise<void> {
  if (typed === undefined) return
  if ((await findUserIdByUsername(db, typed)) !== undefined) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
}

import type { SignUpEmail } from '../../shared/account.ts'
import { normalizeUsername } from '../../shared/account.ts'
import type { Context } from '../request/context.ts'
import { eventParameters, logEvent, type NewEvent } from '../event/record.ts'
import { isUnavailable, violatedUnique } from '../foundation/database.ts'
import { noMail } from '../mail/outbox.ts'
import { type Mail } from '../mail/mail.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { startSession } from './start-session.ts'
import { composeMail } from '../mail/mail.ts'
import { newPasswordProblem } from '../account/password.ts'
import { refuseForeignPicture } from '../foundation/pictures.ts'
import { createUser, findHolder, newUser } from '../account/users.ts'
import { markSignUp, verificationMail } from '../account/verification.ts'

/**
 * Creates an account. Where the address has to be verified first, an address that exists is answered like a new one, with the
 * same work: a hash, a signed link and one mail (SEC-20, SEC-120). Where sign-up signs in at once, it says that the user exists.
 */
export async function signUp(ctx: Context, input: SignUpEmail) {
  const { config, now } = ctx
  refuseForeignPicture(input.image, config.appOrigin)
  const problem = await newPasswordProblem(input.password, config.passwordLength, input)
  if (problem) refuse(problem)
  const user = newUser({ ...input, now, language: ctx.language.id })
  const passwordHash = await ctx.hasher.hash(input.password)
  const isHidden = config.emailVerification === 'required'
  // Before the address is looked at: else what is said of the username would tell whether the address exists.
  await refuseTakenUsername(ctx, input.username)

  const mail = await mailFor(ctx, user, input)
  if (mail.isForOwner || !(await create(ctx, { user, passwordHash, mail: mail.mail, isHidden }))) {
    if (!isHidden) refuse('USER_ALREADY_EXISTS')
    const forOwner = mail.isForOwner ? mail : await mailFor(ctx, user, input)
    await deliver(ctx, forOwner.mail)
  } else if (!isHidden) {
    const started = await startSession(ctx, user, { method: 'password' })
    return { token: started.outcome === 'created' ? started.session.token : null, user }
  }
  markSignUp(ctx.cookies, user.id, now)
  return { token: null, user }
}

type NewUser = ReturnType<typeof newUser>

/**
 * The one mail of a sign-up: the link for the new account; for an account that was never verified its own link once more, so
 * that the owner of the mailbox decides (SEC-110); for a verified one a notice that somebody tried.
 */
async function mailFor(ctx: Context, user: NewUser, { email, callbackURL }: SignUpEmail) {
  const owner = await findHolder(ctx.db, email)
  const link = await verificationMail(ctx, owner ?? user, { ...ctx, callbackURL })
  // An address that is reserved for a change under way is its owner's, like a verified one.
  const isOwned = owner !== undefined && (owner.emailVerified || owner.previousEmail === email)
  if (!isOwned) return { isForOwner: owner !== undefined, mail: link }
  const signIn = `${ctx.config.appOrigin}/sign-in?email=${encodeURIComponent(owner.email)}`
  const notice = composeMail('signUpAttempt', { ...owner, email }, { ...ctx, link: signIn, budget: 'verification' })
  return { isForOwner: true, mail: notice }
}

type NewAccount = { user: NewUser; passwordHash: string; mail: Mail; isHidden: boolean }

/** Stores account, mail and event in one statement. False when the address was taken a moment ago. */
async function create(ctx: Context, { user, passwordHash, mail }: NewAccount): Promise<boolean> {
  const { config, now, outbox } = ctx
  const event: NewEvent = { type: 'user.signed_up', actorId: user.id, data: { method: 'password' } }
  try {
    const stored = config.sendsVerificationEmail ? await outbox.prepare(mail, now) : undefined
    await createUser(ctx.pool, user, {
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

/** The mail of an existing account: the same count and one statement, as for a new one. */
async function deliver(ctx: Context, mail: Mail): Promise<void> {
  const stored = await ctx.outbox.prepare(mail, ctx.now)
  if (stored) await ctx.outbox.send(ctx.pool, stored)
}

async function refuseTakenUsername({ db }: Context, typed: string | undefined): Promise<void> {
  if (typed === undefined) return
  const owner = await db.user.findUnique({ where: { username: normalizeUsername(typed) }, select: { id: true } })
  if (owner) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
}

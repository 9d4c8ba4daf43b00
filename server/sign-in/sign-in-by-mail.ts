import { z } from 'zod'
import { FullUser, ShortUser } from '../../shared/account.ts'
import { passwordProblem } from '../../shared/identity.ts'
import type {
  CodeUse,
  ResetPasswordCode,
  SignedInByMail,
  SignInMailCode,
  VerifiedByCode,
} from '../../shared/mail-code.ts'
import { withQuery } from '../../shared/redirect.ts'
import { RedirectTarget } from '../../shared/schema.ts'
import type { TwoFactorRedirect } from '../../shared/two-factor.ts'
import { createVerified } from '../account/create-verified-user.ts'
import { removePassword } from '../account/credentials.ts'
import { newPasswordProblem } from '../account/password.ts'
import { allowOwner, storeNewPassword } from '../account/reset-password.ts'
import { didSignUpHere } from '../account/sign-up-cookie.ts'
import { findHolder, findRecoverable, lockHolders, verifyAddress, wasUsed } from '../account/users.ts'
import { vacateAddress } from '../account/vacate-address.ts'
import { verifyOwner } from '../account/verify-owner.ts'
import { ownsAddress } from '../foundation/confirmed-email.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import type { Tx } from '../foundation/database.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { knownDevice } from '../session/known-devices.ts'
import { lockSession, lockUser } from '../session/locks.ts'
import type { Basis } from '../session/new-sessions.ts'
import { findLink } from './magic-links.ts'
import { type CheckedCode, takeCode, takeLink } from './mail-codes.ts'
import { startSession } from './start-session.ts'

type Answer = z.output<typeof SignedInByMail> | z.output<typeof TwoFactorRedirect>
type Method = 'email_code' | 'magic_link'

/**
 * Signs in with an emailed code, or signs up where that is allowed. It is a first factor: a second one is still
 * required.
 */
export async function signInByCode(ctx: Context, { email, otp }: z.output<typeof SignInMailCode>): Promise<Answer> {
  if (ctx.config.emailCode === 'off') refuse('NOT_FOUND')
  const { checked, user } = await take(ctx, { use: 'sign-in', email, code: otp }, async (tx, name) =>
    withBasis(tx, await findOwner(tx, ctx, { email, name, method: 'email_code' })),
  )
  refuseUnlessRight(checked)
  return start(ctx, user ?? refuse('INVALID_OTP'), 'email_code')
}

export const MagicLink = z.object({ token: z.string().min(1).max(64), callbackURL: RedirectTarget.optional() })

/**
 * GET /magic-link/verify: signs in the browser that requested the link. Any other browser, or an email scanner, is
 * shown the code to enter there, and the link is not used up.
 */
export async function followMagicLink(
  ctx: Context,
  { token, callbackURL }: z.output<typeof MagicLink>,
): Promise<Answer | string> {
  const failed = (error: string) => withQuery(callbackURL ?? `${ctx.config.basePath}/error`, { error })
  if (ctx.config.emailCode === 'off') return failed('INVALID_TOKEN')
  const shown = await findLink(ctx.db, ctx.keys.storage, { token, now: ctx.now })
  if (shown === undefined || shown === 'expired') return failed(shown ? 'EXPIRED_TOKEN' : 'INVALID_TOKEN')
  const user = await retryOnTakenEmail(() =>
    transaction(ctx, async (tx) => {
      await lockHolders(tx, shown.email)
      const taken = await takeLink(tx, ctx, token)
      return taken && withBasis(tx, await findOwner(tx, ctx, { ...taken, method: 'magic_link' }))
    }),
  )
  if (!user) return withQuery('/magic-link', { token })
  const started = await start(ctx, user, 'magic_link').catch((error: unknown) => {
    // A browser opened the link: it shows a page, not the refusal as JSON.
    if (ctx.source.isNavigation && error instanceof Refusal && error.key === 'BANNED_USER') return undefined
    throw error
  })
  if (!started) return withQuery(`${ctx.config.basePath}/error`, { error: 'banned' })
  if (callbackURL === undefined) return started
  return 'token' in started ? callbackURL : withQuery('/two-factor', { next: callbackURL })
}

/** Verifies the email address of the account that this browser signed up, or is signed in to, with an emailed code. */
export async function verifyByCode(
  ctx: Context,
  { email, otp }: z.output<typeof SignInMailCode>,
): Promise<z.output<typeof VerifiedByCode>> {
  const found = await ctx.caller()
  const caller = found?.authenticated ? undefined : found
  if (caller?.session.impersonatedBy !== undefined) refuse('NOT_WHILE_IMPERSONATING')
  const { checked, user: verified } = await take(ctx, { use: 'email-verification', email, code: otp }, async (tx) => {
    const found = await findRecoverable(tx, email)
    if (caller && !(await lockSession(tx, caller.session.id))) refuse('UNAUTHORIZED')
    const isOwn = found !== undefined && (caller?.user.id === found.id || didSignUpHere(ctx.cookies, found.id, ctx.now))
    // Another person may have signed up with the email address: only the emailed link asks whose account it is.
    if (!isOwn || !(await verifyAddress(tx, ctx, { userId: found.id, email }, 'code'))) return undefined
    return withBasis(tx, FullUser.parse(await tx.user.findUniqueOrThrow({ where: { id: found.id } })))
  })
  refuseUnlessRight(checked)
  if (!verified) refuse('MAIL_CODE_USER_NOT_FOUND')
  const { user, basis } = verified
  if (caller?.user.id === user.id) {
    await ctx.renewCookies({ user })
    return { status: true, token: null, user: ShortUser.parse(user) }
  }
  const started = await startSession(ctx, user, { method: 'email_code', basis })
  return {
    status: true,
    token: started.outcome === 'created' ? started.session.token : null,
    user: ShortUser.parse(user),
  }
}

/** Sets a new password with an emailed code, as with the link. */
export async function resetByCode(
  ctx: Context,
  { email, otp, password }: z.output<typeof ResetPasswordCode>,
): Promise<void> {
  const problem =
    passwordProblem(password, ctx.config.passwordLength) ??
    (await newPasswordProblem(password, ctx.config, { email, name: '' }))
  if (problem) refuse(problem)
  // Hashed without priority, because the code has not been checked yet.
  const passwordHash = await ctx.hasher.hash(password)
  const { checked, user } = await take(ctx, { use: 'forget-password', email, code: otp }, async (tx) => {
    const found = await findRecoverable(tx, email)
    return found && storeNewPassword(tx, ctx, { holder: { userId: found.id, email }, passwordHash })
  })
  refuseUnlessRight(checked)
  if (!user) refuse('INVALID_OTP')
  await allowOwner(ctx, user)
}

/** Uses up a code and does the work that it authorizes in one transaction. A wrong code is counted. */
async function take<Result>(
  ctx: Context,
  code: { use: CodeUse; email: string; code: string },
  then: (tx: Tx, name: string | undefined) => Promise<Result>,
): Promise<{ checked: CheckedCode; user?: Result }> {
  return retryOnTakenEmail(() =>
    transaction(ctx, async (tx) => {
      await lockHolders(tx, code.email)
      const device = knownDevice(ctx.cookies, await findRecoverable(tx, code.email))
      const deps = { keys: ctx.keys.links, cookies: ctx.cookies, now: ctx.now }
      const checked = await takeCode(tx, deps, { ...code, device })
      return checked.outcome === 'right' ? { checked, user: await then(tx, checked.name) } : { checked }
    }),
  )
}

/** Retries if another request has just signed up with the email address: there is then an account to sign in to. */
async function retryOnTakenEmail<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    if (!violatedUnique(error)?.includes('email')) throw error
    return work()
  })
}

function refuseUnlessRight({ outcome }: CheckedCode): void {
  if (outcome === 'wrong') refuse('INVALID_OTP')
  if (outcome === 'expired') refuse('OTP_EXPIRED')
  if (outcome === 'exhausted') refuse('TOO_MANY_ATTEMPTS')
}

/**
 * The account of the mailbox's owner. An account that was never verified may have been created by another person:
 * unless this browser signed it up, it is created again, or kept without its password and sessions if it was used
 * (SEC-110).
 */
async function findOwner(
  tx: Tx,
  ctx: Context,
  { email, name, method }: { email: string; name: string | undefined; method: Method },
): Promise<FullUser> {
  const holder = await findHolder(tx, email)
  // A user has requested a change to this email address: that change is rejected, as through its link.
  if (holder && holder.email === email && holder.previousEmail !== null && holder.previousEmail !== email) {
    if (ctx.config.emailCode === 'sign-in') refuse('INVALID_OTP')
    await vacateAddress(tx, ctx, holder)
  }
  const found = await findRecoverable(tx, email)
  const isOwnAddress = found !== undefined && ownsAddress(found, email)
  if (found && isOwnAddress) return FullUser.parse(found)
  if (!found && ctx.config.emailCode === 'sign-in') refuse('INVALID_OTP')
  if (found) {
    const user = (await lockUser(tx, found.id)) ?? refuse('INVALID_OTP')
    if (didSignUpHere(ctx.cookies, user.id, ctx.now)) await verifyAddress(tx, ctx, { userId: user.id, email }, 'code')
    else if (await wasUsed(tx, ctx, user)) {
      await verifyOwner(tx, ctx, user, 'code')
      await removePassword(tx, user.id)
    } else {
      await vacateAddress(tx, ctx, user)
      return createVerified(tx, ctx, { email, name: name ?? nameOf(email), method })
    }
    return FullUser.parse(await tx.user.findUniqueOrThrow({ where: { id: user.id } }))
  }
  return createVerified(tx, ctx, { email, name: name ?? nameOf(email), method })
}

function nameOf(email: string): string {
  return email.split('@')[0] ?? email
}

type SigningIn = { user: FullUser; basis: Basis }

/**
 * The user who signs in, with what the session is based on: a password that is changed, reset or removed before the
 * session is stored ends this sign-in.
 */
async function withBasis(tx: Tx, user: FullUser): Promise<SigningIn> {
  const { deviceGeneration } = await tx.user.findUniqueOrThrow({ where: { id: user.id } })
  return { user, basis: { deviceGeneration } }
}

async function start(ctx: Context, { user, basis }: SigningIn, method: Method): Promise<Answer> {
  const started = await startSession(ctx, user, { method, basis })
  if (started.outcome === 'second_factor') return { twoFactorRedirect: true }
  if (started.outcome === 'banned') refuse('BANNED_USER', { ban: started.ban })
  if (started.outcome !== 'created') refuse('INVALID_OTP')
  return { token: started.session.token, user: ShortUser.parse(started.user) }
}

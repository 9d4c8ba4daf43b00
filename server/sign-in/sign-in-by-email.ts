import { z } from 'zod'
import { FullUser, ShortUser } from '../../shared/account.ts'
import type { SignedInByEmail, SignInEmailCode } from '../../shared/email-code.ts'
import { localPart } from '../../shared/identity.ts'
import { withQuery } from '../../shared/redirect.ts'
import { RedirectTarget } from '../../shared/schema.ts'
import type { TwoFactorRedirect } from '../../shared/two-factor.ts'
import { createVerifiedUser } from '../account/create-verified-user.ts'
import { removePassword } from '../account/credentials.ts'
import { handOverToMailboxOwner } from '../account/hand-over-account.ts'
import { verifyEmailAndRecord } from '../account/mark-email-verified.ts'
import { releaseUnverifiedEmail } from '../account/release-unverified-email.ts'
import { isSignUpBrowser } from '../account/sign-up-cookie.ts'
import { findUserByReservedEmail, findRecoverable, lockUsersOfEmail, wasUsed } from '../account/users.ts'
import type { Tx } from '../foundation/database.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { isEmailOfUser } from '../foundation/verified-email.ts'
import type { Context } from '../request/context.ts'
import { lockUser } from '../session/locks.ts'
import { readUser } from '../session/users.ts'
import {
  refuseWrongCode,
  retryOnTakenEmail,
  type SigningIn,
  consumeEmailCode,
  withBasis,
} from './consume-email-code.ts'
import { consumeMagicLink } from './email-codes.ts'
import { findLink } from './magic-links.ts'
import { requireStarted, startSession } from './start-session.ts'

type SignInResponse = z.output<typeof SignedInByEmail> | z.output<typeof TwoFactorRedirect>
type Method = 'email_code' | 'magic_link'

/**
 * Signs in with an emailed code, or signs up where that is allowed. It is a first factor: a second one is still
 * required.
 */
export async function signInByCode(
  ctx: Context,
  { email, otp }: z.output<typeof SignInEmailCode>,
): Promise<SignInResponse> {
  if (ctx.config.emailCode === 'off') refuse('NOT_FOUND')
  const { checked, user } = await consumeEmailCode(ctx, { use: 'sign-in', email, code: otp }, async (tx, name) =>
    withBasis(tx, await resolveMailboxAccount(tx, ctx, { email, name, method: 'email_code' })),
  )
  refuseWrongCode(checked)
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
): Promise<SignInResponse | string> {
  const failed = (error: string) => withQuery(callbackURL ?? `${ctx.config.basePath}/error`, { error })
  if (ctx.config.emailCode === 'off') return failed('INVALID_TOKEN')
  const shown = await findLink(ctx.db, ctx.keys.storage, { token, now: ctx.now })
  if (shown === undefined || shown === 'expired') return failed(shown ? 'EXPIRED_TOKEN' : 'INVALID_TOKEN')
  const user = await retryOnTakenEmail(() =>
    transaction(ctx, async (tx) => {
      await lockUsersOfEmail(tx, shown.email)
      const taken = await consumeMagicLink(tx, ctx, token)
      return taken && withBasis(tx, await resolveMailboxAccount(tx, ctx, { ...taken, method: 'magic_link' }))
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

/**
 * The account of the mailbox's owner. An account that was never verified may have been created by another person:
 * unless this browser signed it up, it is created again, or kept without its password and sessions if it was used
 * (SEC-110).
 */
async function resolveMailboxAccount(
  tx: Tx,
  ctx: Context,
  { email, name, method }: { email: string; name: string | undefined; method: Method },
): Promise<FullUser> {
  const holder = await findUserByReservedEmail(tx, email)
  // A user has requested a change to this email address: that change is rejected, as through its link.
  if (holder && holder.email === email && holder.previousEmail !== null && holder.previousEmail !== email) {
    if (ctx.config.emailCode === 'sign-in') refuse('INVALID_OTP')
    await releaseUnverifiedEmail(tx, ctx, holder)
  }
  const found = await findRecoverable(tx, email)
  const isOwnEmail = found !== undefined && isEmailOfUser(found, email)
  if (found && isOwnEmail) return FullUser.parse(found)
  if (!found && ctx.config.emailCode === 'sign-in') refuse('INVALID_OTP')
  if (found) {
    const user = (await lockUser(tx, found.id)) ?? refuse('INVALID_OTP')
    if (isSignUpBrowser(ctx.cookies, user.id, ctx.now))
      await verifyEmailAndRecord(tx, ctx, { userId: user.id, email }, 'code')
    else if (await wasUsed(tx, ctx, user)) {
      await handOverToMailboxOwner(tx, ctx, user, 'code')
      await removePassword(tx, user.id)
    } else {
      await releaseUnverifiedEmail(tx, ctx, user)
      return createVerifiedUser(tx, ctx, { email, name: name ?? localPart(email), method })
    }
    return FullUser.parse(await readUser(tx, user.id))
  }
  return createVerifiedUser(tx, ctx, { email, name: name ?? localPart(email), method })
}

async function start(ctx: Context, { user, basis }: SigningIn, method: Method): Promise<SignInResponse> {
  const started = requireStarted(await startSession(ctx, user, { method, basis }), 'INVALID_OTP')
  if (started.outcome === 'second_factor') return { twoFactorRedirect: true }
  return { token: started.session.token, user: ShortUser.parse(started.user) }
}

import type { z } from 'zod'
import type { User } from '../../prisma/client/client.ts'
import type { ForgetPassword } from '../../shared/account.ts'
import { passwordProblem, localPart } from '../../shared/identity.ts'
import { record, recordAll } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { secondsAfter } from '../foundation/time.ts'
import { transaction, runAndRollBack } from '../foundation/transactions.ts'
import { displayEmail } from '../foundation/verified-email.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { resetAccountAttempts } from '../session/attempts.ts'
import { knownDevice, rememberDevice } from '../session/known-devices.ts'
import { lockUser } from '../session/locks.ts'
import { revokeSessions } from '../session/sessions.ts'
import { findUserById, readUser } from '../session/users.ts'
import { deleteLastingAccess } from '../token/api-keys.ts'
import { createVerifiedUser } from './create-verified-user.ts'
import { storePassword } from './credentials.ts'
import { handOverToMailboxOwner } from './hand-over-account.ts'
import { newPasswordProblem } from './password.ts'
import { releaseUnverifiedEmail } from './release-unverified-email.ts'
import { returnToPreviousEmail } from './return-to-previous-email.ts'
import { isSignUpBrowser } from './sign-up-cookie.ts'
import { createToken, findToken, type TokenSubject, consumeToken } from './tokens.ts'
import { findRecoverable, wasUsed } from './users.ts'

/**
 * Emails a password reset link. Known and unknown email addresses take equal work: for an unknown one the same
 * statements run in a transaction that is rolled back (SEC-120).
 */
export async function requestPasswordReset(ctx: Context, { email, redirectTo }: z.output<typeof ForgetPassword>) {
  const { now, config } = ctx
  const user = await findRecoverable(ctx.db, email)
  const lifetimeSeconds = config.resetTokenLifetimeSeconds
  const someone = user ?? { id: newId(), name: '', language: ctx.language.id }
  // Counted for every email address, so that an exhausted budget changes the work for all of them alike.
  const isCounted = await ctx.outbox.count(
    { to: user ? email : `nobody:${email}`, kind: 'resetPassword', budget: 'reset' },
    now,
  )
  const request = async (tx: Tx) => {
    const userId = user?.id ?? null
    const token = await createToken(tx, 'reset-password', { userId, email, now, lifetimeSeconds })
    const query = new URLSearchParams({ callbackURL: redirectTo || '/reset-password' })
    const link = `${config.appOrigin}${config.basePath}/reset-password/${token}?${query}`
    const expiresAt = secondsAfter(now, lifetimeSeconds)
    const mailContext = { ...ctx, link, expiresAt, budget: 'reset' as const }
    if (isCounted) await ctx.outbox.store(tx, composeMail('resetPassword', { ...someone, email }, mailContext), now)
    await record(tx, ctx, { type: 'user.password_reset_requested', subjectId: userId, data: {} })
  }
  await (user ? transaction(ctx, request) : runAndRollBack(ctx, request))
}

/** Sets a new password by the emailed token, ends all sessions and invalidates all other tokens. */
export async function resetPasswordByToken(
  ctx: Context,
  { newPassword, token }: { newPassword: string; token: string },
) {
  const { now, config } = ctx
  const tooShortOrLong = passwordProblem(newPassword, config.passwordLength)
  if (tooShortOrLong) refuse(tooShortOrLong)
  const holder = (await findToken(ctx.db, 'reset-password', token, now)) ?? refuse('RESET_INVALID_TOKEN')
  const user = await findUserById(ctx.db, holder.userId)
  if (!user) refuse('RESET_INVALID_TOKEN')
  const problem = await newPasswordProblem(newPassword, config, user)
  if (problem) refuse(problem)
  // The emailed secret gives this hash priority over a flood of wrong passwords.
  const passwordHash = await ctx.hasher.hash(newPassword, { isPrioritized: true })
  const owner = await transaction(ctx, async (tx) => {
    // Locked before the token's row, so that concurrent resets run one after another.
    await lockUser(tx, user.id)
    if ((await consumeToken(tx, 'reset-password', token, now))?.userId !== user.id) refuse('RESET_INVALID_TOKEN')
    return storeNewPassword(tx, ctx, { holder, passwordHash })
  })
  await rememberResetBrowser(ctx, owner)
}

/** Stores a password that the owner of a mailbox has set with an emailed secret, and reports it. */
export async function storeNewPassword(
  tx: Tx,
  ctx: Context,
  { holder, passwordHash }: { holder: TokenSubject; passwordHash: string },
): Promise<User> {
  await lockUser(tx, holder.userId)
  const owner = await storeReset(tx, ctx, holder, passwordHash)
  await ctx.outbox.enqueue(tx, composeMail('passwordChanged', owner, ctx), ctx.now)
  return owner
}

/** The mailbox owner is using this browser, so it may sign in even while other browsers are rate-limited. */
export async function rememberResetBrowser(ctx: Context, owner: User): Promise<void> {
  const { limiter, ipAddress, now } = ctx
  await resetAccountAttempts(limiter, { account: owner.id, ipAddress, device: undefined, now })
  rememberDevice(ctx.cookies, owner)
}

/**
 * Stores the new password and ends all sessions. A token that was emailed to the last verified email address also
 * reverts an unverified change of address. An account that was never verified is kept if this browser signed up or
 * signed in to it. In any other browser the mailbox owner gets a new account, because another person may have created
 * the existing one (SEC-110). An account that was already in use is not deleted because of a forgotten password: it is
 * kept, but without the sessions, identities and tokens of its previous user (SEC-13).
 */
async function storeReset(tx: Tx, ctx: Context, { userId, email }: TokenSubject, passwordHash: string): Promise<User> {
  const user = await findUserById(tx, userId)
  if (!user || displayEmail(user) !== email) refuse('RESET_INVALID_TOKEN')
  const isOwnBrowser = isSignUpBrowser(ctx.cookies, userId, ctx.now) || knownDevice(ctx.cookies, user) !== undefined
  if (user.previousEmail !== null) {
    await returnToPreviousEmail(tx, ctx, user)
    await deleteLastingAccess(tx, userId)
  } else if (!user.emailVerified && !isOwnBrowser && !(await wasUsed(tx, ctx, user))) {
    await releaseUnverifiedEmail(tx, ctx, user)
    // The name may have been chosen by another person.
    const name = localPart(email)
    const { id } = await createVerifiedUser(tx, ctx, { email, name, passwordHash, method: 'reset' })
    return readUser(tx, id)
  } else if (!user.emailVerified) {
    await handOverToMailboxOwner(tx, ctx, user, 'reset')
  }
  await storePassword(tx, { userId, passwordHash, now: ctx.now })
  await revokeSessions(tx, userId)
  await recordAll(tx, ctx, [
    { type: 'user.password_changed', actorId: userId, data: { method: 'reset' } },
    { type: 'user.sessions_revoked', actorId: userId, data: { except: null } },
  ])
  return readUser(tx, userId)
}

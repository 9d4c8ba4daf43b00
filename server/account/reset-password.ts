import type { z } from 'zod'
import type { User } from '../../prisma/client/client.ts'
import { type ForgetPassword, passwordProblem } from '../../shared/account.ts'
import { record, recordAll } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import { type Tx, transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { resetAttempts } from '../session/attempts.ts'
import { knownDevice, rememberDevice } from '../session/known-devices.ts'
import { lockUser } from '../session/locks.ts'
import { revokeSessions } from '../session/sessions.ts'
import { createVerified } from './create-verified-user.ts'
import { removeForeignAccess, storePassword } from './credentials.ts'
import { newPasswordProblem } from './password.ts'
import { type Holder, createToken, findToken, takeToken } from './tokens.ts'
import { credential, findRecoverable, returnToPreviousEmail, verifyAddress } from './users.ts'
import { vacateAddress } from './vacate-address.ts'
import { didSignUpHere } from './verification.ts'

/** The work for an address that nobody has is undone. */
class Rollback extends Error {}

/**
 * Mails a link to a new password. Known and unknown addresses cost the same: for an unknown one the same statements run in a
 * transaction that is rolled back (SEC-120).
 */
export async function requestPasswordReset(ctx: Context, { email, redirectTo }: z.output<typeof ForgetPassword>) {
  const { now, config } = ctx
  const user = await findRecoverable(ctx.db, email)
  const lifetimeSeconds = config.resetTokenLifetimeSeconds
  const someone = user ?? { id: newId(), name: '', language: ctx.language.id }
  await transaction(ctx, async (tx) => {
    const userId = user?.id ?? null
    const token = await createToken(tx, 'reset-password', { userId, email, now, lifetimeSeconds })
    const query = new URLSearchParams({ callbackURL: redirectTo || '/reset-password' })
    const link = `${config.appOrigin}${config.basePath}/reset-password/${token}?${query}`
    const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
    const cause = { ...ctx, link, expiresAt, budget: 'reset' as const }
    await ctx.outbox.enqueue(tx, composeMail('resetPassword', { ...someone, email }, cause), now)
    await record(tx, ctx, { type: 'user.password_reset_requested', subjectId: userId, data: {} })
    if (!user) throw new Rollback()
  }).catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error
  })
}

/** A new password by the mailed token: it ends every session and voids every other token. */
export async function resetPasswordByToken(
  ctx: Context,
  { newPassword, token }: { newPassword: string; token: string },
) {
  const { now, config } = ctx
  const tooShortOrLong = passwordProblem(newPassword, config.passwordLength)
  if (tooShortOrLong) refuse(tooShortOrLong)
  const holder = (await findToken(ctx.db, 'reset-password', token, now)) ?? refuse('RESET_INVALID_TOKEN')
  const user = await ctx.db.user.findUnique({ where: { id: holder.userId } })
  if (!user) refuse('RESET_INVALID_TOKEN')
  const problem = await newPasswordProblem(newPassword, config.passwordLength, user)
  if (problem) refuse(problem)
  // The mailed secret is worth a place ahead of a flood of wrong passwords.
  const passwordHash = await ctx.hasher.hash(newPassword, { isPrioritized: true })
  const owner = await transaction(ctx, async (tx) => {
    // Before the token's own row: of several resets at once each waits for the one before.
    await lockUser(tx, user.id)
    if ((await takeToken(tx, 'reset-password', token, now))?.userId !== user.id) refuse('RESET_INVALID_TOKEN')
    const owner = await storeReset(tx, ctx, holder, passwordHash)
    await ctx.outbox.enqueue(tx, composeMail('passwordChanged', owner, ctx), now)
    return owner
  })
  await resetAttempts(ctx.limiter, { account: owner.id, ipAddress: ctx.ipAddress, device: undefined, now })
  // The owner of the mailbox sits here: this browser may sign in even while others are held back.
  rememberDevice(ctx.cookies, owner)
}

/**
 * The new password, and what it means for the rest of the account: every session ends. A token that was mailed to the last
 * verified address takes an unverified change of it back. An account that was never verified is its claimant's where this
 * browser has signed it up or in; anywhere else the owner of the mailbox gets a new one, because somebody else may have
 * prepared it (SEC-110). What somebody has worked with is not thrown away for a forgotten password: such an account stays,
 * without the sessions, identities and tokens of the person who used it (SEC-13).
 */
async function storeReset(tx: Tx, ctx: Context, { userId, email }: Holder, passwordHash: string): Promise<User> {
  const user = await tx.user.findUnique({ where: { id: userId } })
  if (!user || (user.previousEmail ?? user.email) !== email) refuse('RESET_INVALID_TOKEN')
  const isOwnBrowser = didSignUpHere(ctx.cookies, userId, ctx.now) || knownDevice(ctx.cookies, user) !== undefined
  if (user.previousEmail !== null) await returnToPreviousEmail(tx, ctx, user)
  else if (!user.emailVerified && !isOwnBrowser && !(await wasUsed(tx, userId))) {
    await vacateAddress(tx, ctx, user)
    // The name may be the stranger's choice.
    const name = email.split('@')[0] ?? email
    const { id } = await createVerified(tx, ctx, { email, name, passwordHash, method: 'reset' })
    return tx.user.findUniqueOrThrow({ where: { id } })
  } else if (!user.emailVerified) {
    await verifyAddress(tx, ctx, { userId, email }, 'reset')
    await removeForeignAccess(tx, userId)
    await tx.user.updateMany({ where: { id: userId, emailSource: 'provider' }, data: { emailSource: 'sign_up' } })
  }
  await storePassword(tx, { userId, passwordHash, now: ctx.now })
  await revokeSessions(tx, userId)
  await recordAll(tx, ctx, [
    { type: 'user.password_changed', actorId: userId, data: { method: 'reset' } },
    { type: 'user.sessions_revoked', actorId: userId, data: { except: null } },
  ])
  return tx.user.findUniqueOrThrow({ where: { id: userId } })
}

/** Has anybody ever signed in to this account, or is it a member somewhere? */
async function wasUsed(tx: Tx, userId: string): Promise<boolean> {
  const [session, identity, member, signedIn] = [
    await tx.session.findFirst({ where: { userId }, select: { id: true } }),
    await tx.account.findFirst({ where: { userId, providerId: { not: credential } }, select: { id: true } }),
    await tx.member.findFirst({ where: { userId }, select: { id: true } }),
    await tx.event.findFirst({ where: { subjectId: userId, type: 'user.signed_in' }, select: { id: true } }),
  ]
  return [session, identity, member, signedIn].some((found) => found !== null)
}

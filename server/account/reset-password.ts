import type { z } from 'zod'
import { passwordProblem, type ForgetPassword } from '../../shared/account.ts'
import { newId } from '../foundation/crypto.ts'
import type { Context } from '../context.ts'
import { record } from '../event/record.ts'
import { transaction } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import { resetAttempts } from '../session/attempts.ts'
import { isKnownDevice, rememberDevice } from '../session/known-devices.ts'
import { revokeSessions } from '../session/sessions.ts'
import { resetPassword } from './credentials.ts'
import { accountMail } from './mails.ts'
import { newPasswordProblem } from './password.ts'
import { createToken, findToken, takeToken } from './tokens.ts'
import { findRecoverable } from './users.ts'

/** The work for an address that nobody has is undone. */
class Rehearsal extends Error {}

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
    const cause = { ...ctx, link, expiresAt, budget: 'recovery' as const }
    await ctx.outbox.enqueue(tx, accountMail('resetPassword', { ...someone, email }, cause), now)
    await record(tx, ctx, { type: 'user.password_reset_requested', subjectId: userId, data: {} })
    if (!user) throw new Rehearsal()
  }).catch((error: unknown) => {
    if (!(error instanceof Rehearsal)) throw error
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
  const passwordHash = await ctx.hasher.hash(newPassword)
  await transaction(ctx, async (tx) => {
    if ((await takeToken(tx, 'reset-password', token, now))?.userId !== user.id) refuse('RESET_INVALID_TOKEN')
    if (!(await resetPassword(tx, ctx, holder, passwordHash))) refuse('RESET_INVALID_TOKEN')
    await revokeSessions(tx, user.id)
    await ctx.outbox.enqueue(tx, accountMail('passwordChanged', { ...user, email: holder.email }, ctx), now)
  })
  const device = { ipAddress: ctx.ipAddress, isKnownDevice: isKnownDevice(ctx.cookies, user.id), now }
  await resetAttempts(ctx.limiter, { account: user.id, ...device })
  // The owner of the mailbox sits here: this browser may sign in even while others are held back.
  rememberDevice(ctx.cookies, user.id)
}

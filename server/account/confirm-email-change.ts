import { FullUser, ShortUser } from '../../shared/account.ts'
import { record } from '../event/record.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import type { LinkClaims } from '../foundation/link-tokens.ts'
import { LinkError } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { verifiedEmail } from '../foundation/verified-email.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { lockSession, lockUser } from '../session/locks.ts'
import { consumeToken, deletePendingVerifications } from './tokens.ts'
import { findUserByReservedEmail, addFormerAdminEmail, updateUser } from './users.ts'
import { verificationMail } from './verification.ts'

/**
 * Confirms a change as the signed-in owner of the old email address, which is notified; the new one must then be
 * verified.
 */
export async function confirmEmailChange(
  ctx: Context,
  { userId, email, newEmail, secret }: LinkClaims,
  callbackURL: string | undefined,
) {
  const { now } = ctx
  const caller = await ctx.caller()
  if (!newEmail || !secret) throw new LinkError('invalid_token')
  if (!caller || caller.user.id !== userId || caller.session.impersonatedBy !== undefined)
    throw new LinkError('unauthorized')
  const mail = await verificationMail(ctx, { ...caller.user, email: newEmail }, { ...ctx, callbackURL })
  const user = await transaction(ctx, async (tx) => {
    const current = await lockUser(tx, userId)
    // The session ended while the request was in flight, for example by a new password or a revocation.
    if (!(await lockSession(tx, caller.session.id))) throw new LinkError('unauthorized')
    const confirmed = await consumeToken(tx, 'change-email', secret, now)
    if (confirmed?.userId !== userId) throw new LinkError('invalid_token')
    if (current?.email !== email) throw new LinkError('unauthorized')
    // The account has since left the email address that confirmed the change, so its owner can no longer decide.
    if (confirmed.email !== verifiedEmail(current)) throw new LinkError('invalid_token')
    // Another user may have verified the email address and be changing it: it stays reserved for that user.
    const holder = await findUserByReservedEmail(tx, newEmail)
    if (holder && holder.id !== userId) throw new LinkError('invalid_token')
    // Keep the last verified email address until the new one is verified.
    const previousEmail = verifiedEmail(current)
    const change = { email: newEmail, emailVerified: false, emailSource: 'change', previousEmail } as const
    if (current.role === 'admin' && previousEmail !== null) await addFormerAdminEmail(tx, userId, previousEmail)
    const changed = await updateUser(tx, userId, { ...change, now })
    await deletePendingVerifications(tx, userId)
    // The account owner has confirmed, so the email budget of the new email address does not apply.
    await ctx.outbox.enqueue(tx, { ...mail, budget: null }, now)
    const owner = { ...current, email: previousEmail ?? email }
    await ctx.outbox.enqueue(tx, composeMail('emailChanged', owner, { ...ctx, values: { newEmail } }), now)
    await record(tx, ctx, { type: 'user.email_changed', actorId: userId, data: { from: email, to: newEmail } })
    return changed
  }).catch((error: unknown) => {
    // Another user has taken the new email address in the meantime.
    if (violatedUnique(error)) throw new LinkError('invalid_token')
    throw error
  })
  await ctx.renewCookies({ user: FullUser.parse(user) })
  return { status: true, user: ShortUser.parse(user) }
}

import { ShortUser } from '../../shared/account.ts'
import { record } from '../event/record.ts'
import { transaction, violatedUnique } from '../foundation/database.ts'
import type { LinkClaims } from '../foundation/jwt.ts'
import { LinkError } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { holdSession, lockUser } from '../session/locks.ts'
import { takeToken, voidTokens } from './tokens.ts'
import { confirmingAddress, findHolder, keepFormerAdminEmail, updateUser } from './users.ts'
import { verificationMail } from './verification.ts'

/** The owner of the old address confirms, signed in: the new one is entered and has to be verified; the old one gets a notice. */
export async function confirmEmailChange(
  ctx: Context,
  { userId, email, newEmail, secret }: LinkClaims,
  callbackURL: string | undefined,
) {
  const { now } = ctx
  const caller = await ctx.caller()
  if (!newEmail || !secret) throw new LinkError('invalid_token')
  if (!caller || caller.user.id !== userId) throw new LinkError('unauthorized')
  const mail = await verificationMail(ctx, { ...caller.user, email: newEmail }, { ...ctx, callbackURL })
  const user = await transaction(ctx, async (tx) => {
    const current = await lockUser(tx, userId)
    // Ended while the request was on its way: by its owner's new password, or by a revocation.
    if (!(await holdSession(tx, caller.session.id))) throw new LinkError('unauthorized')
    const confirmed = await takeToken(tx, 'change-email', secret, now)
    if (confirmed?.userId !== userId) throw new LinkError('invalid_token')
    if (current?.email !== email) throw new LinkError('unauthorized')
    // The owner of an address that the account has left since does not decide any more.
    if (confirmed.email !== confirmingAddress(current)) throw new LinkError('invalid_token')
    // Somebody may have verified it meanwhile and be about to change it: it stays reserved for them.
    const holder = await findHolder(tx, newEmail)
    if (holder && holder.id !== userId) throw new LinkError('invalid_token')
    // The last verified address stays until the new one is verified.
    const previousEmail = confirmingAddress(current)
    const change = { email: newEmail, emailVerified: false, emailSource: 'change', previousEmail } as const
    if (current.role === 'admin' && previousEmail !== null) await keepFormerAdminEmail(tx, userId, previousEmail)
    const changed = await updateUser(tx, userId, { ...change, now })
    await voidTokens(tx, userId)
    // Confirmed by the owner of the account: no budget of the new address holds it back.
    await ctx.outbox.enqueue(tx, { ...mail, budget: null }, now)
    const owner = { ...current, email: previousEmail ?? email }
    await ctx.outbox.enqueue(tx, composeMail('emailChanged', owner, { ...ctx, values: { newEmail } }), now)
    await record(tx, ctx, { type: 'user.email_changed', actorId: userId, data: { from: email, to: newEmail } })
    return changed
  }).catch((error: unknown) => {
    // Somebody else has taken the new address meanwhile.
    if (violatedUnique(error)) throw new LinkError('invalid_token')
    throw error
  })
  await ctx.renewCookies({ user })
  return { status: true, user: ShortUser.parse(user) }
}

import type { z } from 'zod'
import type { User } from '../../prisma/client/client.ts'
import { type ChangeEmail, FullUser } from '../../shared/account.ts'
import { record } from '../event/record.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { verifiedEmail } from '../foundation/verified-email.ts'
import type { Mail } from '../mail/mail.ts'
import { budgetSeconds } from '../mail/outbox.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { requireFresh } from '../session/session-lifetime.ts'
import { readUser } from '../session/users.ts'
import { returnToPreviousEmail } from './return-to-previous-email.ts'
import { deletePendingVerifications } from './tokens.ts'
import { findUserByReservedEmail, updateUser } from './users.ts'
import { changeLinkMail, verificationMail } from './verification.ts'

/**
 * Changes an unverified email address immediately, a verified one after its owner confirms from it. Decides on the
 * locked row: stale data could leave a new address marked as verified, or let an ended session take over the account.
 */
export async function changeEmail(ctx: CallerContext, { newEmail, callbackURL }: z.output<typeof ChangeEmail>) {
  if (!ctx.config.mayChangeEmail) refuse('CHANGE_EMAIL_IS_DISABLED')
  if (newEmail === ctx.user.email) refuse('EMAIL_IS_THE_SAME')
  const verification = await verificationMail(ctx, { ...ctx.user, email: newEmail }, { ...ctx, callbackURL })
  const renewed = await transaction(ctx, async (tx) => {
    const user = await lockCaller(tx, ctx)
    if (newEmail === user.email) refuse('EMAIL_IS_THE_SAME')
    if (newEmail === user.previousEmail) return revertToVerifiedEmail(tx, ctx, user)
    if (await findUserByReservedEmail(tx, newEmail)) refuse('COULDNT_UPDATE_YOUR_EMAIL')
    const confirmedBy = verifiedEmail(user)
    if (confirmedBy === null) {
      // No emailed link confirms this change, so a session stolen some time ago must not be able to take over the
      // account.
      requireFresh(ctx, ctx.session)
      return replaceUnverifiedEmail(tx, ctx, { user, newEmail, mail: verification })
    }
    await requestConfirmation(tx, ctx, { user, newEmail, callbackURL, confirmedBy })
    return undefined
  }).catch((error: unknown) => {
    if (violatedUnique(error)) refuse('COULDNT_UPDATE_YOUR_EMAIL')
    throw error
  })
  if (renewed) await ctx.renewCookies({ user: FullUser.parse(renewed) })
}

type Request = { user: User; newEmail: string; callbackURL: string | undefined; confirmedBy: string }

/** Emails a link that confirms the change to the last verified email address. */
async function requestConfirmation(tx: Tx, ctx: Context, { user, newEmail, callbackURL, confirmedBy }: Request) {
  if (!ctx.config.sendsVerificationEmail) refuse('VERIFICATION_EMAIL_ISNT_ENABLED')
  const mail = await changeLinkMail(ctx, tx, user, { ...ctx, to: confirmedBy, newEmail, callbackURL })
  await ctx.outbox.enqueueOrRefuse(tx, mail, ctx.now)
  await record(tx, ctx, { type: 'user.email_change_requested', actorId: user.id, data: { to: newEmail } })
}

/** Replaces an email address that was never verified with a new one. */
async function replaceUnverifiedEmail(
  tx: Tx,
  ctx: Context,
  { user, newEmail, mail }: { user: User; newEmail: string; mail: Mail },
) {
  const { now } = ctx
  const changed = await updateUser(tx, user.id, { email: newEmail, emailSource: 'change', now })
  await deletePendingVerifications(tx, user.id)
  const isSent = !ctx.config.sendsVerificationEmail || (await ctx.outbox.enqueue(tx, mail, now))
  if (!isSent) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: budgetSeconds })
  const data = { from: user.email, to: newEmail }
  await record(tx, ctx, { type: 'user.email_changed', actorId: user.id, data })
  return changed
}

/** Reverts to the last verified email address, which does not need to be verified again. */
async function revertToVerifiedEmail(tx: Tx, ctx: Context, user: User): Promise<User> {
  await returnToPreviousEmail(tx, ctx, user)
  await deletePendingVerifications(tx, user.id)
  return readUser(tx, user.id)
}

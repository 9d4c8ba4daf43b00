import type { z } from 'zod'
import type { ChangeEmail } from '../../shared/account.ts'
import type { Caller, Context } from '../context.ts'
import { record } from '../event/record.ts'
import { transaction, violatedUnique } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import { voidTokens } from './tokens.ts'
import type { User } from '../../prisma/client/client.ts'
import { findHolder, returnToPreviousEmail, updateUser } from './users.ts'
import { changeLinkMail, verificationMail } from './verification.ts'

/** Seconds after which a spent budget of mails has room again. */
const budgetSeconds = 3600

/** An unverified address changes at once; a verified one after its owner has confirmed it from there (spec 4). */
export async function changeEmail(ctx: Context & Caller, { newEmail, callbackURL }: z.output<typeof ChangeEmail>) {
  const { user, config, now } = ctx
  if (!config.mayChangeEmail) refuse('CHANGE_EMAIL_IS_DISABLED')
  if (newEmail === user.email) refuse('EMAIL_IS_THE_SAME')
  const stored = await ctx.db.user.findUniqueOrThrow({ where: { id: user.id } })
  const { previousEmail } = stored
  if (newEmail === previousEmail) return takeBack(ctx, stored)
  if (await findHolder(ctx.db, newEmail)) refuse('COULDNT_UPDATE_YOUR_EMAIL')
  // While a change is under way the last verified address decides, not the one that nobody has verified.
  const confirmedBy = user.emailVerified ? user.email : previousEmail
  if (confirmedBy !== null) {
    if (!config.sendsVerificationEmail) refuse('VERIFICATION_EMAIL_ISNT_ENABLED')
    await transaction(ctx, async (tx) => {
      const mail = await changeLinkMail(ctx, tx, user, { ...ctx, to: confirmedBy, newEmail, callbackURL })
      if (!(await ctx.outbox.enqueue(tx, mail, now))) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: budgetSeconds })
      await record(tx, ctx, { type: 'user.email_change_requested', actorId: user.id, data: { to: newEmail } })
    })
    return
  }
  const mail = await verificationMail(ctx, { ...user, email: newEmail }, { ...ctx, callbackURL })
  const renewed = await transaction(ctx, async (tx) => {
    const row = await updateUser(tx, user.id, { email: newEmail, emailSource: 'change', now })
    await voidTokens(tx, user.id)
    const isSent = !config.sendsVerificationEmail || (await ctx.outbox.enqueue(tx, mail, now))
    if (!isSent) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: budgetSeconds })
    const data = { from: user.email, to: newEmail }
    await record(tx, ctx, { type: 'user.email_changed', actorId: user.id, data })
    return row
  }).catch((error: unknown) => {
    if (violatedUnique(error)) refuse('COULDNT_UPDATE_YOUR_EMAIL')
    throw error
  })
  await ctx.renewCookies({ user: renewed })
}

/** Back to the last verified address: nothing has to be verified for that. */
async function takeBack(ctx: Context, user: User): Promise<void> {
  const renewed = await transaction(ctx, async (tx) => {
    await returnToPreviousEmail(tx, ctx, user)
    await voidTokens(tx, user.id)
    return tx.user.findUniqueOrThrow({ where: { id: user.id } })
  })
  await ctx.renewCookies({ user: renewed })
}

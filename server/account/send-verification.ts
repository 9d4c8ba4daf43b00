import type { z } from 'zod'
import type { SendVerificationEmail } from '../../shared/account.ts'
import { newId } from '../foundation/crypto.ts'
import { refuse } from '../foundation/refusal.ts'
import { noMail } from '../mail/mail-rows.ts'
import { budgetSeconds } from '../mail/outbox.ts'
import type { Context } from '../request/context.ts'
import { findUserByEmail } from '../session/users.ts'
import { verificationMail } from './verification.ts'

/**
 * Emails the verification link again if an account is waiting for it. The response and the work are always the same.
 * Only the signed-in owner of the email address is notified that nothing could be sent (SEC-115).
 */
export async function sendVerification(ctx: Context, { email, callbackURL }: z.output<typeof SendVerificationEmail>) {
  const user = await findUserByEmail(ctx.db, email)
  const someone = user ?? { id: newId(), name: '', email, language: ctx.language.id }
  const mail = await verificationMail(ctx, someone, { ...ctx, callbackURL })
  const isWaiting = user !== null && !user.emailVerified
  // Requests for an email address that is not waiting for verification do not use up the budget of a later sign-up with
  // it.
  const counted = isWaiting ? mail : { ...mail, to: `nobody:${email}` }
  const stored = await ctx.outbox.prepare(counted, ctx.now)
  // In all other cases the same statement runs, but writes nothing.
  await ctx.outbox.storePrepared(ctx.pool, isWaiting && stored ? stored : noMail(ctx.now))
  const isOwner = isWaiting && !stored && (await ctx.caller())?.user.id === user.id
  if (isOwner) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: budgetSeconds })
}

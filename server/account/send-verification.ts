import type { z } from 'zod'
import type { SendVerificationEmail } from '../../shared/account.ts'
import { newId } from '../foundation/crypto.ts'
import type { Context } from '../context.ts'
import { refuse } from '../foundation/refusal.ts'
import { verificationMail } from './verification.ts'

/** Seconds after which a spent budget of mails has room again. */
const budgetSeconds = 3600

/**
 * Mails the verification link once more, where an account waits for it. Everybody gets the same answer after the same work;
 * only the signed-in owner of the address is told when nothing could be sent (SEC-115).
 */
export async function sendVerification(ctx: Context, { email, callbackURL }: z.output<typeof SendVerificationEmail>) {
  const user = await ctx.db.user.findUnique({ where: { email } })
  const someone = user ?? { id: newId(), name: '', email, language: ctx.language.id }
  const mail = await verificationMail(ctx, someone, { ...ctx, callbackURL })
  if (!user || user.emailVerified) return
  const stored = await ctx.outbox.prepare(mail, ctx.now)
  if (stored) await ctx.outbox.send(ctx.pool, stored)
  else if ((await ctx.caller())?.user.id === user.id) {
    refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: budgetSeconds })
  }
}

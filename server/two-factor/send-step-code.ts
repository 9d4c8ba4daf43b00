import { findStep, type PendingStep } from '../factor/pending-steps.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { knownDevice } from '../session/known-devices.ts'
import { findUserById } from '../session/users.ts'
import { storeEmailCode } from '../sign-in/email-codes.ts'

/** Sign-in methods that already verify access to the mailbox: another emailed code would be the same factor again. */
const byMailbox = new Set(['email_code', 'magic_link', 'verification_link', 'invitation', 'code'])

/** Whether a code may be emailed for a second step: where TWO_FACTOR_EMAIL allows it, and never for administrators. */
export function mayEmailStepCode(
  { config }: Pick<Context, 'config'>,
  step: Pick<PendingStep, 'method'>,
  user: { role: string; email: string; emailVerified: boolean },
): boolean {
  // A user who is promoted to administrator by this sign-in counts as one.
  const isAdministrator = user.role === 'admin' || config.adminEmails.includes(user.email)
  return config.mayMailSecondFactor && !isAdministrator && user.emailVerified && !byMailbox.has(step.method)
}

/** Emails a code for the second step of the sign-in in this browser. */
export async function sendStepCode(ctx: Context): Promise<void> {
  const { db, cookies, now, keys } = ctx
  const step = (await findStep(db, cookies, now)) ?? refuse('INVALID_TWO_FACTOR_COOKIE')
  const user = (await findUserById(db, step.userId)) ?? refuse('INVALID_TWO_FACTOR_COOKIE')
  if (!mayEmailStepCode(ctx, step, user)) refuse('OTP_NOT_CONFIGURED')
  const { email, id: userId } = user
  await transaction(ctx, async (tx) => {
    const wanted = { use: 'second-step', email, userId, device: knownDevice(cookies, user), isSent: true } as const
    const { code, expiresAt } = await storeEmailCode(tx, { keys: keys.links, cookies, now }, wanted)
    const mail = composeMail('secondStepCode', user, { ...ctx, code, expiresAt, budget: 'step' })
    await ctx.outbox.enqueueOrRefuse(tx, mail, now)
  })
}

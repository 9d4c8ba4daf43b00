import { checkPassword } from '../account/check-password.ts'
import { verifySignature, randomText, sign } from '../foundation/crypto.ts'
import { refuse } from '../foundation/refusal.ts'
import { secondsAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { findSessionById } from '../session/session-rows.ts'
import { countReauthentication, deleteCode, lockCode, storeReauthenticationCode } from './reauthentication-codes.ts'
import { factorOf, startSession } from './start-session.ts'

/** Six digits, five attempts per code, five codes per hour: a 1 in 40,000 chance per hour (OWASP ASVS 6.6.2). */
const codeLifetimeSeconds = 600
const maxAttempts = 5

/**
 * Emails a code to the signed-in user's verified email address, as an alternative way to re-authenticate without a
 * password. The code is valid only in the current session.
 */
export async function sendReauthenticationCode(ctx: CallerContext): Promise<void> {
  const { user, session, now } = ctx
  if (!user.emailVerified) refuse('EMAIL_NOT_VERIFIED')
  const code = randomText('0123456789', 6)
  const expiresAt = secondsAfter(now, codeLifetimeSeconds)
  await transaction(ctx, async (tx) => {
    const signature = sign(ctx.keys.links, contentOf(session.id, code))
    await storeReauthenticationCode(tx, { sessionId: session.id, userId: user.id, signature, now, expiresAt })
    const mail = composeMail('confirmIdentity', user, { ...ctx, code, expiresAt, budget: 'confirmation' })
    await ctx.outbox.enqueueOrRefuse(tx, mail, now)
  })
}

/** Re-authenticates with the password or the emailed code, and replaces the current session with a fresh one. */
export async function reauthenticate(ctx: CallerContext, input: { password: string } | { code: string }) {
  const passwordHash = 'password' in input ? await checkPassword(ctx, input.password) : undefined
  if ('code' in input) await checkCode(ctx, input.code)
  const started = await startSession(ctx, ctx.user, {
    method: passwordHash === undefined ? 'code' : 'password',
    remembered: ctx.remembered,
    activeOrganizationId: ctx.session.activeOrganizationId ?? undefined,
    basis: { sessionId: ctx.session.id, passwordHash },
    inheritedSecondFactor: factorOf(ctx),
  })
  if (started.outcome === 'created') return { token: started.session.token }
  if (started.outcome === 'banned') refuse('BANNED_USER', { ban: started.ban })
  // Either the session or the password has changed since the request began.
  return refuse((await findSessionById(ctx.pool, ctx.session.id)) ? 'INVALID_PASSWORD' : 'UNAUTHORIZED')
}

/**
 * Counts each attempt under a lock before it is checked: of many concurrent attempts, five are checked and one can
 * succeed.
 */
async function checkCode(ctx: CallerContext, code: string): Promise<void> {
  const isRight = await transaction(ctx, async (tx) => {
    const stored = await lockCode(tx, ctx.session.id)
    if (!stored || stored.expiresAt <= ctx.now || stored.attempts >= maxAttempts) return false
    const matches = verifySignature(ctx.keys.links, contentOf(ctx.session.id, code), stored.signature)
    if (matches) return deleteCode(tx, stored)
    await countReauthentication(tx, stored)
    return false
  })
  if (!isRight) refuse('INVALID_CODE')
}

function contentOf(sessionId: string, code: string): string {
  return `reauthenticate ${sessionId} ${code}`
}

import type { Caller, Context } from '../context.ts'
import { refuse } from '../foundation/refusal.ts'
import { countAttempt, forgetAttempts } from '../session/attempts.ts'
import { isKnownDevice } from '../session/known-devices.ts'
import { findPasswordHash } from './credentials.ts'

/** Holds a password of the signed-in user against the stored one, counted like a sign-in; answers the stored hash. */
export async function checkPassword(ctx: Context & Pick<Caller, 'user'>, password: string): Promise<string> {
  const { user, now, ipAddress, limiter } = ctx
  const stored = (await findPasswordHash(ctx.db, user.id)) ?? refuse('CREDENTIAL_ACCOUNT_NOT_FOUND')
  const isKnown = isKnownDevice(ctx.cookies, user.id)
  const attempt = { account: user.id, ipAddress, isKnownDevice: isKnown, now }
  const waitSeconds = await countAttempt(limiter, attempt)
  if (waitSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  if (!(await ctx.hasher.verify(password, stored, { isKnownDevice: isKnown }))) refuse('INVALID_PASSWORD')
  await forgetAttempts(limiter, attempt)
  return stored
}

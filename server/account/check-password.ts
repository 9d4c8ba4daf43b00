import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { countAttempt, clearOwnAttempts } from '../session/attempts.ts'
import { knownDevice } from '../session/known-devices.ts'
import { findPassword } from './credentials.ts'

/** Checks a password of the signed-in user, rate-limited like a sign-in, and returns the stored hash. */
export async function checkPassword(ctx: Context & Pick<Caller, 'user'>, password: string): Promise<string> {
  const { user, now, ipAddress, limiter } = ctx
  const stored = (await findPassword(ctx.db, user.id)) ?? refuse('CREDENTIAL_ACCOUNT_NOT_FOUND')
  const device = knownDevice(ctx.cookies, { id: user.id, passwordVersion: stored.passwordVersion })
  const attempt = { account: user.id, ipAddress, device, now }
  const waitSeconds = await countAttempt(limiter, attempt)
  if (waitSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  const isRight = await ctx.hasher.verify(password, stored.hash, { isPrioritized: device !== undefined })
  if (!isRight) {
    await record(ctx.db, ctx, { type: 'user.sign_in_failed', subjectId: user.id, data: { reason: 'wrong_password' } })
    refuse('INVALID_PASSWORD')
  }
  await clearOwnAttempts(limiter, attempt)
  return stored.hash
}

import type { RefusalKey } from '../../shared/errors.ts'
import type { EventData } from '../../shared/event.ts'
import { findPassword } from '../account/credentials.ts'
import { findDecoy } from '../account/find-decoy.ts'
import { rememberSignUp } from '../account/sign-up-cookie.ts'
import { findUserWithPassword, replaceHash } from '../account/users.ts'
import { verificationMail } from '../account/verification.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { countAttempt, clearOwnAttempts } from '../session/attempts.ts'
import { knownDevice } from '../session/known-devices.ts'
import { requireStarted, startSession } from './start-session.ts'

type Options = {
  by: { email: string } | { username: string }
  password: string
  rememberMe: boolean
  callbackURL?: string | undefined
  /** The two errors to return, specific to the procedure. */
  refusals: { wrong: RefusalKey; unverified: RefusalKey }
}

/**
 * Signs in with a password: rate-limited, checked in equal time for all users, then rejected if unverified. Undefined
 * if this browser now has to complete a second step.
 */
export async function signInWithPassword(ctx: Context, { by, password, rememberMe, callbackURL, refusals }: Options) {
  const { now, ipAddress, limiter } = ctx
  const user = await findUserWithPassword(ctx.pool, by)
  const device = knownDevice(ctx.cookies, user)
  const attempt = { account: user?.id ?? Object.values(by).join(), ipAddress, device, now }
  const waitSeconds = await countAttempt(limiter, attempt)
  if (waitSeconds > 0) {
    // A flood of attempts is recorded at most once per minute, not once per attempt.
    const flood = { key: `flood:${attempt.account}`, max: 1, seconds: 60 }
    if (limiter.consumeInMemory(flood, now) === 0) await recordFailure(ctx, user?.id, 'too_many_attempts')
    refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })
  }
  const decoy = await findDecoy(ctx, Object.values(by).join())
  const isRight = await ctx.hasher.verify(password, user?.password, { isPrioritized: device !== undefined, decoy })
  if (!user?.password || !isRight) {
    await recordFailure(ctx, user?.id, 'wrong_password')
    refuse(refusals.wrong)
  }
  await clearOwnAttempts(limiter, attempt)
  const passwordHash = await currentHash(ctx, user.id, { password, stored: user.password })
  if (!user.emailVerified && ctx.config.emailVerification === 'required') {
    if (ctx.config.sendsVerificationEmail) {
      const mail = await verificationMail(ctx, user, { ...ctx, callbackURL })
      await transaction(ctx, (tx) => ctx.outbox.enqueue(tx, mail, now))
    }
    // A user who knows the password may verify in this browser; in any other browser the link asks first.
    rememberSignUp(ctx.cookies, user.id, now)
    await recordFailure(ctx, user.id, 'unverified')
    refuse(refusals.unverified)
  }

  const options = { method: 'password', remembered: rememberMe, basis: { passwordHash } } as const
  const started = requireStarted(await startSession(ctx, user, options), refusals.wrong)
  if (started.outcome === 'second_factor') return undefined
  return { session: started.session, user: started.user }
}

type Reason = EventData<'user.sign_in_failed'>['reason']

/** Records unknown accounts too, for equal response times. Omits the entered name, which may be a mistyped password. */
async function recordFailure(ctx: Context, userId: string | undefined, reason: Reason): Promise<void> {
  await record(ctx.db, ctx, { type: 'user.sign_in_failed', subjectId: userId ?? null, data: { reason } })
}

/** Returns the hash to store after a sign-in, rehashed if the current parameters are stronger. */
async function currentHash(ctx: Context, userId: string, { password, stored }: { password: string; stored: string }) {
  if (!ctx.hasher.isOutdated(stored)) return stored
  const renewed = await ctx.hasher.hash(password)
  if (await replaceHash(ctx.db, userId, { old: stored, new: renewed })) return renewed
  // Another sign-in replaced the hash first, or the password was changed meanwhile.
  const current = await findPassword(ctx.db, userId)
  return current && (await ctx.hasher.verify(password, current.hash)) ? current.hash : stored
}

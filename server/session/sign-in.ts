import { accountMail } from '../account/mails.ts'
import { findUserWithPassword, replaceHash } from '../account/users.ts'
import { verificationMail } from '../account/verification.ts'
import type { Context } from '../context.ts'
import { refuse } from '../foundation/refusal.ts'
import type { RefusalKey } from '../../shared/errors.ts'
import { openSession } from './opening.ts'
import { countTry, forgiveTries } from './tries.ts'

type Attempt = {
  by: { email: string } | { username: string }
  password: string
  rememberMe: boolean
  callbackURL?: string | undefined
  /** How the call words its two refusals. */
  refusals: { wrong: RefusalKey; unproven: RefusalKey }
}

/** An account this young has no other devices to be told of. */
const youngSeconds = 3600

/** Signs in by a password: counted, checked at equal cost for everybody, and only then told about an unproven address. */
export async function signInWithPassword(ctx: Context, { by, password, rememberMe, callbackURL, refusals }: Attempt) {
  const attempt = { typed: Object.values(by).join(), address: ctx.address, now: ctx.now }
  const waitSeconds = await countTry(ctx.limiter, attempt)
  if (waitSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })

  const user = await findUserWithPassword(ctx.pool, by)
  const isRight = await ctx.hasher.verify(password, user?.password)
  if (!user?.password || !isRight) {
    ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: user?.id }, 'sign-in failed')
    refuse(refusals.wrong)
  }
  await forgiveTries(ctx.limiter, attempt)
  const passwordHash = await currentHash(ctx, user.id, { password, stored: user.password })
  if (!user.emailVerified && ctx.config.emailVerification === 'required') {
    if (ctx.config.sendsVerificationEmail) {
      const mail = await verificationMail(ctx, user, { ...ctx, callbackURL })
      await ctx.db.$transaction((tx) => ctx.outbox.enqueue(tx, mail, ctx.now))
    }
    refuse(refusals.unproven)
  }

  const session = await openSession(ctx, user, { remembered: rememberMe, passwordHash })
  if (!session) refuse(refusals.wrong)
  const isYoung = ctx.now.getTime() - user.createdAt.getTime() < youngSeconds * 1000
  if (!session.isKnownDevice && !isYoung) {
    await ctx.db.$transaction((tx) => ctx.outbox.enqueue(tx, accountMail('newDevice', user, ctx), ctx.now))
  }
  return { session, user }
}

/** The hash as it is stored after a sign-in: made anew when today's parameters are higher. */
async function currentHash(ctx: Context, userId: string, { password, stored }: { password: string; stored: string }) {
  if (!ctx.hasher.isOutdated(stored)) return stored
  const renewed = await ctx.hasher.hash(password)
  await replaceHash(ctx.db, userId, { old: stored, new: renewed })
  return renewed
}

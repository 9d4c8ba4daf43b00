import type { z } from 'zod'
import type { TwoFactor, User } from '../../prisma/client/client.ts'
import { FullUser, ShortUser } from '../../shared/account.ts'
import type { EventData } from '../../shared/event.ts'
import type { CodeVerified, VerifyBackupCode } from '../../shared/two-factor.ts'
import { record } from '../event/record.ts'
import { clearStep, endStep, findStep, type PendingStep, useAttempt } from '../factor/pending-steps.ts'
import { confirmRecoveryCodes, countRecoveryCodes, takeRecoveryCode } from '../factor/recovery-codes.ts'
import { openTotp, stepOf } from '../factor/totp.ts'
import { trustDevice } from '../factor/trusted-devices.ts'
import { codeLimits, findFactorOwner, findTwoFactor, mayChangeFactors } from '../factor/two-factors.ts'
import { newSecret } from '../foundation/crypto.ts'
import { transaction, type Tx } from '../foundation/database.ts'
import { clearGuesses, countGuess, type GuessLimit, secondsToWait } from '../foundation/guesses.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { weakenApiKeys } from '../token/api-keys.ts'
import { knownDevice } from '../session/known-devices.ts'
import { lockCaller, lockUser } from '../session/locks.ts'
import { revokeSessions } from '../session/sessions.ts'
import { takeCode } from '../sign-in/mail-codes.ts'
import { startSession } from '../sign-in/start-session.ts'
import { confirmSession, setConfirmedCookies } from './confirm-session.ts'
import { keepFactor } from './keep-own-factor.ts'
import { mayMailStep } from './send-step-code.ts'

function limitsOf(ctx: Context, user: Pick<User, 'id' | 'deviceGeneration'>): GuessLimit[] {
  return codeLimits(user, knownDevice(ctx.cookies, user) ?? '')
}

/** How long a new authenticator app waits for its first code, in seconds. */
const pendingSeconds = 3600

type Kind = 'totp' | 'recovery_code' | 'email_code'
type Input = z.output<typeof VerifyBackupCode> & { kind: Kind }

/** The result of one code. `enrolled`: it was the first code of a new authenticator app. */
type Outcome = 'right' | 'enrolled' | 'wrong' | 'used' | 'expired' | 'ended' | 'none'

/**
 * Verifies a code of the authenticator app, or a recovery code: as the second step of a sign-in in this browser, or in
 * a session, where it also confirms a new app. `inSession` selects the session even if a sign-in, possibly of another
 * user, is pending in this browser.
 */
export async function verifyCode(ctx: Context, input: Input): Promise<z.output<typeof CodeVerified>> {
  const step = input.inSession ? undefined : await findStep(ctx.db, ctx.cookies, ctx.now)
  if (step) return finishSignIn(ctx, step, input)
  const caller = await ctx.caller()
  if (!caller || caller.authenticated) refuse('INVALID_TWO_FACTOR_COOKIE')
  if (caller.session.impersonatedBy !== undefined) refuse('NOT_WHILE_IMPERSONATING')
  return verifyInSession({ ...ctx, ...caller }, input)
}

/** Completes the second step of a sign-in. Each wrong code uses up one of its attempts, regardless of the limits. */
async function finishSignIn(ctx: Context, step: PendingStep, input: Input): Promise<z.output<typeof CodeVerified>> {
  const { userId } = step
  const { outcome, row } = await transaction(ctx, async (tx) => {
    const row = await lockUser(tx, userId)
    // Read again under the lock, so that each of many concurrent codes uses up an attempt.
    const current = await findStep(tx, ctx.cookies, ctx.now)
    if (!row || current?.id !== step.id) return { outcome: 'ended' as const, row }
    const limits = limitsOf(ctx, row)
    if (input.kind === 'totp') await refuseTooManyCodes(tx, limits, ctx.now)
    const outcome =
      input.kind === 'email_code'
        ? await checkMailedCode(tx, ctx, { row, step: current, code: input.code })
        : await checkCode(tx, ctx, row, { ...input, mayEnrol: false })
    if (outcome === 'right') {
      await endStep(tx, current)
      // A person who reads the mailbox may still have lost the app, or be guessing its codes.
      if (input.kind !== 'email_code') {
        await clearGuesses(tx, limits)
        await keepFactor(tx, ctx, row)
      }
    } else {
      const left = await useAttempt(tx, current)
      if (outcome === 'wrong' && input.kind === 'totp') await countGuess(tx, limits, ctx.now)
      if (left === 0) await ctx.outbox.enqueue(tx, composeMail('secondStepFailed', row, ctx), ctx.now)
      await record(tx, ctx, { type: 'user.sign_in_failed', subjectId: userId, data: { reason: 'wrong_code' } })
    }
    return { outcome, row }
  })
  if (outcome === 'ended' || !row) refuse('INVALID_TWO_FACTOR_COOKIE')
  if (outcome !== 'right') refuseCode(outcome, input.kind)
  const user = FullUser.parse(row)
  clearStep(ctx.cookies)
  if (input.disableSession) return { token: null, user: ShortUser.parse(user) }
  const started = await startSession(ctx, user, { ...optionsOf(step), secondFactor: input.kind })
  if (started.outcome === 'banned') refuse('BANNED_USER')
  if (started.outcome !== 'created') refuse('INVALID_TWO_FACTOR_COOKIE')
  // Trust replaces a second factor from then on, and an emailed code does not count as one.
  if (input.trustDevice && input.kind !== 'email_code') await trustBrowser(ctx, userId)
  return { token: started.session.token, user: ShortUser.parse(started.user) }
}

/**
 * In a session: confirms a new authenticator app, which ends all other sessions, or checks a code of the active one,
 * which gives a session without a second factor a new token.
 */
async function verifyInSession(ctx: Context & Caller, input: Input): Promise<z.output<typeof CodeVerified>> {
  const userId = ctx.user.id
  const { outcome, row, sessionToken } = await transaction(ctx, async (tx) => {
    const row = await lockCaller(tx, ctx)
    const limits = limitsOf(ctx, row)
    if (input.kind === 'totp') await refuseTooManyCodes(tx, limits, ctx.now)
    const outcome = await checkCode(tx, ctx, row, { ...input, mayEnrol: true })
    if (outcome === 'wrong') {
      if (input.kind === 'totp') await countGuess(tx, limits, ctx.now)
      await record(tx, ctx, { type: 'user.sign_in_failed', subjectId: userId, data: { reason: 'wrong_code' } })
    }
    if (outcome === 'right' || outcome === 'enrolled') await clearGuesses(tx, limits)
    if (outcome === 'right' && input.kind !== 'email_code') {
      await keepFactor(tx, ctx, row)
      const sessionToken = await confirmSession(tx, ctx, input.kind)
      return { outcome, row, sessionToken }
    }
    if (outcome !== 'enrolled') return { outcome, row }
    // Another person may have started the enrolment, before there was another factor.
    if (!(await mayChangeFactors(tx, { ...ctx, user: row, secondFactor: row.secondFactor })))
      refuse('SECOND_FACTOR_REQUIRED')
    await enrol(tx, ctx, row)
    // Ends the sessions that began without the second factor. This one is replaced.
    await revokeSessions(tx, userId, ctx.session.id)
    return { outcome, row: await tx.user.findUniqueOrThrow({ where: { id: userId } }) }
  })
  if (outcome !== 'right' && outcome !== 'enrolled') refuseCode(outcome, input.kind)
  if (outcome === 'right') {
    if (sessionToken !== undefined) setConfirmedCookies(ctx, sessionToken)
    if (input.trustDevice) await trustBrowser(ctx, userId)
    return { token: ctx.session.token, user: ShortUser.parse(row) }
  }
  const started = await startSession(ctx, FullUser.parse(row), {
    method: methodOf(ctx.method),
    remembered: ctx.remembered,
    activeOrganizationId: ctx.session.activeOrganizationId ?? undefined,
    basis: { sessionId: ctx.session.id },
    secondFactor: 'totp',
  })
  if (started.outcome !== 'created') refuse('UNAUTHORIZED')
  if (input.trustDevice) await trustBrowser(ctx, userId)
  return { token: started.session.token, user: ShortUser.parse(started.user) }
}

/** Checks a code of a user whose row is locked, and uses it up: a time step and a recovery code are accepted once. */
async function checkCode(
  tx: Tx,
  ctx: Context,
  user: User,
  { kind, code, mayEnrol }: Input & { mayEnrol: boolean },
): Promise<Outcome> {
  const found = await findTwoFactor(tx, user.id)
  if (!found || kind === 'email_code') return 'none'
  if (kind === 'recovery_code') return user.twoFactorEnabled ? spendRecoveryCode(tx, ctx, user, code) : 'none'
  const isPending = found.updatedAt.getTime() + pendingSeconds * 1000 > ctx.now.getTime()
  const enrolling = mayEnrol && isPending ? stepOfSecret(ctx, found, 'pendingSecret', code) : undefined
  if (enrolling !== undefined) {
    await tx.twoFactor.update({ where: { userId: user.id }, data: { lastStep: enrolling } })
    return 'enrolled'
  }
  const step = stepOfSecret(ctx, found, 'secret', code)
  if (step === undefined) return 'wrong'
  if (step <= found.lastStep) return 'used'
  await tx.twoFactor.update({ where: { userId: user.id }, data: { lastStep: step } })
  return 'right'
}

/** Checks a code that was emailed for this step, where that is allowed. */
async function checkMailedCode(
  tx: Tx,
  ctx: Context,
  { row, step, code }: { row: User; step: PendingStep; code: string },
): Promise<Outcome> {
  if (!mayMailStep(ctx, step, row)) return 'none'
  const place = { keys: ctx.keys.links, cookies: ctx.cookies, now: ctx.now }
  const { outcome } = await takeCode(tx, place, {
    use: 'second-step',
    email: row.email,
    code: code.trim(),
    device: knownDevice(ctx.cookies, row),
  })
  return outcome === 'exhausted' ? 'expired' : outcome
}

function stepOfSecret(ctx: Context, found: TwoFactor, field: 'secret' | 'pendingSecret', code: string) {
  const sealed = found[field]
  const secret = sealed === null ? undefined : openTotp(ctx.keys.storage, sealed, found.userId)
  return secret === undefined ? undefined : stepOf(secret, code, ctx.now)
}

async function spendRecoveryCode(tx: Tx, ctx: Context, user: User, code: string): Promise<Outcome> {
  const { id: userId } = user
  if (!(await takeRecoveryCode(tx, { userId, keys: ctx.keys.storage }, code))) return 'wrong'
  const left = await countRecoveryCodes(tx, userId)
  await record(tx, ctx, { type: 'user.recovery_code_used', actorId: userId, data: { left } })
  const cause = { ...ctx, values: { left: String(left) } }
  await ctx.outbox.enqueue(tx, composeMail('recoveryCodeUsed', user, cause), ctx.now)
  return 'right'
}

/** Activates the pending authenticator app with its recovery codes. Trusted browsers are asked again. */
async function enrol(tx: Tx, ctx: Context, user: User): Promise<void> {
  const { id: userId, emailVerified, previousEmail } = user
  const { pendingSecret, secret, createdAt } = await tx.twoFactor.findUniqueOrThrow({ where: { userId } })
  // The finder of the phone with the former app may have created them.
  if (secret !== null) await weakenApiKeys(tx, userId, createdAt)
  await tx.twoFactor.update({
    where: { userId },
    data: {
      secret: pendingSecret,
      pendingSecret: null,
      removalAt: null,
      removalBy: null,
      generation: newSecret(),
      isUnverified: !emailVerified && previousEmail === null,
      confirmedAt: ctx.now,
      updatedAt: ctx.now,
    },
  })
  await confirmRecoveryCodes(tx, userId)
  await tx.user.update({ where: { id: userId }, data: { twoFactorEnabled: true } })
  await record(tx, ctx, { type: 'user.two_factor_enabled', actorId: userId, data: {} })
  await ctx.outbox.enqueue(tx, composeMail('twoFactorEnabled', user, ctx), ctx.now)
}

async function trustBrowser(ctx: Context, userId: string): Promise<void> {
  const owner = await findFactorOwner(ctx.db, userId)
  if (owner) trustDevice(ctx.cookies, owner, ctx.now)
}

async function refuseTooManyCodes(tx: Tx, limits: readonly GuessLimit[], now: Date): Promise<void> {
  const retryAfterSeconds = await secondsToWait(tx, limits, now)
  if (retryAfterSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds })
}

const notOffered = {
  totp: 'TOTP_NOT_ENABLED',
  recovery_code: 'BACKUP_CODES_NOT_ENABLED',
  email_code: 'OTP_NOT_CONFIGURED',
} as const

function refuseCode(outcome: Exclude<Outcome, 'right'>, kind: Kind): never {
  if (outcome === 'none') refuse(notOffered[kind])
  if (outcome === 'expired') refuse('OTP_HAS_EXPIRED')
  refuse(kind === 'recovery_code' ? 'INVALID_BACKUP_CODE' : 'INVALID_TOTP_CODE')
}

type SignIn = EventData<'user.signed_in'>

/** How the sign-in began. */
function optionsOf({ method, provider, remembered, activeOrganizationId, basis }: PendingStep) {
  const known = provider === undefined ? {} : { provider: provider as SignIn['provider'] }
  return { method: methodOf(method), ...known, remembered, activeOrganizationId, basis }
}

/** The sign-in method of a session that this one replaces or continues, as it was passed to `startSession`. */
function methodOf(method: string | undefined): SignIn['method'] {
  return (method ?? 'password') as SignIn['method']
}

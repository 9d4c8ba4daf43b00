import type { z } from 'zod'
import type { User } from '../../prisma/client/client.ts'
import { FullUser, ShortUser } from '../../shared/account.ts'
import type { EventData } from '../../shared/event.ts'
import type { CodeVerified } from '../../shared/two-factor.ts'
import { record } from '../event/record.ts'
import { requireMayChangeFactors } from '../factor/assurance.ts'
import { codeLimits } from '../factor/code-limits.ts'
import { clearStep, endStep, findStep, type PendingStep, consumeAttempt } from '../factor/pending-steps.ts'
import { trustDevice, findTrustedDeviceBinding } from '../factor/trusted-devices.ts'
import type { Tx } from '../foundation/database.ts'
import { resetFailedAttempts, recordFailedAttempt, retryAfterSeconds } from '../foundation/failed-attempts.ts'
import type { RateLimit } from '../foundation/limits.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { knownDevice } from '../session/known-devices.ts'
import { lockCaller, lockUser } from '../session/locks.ts'
import { revokeSessions } from '../session/sessions.ts'
import { readUser } from '../session/users.ts'
import { requireStarted, startSession } from '../sign-in/start-session.ts'
import { activateAuthenticator } from './activate-authenticator.ts'
import { cancelPendingRemoval } from './cancel-factor-removal.ts'
import { checkCode, checkEmailedCode, type Input, refuseCode } from './check-code.ts'
import { confirmSession, setConfirmedCookies } from './confirm-session.ts'

function limitsOf(ctx: Context, user: Pick<User, 'id' | 'passwordVersion'>): RateLimit[] {
  return codeLimits(user, knownDevice(ctx.cookies, user) ?? '')
}

/**
 * Verifies a code of the authenticator app, or a recovery code: as the second step of a sign-in in this browser, or in
 * a session, where it also confirms a new app. `inSession` selects the session even if a sign-in, possibly of another
 * user, is pending in this browser.
 */
export async function verifyCode(ctx: Context, input: Input): Promise<z.output<typeof CodeVerified>> {
  const step = input.inSession ? undefined : await findStep(ctx.db, ctx.cookies, ctx.now)
  if (step) return finishSignIn(ctx, step, input)
  const caller = await ctx.caller()
  if (!caller || caller.verifiedCredential) refuse('INVALID_TWO_FACTOR_COOKIE')
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
        ? await checkEmailedCode(tx, ctx, { row, step: current, code: input.code })
        : await checkCode(tx, ctx, row, { ...input, mayEnroll: false })
    if (outcome === 'right') {
      await endStep(tx, current)
      // A person who reads the mailbox may still have lost the app, or be guessing its codes.
      if (input.kind !== 'email_code') {
        await resetFailedAttempts(tx, limits)
        await cancelPendingRemoval(tx, ctx, row)
      }
    } else {
      const left = await consumeAttempt(tx, current)
      if (outcome === 'wrong' && input.kind === 'totp') await recordFailedAttempt(tx, limits, ctx.now)
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
  const options = { ...optionsOf(step), secondFactor: input.kind }
  const started = requireStarted(await startSession(ctx, user, options), 'INVALID_TWO_FACTOR_COOKIE')
  if (started.outcome !== 'created') refuse('INVALID_TWO_FACTOR_COOKIE')
  // Trust replaces a second factor from then on, and an emailed code does not count as one.
  if (input.trustDevice && input.kind !== 'email_code') await trustBrowser(ctx, userId)
  return { token: started.session.token, user: ShortUser.parse(started.user) }
}

/**
 * In a session: confirms a new authenticator app, which ends all other sessions, or checks a code of the active one,
 * which gives a session without a second factor a new token.
 */
async function verifyInSession(ctx: CallerContext, input: Input): Promise<z.output<typeof CodeVerified>> {
  const userId = ctx.user.id
  const { outcome, row, sessionToken } = await transaction(ctx, async (tx) => {
    const row = await lockCaller(tx, ctx)
    const limits = limitsOf(ctx, row)
    if (input.kind === 'totp') await refuseTooManyCodes(tx, limits, ctx.now)
    const outcome = await checkCode(tx, ctx, row, { ...input, mayEnroll: true })
    if (outcome === 'wrong') {
      if (input.kind === 'totp') await recordFailedAttempt(tx, limits, ctx.now)
      await record(tx, ctx, { type: 'user.sign_in_failed', subjectId: userId, data: { reason: 'wrong_code' } })
    }
    if (outcome === 'right' || outcome === 'enrolled') await resetFailedAttempts(tx, limits)
    if (outcome === 'right' && input.kind !== 'email_code') {
      await cancelPendingRemoval(tx, ctx, row)
      const sessionToken = await confirmSession(tx, ctx, input.kind)
      return { outcome, row, sessionToken }
    }
    if (outcome !== 'enrolled') return { outcome, row }
    // Another person may have started the enrollment, before there was another factor.
    await requireMayChangeFactors(tx, { ...ctx, user: row, secondFactor: row.secondFactor })
    await activateAuthenticator(tx, ctx, row)
    // Ends the sessions that began without the second factor. This one is replaced.
    await revokeSessions(tx, userId, ctx.session.id)
    return { outcome, row: await readUser(tx, userId) }
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

async function trustBrowser(ctx: Context, userId: string): Promise<void> {
  const owner = await findTrustedDeviceBinding(ctx.db, userId)
  if (owner) trustDevice(ctx.cookies, owner, ctx.now)
}

async function refuseTooManyCodes(tx: Tx, limits: readonly RateLimit[], now: Date): Promise<void> {
  const seconds = await retryAfterSeconds(tx, limits, now)
  if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
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

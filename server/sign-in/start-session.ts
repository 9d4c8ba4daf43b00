import type { FullUser } from '../../shared/account.ts'
import type { RefusalKey } from '../../shared/errors.ts'
import type { EventData } from '../../shared/event.ts'
import { CurrentSession, type Session } from '../../shared/session.ts'
import { promoteIfListed } from '../account/grant-administrator.ts'
import { forgetSignUp } from '../account/sign-up-cookie.ts'
import { record } from '../event/record.ts'
import { beginStep, clearStep } from '../factor/pending-steps.ts'
import { isTrustedDevice, trustDevice, findTrustedDeviceBinding } from '../factor/trusted-devices.ts'
import { type BanDetails, refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { passwordVersionInCookie, rememberDevice } from '../session/known-devices.ts'
import { type SessionBasis, createSession } from '../session/new-sessions.ts'
import {
  clearAdministratorToken,
  readAdministratorToken,
  readSessionToken,
  setSessionCookies,
  isNotRemembered,
} from '../session/session-cookies.ts'
import { isBanned } from '../session/session-rows.ts'
import { endSession } from '../session/sessions.ts'
import { findUserById } from '../session/users.ts'
import { moveGrants } from '../token/grants.ts'

type SecondFactor = NonNullable<EventData<'user.signed_in'>['secondFactor']>

/** How the session is started. Without `remembered`, the browser's dont-remember cookie decides. */
type Options = Pick<EventData<'user.signed_in'>, 'method' | 'provider'> & {
  remembered?: boolean
  basis?: SessionBasis | undefined
  activeOrganizationId?: string | undefined
  /** How the second step was done. */
  secondFactor?: SecondFactor | undefined
  /** The second factor of the session which the new one is based on. */
  inheritedSecondFactor?: SecondFactor | undefined
}

/** A new account has no other devices yet, so no new-device email is sent. */
const youngSeconds = 3600

/**
 * Starts a session for the user in this browser, replacing any existing one, and reports a new device to the owner. If
 * the user has a second factor and neither this sign-in nor this browser has it, the second step begins instead.
 */
export async function startSession(ctx: Context, user: FullUser, options: Options) {
  const started = await start(ctx, user, options)
  ctx.metrics?.signIn(options.method, started.outcome)
  return started
}

async function start(ctx: Context, user: FullUser, options: Options) {
  const {
    remembered = !isNotRemembered(ctx),
    basis,
    activeOrganizationId,
    method,
    provider,
    inheritedSecondFactor,
  } = options
  const { config, now } = ctx
  const secondFactor =
    options.secondFactor ?? (inheritedSecondFactor === undefined ? await factorOfDevice(ctx, user) : undefined)
  const factor = secondFactor ?? inheritedSecondFactor
  const step = { method, provider, remembered, activeOrganizationId, basis, userId: user.id, now }
  if (user.twoFactorEnabled && factor === undefined) return beginSecondStep(ctx, step)
  const promoted = await promoteIfListed(ctx, user, method)
  // Another person may have trusted this browser before: a promotion to administrator, in this sign-in or another one,
  // ends that trust.
  if (secondFactor === 'trusted_device' && options.secondFactor === undefined && !(await isTrusted(ctx, user)))
    return beginSecondStep(ctx, step)
  const former = readSessionToken(ctx)
  const created = await createSession(
    ctx.pool,
    {
      userId: user.id,
      now,
      ipAddress: ctx.ipAddress,
      userAgent: ctx.userAgent,
      remembered,
      limits: config.session,
      activeOrganizationId,
      passwordVersionInCookie: passwordVersionInCookie(ctx.cookies, user.id),
      ...(basis !== undefined && { basis }),
      secondFactor,
      inheritedSecondFactor,
    },
    // A previous impersonation in this browser is unrelated to this sign-in.
    { ...ctx, impersonatorId: undefined },
    { method, ...(provider !== undefined && { provider }), ...(factor !== undefined && { secondFactor: factor }) },
  )
  // A second factor was confirmed in another session since the user was read.
  if (created.outcome === 'second_factor') return beginSecondStep(ctx, step)
  if (created.outcome === 'banned') return recordBanned(ctx, user.id)
  if (created.outcome !== 'created') return created
  await endFormerSessions(ctx, former, created.session)
  // Strip fields of the user's row that must not be stored in the browser.
  const current = CurrentSession.parse({ session: created.session, user: promoted })
  setSessionCookies(ctx, { sessionToken: created.sessionToken, current, remembered })
  forgetSignUp(ctx.cookies)
  clearStep(ctx.cookies)
  rememberDevice(ctx.cookies, { id: user.id, passwordVersion: created.passwordVersion })
  if (!created.isKnownDevice) await reportNewDevice(ctx, user, method)
  return { ...created, user: promoted }
}

/**
 * The result of `startSession`, which is created or needs a second step. A banned user is refused with the reason, and
 * a sign-in whose credential was replaced or ended meanwhile with the given key.
 */
export function requireStarted(started: Started, gone: RefusalKey) {
  if (started.outcome === 'banned') refuse('BANNED_USER', { ban: started.ban })
  if (started.outcome === 'gone') refuse(gone)
  return started
}

type Started = Awaited<ReturnType<typeof startSession>>

/** Begins the second step of a sign-in, unless the user is banned. */
async function beginSecondStep(ctx: Context, step: Parameters<typeof beginStep>[2]) {
  const { userId, now } = step
  const row = await findUserById(ctx.db, userId)
  // The reason is for the user, who has not confirmed the second factor yet.
  if (row && isBanned(row, now)) return { outcome: (await recordBanned(ctx, userId)).outcome, ban: undefined }
  await beginStep(ctx.db, ctx.cookies, step)
  return { outcome: 'second_factor' as const }
}

/** Records the refused sign-in. The user, who has just signed in, is told why and until when. */
async function recordBanned(ctx: Context, userId: string): Promise<{ outcome: 'banned'; ban: BanDetails }> {
  await record(ctx.db, ctx, { type: 'user.sign_in_failed', subjectId: userId, data: { reason: 'banned' } })
  const user = await findUserById(ctx.db, userId)
  return { outcome: 'banned', ban: { banReason: user?.banReason ?? null, banExpires: user?.banExpiresAt ?? null } }
}

/**
 * Ends the sessions whose cookies the new session replaces in this browser: only the session list could still end them.
 */
async function endFormerSessions(ctx: Context, former: string | undefined, { id, userId }: Session): Promise<void> {
  if (former !== undefined) {
    await moveGrants(ctx.pool, { formerToken: former, userId, sessionId: id, now: ctx.now })
    await endSession(ctx.pool, former)
  }
  // An administrator was acting as a user in this browser.
  const ofAdministrator = readAdministratorToken(ctx)
  if (ofAdministrator !== undefined) await endSession(ctx.pool, ofAdministrator)
  clearAdministratorToken(ctx)
}

/** Emails the user that somebody signed in with a browser that is not known. */
async function reportNewDevice(ctx: Context, user: FullUser, method: Options['method']): Promise<void> {
  const isYoung = ctx.now.getTime() - user.createdAt.getTime() < youngSeconds * 1000
  const isReported = method === 'password' || method === 'provider' || method === 'passkey'
  if (!isReported || isYoung) return
  await transaction(ctx, (tx) => ctx.outbox.enqueue(tx, composeMail('newDevice', user, ctx), ctx.now))
}

/** A browser that the user trusts replaces the second factor. Its thirty days restart. */
async function factorOfDevice(ctx: Context, user: FullUser): Promise<SecondFactor | undefined> {
  if (!user.twoFactorEnabled) return undefined
  const owner = await findTrustedDeviceBinding(ctx.db, user.id)
  if (!owner || !isTrustedDevice(ctx.cookies, owner, ctx.now)) return undefined
  trustDevice(ctx.cookies, owner, ctx.now)
  return 'trusted_device'
}

async function isTrusted(ctx: Context, { id }: FullUser): Promise<boolean> {
  const owner = await findTrustedDeviceBinding(ctx.db, id)
  return owner !== undefined && isTrustedDevice(ctx.cookies, owner, ctx.now)
}

const secondFactors: readonly SecondFactor[] = ['totp', 'recovery_code', 'trusted_device', 'passkey', 'email_code']

/** The second factor of the session that a new one replaces. */
export function factorOf({ secondFactor }: Pick<Caller, 'secondFactor'>): SecondFactor | undefined {
  return secondFactors.find((known) => known === secondFactor)
}

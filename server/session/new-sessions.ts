import type { Pool } from 'pg'
import type { EventData } from '../../shared/event.ts'
import type { Session } from '../../shared/session.ts'
import { eventParameters, type NewEvent, type EventOrigin, recordSql } from '../event/event-rows.ts'
import { logEvent } from '../event/record.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { refuse } from '../foundation/refusal.ts'
import { statement } from '../foundation/statement.ts'
import { expiryOf, type SessionLimits } from './session-lifetime.ts'

export type NewSession = {
  userId: string
  now: Date
  limits: SessionLimits
  ipAddress: string
  userAgent: string
  remembered: boolean
  activeOrganizationId?: string | undefined
  /** The credential that the sign-in was based on. */
  basis?: SessionBasis
  /** How the second step was done. Without it, no session is started for a user who has a second factor. */
  secondFactor?: string | undefined
  /**
   * The second factor of the session in `basis`. The new session inherits it, unless it has been removed in the
   * meantime.
   */
  inheritedSecondFactor?: string | undefined
  /** How often the password had been changed when the user last signed in with this browser. */
  passwordVersionInCookie: number | null
}

/**
 * The credential that a sign-in is based on, locked while the session is stored: the password just checked, the
 * identity just confirmed by a provider, the passkey, the session just re-authenticated, or, for emailed codes and
 * links, the user's row. If it was replaced or ended in the meantime, no session is started: a password reset or a
 * revocation applies to the new session too.
 */
export type SessionBasis =
  | { passwordHash?: string | undefined; sessionId: string }
  | { passwordHash: string; sessionId?: string | undefined }
  | { identityId: string }
  | { passkeyId: string }
  /** An emailed code or link was used: how often the password had been changed by then. */
  | { passwordVersion: number }

/**
 * Result of creating a session: created, user banned, second factor required, or the credential it is based on no
 * longer exists.
 */
type CreatedSession =
  | { outcome: 'created'; session: Session; sessionToken: string; isKnownDevice: boolean; passwordVersion: number }
  | { outcome: 'banned' }
  | { outcome: 'gone' }
  | { outcome: 'second_factor' }

/**
 * Starts a session and records it in one prepared statement. The token is returned only here, for the browser's cookie;
 * the database stores its SHA-256. Stores nothing if the user is banned or the basis no longer exists.
 */
export async function createSession(
  pool: Pool,
  input: NewSession,
  origin: EventOrigin,
  signedIn: Pick<EventData<'user.signed_in'>, 'method' | 'provider'>,
): Promise<CreatedSession> {
  const { userId, now, limits, ipAddress, userAgent, remembered, basis, activeOrganizationId = null } = input
  const sessionToken = newSecret()
  const id = newId()
  const session: Session = {
    id,
    token: newId(),
    userId,
    expiresAt: expiryOf(now, limits, { createdAt: now, remembered }),
    createdAt: now,
    updatedAt: now,
    ipAddress,
    userAgent,
    activeOrganizationId,
  }
  const event: NewEvent = {
    type: 'user.signed_in',
    actorId: userId,
    data: { ...signedIn, sessionId: id, newDevice: true },
  }
  try {
    const parameters = {
      session,
      tokenHash: sha256(sessionToken),
      now,
      remembered,
      basis: JSON.stringify(basis ?? null),
      passwordVersionInCookie: input.passwordVersionInCookie,
      secondFactor: input.secondFactor,
      inheritedSecondFactor: input.inheritedSecondFactor,
      event: eventParameters(origin, event),
    }
    const { rows } = await pool.query<Created>(insert(parameters))
    const started = rows[0]
    const { isBanned = false, isCreated = false, isKnownDevice = false, passwordVersion = 0 } = started ?? {}
    if (isBanned) return { outcome: 'banned' }
    if (!isCreated) return { outcome: started?.needsFactor ? 'second_factor' : 'gone' }
    logEvent(origin, { ...event, data: { ...event.data, newDevice: !isKnownDevice } })
    const current = { ...session, activeOrganizationId: started?.activeOrganizationId ?? null }
    return { outcome: 'created', session: current, sessionToken, isKnownDevice, passwordVersion }
  } catch (error) {
    if (isUnavailable(error)) throw error
    refuse('FAILED_TO_CREATE_SESSION', { cause: error })
  }
}

type Created = {
  isBanned: boolean
  needsFactor: boolean
  isCreated: boolean
  isKnownDevice: boolean
  passwordVersion: number
  activeOrganizationId: string | null
}

/** Maximum number of sessions per user. A new one ends the oldest ones above it (SEC-82). */
const maxSessions = 250

/** The second factors of an authenticator app, and those that replace it. */
export const factorsOfApp = ['totp', 'recovery_code', 'trusted_device'] as const

const insert = statement(
  'sessions.create',
  `with account_user as (
    select ("bannedAt" is not null and ("banExpiresAt" is null or "banExpiresAt" > :now)) as "isBanned",
      "twoFactorEnabled",
      coalesce("passwordVersion" = :passwordVersionInCookie::int, false) as "isKnownDevice", "passwordVersion",
      coalesce(:session.activeOrganizationId, (select m."organizationId" from "Member" m
        where m."organizationId" = "lastOrganizationId" and m."userId" = :session.userId)) as "activeOrganizationId"
    -- Waits for a concurrent ban.
    from "User" where id = :session.userId for no key update),
  -- Locked, so that a concurrent reset or revocation is either seen here or also ends this session.
  password as (
    select 1 from "Account" where "userId" = :session.userId and password = :basis::jsonb->>'passwordHash' for share),
  identity as (select 1 from "Account" where "userId" = :session.userId and id = :basis::jsonb->>'identityId' for share),
  replaced_session as (
    select "secondFactor" from "Session" where "userId" = :session.userId and id = :basis::jsonb->>'sessionId' for share),
  passkey as (select 1 from "Passkey" where "userId" = :session.userId and id = :basis::jsonb->>'passkeyId' for share),
  checked_user as (
    select "isBanned", "activeOrganizationId", "secondFactor",
      "twoFactorEnabled" and "secondFactor" is null as "needsFactor"
    from (
      -- An authenticator app that was removed in the meantime does not count as a second factor.
      select *, case when "twoFactorEnabled" or factor <> all('{${factorsOfApp.join(',')}}') then factor end as "secondFactor"
      from (
        select *, coalesce(:secondFactor, (select "secondFactor" from replaced_session where "secondFactor" = :inheritedSecondFactor)) as factor
        from account_user) found
    ) with_factor),
  excess_sessions as (
    delete from "Session" where id in (
      select id from "Session" where "userId" = :session.userId order by "createdAt" desc, id desc offset ${maxSessions - 1})),
  created as (
    insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress",
      "userAgent", "activeOrganizationId", method, "secondFactor")
    select :session.id, :session.token, :tokenHash, :session.userId, :session.expiresAt, :now, :now, :remembered,
      :session.ipAddress, :session.userAgent, "activeOrganizationId", :event.data::jsonb->>'method', "secondFactor" from checked_user
    where not "isBanned" and not "needsFactor"
      and (:basis::jsonb->>'passwordHash' is null or exists (select from password))
      and (:basis::jsonb->>'identityId' is null or exists (select from identity))
      and (:basis::jsonb->>'sessionId' is null or exists (select from replaced_session))
      and (:basis::jsonb->>'passkeyId' is null or exists (select from passkey))
      and (:basis::jsonb->>'passwordVersion' is null
        or (:basis::jsonb->>'passwordVersion')::int = (select "passwordVersion" from account_user))
    returning id),
  last_organization as (
    update "User" set "lastOrganizationId" = :session.activeOrganizationId from created
    where "User".id = :session.userId and :session.activeOrganizationId is not null),
  ${recordSql({ from: 'created, account_user', data: `jsonb_build_object('newDevice', not account_user."isKnownDevice")` })}
  select account_user."isBanned", "needsFactor", "isKnownDevice", "passwordVersion", account_user."activeOrganizationId",
    exists (select from created) as "isCreated" from account_user, checked_user`,
)

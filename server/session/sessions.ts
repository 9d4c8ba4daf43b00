import type { Pool } from 'pg'
import type { LanguageId } from '../../shared/language.ts'
import type { CurrentSession, Session } from '../../shared/session.ts'
import type { EventData } from '../../shared/event.ts'
import { eventParameters, logEvent, recordText, type NewEvent, type Origin } from '../event/record.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import { afterCursor, isUnavailable, maxRows, type Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { UserRole } from '../../prisma/client/enums.ts'

/** How long an administrator may act as a user, in seconds. */
const impersonationSeconds = 3600

/** A session's row with its user, as read by one statement. */
export type FoundSession = CurrentSession & {
  remembered: boolean
  ban: Ban
  method: string
  secondFactor: string | null
}

/** A ban without an expiry lasts until it is lifted. */
export type Ban = { bannedAt: Date | null; banExpiresAt: Date | null }

export function isBanned({ bannedAt, banExpiresAt }: Ban, now: Date): boolean {
  return bannedAt !== null && (banExpiresAt === null || banExpiresAt > now)
}

/** A session that is not remembered ends after a day, regardless of the settings. */
const unrememberedSeconds = 86_400

/** Session lifetimes in seconds: without activity, and in total regardless of activity (0 means no limit). */
export type Lifetime = { lifetimeSeconds: number; absoluteSeconds: number }

export type NewSession = Lifetime & {
  userId: string
  now: Date
  ipAddress: string
  userAgent: string
  remembered: boolean
  activeOrganizationId?: string | undefined
  /** The credential that the sign-in was based on. */
  basis?: Basis
  /** How the second step was done. Without it, no session is started for a user who has a second factor. */
  secondFactor?: string | undefined
  /**
   * The second factor of the session in `basis`. The new session inherits it, unless it has been removed in the
   * meantime.
   */
  carriedFactor?: string | undefined
  /** The user's known-device generation that is stored in this browser. */
  knownGeneration: number | null
}

/**
 * The credential that a sign-in is based on, locked while the session is stored: the password just checked, the
 * identity just confirmed by a provider, the passkey, or the session just re-authenticated. If it was replaced or ended
 * in the meantime, no session is started: a password reset or a revocation applies to the new session too.
 */
export type Basis =
  | { passwordHash?: string | undefined; sessionId: string }
  | { passwordHash: string; sessionId?: string | undefined }
  | { identityId: string }
  | { passkeyId: string }

/**
 * Result of creating a session: created, user banned, second factor required, or the credential it is based on no
 * longer exists.
 */
export type CreatedSession =
  | { outcome: 'created'; session: Session; sessionToken: string; isKnownDevice: boolean; deviceGeneration: number }
  | { outcome: 'banned' | 'gone' | 'second_factor' }

/**
 * Starts a session and records it in one prepared statement. The token is returned only here, for the browser's cookie;
 * the database stores its SHA-256. Stores nothing if the user is banned or the basis no longer exists.
 */
export async function createSession(
  pool: Pool,
  input: NewSession,
  origin: Origin,
  signedIn: Pick<EventData<'user.signed_in'>, 'method' | 'provider'>,
): Promise<CreatedSession> {
  const {
    userId,
    now,
    ipAddress,
    userAgent,
    remembered,
    basis,
    activeOrganizationId = null,
    secondFactor = null,
    carriedFactor = null,
  } = input
  const sessionToken = newSecret()
  const seconds = remembered ? input.lifetimeSeconds : unrememberedSeconds
  const session: Session = {
    id: newId(),
    token: newId(),
    userId,
    expiresAt: expiryOf(now, { ...input, lifetimeSeconds: seconds }, now),
    createdAt: now,
    updatedAt: now,
    ipAddress,
    userAgent,
    activeOrganizationId,
  }
  const { id, token, expiresAt } = session
  const event: NewEvent = {
    type: 'user.signed_in',
    actorId: userId,
    data: { ...signedIn, sessionId: id, newDevice: true },
  }
  try {
    const place = [ipAddress, userAgent, JSON.stringify(basis ?? null), activeOrganizationId, input.knownGeneration]
    const columns = [id, token, sha256(sessionToken), userId, expiresAt, now, remembered, ...place]
    const values = [...columns, ...eventParameters(origin, event), secondFactor, carriedFactor]
    const { rows } = await pool.query<Created>({ name: 'sessions.create', text: createText, values })
    const started = rows[0]
    const { isBanned = false, isCreated = false, isKnownDevice = false, deviceGeneration = 0 } = started ?? {}
    if (isBanned) return { outcome: 'banned' }
    if (!isCreated) return { outcome: started?.needsFactor ? 'second_factor' : 'gone' }
    logEvent(origin, { ...event, data: { ...event.data, newDevice: !isKnownDevice } })
    const current = { ...session, activeOrganizationId: started?.activeOrganizationId ?? null }
    return { outcome: 'created', session: current, sessionToken, isKnownDevice, deviceGeneration }
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
  deviceGeneration: number
  activeOrganizationId: string | null
}

/** Maximum number of sessions per user. A new one ends the oldest ones above it (SEC-82). */
const maxSessions = 250

/** The second factors of an authenticator app, and those that replace it. */
export const factorsOfApp = ['totp', 'recovery_code', 'trusted_device'] as const

const createText = `
  with owner as (
    select ("bannedAt" is not null and ("banExpiresAt" is null or "banExpiresAt" > $6)) as "isBanned",
      "twoFactorEnabled",
      coalesce("deviceGeneration" = $12::int, false) as "isKnownDevice", "deviceGeneration",
      coalesce($11, (select m."organizationId" from "Member" m
        where m."organizationId" = "lastOrganizationId" and m."userId" = $4)) as "activeOrganizationId"
    -- Waits for a concurrent ban.
    from "User" where id = $4 for no key update),
  -- Locked, so that a concurrent reset or revocation is either seen here or also ends this session.
  password as (select 1 from "Account" where "userId" = $4 and password = $10::jsonb->>'passwordHash' for share),
  identity as (select 1 from "Account" where "userId" = $4 and id = $10::jsonb->>'identityId' for share),
  former as (select "secondFactor" from "Session" where "userId" = $4 and id = $10::jsonb->>'sessionId' for share),
  passkey as (select 1 from "Passkey" where "userId" = $4 and id = $10::jsonb->>'passkeyId' for share),
  strength as (
    select "isBanned", "activeOrganizationId", "secondFactor", "twoFactorEnabled" and "secondFactor" is null as "needsFactor"
    from (
      -- An authenticator app that was removed in the meantime does not count as a second factor.
      select *, case when "twoFactorEnabled" or factor <> all('{${factorsOfApp.join(',')}}') then factor end as "secondFactor"
      from (select *, coalesce($23, (select "secondFactor" from former where "secondFactor" = $24)) as factor from owner) found
    ) checked),
  beyond as (
    delete from "Session" where id in (
      select id from "Session" where "userId" = $4 order by "createdAt" desc, id desc offset ${maxSessions - 1})),
  created as (
    insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent", "activeOrganizationId", method, "secondFactor")
    select $1, $2, $3, $4, $5, $6, $6, $7, $8, $9, "activeOrganizationId", $22::jsonb->>'method', "secondFactor" from strength
    where not "isBanned" and not "needsFactor"
      and ($10::jsonb->>'passwordHash' is null or exists (select from password))
      and ($10::jsonb->>'identityId' is null or exists (select from identity))
      and ($10::jsonb->>'sessionId' is null or exists (select from former))
      and ($10::jsonb->>'passkeyId' is null or exists (select from passkey))
    returning id),
  used as (update "User" set "lastOrganizationId" = $11 from created where "User".id = $4 and $11 is not null),
  ${recordText(13, 'created, owner', (data) => `${data} || jsonb_build_object('newDevice', not owner."isKnownDevice")`)}
  select owner."isBanned", "needsFactor", "isKnownDevice", "deviceGeneration", owner."activeOrganizationId",
    exists (select from created) as "isCreated" from owner, strength`

/** Checks the format of a session token: 256 random bits, as sent in the cookie. */
export function isSessionToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}

/**
 * Finds the session of a request with its user: one prepared statement that uses one unique index. Prisma's findUnique
 * with include sends two statements and costs 0.9 to 1.8 ms more CPU.
 */
export async function findSession(pool: Pool, sessionToken: string): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<SessionColumns>({
    name: 'sessions.find',
    text: `${findText} where s."tokenHash" = $1`,
    values: [sha256(sessionToken)],
    rowMode: 'array',
  })
  return rows[0] && toFoundSession(rows[0])
}

/** Finds a session by its id, for tokens that were issued for it. */
export async function findSessionById(pool: Pool, id: string): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<SessionColumns>({
    name: 'sessions.findById',
    text: `${findText} where s.id = $1`,
    values: [id],
    rowMode: 'array',
  })
  return rows[0] && toFoundSession(rows[0])
}

/**
 * Finds a session by its id, as long as its token's hash starts with `mark`, which means that the token was not
 * renewed.
 */
export async function findMarkedSession(pool: Pool, id: string, mark: string): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<SessionColumns>({
    name: 'sessions.findMarked',
    text: `${findText} where s.id = $1 and starts_with(s."tokenHash", $2)`,
    values: [id, mark],
    rowMode: 'array',
  })
  return rows[0] && toFoundSession(rows[0])
}

function toFoundSession(row: SessionColumns): FoundSession {
  return {
    session: {
      id: row[0],
      token: row[1],
      userId: row[2],
      expiresAt: row[3],
      createdAt: row[4],
      updatedAt: row[5],
      ipAddress: row[6],
      userAgent: row[7],
      activeOrganizationId: row[8],
      ...(row[23] !== null && { impersonatedBy: row[23] }),
    },
    remembered: row[9],
    user: {
      id: row[2],
      email: row[10],
      name: row[11],
      image: row[12],
      emailVerified: row[13],
      createdAt: row[14],
      updatedAt: row[15],
      username: row[16],
      displayUsername: row[17],
      language: row[18],
      role: row[19],
      metadata: row[24],
      twoFactorEnabled: row[26],
    },
    ban: { bannedAt: row[20], banExpiresAt: row[21] },
    method: row[22],
    secondFactor: row[25],
  }
}

const findText = `
  select s.id, s.token, s."userId", s."expiresAt", s."createdAt", s."updatedAt", s."ipAddress", s."userAgent",
    s."activeOrganizationId", s.remembered,
    u.email, u.name, u.image, u."emailVerified", u."createdAt", u."updatedAt", u.username, u."displayUsername",
    u.language, u.role, u."bannedAt", u."banExpiresAt", s.method, s."impersonatedBy", u.metadata,
    s."secondFactor", u."twoFactorEnabled"
  from "Session" s join "User" u on u.id = s."userId"`

/** The columns of `findText`, in order. */
type SessionColumns = [
  ...[id: string, token: string, userId: string, expiresAt: Date, createdAt: Date, updatedAt: Date],
  ...[ipAddress: string, userAgent: string, activeOrganizationId: string | null, remembered: boolean],
  ...[email: string, name: string, image: string | null, emailVerified: boolean, userSince: Date, userUpdated: Date],
  ...[username: string | null, displayUsername: string | null, language: LanguageId, role: UserRole],
  ...[bannedAt: Date | null, banExpiresAt: Date | null, method: string, impersonatedBy: string | null],
  ...[metadata: Record<string, unknown>, secondFactor: string | null, twoFactorEnabled: boolean],
]

export type Extension = Lifetime & { now: Date; updateAgeSeconds: number }

/**
 * Returns whether the update age has passed since the last extension. A session that is not remembered is never extended,
 * and no session is extended beyond its absolute lifetime.
 */
export function isRefreshDue({ session, remembered }: FoundSession, { now, updateAgeSeconds, ...limits }: Extension) {
  const extendedAt = session.expiresAt.getTime() - limits.lifetimeSeconds * 1000
  const isDue = extendedAt + updateAgeSeconds * 1000 <= now.getTime()
  return remembered && isDue && expiryOf(now, limits, session.createdAt) > session.expiresAt
}

/** Returns when a session used now expires: after its lifetime, but no later than its absolute lifetime. */
function expiryOf(now: Date, { lifetimeSeconds, absoluteSeconds }: Lifetime, createdAt: Date): Date {
  const unused = now.getTime() + lifetimeSeconds * 1000
  const latest = absoluteSeconds === 0 ? unused : createdAt.getTime() + absoluteSeconds * 1000
  return new Date(Math.min(unused, latest))
}

/** Extends a session if it still exists: a concurrent sign-out is not undone (SEC-62). Undefined if it no longer exists. */
export async function extendSession(
  tx: Tx,
  { id, createdAt }: Session,
  { now, sessionToken, ...limits }: Extension & { sessionToken?: string },
): Promise<Date | undefined> {
  const expiresAt = expiryOf(now, limits, createdAt)
  // Does not extend a session whose token was renewed in the meantime.
  const { count } = await tx.session.updateMany({
    where: { id, ...(sessionToken !== undefined && { tokenHash: sha256(sessionToken) }) },
    data: { expiresAt, updatedAt: now },
  })
  return count === 1 ? expiresAt : undefined
}

/**
 * Lists a user's active sessions in the order in which they were created, without those of administrators who act as
 * the user.
 */
export async function listSessions(
  tx: Tx,
  {
    userId,
    now,
    limit,
    cursor,
  }: { userId: string; now: Date; limit?: number | undefined; cursor?: string | undefined },
): Promise<Session[]> {
  const from = cursor === undefined ? undefined : await tx.session.findFirst({ where: { id: cursor, userId } })
  if (from === null) return []
  const rows = await tx.session.findMany({
    where: { userId, expiresAt: { gt: now }, impersonatedBy: null, ...(from && afterCursor(from)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    ...(limit !== undefined && { take: limit }),
  })
  return rows.map(({ impersonatedBy: _nobody, ...row }) => row)
}

/** Lists a user's active sessions, including those of administrators who act as the user. */
export async function listAllSessions(tx: Tx, userId: string, now: Date): Promise<Session[]> {
  const rows = await tx.session.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxRows,
  })
  return rows.map(({ impersonatedBy, ...row }) => ({ ...row, ...(impersonatedBy !== null && { impersonatedBy }) }))
}

/** Starts a session of a user for an administrator. It ends with the administrator's own session, and is never extended. */
export async function createImpersonation(
  tx: Tx,
  { userId, caller, now, ipAddress, userAgent }: Impersonation,
): Promise<{ session: Session; sessionToken: string }> {
  const sessionToken = newSecret()
  const expiresAt = Math.min(now.getTime() + impersonationSeconds * 1000, caller.session.expiresAt.getTime())
  const { impersonatedBy: _administrator, ...row } = await tx.session.create({
    data: {
      id: newId(),
      token: newId(),
      tokenHash: sha256(sessionToken),
      userId,
      expiresAt: new Date(expiresAt),
      createdAt: now,
      updatedAt: now,
      remembered: false,
      ipAddress,
      userAgent,
      method: 'impersonation',
      impersonatedBy: caller.user.id,
      impersonatorSessionId: caller.session.id,
    },
  })
  return { session: { ...row, impersonatedBy: caller.user.id }, sessionToken }
}

type Impersonation = { userId: string; caller: CurrentSession; now: Date; ipAddress: string; userAgent: string }

/**
 * The administrator behind a session, and the administrator's own session. Undefined once that session has ended, or
 * its user is banned or no longer an administrator.
 */
export async function findImpersonator(tx: Tx, sessionId: string, now: Date) {
  const row = await tx.session.findUnique({
    where: { id: sessionId },
    select: { impersonator: true, impersonatorSession: { select: { id: true, expiresAt: true } } },
  })
  if (!row?.impersonator || !row.impersonatorSession || row.impersonatorSession.expiresAt <= now) return undefined
  const { id, name, email, role } = row.impersonator
  if (role !== 'admin' || isBanned(row.impersonator, now)) return undefined
  return { administrator: { id, name, email }, sessionId: row.impersonatorSession.id }
}

/** Ends the user's session with this handle; returns its id, or undefined if the user has no such session. */
export async function revokeSession(tx: Tx, userId: string, token: string): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    delete from "Session" where "userId" = ${userId} and token = ${token} returning id`
  return row?.id
}

/**
 * Ends all sessions of a user, except the given one. Locks them first: a concurrent transaction that creates a session
 * from one of them holds its lock, and has committed by the time the second statement runs.
 */
export async function revokeSessions(tx: Tx, userId: string, exceptId?: string): Promise<void> {
  await tx.$queryRaw`select 1 from "Session" where "userId" = ${userId} order by id for update`
  await tx.session.deleteMany({ where: { userId, ...(exceptId !== undefined && { id: { not: exceptId } }) } })
}

/** Issues a new token for an existing session; its handle does not change. Undefined if the session no longer exists. */
export async function renewSessionToken(tx: Tx, id: string, now: Date): Promise<string | undefined> {
  const sessionToken = newSecret()
  const { count } = await tx.session.updateMany({
    where: { id },
    data: { tokenHash: sha256(sessionToken), updatedAt: now },
  })
  return count === 1 ? sessionToken : undefined
}

/** Sets or clears the active organization of a session. The user's next sessions start with the one used last. */
export async function setActiveOrganization(tx: Tx, id: string, organizationId: string | null): Promise<void> {
  if (organizationId === null) {
    await tx.session.updateMany({ where: { id }, data: { activeOrganizationId: null } })
    return
  }
  // Does nothing if the user is no longer a member of the organization. The user's row comes first (session/locks.ts).
  await tx.$executeRaw`
    with owner as (
      update "User" u set "lastOrganizationId" = ${organizationId}
      where u.id = (select "userId" from "Session" where id = ${id}) and exists (
        select from "Member" m where m."organizationId" = ${organizationId} and m."userId" = u.id for share)
      returning u.id)
    update "Session" s set "activeOrganizationId" = ${organizationId} from owner where s.id = ${id} and s."userId" = owner.id`
}

/** Clears the active organization in all sessions of a user who is no longer a member of it. */
export async function leaveActiveOrganization(tx: Tx, userId: string, organizationId: string): Promise<void> {
  await tx.session.updateMany({
    where: { userId, activeOrganizationId: organizationId },
    data: { activeOrganizationId: null },
  })
}

/** Ends the session with this token. */
export async function endSession(pool: Pool, sessionToken: string): Promise<void> {
  const text = 'delete from "Session" where "tokenHash" = $1'
  await pool.query({ name: 'sessions.end', text, values: [sha256(sessionToken)] })
}

/** Signs out: ends the session with this token and records an event, in one prepared statement. */
export async function endBySignOut(pool: Pool, origin: Origin, sessionToken: string): Promise<void> {
  const event = eventParameters(origin, { type: 'user.signed_out', data: { sessionId: '' } })
  const values = [sha256(sessionToken), ...event]
  const { rows } = await pool.query<{ id: string; userId: string }>({
    name: 'sessions.signOut',
    text: signOutText,
    values,
  })
  const [ended] = rows
  if (ended) logEvent(origin, { type: 'user.signed_out', actorId: ended.userId, data: { sessionId: ended.id } })
}

const signOutText = `
  with ended as (delete from "Session" where "tokenHash" = $1 returning id, "userId"),
  ${recordText(2, 'ended', (data) => `${data} || jsonb_build_object('sessionId', ended.id)`, 'ended."userId"')}
  select id, "userId" from ended`

/** Deletes an expired session, unless it was extended in the meantime. */
export async function removeExpired(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.session.deleteMany({ where: { id, expiresAt: { lte: now } } })
}

/** Returns whether the session was created (not just used) within the fresh age; an age of 0 disables the check. */
export function isFresh(
  { now, config }: { now: Date; config: { freshAgeSeconds: number } },
  { createdAt }: { createdAt: Date },
): boolean {
  const { freshAgeSeconds } = config
  return freshAgeSeconds === 0 || now.getTime() - createdAt.getTime() < freshAgeSeconds * 1000
}

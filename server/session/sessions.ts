import type { Pool } from 'pg'
import type { LanguageId } from '../../shared/language.ts'
import type { CurrentSession, Session } from '../../shared/session.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import { behind, isUnavailable, type Tx } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import type { UserRole } from '../../prisma/client/enums.ts'

/** A session's row with its user, as one statement finds them. */
export type FoundSession = CurrentSession & { remembered: boolean }

/** A session that was not to be remembered ends after a day, whatever the settings say (contract 2.2). */
const unrememberedSeconds = 86_400

export type NewSession = {
  userId: string
  now: Date
  ipAddress: string
  userAgent: string
  remembered: boolean
  lifetimeSeconds: number
  activeOrganizationId?: string | undefined
  /** The hash that a password was just held against: if it was replaced meanwhile, no session opens. */
  passwordHash?: string
}

/**
 * Opens a session, as one prepared statement. The secret is answered once, for the browser's cookie; the database keeps its
 * SHA-256. Undefined when the password was changed between its check and this: a reset ends every session, also this one.
 */
export async function createSession(
  pool: Pool,
  wish: NewSession,
): Promise<{ session: Session; secret: string; isKnownDevice: boolean } | undefined> {
  const { userId, now, ipAddress, userAgent, remembered, passwordHash = null, activeOrganizationId = null } = wish
  const secret = newSecret()
  const seconds = remembered ? wish.lifetimeSeconds : unrememberedSeconds
  const session: Session = {
    id: newId(),
    token: newId(),
    userId,
    expiresAt: new Date(now.getTime() + seconds * 1000),
    createdAt: now,
    updatedAt: now,
    ipAddress,
    userAgent,
    activeOrganizationId,
  }
  const { id, token, expiresAt } = session
  try {
    const place = [ipAddress, userAgent, passwordHash, activeOrganizationId]
    const values = [id, token, sha256(secret), userId, expiresAt, now, remembered, ...place]
    const { rows } = await pool.query<{ isKnownDevice: boolean }>({ name: 'sessions.create', text: createText, values })
    return rows[0] && { session, secret, ...rows[0] }
  } catch (error) {
    if (isUnavailable(error)) throw error
    refuse('FAILED_TO_CREATE_SESSION', { cause: error })
  }
}

/** Sessions that one user has at the most; a new one ends the oldest beyond them (SEC-82). */
const mostSessions = 250

const createText = `
  with beyond as (
    delete from "Session" where id in (
      select id from "Session" where "userId" = $4 order by "createdAt" desc, id desc offset ${mostSessions - 1}))
  insert into "Session" (id, token, "secretHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent", "activeOrganizationId")
  select $1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $11
  where $10::text is null or exists (select from "Account" where "userId" = $4 and password = $10)
  returning exists (select from "Session" where "userId" = $4 and "userAgent" = $9) as "isKnownDevice"`

/** 256 random bits as the cookie carries them; any other text cannot be a secret of ours. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}

/**
 * The session of a request: one prepared statement on the pool that finds session and user by one unique index. Prisma's
 * findUnique with include sends two statements and costs 0.9 to 1.8 ms of CPU more (speed.md).
 */
export async function findSession(pool: Pool, secret: string): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<SessionColumns>({
    name: 'sessions.find',
    text: findText,
    values: [sha256(secret)],
    rowMode: 'array',
  })
  const row = rows[0]
  if (!row) return undefined
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
    },
  }
}

const findText = `
  select s.id, s.token, s."userId", s."expiresAt", s."createdAt", s."updatedAt", s."ipAddress", s."userAgent",
    s."activeOrganizationId", s.remembered,
    u.email, u.name, u.image, u."emailVerified", u."createdAt", u."updatedAt", u.username, u."displayUsername",
    u.language, u.role
  from "Session" s join "User" u on u.id = s."userId"
  where s."secretHash" = $1`

/** The columns of `findText`, in its order. */
type SessionColumns = [
  ...[id: string, token: string, userId: string, expiresAt: Date, createdAt: Date, updatedAt: Date],
  ...[ipAddress: string, userAgent: string, activeOrganizationId: string | null, remembered: boolean],
  ...[email: string, name: string, image: string | null, emailVerified: boolean, userSince: Date, userUpdated: Date],
  ...[username: string | null, displayUsername: string | null, language: LanguageId, role: UserRole],
]

export type Extension = { now: Date; lifetimeSeconds: number; updateAgeSeconds: number }

/** Has the update age passed since the last extension? Sessions that were not to be remembered are never extended. */
export function isRefreshDue({ session, remembered }: FoundSession, { now, ...ages }: Extension): boolean {
  const extendedAt = session.expiresAt.getTime() - ages.lifetimeSeconds * 1000
  return remembered && extendedAt + ages.updateAgeSeconds * 1000 <= now.getTime()
}

/** Extends a session where it still exists: a refresh beside a sign-out revives nothing (SEC-62). False when it is gone. */
export async function extendSession(
  tx: Tx,
  id: string,
  { now, lifetimeSeconds }: Extension,
): Promise<Date | undefined> {
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
  const { count } = await tx.session.updateMany({ where: { id }, data: { expiresAt, updatedAt: now } })
  return count === 1 ? expiresAt : undefined
}

/** The sessions of a user that still live, in the order in which they were opened. */
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
  return tx.session.findMany({
    where: { userId, expiresAt: { gt: now }, ...(from && behind(from)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    ...(limit !== undefined && { take: limit }),
  })
}

/** Ends the user's session of this handle; false when the user has none such. */
export async function revokeSession(tx: Tx, userId: string, token: string): Promise<boolean> {
  const { count } = await tx.session.deleteMany({ where: { userId, token } })
  return count === 1
}

/** Ends every session of a user, or every one but that of this id. */
export async function revokeSessions(tx: Tx, userId: string, exceptId?: string): Promise<void> {
  await tx.session.deleteMany({ where: { userId, ...(exceptId !== undefined && { id: { not: exceptId } }) } })
}

/** A new secret for a session that goes on; its handle stays. Undefined when the session is gone. */
export async function renewSecret(tx: Tx, id: string, now: Date): Promise<string | undefined> {
  const secret = newSecret()
  const { count } = await tx.session.updateMany({ where: { id }, data: { secretHash: sha256(secret), updatedAt: now } })
  return count === 1 ? secret : undefined
}

/** The organization that this session works in from now on, or none. */
export async function setActiveOrganization(tx: Tx, id: string, organizationId: string | null): Promise<void> {
  // Of an organization that the user has left meanwhile nothing is set (W16).
  await tx.$executeRaw`
    update "Session" s set "activeOrganizationId" = ${organizationId}
    where s.id = ${id} and (${organizationId}::text is null or exists (
      select from "Member" m where m."organizationId" = ${organizationId} and m."userId" = s."userId" for share))`
}

/** Somebody is no member any more: none of the user's sessions works in that organization (W16). */
export async function leaveActiveOrganization(tx: Tx, userId: string, organizationId: string): Promise<void> {
  await tx.session.updateMany({
    where: { userId, activeOrganizationId: organizationId },
    data: { activeOrganizationId: null },
  })
}

/** Ends the session that this secret opens, if there is one. */
export async function endSession(tx: Tx, secret: string): Promise<void> {
  await tx.session.deleteMany({ where: { secretHash: sha256(secret) } })
}

/** Removes a session whose time is over; one that was extended meanwhile stays. */
export async function removeExpired(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.session.deleteMany({ where: { id, expiresAt: { lte: now } } })
}

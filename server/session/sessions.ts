import type { Pool } from 'pg'
import type { Session } from '../../shared/session.ts'
import { eventParameters, type EventOrigin, recordSql } from '../event/event-rows.ts'
import { logEvent } from '../event/record.ts'
import { newSecret, sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { afterCursor, maxRows } from '../foundation/lists.ts'
import { statement } from '../foundation/statement.ts'
import { lockSessions } from './locks.ts'

/**
 * Lists a user's active sessions in the order in which they were created, without those of administrators who act as
 * the user.
 */
export async function listSessions(
  db: Db,
  {
    userId,
    now,
    limit,
    cursor,
  }: { userId: string; now: Date; limit?: number | undefined; cursor?: string | undefined },
): Promise<Session[]> {
  const from = cursor === undefined ? undefined : await db.session.findFirst({ where: { id: cursor, userId } })
  if (from === null) return []
  const rows = await db.session.findMany({
    where: { userId, expiresAt: { gt: now }, impersonatedBy: null, ...(from && afterCursor(from)) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    ...(limit !== undefined && { take: limit }),
  })
  return rows.map(({ impersonatedBy: _nobody, ...row }) => row)
}

/** Lists a user's active sessions, including those of administrators who act as the user. */
export async function listAllSessions(db: Db, userId: string, now: Date): Promise<Session[]> {
  const rows = await db.session.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxRows,
  })
  return rows.map(({ impersonatedBy, ...row }) => ({ ...row, ...(impersonatedBy !== null && { impersonatedBy }) }))
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
  await lockSessions(tx, userId)
  await tx.session.deleteMany({ where: { userId, ...(exceptId !== undefined && { id: { not: exceptId } }) } })
}

/**
 * Issues a new token for an existing session; its handle does not change. Undefined if the session no longer exists.
 */
export async function renewSessionToken(tx: Tx, id: string, now: Date): Promise<string | undefined> {
  const sessionToken = newSecret()
  const { count } = await tx.session.updateMany({
    where: { id },
    data: { tokenHash: sha256(sessionToken), updatedAt: now },
  })
  return count === 1 ? sessionToken : undefined
}

/** Sets or clears the active organization of a session. The user's next sessions start with the one used last. */
export async function setActiveOrganization(db: Db, id: string, organizationId: string | null): Promise<void> {
  if (organizationId === null) {
    await db.session.updateMany({ where: { id }, data: { activeOrganizationId: null } })
    return
  }
  // Does nothing if the user is no longer a member of the organization. The user's row comes first (session/locks.ts).
  await db.$executeRaw`
    with owner as (
      update "User" u set "lastOrganizationId" = ${organizationId}
      where u.id = (select "userId" from "Session" where id = ${id}) and exists (
        select from "Member" m where m."organizationId" = ${organizationId} and m."userId" = u.id for share)
      returning u.id)
    update "Session" s set "activeOrganizationId" = ${organizationId} from owner where s.id = ${id} and s."userId" = owner.id`
}

/** Clears the active organization in all sessions of a user who is no longer a member of it. */
export async function unsetActiveOrganization(tx: Tx, userId: string, organizationId: string): Promise<void> {
  await tx.session.updateMany({
    where: { userId, activeOrganizationId: organizationId },
    data: { activeOrganizationId: null },
  })
}

/** Ends the session with this token. */
export async function endSession(pool: Pool, sessionToken: string): Promise<void> {
  await pool.query(deleteByTokenHash({ tokenHash: sha256(sessionToken) }))
}

const deleteByTokenHash = statement('sessions.end', 'delete from "Session" where "tokenHash" = :tokenHash')

/** Signs out: ends the session with this token and records an event, in one prepared statement. */
export async function endBySignOut(pool: Pool, origin: EventOrigin, sessionToken: string): Promise<void> {
  const event = eventParameters(origin, { type: 'user.signed_out', data: { sessionId: '' } })
  const { rows } = await pool.query<{ id: string; userId: string }>(signOut({ tokenHash: sha256(sessionToken), event }))
  const [ended] = rows
  if (ended) logEvent(origin, { type: 'user.signed_out', actorId: ended.userId, data: { sessionId: ended.id } })
}

const endedId = "jsonb_build_object('sessionId', ended.id)"

const signOut = statement(
  'sessions.signOut',
  `with ended as (delete from "Session" where "tokenHash" = :tokenHash returning id, "userId"),
  ${recordSql({ from: 'ended', data: endedId, user: 'ended."userId"' })}
  select id, "userId" from ended`,
)

/** Deletes an expired session, unless it was extended in the meantime. */
export async function removeExpired(db: Db, id: string, now: Date): Promise<void> {
  await db.session.deleteMany({ where: { id, expiresAt: { lte: now } } })
}

/** Marks sessions that began with factors which have been removed as having no second factor. */
export async function clearSecondFactor(tx: Tx, userId: string, factors: readonly string[]): Promise<void> {
  await tx.session.updateMany({ where: { userId, secondFactor: { in: [...factors] } }, data: { secondFactor: null } })
}

/** Ends the other sessions of a user that began with one of these methods. Returns how many. */
export async function endOtherSessionsByMethod(
  tx: Tx,
  { userId, methods, exceptId }: { userId: string; methods: string[]; exceptId: string },
): Promise<number> {
  const { count } = await tx.session.deleteMany({ where: { userId, method: { in: methods }, id: { not: exceptId } } })
  return count
}

/** Ends the other sessions of a user that began with, or were confirmed by, this second factor. */
export async function endOtherSessionsByFactor(
  tx: Tx,
  { userId, secondFactor, exceptId }: { userId: string; secondFactor: string; exceptId: string },
): Promise<void> {
  await tx.session.deleteMany({ where: { userId, secondFactor, id: { not: exceptId } } })
}

/** The user of the session with this handle, the `token` that lists contain. */
export async function findUserIdByHandle(db: Db, token: string): Promise<{ userId: string } | null> {
  return db.session.findUnique({ where: { token }, select: { userId: true } })
}

/** The second factor of a session. Null if the session has ended. */
export async function findSessionFactor(tx: Tx, id: string): Promise<{ secondFactor: string | null } | null> {
  return tx.session.findUnique({ where: { id }, select: { secondFactor: true } })
}

/** Records the second factor with which a session was confirmed. */
export async function setSessionFactor(tx: Tx, id: string, secondFactor: string): Promise<void> {
  await tx.session.updateMany({ where: { id }, data: { secondFactor } })
}

/** Deletes up to `limit` expired sessions. Returns how many. */
export async function deleteExpiredSessions(db: Db, { now, limit }: { now: Date; limit: number }): Promise<number> {
  return db.$executeRaw`
    delete from "Session" where id in (select id from "Session" where "expiresAt" <= ${now} limit ${limit})`
}

import type { User } from '../../prisma/client/client.ts'
import { sha256 } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { PgTransaction } from '../foundation/transactions.ts'

// Every transaction locks the rows of one user in this order: user, sessions, sign-in methods, tokens. This prevents
// deadlocks.

/** Locks a user's row until the transaction ends and returns the current row; an earlier read may be outdated. */
export async function lockUser(tx: Tx, id: string): Promise<User | null> {
  await tx.$queryRaw`select 1 from "User" where id = ${id} for no key update`
  return tx.user.findUnique({ where: { id } })
}

/** Locks a user's row until the transaction ends, without reading it. False if the user does not exist. */
export async function lockUserRow(sql: PgTransaction, id: string): Promise<boolean> {
  const { rowCount } = await sql.query('select 1 from "User" where id = $1 for no key update', [id])
  return rowCount === 1
}

/**
 * The second factor of a locked session, read under the lock, because it may have been removed since the request began.
 */
type LockedSession = { secondFactor: string | null }

/**
 * Prevents a session from being ended or weakened until the transaction ends; undefined if it has already ended or, with
 * `sessionToken`, if its token was renewed: copies of the cookie are invalid since.
 */
export async function lockSession(tx: Tx, id: string, sessionToken = ''): Promise<LockedSession | undefined> {
  const hash = sessionToken === '' ? null : sha256(sessionToken)
  const [open] = await tx.$queryRaw<LockedSession[]>`
    select "secondFactor" from "Session" where id = ${id} and (${hash}::text is null or "tokenHash" = ${hash}) for share`
  return open
}

/** Locks all sessions of a user. */
export async function lockSessions(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`select 1 from "Session" where "userId" = ${userId} order by id for update`
}

/** Locks the sessions of an administrator, and those in which the administrator acts as another user. */
export async function lockSessionsOfAdministrator(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`
    select 1 from "Session" where "userId" = ${userId} or "impersonatedBy" = ${userId}
    order by "userId" = ${userId} desc, id for update`
}

/** Locks all sign-in methods of a user. */
export async function lockMethods(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`select 1 from "Account" where "userId" = ${userId} order by id for update`
}

/**
 * Locks the signed-in user's row and holds the session; returns the user with the session's second factor. Used by
 * calls that grant lasting access, so that a session ended by a password reset or a revocation since the request began
 * can no longer do so.
 */
export async function lockCaller(
  tx: Tx,
  caller: { user: { id: string }; session: { id: string } },
): Promise<User & LockedSession> {
  const user = await lockUser(tx, caller.user.id)
  const held = await lockSession(tx, caller.session.id)
  if (!user || !held) refuse('UNAUTHORIZED')
  return { ...user, ...held }
}

/**
 * Locks all rows of a user that is about to be deleted, in the order above. The user's row comes last, in its strongest
 * mode, which new sessions and the events of a payment provider wait for.
 */
export async function lockForDeletion(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`select 1 from "User" where id = ${id} for no key update`
  await lockSessions(tx, id)
  await lockMethods(tx, id)
  await tx.$queryRaw`select 1 from "User" where id = ${id} for update`
}

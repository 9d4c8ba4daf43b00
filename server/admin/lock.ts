import type { User } from '../../prisma/client/client.ts'
import { lockAdministrators } from '../account/administrators.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { lockSession, lockUser } from '../session/locks.ts'

type Caller = { user: { id: string }; session: { id: string } }

/**
 * Locks all administrators, then the user that a call is about. The caller must still be an administrator, in a session
 * that has not ended: if two administrators demote, ban or remove each other concurrently, only one succeeds.
 */
export async function lockAdministratorsAndUser(tx: Tx, caller: Caller, userId: string): Promise<User> {
  await lockAdministratorsAndCaller(tx, caller)
  return (await lockUser(tx, userId)) ?? refuse('ADMIN_USER_NOT_FOUND')
}

/**
 * Locks all administrators and the caller's session, for calls that lock what they are about themselves. Refused if the
 * caller is no longer an administrator, or the session has ended.
 */
export async function lockAdministratorsAndCaller(tx: Tx, { user, session }: Caller): Promise<void> {
  const administrators = await lockAdministrators(tx)
  if (!administrators.includes(user.id)) refuse('YOU_ARE_NOT_AN_ADMINISTRATOR')
  if (!(await lockSession(tx, session.id))) refuse('UNAUTHORIZED')
}

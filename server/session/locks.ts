import type { User } from '../../prisma/client/client.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'

// Every transaction that locks rows of one user takes them in this order: the user, sessions, sign-in methods, tokens. So no
// two of them wait for each other.

/** Locks a user's row until the transaction ends and answers it as it is then: what was read before may be outdated. */
export async function lockUser(tx: Tx, id: string): Promise<User | null> {
  await tx.$queryRaw`select 1 from "User" where id = ${id} for no key update`
  return tx.user.findUnique({ where: { id } })
}

/** Keeps a session from being ended until the transaction ends; false when it has ended. */
export async function holdSession(tx: Tx, id: string): Promise<boolean> {
  const open = await tx.$queryRaw<unknown[]>`select 1 from "Session" where id = ${id} for share`
  return open.length > 0
}

/**
 * The signed-in user's row, locked, with the session held. For calls that hand out something lasting: a session that a reset
 * or a revocation has ended since the request began decides nothing any more.
 */
export async function lockCaller(tx: Tx, caller: { user: { id: string }; session: { id: string } }): Promise<User> {
  const user = await lockUser(tx, caller.user.id)
  if (!user || !(await holdSession(tx, caller.session.id))) refuse('UNAUTHORIZED')
  return user
}

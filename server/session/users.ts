import type { User } from '../../prisma/client/client.ts'
import type { Tx } from '../foundation/database.ts'

/** The user with this id. Null if there is none, or no longer. */
export async function findUserById(tx: Tx, id: string): Promise<User | null> {
  return tx.user.findUnique({ where: { id } })
}

/** The user with this id, who exists: the transaction has stored the row, or holds a lock that a deletion waits for. */
export async function readUser(tx: Tx, id: string): Promise<User> {
  return tx.user.findUniqueOrThrow({ where: { id } })
}

/** The user with this email address, verified or not. It is compared as stored: in lower case. */
export async function findUserByEmail(tx: Tx, email: string): Promise<User | null> {
  return tx.user.findUnique({ where: { email } })
}

import type { User } from '../../prisma/client/client.ts'
import type { Db, Tx } from '../foundation/database.ts'

/** The user with this id. Null if there is none, or no longer. */
export async function findUserById(db: Db, id: string): Promise<User | null> {
  return db.user.findUnique({ where: { id } })
}

/** The user with this id, who exists: the transaction has stored the row, or holds a lock that a deletion waits for. */
export async function readUser(tx: Tx, id: string): Promise<User> {
  return tx.user.findUniqueOrThrow({ where: { id } })
}

/** The user with this email address, verified or not. It is compared as stored: in lower case. */
export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  return db.user.findUnique({ where: { email } })
}

import type { Pool } from 'pg'
import type { FullUser } from '../../shared/account.ts'
import type { Tx } from '../foundation/database.ts'
import { maxRows } from '../foundation/lists.ts'
import { refuse } from '../foundation/refusal.ts'
import { statement } from '../foundation/statement.ts'
import type { Statements } from '../foundation/transactions.ts'

/** Lists all administrators, sorted by email address. */
export async function listAdministrators(tx: Tx) {
  return tx.user.findMany({
    where: { role: 'admin' },
    select: { id: true, email: true, name: true, createdAt: true },
    orderBy: { email: 'asc' },
    take: maxRows,
  })
}

/** Locks all administrator rows, so that concurrent revocations cannot remove the last administrator. */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`select id from "User" where role = 'admin' order by id for no key update`
  return rows.map(({ id }) => id)
}

/**
 * Locks the caller's role until the end of the transaction, and no other administrator's: for calls that change no
 * administrator. Also used for calls with an administrator's API key.
 */
export async function lockAsAdministrator(sql: Statements, userId: string): Promise<void> {
  const { rows } = await sql.query(holdAdministrator({ userId }))
  if (rows.length === 0) refuse('YOU_ARE_NOT_AN_ADMINISTRATOR')
}

const holdAdministrator = statement(
  'administrators.hold',
  `select 1 from "User" where id = :userId and role = 'admin' for share`,
)

/**
 * Refuses a caller who is no longer an administrator. Waits for a demotion that is being committed, but holds nothing
 * afterwards: for calls of a provider, during which no lock may be held.
 */
export async function requireCurrentAdministrator(pool: Pool, userId: string): Promise<void> {
  await lockAsAdministrator(pool, userId)
}

/**
 * Returns a user's email address, the address a pending change would revert to, and former addresses held as
 * administrator.
 */
export async function addressesOf(tx: Tx, { id }: FullUser): Promise<string[]> {
  const select = { email: true, previousEmail: true, formerAdminEmails: true } as const
  const { email, previousEmail, formerAdminEmails } = await tx.user.findUniqueOrThrow({ where: { id }, select })
  return [...new Set([email, previousEmail, ...formerAdminEmails].filter((address) => address !== null))]
}

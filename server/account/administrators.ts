import type { Pool } from 'pg'
import type { Prisma, User } from '../../prisma/client/client.ts'
import type { FullUser } from '../../shared/account.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { maxRows } from '../foundation/lists.ts'
import { refuse } from '../foundation/refusal.ts'
import { statement } from '../foundation/statement.ts'
import type { Statements } from '../foundation/transactions.ts'

/** Lists all administrators, sorted by email address. */
export async function listAdministrators(db: Db) {
  return db.user.findMany({
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
 * Refuses a caller who is no longer an administrator, and keeps the role until the end of the transaction. Locks only
 * the caller's own row: for calls that change no administrator, also with an API key. Calls that do, or that must not
 * outlive the caller's session, use `lockAdministratorsAndCaller` (`server/admin/lock.ts`).
 */
export async function requireAdministratorUntilCommit(sql: Statements, userId: string): Promise<void> {
  const { rows } = await sql.query(lockAdministrator({ userId }))
  if (rows.length === 0) refuse('YOU_ARE_NOT_AN_ADMINISTRATOR')
}

const lockAdministrator = statement(
  'administrators.lock',
  `select 1 from "User" where id = :userId and role = 'admin' for share`,
)

/**
 * Refuses a caller who is no longer an administrator. Waits for a demotion that is being committed, but holds nothing
 * afterwards: for calls of a provider, during which no lock may be held.
 */
export async function requireAdministratorNow(pool: Pool, userId: string): Promise<void> {
  await requireAdministratorUntilCommit(pool, userId)
}

/**
 * Returns a user's email address, the address a pending change would revert to, and former addresses held as
 * administrator.
 */
export async function emailsOf(tx: Tx, { id }: FullUser): Promise<string[]> {
  const select = { email: true, previousEmail: true, formerAdminEmails: true } as const
  const { email, previousEmail, formerAdminEmails } = await tx.user.findUniqueOrThrow({ where: { id }, select })
  return [...new Set([email, previousEmail, ...formerAdminEmails].filter((address) => address !== null))]
}

/** Other administrators than this one, up to `limit`, to notify them. */
export async function listOtherAdministrators(tx: Tx, { id, limit }: { id: string; limit: number }): Promise<User[]> {
  return tx.user.findMany({ where: { role: 'admin', id: { not: id } }, orderBy: { id: 'asc' }, take: limit })
}

/**
 * Gives a user the role of an administrator. Returns false if the user has it, or the row no longer has the properties
 * in `only`: it may have changed before it was locked.
 */
export async function grantAdministratorRole(tx: Tx, id: string, only: Prisma.UserWhereInput): Promise<boolean> {
  const { count } = await tx.user.updateMany({ where: { ...only, id, role: 'user' }, data: { role: 'admin' } })
  return count > 0
}

/** Takes the role of an administrator from a user. Returns false if the user does not have it. */
export async function revokeAdministratorRole(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.user.updateMany({ where: { id, role: 'admin' }, data: { role: 'user' } })
  return count > 0
}

/** Whether the role of an administrator was taken from this email address: ADMIN_EMAILS no longer grants it. */
export async function isRevokedEmail(tx: Tx, email: string): Promise<boolean> {
  return (await tx.revokedAdministrator.findUnique({ where: { email } })) !== null
}

/** Remembers that ADMIN_EMAILS must no longer grant the role to these email addresses. */
export async function addRevokedEmails(tx: Tx, emails: readonly string[], now: Date): Promise<void> {
  const data = emails.map((email) => ({ email, revokedAt: now }))
  await tx.revokedAdministrator.createMany({ data, skipDuplicates: true })
}

/** Lets ADMIN_EMAILS grant the role to this email address again. */
export async function deleteRevokedEmail(tx: Tx, email: string): Promise<void> {
  await tx.revokedAdministrator.deleteMany({ where: { email } })
}

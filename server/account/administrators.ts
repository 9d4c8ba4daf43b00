import type { FullUser } from '../../shared/account.ts'
import type { Tx } from '../foundation/database.ts'

/** All administrators, by address. */
export async function listAdministrators(tx: Tx) {
  return tx.user.findMany({
    where: { role: 'admin' },
    select: { id: true, email: true, name: true, createdAt: true },
    orderBy: { email: 'asc' },
    take: 1000,
  })
}

/** Every administrator, locked: of two who revoke each other at once, one is still an administrator. */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`select id from "User" where role = 'admin' order by id for update`
  return rows.map(({ id }) => id)
}

/** The address of a user, the one that a change may return to, and those that the user has left as an administrator. */
export async function addressesOf(tx: Tx, { id }: FullUser): Promise<string[]> {
  const select = { email: true, previousEmail: true, formerAdminEmails: true } as const
  const { email, previousEmail, formerAdminEmails } = await tx.user.findUniqueOrThrow({ where: { id }, select })
  return [...new Set([email, previousEmail, ...formerAdminEmails].filter((address) => address !== null))]
}

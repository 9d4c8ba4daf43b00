import type { FullUser } from '../../shared/account.ts'
import type { Tx } from '../foundation/database.ts'

/** Lists all administrators, sorted by address. */
export async function listAdministrators(tx: Tx) {
  return tx.user.findMany({
    where: { role: 'admin' },
    select: { id: true, email: true, name: true, createdAt: true },
    orderBy: { email: 'asc' },
    take: 1000,
  })
}

/** Locks all administrator rows, so that concurrent revocations cannot remove the last administrator. */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`select id from "User" where role = 'admin' order by id for no key update`
  return rows.map(({ id }) => id)
}

/** Returns a user's address, the address a pending change would revert to, and former addresses held as administrator. */
export async function addressesOf(tx: Tx, { id }: FullUser): Promise<string[]> {
  const select = { email: true, previousEmail: true, formerAdminEmails: true } as const
  const { email, previousEmail, formerAdminEmails } = await tx.user.findUniqueOrThrow({ where: { id }, select })
  return [...new Set([email, previousEmail, ...formerAdminEmails].filter((address) => address !== null))]
}

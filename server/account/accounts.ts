import type { Db, Tx } from '../foundation/database.ts'
import { maxRows } from '../foundation/lists.ts'
import { refuse } from '../foundation/refusal.ts'
import { lockUser } from '../session/locks.ts'
import { scopesOf } from './identities.ts'

/** Returns a user's sign-in methods in the order in which they were added. */
export async function listAccounts(db: Db, userId: string) {
  const rows = await db.account.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxRows,
    select: { id: true, providerId: true, accountId: true, scope: true, createdAt: true, updatedAt: true },
  })
  return rows.map(({ providerId, scope, ...account }) => ({
    ...account,
    provider: providerId,
    scopes: scopesOf({ scope }),
  }))
}

type Unlink = { userId: string; providerId: string; accountId: string | undefined; mayUnlinkLast: boolean }

/** Removes a sign-in method. Locks the user's row so that two concurrent calls cannot remove the last two (SEC-46). */
export async function unlinkAccount(tx: Tx, { userId, providerId, accountId, mayUnlinkLast }: Unlink): Promise<void> {
  await lockUser(tx, userId)
  const accounts = await tx.account.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  if (accounts.length <= 1 && !mayUnlinkLast) refuse('YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT')
  const account = accounts.find(
    (one) => one.providerId === providerId && (accountId === undefined || one.accountId === accountId),
  )
  if (!account) refuse('ACCOUNT_NOT_FOUND')
  await tx.account.delete({ where: { id: account.id } })
}

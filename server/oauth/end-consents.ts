import { isUnavailable } from '../foundation/database-errors.ts'
import type { Database } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import { lockUser } from '../session/locks.ts'
import { deleteOrphaned, listOrphaned, type UserClient } from './consents.ts'
import { restrictGrantsToConsents } from './limit-grants.ts'

/**
 * Ends the consents for organizations that have been deleted, `batch` at a time, and the access that they gave. Those
 * in use at this moment are left to the next call.
 */
export async function endConsentsOfDeletedOrganizations(
  deps: { db: Database['prisma'] },
  { now, batch }: { now: Date; batch: number },
): Promise<void> {
  const failures: unknown[] = []
  let last: UserClient | undefined = { userId: '', clientId: '' }
  while (last) {
    const page: UserClient[] = await listOrphaned(deps.db, last, batch)
    for (const connection of page) {
      // A transaction for each: one that fails does not keep the others.
      const ending = async () => {
        while ((await endOrphaned(deps, connection, { now, batch })) === batch);
      }
      await ending().catch((error: unknown) => isUnavailable(error) || failures.push(error))
    }
    last = page[batch - 1]
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not all consents were ended')
}

async function endOrphaned(
  deps: { db: Database['prisma'] },
  connection: UserClient,
  { now, batch }: { now: Date; batch: number },
): Promise<number> {
  return transaction(deps, async (tx) => {
    await lockUser(tx, connection.userId)
    const count = await deleteOrphaned(tx, connection, batch)
    await restrictGrantsToConsents(tx, connection, now)
    return count
  })
}

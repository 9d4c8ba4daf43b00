import type { App } from '../dependencies.ts'
import { originWithoutRequest, recordAll } from '../event/record.ts'
import { daysBefore } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { deleteUnused, listUnverified, lockUnused } from './unused-accounts.ts'
import { unverifiedDays } from './users.ts'

/** Maximum accounts checked per page, and deleted per transaction: each deletion may cascade to other tables. */
const pageSize = 1_000
const batchSize = 50

/**
 * Deletes accounts that signed up a month ago and were never verified or signed in to. Accounts that were used are
 * kept, verified or not, because their owners would lose data. Accounts that signed up before the oldest retained event
 * are kept too, as their history is unknown.
 */
export async function removeUnusedAccounts(app: App): Promise<void> {
  const now = app.clock()
  const before = daysBefore(now, unverifiedDays)
  let after: { id: string; createdAt: Date } | undefined = {
    id: '',
    createdAt: daysBefore(now, app.config.eventRetentionDays),
  }
  while (after) {
    const page = await listUnverified(app.db, { before, after, limit: pageSize })
    const ids = page.map(({ id }) => id)
    while ((await removeSome(app, ids)) === batchSize);
    after = page[pageSize - 1]
  }
}

/** Deletes some of the accounts among these that were never used. Returns how many were found. */
async function removeSome(app: App, among: string[]): Promise<number> {
  const origin = originWithoutRequest(app)
  return transaction(app, async (tx) => {
    const found = await lockUnused(tx, among, batchSize)
    // Checks again under the locks: a user may have signed in while the first statement waited.
    const users = await deleteUnused(tx, found)
    await recordAll(
      tx,
      origin,
      users.map(({ id, email }) => ({ type: 'user.deleted', subjectId: id, data: { email } })),
    )
    return found.length
  })
}

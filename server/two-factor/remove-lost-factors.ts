import type { App } from '../dependencies.ts'
import { originWithoutRequest, record } from '../event/record.ts'
import { cancelRemoval, findRemoval, listDueRemovals } from '../factor/factor-removals.ts'
import { removeAllFactors } from '../factor/factors.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import { lockUser } from '../session/locks.ts'
import { isBanned } from '../session/session-rows.ts'
import { revokeSessions } from '../session/sessions.ts'
import { findUserById } from '../session/users.ts'

/** Rows processed per run. The next run is ten minutes later. */
const batchSize = 100

/**
 * Removes second factors whose removal an administrator started a day ago, and that have not been used to sign in
 * since.
 */
export async function removeLostFactors(app: App): Promise<void> {
  const origin = originWithoutRequest(app)
  const { now } = origin
  const due = await listDueRemovals(app.db, now, batchSize)
  for (const { userId } of due) {
    await transaction(app, async (tx) => {
      const user = await lockUser(tx, userId)
      const removal = await findRemoval(tx, userId)
      // It may have been canceled, or started again, in the meantime.
      if (!user || !removal || removal.removeAt > now) return
      // The administrator who started it must still be one.
      const by = await findUserById(tx, removal.startedBy)
      if (by?.role !== 'admin' || isBanned(by, now)) return void (await cancelRemoval(tx, userId))
      await removeAllFactors(tx, userId)
      // The finder of a lost phone may be signed in with it.
      await revokeSessions(tx, userId)
      const event = { actorId: removal.startedBy, subjectId: userId, data: {} }
      await record(tx, origin, { type: 'user.two_factor_disabled', ...event })
      await record(tx, origin, { type: 'user.sessions_revoked', ...event, data: { except: null } })
      await app.outbox.enqueue(tx, composeMail('twoFactorDisabled', user, { now }), now)
    }).catch((error: unknown) => app.log.warn({ err: error, userId }, 'failed to remove a second factor'))
  }
}

import type { App } from '../dependencies.ts'
import { record } from '../event/record.ts'
import { cancelRemoval, removeAllFactors } from '../factor/two-factors.ts'
import { transaction } from '../foundation/database.ts'
import { composeMail } from '../mail/mail.ts'
import { lockUser } from '../session/locks.ts'
import { isBanned, revokeSessions } from '../session/sessions.ts'

/** Rows of one run; the next one is ten minutes later. */
const batch = 100

/** Removes the second factors whose removal an administrator began a day ago, and that nobody has signed in with since. */
export async function removeLostFactors(app: App): Promise<void> {
  const now = app.clock()
  const origin = { now, ipAddress: '', userAgent: '', requestId: '', log: app.log }
  const due = await app.db.twoFactor.findMany({ where: { removalAt: { lte: now } }, take: batch })
  for (const { userId } of due) {
    await transaction(app, async (tx) => {
      const user = await lockUser(tx, userId)
      const found = await tx.twoFactor.findFirst({ where: { userId, removalAt: { lte: now } } })
      if (!user || !found) return
      // Who began it has to be an administrator still.
      const by = await tx.user.findUnique({ where: { id: found.removalBy ?? '' } })
      if (by?.role !== 'admin' || isBanned(by, now)) return void (await cancelRemoval(tx, userId))
      await removeAllFactors(tx, userId)
      // Whoever found the phone may be signed in with it.
      await revokeSessions(tx, userId)
      const event = { actorId: found.removalBy, subjectId: userId, data: {} }
      await record(tx, origin, { type: 'user.two_factor_disabled', ...event })
      await record(tx, origin, { type: 'user.sessions_revoked', ...event, data: { except: null } })
      await app.outbox.enqueue(tx, composeMail('twoFactorDisabled', user, { now }), now)
    }).catch((error: unknown) => app.log.warn({ err: error, userId }, 'a second factor was not removed'))
  }
}

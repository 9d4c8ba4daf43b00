import type { App } from '../../dependencies.ts'
import { daysAfter } from '../../foundation/time.ts'
import { pgTransaction } from '../../foundation/transactions.ts'
import { billingOwnerOf } from '../billing-owner/billing-owner.ts'
import { notifyOwner } from '../events/notify-owner.ts'
import { trialEndOf } from './owned-subscriptions.ts'
import { findTrialsToNotify, markTrialNotified } from './subscriptions.ts'

/** Days before the end of a trial at which its owner is notified. */
const reminderDays = 3

/** Notifies the owners of trials that end within three days, once each. Runs every night. */
export async function notifyTrials(app: App): Promise<void> {
  const now = app.clock()
  const soon = daysAfter(now, reminderDays)
  for (const row of await findTrialsToNotify(app.db, { now, until: daysAfter(soon, 1) })) {
    const owner = billingOwnerOf(row)
    const until = trialEndOf(row, now)
    if (!owner || until === null || until > soon) continue
    await pgTransaction(app.pool, async (sql) => {
      // Another process may have notified the owner first.
      if (!(await markTrialNotified(sql, row.subscriptionId, now))) return
      await notifyOwner(sql, app, 'trialEnding', owner, { now, until })
    })
  }
}

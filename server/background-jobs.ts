import { setTimeout as wait } from 'node:timers/promises'
import type { TaskList } from 'graphile-worker'
import { z } from 'zod'
import type { App } from './dependencies.ts'
import { startJobEngine } from './foundation/job-engine.ts'
import { countActiveUsers } from './maintenance/count-active-users.ts'
import { reencryptStored } from './maintenance/reencrypt.ts'
import { reduceOldPayloads, sweep } from './maintenance/sweep.ts'
import { sendLogouts } from './oauth/send-logouts.ts'
import { notifyPolicy } from './organization/notify-policy.ts'
import { assignVerifiedPurchases } from './payment/attribution/assign-verified-purchases.ts'
import { updateCustomers } from './payment/customers/update-customers.ts'
import { applyReceivedEvents } from './payment/events/receive-webhook.ts'
import { reconcile, ReconcileProgress } from './payment/reconciliation/reconcile.ts'
import { notifyTrials } from './payment/subscriptions/notify-trials.ts'
import { updateSeats } from './payment/subscriptions/update-seats.ts'
import { assignEventSequences } from './webhook/read-events.ts'
import { createDeliverySender } from './webhook/send-deliveries.ts'

/**
 * When each regular task runs, in UTC. Their priority is above that of sending emails, so that none waits for a hanging
 * mail server. A key keeps a task from being queued twice; with `preserve_run_at`, a queued one keeps its place.
 */
const crontab = `* * * * * bringMailsForward ?max=1&priority=-1
* * * * * applyReceivedEvents ?max=1&priority=-1&jobKey=applyReceivedEvents&jobKeyMode=preserve_run_at
*/10 * * * * claimPurchases ?max=1&priority=-1
*/10 * * * * updateCustomers ?max=1&priority=-1&queue=customers
* * * * * updateSeats ?max=1&priority=-1
* * * * * numberEvents ?max=1&priority=-1
23 9 * * * notifyTrials ?max=1&priority=-1
*/10 * * * * sweep ?max=1&priority=-1
17 3 * * * reconcilePayments ?max=1&priority=-1&queue=reconcile
43 3 * * * reencrypt ?max=1&priority=-1
55 * * * * countActiveUsers ?max=1&priority=-1
27 2 * * * rotateSigningKeys ?max=1&priority=-1
11 4 * * * reducePayloads ?max=1&priority=-1`

/** The background tasks, each implemented in its module. */
function tasks(app: App): TaskList {
  return {
    deliverMail: async (payload) => {
      const { id } = z.object({ id: z.string() }).parse(payload)
      const outcome = await app.outbox.deliver(app.db, id, app.clock()).catch((error: unknown) => {
        app.metrics?.mail('failed')
        throw error
      })
      if (outcome !== 'not due') app.metrics?.mail(outcome === 'sent' ? 'sent' : 'failed')
    },
    bringMailsForward: () => app.outbox.rescheduleWaitingMails(app.db, app.clock()),
    countActiveUsers: () => countActiveUsers(app),
    sweep: () => sweep(app),
    applyReceivedEvents: () => applyReceivedEvents(app),
    claimPurchases: () => assignVerifiedPurchases(app),
    updateCustomers: () => updateCustomers(app),
    updateSeats: () => updateSeats(app),
    notifyPolicy: (payload) => notifyPolicy(app, payload),
    numberEvents: () => assignEventSequences(app),
    notifyTrials: () => notifyTrials(app),
    reconcilePayments: async (payload, { addJob }) => {
      // A job started by the crontab carries the crontab's own payload.
      const { data } = z.object({ progress: ReconcileProgress }).safeParse(payload)
      const rest = await reconcile(app, data?.progress)
      if (!rest) return
      const runAt = new Date(app.clock().getTime() + rest.afterSeconds * 1000)
      await addJob(
        'reconcilePayments',
        { progress: rest.progress },
        { runAt, jobKey: 'reconcilePayments', queueName: 'reconcile' },
      )
    },
    rotateSigningKeys: () => app.signingKeys.rotate(app.clock()),
    reencrypt: () => reencryptStored(app),
    reducePayloads: () => reduceOldPayloads(app),
  }
}

/** Milliseconds between two checks for sign-outs that applications have not been notified of. */
const logoutMs = 3_000

/** Milliseconds between two checks for events that wait for their endpoints. */
const deliveryMs = 500

/** Runs the background tasks, and what has to happen within seconds, until it is stopped. */
export function startJobs(app: App, databaseUrl: string): { stop: () => Promise<void> } {
  const own = tasks(app)
  app.metrics?.announceJobs(Object.keys(own))
  const engine = startJobEngine({
    databaseUrl,
    tasks: own,
    crontab,
    log: app.log,
    onJob: (task, outcome) => app.metrics?.job(task, outcome),
  })
  const sender = createDeliverySender(app)
  const state = { isStopping: false }

  /** Repeats work that must be done within seconds, which is finer than the crontab's resolution. */
  async function sendRepeatedly(
    what: string,
    { ms, wake }: { ms: number; wake?: () => Promise<void> | undefined },
    send: () => Promise<boolean>,
  ): Promise<void> {
    while (!state.isStopping) {
      const isMore = await send().catch((error: unknown) => {
        app.log.warn({ err: error }, `failed to send ${what}`)
        return false
      })
      const pause = wait(ms, undefined, { ref: false })
      const woken = wake?.()
      if (!isMore) await (woken ? Promise.race([pause, woken]) : pause)
    }
  }

  void sendRepeatedly('logout notices', { ms: logoutMs }, async () => (await sendLogouts(app)).isMore)
  void sendRepeatedly('webhooks', { ms: deliveryMs, wake: sender.freed }, async () => (await sender.start()) > 0)
  return {
    async stop() {
      state.isStopping = true
      await engine.stop(sender.idle())
    },
  }
}

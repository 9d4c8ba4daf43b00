import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, type Runner, type TaskList, type WorkerEvents, run } from 'graphile-worker'
import { z } from 'zod'
import type { App } from './dependencies.ts'
import { isPooled, openPool } from './foundation/pool.ts'
import { reencryptStored } from './maintenance/reencrypt.ts'
import { reducePayloads, sweep } from './maintenance/sweep.ts'
import { notifyPolicy } from './organization/notify-policy.ts'
import { sendLogouts } from './oauth/send-logouts.ts'
import { claimPurchases } from './payment/claim-purchases.ts'
import { notifyTrials } from './payment/notify-trials.ts'
import { updateCustomers } from './payment/update-customers.ts'
import { updateSeats } from './payment/update-seats.ts'
import { applyReceivedEvents } from './payment/receive-delivery.ts'
import { ReconcileProgress, reconcile } from './payment/reconcile.ts'
import { numberAhead } from './webhook/read-events.ts'
import { openSender } from './webhook/send-deliveries.ts'

/** Concurrent jobs per process. */
const concurrency = 4

/** How long a shutdown waits for running jobs, and then for the database to unlock them and to close, in milliseconds each. */
const stopMs = 3_000
const closeMs = 1_000

/**
 * Every minute, reschedules waiting emails and applies waiting payment events; at night, reconciles payments. These
 * tasks have priority over sending emails, so that none of them waits for a hanging mail server.
 */
const crontab = `* * * * * bringMailsForward ?max=1&priority=-1
* * * * * applyReceivedEvents ?max=1&priority=-1
*/10 * * * * claimPurchases ?max=1&priority=-1
*/10 * * * * updateCustomers ?max=1&priority=-1&queue=customers
* * * * * updateSeats ?max=1&priority=-1
* * * * * numberEvents ?max=1&priority=-1
23 9 * * * notifyTrials ?max=1&priority=-1
*/10 * * * * sweep ?max=1&priority=-1
17 3 * * * reconcilePayments ?max=1&priority=-1&queue=reconcile
43 3 * * * reencrypt ?max=1&priority=-1
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
    bringMailsForward: () => app.outbox.bringForward(app.db, app.clock()),
    sweep: () => sweep(app),
    applyReceivedEvents: () => applyReceivedEvents(app),
    claimPurchases: () => claimPurchases(app),
    updateCustomers: () => updateCustomers(app),
    updateSeats: () => updateSeats(app),
    notifyPolicy: (payload) => notifyPolicy(app, payload),
    numberEvents: () => numberAhead(app),
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
    reducePayloads: () => reducePayloads(app),
  }
}

/** Milliseconds between two checks for sign-outs that applications have not been notified of. */
const logoutMs = 3_000

/** Milliseconds between two checks for events that wait for their endpoints. */
const deliveryMs = 500

/** How long to wait for a broken engine to stop before abandoning it. */
const abandonMs = 5_000

/**
 * Runs the job engine on the application's PostgreSQL and restarts it after the database was lost: a worker that
 * cannot release its job ends permanently, and the engine's own promise then never resolves. So the first such worker stops
 * the engine, and the jobs locked by its workers are released for the next one.
 */
export function startJobs(app: App, databaseUrl: string): { stop: () => Promise<void> } {
  const pool = openPool(databaseUrl, {
    connections: concurrency + 2,
    onError: () => {},
    isUnlimited: true,
    // For statements of the engine only: the jobs have connections of their own.
    answerMs: 30_000,
    name: 'foyer jobs',
  })
  // The engine logs each job. Only its errors are logged here, as warnings; the jobs log what matters themselves.
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') app.log.warn({ message }, 'job engine')
  })
  let runner: Runner | undefined
  const state = { isStopping: false }
  /** Workers of stopped engines, whose jobs are still locked. */
  let broken: string[] = []
  /** Workers of the running engine. */
  let workerIds: string[] = []

  async function runOnce(): Promise<void> {
    if (broken.length > 0) {
      await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [broken])
      broken = []
    }
    const events: WorkerEvents = new EventEmitter()
    workerIds = []
    events.on('job:success', ({ job }) => app.metrics?.job(job.task_identifier, 'done'))
    events.on('job:error', ({ job }) => app.metrics?.job(job.task_identifier, 'failed'))
    events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId))
    const failure = new Promise<'failed'>((fail) => events.once('worker:fatalError', () => fail('failed')))
    const taskList = tasks(app)
    // PgBouncer does not pass on notifications of new jobs: the engine polls for them every two seconds.
    const noPreparedStatements = isPooled(pool)
    const options = { pgPool: pool, concurrency, taskList, crontab, logger, events, noPreparedStatements }
    runner = await run({ ...options, noHandleSignals: true })
    // A stop requested while the engine was starting had no engine to stop yet.
    if (state.isStopping) await runner.stop()
    const outcome = await Promise.race([runner.promise, failure])
    if (outcome !== 'failed') return
    app.log.warn({}, 'job engine failed and is restarting')
    broken = workerIds
    const ended = runner.stop().catch(() => {})
    await Promise.race([ended, wait(abandonMs, undefined, { ref: false })])
  }

  async function keepRunning(): Promise<void> {
    while (!state.isStopping) {
      try {
        await runOnce()
      } catch (error) {
        app.log.warn({ message: error instanceof Error ? error.message : 'unknown' }, 'job engine stopped')
      }
      if (!state.isStopping) await wait(1_000)
    }
  }

  /** Repeats work that must be done within seconds, which is finer than the crontab's resolution. */
  async function keepSending(
    what: string,
    { ms, wake }: { ms: number; wake?: () => Promise<void> | undefined },
    send: () => Promise<boolean>,
  ): Promise<void> {
    while (!state.isStopping) {
      const isMore = await send().catch((error: unknown) => {
        app.log.warn({ err: error }, `${what} were not sent`)
        return false
      })
      const pause = wait(ms, undefined, { ref: false })
      const woken = wake?.()
      if (!isMore) await (woken ? Promise.race([pause, woken]) : pause)
    }
  }

  const running = keepRunning()
  const sender = openSender(app)
  void keepSending('logouts', { ms: logoutMs }, async () => (await sendLogouts(app)).isMore)
  void keepSending('webhooks', { ms: deliveryMs, wake: sender.freed }, async () => (await sender.start()) > 0)
  return {
    async stop() {
      state.isStopping = true
      // A hanging mail server or endpoint can hold its job longer than a shutdown may take. The email or event is sent
      // after the next start.
      const stopped = Promise.all([runner?.stop().catch(() => {}), running, sender.idle()])
      const isDone = await Promise.race([stopped.then(() => true), wait(stopMs, false, { ref: false })])
      // Jobs that are interrupted here are immediately run again, by this process or another one. If they stayed
      // locked, they would wait for hours.
      if (!isDone && workerIds.length > 0) {
        const unlocked = pool.query('select graphile_worker.force_unlock_workers($1::text[])', [workerIds])
        await Promise.race([unlocked.catch(() => {}), wait(closeMs, undefined, { ref: false })])
      }
      await Promise.race([pool.end().catch(() => {}), wait(closeMs, undefined, { ref: false })])
    },
  }
}

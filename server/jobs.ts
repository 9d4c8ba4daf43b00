import { setTimeout as wait } from 'node:timers/promises'
import { Logger, run, type Runner, type TaskList } from 'graphile-worker'
import { Pool } from 'pg'
import { z } from 'zod'
import type { App } from './context.ts'
import { reconcileSubscriptions } from './payment/reconciliation.ts'
import { sweep } from './sweep.ts'

/** Jobs that run at once in one process; mails to a hanging server may hold all but one. */
const atOnce = 4

/** How long a stop waits for jobs that are under way. */
const stopMs = 3_000

/** Minute by minute what waits is brought forward; every ten minutes what is over is swept; at night subscriptions are compared. */
const crontab = `* * * * * bringMailsForward ?max=1
*/10 * * * * sweep ?max=1
17 3 * * * reconcileSubscriptions ?max=1`

/** What runs in the background, each a function of its room or of the foundation. */
function tasks(app: App): TaskList {
  return {
    deliverMail: async (payload) => {
      const { id } = z.object({ id: z.string() }).parse(payload)
      await app.outbox.deliver(app.db, id, app.clock())
    },
    bringMailsForward: () => app.outbox.bringForward(app.db, app.clock()),
    sweep: () => sweep(app.db, app.clock()),
    reconcileSubscriptions: () => reconcileSubscriptions(app),
  }
}

/** The job engine on the application's PostgreSQL. It is begun again when the database went away beneath it. */
export function startJobs(app: App, databaseUrl: string): { stop: () => Promise<void> } {
  const pool = new Pool({ connectionString: databaseUrl, max: atOnce + 2, application_name: 'foyer jobs' })
  pool.on('error', () => {})
  // The engine tells of each job; what matters is said by the jobs, and what failed is a warning here.
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') app.log.warn({ message }, 'job engine')
  })
  let runner: Runner | undefined
  const state = { isStopping: false }

  async function keepRunning(): Promise<void> {
    while (!state.isStopping) {
      try {
        runner = await run({
          pgPool: pool,
          concurrency: atOnce,
          taskList: tasks(app),
          crontab,
          noHandleSignals: true,
          logger,
        })
        // A stop that came while the engine was starting found nothing to stop.
        if (state.isStopping) await runner.stop()
        await runner.promise
      } catch (error) {
        app.log.warn({ message: error instanceof Error ? error.message : 'unknown' }, 'job engine stopped')
      }
      if (!state.isStopping) await wait(1_000)
    }
  }

  const running = keepRunning()
  return {
    async stop() {
      state.isStopping = true
      // A mail server that hangs holds its job longer than a stop may take; the mail goes out after the next start.
      const stopped = Promise.all([runner?.stop().catch(() => {}), running])
      await Promise.race([stopped, wait(stopMs, undefined, { ref: false })])
      await Promise.race([pool.end().catch(() => {}), wait(1_000, undefined, { ref: false })])
    },
  }
}

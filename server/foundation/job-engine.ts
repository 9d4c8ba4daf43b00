import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker'
import type { Log } from './log.ts'
import { usesTransactionPooling, createPool } from './pool.ts'

/** Concurrent jobs per process. */
const concurrency = 4

/**
 * How long a shutdown waits for running jobs, and then for the database to unlock them and to close, in milliseconds
 * each.
 */
const stopMs = 3_000
const closeMs = 1_000

/**
 * How long after the start of the process the engine is loaded, in milliseconds: the first requests do not wait for it.
 */
const startDelayMs = 300

/** How long to wait for a broken engine to stop before abandoning it, in milliseconds. */
const abandonMs = 5_000

type Options = {
  /** Its connections are the engine's own. */
  databaseUrl: string
  tasks: TaskList
  crontab: string
  log: Log
  onJob: (task: string, outcome: 'done' | 'failed') => void
}

type JobEngine = {
  /**
   * Stops the engine, and waits for running jobs, and for `others`, for a few seconds. A hanging mail server or
   * endpoint can hold them longer than a shutdown may take. What is interrupted is done again, by another process or
   * after the next start.
   */
  stop: (others?: Promise<unknown>) => Promise<void>
}

/**
 * Runs the job engine on PostgreSQL and restarts it after the database was lost: a worker that cannot release its job
 * ends permanently, and the engine's own promise then never resolves. So the first such worker stops the engine, and
 * the jobs locked by its workers are released for the next one.
 */
export function startJobEngine({ databaseUrl, tasks, crontab, log, onJob }: Options): JobEngine {
  const pool = createPool(databaseUrl, {
    connections: concurrency + 2,
    onError: () => {},
    isWithoutTimeouts: true,
    // For statements of the engine only: the jobs have connections of their own.
    responseTimeoutMs: 30_000,
    name: 'foyer jobs',
  })
  let runner: Runner | undefined
  const state = { isStopping: false }
  /** Workers of stopped engines, whose jobs are still locked. */
  let broken: string[] = []
  /** Workers of the running engine. */
  let workerIds: string[] = []

  const unlock = (ids: string[]) => pool.query('select graphile_worker.force_unlock_workers($1::text[])', [ids])

  function listen(): { events: WorkerEvents; failure: Promise<'failed'> } {
    const events: WorkerEvents = new EventEmitter()
    workerIds = []
    events.on('job:success', ({ job }) => onJob(job.task_identifier, 'done'))
    events.on('job:error', ({ job }) => onJob(job.task_identifier, 'failed'))
    events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId))
    return { events, failure: new Promise((fail) => events.once('worker:fatalError', () => fail('failed'))) }
  }

  async function runOnce(): Promise<void> {
    if (broken.length > 0) {
      await unlock(broken)
      broken = []
    }
    const graphile = await import('graphile-worker')
    // The engine logs each job. Only its errors are logged here, as warnings; the jobs log what matters themselves.
    const logger = new graphile.Logger(() => (level, message) => {
      if (level === 'error') log.warn({ message }, 'job engine error')
    })
    const { events, failure } = listen()
    // PgBouncer does not pass on notifications of new jobs: the engine polls for them every two seconds.
    const noPreparedStatements = usesTransactionPooling(pool)
    const options = { pgPool: pool, concurrency, taskList: tasks, crontab, logger, events, noPreparedStatements }
    runner = await graphile.run({ ...options, noHandleSignals: true })
    // A stop requested while the engine was starting had no engine to stop yet.
    if (state.isStopping) await runner.stop()
    const outcome = await Promise.race([runner.promise, failure])
    if (outcome !== 'failed') return
    log.warn({}, 'job engine failed and is restarting')
    broken = workerIds
    const ended = runner.stop().catch(() => {})
    await Promise.race([ended, wait(abandonMs, undefined, { ref: false })])
  }

  async function runRepeatedly(): Promise<void> {
    await wait(startDelayMs)
    while (!state.isStopping) {
      try {
        await runOnce()
      } catch (error) {
        log.warn({ message: error instanceof Error ? error.message : 'unknown' }, 'job engine stopped')
      }
      if (!state.isStopping) await wait(1_000)
    }
  }

  const running = runRepeatedly()
  return {
    async stop(others) {
      state.isStopping = true
      const stopped = Promise.all([runner?.stop().catch(() => {}), running, others])
      const isDone = await Promise.race([stopped.then(() => true), wait(stopMs, false, { ref: false })])
      // If interrupted jobs stayed locked, they would wait for hours.
      if (!isDone && workerIds.length > 0) {
        await Promise.race([unlock(workerIds).catch(() => {}), wait(closeMs, undefined, { ref: false })])
      }
      await Promise.race([pool.end().catch(() => {}), wait(closeMs, undefined, { ref: false })])
    },
  }
}

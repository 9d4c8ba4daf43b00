import type { z } from 'zod'
import type { JobRow } from '../../shared/installation.ts'
import type { Db, Tx } from '../foundation/database.ts'

/** Maximum number of jobs shown. */
const maxJobs = 100

/** Lets a job that waits for its next attempt run now. Its task; undefined if it is running, or there is none. */
export async function rescheduleJob(tx: Tx, id: string, now: Date): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ task: string }[]>`
    with run as (select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := ${now}, attempts := 0))
    select task_identifier as task from graphile_worker.jobs where id in (select id from run)`
  return row?.task
}

/** Jobs that have failed at least once, then those that are due next. */
export async function listJobs(db: Db): Promise<z.output<typeof JobRow>[]> {
  return db.$queryRaw`
    select id::text, task_identifier as task, attempts::int, max_attempts::int as "maxAttempts", locked_at is not null as "isRunning",
      run_at as "runAt", left(last_error, 500) as "lastError"
    from graphile_worker.jobs order by (last_error is not null) desc, run_at limit ${maxJobs}`
}

import type { Tx } from './database.ts'

/**
 * Adds a job in a transaction: it runs after the commit. A job with the same key that has not run yet is replaced.
 */
export async function addJob(
  tx: Tx,
  task: 'notifyPolicy',
  payload: object,
  { key, runAt = null }: { key: string; runAt?: Date | null },
): Promise<void> {
  await tx.$queryRaw`
    select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, run_at := ${runAt}::timestamptz, job_key := ${key})::text`
}

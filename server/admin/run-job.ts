import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { rescheduleJob } from './job-rows.ts'
import { lockAdministratorsAndCaller } from './lock.ts'

/** Lets a job that failed or waits run now. */
export async function runJob(ctx: CallerContext, jobId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    const task = (await rescheduleJob(tx, jobId, ctx.now)) ?? refuse('JOB_NOT_FOUND')
    await record(tx, ctx, { type: 'job.run', actorId: ctx.user.id, subjectId: null, data: { jobId, task } })
  })
}

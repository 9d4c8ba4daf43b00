import { transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'

/** Sends a mail again that the mail server has refused, or that waits, now. One that was delivered has lost its links. */
export async function sendMailAgain(ctx: Context, id: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { count } = await tx.mail.updateMany({
      where: { id, deliveredAt: null },
      data: { givenUpAt: null, failure: null },
    })
    if (count === 0) refuse('MAIL_NOT_FOUND')
    if (!ctx.outbox.delivers) return
    await tx.$queryRaw`
      select graphile_worker.add_job('deliverMail', json_build_object('id', ${id}::text), job_key := 'mail:' || ${id}, max_attempts := 25)::text`
  })
}

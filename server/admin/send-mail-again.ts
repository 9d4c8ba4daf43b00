import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { reopenMail, scheduleMail } from '../mail/mail-rows.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndCaller } from './lock.ts'

/**
 * Sends an email now that the mail server has rejected, or that is waiting. A delivered email has lost its links and
 * cannot be sent again.
 */
export async function sendMailAgain(ctx: CallerContext, id: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    const mail = (await reopenMail(tx, id)) ?? refuse('MAIL_NOT_FOUND')
    const about = { actorId: ctx.user.id, subjectId: null, data: { mailId: id, kind: mail.kind } }
    await record(tx, ctx, { type: 'mail.sent_again', ...about })
    if (ctx.outbox.hasMailServer) await scheduleMail(tx, id)
  })
}

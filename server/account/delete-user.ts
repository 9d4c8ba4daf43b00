import { record } from '../event/record.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { displayEmail } from '../foundation/verified-email.ts'
import type { MailRecipient } from '../mail/mail.ts'
import { composeMail } from '../mail/mail.ts'
import { leaveAllOrganizations, previewLeaving } from '../organization/leave-all-organizations.ts'
import type { Context } from '../request/context.ts'
import { lockUser } from '../session/locks.ts'
import { consumeToken } from './tokens.ts'
import { deleteUser } from './users.ts'

/** Returns what deleting the account would delete, and what prevents the deletion. */
export async function previewDeletion(db: Db, { id, email }: { id: string; email: string }) {
  return { email, ...(await previewLeaving(db, id)) }
}

/**
 * Deletes a user in one transaction. Database cascades also delete sessions, accounts, memberships, sent invitations
 * and open tokens (SEC-63). `actorId` is the administrator who deletes it. Consumes `token` if the deletion was
 * confirmed by email. Sends a final email to the user's email address.
 */
export async function deleteUserWithData(
  tx: Tx,
  ctx: Context,
  user: MailRecipient & { id: string },
  { token, actorId = user.id }: { token?: string | undefined; actorId?: string } = {},
): Promise<void> {
  const { now } = ctx
  await lockUser(tx, user.id)
  if (token !== undefined && (await consumeToken(tx, 'delete-account', token, now))?.userId !== user.id) {
    refuse('DELETE_INVALID_TOKEN')
  }
  await leaveAllOrganizations(tx, ctx, user, { actorId, transfersOwnership: false })
  const owner = { ...user, email: displayEmail(await deleteUser(tx, user.id)) }
  await ctx.outbox.enqueue(tx, composeMail('deleted', owner, ctx), now)
  await record(tx, ctx, { type: 'user.deleted', actorId, subjectId: user.id, data: { email: user.email } })
}

import type { Context } from '../request/context.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Addressee } from '../mail/mail.ts'
import { departFromOrganizations, previewDeparture } from '../organization/depart.ts'
import { lockUser } from '../session/locks.ts'
import { composeMail } from '../mail/mail.ts'
import { takeToken } from './tokens.ts'
import { deleteUser } from './users.ts'

/** What deleting the own account would delete, and what is in the way. */
export async function previewDeletion(tx: Tx, { id, email }: { id: string; email: string }) {
  return { email, ...(await previewDeparture(tx, id)) }
}

/**
 * Deletes a user in one transaction, and with the row by the database's own cascades: sessions, accounts, memberships,
 * invitations sent, open tokens (SEC-63). `token` is used up where the deletion was confirmed by mail. A last mail goes to
 * the address.
 */
export async function deleteAccount(
  tx: Tx,
  ctx: Context,
  user: Addressee & { id: string },
  { token }: { token?: string | undefined } = {},
): Promise<void> {
  const { now } = ctx
  await lockUser(tx, user.id)
  if (token !== undefined && (await takeToken(tx, 'delete-account', token, now))?.userId !== user.id) {
    refuse('DELETE_INVALID_TOKEN')
  }
  await departFromOrganizations(tx, ctx, user, { actorId: user.id, handsOver: false })
  const { previousEmail } = await deleteUser(tx, user.id)
  const owner = { ...user, email: previousEmail ?? user.email }
  await ctx.outbox.enqueue(tx, composeMail('deleted', owner, ctx), now)
  await record(tx, ctx, { type: 'user.deleted', actorId: user.id, data: { email: user.email } })
}

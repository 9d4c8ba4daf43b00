import type { Context } from '../context.ts'
import type { Tx } from '../foundation/db.ts'
import { leaveOwnedOrganizations } from '../organization/owners.ts'
import type { Addressee } from '../foundation/wording.ts'
import { accountMail } from './mails.ts'

/**
 * Deletes a user in one transaction, and with the row by the database's own cascades: sessions, accounts, memberships,
 * invitations sent, open secrets (SEC-63). A last word goes to the address.
 */
export async function deleteAccount(tx: Tx, ctx: Context, user: Addressee & { id: string }): Promise<void> {
  await leaveOwnedOrganizations(tx, user.id)
  await tx.user.delete({ where: { id: user.id } })
  await ctx.outbox.enqueue(tx, accountMail('deleted', user, ctx), ctx.now)
  ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: user.id }, 'account deleted')
}

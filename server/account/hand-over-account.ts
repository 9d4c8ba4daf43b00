import type { User } from '../../prisma/client/client.ts'
import { FullUser } from '../../shared/account.ts'
import type { EventData } from '../../shared/event.ts'
import type { Tx } from '../foundation/database.ts'
import type { Context } from '../request/context.ts'
import { revokeAdministrator } from './grant-administrator.ts'
import { verifyEmailAndRecord } from './mark-email-verified.ts'
import { revokeAllAccess, reportRemovedFactors } from './revoke-all-access.ts'
import { setEmailSourceToSignUp } from './users.ts'

/**
 * Gives an account whose email address was never verified to the owner of the mailbox, who sets a new password. Removes
 * the sessions, identities and tokens of its previous user (SEC-13).
 */
export async function handOverToMailboxOwner(
  tx: Tx,
  ctx: Context,
  user: User,
  method: EventData<'user.email_verified'>['method'],
): Promise<void> {
  const { id: userId, email } = user
  // Removed before the email address is verified, because verification confirms enrolled factors.
  const hadFactors = await revokeAllAccess(tx, ctx, user)
  await verifyEmailAndRecord(tx, ctx, { userId, email }, method)
  if (hadFactors) await reportRemovedFactors(tx, ctx, user)
  await setEmailSourceToSignUp(tx, userId)
  // Another administrator may have created this one with a mistyped email address.
  if (user.role === 'admin') await revokeAdministrator(tx, ctx, FullUser.parse(user), { by: 'mailbox' })
}

import type { User } from '../../prisma/client/client.ts'
import { FullUser } from '../../shared/account.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { isBanned } from '../session/session-rows.ts'
import { storePassword } from './credentials.ts'
import { handOverToMailboxOwner } from './hand-over-account.ts'
import { updateUser } from './users.ts'

type NewPassword = { name: string; passwordHash: string; method: 'claim' | 'invitation' }

/**
 * Verifies the email address of an account that is kept with its organizations, and gives the account the name and
 * password of the mailbox's owner. No credential of the previous user gives access any longer.
 */
export async function handOverWithNewPassword(
  tx: Tx,
  ctx: Context,
  user: User,
  { name, passwordHash, method }: NewPassword,
) {
  const { id: userId } = user
  if (isBanned(user, ctx.now)) refuse('BANNED_USER')
  await handOverToMailboxOwner(tx, ctx, user, method)
  await storePassword(tx, { userId, passwordHash, now: ctx.now })
  return FullUser.parse(await updateUser(tx, userId, { name, now: ctx.now }))
}

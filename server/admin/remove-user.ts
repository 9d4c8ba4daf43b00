import { FullUser } from '../../shared/account.ts'
import { deleteUserWithData } from '../account/delete-user.ts'
import { revokeAdministrator } from '../account/grant-administrator.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndUser } from './lock.ts'

/** Deletes a user and all dependent data. Refused for the same reasons as deleting one's own account. */
export async function removeUser(ctx: CallerContext, userId: string): Promise<void> {
  if (userId === ctx.user.id) refuse('YOU_CANNOT_REMOVE_YOURSELF')
  await transaction(ctx, async (tx) => {
    const user = await lockAdministratorsAndUser(tx, ctx, userId)
    // ADMIN_EMAILS would promote anyone who signs up with the email address again.
    const by = { by: 'administrator' as const, actorId: ctx.user.id }
    if (user.role === 'admin') await revokeAdministrator(tx, ctx, FullUser.parse(user), by)
    await deleteUserWithData(tx, ctx, FullUser.parse(user), { actorId: ctx.user.id })
  })
}

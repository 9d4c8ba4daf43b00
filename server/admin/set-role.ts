import type { z } from 'zod'
import { FullUser } from '../../shared/account.ts'
import type { AdministeredUser, SetRole } from '../../shared/admin.ts'
import { grantAdministrator, revokeAdministrator } from '../account/grant-administrator.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndUser } from './lock.ts'
import { toAdministeredUser } from './users.ts'

/**
 * Makes a user an administrator, or revokes the role. Only an account with a verified email address can get it, because
 * any person may have signed up with an unverified one. Administrators cannot revoke their own role.
 */
export async function setUserRole(
  ctx: CallerContext,
  { userId, role }: z.output<typeof SetRole>,
): Promise<AdministeredUser> {
  return transaction(ctx, async (tx) => {
    const user = await lockAdministratorsAndUser(tx, ctx, userId)
    const by = { by: 'administrator' as const, actorId: ctx.user.id }
    if (role === 'admin' && user.role !== 'admin') {
      if (!user.emailVerified) refuse('EMAIL_NOT_VERIFIED')
      await grantAdministrator(tx, ctx, FullUser.parse(user), by)
    }
    if (role === 'user' && user.role === 'admin') {
      if (userId === ctx.user.id) refuse('YOU_CANNOT_REVOKE_YOURSELF')
      await revokeAdministrator(tx, ctx, FullUser.parse(user), by)
    }
    return toAdministeredUser({ ...user, role }, ctx.now)
  })
}

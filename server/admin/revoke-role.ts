import { FullUser } from '../../shared/account.ts'
import { revokeAdministrator } from '../account/grant-administrator.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { lockCallingAdministrator } from './lock.ts'

/** Revokes the role of another administrator. Administrators cannot revoke their own. */
export async function revokeRole(ctx: Context & Caller, userId: string): Promise<void> {
  if (userId === ctx.user.id) refuse('YOU_CANNOT_REVOKE_YOURSELF')
  await transaction(ctx, async (tx) => {
    await lockCallingAdministrator(tx, ctx)
    const user = (await tx.user.findUnique({ where: { id: userId } })) ?? refuse('USER_NOT_FOUND')
    const by = { by: 'administrator' as const, actorId: ctx.user.id }
    if (!(await revokeAdministrator(tx, ctx, FullUser.parse(user), by))) refuse('NOT_AN_ADMINISTRATOR')
  })
}

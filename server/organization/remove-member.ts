import type { z } from 'zod'
import type { RemoveMember } from '../../shared/organization.ts'
import { can, mayManageMember } from '../../shared/permissions.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { unsetActiveOrganization } from '../session/sessions.ts'
import { clearActiveOrganizationCookie } from './clear-active-organization.ts'
import { readMembersUnderLock, memberEvent } from './lock-members.ts'
import { deleteMember, isOnlyOwner } from './members.ts'
import { notifyMember } from './notify-member.ts'
import { type MemberContext, requireSecondFactorToLeave } from './require-member.ts'

/** Removes a member, effective immediately in all sessions. Only owners can remove an owner; the last one must stay. */
export async function removeMember(ctx: MemberContext, input: z.output<typeof RemoveMember>) {
  const { organizationId } = ctx.member
  const removed = await transaction(ctx, async (tx) => {
    const { actor, target } = await readMembersUnderLock(tx, ctx, { organizationId, target: input.memberIdOrEmail })
    if (target.userId === ctx.user.id) await requireSecondFactorToLeave(tx, ctx, organizationId)
    // The same refusal for both, before the permission is checked, as in better-auth's plugin.
    if (!mayManageMember({ actor: actor.role, target: target.role }) || (await isOnlyOwner(tx, target))) {
      refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
    }
    if (!can(actor.role, 'member', 'delete')) refuse('YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER', { organizationId })
    await deleteMember(tx, target.id)
    await unsetActiveOrganization(tx, target.userId, organizationId)
    await notifyMember(tx, ctx, 'memberRemoved', target)
    const data = { userId: target.userId, memberId: target.id, role: target.role }
    await record(tx, ctx, { type: 'member.removed', ...memberEvent(ctx, target), data })
    return target
  })
  if (removed.userId === ctx.user.id) await clearActiveOrganizationCookie(ctx, organizationId)
  return { member: removed }
}

import type { z } from 'zod'
import type { UpdateMemberRole } from '../../shared/organization.ts'
import { can, isOwner, mayManageMember } from '../../shared/permissions.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { readMembersUnderLock, memberEvent } from './lock-members.ts'
import { isOnlyOwner, setMemberRole } from './members.ts'
import { notifyMember } from './notify-member.ts'
import type { MemberContext } from './require-member.ts'
import { requireGrantableRole } from './roles.ts'

/** Changes a member's role. Only owners may grant or revoke ownership, and at least one owner must remain. */
export async function changeRole(ctx: MemberContext, input: z.output<typeof UpdateMemberRole>) {
  const { organizationId } = ctx.member
  const denied = 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER'
  return transaction(ctx, async (tx) => {
    const { actor, target } = await readMembersUnderLock(tx, ctx, { organizationId, target: input.memberId })
    if (!can(actor.role, 'member', 'update') || !mayManageMember({ actor: actor.role, target: target.role })) {
      refuse(denied, { organizationId })
    }
    const role = requireGrantableRole(input.role, { by: actor.role, denied })
    if (!isOwner(role) && (await isOnlyOwner(tx, target))) {
      refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
    }
    if (role === target.role) return target
    const changed = await setMemberRole(tx, target.id, role)
    const becomesOwner = isOwner(role) && !isOwner(target.role)
    await notifyMember(tx, ctx, becomesOwner ? 'ownershipReceived' : 'roleChanged', { ...target, role })
    const data = { userId: target.userId, memberId: target.id, from: target.role, to: role }
    await record(tx, ctx, { type: 'member.role_changed', ...memberEvent(ctx, target), data })
    return changed
  })
}

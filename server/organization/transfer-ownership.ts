import type { z } from 'zod'
import type { TransferOwnership } from '../../shared/organization.ts'
import { isOwner } from '../../shared/permissions.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { readMembersUnderLock, memberEvent } from './lock-members.ts'
import { setMemberRole } from './members.ts'
import { notifyMember } from './notify-member.ts'
import type { MemberContext } from './require-member.ts'

/** Lets an owner leave: another member becomes an owner, and the caller becomes an administrator. */
export async function transferOwnership(ctx: MemberContext, input: z.output<typeof TransferOwnership>) {
  const { organizationId } = ctx.member
  return transaction(ctx, async (tx) => {
    const { actor, target } = await readMembersUnderLock(tx, ctx, { organizationId, target: input.memberId })
    if (!isOwner(actor.role)) refuse('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER', { organizationId })
    if (target.id === actor.id) return { owner: actor, former: actor }
    const owner = await setMemberRole(tx, target.id, 'owner')
    const former = await setMemberRole(tx, actor.id, 'admin')
    await notifyMember(tx, ctx, 'ownershipReceived', { ...target, role: 'owner' })
    const data = { from: actor.userId, to: target.userId }
    await record(tx, ctx, { type: 'organization.ownership_transferred', ...memberEvent(ctx, target), data })
    return { owner, former }
  })
}

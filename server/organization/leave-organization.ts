import type { z } from 'zod'
import type { OrganizationReference } from '../../shared/organization.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { unsetActiveOrganization } from '../session/sessions.ts'
import { clearActiveOrganizationCookie } from './clear-active-organization.ts'
import { deleteMember, findMemberWithUser, isOnlyOwner } from './members.ts'
import { lockOrganization } from './organizations.ts'
import { requireSecondFactorToLeave } from './require-member.ts'

/** Removes the caller from the organization; its only owner cannot leave. */
export async function leaveOrganization(
  ctx: CallerContext,
  { organizationId }: z.output<typeof OrganizationReference>,
) {
  const left = await transaction(ctx, async (tx) => {
    await lockOrganization(tx, organizationId)
    const member = await findMemberWithUser(tx, { organizationId, userId: ctx.user.id })
    if (!member) refuse('MEMBER_NOT_FOUND')
    await requireSecondFactorToLeave(tx, ctx, organizationId)
    if (await isOnlyOwner(tx, member)) refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
    await deleteMember(tx, member.id)
    await unsetActiveOrganization(tx, ctx.user.id, organizationId)
    const data = { userId: member.userId, memberId: member.id, role: member.role }
    await record(tx, ctx, { type: 'member.left', actorId: ctx.user.id, organizationId, data })
    return member
  })
  await clearActiveOrganizationCookie(ctx, organizationId)
  return left
}

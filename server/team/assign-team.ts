import type { z } from 'zod'
import type { Member } from '../../shared/organization.ts'
import { mayManageMember } from '../../shared/permissions.ts'
import type { AssignTeam } from '../../shared/team.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { findMemberByIdOrEmail, setTeam } from '../organization/members.ts'
import { type MemberContext, requirePermissionUnderLock } from '../organization/require-member.ts'
import { teamRefusals } from './refusals.ts'
import { findTeam } from './teams.ts'

/** Moves a member to a team, or out of its team (null). A member has at most one team. Only owners can move owners. */
export async function assignTeam(
  ctx: MemberContext,
  { memberId, teamId }: z.output<typeof AssignTeam>,
): Promise<Member> {
  return transaction(ctx, async (tx) => {
    const { organizationId, role } = await requirePermissionUnderLock(
      tx,
      ctx.member,
      ['member', 'update'],
      teamRefusals.assign,
    )
    const member = await findMemberByIdOrEmail(tx, organizationId, memberId)
    if (!member) refuse('MEMBER_NOT_FOUND')
    if (!mayManageMember({ actor: role, target: member.role })) refuse(teamRefusals.assign.denied, { organizationId })
    if (teamId !== null && !(await findTeam(tx, organizationId, teamId))) refuse('TEAM_NOT_FOUND')
    const { userId, teamId: from } = member
    const data = { userId, memberId: member.id, from, to: teamId }
    const about = { actorId: ctx.user.id, subjectId: userId, organizationId }
    await record(tx, ctx, { type: 'member.team_changed', ...about, data })
    return setTeam(tx, member.id, teamId)
  })
}

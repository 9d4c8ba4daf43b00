import type { z } from 'zod'
import type { Team, UpdateTeam } from '../../shared/team.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { type MemberContext, requirePermissionUnderLock } from '../organization/require-member.ts'
import { recordTeam } from './record-team.ts'
import { teamRefusals } from './refusals.ts'
import { findTeam, updateTeamName } from './teams.ts'

/** Renames a team. Without a name it is returned unchanged. */
export async function renameTeam(ctx: MemberContext, { teamId, name }: z.output<typeof UpdateTeam>): Promise<Team> {
  const { organizationId } = ctx.member
  if (name === undefined) return (await findTeam(ctx.db, organizationId, teamId)) ?? refuse('TEAM_NOT_FOUND')
  return transaction(ctx, async (tx) => {
    await requirePermissionUnderLock(tx, ctx.member, ['team', 'update'], teamRefusals.update)
    const team = await updateTeamName(tx, organizationId, { id: teamId, name, now: ctx.now })
    if (!team) refuse('TEAM_NOT_FOUND')
    await recordTeam(tx, ctx, 'team.updated', team)
    return team
  })
}

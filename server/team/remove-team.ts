import type { z } from 'zod'
import type { RemoveTeam } from '../../shared/team.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { type MemberContext, requirePermissionUnderLock } from '../organization/require-member.ts'
import { recordTeam } from './record-team.ts'
import { teamRefusals } from './refusals.ts'
import { countTeams, deleteTeam, findTeam } from './teams.ts'

/** Removes a team, except the caller's own team, and the last one unless ALLOW_REMOVE_LAST_TEAM is on. */
export async function removeTeam(ctx: MemberContext, { teamId }: z.output<typeof RemoveTeam>): Promise<void> {
  const { organizationId } = ctx.member
  if (ctx.member.teamId === teamId) refuse(teamRefusals.remove.denied)
  await transaction(ctx, async (tx) => {
    await requirePermissionUnderLock(tx, ctx.member, ['team', 'delete'], teamRefusals.remove)
    const team = (await findTeam(tx, organizationId, teamId)) ?? refuse('TEAM_NOT_FOUND')
    if (!ctx.config.mayRemoveLastTeam && (await countTeams(tx, organizationId)) === 1) {
      refuse('UNABLE_TO_REMOVE_LAST_TEAM')
    }
    await deleteTeam(tx, teamId)
    await recordTeam(tx, ctx, 'team.deleted', team)
  })
}

import type { z } from 'zod'
import type { CreateTeam, Team } from '../../shared/team.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { type MemberContext, requirePermissionUnderLock } from '../organization/require-member.ts'
import { recordTeam } from './record-team.ts'
import { teamRefusals } from './refusals.ts'
import { countTeams, insertTeam } from './teams.ts'

/** Maximum number of teams per organization (SEC-82). */
const maxTeams = 100

/** Creates a team. Counts the teams under the organization's lock. */
export async function createTeam(ctx: MemberContext, { name }: z.output<typeof CreateTeam>): Promise<Team> {
  return transaction(ctx, async (tx) => {
    const { organizationId } = await requirePermissionUnderLock(tx, ctx.member, ['team', 'create'], teamRefusals.create)
    if ((await countTeams(tx, organizationId)) >= maxTeams) refuse('YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS')
    const team = await insertTeam(tx, { name, organizationId, now: ctx.now })
    await recordTeam(tx, ctx, 'team.created', team)
    return team
  })
}

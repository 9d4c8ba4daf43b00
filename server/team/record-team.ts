import type { Team } from '../../shared/team.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'

/** Records a team event, which has no user as its subject. */
export async function recordTeam(
  tx: Tx,
  ctx: Context & Pick<Caller, 'user'>,
  type: 'team.created' | 'team.updated' | 'team.deleted',
  { id: teamId, name, organizationId }: Team,
): Promise<void> {
  await record(tx, ctx, { type, actorId: ctx.user.id, subjectId: null, organizationId, data: { teamId, name } })
}

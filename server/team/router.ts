import { z } from 'zod'
import { Id } from '../../shared/account.ts'
import type { RefusalKey } from '../../shared/errors.ts'
import { Member } from '../../shared/organization.ts'
import { isOwner } from '../../shared/permissions.ts'
import {
  AssignTeam,
  CreateTeam,
  ListTeams,
  RemoveTeam,
  Team,
  TeamRemoved,
  TeamsWithMembers,
  UpdateTeam,
} from '../../shared/team.ts'
import { record } from '../event/record.ts'
import { type Tx, transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { may, memberOf, underLock } from '../organization/guard.ts'
import { findTarget, setTeam } from '../organization/members.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { anyCaller, router } from '../procedure/trpc.ts'
import type { Caller, Context } from '../request/context.ts'
import { countMembers, countTeams, createTeam, findTeam, listTeams, removeTeam, renameTeam } from './teams.ts'

const none = 'NO_ACTIVE_ORGANIZATION'

/** Records a team event, which has no user as its subject. */
async function recordTeam(
  tx: Tx,
  ctx: Context & Pick<Caller, 'user'>,
  type: 'team.created' | 'team.updated' | 'team.deleted',
  { id: teamId, name, organizationId }: Team,
): Promise<void> {
  await record(tx, ctx, { type, actorId: ctx.user.id, subjectId: null, organizationId, data: { teamId, name } })
}

/** Non-members get the same error as members without the permission. */
function sameFor(denied: RefusalKey) {
  return { none, stranger: denied, denied } as const
}

/** Maximum number of teams per organization (SEC-82). */
const maxTeams = 100

const creation = sameFor('YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION')
const renaming = sameFor('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM')
const removal = sameFor('YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION')

const assigning = {
  none,
  stranger: 'MEMBER_NOT_FOUND',
  denied: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER',
} as const

export const teamRouter = router({
  create: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'POST /organization/create-team' })
    .input(CreateTeam)
    .concat(may('team', 'create', creation))
    .output(Team)
    .mutation(({ ctx, input: { name } }) =>
      transaction(ctx, async (tx) => {
        const { organizationId } = await underLock(tx, ctx.member, ['team', 'create'], creation)
        if ((await countTeams(tx, organizationId)) >= maxTeams) refuse('YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS')
        const team = await createTeam(tx, { name, organizationId, now: ctx.now })
        await recordTeam(tx, ctx, 'team.created', team)
        return team
      }),
    ),

  update: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'POST /organization/update-team' })
    .input(UpdateTeam)
    .concat(may('team', 'update', renaming))
    .output(Team)
    .mutation(async ({ ctx, input: { teamId, name } }) => {
      const { organizationId } = ctx.member
      if (name === undefined) return (await findTeam(ctx.db, organizationId, teamId)) ?? refuse('TEAM_NOT_FOUND')
      return transaction(ctx, async (tx) => {
        await underLock(tx, ctx.member, ['team', 'update'], renaming)
        const team = await renameTeam(tx, organizationId, { id: teamId, name, now: ctx.now })
        if (!team) refuse('TEAM_NOT_FOUND')
        await recordTeam(tx, ctx, 'team.updated', team)
        return team
      })
    }),

  /**
   * Not the caller's own team, and not the last one unless ALLOW_REMOVE_LAST_TEAM is on. Counts teams under the lock.
   */
  remove: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'POST /organization/remove-team' })
    .input(RemoveTeam)
    .concat(may('team', 'delete', removal))
    .output(TeamRemoved)
    .mutation(async ({ ctx, input: { teamId } }) => {
      const { organizationId } = ctx.member
      if (ctx.member.teamId === teamId) refuse(removal.denied)
      await transaction(ctx, async (tx) => {
        await underLock(tx, ctx.member, ['team', 'delete'], removal)
        const team = (await findTeam(tx, organizationId, teamId)) ?? refuse('TEAM_NOT_FOUND')
        if (!ctx.config.mayRemoveLastTeam && (await countTeams(tx, organizationId)) === 1) {
          refuse('UNABLE_TO_REMOVE_LAST_TEAM')
        }
        await removeTeam(tx, teamId)
        await recordTeam(tx, ctx, 'team.deleted', team)
      })
      return { message: 'Team removed successfully.' }
    }),

  list: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'GET /organization/list-teams' })
    .input(ListTeams)
    .concat(memberOf({ none, stranger: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }))
    .output(z.array(Team))
    .query(({ ctx, input }) => listTeams(ctx.db, { ...input, organizationId: ctx.member.organizationId })),

  /** For the UI: the teams with the number of their members. */
  withMembers: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(z.object({ organizationId: Id }))
    .concat(memberOf({ none, stranger: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }))
    .output(TeamsWithMembers)
    .query(({ ctx }) => countMembers(ctx.db, ctx.member.organizationId)),

  /** For the UI: moves a member to a team, or removes the member from it. A member has at most one team. */
  assign: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(AssignTeam)
    .concat(may('member', 'update', assigning))
    .output(Member)
    .mutation(({ ctx, input: { memberId, teamId } }) =>
      transaction(ctx, async (tx) => {
        const { organizationId, role } = await underLock(tx, ctx.member, ['member', 'update'], assigning)
        const member = await findTarget(tx, organizationId, memberId)
        if (!member) refuse('MEMBER_NOT_FOUND')
        if (isOwner(member.role) && !isOwner(role)) refuse(assigning.denied, { organizationId })
        if (teamId !== null && !(await findTeam(tx, organizationId, teamId))) refuse('TEAM_NOT_FOUND')
        const { userId, teamId: from } = member
        const data = { userId, memberId: member.id, from, to: teamId }
        const about = { actorId: ctx.user.id, subjectId: userId, organizationId }
        await record(tx, ctx, { type: 'member.team_changed', ...about, data })
        return setTeam(tx, member.id, teamId)
      }),
    ),
})

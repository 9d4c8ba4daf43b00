import { z } from 'zod'
import { Member, OrganizationReference } from '../../shared/organization.ts'
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
import { requirePermission, requireMembership } from '../organization/guard.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { anyCaller, programs, router } from '../procedure/trpc.ts'
import { assignTeam } from './assign-team.ts'
import { createTeam } from './create-team.ts'
import { teamRefusals } from './refusals.ts'
import { removeTeam } from './remove-team.ts'
import { renameTeam } from './rename-team.ts'
import { listTeams, listTeamsWithCounts } from './teams.ts'

export const teamRouter = router({
  create: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'POST /organization/create-team', summary: 'Create a team' })
    .input(CreateTeam)
    .concat(requirePermission('team', 'create', teamRefusals.create))
    .output(Team)
    .mutation(({ ctx, input }) => createTeam(ctx, input)),

  update: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'POST /organization/update-team', summary: 'Rename a team' })
    .input(UpdateTeam)
    .concat(requirePermission('team', 'update', teamRefusals.update))
    .output(Team)
    .mutation(({ ctx, input }) => renameTeam(ctx, input)),

  remove: protectedProcedure
    .meta({ openTo: programs, rest: 'POST /organization/remove-team', summary: 'Delete a team' })
    .input(RemoveTeam)
    .concat(requirePermission('team', 'delete', teamRefusals.remove))
    .output(TeamRemoved)
    .mutation(async ({ ctx, input }) => {
      await removeTeam(ctx, input)
      return { message: 'Team removed successfully.' }
    }),

  list: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'GET /organization/list-teams', summary: 'List the teams of an organization' })
    .input(ListTeams)
    .concat(requireMembership(teamRefusals.list))
    .output(z.array(Team))
    .query(({ ctx, input }) => listTeams(ctx.db, { ...input, organizationId: ctx.member.organizationId })),

  /** For the UI: the teams with the number of their members. */
  withMembers: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(OrganizationReference)
    .concat(requireMembership(teamRefusals.list))
    .output(TeamsWithMembers)
    .query(({ ctx }) => listTeamsWithCounts(ctx.db, ctx.member.organizationId)),

  /** For the UI: moves a member to a team, or out of its team. */
  assign: protectedProcedure
    .meta({ openTo: programs })
    .input(AssignTeam)
    .concat(requirePermission('member', 'update', teamRefusals.assign))
    .output(Member)
    .mutation(({ ctx, input }) => assignTeam(ctx, input)),
})

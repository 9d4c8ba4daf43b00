import { z } from 'zod'
import { ListMembersWithoutSecondFactor, MembersPage, SetSecondFactor } from '../../shared/organization.ts'
import { Timestamp } from '../../shared/schema.ts'
import { freshProcedure, protectedProcedure } from '../procedure/guards.ts'
import { anyCaller } from '../procedure/trpc.ts'
import { requirePermission } from './guard.ts'
import { listWithoutFactor } from './members.ts'
import { organizationRefusals } from './refusals.ts'
import { setSecondFactor } from './set-second-factor.ts'

/** Requirements that an organization sets for its members. */
export const policyProcedures = {
  /**
   * Requires a second factor of all members after some days, or removes the requirement. The caller must have a second
   * factor.
   */
  setSecondFactor: freshProcedure
    .meta({
      openTo: anyCaller,
      rest: 'POST /organization/set-second-factor',
      summary: 'Require a second factor of all members, or remove the requirement',
    })
    .input(SetSecondFactor)
    .concat(requirePermission('organization', 'update', organizationRefusals.update))
    .output(z.object({ secondFactorFrom: Timestamp.nullable() }))
    .mutation(({ ctx, input }) => setSecondFactor(ctx, input)),

  membersWithoutSecondFactor: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /organization/list-members-without-second-factor',
      summary: 'List the members who have no second factor',
    })
    .input(ListMembersWithoutSecondFactor)
    .concat(requirePermission('organization', 'update', organizationRefusals.update))
    .output(MembersPage)
    .query(({ ctx, input }) => listWithoutFactor(ctx.db, { ...input, organizationId: ctx.member.organizationId })),
}

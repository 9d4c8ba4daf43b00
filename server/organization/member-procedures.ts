import { z } from 'zod'
import {
  ListMembers,
  Member,
  MemberRemoved,
  MemberRoleOf,
  MemberWithUser,
  MembersPage,
  OrganizationReference,
  RemoveMember,
  SearchMembers,
  TransferOwnership,
  UpdateMemberRole,
} from '../../shared/organization.ts'
import { refuse } from '../foundation/refusal.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { allowReplica } from '../procedure/replica.ts'
import { anyCaller, programs } from '../procedure/trpc.ts'
import { changeRole } from './change-role.ts'
import { requireMembership } from './guard.ts'
import { leaveOrganization } from './leave-organization.ts'
import { findMembership, searchMembers } from './members.ts'
import { removeMember } from './remove-member.ts'
import { transferOwnership } from './transfer-ownership.ts'

const membersOnly = requireMembership({ none: 'NO_ACTIVE_ORGANIZATION', notMember: 'MEMBER_NOT_FOUND' })

/** Member procedures. Owners are counted and roles are checked under the organization's lock. */
export const memberProcedures = {
  /** For the UI: searches members by name or email address, filtered by role, page by page. */
  members: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(SearchMembers)
    .concat(
      requireMembership({ none: 'NO_ACTIVE_ORGANIZATION', notMember: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }),
    )
    .output(MembersPage)
    .use(allowReplica)
    .query(({ ctx, input }) => searchMembers(ctx.db, input)),

  /** Lists members with their users, in the order of joining unless asked otherwise (a call of better-auth 1.7). */
  listMembers: protectedProcedure
    .meta({ openTo: anyCaller, rest: 'GET /organization/list-members', summary: 'List the members of an organization' })
    .input(ListMembers)
    .concat(
      requireMembership({ none: 'NO_ACTIVE_ORGANIZATION', notMember: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }),
    )
    .output(MembersPage)
    .use(allowReplica)
    .query(({ ctx, input: { sortBy, sortDirection, ...input } }) =>
      searchMembers(ctx.db, {
        ...input,
        organizationId: ctx.member.organizationId,
        sort: sortBy === 'name' ? 'name' : 'joined',
        descending: sortDirection === 'desc',
      }),
    ),

  /** Returns the role of the caller, or of another member, in an organization (a call of better-auth 1.7). */
  getActiveMemberRole: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /organization/get-active-member-role',
      summary: 'The role of the caller, or of another member, in an organization',
    })
    .input(MemberRoleOf)
    .concat(
      requireMembership({ none: 'NO_ACTIVE_ORGANIZATION', notMember: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }),
    )
    .output(z.object({ role: z.string() }))
    .query(async ({ ctx, input: { userId } }) => {
      const { organizationId } = ctx.member
      const member = userId === undefined ? ctx.member : await findMembership(ctx.pool, { organizationId, userId })
      return { role: (member ?? refuse('MEMBER_NOT_FOUND')).role }
    }),

  leave: protectedProcedure
    .meta({ openTo: programs, rest: 'POST /organization/leave', summary: 'Leave an organization' })
    .input(OrganizationReference)
    .output(MemberWithUser)
    .mutation(({ ctx, input }) => leaveOrganization(ctx, input)),

  /**
   * Removes a member, effective immediately in all sessions. Only owners can remove an owner; the last one must stay.
   */
  removeMember: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /organization/remove-member',
      summary: 'Remove a member',
      requiredPermission: ['member', 'delete'],
    })
    .input(RemoveMember)
    .concat(membersOnly)
    .output(MemberRemoved)
    .mutation(({ ctx, input }) => removeMember(ctx, input)),

  updateMemberRole: protectedProcedure
    .meta({
      openTo: programs,
      grantsRole: true,
      rest: 'POST /organization/update-member-role',
      summary: 'Change the role of a member',
      requiredPermission: ['member', 'update'],
    })
    .input(UpdateMemberRole)
    .concat(membersOnly)
    .output(Member)
    .mutation(({ ctx, input }) => changeRole(ctx, input)),

  /** Lets an owner leave: another member becomes an owner, and the caller becomes an administrator. */
  transferOwnership: protectedProcedure
    .meta({ openTo: programs })
    .input(TransferOwnership)
    .concat(membersOnly)
    .output(z.object({ owner: Member, former: Member }))
    .mutation(({ ctx, input }) => transferOwnership(ctx, input)),
}

import { z } from 'zod'
import {
  Member,
  MemberRemoved,
  MemberWithUser,
  MembersPage,
  OrganizationNamed,
  RemoveMember,
  SearchMembers,
  TransferOwnership,
  UpdateMemberRole,
} from '../../shared/organization.ts'
import { can, isOwner } from '../../shared/permissions.ts'
import { record } from '../event/record.ts'
import { type Tx, transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import type { Context } from '../request/context.ts'
import { leaveActiveOrganization } from '../session/sessions.ts'
import { memberOf } from './guard.ts'
import { findMemberOfUser, findTarget, isOnlyOwner, removeMember, searchMembers, setRole } from './members.ts'
import { lockOrganization } from './organizations.ts'
import { parseRole } from './roles.ts'

const membersOnly = memberOf({ none: 'NO_ACTIVE_ORGANIZATION', stranger: 'MEMBER_NOT_FOUND' })

/** What concerns the members of an organization. Owners are counted, and roles judged, under the organization's lock. */
export const memberProcedures = {
  /** For the screens: members by name or address, role and page. */
  members: protectedProcedure
    .input(SearchMembers)
    .use(memberOf({ none: 'NO_ACTIVE_ORGANIZATION', stranger: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }))
    .output(MembersPage)
    .query(({ ctx, input }) => searchMembers(ctx.db, input)),

  leave: protectedProcedure
    .meta({ rest: 'POST /organization/leave' })
    .input(OrganizationNamed)
    .output(MemberWithUser)
    .mutation(async ({ ctx, input: { organizationId } }) => {
      const left = await transaction(ctx, async (tx) => {
        await lockOrganization(tx, organizationId)
        const member = await findMemberOfUser(tx, { organizationId, userId: ctx.user.id })
        if (!member) refuse('MEMBER_NOT_FOUND')
        if (await isOnlyOwner(tx, member)) refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
        await removeMember(tx, member.id)
        await leaveActiveOrganization(tx, ctx.user.id, organizationId)
        const data = { userId: member.userId, memberId: member.id, role: member.role }
        await record(tx, ctx, { type: 'member.left', actorId: ctx.user.id, organizationId, data })
        return member
      })
      await forgetActive(ctx, organizationId)
      return left
    }),

  /** Ends a membership at once, in every session of that user; an owner is removed by an owner alone, the last by nobody. */
  removeMember: protectedProcedure
    .meta({ rest: 'POST /organization/remove-member' })
    .input(RemoveMember)
    .use(membersOnly)
    .output(MemberRemoved)
    .mutation(async ({ ctx, input }) => {
      const { organizationId } = ctx.member
      const removed = await transaction(ctx, async (tx) => {
        const { actor, target } = await lockMembers(tx, ctx, { organizationId, target: input.memberIdOrEmail })
        if ((isOwner(target.role) && !isOwner(actor.role)) || (await isOnlyOwner(tx, target))) {
          refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
        }
        if (!can(actor.role, 'member', 'delete'))
          refuse('YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER', { organizationId })
        await removeMember(tx, target.id)
        await leaveActiveOrganization(tx, target.userId, organizationId)
        await notifyMember(tx, ctx, 'memberRemoved', target)
        const data = { userId: target.userId, memberId: target.id, role: target.role }
        await record(tx, ctx, { type: 'member.removed', ...memberEvent(ctx, target), data })
        return target
      })
      if (removed.userId === ctx.user.id) await forgetActive(ctx, organizationId)
      return { member: removed }
    }),

  updateMemberRole: protectedProcedure
    .meta({ rest: 'POST /organization/update-member-role' })
    .input(UpdateMemberRole)
    .use(membersOnly)
    .output(Member)
    .mutation(async ({ ctx, input }) => {
      const { organizationId } = ctx.member
      const denied = 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER'
      return transaction(ctx, async (tx) => {
        const { actor, target } = await lockMembers(tx, ctx, { organizationId, target: input.memberId })
        if (!can(actor.role, 'member', 'update') || (isOwner(target.role) && !isOwner(actor.role))) {
          refuse(denied, { organizationId })
        }
        const role = parseRole(input.role, { by: actor.role, denied })
        if (!isOwner(role) && (await isOnlyOwner(tx, target))) {
          refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
        }
        if (role === target.role) return target
        const changed = await setRole(tx, target.id, role)
        const becomesOwner = isOwner(role) && !isOwner(target.role)
        await notifyMember(tx, ctx, becomesOwner ? 'ownershipReceived' : 'roleChanged', { ...target, role })
        const data = { userId: target.userId, memberId: target.id, from: target.role, to: role }
        await record(tx, ctx, { type: 'member.role_changed', ...memberEvent(ctx, target), data })
        return changed
      })
    }),

  /** The way out of a sole owner: another member becomes the owner, and the former one stays as an administrator. */
  transferOwnership: protectedProcedure
    .input(TransferOwnership)
    .use(membersOnly)
    .output(z.object({ owner: Member, former: Member }))
    .mutation(async ({ ctx, input }) => {
      const { organizationId } = ctx.member
      return transaction(ctx, async (tx) => {
        const { actor, target } = await lockMembers(tx, ctx, { organizationId, target: input.memberId })
        if (!isOwner(actor.role)) refuse('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER', { organizationId })
        if (target.id === actor.id) return { owner: actor, former: actor }
        const owner = await setRole(tx, target.id, 'owner')
        const former = await setRole(tx, actor.id, 'admin')
        await notifyMember(tx, ctx, 'ownershipReceived', { ...target, role: 'owner' })
        const data = { from: actor.userId, to: target.userId }
        await record(tx, ctx, { type: 'organization.ownership_transferred', ...memberEvent(ctx, target), data })
        return { owner, former }
      })
    }),
}

type Acting = Context & { user: { id: string; name: string }; session: { activeOrganizationId: string | null } }

/** Both members of a change as they are under the organization's lock: what was read before may be gone. */
async function lockMembers(
  tx: Tx,
  ctx: Acting,
  { organizationId, target: name }: { organizationId: string; target: string },
) {
  await lockOrganization(tx, organizationId)
  const actor = await findMemberOfUser(tx, { organizationId, userId: ctx.user.id })
  const target = await findTarget(tx, organizationId, name)
  if (!actor || !target) refuse('MEMBER_NOT_FOUND')
  return { actor, target }
}

/** Who did it to whom, in which organization: the columns of an event about a member. */
function memberEvent({ user }: Acting, { userId, organizationId }: Member) {
  return { actorId: user.id, subjectId: userId, organizationId }
}

/** A notice to the member whom somebody else's decision is about. */
async function notifyMember(
  tx: Tx,
  ctx: Acting,
  kind: 'roleChanged' | 'memberRemoved' | 'ownershipReceived',
  member: MemberWithUser,
) {
  if (member.userId === ctx.user.id) return
  const { language } = await tx.user.findUniqueOrThrow({ where: { id: member.userId }, select: { language: true } })
  const { name: organization, slug } = await tx.organization.findUniqueOrThrow({
    where: { id: member.organizationId },
    select: { name: true, slug: true },
  })
  const link = kind === 'memberRemoved' ? undefined : `${ctx.config.appOrigin}/o/${slug}`
  // Somebody may change roles at will; the end of a membership is always reported.
  const budget = kind === 'memberRemoved' ? {} : { budget: 'notice' as const }
  const cause = { now: ctx.now, link, ...budget, values: { organization, role: member.role, actor: ctx.user.name } }
  await ctx.outbox.enqueue(tx, composeMail(kind, { ...member.user, language }, cause), ctx.now)
}

/** The caller is no member any more: the browser's copy of the session follows. */
async function forgetActive(ctx: Acting, organizationId: string): Promise<void> {
  if (ctx.session.activeOrganizationId === organizationId) {
    await ctx.renewCookies({ session: { activeOrganizationId: null } })
  }
}

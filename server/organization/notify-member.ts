import type { Member, MemberWithUser } from '../../shared/organization.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { findMemberOfUser, findTarget } from './members.ts'
import { lockOrganization } from './organizations.ts'

export type Acting = Context & { user: { id: string; name: string }; session: { activeOrganizationId: string | null } }

/** Both members of a change as they are under the organization's lock: what was read before may be gone. */
export async function lockMembers(
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
export function memberEvent({ user }: Acting, { userId, organizationId }: Member) {
  return { actorId: user.id, subjectId: userId, organizationId }
}

/** A notice to the member whom somebody else's decision is about. */
export async function notifyMember(
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
export async function forgetActive(ctx: Acting, organizationId: string): Promise<void> {
  if (ctx.session.activeOrganizationId === organizationId) {
    await ctx.renewCookies({ session: { activeOrganizationId: null } })
  }
}

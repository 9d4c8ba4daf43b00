import type { Member, MemberWithUser } from '../../shared/organization.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail, emblemOf } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { readUser } from '../session/users.ts'
import { findMemberOfUser, findTarget } from './members.ts'
import { lockOrganization, readOrganization } from './organizations.ts'

export type ActorContext = Context & {
  user: { id: string; name: string }
  session: { activeOrganizationId: string | null }
}

/** Reads both members of a change under the organization's lock, because earlier reads may be outdated. */
export async function lockMembers(
  tx: Tx,
  ctx: ActorContext,
  { organizationId, target: name }: { organizationId: string; target: string },
) {
  await lockOrganization(tx, organizationId)
  const actor = await findMemberOfUser(tx, { organizationId, userId: ctx.user.id })
  const target = await findTarget(tx, organizationId, name)
  if (!actor || !target) refuse('MEMBER_NOT_FOUND')
  return { actor, target }
}

/** The columns of a member event: actor, subject and organization. */
export function memberEvent({ user }: ActorContext, { userId, organizationId }: Member) {
  return { actorId: user.id, subjectId: userId, organizationId }
}

/** Notifies a member who is affected by another member's action. */
export async function notifyMember(
  tx: Tx,
  ctx: ActorContext,
  kind: 'roleChanged' | 'memberRemoved' | 'ownershipReceived',
  member: MemberWithUser,
) {
  if (member.userId === ctx.user.id) return
  const { language } = await readUser(tx, member.userId)
  const organization = await readOrganization(tx, member.organizationId)
  const link = kind === 'memberRemoved' ? undefined : `${ctx.config.appOrigin}/o/${organization.slug}`
  // Role changes can be repeated at will, so their notices are limited; the end of a membership is always reported.
  const budget = kind === 'memberRemoved' ? {} : { budget: 'notice' as const }
  const values = { organization: organization.name, role: member.role, actor: ctx.user.name }
  const cause = { now: ctx.now, link, ...budget, emblem: emblemOf(organization, ctx.config.appOrigin), values }
  await ctx.outbox.enqueue(tx, composeMail(kind, { ...member.user, language }, cause), ctx.now)
}

/** Updates the browser's cached session after the caller has left the organization. */
export async function clearActiveOrganization(ctx: ActorContext, organizationId: string): Promise<void> {
  if (ctx.session.activeOrganizationId === organizationId) {
    await ctx.renewCookies({ session: { activeOrganizationId: null } })
  }
}

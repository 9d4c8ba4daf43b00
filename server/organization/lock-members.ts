import type { Member } from '../../shared/organization.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { findMemberWithUser, findMemberByIdOrEmail } from './members.ts'
import { lockOrganization } from './organizations.ts'

export type ActorContext = Context & {
  user: { id: string; name: string }
  session: { activeOrganizationId: string | null }
}

/** Reads both members of a change under the organization's lock, because earlier reads may be outdated. */
export async function readMembersUnderLock(
  tx: Tx,
  ctx: ActorContext,
  { organizationId, target: name }: { organizationId: string; target: string },
) {
  await lockOrganization(tx, organizationId)
  const actor = await findMemberWithUser(tx, { organizationId, userId: ctx.user.id })
  const target = await findMemberByIdOrEmail(tx, organizationId, name)
  if (!actor || !target) refuse('MEMBER_NOT_FOUND')
  return { actor, target }
}

/** The columns of a member event: actor, subject and organization. */
export function memberEvent({ user }: ActorContext, { userId, organizationId }: Member) {
  return { actorId: user.id, subjectId: userId, organizationId }
}

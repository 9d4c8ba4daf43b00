import type { MemberWithUser } from '../../shared/organization.ts'
import type { Tx } from '../foundation/database.ts'
import { composeMail, organizationAvatar } from '../mail/mail.ts'
import { readUser } from '../session/users.ts'
import type { ActorContext } from './lock-members.ts'
import { readOrganization } from './organizations.ts'

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
  const mailContext = {
    now: ctx.now,
    link,
    ...budget,
    avatar: organizationAvatar(organization, ctx.config.appOrigin),
    values,
  }
  await ctx.outbox.enqueue(tx, composeMail(kind, { ...member.user, language }, mailContext), ctx.now)
}

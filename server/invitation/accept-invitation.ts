import type { z } from 'zod'
import type { FullUser } from '../../shared/account.ts'
import { type AnswerInvitation, type Invitation } from '../../shared/invitation.ts'
import type { Member } from '../../shared/organization.ts'
import { can, isOwner } from '../../shared/permissions.ts'
import { clearUnverified } from '../account/remove-foreign-access.ts'
import { verifyAddress } from '../account/users.ts'
import { record, recordAll } from '../event/record.ts'
import { type Tx, transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import { addMember } from '../organization/members.ts'
import { lockOrganization } from '../organization/organizations.ts'
import type { Caller, Context } from '../request/context.ts'
import { findSeatLimit } from '../subscription/seats.ts'
import { revokeSessions, setActiveOrganization } from '../session/sessions.ts'
import {
  type FoundInvitation,
  answerInvitation,
  findMembership,
  findInvitation,
  isOpen,
  isSecretOf,
} from './invitations.ts'

type Signed = Context & { user: FullUser; session: { id: string } }

/** Returns the caller's open invitation: by id with a verified address, or with the secret from the emailed link. */
export async function findOwn(tx: Tx, ctx: Signed, { id, secret }: { id: string; secret?: string | undefined }) {
  const invitation = await findInvitation(tx, id)
  if (!invitation || !isOpen(invitation, ctx.now)) refuse('INVITATION_NOT_FOUND')
  if (invitation.email !== ctx.user.email) refuse('YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION')
  const isVerified = ctx.user.emailVerified
  if (!isVerified && !isSecretOf(invitation, secret)) refuse('EMAIL_NOT_VERIFIED')
  return { invitation, verifiesAddress: !isVerified }
}

/**
 * Uses the emailed secret to verify the address of a signed-in user. Also deletes what another person who claimed the
 * address earlier may have left behind: linked identities, open tokens and other sessions (SEC-13).
 */
export async function verifyBySecret(tx: Tx, ctx: Signed): Promise<FullUser> {
  const { user, session } = ctx
  await verifyAddress(tx, ctx, { userId: user.id, email: user.email }, 'invitation')
  // In this order: an identity being linked from another session is committed once that session's lock is released.
  await revokeSessions(tx, user.id, session.id)
  await clearUnverified(tx, ctx, user)
  await record(tx, ctx, { type: 'user.sessions_revoked', actorId: user.id, data: { except: session.id } })
  return { ...user, emailVerified: true }
}

/**
 * Makes the invited user a member; `secret` is passed if it verifies the address. Accepts first, under the organization's
 * lock: only one concurrent call succeeds, with current members and roles (SEC-48, SEC-86). Throwing rolls everything back.
 */
export async function acceptInvitation(
  tx: Tx,
  ctx: Context,
  { id, organizationId, inviter, organization }: FoundInvitation,
  { secret, ...invitee }: { id: string; name: string; email: string; secret: string | undefined },
): Promise<{ invitation: Invitation; member: Member }> {
  await lockOrganization(tx, organizationId)
  const answered = await answerInvitation(tx, id, 'accepted', { now: ctx.now, secret })
  if (!answered) refuse('FAILED_TO_RETRIEVE_INVITATION')
  const { role, teamId } = answered
  const { members, isMember, inviterRole, limit } = await findMembership(tx, answered, invitee.id)
  if (!mayInviteTo(role, inviterRole)) refuse('INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION')
  if (isMember) refuse('USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
  if (members >= (limit ?? ctx.config.membershipLimit)) refuse('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
  const seats = await findSeatLimit(tx, organizationId)
  if (seats !== undefined && members >= seats) refuse('SEAT_LIMIT_REACHED')
  const member = await addMember(tx, { organizationId, userId: invitee.id, role, teamId, now: ctx.now })
  const values = { organization: organization.name, role, actor: invitee.name, address: invitee.email }
  const link = `${ctx.config.appOrigin}/o/${organization.slug}`
  await ctx.outbox.enqueue(tx, composeMail('invitationAccepted', inviter, { now: ctx.now, link, values }), ctx.now)
  const about = { actorId: invitee.id, organizationId }
  const { email } = answered
  await recordAll(tx, ctx, [
    { type: 'invitation.accepted', ...about, data: { invitationId: id, email, role } },
    { type: 'member.joined', ...about, data: { userId: invitee.id, memberId: member.id, role, invitationId: id } },
  ])
  return { invitation: answered, member }
}

/** Returns whether the inviter is still a member who may invite to this role; only an owner may invite owners. */
export function mayInviteTo(role: string, inviterRole: string | null): boolean {
  return inviterRole !== null && can(inviterRole, 'invitation', 'create') && (!isOwner(role) || isOwner(inviterRole))
}

/** Makes the caller a member, and the organization the active one of this session. */
export async function acceptOwnInvitation(
  ctx: Context & Caller,
  { invitationId, secret }: z.output<typeof AnswerInvitation>,
) {
  const { user, ...accepted } = await transaction(ctx, async (tx) => {
    const { invitation, verifiesAddress } = await findOwn(tx, ctx, { id: invitationId, secret })
    const user = verifiesAddress ? await verifyBySecret(tx, ctx) : ctx.user
    const proof = verifiesAddress ? secret : undefined
    const answered = await acceptInvitation(tx, ctx, invitation, { ...user, secret: proof })
    await setActiveOrganization(tx, ctx.session.id, invitation.organizationId)
    return { ...answered, user }
  })
  await ctx.renewCookies({ user, session: { activeOrganizationId: accepted.member.organizationId } })
  return accepted
}

import type { z } from 'zod'
import type { GetInvitation, MailedInvitation, ReadInvitation } from '../../shared/invitation.ts'
import { findUserByReservedEmail } from '../account/users.ts'
import { refuse } from '../foundation/refusal.ts'
import { isEmailOfUser } from '../foundation/verified-email.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { findInvitationOfCaller, mayInviteTo } from './accept-invitation.ts'
import { findInvitation, isOpen, isSecretOf } from './invitations.ts'

/** Returns an invitation as shown to its signed-in recipient. */
export async function readOwnInvitation(ctx: CallerContext, input: z.output<typeof GetInvitation>) {
  const { invitation } = await findInvitationOfCaller(ctx, input)
  if (!mayInviteTo(invitation.role, invitation.inviter.role))
    refuse('INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION')
  const { organization, inviter } = invitation
  return {
    ...invitation,
    organizationName: organization.name,
    organizationSlug: organization.slug,
    inviterEmail: inviter.email,
    ...(!inviter.isVerified && { inviterEmailVerified: false }),
  }
}

/** Returns the invitation for an emailed link, signed in or not; null if the secret is wrong or outdated. A mutation, so
 * that the secret is sent in the request body (SEC-122). */
export async function readMailedInvitation(
  ctx: Context,
  { id, secret }: z.output<typeof ReadInvitation>,
): Promise<z.input<typeof MailedInvitation> | null> {
  const invitation = await findInvitation(ctx.pool, id)
  if (!invitation || !isSecretOf(invitation, secret)) return null
  const { email, role, status, organization, inviter } = invitation
  const owner = await findUserByReservedEmail(ctx.db, email)
  const hasInviterLostPermission =
    status === 'pending' && isOpen(invitation, ctx.now) && !mayInviteTo(role, inviter.role)
  return {
    email,
    role,
    state: hasInviterLostPermission
      ? 'inviter_left'
      : status === 'pending' && !isOpen(invitation, ctx.now)
        ? 'expired'
        : status,
    organizationName: organization.name,
    organizationSlug: organization.slug,
    organizationLogo: organization.logo,
    organizationId: invitation.organizationId,
    expiresAt: invitation.expiresAt,
    inviterName: inviter.name,
    hasAccount: owner !== undefined && isEmailOfUser(owner, email),
  }
}

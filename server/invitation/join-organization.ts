import type { z } from 'zod'
import type { JoinByInvitation } from '../../shared/invitation.ts'
import { createVerifiedUser } from '../account/create-verified-user.ts'
import { newPasswordProblem } from '../account/password.ts'
import { releaseUnverifiedEmail } from '../account/release-unverified-email.ts'
import { handOverWithNewPassword } from '../account/take-over-account.ts'
import { findUserByReservedEmail, lockUsersOfEmail, wasUsed } from '../account/users.ts'
import { logEvent } from '../event/record.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import { refuse } from '../foundation/refusal.ts'
import { statementsOf, transaction } from '../foundation/transactions.ts'
import { isEmailOfUser } from '../foundation/verified-email.ts'
import type { Context } from '../request/context.ts'
import { startSession } from '../sign-in/start-session.ts'
import { acceptInvitation, reserveInviterNotice } from './accept-invitation.ts'
import { findInvitation, isOpen, isSecretOf } from './invitations.ts'

/**
 * Signs up a new user and joins the organization in one step: the secret of the emailed link verifies the email
 * address, so no second email is needed. An unverified account with this address is deleted with all its data, because
 * another person may have created it (SEC-110). An account that was used or imported is kept instead, without any means
 * for another person to sign in to it. If the address is already verified, its owner has to sign in instead.
 */
export async function joinOrganization(
  ctx: Context,
  { invitationId, secret, name, password }: z.output<typeof JoinByInvitation>,
) {
  const { now, config } = ctx
  const invitation = await findInvitation(ctx.pool, invitationId)
  if (!invitation || !isOpen(invitation, now) || !isSecretOf(invitation, secret)) refuse('INVITATION_NOT_FOUND')
  const { email, organizationId, organization } = invitation
  const problem = await newPasswordProblem(password, config, { email, name })
  if (problem) refuse(problem)
  const passwordHash = await ctx.hasher.hash(password)
  const isNotified = await reserveInviterNotice(ctx, invitation)
  const { user, member, events } = await transaction(ctx, async (tx) => {
    await lockUsersOfEmail(tx, email)
    const claimed = await findUserByReservedEmail(tx, email)
    if (claimed && isEmailOfUser(claimed, email)) refuse('USER_ALREADY_EXISTS')
    const owner = { name, passwordHash, method: 'invitation' } as const
    const isKept = claimed?.previousEmail === null && (await wasUsed(tx, ctx, claimed))
    if (claimed && !isKept) await releaseUnverifiedEmail(tx, ctx, claimed)
    const user = isKept
      ? await handOverWithNewPassword(tx, ctx, claimed, owner)
      : await createVerifiedUser(tx, ctx, { email, ...owner })
    const accepted = await acceptInvitation(statementsOf(tx), ctx, { ...invitation, isNotified }, { ...user, secret })
    return { user, ...accepted }
  }).catch((error: unknown) => {
    if (violatedUnique(error)?.includes('email')) refuse('USER_ALREADY_EXISTS')
    throw error
  })
  for (const event of events) logEvent(ctx, event)
  await startSession(ctx, user, {
    method: 'invitation',
    basis: { passwordHash },
    activeOrganizationId: organizationId,
  })
  return { member, organizationSlug: organization.slug }
}

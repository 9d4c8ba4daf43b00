import type { z } from 'zod'
import type { FullUser } from '../../shared/account.ts'
import type { RespondToInvitation, Invitation } from '../../shared/invitation.ts'
import type { Member } from '../../shared/organization.ts'
import { can, isOwner } from '../../shared/permissions.ts'
import { verifyEmailAndRecord } from '../account/mark-email-verified.ts'
import { cleanUpAfterVerification } from '../account/revoke-all-access.ts'
import { eventParameters, type NewEvent } from '../event/event-rows.ts'
import { logEvent, record } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { pgTransaction, statementsOf, transaction, type TransactionStatements } from '../foundation/transactions.ts'
import { noMail } from '../mail/mail-rows.ts'
import { composeMail, organizationAvatar } from '../mail/mail.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { revokeSessions } from '../session/sessions.ts'
import { deleteLastingAccess } from '../token/api-keys.ts'
import {
  acceptUnderLock,
  findInvitation,
  findJoinConditions,
  type FoundInvitation,
  isOpen,
  isSecretOf,
  storeMember,
} from './invitations.ts'

type Recipient = Context & { user: FullUser; session: { id: string } }

/**
 * Returns the caller's open invitation: by id with a verified email address, or with the secret from the emailed link.
 */
export async function findInvitationOfCaller(
  ctx: Recipient,
  { id, secret }: { id: string; secret?: string | undefined },
) {
  const invitation = await findInvitation(ctx.pool, id)
  if (!invitation || !isOpen(invitation, ctx.now)) refuse('INVITATION_NOT_FOUND')
  if (invitation.email !== ctx.user.email) refuse('YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION')
  const isVerified = ctx.user.emailVerified
  if (!isVerified && !isSecretOf(invitation, secret)) refuse('EMAIL_NOT_VERIFIED')
  return { invitation, verifiesAddress: !isVerified }
}

/**
 * Uses the emailed secret to verify the email address of a signed-in user. Also deletes what another person who claimed
 * the address earlier may have left behind: linked identities, open tokens, keys, applications and other sessions
 * (SEC-13).
 */
async function verifyBySecret(tx: Tx, ctx: Recipient): Promise<FullUser> {
  const { user, session } = ctx
  const { previousEmail } = await lockCaller(tx, ctx)
  // The inviter may own a mistyped new email address: a change is confirmed only by its own link, which asks first.
  if (previousEmail !== null) refuse('EMAIL_NOT_VERIFIED')
  await verifyEmailAndRecord(tx, ctx, { userId: user.id, email: user.email }, 'invitation')
  // In this order: an identity being linked from another session is committed once that session's lock is released.
  await revokeSessions(tx, user.id, session.id)
  await cleanUpAfterVerification(tx, ctx, user)
  await deleteLastingAccess(tx, user.id)
  await record(tx, ctx, { type: 'user.sessions_revoked', actorId: user.id, data: { except: session.id } })
  return { ...user, emailVerified: true }
}

/**
 * Whether the inviter may be emailed about the answer. Always at a verified email address; at any other, within the
 * limits for emails that strangers can cause. Call it before the transaction, because it counts towards these limits.
 */
export async function reserveInviterNotice(ctx: Context, { inviter }: FoundInvitation): Promise<boolean> {
  return (
    inviter.isVerified || ctx.outbox.count({ to: inviter.email, kind: 'invitationAccepted', budget: 'notice' }, ctx.now)
  )
}

type Invitee = { id: string; name: string; email: string; secret: string | undefined; sessionId?: string | undefined }

/**
 * Makes the invited user a member; `secret` is passed if it verifies the email address. Accepts first, under the
 * organization's lock: only one concurrent call succeeds, with current members and roles (SEC-48, SEC-86). Throwing
 * rolls everything back. The events are stored; the caller logs them after the commit.
 */
export async function acceptInvitation(
  sql: TransactionStatements,
  ctx: Context,
  found: FoundInvitation & { isNotified: boolean },
  { id: userId, secret, sessionId, ...invitee }: Invitee,
): Promise<{ invitation: Invitation; member: Member; events: NewEvent[] }> {
  const { now, config, outbox } = ctx
  const [answered, membership] = await Promise.all([
    acceptUnderLock(sql, found, { now, secret }),
    findJoinConditions(sql, found, { userId, now }),
  ])
  if (!answered) refuse('FAILED_TO_RETRIEVE_INVITATION')
  const { organizationId, role, teamId, email } = answered
  const { members, isMember, inviterRole, membershipLimit, seatLimit } = membership
  if (!mayInviteTo(role, inviterRole)) refuse('INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION')
  if (isMember) refuse('USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
  if (members >= (membershipLimit ?? config.membershipLimit)) refuse('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
  if (seatLimit !== null && members >= seatLimit) refuse('SEAT_LIMIT_REACHED')
  const { organization, inviter, isNotified } = found
  const values = { organization: organization.name, role, actor: invitee.name, inviteeEmail: invitee.email }
  const link = `${config.appOrigin}/o/${organization.slug}`
  const avatar = organizationAvatar({ ...organization, id: organizationId }, config.appOrigin)
  const mail = composeMail('invitationAccepted', inviter, { now, link, avatar, values })
  const about = { actorId: userId, organizationId }
  const memberId = newId()
  const events: [NewEvent, NewEvent] = [
    { type: 'invitation.accepted', ...about, data: { invitationId: answered.id, email, role } },
    { type: 'member.joined', ...about, data: { userId, memberId, role, invitationId: answered.id } },
  ]
  const member = await storeMember(sql, {
    member: { id: memberId, organizationId, userId, role, teamId },
    sessionId,
    mail: isNotified ? outbox.parametersOf(mail, now) : noMail(now),
    events: { accepted: eventParameters(ctx, events[0]), joined: eventParameters(ctx, events[1]) },
    now,
  })
  return { invitation: answered, member, events }
}

/** Returns whether the inviter is still a member who may invite to this role; only an owner may invite owners. */
export function mayInviteTo(role: string, inviterRole: string | null): boolean {
  return inviterRole !== null && can(inviterRole, 'invitation', 'create') && (!isOwner(role) || isOwner(inviterRole))
}

/** Makes the caller a member, and the organization the active one of this session. */
export async function acceptOwnInvitation(
  ctx: CallerContext,
  { invitationId, secret }: z.output<typeof RespondToInvitation>,
) {
  const { invitation: found, verifiesAddress } = await findInvitationOfCaller(ctx, { id: invitationId, secret })
  const invitation = { ...found, isNotified: await reserveInviterNotice(ctx, found) }
  const accept = (sql: TransactionStatements, user: FullUser) =>
    acceptInvitation(sql, ctx, invitation, {
      ...user,
      sessionId: ctx.session.id,
      secret: verifiesAddress ? secret : undefined,
    })
  const { user, events, ...accepted } = verifiesAddress
    ? await transaction(ctx, async (tx) => {
        const user = await verifyBySecret(tx, ctx)
        return { ...(await accept(statementsOf(tx), user)), user }
      })
    : { ...(await pgTransaction(ctx.pool, (sql) => accept(sql, ctx.user))), user: ctx.user }
  for (const event of events) logEvent(ctx, event)
  await ctx.renewCookies({ user, session: { activeOrganizationId: accepted.member.organizationId } })
  return accepted
}

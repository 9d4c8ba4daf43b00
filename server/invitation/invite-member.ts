import type { z } from 'zod'
import { isEmail, normalizeEmail } from '../../shared/identity.ts'
import type { CreateInvitation } from '../../shared/invitation.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail, organizationAvatar } from '../mail/mail.ts'
import { countMembers, findMemberByIdOrEmail } from '../organization/members.ts'
import { readOrganization } from '../organization/organizations.ts'
import { type MemberContext, requirePermissionUnderLock } from '../organization/require-member.ts'
import { requireGrantableRole } from '../organization/roles.ts'
import { findSeatLimit } from '../purchase/seats.ts'
import { findUserByEmail } from '../session/users.ts'
import { findTeam } from '../team/teams.ts'
import { countOpen, createInvitation, findPending, isOpen, maxPending, renewInvitation } from './invitations.ts'
import { invitationRefusals } from './refusals.ts'

/**
 * Invites an email address, or resends a pending invitation with `resend`. Checks limits under the organization's lock.
 */
export async function inviteMember(ctx: MemberContext, input: z.output<typeof CreateInvitation>) {
  const { now, member, user, config } = ctx
  const { organizationId } = member
  const email = normalizeEmail(input.email)
  if (!isEmail(email)) refuse('INVALID_EMAIL')
  const denied = 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE'
  const role = requireGrantableRole(input.role, { by: member.role, denied })
  const teamId = input.teamId ?? null
  const lifetimeSeconds = config.invitationLifetimeSeconds
  const newInvitation = { organizationId, email, role, teamId, inviterId: user.id, now, lifetimeSeconds }
  return transaction(ctx, async (tx) => {
    const acting = await requirePermissionUnderLock(tx, member, ['invitation', 'create'], invitationRefusals.create)
    requireGrantableRole(input.role, { by: acting.role, denied })
    if (teamId !== null && !(await findTeam(tx, organizationId, teamId))) refuse('TEAM_NOT_FOUND')
    if (await findMemberByIdOrEmail(tx, organizationId, email)) refuse('USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
    const waiting = await findPending(tx, organizationId, email)
    const isWaiting = waiting !== null && isOpen(waiting, now)
    if (isWaiting && !input.resend) refuse('USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
    if (!isWaiting && (await countOpen(tx, organizationId, now)) >= maxPending) refuse('INVITATION_LIMIT_REACHED')
    if (!isWaiting) await checkSeats(tx, organizationId, now)
    const renewed = waiting ? await renewInvitation(tx, waiting.id, newInvitation) : undefined
    const { invitation, secret } = renewed ?? (await createInvitation(tx, newInvitation))
    const counts = [`invitations:${organizationId}`, `invitations:${user.id}`].map((key) => ({ key, ...perHour }))
    const waitSeconds = await ctx.limiter.consumeIn(tx, counts, now)
    if (waitSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })

    const invitee = await findUserByEmail(tx, email)
    const organization = await readOrganization(tx, organizationId)
    const mail = composeMail(
      'invitation',
      { name: invitee?.name ?? '', email, language: invitee?.language ?? user.language },
      {
        now,
        link: `${config.appOrigin}/invitation/${invitation.id}?secret=${secret}`,
        expiresAt: invitation.expiresAt,
        budget: 'notice',
        avatar: organizationAvatar(organization, config.appOrigin),
        values: { organization: organization.name, role, actor: user.name },
      },
    )
    // If the email cannot be sent, keep the old secret valid: the new one would never reach the recipient.
    if (!(await ctx.outbox.enqueue(tx, mail, now))) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: perHour.seconds })
    const type = renewed ? 'invitation.resent' : 'invitation.created'
    const data = { invitationId: invitation.id, email, role }
    await record(tx, ctx, { type, actorId: user.id, subjectId: null, organizationId, data })
    return invitation
  })
}

/** Limit of invitations per organization and per user in an hour, to prevent bulk email to strangers. */
const perHour = { max: 200, seconds: 3600 }

/** Members and pending invitations may not exceed the seats of the organization's subscription. */
async function checkSeats(tx: Tx, organizationId: string, now: Date): Promise<void> {
  const limit = await findSeatLimit(tx, { organizationId, now })
  if (limit === undefined) return
  const members = await countMembers(tx, organizationId)
  if (members + (await countOpen(tx, organizationId, now)) >= limit) refuse('SEAT_LIMIT_REACHED')
}

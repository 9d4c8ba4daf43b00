import { z } from 'zod'
import { isEmail, normalizeEmail } from '../../shared/account.ts'
import {
  AnswerInvitation,
  CancelInvitation,
  CreateInvitation,
  GetInvitation,
  Invitation,
  InvitationForInvitee,
  ListInvitations,
  MailedInvitation,
  MyInvitation,
  ReadInvitation,
} from '../../shared/invitation.ts'
import { Member } from '../../shared/organization.ts'
import { can } from '../../shared/permissions.ts'
import { findHolder } from '../account/users.ts'
import { record } from '../event/record.ts'
import { transaction } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import { may, memberOf, underLock } from '../organization/guard.ts'
import { findMember, findTarget } from '../organization/members.ts'
import { parseRole } from '../organization/roles.ts'
import { publicProcedure, protectedProcedure } from '../procedure/guards.ts'
import { router } from '../procedure/trpc.ts'
import { setActiveOrganization } from '../session/sessions.ts'
import { findTeam } from '../team/teams.ts'
import { acceptInvitation, findOwn, mayInviteTo, verifyBySecret } from './accept-invitation.ts'
import {
  countPending,
  createInvitation,
  findInvitation,
  findPending,
  isOpen,
  isSecretOf,
  listInvitations,
  listInvitationsFor,
  maxPending,
  renewInvitation,
  answerInvitation,
} from './invitations.ts'
import { joinOrganization } from './join-organization.ts'

const inviting = {
  none: 'ORGANIZATION_NOT_FOUND',
  stranger: 'MEMBER_NOT_FOUND',
  denied: 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
} as const

/** Invitations of one organization, and of one person, in an hour: nobody mails strangers by the thousand (SEC-27). */
const perHour = { max: 200, seconds: 3600 }

export const invitationRouter = router({
  /** Invites an address, or with `resend` mails a waiting invitation again. Judged and counted under the organization's lock. */
  create: protectedProcedure
    .meta({ rest: 'POST /organization/invite-member' })
    .input(CreateInvitation)
    .use(may('invitation', 'create', inviting))
    .output(Invitation)
    .mutation(async ({ ctx, input }) => {
      const { now, member, user, config } = ctx
      const { organizationId } = member
      const email = normalizeEmail(input.email)
      if (!isEmail(email)) refuse('INVALID_EMAIL')
      const denied = 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE'
      const role = parseRole(input.role, { by: member.role, denied })
      const teamId = input.teamId ?? null
      const lifetimeSeconds = config.invitationLifetimeSeconds
      const wish = { organizationId, email, role, teamId, inviterId: user.id, now, lifetimeSeconds }
      return transaction(ctx, async (tx) => {
        const acting = await underLock(tx, member, ['invitation', 'create'], inviting)
        parseRole(input.role, { by: acting.role, denied })
        if (teamId !== null && !(await findTeam(tx, organizationId, teamId))) refuse('TEAM_NOT_FOUND')
        if (await findTarget(tx, organizationId, email)) refuse('USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION')
        const waiting = await findPending(tx, organizationId, email)
        const isWaiting = waiting !== null && isOpen(waiting, now)
        if (isWaiting && !input.resend) refuse('USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION')
        if (!isWaiting && (await countPending(tx, organizationId, now)) >= maxPending)
          refuse('INVITATION_LIMIT_REACHED')
        const renewed = waiting ? await renewInvitation(tx, waiting.id, wish) : undefined
        const { invitation, secret } = renewed ?? (await createInvitation(tx, wish))
        const counts = [`invitations:${organizationId}`, `invitations:${user.id}`].map((key) => ({ key, ...perHour }))
        const waitSeconds = await ctx.limiter.consumeIn(tx, counts, now)
        if (waitSeconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: waitSeconds })

        const invitee = await tx.user.findUnique({ where: { email }, select: { name: true, language: true } })
        const organization = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })
        const mail = composeMail(
          'invitation',
          { name: '', ...invitee, email, language: invitee?.language ?? user.language },
          {
            now,
            link: `${config.appOrigin}/invitation/${invitation.id}?secret=${secret}`,
            expiresAt: invitation.expiresAt,
            budget: 'notice',
            values: { organization: organization.name, role, actor: user.name },
          },
        )
        // Without its mail the new secret would be worth nothing, and the former one be void.
        if (!(await ctx.outbox.enqueue(tx, mail, now)))
          refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: perHour.seconds })
        const type = renewed ? 'invitation.resent' : 'invitation.created'
        const data = { invitationId: invitation.id, email, role }
        await record(tx, ctx, { type, actorId: user.id, subjectId: null, organizationId, data })
        return invitation
      })
    }),

  /** Makes the caller a member and the organization the active one of this session. */
  accept: protectedProcedure
    .meta({ rest: 'POST /organization/accept-invitation' })
    .input(AnswerInvitation)
    .output(z.object({ invitation: Invitation, member: Member }))
    .mutation(async ({ ctx, input: { invitationId, secret } }) => {
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
    }),

  reject: protectedProcedure
    .meta({ rest: 'POST /organization/reject-invitation' })
    .input(AnswerInvitation)
    .output(z.object({ invitation: Invitation, member: z.null() }))
    .mutation(async ({ ctx, input: { invitationId, secret } }) => {
      const { invitation } = await findOwn(ctx.db, ctx, { id: invitationId, secret })
      return transaction(ctx, async (tx) => {
        const rejected = await answerInvitation(tx, invitation.id, 'rejected', { now: ctx.now })
        if (!rejected) refuse('FAILED_TO_RETRIEVE_INVITATION')
        const { id, email, organizationId } = rejected
        const data = { invitationId: id, email }
        await record(tx, ctx, { type: 'invitation.rejected', actorId: ctx.user.id, organizationId, data })
        return { invitation: rejected, member: null }
      })
    }),

  /** Only pending ones, expired ones included. */
  cancel: protectedProcedure
    .meta({ rest: 'POST /organization/cancel-invitation' })
    .input(CancelInvitation)
    .output(Invitation)
    .mutation(async ({ ctx, input: { invitationId } }) => {
      const invitation = await findInvitation(ctx.db, invitationId)
      if (!invitation) refuse('INVITATION_NOT_FOUND')
      const { organizationId, status } = invitation
      const member = await findMember(ctx.pool, { organizationId, userId: ctx.user.id })
      if (!member) refuse('MEMBER_NOT_FOUND')
      if (!can(member.role, 'invitation', 'cancel')) {
        refuse('YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION', { organizationId })
      }
      if (status !== 'pending') refuse('INVITATION_NOT_FOUND')
      return transaction(ctx, async (tx) => {
        const canceled = await answerInvitation(tx, invitationId, 'canceled')
        if (!canceled) refuse('FAILED_TO_RETRIEVE_INVITATION')
        const data = { invitationId, email: canceled.email }
        const about = { actorId: ctx.user.id, subjectId: null, organizationId }
        await record(tx, ctx, { type: 'invitation.canceled', ...about, data })
        return canceled
      })
    }),

  get: protectedProcedure
    .meta({ rest: 'GET /organization/get-invitation', unauthorized: 'NOT_AUTHENTICATED' })
    .input(GetInvitation)
    .output(InvitationForInvitee)
    .query(async ({ ctx, input }) => {
      const { invitation } = await findOwn(ctx.db, ctx, input)
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
    }),

  list: protectedProcedure
    .meta({ rest: 'GET /organization/list-invitations' })
    .input(ListInvitations)
    .use(memberOf({ none: 'ORGANIZATION_ID_IS_REQUIRED', stranger: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION' }))
    .output(z.array(Invitation))
    .query(({ ctx, input }) => listInvitations(ctx.db, { ...input, organizationId: ctx.member.organizationId })),

  /** What waits for me, on my start page: only for a verified address. */
  mine: protectedProcedure
    .output(z.array(MyInvitation))
    .query(({ ctx }) => (ctx.user.emailVerified ? listInvitationsFor(ctx.db, ctx.user.email, ctx.now) : [])),

  /** What the holder of a mailed link sees, signed in or not; null for a wrong or an older secret. A mutation, so that the secret
   * travels in a body (SEC-122). */
  read: publicProcedure
    .meta({ limit: { max: 30, seconds: 60 } })
    .input(ReadInvitation)
    .output(MailedInvitation.nullable())
    .mutation(async ({ ctx, input: { id, secret } }) => {
      const invitation = await findInvitation(ctx.db, id)
      if (!invitation || !isSecretOf(invitation, secret)) return null
      const { email, role, status, organization, inviter } = invitation
      const owner = await findHolder(ctx.db, email)
      const isDead = status === 'pending' && isOpen(invitation, ctx.now) && !mayInviteTo(role, inviter.role)
      return {
        email,
        role,
        state: isDead ? 'withdrawn' : status === 'pending' && !isOpen(invitation, ctx.now) ? 'expired' : status,
        organizationName: organization.name,
        organizationSlug: organization.slug,
        organizationLogo: organization.logo,
        inviterName: inviter.name,
        hasAccount: owner !== undefined && (owner.emailVerified || owner.previousEmail === email),
      }
    }),

  join: joinOrganization,
})

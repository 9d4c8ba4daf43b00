import { z } from 'zod'
import {
  RespondToInvitation,
  CancelInvitation,
  CreateInvitation,
  GetInvitation,
  Invitation,
  InvitationForInvitee,
  InvitationsPage,
  JoinByInvitation,
  ListInvitations,
  MailedInvitation,
  MyInvitation,
  ReadInvitation,
  SearchInvitations,
} from '../../shared/invitation.ts'
import { Member } from '../../shared/organization.ts'
import { Status } from '../../shared/schema.ts'
import { requirePermission, requireMembership } from '../organization/guard.ts'
import { enabledBy } from '../procedure/features.ts'
import { protectedProcedure, publicProcedure } from '../procedure/guards.ts'
import { strictLimit } from '../procedure/rate-limit.ts'
import { allowReplica } from '../procedure/replica.ts'
import { anyCaller, programs, router } from '../procedure/trpc.ts'
import { acceptOwnInvitation } from './accept-invitation.ts'
import { cancelInvitation } from './cancel-invitation.ts'
import { listInvitations, listInvitationsFor, searchInvitations } from './invitations.ts'
import { inviteMember } from './invite-member.ts'
import { joinOrganization } from './join-organization.ts'
import { readMailedInvitation, readOwnInvitation } from './read-invitation.ts'
import { invitationRefusals } from './refusals.ts'
import { rejectMailedInvitation, rejectOwnInvitation } from './reject-invitation.ts'

export const invitationRouter = router({
  /**
   * Invites an email address, or resends a pending invitation with `resend`. Checks limits under the organization's
   * lock.
   */
  create: protectedProcedure
    .meta({
      openTo: programs,
      grantsRole: true,
      rest: 'POST /organization/invite-member',
      summary: 'Invite an email address to an organization',
    })
    .input(CreateInvitation)
    .concat(requirePermission('invitation', 'create', invitationRefusals.create))
    .output(Invitation)
    .mutation(({ ctx, input }) => inviteMember(ctx, input)),

  accept: protectedProcedure
    .meta({ openTo: ['access_token'], rest: 'POST /organization/accept-invitation', summary: 'Accept an invitation' })
    .input(RespondToInvitation)
    .output(z.object({ invitation: Invitation, member: Member }))
    .mutation(({ ctx, input }) => acceptOwnInvitation(ctx, input)),

  reject: protectedProcedure
    .meta({ openTo: ['access_token'], rest: 'POST /organization/reject-invitation', summary: 'Decline an invitation' })
    .input(RespondToInvitation)
    .output(z.object({ invitation: Invitation, member: z.null() }))
    .mutation(({ ctx, input }) => rejectOwnInvitation(ctx, input)),

  cancel: protectedProcedure
    .meta({
      openTo: programs,
      rest: 'POST /organization/cancel-invitation',
      summary: 'Cancel a pending invitation',
      requiredPermission: ['invitation', 'cancel'],
      organizationScope: true,
    })
    .input(CancelInvitation)
    .output(Invitation)
    .mutation(({ ctx, input }) => cancelInvitation(ctx, input)),

  get: protectedProcedure
    .meta({
      openTo: ['access_token', 'impersonator'],
      rest: 'GET /organization/get-invitation',
      summary: 'One invitation, as the invited user sees it',
      unauthorized: 'NOT_AUTHENTICATED',
    })
    .input(GetInvitation)
    .output(InvitationForInvitee)
    .query(({ ctx, input }) => readOwnInvitation(ctx, input)),

  list: protectedProcedure
    .meta({
      openTo: anyCaller,
      rest: 'GET /organization/list-invitations',
      summary: 'List the invitations of an organization',
    })
    .input(ListInvitations)
    .concat(
      requireMembership({
        none: 'ORGANIZATION_ID_IS_REQUIRED',
        notMember: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
      }),
    )
    .output(z.array(Invitation))
    .use(allowReplica)
    .query(({ ctx, input }) => listInvitations(ctx.db, { ...input, organizationId: ctx.member.organizationId })),

  /** For the UI: the invitations table. */
  search: protectedProcedure
    .meta({ openTo: anyCaller })
    .input(SearchInvitations)
    .concat(
      requireMembership({
        none: 'ORGANIZATION_ID_IS_REQUIRED',
        notMember: 'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
      }),
    )
    .output(InvitationsPage)
    .use(allowReplica)
    .query(({ ctx, input }) => searchInvitations(ctx.db, input, ctx.now)),

  /** Lists the caller's open invitations, for the home screen; requires a verified email address. */
  mine: protectedProcedure
    .meta({
      openTo: ['access_token', 'impersonator'],
      rest: 'GET /organization/list-user-invitations',
      summary: 'List the pending invitations of the caller',
    })
    .output(z.array(MyInvitation))
    .query(({ ctx }) => (ctx.user.emailVerified ? listInvitationsFor(ctx.db, ctx.user.email, ctx.now) : [])),

  /** Returns the invitation for an emailed link, signed in or not; null if the secret is wrong or outdated. A mutation, so
   * that the secret is sent in the request body (SEC-122). */
  readByLink: publicProcedure
    .meta({ limit: { max: 30, seconds: 60 } })
    .input(ReadInvitation)
    .output(MailedInvitation.nullable())
    .mutation(({ ctx, input }) => readMailedInvitation(ctx, input)),

  /** For the UI: declines by the emailed link, without a session. */
  rejectByLink: publicProcedure
    .meta({ limit: { max: 30, seconds: 60 } })
    .input(ReadInvitation)
    .output(Status)
    .mutation(async ({ ctx, input }) => {
      await rejectMailedInvitation(ctx, input)
      return { status: true }
    }),

  /** Signs up a new user and joins the organization in one step, with the secret of the emailed link. */
  joinByLink: publicProcedure
    .meta({ limit: strictLimit, startsSession: true })
    .concat(enabledBy('hasEmailPassword', 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED'))
    .input(JoinByInvitation)
    .output(z.object({ member: Member, organizationSlug: z.string() }))
    .mutation(({ ctx, input }) => joinOrganization(ctx, input)),
})

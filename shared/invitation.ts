import { z } from 'zod'
import { listedStatuses, invitationStatuses } from './invitation-status.ts'
import { Id, Timestamp, Name, Page, TablePage } from './schema.ts'

export const Invitation = z.object({
  id: z.string(),
  organizationId: z.string(),
  email: z.string(),
  /** Comma-separated. */
  role: z.string(),
  status: z.enum(invitationStatuses),
  teamId: z.string().nullable(),
  inviterId: z.string(),
  expiresAt: Timestamp,
})
export type Invitation = z.output<typeof Invitation>

/** A role, a comma-separated list, or an array of both. Role names are validated after the permission check. */
export const MemberRoleInput = z.union([z.string().max(256), z.array(z.string().max(64)).max(16)])

/**
 * The email address is validated after the permission, so that callers without the permission get no information about
 * it.
 */
export const CreateInvitation = z.object({
  email: z.string().max(1024),
  role: MemberRoleInput,
  organizationId: Id.optional(),
  /** Sends a pending invitation again: the same row, with a new expiry, role and team. */
  resend: z.boolean().optional(),
  teamId: Id.nullish(),
})

/** Secret of an emailed link (256 bits), which verifies the email address. The invitation id alone does not. */
const Secret = z.string().max(256)

export const RespondToInvitation = z.object({ invitationId: Id, secret: Secret.optional() })
export const CancelInvitation = z.object({ invitationId: Id })
export const GetInvitation = z.object({ id: Id, secret: Secret.optional() })

export const InvitationForInvitee = Invitation.extend({
  organizationName: z.string(),
  organizationSlug: z.string(),
  inviterEmail: z.string(),
  /** Set only if the inviter's email address was never verified. */
  inviterEmailVerified: z.boolean().optional(),
})

export const ListInvitations = Page.unwrap()
  .extend({ organizationId: Id.optional(), status: z.enum(invitationStatuses).optional() })
  .default({})

/** Columns that the invitations table sorts by. */
export const invitationSorts = ['sent', 'email', 'expires', 'role', 'inviter'] as const

/** For the invitations table: filtered by status and part of the email address, sorted, page by page. */
export const SearchInvitations = TablePage.extend({
  organizationId: Id,
  status: z.enum(listedStatuses).default('pending'),
  search: z.string().max(100).optional(),
  sort: z.enum(invitationSorts).default('sent'),
  descending: z.boolean().default(true),
})
export const InvitationsPage = z.object({
  invitations: z.array(Invitation.extend({ createdAt: Timestamp, inviterName: z.string() })),
  total: z.int(),
  /** Counts of all invitations of the organization, regardless of the search. */
  counts: z.record(z.enum(listedStatuses), z.int()),
})

/** A pending invitation as shown on the invited user's home screen. */
export const MyInvitation = Invitation.extend({
  organizationName: z.string(),
  organizationSlug: z.string(),
  organizationLogo: z.string().nullable(),
  inviterName: z.string(),
})

export const ReadInvitation = z.object({ id: Id, secret: Secret })

/**
 * An invitation as shown to the holder of the emailed link, without a session. `expired`: pending and past its expiry.
 */
export const MailedInvitation = z.object({
  email: z.string(),
  role: z.string(),
  state: z.enum([...invitationStatuses, 'expired', 'inviter_left']),
  organizationName: z.string(),
  organizationSlug: z.string(),
  organizationLogo: z.string().nullable(),
  inviterName: z.string(),
  organizationId: z.string(),
  expiresAt: Timestamp,
  /** An account with this verified email address exists: sign in instead of signing up. */
  hasAccount: z.boolean(),
})

/** Signs up a new user and accepts the invitation in one step. The secret verifies the email address. */
export const JoinByInvitation = z.object({ invitationId: Id, secret: Secret, name: Name, password: z.string() })

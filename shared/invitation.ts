import { z } from 'zod'
import { Id, Moment, Name, Page } from './account.ts'

/** Spelled as the specification spells it; a payment's state is spelled `cancelled` there. */
export const invitationStatuses = ['pending', 'accepted', 'rejected', 'canceled'] as const

export const Invitation = z.object({
  id: z.string(),
  organizationId: z.string(),
  email: z.string(),
  /** Comma-separated. */
  role: z.string(),
  status: z.enum(invitationStatuses),
  teamId: z.string().nullable(),
  inviterId: z.string(),
  expiresAt: Moment,
})
export type Invitation = z.output<typeof Invitation>

/** One role, a comma-separated list, or a list of both; which names there are is decided after who may ask. */
export const GivenRole = z.union([z.string().max(256), z.array(z.string().max(64)).max(16)])

/** The address is judged after the permission, so that a caller without the permission learns nothing about the address. */
export const CreateInvitation = z.object({
  email: z.string().max(1024),
  role: GivenRole,
  organizationId: Id.optional(),
  /** Mails a pending invitation again: the same row, with a new expiry, role and team. */
  resend: z.boolean().optional(),
  teamId: Id.nullish(),
})

/** 256 bits of a mailed link, which verify the address; the id alone verifies nothing. */
const Secret = z.string().max(256)

export const AnswerInvitation = z.object({ invitationId: Id, secret: Secret.optional() })
export const CancelInvitation = z.object({ invitationId: Id })
export const GetInvitation = z.object({ id: Id, secret: Secret.optional() })

export const InvitationForInvitee = Invitation.extend({
  organizationName: z.string(),
  organizationSlug: z.string(),
  inviterEmail: z.string(),
  /** Only where the inviter's address was never verified. */
  inviterEmailVerified: z.boolean().optional(),
})

export const ListInvitations = Page.unwrap()
  .extend({ organizationId: Id.optional(), status: z.enum(invitationStatuses).optional() })
  .default({})

/** An open invitation as the invited person's own start page shows it. */
export const MyInvitation = Invitation.extend({
  organizationName: z.string(),
  organizationSlug: z.string(),
  organizationLogo: z.string().nullable(),
  inviterName: z.string(),
})

export const ReadInvitation = z.object({ id: Id, secret: Secret })

/** What the holder of a mailed link sees without a session. `expired` is a pending one whose time is over. */
export const MailedInvitation = z.object({
  email: z.string(),
  role: z.string(),
  state: z.enum([...invitationStatuses, 'expired', 'withdrawn']),
  organizationName: z.string(),
  organizationSlug: z.string(),
  organizationLogo: z.string().nullable(),
  inviterName: z.string(),
  /** Somebody has verified this address before: sign in instead of signing up. */
  hasAccount: z.boolean(),
})

/** A newcomer signs up and joins in one step; the secret verifies the address. */
export const JoinByInvitation = z.object({ invitationId: Id, secret: Secret, name: Name, password: z.string() })

import { z } from 'zod'
import { Moment } from './account.ts'

const Text = z.string()
const Nothing = z.object({})
/** How somebody signed in or re-authenticated. */
const Method = z.enum(['password', 'provider', 'verification_link', 'invitation', 'claim', 'password_change', 'code'])
/** One of the social providers; only with the method `provider`. */
const provider = Text.optional()

/**
 * Every type of event and the fields of its `data`. The list is closed: activity pages, audit logs and outgoing webhooks
 * read it. `actorId`, `subjectId` and `organizationId` stand beside `data`; none of the fields ever holds a secret.
 */
export const eventData = {
  // Accounts: the subject is the user.
  /** An account was created. */
  'user.signed_up': z.object({ method: Method, provider }),
  /** The owner of the mailbox took over an account that somebody else had signed up: that account is deleted. */
  'user.claimed': Nothing,
  /** The owner of the mailbox rejected a sign-up or a change of address. */
  'user.rejected': z.object({ email: Text }),
  'user.email_verified': z.object({
    email: Text,
    method: z.enum(['link', 'claim', 'reset', 'invitation', 'provider']),
  }),
  'user.updated': z.object({ fields: z.array(Text) }),
  'user.username_changed': z.object({ from: Text.nullable(), to: Text.nullable() }),
  'user.password_changed': z.object({ method: z.enum(['change', 'reset']) }),
  'user.password_reset_requested': Nothing,
  'user.email_change_requested': z.object({ to: Text }),
  'user.email_changed': z.object({ from: Text, to: Text }),
  'user.deletion_requested': Nothing,
  'user.deleted': z.object({ email: Text }),
  'user.account_linked': z.object({ provider: Text, automatic: z.boolean() }),
  'user.account_unlinked': z.object({ provider: Text }),
  /** `by` is the setting ADMIN_EMAILS, the administration command or an administrator. */
  'user.role_changed': z.object({ from: Text, to: Text, by: z.enum(['setting', 'command', 'administrator']) }),

  // Sessions: the subject is the user; `sessionId` is the session's id, never its token.
  'user.signed_in': z.object({ method: Method, provider, sessionId: Text, newDevice: z.boolean() }),
  /** The subject is null for an unknown account. */
  'user.sign_in_failed': z.object({ reason: z.enum(['wrong_password', 'unverified', 'banned', 'too_many_attempts']) }),
  'user.signed_out': z.object({ sessionId: Text }),
  'user.session_revoked': z.object({ sessionId: Text }),
  /** All sessions but the one that asked, or all of them. */
  'user.sessions_revoked': z.object({ except: Text.nullable() }),

  // Organizations: the subject is the member concerned, where there is one.
  'organization.created': z.object({ name: Text, slug: Text }),
  'organization.updated': z.object({ fields: z.array(Text) }),
  'organization.deleted': z.object({ name: Text, slug: Text }),
  'organization.ownership_transferred': z.object({ from: Text, to: Text }),
  'member.joined': z.object({ userId: Text, memberId: Text, role: Text, invitationId: Text }),
  'member.left': z.object({ userId: Text, memberId: Text, role: Text }),
  'member.removed': z.object({ userId: Text, memberId: Text, role: Text }),
  'member.role_changed': z.object({ userId: Text, memberId: Text, from: Text, to: Text }),
  'member.team_changed': z.object({ userId: Text, memberId: Text, from: Text.nullable(), to: Text.nullable() }),
  'team.created': z.object({ teamId: Text, name: Text }),
  'team.updated': z.object({ teamId: Text, name: Text }),
  'team.deleted': z.object({ teamId: Text, name: Text }),
  'invitation.created': z.object({ invitationId: Text, email: Text, role: Text }),
  'invitation.resent': z.object({ invitationId: Text, email: Text, role: Text }),
  'invitation.accepted': z.object({ invitationId: Text, email: Text, role: Text }),
  'invitation.rejected': z.object({ invitationId: Text, email: Text }),
  'invitation.canceled': z.object({ invitationId: Text, email: Text }),

  // Payments.
  'payment.checkout_started': z.object({ productIds: z.array(Text) }),
  'payment.portal_opened': Nothing,
  /** An administrator said whose the customer of a payment event is. */
  'payment.event_assigned': z.object({ eventId: Text, userId: Text.optional(), organizationId: Text.optional() }),
  'payment.event_processed': z.object({ eventId: Text, isAssigned: z.boolean() }),

  // Refusals worth a look.
  /** `path` is the procedure, `reason` the code of the refusal. The subject is the user who was refused. */
  'permission.refused': z.object({ path: Text, reason: Text }),
  /** A delivery to the payment webhook whose signature did not hold. */
  'webhook.refused': z.object({ reason: Text }),
} as const satisfies Record<string, z.ZodObject>

export type EventType = keyof typeof eventData
export type EventData<Type extends EventType> = z.input<(typeof eventData)[Type]>

/** All types, in the order of the list. */
export const eventTypes = Object.keys(eventData).filter(isEventType)

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventData, text)
}

/** Groups of types, for the filters of the screens: the part of a type before its dot. */
export const eventGroups = ['user', 'organization', 'member', 'team', 'invitation', 'payment', 'permission'] as const
export type EventGroup = (typeof eventGroups)[number]

/** An event as the activity page and the audit log show it. */
export const EventRow = z.object({
  id: z.string(),
  type: z.enum(eventTypes),
  at: Moment,
  /** Name of the user who did it; null for the system, and for users who are gone. */
  actorName: z.string().nullable(),
  actorId: z.string().nullable(),
  /** Name of the user it is about, where that is another one. */
  subjectName: z.string().nullable(),
  subjectId: z.string().nullable(),
  ipAddress: z.string(),
  /** Browser and system by name; null where they are unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  requestId: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type EventRow = z.output<typeof EventRow>

/** A page of events, newest first: the 50 after `cursor`, of one group where one is named. */
export const ListEvents = z
  .object({
    group: z.enum(eventGroups).optional(),
    limit: z.coerce.number().int().min(1).max(100).optional(),
    cursor: z.string().min(1).max(64).optional(),
  })
  .default({})
export const ListOrganizationEvents = ListEvents.unwrap()
  .extend({ organizationId: z.string().min(1).max(64).optional() })
  .default({})
export const EventPage = z.object({ events: z.array(EventRow), next: z.string().nullable() })

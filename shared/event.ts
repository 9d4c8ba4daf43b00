import { z } from 'zod'
import { type EventGroup, eventGroups } from './event-group.ts'
import { Id, Timestamp } from './schema.ts'

const Text = z.string()
const Nothing = z.object({})
/** How a user signed in or re-authenticated. */
const Method = z.enum([
  'password',
  'provider',
  'verification_link',
  'invitation',
  'claim',
  'password_change',
  'code',
  'email_code',
  'passkey',
  'magic_link',
  // An administrator created the account.
  'administrator',
])
/** A social provider, set only for the method `provider`. */
const provider = Text.optional()

/**
 * All event types and the fields of their `data`. The list is closed: activity pages, audit logs and outgoing webhooks
 * depend on it. Events caused by an administrator who acts as a user also have `impersonatorId`. `actorId`, `subjectId`
 * and `organizationId` are separate from `data`. No field ever contains a secret.
 */
export const eventData = {
  // Accounts: the subject is the user.
  /** An account was created. */
  'user.signed_up': z.object({ method: Method, provider }),
  /** The owner of the mailbox took over an account that another person signed up with. That account is deleted. */
  'user.claimed': Nothing,
  /** The owner of the mailbox rejected a sign-up or a change of email address. */
  'user.rejected': z.object({ email: Text }),
  'user.email_verified': z.object({
    email: Text,
    method: z.enum(['link', 'claim', 'reset', 'invitation', 'provider', 'code']),
  }),
  'user.updated': z.object({ fields: z.array(Text) }),
  'user.username_changed': z.object({ from: Text.nullable(), to: Text.nullable() }),
  'user.password_changed': z.object({ method: z.enum(['change', 'reset', 'administrator']) }),
  'user.password_reset_requested': Nothing,
  'user.email_change_requested': z.object({ to: Text }),
  'user.email_changed': z.object({ from: Text, to: Text }),
  'user.deletion_requested': Nothing,
  'user.deleted': z.object({ email: Text }),
  'user.account_linked': z.object({ provider: Text, automatic: z.boolean() }),
  'user.account_unlinked': z.object({ provider: Text }),
  'user.api_key_created': z.object({ keyId: Text, name: Text }),
  'user.api_key_deleted': z.object({ keyId: Text, name: Text }),
  /** The user signed in to an application for the first time, or granted it access. */
  'user.app_connected': z.object({ clientId: Text, name: Text }),
  'user.app_removed': z.object({ clientId: Text, name: Text }),
  /**
   * `by` is the setting ADMIN_EMAILS, the admin command, an administrator, or a reset by the mailbox of an unverified
   * email address.
   */
  'user.role_changed': z.object({
    from: Text,
    to: Text,
    by: z.enum(['setting', 'command', 'administrator', 'mailbox']),
  }),

  /** A session was confirmed with a second factor. */
  'user.second_factor_confirmed': z.object({
    sessionId: Text,
    secondFactor: z.enum(['totp', 'recovery_code', 'passkey']),
  }),
  /** An authenticator app was confirmed, for the first time or replacing another one. */
  'user.two_factor_enabled': Nothing,
  'user.two_factor_disabled': Nothing,
  /** An administrator, the actor, removes it at that time unless the user signs in with it. */
  'user.two_factor_removal_started': z.object({ at: Text }),
  'user.two_factor_removal_canceled': Nothing,
  'user.passkey_added': z.object({ passkeyId: Text, name: Text }),
  'user.passkey_removed': z.object({ passkeyId: Text, name: Text }),
  /** A counter went back, which suggests that a copy of the key exists. */
  'user.passkey_refused': z.object({ passkeyId: Text, name: Text }),
  'user.recovery_codes_replaced': Nothing,
  /** `left` codes remain. */
  'user.recovery_code_used': z.object({ left: z.number() }),
  /** `expiresAt` is an ISO timestamp, null if the ban lasts until it is lifted. */
  'user.banned': z.object({ reason: Text, expiresAt: Text.nullable() }),
  'user.unbanned': Nothing,
  /** An administrator, the actor, started to act as the user. Events in the meantime name both. */
  'user.impersonation_started': z.object({ sessionId: Text }),
  'user.impersonation_ended': z.object({ sessionId: Text }),

  // Applications of the OpenID issuer.
  'client.created': z.object({ clientId: Text, name: Text }),
  'client.updated': z.object({
    clientId: Text,
    name: Text,
    /** The names of the fields that changed, and the redirect URIs from now on. */
    fields: z.array(Text),
    redirectUris: z.array(Text),
  }),
  'client.secret_replaced': z.object({ clientId: Text, name: Text }),
  'client.deleted': z.object({ clientId: Text, name: Text }),

  // Endpoints that events are sent to. Paths of their URLs may be secret, so only the host is stored.
  'endpoint.created': z.object({ endpointId: Text, host: Text }),
  'endpoint.updated': z.object({ endpointId: Text, host: Text, fields: z.array(Text) }),
  'endpoint.deleted': z.object({ endpointId: Text, host: Text }),
  'endpoint.secret_rotated': z.object({ endpointId: Text, host: Text }),
  /** No delivery has succeeded for five days, or the receiver answered 410 Gone. */
  'endpoint.disabled': z.object({ endpointId: Text, host: Text, reason: z.enum(['failing', 'gone']) }),
  /** An administrator requested another attempt of a delivery. */
  'endpoint.sent_again': z.object({ endpointId: Text, host: Text, deliveryId: Text }),
  /** An administrator requested another attempt of an email. */
  'mail.sent_again': z.object({ mailId: Text, kind: Text }),
  /** An administrator let a background job run before its time. */
  'job.run': z.object({ jobId: Text, task: Text }),
  /** An administrator requested a test. It is sent to this endpoint only, regardless of its event types. */
  'webhook.test': z.object({ endpointId: Text }),

  // Created by `npm run import`.
  'user.imported': z.object({ email: Text }),
  'organization.imported': z.object({ name: Text, slug: Text, members: z.number() }),

  // Sessions: the subject is the user; `sessionId` is the session's id, never its token.
  'user.signed_in': z.object({
    method: Method,
    provider,
    sessionId: Text,
    newDevice: z.boolean(),
    /** How the second step was done, if the user has a second factor. */
    secondFactor: z.enum(['totp', 'recovery_code', 'trusted_device', 'passkey', 'email_code']).optional(),
  }),
  /** The subject is null for an unknown account. */
  'user.sign_in_failed': z.object({
    reason: z.enum(['wrong_password', 'unverified', 'banned', 'too_many_attempts', 'wrong_code']),
  }),
  'user.signed_out': z.object({ sessionId: Text }),
  'user.session_revoked': z.object({ sessionId: Text }),
  /** All sessions were revoked, except the caller's if `except` is set. */
  'user.sessions_revoked': z.object({ except: Text.nullable() }),

  // Organizations: the subject is the affected member, if any.
  'organization.created': z.object({ name: Text, slug: Text }),
  'organization.updated': z.object({ fields: z.array(Text) }),
  /** Members need a second factor from that time on. */
  'organization.second_factor_required': z.object({ from: Text }),
  'organization.second_factor_optional': Nothing,
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
  'payment.subscription_canceled': z.object({
    subscriptionId: Text,
    reason: Text.optional(),
    /** Only in cancellations by an administrator. */
    isImmediate: z.boolean().optional(),
  }),
  'payment.subscription_resumed': z.object({ subscriptionId: Text }),
  'payment.subscription_transferred': z.object({ subscriptionId: Text, from: Text, to: Text }),
  /** `isPending`: the charge has not succeeded yet, and the former plan stays until then. */
  'payment.plan_changed': z.object({
    subscriptionId: Text,
    productId: Text,
    quantity: z.number(),
    isPending: z.boolean().optional(),
  }),
  /**
   * Recorded before the request, which may get no clear answer. Without a subject, because customers need not see it.
   */
  'payment.refund_requested': z.object({ paymentId: Text, reason: Text.optional() }),
  'payment.refunded': z.object({ paymentId: Text, reason: Text.optional() }),
  /** An administrator assigned the customer of a payment event to a user or organization. */
  'payment.event_assigned': z.object({ eventId: Text, userId: Text.optional(), organizationId: Text.optional() }),
  'payment.event_processed': z.object({ eventId: Text, isAssigned: z.boolean() }),
  'payment.event_dismissed': z.object({ eventId: Text, reason: Text }),

  // Security-relevant refusals.
  /** `path` is the procedure, `reason` the refusal code. The subject is the user who was refused. */
  'permission.refused': z.object({ path: Text, reason: Text }),
  /** A payment webhook delivery with an invalid signature. */
  'webhook.refused': z.object({ reason: Text }),
} as const satisfies Record<string, z.ZodObject>

export type EventType = keyof typeof eventData

type GroupOf<Type extends string> = Type extends `${infer Group}.${string}` ? Group : never
// Every event belongs to a group that it can be filtered by.
true satisfies GroupOf<EventType> extends EventGroup ? true : false
export type EventData<Type extends EventType> = z.input<(typeof eventData)[Type]>

/** All event types, in the order of `eventData`. */
export const eventTypes = Object.keys(eventData).filter(isEventType)

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventData, text)
}

/** An event as shown on the activity page and in the audit log. */
export const EventRow = z.object({
  id: z.string(),
  type: z.enum(eventTypes),
  at: Timestamp,
  /** Name of the user who caused the event. Null for the system and for deleted users. */
  actorName: z.string().nullable(),
  actorId: z.string().nullable(),
  /** Name of the user the event is about, if different from the actor. */
  subjectName: z.string().nullable(),
  subjectId: z.string().nullable(),
  /** The organization that the event belongs to. Its name is for administrators, and null if it was deleted. */
  organizationId: z.string().nullable(),
  organizationName: z.string().nullable(),
  /** Name of the administrator who acted as the actor. */
  impersonatorName: z.string().nullable(),
  ipAddress: z.string(),
  /** Browser and operating system names. Null if unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  requestId: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type EventRow = z.output<typeof EventRow>

/** A page of events, newest first: by default 50 after `cursor`. Filters are combined. */
export const ListEvents = z
  .object({
    group: z.enum(eventGroups).optional(),
    type: z.enum(eventTypes).optional(),
    /** The user who caused the events. */
    actorId: Id.optional(),
    /** Events at or after this time. */
    from: Timestamp.optional(),
    /** Events before this time. */
    until: Timestamp.optional(),
    limit: z.coerce.number().int().min(1).max(100).optional(),
    cursor: Id.optional(),
  })
  .default({})
export const ListOrganizationEvents = ListEvents.unwrap().extend({ organizationId: Id.optional() }).default({})
export const EventPage = z.object({ events: z.array(EventRow), next: z.string().nullable() })

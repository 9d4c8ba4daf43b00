import { z } from 'zod'
import { ListEvents } from './event.ts'
import { memberSorts, MembershipLimit, OrganizationReference } from './organization.ts'
import { AdministeredSubscription } from './payment.ts'
import { roles } from './permissions.ts'
import { Id, Timestamp } from './schema.ts'

// Views of the whole installation for administrators.

const Count = z.coerce.number().int().min(0)

export const organizationSorts = ['createdAt', 'name'] as const

export const ListAllOrganizations = z
  .object({
    /** A part of the name or of the slug (one or two characters: the beginning of a word), or the whole id. */
    q: z.string().max(100).optional(),
    sortBy: z.enum(organizationSorts).default('createdAt'),
    sortDirection: z.enum(['asc', 'desc']).default('desc'),
    limit: Count.max(100).default(25),
    offset: Count.max(1_000_000).default(0),
  })
  .default({ sortBy: 'createdAt', sortDirection: 'desc', limit: 25, offset: 0 })

const OrganizationRow = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.string().nullable(),
  createdAt: Timestamp,
  members: z.int(),
})
export const OrganizationPage = z.object({ organizations: z.array(OrganizationRow), total: z.int() })

/** Members of one organization: searched by name or email address, filtered by role, sorted, page by page. */
export const ListOrganizationMembers = OrganizationReference.extend({
  q: z.string().max(100).optional(),
  role: z.enum(roles).optional(),
  sortBy: z.enum(memberSorts).default('joined'),
  sortDirection: z.enum(['asc', 'desc']).default('asc'),
  limit: Count.min(1).max(100).default(25),
  offset: Count.max(1_000_000).default(0),
})

/** The maximum number of members of one organization, or null for that of the installation. Existing members stay. */
export const SetOrganizationLimit = OrganizationReference.extend({
  membershipLimit: MembershipLimit,
})

/** An organization with what administrators see of it. Its members are listed by `ListOrganizationMembers`. */
export const OrganizationDetails = OrganizationRow.extend({
  /** Its own maximum number of members. Null if that of the installation applies. */
  membershipLimit: z.int().nullable(),
  /** MEMBERSHIP_LIMIT of the installation. */
  defaultMembershipLimit: z.int(),
  teams: z.int(),
  pendingInvitations: z.int(),
  subscriptions: z.array(AdministeredSubscription),
})

/** Events of all users and organizations, newest first. */
export const ListAllEvents = ListEvents.unwrap()
  .extend({ userId: Id.optional(), organizationId: Id.optional() })
  .default({})

export const mailStates = ['queued', 'rejected', 'sent', 'all'] as const

export const ListMails = z
  .object({
    state: z.enum(mailStates).default('queued'),
    /** The whole email address of the recipient. */
    to: z.string().trim().toLowerCase().max(254).optional(),
    cursor: z.string().min(1).max(64).optional(),
    limit: Count.min(1).max(100).default(50),
  })
  .default({ state: 'queued', limit: 50 })

/** An email without its links and codes, which can be used to sign in. */
export const MailRow = z.object({
  id: z.string(),
  to: z.string(),
  kind: z.string(),
  /** In the language of its recipient. */
  subject: z.string(),
  text: z.string(),
  createdAt: Timestamp,
  sentAt: Timestamp.nullable(),
  rejectedAt: Timestamp.nullable(),
  failure: z.string().nullable(),
})
export const MailPage = z.object({
  mails: z.array(MailRow),
  next: z.string().nullable(),
  /** Whether a mail server is configured. Without one, emails wait indefinitely. */
  hasMailServer: z.boolean(),
})
export const MailReference = z.object({ mailId: Id })

export const ListAllApiKeys = z
  .object({
    /**
     * A part of the key's name or of its user's email address (one or two characters: the beginning of a word), or the
     * first characters of the key. Without a letter or digit, only the latter.
     */
    q: z.string().max(100).optional(),
    limit: Count.min(1).max(100).default(25),
    offset: Count.max(1_000_000).default(0),
  })
  .default({ limit: 25, offset: 0 })

/** An API key without the key itself. */
const AdministeredApiKey = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The first characters, to recognize the key by. */
  start: z.string(),
  enabled: z.boolean(),
  expiresAt: Timestamp.nullable(),
  lastRequest: Timestamp.nullable(),
  createdAt: Timestamp,
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }).nullable(),
})
export const AnyApiKeyPage = z.object({ apiKeys: z.array(AdministeredApiKey), total: z.int() })

/** A background job that has failed or is waiting. */
export const JobRow = z.object({
  id: z.string(),
  task: z.string(),
  attempts: z.int(),
  maxAttempts: z.int(),
  isRunning: z.boolean(),
  runAt: Timestamp,
  lastError: z.string().nullable(),
})

/** A job, by the id in its row. */
export const JobReference = z.object({ jobId: z.string().regex(/^\d{1,18}$/) })

/** A current setting. Values of secrets are omitted. */
export const SettingRow = z.object({
  name: z.string(),
  value: z.string().nullable(),
  isSecret: z.boolean(),
  /** Whether the environment contains it. Otherwise the default applies. */
  isSet: z.boolean(),
})

const Day = z.object({ day: z.string(), count: z.int() })

/** The last thirty days, by UTC day, and totals. */
export const Overview = z.object({
  users: z.int(),
  organizations: z.int(),
  activeUsers: z.int(),
  /** Users who signed in or whose session was renewed on a day. Null for days that were not counted. */
  activeUsersByDay: z.array(z.object({ day: z.string(), count: z.int().nullable() })),
  signUps: z.array(Day),
  signIns: z.array(Day),
  newOrganizations: z.array(Day),
  /** Median seconds from cause to delivery of each day's emails. Null for days without emails. */
  mailDelayByDay: z.array(z.object({ day: z.string(), median: z.number().nullable() })),
  /**
   * Median and 95th percentile of the seconds from cause to delivery of the last day's emails. Null if there were none.
   */
  mailDelayOfLastDay: z.object({ median: z.number(), p95: z.number() }).nullable(),
  /** Null without a mail server. */
  queuedMails: z.int().nullable(),
  failedJobs: z.int(),
  failingEndpoints: z.int(),
  /** Emails of the last 30 days that the mail server rejected. */
  rejectedMails: z.int(),
  /** Disputes that wait for the seller's response. */
  openDisputes: z.int(),
})

import { z } from 'zod'
import { Id, Moment } from './account.ts'
import { ListEvents } from './event.ts'
import { MembershipLimit } from './organization.ts'

// What administrators see of the whole installation.

const Count = z.coerce.number().int().min(0)

export const organizationOrders = ['createdAt', 'name'] as const

export const ListAllOrganizations = z
  .object({
    /** A part of the name or of the slug. */
    q: z.string().max(100).optional(),
    sortBy: z.enum(organizationOrders).default('createdAt'),
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
  createdAt: Moment,
  members: z.int(),
})
export const OrganizationPage = z.object({ organizations: z.array(OrganizationRow), total: z.int() })

export const OrganizationChosen = z.object({ organizationId: Id })

/** The maximum number of members of one organization; null for that of the installation. Who is a member already stays one. */
export const SetOrganizationLimit = OrganizationChosen.extend({
  membershipLimit: MembershipLimit,
})

/** An organization with at most a hundred of its members, owners first. */
export const OrganizationDetails = OrganizationRow.extend({
  /** Its own maximum number of members; null if it has that of the installation. */
  membershipLimit: z.int().nullable(),
  /** MEMBERSHIP_LIMIT of the installation. */
  defaultMembershipLimit: z.int(),
  teams: z.int(),
  pendingInvitations: z.int(),
  subscriptions: z.array(z.object({ id: z.string(), productId: z.string(), status: z.string().nullable() })),
  people: z.array(
    z.object({ id: z.string(), name: z.string(), email: z.string(), image: z.string().nullable(), role: z.string() }),
  ),
})

/** Events of all users and organizations, newest first. */
export const ListAllEvents = ListEvents.unwrap()
  .extend({ userId: Id.optional(), organizationId: Id.optional() })
  .default({})

export const mailStates = ['waiting', 'givenUp', 'delivered'] as const

export const ListMails = z
  .object({
    state: z.enum(mailStates).default('waiting'),
    cursor: z.string().min(1).max(64).optional(),
    limit: Count.min(1).max(100).default(50),
  })
  .default({ state: 'waiting', limit: 50 })

/** A mail without its links and codes, which sign in. */
export const MailRow = z.object({
  id: z.string(),
  to: z.string(),
  kind: z.string(),
  /** In the language of its recipient. */
  subject: z.string(),
  text: z.string(),
  createdAt: Moment,
  deliveredAt: Moment.nullable(),
  givenUpAt: Moment.nullable(),
  failure: z.string().nullable(),
})
export const MailPage = z.object({
  mails: z.array(MailRow),
  next: z.string().nullable(),
  /** Whether a mail server is set. Without one, mails wait for ever. */
  isDelivered: z.boolean(),
})
export const MailChosen = z.object({ mailId: Id })

export const ListAllApiKeys = z
  .object({
    /** A part of the name of the key, or of the address of its user; or the first characters of the key. */
    q: z.string().max(100).optional(),
    limit: Count.min(1).max(100).default(25),
    offset: Count.max(1_000_000).default(0),
  })
  .default({ limit: 25, offset: 0 })

/** An API key without the key itself. */
export const AnyApiKeyRow = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** The first characters, to recognize it by. */
  start: z.string(),
  enabled: z.boolean(),
  expiresAt: Moment.nullable(),
  lastRequest: Moment.nullable(),
  createdAt: Moment,
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  organization: z.object({ id: z.string(), name: z.string(), slug: z.string() }).nullable(),
})
export const AnyApiKeyPage = z.object({ apiKeys: z.array(AnyApiKeyRow), total: z.int() })
export const AnyApiKeyChosen = z.object({ keyId: Id })

/** A background job that has failed or is waiting. */
export const JobRow = z.object({
  id: z.string(),
  task: z.string(),
  attempts: z.int(),
  maxAttempts: z.int(),
  isRunning: z.boolean(),
  runAt: Moment,
  lastError: z.string().nullable(),
})

/** A setting as it is in force. The values of secrets are not told, only that there is one. */
export const SettingRow = z.object({
  name: z.string(),
  value: z.string().nullable(),
  isSecret: z.boolean(),
  /** Whether the environment has it; otherwise the default is in force. */
  isSet: z.boolean(),
})

const Day = z.object({ day: z.string(), count: z.int() })

/** The last thirty days, by UTC day, and what there is in all. */
export const Overview = z.object({
  users: z.int(),
  organizations: z.int(),
  activeUsers: z.int(),
  signUps: z.array(Day),
  signIns: z.array(Day),
  newOrganizations: z.array(Day),
  /** Median seconds from cause to delivery of the mails of each day; 0 for days without. */
  mailTimes: z.array(Day.extend({ count: z.number() })),
  /** Seconds from cause to delivery of half and of 95 of 100 mails of the last day. Null if there were none. */
  mailSeconds: z.object({ median: z.number(), p95: z.number() }).nullable(),
  /** Null without a mail server. */
  waitingMails: z.int().nullable(),
  failedJobs: z.int(),
  failingEndpoints: z.int(),
})

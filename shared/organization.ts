import { z } from 'zod'
import { asciiLower } from './identity.ts'
import { MemberRoleInput, Invitation } from './invitation.ts'
import { roles } from './permissions.ts'
import { Id, Timestamp, Name, PermissionRequest, PictureUrl, TablePage } from './schema.ts'
import { Team } from './team.ts'

/** Maximum length of an organization's slug. */
const maxSlug = 64

/** An organization's own maximum number of members. Null means that of the installation. */
export const MembershipLimit = z.int().min(1).max(1_000_000).nullable()

/** The organization's URL slug: lower-cased, then letters a to z, digits and hyphens, but not hyphens alone. */
export const Slug = z
  .string()
  .transform(asciiLower)
  .refine(
    (slug) => /^[a-z0-9-]+$/.test(slug) && /[a-z0-9]/.test(slug) && !slug.endsWith('\n') && slug.length <= maxSlug,
  )

/** A slug to look up, normalized. An invalid slug finds nothing. */
export const SlugInput = z.string().max(256).transform(asciiLower)

/** Maximum number of keys, and maximum size as JSON in UTF-8 (SEC-43). */
const maxMetadata = { keys: 50, bytes: 16_384 }

/** Whether metadata of any kind is small enough: it may be sent in tokens and cookies. */
export function hasMetadataSize(value: object): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).length <= maxMetadata.bytes
}

/** String values with plain keys. Keys with a special meaning in JavaScript are refused (SEC-43). */
export const Metadata = z
  .custom<Record<string, string>>((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const entries = Object.entries(value)
    return (
      entries.length <= maxMetadata.keys &&
      entries.every(([key, text]) => typeof text === 'string' && !/^(?:__proto__|constructor|prototype)$/.test(key)) &&
      hasMetadataSize(value)
    )
  })
  .meta({ type: 'object', additionalProperties: { type: 'string' } })

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  createdAt: Timestamp,
})
export type Organization = z.output<typeof Organization>

export const Member = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  /** Comma-separated. */
  role: z.string(),
  teamId: z.string().nullable(),
  createdAt: Timestamp,
})
export type Member = z.output<typeof Member>

export const MemberWithUser = Member.extend({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    image: z.string().nullable(),
    /** Set only if the email address was never verified: an unverified address does not identify a user (SEC-121). */
    emailVerified: z.boolean().optional(),
  }),
})
export type MemberWithUser = z.output<typeof MemberWithUser>

/** An organization with its members and its invitations of any status. */
export const FullOrganization = Organization.extend({
  members: z.array(MemberWithUser),
  invitations: z.array(Invitation),
  teams: z.array(Team),
})

/** `userId` is not accepted from requests: the caller is the creator (SEC-41). */
export const CreateOrganization = z.object({
  name: Name,
  slug: Slug,
  logo: PictureUrl.nullish(),
  metadata: Metadata.nullish(),
  keepCurrentActiveOrganization: z.boolean().optional(),
})
export const CreatedOrganization = Organization.extend({ members: z.array(Member) })

export const CheckSlug = z.object({ slug: Slug })

/** Only fields that are present change. Metadata is replaced as a whole. */
export const UpdateOrganization = z.object({
  data: z.object({
    name: Name.optional(),
    slug: Slug.optional(),
    logo: PictureUrl.nullish(),
    metadata: Metadata.nullish(),
  }),
  organizationId: Id.optional(),
})

/** The target organization. Where it is optional, it defaults to the session's active organization. */
export const OrganizationReference = z.object({ organizationId: Id })

export const GetFullOrganization = z
  .object({ organizationId: Id.optional(), organizationSlug: SlugInput.optional() })
  .default({})

export const SetActiveOrganization = z
  .object({ organizationId: Id.nullish(), organizationSlug: SlugInput.nullish() })
  .default({})

/** `permission` is the older name of `permissions`. One of the two is required. */
export const HasPermission = z
  .object({
    permissions: PermissionRequest.optional(),
    permission: PermissionRequest.optional(),
    organizationId: Id.optional(),
  })
  .refine(({ permissions, permission }) => (permissions === undefined) !== (permission === undefined))
  .transform(({ permissions, permission, organizationId }) => ({
    request: permissions ?? permission ?? {},
    organizationId,
  }))

export const RemoveMember = z.object({ memberIdOrEmail: z.string().min(1).max(254), organizationId: Id.optional() })
export const MemberRemoved = z.object({ member: MemberWithUser })

export const UpdateMemberRole = z.object({
  memberId: Id,
  role: MemberRoleInput.refine((given) => [given].flat().some((text) => text !== '')),
  organizationId: Id.optional(),
})

/** Transfers ownership to another member. The former owner becomes an administrator. */
export const TransferOwnership = z.object({ memberId: Id, organizationId: Id.optional() })

// Used only by the web client.

/** One of the caller's organizations, as shown in the organization switcher. */
export const MyOrganization = Organization.pick({ id: true, name: true, slug: true, logo: true }).extend({
  role: z.string(),
  memberCount: z.int(),
})

/** The caller's organizations by name, up to the list maximum. `search` matches part of a name or slug. */
export const ListMine = z.object({ search: z.string().max(100).optional() }).default({})

/** Data for every page of an organization: the organization, the caller's membership, and counts. */
export const OrganizationOverview = Organization.extend({
  me: Member.pick({ id: true, role: true, teamId: true }),
  counts: z.object({ members: z.int(), owners: z.int(), teams: z.int(), pendingInvitations: z.int() }),
  membershipLimit: z.int(),
  /** Members and pending invitations that the subscription allows. Null if it does not limit them. */
  seatLimit: z.int().nullable(),
  /** When a second factor becomes required for members. Null if it is not required. */
  secondFactorFrom: Timestamp.nullable(),
})

/** Columns that the members table sorts by. */
export const memberSorts = ['joined', 'name', 'role'] as const

export const SearchMembers = TablePage.extend({
  organizationId: Id,
  search: z.string().max(100).optional(),
  role: z.enum(roles).optional(),
  teamId: Id.optional(),
  sort: z.enum(memberSorts).default('joined'),
  descending: z.boolean().default(false),
})
/** Days until members need a second factor; null for no requirement. */
export const SetSecondFactor = z.object({
  organizationId: Id.optional(),
  graceDays: z.int().min(0).max(90).nullable(),
})
/** Query of the list of members without a second factor: numbers arrive as text. */
export const ListMembersWithoutSecondFactor = z
  .object({
    organizationId: Id.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(100),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  })
  .prefault({})
/** Query of the REST list of members: numbers arrive as text. */
export const ListMembers = z
  .object({
    organizationId: Id.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(100),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    sortBy: z.enum(['createdAt', 'name']).default('createdAt'),
    sortDirection: z.enum(['asc', 'desc']).default('asc'),
  })
  .prefault({})
export const MemberRoleOf = z.object({ organizationId: Id.optional(), userId: Id.optional() }).default({})
export const MembersPage = z.object({ members: z.array(MemberWithUser), total: z.int() })

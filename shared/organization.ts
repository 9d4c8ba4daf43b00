import { z } from 'zod'
import { asciiLower, Id, Moment, Name, Page, PictureUrl } from './account.ts'
import { GivenRole, Invitation } from './invitation.ts'
import { roles } from './permissions.ts'
import { Team } from './team.ts'

/** Longest address of an organization, in characters. */
const maxSlug = 64

/** The organization's place in addresses: lower-cased, then letters a to z, digits and hyphens. */
export const Slug = z
  .string()
  .transform(asciiLower)
  .refine((slug) => /^[a-z0-9-]+$/.test(slug) && !slug.endsWith('\n') && slug.length <= maxSlug)

/** A slug to look up: in its one form; one that cannot be a slug finds nothing. */
export const GivenSlug = z.string().max(256).transform(asciiLower)

/** At most so many keys, and so many characters of JSON (SEC-43). */
const maxMetadata = { keys: 50, characters: 16_384 }

/** Plain string values under plain keys; one with a key that JavaScript gives a meaning is refused (SEC-43). */
export const Metadata = z.custom<Record<string, string>>((value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length <= maxMetadata.keys &&
    entries.every(([key, text]) => typeof text === 'string' && !/^(?:__proto__|constructor|prototype)$/.test(key)) &&
    JSON.stringify(value).length <= maxMetadata.characters
  )
})

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  logo: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  createdAt: Moment,
})
export type Organization = z.output<typeof Organization>

export const Member = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  /** Comma-separated. */
  role: z.string(),
  teamId: z.string().nullable(),
  createdAt: Moment,
})
export type Member = z.output<typeof Member>

export const MemberWithUser = Member.extend({
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    image: z.string().nullable(),
    /** Only where the address was never verified: it is no identity then (SEC-121). */
    emailVerified: z.boolean().optional(),
  }),
})
export type MemberWithUser = z.output<typeof MemberWithUser>

/** Invitations of all statuses. */
export const FullOrganization = Organization.extend({
  members: z.array(MemberWithUser),
  invitations: z.array(Invitation),
  teams: z.array(Team),
})

/** `userId` is for the server alone and not taken from a request: the caller is the creator (SEC-41). */
export const CreateOrganization = z.object({
  name: Name,
  slug: Slug,
  logo: PictureUrl.nullish(),
  metadata: Metadata.nullish(),
  keepCurrentActiveOrganization: z.boolean().optional(),
})
export const CreatedOrganization = Organization.extend({ members: z.array(Member) })

export const CheckSlug = z.object({ slug: Slug })

/** Only what is given changes; metadata is replaced as a whole. */
export const UpdateOrganization = z.object({
  data: z.object({
    name: Name.optional(),
    slug: Slug.optional(),
    logo: PictureUrl.nullish(),
    metadata: Metadata.nullish(),
  }),
  organizationId: Id.optional(),
})

/** The organization that is meant; where it may be left out, the session's active one is. */
export const OrganizationNamed = z.object({ organizationId: Id })

export const GetFullOrganization = z
  .object({ organizationId: Id.optional(), organizationSlug: GivenSlug.optional() })
  .default({})

export const SetActiveOrganization = z
  .object({ organizationId: Id.nullish(), organizationSlug: GivenSlug.nullish() })
  .default({})

const PermissionRequest = z.record(z.string(), z.array(z.string()))

/** `permission` is the older key: one of the two is given. */
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
export const PermissionAnswer = z.object({ error: z.null(), success: z.boolean() })

export const RemoveMember = z.object({ memberIdOrEmail: z.string().min(1).max(254), organizationId: Id.optional() })
export const MemberRemoved = z.object({ member: MemberWithUser })

export const UpdateMemberRole = z.object({
  memberId: Id,
  role: GivenRole.refine((given) => [given].flat().some((text) => text !== '')),
  organizationId: Id.optional(),
})

/** The whole ownership goes to another member; the former owner stays as an administrator. */
export const TransferOwnership = z.object({ memberId: Id, organizationId: Id.optional() })

// For the screens only.

/** One of the caller's organizations, as the switcher shows it. */
export const MyOrganization = Organization.pick({ id: true, name: true, slug: true, logo: true }).extend({
  role: z.string(),
})

/** The caller's organizations by name, as many as a list shows; `search` is part of a name or of a slug. */
export const ListMine = z.object({ search: z.string().max(100).optional() }).default({})

/** What every screen of an organization needs: itself, who I am in it, and how much there is to see. */
export const OrganizationOverview = Organization.extend({
  me: Member.pick({ id: true, role: true, teamId: true }),
  counts: z.object({ members: z.int(), owners: z.int(), teams: z.int(), pendingInvitations: z.int() }),
  membershipLimit: z.int(),
})

export const SearchMembers = Page.unwrap().extend({
  organizationId: Id,
  search: z.string().max(100).optional(),
  role: z.enum(roles).optional(),
})
export const MembersPage = z.object({ members: z.array(MemberWithUser), total: z.int(), next: z.string().nullable() })

import { z } from 'zod'
import { Email } from './account.ts'
import { MetadataInput } from './metadata.ts'
import { MembershipLimit, Metadata, Slug } from './organization.ts'
import { Id, Timestamp, Name, PictureUrl } from './schema.ts'

// The lines of an import and of an export: one JSON object each (NDJSON). Missing fields get their defaults.

const Text = z.string().max(2048)
/** A plausible time: after 1970, and before 2200. */
const PlausibleTimestamp = Timestamp.refine((time) => time.getTime() > 0 && time.getUTCFullYear() < 2200)

/** An id that references elsewhere keep. It has to fit into headers and cookies, which have no other characters. */
const KeptId = Id.regex(/^[!#-+\--:<-[\]-}]+$/)

/** A user's identity at a provider. It does not include the provider's tokens. */
const Identity = z.object({
  provider: Text,
  /** The provider's id of the user. */
  accountId: z.union([
    z.string().min(1).max(256),
    // A larger number has already lost digits, so it becomes null.
    z.number().transform((id) => (Number.isSafeInteger(id) && id >= 0 ? String(id) : null)),
  ]),
  createdAt: PlausibleTimestamp.optional(),
})

/** A line about a user. */
export const UserLine = z.object({
  type: z.literal('user').optional(),
  /** Kept, so that references to it stay valid. */
  id: KeptId.optional(),
  email: Email,
  emailVerified: z.boolean().default(false),
  /** Defaults to the part of the email address before the @. */
  name: Name.nullish().catch(null),
  username: Text.nullish(),
  displayUsername: Text.nullish(),
  image: Text.nullish(),
  /** BCP 47, such as de or pt-BR. */
  language: Text.nullish(),
  createdAt: PlausibleTimestamp.nullish(),
  /** A hash of argon2, bcrypt, scrypt (PHC, better-auth, Firebase) or PBKDF2; see docs/moving.md. */
  passwordHash: z.string().nullish(),
  identities: z.array(Identity).max(50).default([]),
  banned: z.object({ reason: Text.nullish(), expiresAt: PlausibleTimestamp.nullish() }).nullish(),
  metadata: MetadataInput.nullish(),
  privateMetadata: MetadataInput.nullish(),
})
export type UserLine = z.output<typeof UserLine>

const TeamOfLine = z.object({ id: KeptId.optional(), name: Name, createdAt: PlausibleTimestamp.nullish() })

const MemberOfLine = z
  .object({
    id: Id.optional(),
    /** The user, by id or email address: imported earlier, or existing. */
    userId: Id.optional(),
    email: Email.optional(),
    role: z.union([z.string(), z.array(z.string())]).default('member'),
    /** Id or name of one of the line's teams. Null means no team; if missing, the first team. */
    team: Text.nullish(),
    createdAt: PlausibleTimestamp.nullish(),
  })
  .refine(({ userId, email }) => userId !== undefined || email !== undefined)

/** A line about an organization, with its teams and members. It comes after the lines of its members. */
export const OrganizationLine = z.object({
  type: z.literal('organization'),
  id: KeptId.optional(),
  name: Name,
  slug: Slug,
  logo: PictureUrl.nullish(),
  metadata: Metadata.nullish(),
  privateMetadata: MetadataInput.nullish(),
  membershipLimit: MembershipLimit.optional(),
  /** When a second factor becomes required for its members. Lines do not contain the factors of users. */
  secondFactorFrom: PlausibleTimestamp.nullish(),
  createdAt: PlausibleTimestamp.nullish(),
  teams: z.array(TeamOfLine).max(100).default([]),
  members: z.array(MemberOfLine).min(1).max(100_000),
})
export type OrganizationLine = z.output<typeof OrganizationLine>

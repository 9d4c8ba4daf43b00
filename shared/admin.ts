import { z } from 'zod'
import { Email, FullUser, userRoles } from './account.ts'
import { AdministeredSubscription } from './payment.ts'
import { splitRoles } from './permissions.ts'
import { Id, Timestamp, Name, PermissionRequest, PictureUrl } from './schema.ts'
import { Device, Session } from './session.ts'

// Bodies and responses of the admin plugin of better-auth 1.2.7.

/** A user as administrators see it. An expired ban counts as no ban. */
export const AdministeredUser = FullUser.extend({
  banned: z.boolean(),
  banReason: z.string().nullable(),
  banExpires: Timestamp.nullable(),
})
export type AdministeredUser = z.output<typeof AdministeredUser>

/** One role, a list, or a list separated by commas. If there are several, the highest applies. */
const UserRoleInput = z
  .union([z.string(), z.array(z.string())])
  .transform(splitRoles)
  .refine((names) => names.length > 0 && names.every((name) => userRoles.some((role) => role === name)))
  .transform((names) => (names.includes('admin') ? ('admin' as const) : ('user' as const)))

/** As in the plugin, a number is accepted as text. */
const UserId = z.union([z.string(), z.number()]).transform(String).pipe(Id)
export const UserReference = z.object({ userId: UserId })

export const SetRole = UserReference.extend({ role: UserRoleInput })

export const CreateUser = z.object({
  email: Email,
  password: z.string(),
  name: Name,
  role: UserRoleInput.default('user'),
  /**
   * Whether the new user gets an email about the account, without the password. Only to a verified address: the owner
   * of an unverified one, who resets the password as the email says, would replace the account.
   */
  sendEmail: z.boolean().default(false),
  /** Other fields of the new user. Unknown ones are ignored. */
  data: z
    .object({
      emailVerified: z.boolean().default(false),
      image: PictureUrl.nullish(),
      username: z.string().nullish(),
    })
    .default({ emailVerified: false }),
})

/** Columns by which users are filtered. */
export const userFilters = [
  'id',
  'email',
  'name',
  'username',
  'role',
  'emailVerified',
  'banned',
  'createdAt',
  'updatedAt',
] as const
/** Columns by which users are sorted. Each has an index. */
export const userSorts = [
  'id',
  'email',
  'name',
  'username',
  'createdAt',
  'updatedAt',
  'role',
  'emailVerified',
  'banned',
] as const

/** Maximum page size, in rows. A larger `limit` returns this many. */
export const maxUsers = 500

const Count = z.coerce.number().int().min(0)

export const ListUsers = z
  .object({
    searchValue: z.string().max(256).optional(),
    /** `any` is Foyer's own addition: both, and the whole id or username. */
    searchField: z.enum(['email', 'name', 'any']).default('email'),
    searchOperator: z.enum(['contains', 'starts_with', 'ends_with']).default('contains'),
    limit: Count.optional(),
    offset: Count.max(1_000_000_000).optional(),
    sortBy: z.enum([...userSorts, '']).optional(),
    sortDirection: z.enum(['asc', 'desc']).default('asc'),
    filterField: z.enum(userFilters).default('email'),
    /** As text; booleans as `true` and `false`, dates as ISO 8601. */
    filterValue: z
      .union([z.string().max(256), z.number(), z.boolean()])
      .transform(String)
      .optional(),
    filterOperator: z.enum(['eq', 'ne', 'lt', 'lte', 'gt', 'gte']).default('eq'),
  })
  .default({
    searchField: 'email',
    searchOperator: 'contains',
    sortDirection: 'asc',
    filterField: 'email',
    filterOperator: 'eq',
  })
export type ListUsers = z.output<typeof ListUsers>

/** `total` counts all users that match the filter. `limit` and `offset` are present if they were given. */
export const UserPage = z.object({
  users: z.array(AdministeredUser),
  total: z.int(),
  limit: z.int().optional(),
  offset: z.int().optional(),
})

/** `id` is its name in newer versions of better-auth. */
export const GetUser = UserReference.partial()
  .extend({ id: Id.optional() })
  .refine(({ userId, id }) => (userId === undefined) !== (id === undefined))

export const BanUser = UserReference.extend({
  banReason: z.string().trim().max(500).optional(),
  /** Seconds. If missing or 0, the ban lasts until it is lifted. */
  banExpiresIn: z
    .number()
    .min(0)
    .max(3_153_600_000)
    .transform((seconds) => (seconds === 0 ? undefined : Math.ceil(seconds)))
    .optional(),
})
export const UnbanUser = UserReference
export const ImpersonateUser = UserReference
export const RemoveUser = UserReference
export const RemoveTwoFactor = UserReference
export const TwoFactorRemoval = z.object({ removalAt: Timestamp })
export const ListUserSessions = UserReference
export const RevokeUserSessions = UserReference
/** `sessionToken` is the session's handle (`Session.token`), not its secret. The name is better-auth's. */
export const RevokeUserSession = z.object({ sessionToken: Id })
export const SetUserPassword = UserReference.extend({ newPassword: z.string() })

/** Either `permissions` or, as before 1.2, `permission`. Refers to the caller: `userId` and `role` have no effect. */
export const HasPermission = z
  .object({
    userId: z.union([z.string(), z.number()]).optional(),
    role: z.string().optional(),
    permission: PermissionRequest.optional(),
    permissions: PermissionRequest.optional(),
  })
  .refine(({ permission, permissions }) => (permission === undefined) !== (permissions === undefined))

export const UserResponse = z.object({ user: AdministeredUser })
export const SessionsResponse = z.object({ sessions: z.array(Session) })
/** A session with the names of browser and operating system, null if unknown. */
export const UserSession = Device.omit({ isCurrent: true }).extend({ impersonatedBy: z.string().optional() })

/** The additional data of a user's details page: at most a hundred of each. */
export const UserDetails = z.object({
  passkeys: z.int(),
  /** When the second factor is removed, if an administrator has started the removal. */
  twoFactorRemovalAt: Timestamp.nullable(),
  accounts: z.array(z.object({ provider: z.string(), createdAt: Timestamp })),
  organizations: z.array(
    z.object({ id: z.string(), name: z.string(), slug: z.string(), role: z.string(), createdAt: Timestamp }),
  ),
  apiKeys: z.int(),
  subscriptions: z.array(AdministeredSubscription),
  /** The newest payments, amounts in the smallest unit of the currency. */
  payments: z.array(
    z.object({
      id: z.string(),
      amount: z.number(),
      currency: z.string(),
      status: z.string().nullable(),
      createdAt: Timestamp,
    }),
  ),
})

/** The administrator and the user in an impersonated session. */
export const Impersonation = z.object({
  administrator: z.object({ id: z.string(), name: z.string(), email: z.string() }),
})

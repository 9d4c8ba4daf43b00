import { z } from 'zod'
import type { RefusalKey } from './errors.ts'
import { isEmail, normalizeEmail, usernameProblem } from './identity.ts'
import { languages } from './language.ts'
import { providerIds } from './provider.ts'
import { ExternalId, Id, Timestamp, Name, PictureUrl, RedirectTarget, Scopes } from './schema.ts'

/** Type-checks a refusal key used as a validation message, which forms and transports both interpret. */
function key(refusal: RefusalKey): RefusalKey {
  return refusal
}

/**
 * A normalized email address: trimmed, ASCII lower case, then validated (SEC-11). Only ASCII, because a
 * look-alike letter would refer to another mailbox.
 */
export const Email = emailSchema(key('INVALID_EMAIL'))

/** An email address like `Email`, for calls whose specification has no refusal key for an invalid one. */
const PlainEmail = emailSchema('is not an email address')

function emailSchema(message: string) {
  return z.string({ error: message }).transform(normalizeEmail).refine(isEmail, message)
}

const Username = z.string().superRefine((typed, ctx) => {
  const problem = usernameProblem(typed)
  if (problem) ctx.addIssue({ code: 'custom', message: problem })
})

/** Display form of the username: the rules of a name, without markup characters. */
export const DisplayUsername = Name.refine(
  (text) => text.length <= 30 && !/[<>&"]/.test(text),
  key('USERNAME_IS_INVALID'),
)

/** The order of the fields is the order in which they are validated. */
export const SignUpEmail = z.object({
  username: Username.optional(),
  displayUsername: DisplayUsername.optional(),
  email: Email,
  password: z.string(),
  name: Name,
  image: PictureUrl.optional(),
  callbackURL: RedirectTarget.optional(),
})
export type SignUpEmail = z.output<typeof SignUpEmail>

export const SendVerificationEmail = z.object({ email: PlainEmail, callbackURL: RedirectTarget.optional() })

/** Signed token of a verification email. Sent in request bodies, never in the URL of a request (SEC-122). */
const LinkToken = z.string().min(1).max(4096)

export const ReadVerification = z.object({ token: LinkToken })
/** The account that the link is about. `change`: an existing account has changed its email address to this one. */
export const UnverifiedAccount = z.object({
  email: z.string(),
  name: z.string(),
  kind: z.enum(['sign_up', 'change']),
  /** Whether the caller is signed in to that account. */
  isMine: z.boolean(),
})

/**
 * The owner of the mailbox sets a new name and password. `callbackURL` is the page's next target, validated like every
 * redirect target.
 */
export const ClaimAccount = z.object({
  token: LinkToken,
  name: Name,
  password: z.string(),
  callbackURL: RedirectTarget.optional(),
})
export type ClaimAccount = z.output<typeof ClaimAccount>

export const ConfirmVerification = z.object({ token: LinkToken, callbackURL: RedirectTarget.optional() })

export const UpdateUser = z.object({
  /** The email is changed by a separate call, with verification. */
  email: z
    .unknown()
    .optional()
    .refine((value) => value === undefined, key('EMAIL_CAN_NOT_BE_UPDATED')),
  username: Username.optional(),
  displayUsername: DisplayUsername.optional(),
  name: Name.optional(),
  image: PictureUrl.nullable().optional(),
  language: z.literal(languages.map(({ id }) => id)).optional(),
})

export const ForgetPassword = z.object({ email: PlainEmail, redirectTo: RedirectTarget.optional() })

/** The token may also be sent in the query; http/rest.ts merges it (`queryFields`). */
export const ResetPassword = z.object({ newPassword: z.string(), token: z.string().max(256).optional() })

export const ChangePassword = z.object({
  newPassword: z.string(),
  currentPassword: z.string().min(1).max(4096),
  revokeOtherSessions: z.boolean().default(false),
})

export const ChangeEmail = z.object({ newEmail: PlainEmail, callbackURL: RedirectTarget.optional() })

/** A requested change of the email address, until it is confirmed from the present one. */
export const PendingEmail = z.object({ email: z.string(), expiresAt: Timestamp })

export const DeleteUser = z.object({
  password: z.string().min(1).max(4096).optional(),
  token: z.string().max(256).optional(),
  callbackURL: RedirectTarget.optional(),
})

export const Deleted = z.object({
  success: z.literal(true),
  message: z.enum(['User deleted', 'Verification email sent']),
})

const Named = z.object({ name: z.string(), slug: z.string() })

/** The data that deleting the caller's account would delete, and the obstacles to the deletion. */
export const DeletionPreview = z.object({
  email: z.string(),
  memberships: z.int(),
  /** Organizations without other members, which would be deleted too. */
  deletedOrganizations: z.array(Named),
  /** Subscriptions that are still charged. They must be canceled or transferred first. */
  subscriptions: z.array(
    z.object({
      id: z.string(),
      productId: z.string(),
      productName: z.string().nullable(),
      nextBillingDate: Timestamp.nullable(),
      slug: z.string().nullable(),
    }),
  ),
  /** Organizations with other members but no other owner: ownership must be transferred first. */
  organizationsWithoutOtherOwner: z.array(Named),
})

export const UnlinkAccount = z.object({ providerId: Id, accountId: ExternalId.optional() })

export const LinkSocial = z.object({
  provider: z.enum(providerIds),
  callbackURL: RedirectTarget.optional(),
  errorCallbackURL: RedirectTarget.optional(),
  scopes: Scopes.optional(),
})

/** `accountId` is the row's id or the id at the provider. The user is taken from the session, never from a userId. */
export const RefreshToken = z.object({ providerId: Id, accountId: ExternalId.optional() })

/** Fields that the provider did not send are absent. */
export const RefreshedToken = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  tokenType: z.literal('Bearer'),
  scopes: z.array(z.string()),
  accessTokenExpiresAt: Timestamp.optional(),
  refreshTokenExpiresAt: Timestamp.optional(),
})

/** A provider's access token, for calls of the provider's API. */
export const ProviderToken = z.object({
  accessToken: z.string(),
  scopes: z.array(z.string()),
  accessTokenExpiresAt: Timestamp.nullable(),
})

/** `accountId` is the row's id or the id at the provider. */
export const AccountReference = z.object({ accountId: ExternalId })

const ProviderUser = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  image: z.string().nullable(),
  emailVerified: z.boolean(),
})
/** The profile of a linked identity, as the provider describes it now. `data` repeats it, as newer clients expect. */
export const AccountInfo = z.object({ user: ProviderUser, data: ProviderUser })

/** A sign-in method, as shown to its owner. For a password, `accountId` is the user's id. */
export const LinkedAccount = z.object({
  id: z.string(),
  provider: z.string(),
  accountId: z.string(),
  scopes: z.array(z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** A user as returned by sign-up, sign-in and updates. */
export const ShortUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  emailVerified: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type ShortUser = z.output<typeof ShortUser>

export const userRoles = ['user', 'admin'] as const

/** A user as returned by get-session. `language` is the id in `languages` (shared/language.ts). */
export const FullUser = ShortUser.extend({
  username: z.string().nullable(),
  displayUsername: z.string().nullable(),
  language: z.int(),
  role: z.enum(userRoles),
  /** The installation's custom public fields, set by administrators. */
  metadata: z.record(z.string(), z.unknown()).default({}),
  /** Whether a sign-in needs a second factor. */
  twoFactorEnabled: z.boolean().default(false),
})
export type FullUser = z.output<typeof FullUser>

/** `token` is null if the email must be verified before the first sign-in. */
export const SignedUp = z.object({ token: z.string().nullable(), user: ShortUser })

/** `token` is the handle of a new session, or null if the current session continues. */
export const PasswordChanged = z.object({ token: z.string().nullable(), user: ShortUser })

import { z } from 'zod'
import type { RefusalKey } from './errors.ts'
import { languages } from './language.ts'

export const providerIds = [
  'apple',
  'discord',
  'facebook',
  'github',
  'microsoft',
  'google',
  'spotify',
  'twitch',
  'twitter',
  'dropbox',
  'kick',
  'linkedin',
  'gitlab',
  'tiktok',
  'reddit',
  'roblox',
  'vk',
  'zoom',
] as const
export type ProviderId = (typeof providerIds)[number]

export function isProvider(name: string): name is ProviderId {
  return providerIds.some((id) => id === name)
}

/** What each calls itself. */
export const providerNames: Record<ProviderId, string> = {
  apple: 'Apple',
  discord: 'Discord',
  facebook: 'Facebook',
  github: 'GitHub',
  microsoft: 'Microsoft',
  google: 'Google',
  spotify: 'Spotify',
  twitch: 'Twitch',
  twitter: 'X',
  dropbox: 'Dropbox',
  kick: 'Kick',
  linkedin: 'LinkedIn',
  gitlab: 'GitLab',
  tiktok: 'TikTok',
  reddit: 'Reddit',
  roblox: 'Roblox',
  vk: 'VK',
  zoom: 'Zoom',
}

/** A way to sign in by the name that its owner knows: the provider's own, or the password. */
export function nameOfMethod(providerId: string): string {
  return isProvider(providerId) ? providerNames[providerId] : 'Password'
}

/** A point in time: a Date here, ISO 8601 with milliseconds on the wire. */
export const Moment = z.coerce.date<Date | string>()

/** A rule with a message of its own says its key of the catalogue; forms and transports read it alike. */
function key(refusal: RefusalKey): RefusalKey {
  return refusal
}

/** Where the browser goes afterwards; whether it may is decided before the input is read. */
export const RedirectTarget = z.string().max(2048)

/**
 * An e-mail address in its one form: trimmed, lower case by ASCII rules, then validated (SEC-11). ASCII alone: a look-alike
 * letter would lead to another mailbox.
 */
export const Email = emailSchema(key('INVALID_EMAIL'))

/** The same rule for the calls whose contract knows no message of its own for it. */
const PlainEmail = emailSchema('is no e-mail address')

/** Trimmed, and lower case by ASCII rules alone. */
export function normalizeEmail(typed: string): string {
  return asciiLower(typed.trim())
}

/** A to Z become a to z; no other letter becomes one of them, as the Kelvin sign would. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function emailSchema(message: string) {
  return z.string({ error: message }).transform(normalizeEmail).refine(isEmail, message)
}

/** One address of RFC 5321's dot-string form with a domain of two labels or more, at most 254 characters. */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || text.length > 254 || local.length > 64) return false
  const isLocal = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local)
  const isDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(domain)
  return isLocal && isDomain && text === text.trimEnd()
}

/** What people call themselves: 1 to 100 characters, without controls or marks that turn the direction of text. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text), 'has control characters')
  .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), 'has nothing to see')

/** Address of a picture: https, or http (which the server allows for its own origin alone). Never fetched by us. */
export const PictureUrl = z
  .string()
  .max(2048)
  .refine((text) => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text) && !new URL(text).username)

/** Username before it is compared or stored: lower case; the typed form is shown. */
export function normalizeUsername(typed: string): string {
  return typed.toLowerCase()
}

/** What is wrong with a username: 3 to 30 ASCII letters, digits, `_` and `.`. */
export function usernameProblem(typed: string): RefusalKey | undefined {
  const username = normalizeUsername(typed)
  if (username.length < 3) return 'USERNAME_IS_TOO_SHORT'
  if (username.length > 30) return 'USERNAME_IS_TOO_LONG'
  // After lower-casing, so that the Kelvin sign and its like are judged by what they would become.
  if (!/^[a-z0-9_.]+$/.test(username) || username.endsWith('\n') || !/^[\x20-\x7e]+$/.test(typed)) {
    return 'USERNAME_IS_INVALID'
  }
  return undefined
}

const Username = z.string().superRefine((typed, ctx) => {
  const problem = usernameProblem(typed)
  if (problem) ctx.addIssue({ code: 'custom', message: problem })
})

/** How the username is shown: like a name, and without markup. */
const DisplayUsername = Name.refine((text) => text.length <= 30 && !/[<>&"]/.test(text), key('USERNAME_IS_INVALID'))

export type PasswordLength = { min: number; max: number }

/** What is wrong with a password's length, in code points; every character counts and none is changed (SEC-01). */
export function passwordProblem(password: string, length: PasswordLength): RefusalKey | undefined {
  // A code point has at most two UTF-16 units, so a long text is refused without being counted.
  if (password.length > length.max * 2) return 'PASSWORD_TOO_LONG'
  const points = [...password].length
  if (points < length.min) return 'PASSWORD_TOO_SHORT'
  if (points > length.max) return 'PASSWORD_TOO_LONG'
  return undefined
}

/** Order of the fields is the order in which their refusals are checked. */
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

/** The signed link of a verification mail, which travels in bodies and never in addresses of ours (SEC-122). */
const LinkToken = z.string().min(1).max(4096)

export const ReadVerification = z.object({ token: LinkToken })
/** Whose address the link is about; `change`: an account has changed its address to this one. */
export const UnverifiedAccount = z.object({
  email: z.string(),
  name: z.string(),
  kind: z.enum(['sign_up', 'change']),
  /** The reader is signed in to that account. */
  isMine: z.boolean(),
})

/** The owner of the mailbox chooses name and password anew. */
export const ClaimAccount = z.object({ token: LinkToken, name: Name, password: z.string() })
export type ClaimAccount = z.output<typeof ClaimAccount>

/** An id or a public handle (SEC-80); one that is none of ours finds nothing. */
export const Id = z.string().min(1).max(64)

/** A page of a list: so many rows after the one of this id. Without them a list answers all, within its bounds. */
export const Page = z
  .object({ limit: z.coerce.number().int().min(1).max(100).optional(), cursor: Id.optional() })
  .default({})

export const UpdateUser = z.object({
  /** The address has a call of its own, with its verification. */
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

/** The token may come in the query too; http/rest.ts joins it (`queryFields`). */
export const ResetPassword = z.object({ newPassword: z.string(), token: z.string().max(256).optional() })

export const ChangePassword = z.object({
  newPassword: z.string(),
  currentPassword: z.string().min(1).max(4096),
  revokeOtherSessions: z.boolean().default(false),
})

export const ChangeEmail = z.object({ newEmail: PlainEmail, callbackURL: RedirectTarget.optional() })

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

/** What deleting the own account would delete, and what is in the way. */
export const DeletionPreview = z.object({
  email: z.string(),
  memberships: z.int(),
  /** Organizations without another member: deleted along. */
  alone: z.array(Named),
  /** Organizations with other members and no other owner: ownership has to be transferred first. */
  blocked: z.array(Named),
})

export const UnlinkAccount = z.object({ providerId: Id, accountId: z.string().min(1).max(256).optional() })

/** A few scopes beyond the usual ones; each without the characters that would end it. */
export const Scopes = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/)).max(50)

export const LinkSocial = z.object({
  provider: z.enum(providerIds),
  callbackURL: RedirectTarget.optional(),
  errorCallbackURL: RedirectTarget.optional(),
  scopes: Scopes.optional(),
})

/** `accountId` is the row's id or the id at the provider; a userId is not taken: the session says whose it is. */
export const RefreshToken = z.object({ providerId: Id, accountId: z.string().min(1).max(256).optional() })

/** Absent is what the provider did not send. */
export const RefreshedToken = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  tokenType: z.literal('Bearer'),
  scopes: z.array(z.string()),
  accessTokenExpiresAt: Moment.optional(),
  refreshTokenExpiresAt: Moment.optional(),
})

/** One way to sign in, as its owner sees it; for a password `accountId` is the user's id. */
export const LinkedAccount = z.object({
  id: z.string(),
  provider: z.string(),
  accountId: z.string(),
  scopes: z.array(z.string()),
  createdAt: Moment,
  updatedAt: Moment,
})

/** A user as sign-up, sign-in and changes answer it. */
export const ShortUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  emailVerified: z.boolean(),
  createdAt: Moment,
  updatedAt: Moment,
})
export type ShortUser = z.output<typeof ShortUser>

export const userRoles = ['user', 'admin'] as const

/** A user as get-session answers it; `language` is a number of the specification's enumeration. */
export const FullUser = ShortUser.extend({
  username: z.string().nullable(),
  displayUsername: z.string().nullable(),
  language: z.int(),
  role: z.enum(userRoles),
})
export type FullUser = z.output<typeof FullUser>

/** `token` is null where the address has to be verified before the first sign-in. */
export const SignedUp = z.object({ token: z.string().nullable(), user: ShortUser })

/** `token` is the handle of a new session, or null where the old one goes on. */
export const PasswordChanged = z.object({ token: z.string().nullable(), user: ShortUser })

export const Status = z.object({ status: z.literal(true) })
export const Success = z.object({ success: z.literal(true) })

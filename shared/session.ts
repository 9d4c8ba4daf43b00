import { z } from 'zod'
import { Email, FullUser, ShortUser } from './account.ts'
import { providerIds } from './provider.ts'
import { Flag, Id, Timestamp, RedirectTarget, Scopes } from './schema.ts'

/** A session as shown to its owner. `token` is the public handle, never the cookie's secret. */
export const Session = z.object({
  id: z.string(),
  token: z.string(),
  userId: z.string(),
  expiresAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  ipAddress: z.string(),
  userAgent: z.string(),
  activeOrganizationId: z.string().nullable(),
  /** Id of the administrator who acts as the user in this session. Absent otherwise. */
  impersonatedBy: z.string().optional(),
})
export type Session = z.output<typeof Session>

/** The signed-in user and the current session. */
export const CurrentSession = z.object({ session: Session, user: FullUser })
export type CurrentSession = z.output<typeof CurrentSession>

export const GetSession = z.object({ disableCookieCache: Flag, disableRefresh: Flag }).default({
  disableCookieCache: false,
  disableRefresh: false,
})

export const SignInEmail = z.object({
  email: Email,
  /**
   * Not checked against the current password rules, which may have changed since it was set. Only its length is
   * limited.
   */
  password: z.string().min(1).max(4096),
  callbackURL: RedirectTarget.optional(),
  rememberMe: z.boolean().default(true),
})
export type SignInEmail = z.output<typeof SignInEmail>

/** If `redirect` is true, the client navigates to `url`. */
export const SignedIn = z.object({
  redirect: z.boolean(),
  token: z.string(),
  url: z.string().nullable(),
  user: ShortUser,
})

/** What this installation offers: the settings that screens depend on. */
export const PublicOptions = z.object({
  /** Sign-in and sign-up with a password (EMAIL_PASSWORD). */
  emailPassword: z.boolean(),
  /** Whether an emailed code or link signs in and up, signs in only, or does neither (EMAIL_CODE). */
  emailCode: z.enum(['on', 'sign-in', 'off']),
  /** Whether a forgotten password can be replaced by an emailed link (RESET_PASSWORD). */
  passwordReset: z.boolean(),
  /** Whether a verification email can be requested (VERIFICATION_EMAIL). */
  verificationEmail: z.boolean(),
  /** Whether users may change their email address (CHANGE_EMAIL). */
  emailChange: z.boolean(),
  /** Whether users may delete their account (DELETE_USER). */
  userDeletion: z.boolean(),
  /** Whether users may create organizations (ORGANIZATION_CREATION). */
  organizationCreation: z.boolean(),
  /** In code points. */
  passwordLength: z.object({ min: z.int(), max: z.int() }),
  /** Providers configured by the operator. */
  providers: z.array(z.enum(providerIds)),
  /** Whether payments are shown: the webhook or checkout is configured. */
  hasPayments: z.boolean(),
  /** Whether the payment provider's API is configured: checkout, portal and products. */
  hasCheckout: z.boolean(),
  /** Other origins that a browser may be redirected to, as in TRUSTED_ORIGINS. */
  trustedOrigins: z.array(z.string()),
  /** Whether emails are shown at /dev/mail instead of being sent. */
  hasDevMailbox: z.boolean(),
})

/** A session as shown in the web client, with browser and operating system names (null if unknown). */
export const Device = z.object({
  token: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  ipAddress: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  isCurrent: z.boolean(),
})

export const RevokeSession = z.object({ token: Id })

export const SignInUsername = z.object({
  username: z.string().max(4096),
  password: z.string().max(4096),
  rememberMe: z.boolean().default(true),
})

export const SignedInByUsername = z.object({
  token: z.string(),
  user: ShortUser.extend({ username: z.string().nullable() }),
})

/** An id_token that the page received from a provider's SDK. */
const IdTokenInput = z.object({
  token: z.string().min(1).max(20_000),
  nonce: z.string().max(1024).optional(),
  accessToken: z.string().max(20_000).optional(),
  refreshToken: z.string().max(20_000).optional(),
  /** Seconds or milliseconds since 1970, as returned by the SDK. */
  expiresAt: z.number().nonnegative().max(1e14).optional(),
})

export const SignInSocial = z.object({
  provider: z.enum(providerIds),
  callbackURL: RedirectTarget.optional(),
  newUserCallbackURL: RedirectTarget.optional(),
  errorCallbackURL: RedirectTarget.optional(),
  /** The client navigates to `url` itself. */
  disableRedirect: z.boolean().optional(),
  idToken: IdTokenInput.optional(),
  scopes: Scopes.optional(),
  /** Allows creating a new account. Required if SOCIAL_SIGN_UP is explicit. */
  requestSignUp: z.boolean().optional(),
  loginHint: z.string().max(254).optional(),
})
export type SignInSocial = z.output<typeof SignInSocial>

/** The password, or the six-digit code sent by email. */
export const Reauthenticate = z.union([
  z.object({ password: z.string().min(1).max(4096) }),
  z.object({ code: z.string().trim().min(1).max(32) }),
])
export const Reauthenticated = z.object({ token: z.string() })

export const ReauthenticateSocial = z.object({
  provider: z.enum(providerIds),
  callbackURL: RedirectTarget.optional(),
  errorCallbackURL: RedirectTarget.optional(),
})

export const SentToProvider = z.object({ url: z.string(), redirect: z.boolean() })
/** Either a redirect to the provider, or a session created from an id_token. */
export const SignedInSocial = z.union([
  SentToProvider,
  z.object({ redirect: z.literal(false), token: z.string(), url: z.null(), user: ShortUser }),
])

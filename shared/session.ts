import { z } from 'zod'
import { Email, FullUser, Moment, providerIds, RedirectTarget, Scopes, ShortUser } from './account.ts'

/** A query value that is true only for the exact text `true`; everything else is false and never an error. */
export const Flag = z
  .union([z.boolean(), z.string()])
  .optional()
  .transform((value) => value === true || value === 'true')

/** A session as its owner sees it. `token` is the public handle, never the cookie's secret. */
export const Session = z.object({
  id: z.string(),
  token: z.string(),
  userId: z.string(),
  expiresAt: Moment,
  createdAt: Moment,
  updatedAt: Moment,
  ipAddress: z.string(),
  userAgent: z.string(),
  activeOrganizationId: z.string().nullable(),
})
export type Session = z.output<typeof Session>

/** Who is signed in, and by which session. */
export const CurrentSession = z.object({ session: Session, user: FullUser })
export type CurrentSession = z.output<typeof CurrentSession>

export const GetSession = z.object({ disableCookieCache: Flag, disableRefresh: Flag }).default({
  disableCookieCache: false,
  disableRefresh: false,
})

export const SignInEmail = z.object({
  email: Email,
  /** Not held against today's rules, which may have changed since it was set; only its size is bounded. */
  password: z.string().min(1).max(4096),
  callbackURL: RedirectTarget.optional(),
  rememberMe: z.boolean().default(true),
})
export type SignInEmail = z.output<typeof SignInEmail>

/** `redirect` and `url` together make the client's window go there. */
export const SignedIn = z.object({
  redirect: z.boolean(),
  token: z.string(),
  url: z.string().nullable(),
  user: ShortUser,
})

/** What an installation offers. */
export const PublicOptions = z.object({
  emailPassword: z.boolean(),
  /** In code points. */
  passwordLength: z.object({ min: z.int(), max: z.int() }),
  /** Providers that an operator has registered at. */
  providers: z.array(z.enum(providerIds)),
  /** Payments are shown here: their events arrive, or something can be bought. */
  hasPayments: z.boolean(),
  /** The payment provider can be asked: checkout, portal and products. */
  hasCheckout: z.boolean(),
  /** Mails stay on this machine and are shown at /dev/mail. */
  hasMailbox: z.boolean(),
})

/** A session as the screens show it: by the names of browser and system, null where they are unknown. */
export const Device = z.object({
  token: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  ipAddress: z.string(),
  createdAt: Moment,
  updatedAt: Moment,
  isCurrent: z.boolean(),
})

export const RevokeSession = z.object({ token: z.string().min(1).max(64) })

export const SignInUsername = z.object({
  username: z.string().max(4096),
  password: z.string().max(4096),
  rememberMe: z.boolean().default(true),
})

export const SignedInByUsername = z.object({
  token: z.string(),
  user: ShortUser.extend({ username: z.string().nullable() }),
})

/** An id_token that a provider's own library has handed to the page. */
const GivenIdToken = z.object({
  token: z.string().min(1).max(20_000),
  nonce: z.string().max(1024).optional(),
  accessToken: z.string().max(20_000).optional(),
  refreshToken: z.string().max(20_000).optional(),
  /** Seconds or milliseconds since 1970, as the library has it. */
  expiresAt: z.number().nonnegative().max(1e14).optional(),
})

export const SignInSocial = z.object({
  provider: z.enum(providerIds),
  callbackURL: RedirectTarget.optional(),
  newUserCallbackURL: RedirectTarget.optional(),
  errorCallbackURL: RedirectTarget.optional(),
  /** The client goes to `url` itself. */
  disableRedirect: z.boolean().optional(),
  idToken: GivenIdToken.optional(),
  scopes: Scopes.optional(),
  /** A new account is wanted; needed where SOCIAL_SIGN_UP is explicit. */
  requestSignUp: z.boolean().optional(),
  loginHint: z.string().max(254).optional(),
})
export type SignInSocial = z.output<typeof SignInSocial>

/** The password, or the code of six digits that was mailed. */
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
/** Either on the way to the provider, or signed in by an id_token. */
export const SignedInSocial = z.union([
  SentToProvider,
  z.object({ redirect: z.literal(false), token: z.string(), url: z.null(), user: ShortUser }),
])

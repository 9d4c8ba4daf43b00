import type { ProviderId } from '../../../shared/provider.ts'

/** A user's profile at a provider, identified by (provider, id). The email is verified only if the provider says so. */
export type Profile = {
  id: string
  name: string | undefined
  email: string | undefined
  emailVerified: boolean
  image: string | undefined
}

/** Tokens issued by a provider, in a common format. */
export type Tokens = {
  accessToken: string
  refreshToken: string | undefined
  idToken: string | undefined
  accessTokenExpiresAt: Date | undefined
  refreshTokenExpiresAt: Date | undefined
  /** Granted scopes as reported by the provider. If undefined, the requested scopes apply. */
  scopes: string[] | undefined
  /** Device id issued by VK, which requires it on each refresh. */
  deviceId: string | undefined
}

/** The operator's app registration at a provider. */
export type Registration = { clientId: string; clientSecret: string; settings: Readonly<Record<string, string>> }

/** Input for fetching a profile. */
export type ProfileRequest = {
  tokens: Tokens
  registration: Registration
  /** Apple's form field `user`, sent only with the first sign-in. */
  appleUser: string | undefined
  /** The nonce of this sign-in, checked against the id_token. */
  nonce: string
  now: Date
}

/** Verification rules for a provider's id_tokens, from the token endpoint or from the browser. */
export type IdTokenRule = {
  jwks: (registration: Registration) => string
  issuer: (claims: { tid?: unknown }, registration: Registration) => string[]
  audience: (registration: Registration) => string[]
  /** The provider's native SDK may send the SHA-256 hash of the nonce. */
  mayHashNonce?: true
  /** Whether the browser may submit an id_token instead of a code (POST /sign-in/social). */
  isAccepted: boolean
}

/** One provider and its current protocol, in terms of RFC 6749, RFC 7636 and OpenID Connect Core. */
export type Provider = {
  id: ProviderId
  authorization: (registration: Registration) => string
  token: (registration: Registration) => string
  /** S256 is used wherever the provider verifies it (SEC-71). */
  hasPkce: boolean
  /** How the client secret is sent: HTTP Basic, form field, or not at all. */
  authentication: 'basic' | 'form' | 'none'
  /** The provider's name for `client_id`, if different. */
  clientIdName?: 'client_key'
  scopes: string[]
  scopeSeparator?: ','
  /** Additional query parameters of the authorization URL. */
  parameters?: (request: { nonce: string; language: number }) => Record<string, string>
  /** Query parameter that prefills the user's login. */
  loginHint?: 'login_hint' | 'login'
  /** The provider returns an id_token, whose nonce is checked. */
  idToken?: IdTokenRule
  refreshes: boolean
  /** Whether a refresh request must repeat the scopes. */
  refreshNeedsScopes?: true
  profile: (arrival: ProfileRequest) => Promise<Profile>
}

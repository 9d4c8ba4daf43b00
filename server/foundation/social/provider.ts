import type { ProviderId } from '../../../shared/account.ts'

/** Who somebody is at a provider. The key is (provider, id); an address is verified only where the provider says so. */
export type Profile = {
  id: string
  name: string | undefined
  email: string | undefined
  emailVerified: boolean
  image: string | undefined
}

/** What a provider handed over, in one form for all. */
export type Tokens = {
  accessToken: string
  refreshToken: string | undefined
  idToken: string | undefined
  accessTokenExpiresAt: Date | undefined
  refreshTokenExpiresAt: Date | undefined
  /** As the provider says them, else undefined: then those that were asked for. */
  scopes: string[] | undefined
  /** VK names the device, and asks for it with each refresh. */
  deviceId: string | undefined
}

/** What an operator has registered at a provider. */
export type Registration = { clientId: string; clientSecret: string; settings: Readonly<Record<string, string>> }

/** What is known when the profile is asked for. */
export type ProfileRequest = {
  tokens: Tokens
  registration: Registration
  /** Apple's form field `user`: it comes with the very first sign-in alone. */
  firstVisit: string | undefined
  /** Bound to the id_token of this sign-in. */
  nonce: string
  now: Date
}

/** How id_tokens of a provider are checked, whether they came from its token endpoint or from the browser. */
export type IdTokenRule = {
  jwks: (registration: Registration) => string
  issuer: (claims: { tid?: unknown }, registration: Registration) => string[]
  audience: (registration: Registration) => string[]
  /** Its native library may hand in SHA-256 of the nonce. */
  mayHashNonce?: true
  /** May the browser hand in an id_token instead of a code (POST /sign-in/social)? */
  isAccepted: boolean
}

/** One provider: its protocol of today, in the terms of RFC 6749, 7636 and OpenID Connect Core. */
export type Provider = {
  id: ProviderId
  authorization: (registration: Registration) => string
  token: (registration: Registration) => string
  /** S256 wherever the provider verifies it (SEC-71). */
  hasPkce: boolean
  /** Where the client's secret goes: HTTP Basic, the form, or nowhere. */
  authentication: 'basic' | 'form' | 'none'
  /** Its name of `client_id`. */
  clientIdName?: 'client_key'
  scopes: string[]
  scopeSeparator?: ','
  /** What else the address of the authorization page says. */
  parameters?: (wish: { nonce: string; language: number }) => Record<string, string>
  /** The parameter that fills in who signs in. */
  loginHint?: 'login_hint' | 'login'
  /** Answers with an id_token whose nonce is checked. */
  idToken?: IdTokenRule
  refreshes: boolean
  /** Does a refresh name the scopes again? */
  refreshNeedsScopes?: true
  profile: (arrival: ProfileRequest) => Promise<Profile>
}

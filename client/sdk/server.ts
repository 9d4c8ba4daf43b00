import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { Webhook } from 'standardwebhooks'

/** The claims of a token. Tokens of third-party applications have only the claims that their user has allowed. */
export type FoyerClaims = JWTPayload & {
  /** The user's id. */
  sub: string
  /** The session: opaque, and the same in all its tokens. */
  sid?: string
  email?: string
  email_verified?: boolean
  name?: string
  picture?: string | null
  /** BCP 47. */
  locale?: string
  /** The organization that is active in the session. */
  org?: { id: string; slug: string; role: string; teams: string[] }
  /** Ids of the products that the user and the active organization have. */
  entitlements?: string[]
  /** The administrator who acts as the user (RFC 8693, 4.1). Allow no lasting changes. */
  act?: { sub: string }
  /** How the user signed in (RFC 8176), and when, in seconds. */
  amr?: string[]
  auth_time?: number
  /** Only in access tokens of the OpenID issuer: the application, and its permissions. */
  client_id?: string
  scope?: string
}

export type VerifyTokenOptions = {
  /** Foyer's APP_URL. */
  issuer: string
  /** The required audience of the token: by default Foyer itself, otherwise one of its TOKEN_AUDIENCES. */
  audience?: string
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** The public keys of an issuer, fetched once, and again when a token names an unknown one. */
function keySetOf(issuer: string): ReturnType<typeof createRemoteJWKSet> {
  const known = keySets.get(issuer)
  if (known) return known
  const keys = createRemoteJWKSet(new URL('/oauth/jwks', issuer))
  keySets.set(issuer, keys)
  return keys
}

/** Token types for back ends. Id tokens and logout tokens, signed by the same keys, are for applications. */
const accepted = new Set(['JWT', 'at+jwt'])

/**
 * Verifies a token of Foyer with its published keys, without a request per token: signature (ES256), issuer, audience,
 * expiry and type. Rejects with an Error otherwise. If TOKEN_AUDIENCES are available to third-party applications,
 * compare `client_id` with your own: such a token has only the claims that its user has allowed, and that of a program
 * has `sub` equal to `client_id`. The token reflects the state when it was issued, at most five minutes ago.
 */
export async function verifyToken(token: string, options: VerifyTokenOptions): Promise<FoyerClaims> {
  const issuer = new URL(options.issuer).origin
  const { audience = issuer } = options
  const { payload, protectedHeader } = await jwtVerify(token, keySetOf(issuer), {
    algorithms: ['ES256'],
    issuer,
    audience,
    requiredClaims: ['sub', 'exp', 'iat'],
    clockTolerance: 5,
  })
  const { sub } = payload
  if (!accepted.has(protectedHeader.typ ?? '') || sub === undefined) throw new TypeError('Not an access token.')
  return { ...payload, sub }
}

/** An event that Foyer sends to your product. `id` is the same in every attempt, so that a repeat can be recognized. */
export type WebhookEvent = { id: string; type: string; timestamp: string; data: Record<string, unknown> }

/**
 * Verifies a webhook of Foyer (Standard Webhooks): the signature over its id, time and body, and that it is at most
 * five minutes old. `body` is the text as received, before any parser. While a secret is being replaced, pass both.
 * Throws otherwise.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | HeaderObject,
  secret: string | readonly string[],
): WebhookEvent {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('The body must be the text or bytes that were received, before any parser.')
  const secrets = [secret].flat().filter((one) => typeof one === 'string' && one !== '')
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
  const given = Object.fromEntries(
    headerPairs(headers).flatMap(([name, value]) => {
      const [first, ...more] = [value].flat()
      return typeof first === 'string' && more.length === 0 ? [[name.toLowerCase(), first]] : []
    }),
  )
  let problem: unknown = new TypeError('No secret was given.')
  for (const one of secrets) {
    try {
      return asEvent(new Webhook(one).verify(text, given))
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

/** The entries of `Headers`, including those of another library, or of an object. */
function headerPairs(headers: Headers | HeaderObject): [name: string, value: unknown][] {
  const { get } = headers
  if (typeof get !== 'function') return Object.entries(headers)
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, get.call(headers, name)])
}

type HeaderObject = Record<string, string | string[] | undefined>

function asEvent(value: unknown): WebhookEvent {
  if (typeof value === 'object' && value !== null && 'id' in value && 'type' in value && 'timestamp' in value) {
    const { id, type, timestamp } = value
    const data = 'data' in value && typeof value.data === 'object' && value.data !== null ? { ...value.data } : {}
    if (typeof id === 'string' && typeof type === 'string' && typeof timestamp === 'string')
      return { id, type, timestamp, data }
  }
  throw new TypeError('This is no event of Foyer.')
}

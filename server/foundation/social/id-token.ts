import { createHash } from 'node:crypto'
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify, type JWTPayload } from 'jose'
import { fetchWithin } from '../fetch-within.ts'
import { limits } from './outgoing.ts'
import type { IdTokenRule, Registration } from './provider.ts'

/** Maximum age of an id_token submitted by a browser. */
const oldestSeconds = 3600

/** Cached key sets, one per pinned URL. Fetched on first use, and again when a token has an unknown key id. */
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

function keysAt(address: string) {
  const known = keySets.get(address)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(address), {
    timeoutDuration: limits.milliseconds,
    // Never follows redirects.
    [customFetch]: (url, options) => fetchWithin(limits, url, options),
  })
  keySets.set(address, keys)
  return keys
}

/**
 * Verifies an id_token submitted by a browser: signature by the provider's pinned keys (RS256 only), issuer, audience,
 * times, and the nonce if there is one. Returns its claims, or undefined if any check fails (SEC-70).
 */
export async function verifyIdToken(
  rule: IdTokenRule,
  registration: Registration,
  { token, nonce, now }: { token: string; nonce: string | undefined; now: Date },
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, keysAt(rule.jwks(registration)), {
      algorithms: ['RS256'],
      issuer: rule.issuer({ tid: decodeJwt(token)['tid'] }, registration),
      audience: rule.audience(registration),
      maxTokenAge: oldestSeconds,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: now,
      clockTolerance: 10,
    })
    return nonce === undefined || isNonce(rule, payload['nonce'], nonce) ? payload : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads an id_token received directly from the provider over TLS. The signature need not be verified (OpenID Connect
 * Core §3.1.3.7), but issuer, audience, times and nonce are.
 */
export function readOwnIdToken(
  rule: IdTokenRule,
  registration: Registration,
  { token, nonce, now }: { token: string; nonce: string; now: Date },
): JWTPayload | undefined {
  try {
    const claims = decodeJwt(token)
    const audiences = new Set([claims.aud ?? []].flat())
    const isFor = rule.audience(registration).some((one) => audiences.has(one))
    const isFrom = rule.issuer({ tid: claims['tid'] }, registration).includes(claims.iss ?? '')
    const isAlive = (claims.exp ?? 0) * 1000 > now.getTime()
    return isFor && isFrom && isAlive && isNonce(rule, claims['nonce'], nonce) ? claims : undefined
  } catch {
    return undefined
  }
}

function isNonce({ mayHashNonce }: IdTokenRule, claim: unknown, nonce: string): boolean {
  return claim === nonce || (mayHashNonce === true && claim === createHash('sha256').update(nonce).digest('hex'))
}

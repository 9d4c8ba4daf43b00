import type { KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { KeyList } from './crypto.ts'

/** The only accepted algorithm. The token's `alg` header is never trusted (SEC-70). */
const algorithm = 'HS256'

/**
 * Signed claims of an emailed link (RFC 7519). `purpose` prevents one kind of link from being used as another (SEC-52).
 */
export type LinkClaims = { purpose: string; userId: string; email: string; newEmail?: string; secret?: string }

export async function signLinkToken(
  [key]: KeyList,
  { purpose, userId, ...claims }: LinkClaims,
  { now, lifetimeSeconds }: { now: Date; lifetimeSeconds: number },
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm })
    .setSubject(userId)
    .setAudience(purpose)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifetimeSeconds)
    .sign(key)
}

/** Verifies a link for one of these purposes. Returns its claims, or the reason why it is invalid. */
export async function verifyLinkToken(
  keys: KeyList,
  token: string,
  options: { purposes: string[]; now: Date },
): Promise<LinkClaims | 'token_expired' | 'invalid_token'> {
  for (const key of keys) {
    const answer = await verifyLinkTokenWith(key, token, options)
    if (answer !== 'invalid_token') return answer
  }
  return 'invalid_token'
}

async function verifyLinkTokenWith(
  key: KeyObject,
  token: string,
  { purposes, now }: { purposes: string[]; now: Date },
) {
  try {
    const options = { algorithms: [algorithm], audience: purposes, currentDate: now, requiredClaims: ['sub', 'exp'] }
    const { payload } = await jwtVerify(token, key, options)
    const claims = Claims.safeParse(payload)
    if (!claims.success) return 'invalid_token' as const
    const { sub, aud, ...rest } = claims.data
    return { ...rest, userId: sub, purpose: aud }
  } catch (error) {
    return error instanceof errors.JWTExpired ? ('token_expired' as const) : ('invalid_token' as const)
  }
}

const Claims = z.object({
  sub: z.string(),
  aud: z.string(),
  email: z.string(),
  newEmail: z.string().exactOptional(),
  secret: z.string().exactOptional(),
})

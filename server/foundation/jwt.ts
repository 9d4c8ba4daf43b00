import { errors, jwtVerify, SignJWT } from 'jose'

/** One fixed algorithm, never the one a token names (SEC-70). */
const algorithm = 'HS256'

/** What a mailed link says, signed (RFC 7519). `purpose` keeps a link of one kind from passing for another (SEC-52). */
export type LinkClaims = { purpose: string; userId: string; email: string; newEmail?: string }

export async function signLink(
  key: Uint8Array,
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

/** The claims of a link of this purpose; else what is wrong with it. */
export async function readLink(
  key: Uint8Array,
  token: string,
  { purpose, now }: { purpose: string; now: Date },
): Promise<LinkClaims | 'token_expired' | 'invalid_token'> {
  try {
    const options = { algorithms: [algorithm], audience: purpose, currentDate: now, requiredClaims: ['sub', 'exp'] }
    const { payload } = await jwtVerify<{ email?: unknown; newEmail?: unknown }>(token, key, options)
    const { sub: userId = '', email, newEmail } = payload
    if (typeof email !== 'string') return 'invalid_token'
    return { purpose, userId, email, ...(typeof newEmail === 'string' && { newEmail }) }
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'token_expired' : 'invalid_token'
  }
}

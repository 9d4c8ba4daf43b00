import { createPublicKey } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { signingAlgorithm, type SigningKeys } from './signing-keys.ts'

/** Signs claims as a JWT of this type, valid for this many seconds. */
export async function signToken(
  keys: SigningKeys,
  claims: JWTPayload,
  { now, lifetimeSeconds, type }: { now: Date; lifetimeSeconds: number; type: string },
): Promise<string> {
  const { id, privateKey } = await keys.signer(now)
  const seconds = Math.floor(now.getTime() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: signingAlgorithm, kid: id, typ: type })
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifetimeSeconds)
    .sign(privateKey)
}

/** The claims of an access token that Foyer itself reads. */
const AccessToken = z.object({
  sub: z.string(),
  client_id: z.string(),
  acr: z.string(),
  /** Row id of the grant that it came from. */
  gid: z.string(),
})
export type AccessToken = z.output<typeof AccessToken>

/**
 * Verifies an access token of the issuer for Foyer's own API (RFC 9068, 4): type, signature, issuer, audience and
 * expiry. Other JWTs signed with the same keys, such as id_tokens, are rejected. Tokens of clients without a user have
 * no `gid`, and give no access to user data.
 */
export async function verifyAccessToken(
  keys: SigningKeys,
  token: string,
  { issuer, now }: { issuer: string; now: Date },
): Promise<AccessToken | undefined> {
  try {
    const published = await keys.all(now)
    const keyOf = ({ kid }: { kid?: string | undefined }) => {
      const found = published.find(({ id }) => id === kid)
      if (!found) throw new errors.JWKSNoMatchingKey()
      return createPublicKey({ key: { ...found.publicJwk }, format: 'jwk' })
    }
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
      issuer,
      audience: issuer,
      currentDate: now,
      requiredClaims: ['exp', 'sub'],
    })
    return AccessToken.safeParse(payload).data
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}

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
 * The claims of an access token of the issuer, if its type, signature, issuer and expiry are valid (RFC 9068, 4), and
 * it is meant for this audience, if one is given. Other JWTs signed with the same keys, such as id_tokens, are
 * rejected.
 */
export async function readAccessToken(
  keys: SigningKeys,
  token: string,
  { issuer, audience, now }: { issuer: string; audience?: string; now: Date },
): Promise<JWTPayload | undefined> {
  try {
    const published = await keys.all(now)
    const keyOf = ({ kid }: { kid?: string | undefined }) => {
      const found = published.find(({ id }) => id === kid)
      if (!found) throw new errors.JWKSNoMatchingKey()
      return found.publicKey
    }
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
      issuer,
      ...(audience !== undefined && { audience }),
      currentDate: now,
      requiredClaims: ['exp', 'sub', 'aud'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * Verifies an access token for Foyer's own API. Tokens of clients without a user have no `gid`, and give no access to
 * user data.
 */
export async function verifyAccessToken(
  keys: SigningKeys,
  token: string,
  { issuer, now }: { issuer: string; now: Date },
): Promise<AccessToken | undefined> {
  return AccessToken.safeParse(await readAccessToken(keys, token, { issuer, audience: issuer, now })).data
}

import { OAuth2Tokens } from 'arctic'
import { SignJWT, importPKCS8 } from 'jose'
import { z } from 'zod'
import { secondsAfter } from '../time.ts'
import { ProviderFailure, ask } from './outgoing.ts'
import type { Provider, Registration, Tokens } from './provider.ts'

type Grant =
  | { code: string; verifier: string; redirectUri: string; deviceId: string | undefined; state: string }
  | { refreshToken: string; deviceId: string | undefined; scopes: string[] }

/**
 * Exchanges an authorization code or a refresh token for tokens (RFC 6749 §4.1.3 and §6), authenticating the client.
 */
export async function requestTokens(
  provider: Provider,
  registration: Registration,
  grant: Grant,
  now: Date,
): Promise<Tokens> {
  const { clientId } = registration
  const clientSecret = provider.id === 'apple' ? await appleSecret(registration, now) : registration.clientSecret
  const isBasic = provider.authentication === 'basic'
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
  const answer = await ask(provider.token(registration), {
    method: 'POST',
    headers: isBasic ? { authorization: `Basic ${basic}` } : {},
    form: {
      ...(!isBasic && { [provider.clientIdName ?? 'client_id']: clientId }),
      ...(provider.authentication === 'form' && { client_secret: clientSecret }),
      ...formOf(provider, grant),
    },
  })
  return readTokens(answer, now, grant.deviceId)
}

function formOf(provider: Provider, grant: Grant): Record<string, string> {
  const device = grant.deviceId === undefined ? {} : { device_id: grant.deviceId }
  if ('refreshToken' in grant) {
    const scope = provider.refreshNeedsScopes ? { scope: grant.scopes.join(' ') } : {}
    return { grant_type: 'refresh_token', refresh_token: grant.refreshToken, ...scope, ...device }
  }
  return {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    ...(provider.hasPkce && { code_verifier: grant.verifier }),
    // VK ID requires the state here too.
    ...(provider.id === 'vk' && { state: grant.state }),
    ...device,
  }
}

/** Some providers return 200 with an error in the body: a response without an access token is a failure. */
const Answer = z.looseObject({
  access_token: z.string().min(1).max(20_000),
  refresh_token: z.string().min(1).max(20_000).nullish(),
  id_token: z.string().max(50_000).nullish(),
  expires_in: z.coerce.number().nonnegative().max(1e9).nullish(),
  refresh_expires_in: z.coerce.number().nonnegative().max(1e9).nullish(),
  scope: z.union([z.string().max(5_000), z.array(z.string().max(500)).max(200)]).nullish(),
})

function readTokens(answer: unknown, now: Date, deviceId: string | undefined): Tokens {
  const { data, error } = Answer.safeParse(answer)
  if (!data) throw new ProviderFailure('no access token', { cause: error })
  const tokens = new OAuth2Tokens(data)
  const later = (seconds: number | null | undefined) => (seconds ? secondsAfter(now, seconds) : undefined)
  const scopes = [data.scope ?? []].flat().flatMap((text) => text.split(/[\s,]+/))
  const named = [...new Set(scopes.filter((name) => name !== ''))]
  return {
    accessToken: tokens.accessToken(),
    refreshToken: data.refresh_token ?? undefined,
    idToken: data.id_token ?? undefined,
    accessTokenExpiresAt: later(data.expires_in),
    refreshTokenExpiresAt: later(data.refresh_expires_in),
    scopes: named.length > 0 ? named : undefined,
    deviceId,
  }
}

/** Lifetime of Apple's client secret in seconds. Apple allows up to six months. */
const appleSecretSeconds = 300

/** Apple's client secret is a JWT signed by the client (ES256), unless APPLE_CLIENT_SECRET is set. */
async function appleSecret({ clientId, settings }: Registration, now: Date): Promise<string> {
  const ready = settings['APPLE_CLIENT_SECRET']
  if (ready !== undefined) return ready
  const key = await importPKCS8((settings['APPLE_PRIVATE_KEY'] ?? '').replaceAll(String.raw`\n`, '\n'), 'ES256')
  const seconds = Math.floor(now.getTime() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: settings['APPLE_KEY_ID'] ?? '' })
    .setIssuer(settings['APPLE_TEAM_ID'] ?? '')
    .setSubject(clientId)
    .setAudience('https://appleid.apple.com')
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + appleSecretSeconds)
    .sign(key)
}

import { createHash, randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import { providerIds, type ProviderId } from '../../shared/provider.ts'
import { providers } from '../foundation/social/providers.ts'
import type { UntypedJson } from './browser.ts'

/** A user of a provider. `email` may be missing; `verified` is the provider's claim about it. */
export type ProviderUser = { id: string; name: string; email?: string | undefined; verified: boolean }

/** Injectable faults of a provider's responses. */
export type Fault =
  | 'wrong nonce'
  | 'wrong audience'
  | 'wrong issuer'
  | 'expired id_token'
  | 'blocked'
  | 'locked'
  | 'silence'
  | 'status'
  | 'garbage'
  | 'redirect'
  | 'flood'
  | 'no token'
  | 'error in 200'
  | 'odd profile'

type Grant = {
  provider: ProviderId
  who: ProviderUser
  challenge: string | null
  redirectUri: string
  nonce: string | null
  isUsed: boolean
  /** Whether a refresh token was requested, by the provider's specific parameter. */
  isOffline: boolean
  hasClaims: boolean
}

/** Settings that enable every provider. */
export const providerSettings: Record<string, string> = {
  ...Object.fromEntries(
    providerIds.flatMap((id) => [
      [`${id.toUpperCase()}_CLIENT_ID`, `${id}-client`],
      [`${id.toUpperCase()}_CLIENT_SECRET`, `${id}-secret`],
    ]),
  ),
  TIKTOK_CLIENT_KEY: 'tiktok-client',
  TIKTOK_CLIENT_SECRET: 'tiktok-secret',
  APPLE_CLIENT_ID: 'apple-client',
  APPLE_CLIENT_SECRET: 'apple-secret',
}

/** Requirements of each provider, taken from its documentation and not from our provider table. */
const requirements: Record<ProviderId, { auth: 'basic' | 'form' | 'none'; pkce: boolean; userAgent?: true }> = {
  apple: { auth: 'form', pkce: false },
  discord: { auth: 'basic', pkce: true },
  facebook: { auth: 'form', pkce: false },
  github: { auth: 'basic', pkce: true, userAgent: true },
  microsoft: { auth: 'basic', pkce: true },
  google: { auth: 'basic', pkce: true },
  spotify: { auth: 'basic', pkce: true },
  twitch: { auth: 'form', pkce: false },
  twitter: { auth: 'basic', pkce: true },
  dropbox: { auth: 'basic', pkce: true },
  kick: { auth: 'form', pkce: true },
  linkedin: { auth: 'form', pkce: false },
  gitlab: { auth: 'basic', pkce: true },
  tiktok: { auth: 'form', pkce: true },
  reddit: { auth: 'basic', pkce: false, userAgent: true },
  roblox: { auth: 'basic', pkce: true },
  vk: { auth: 'none', pkce: true },
  zoom: { auth: 'basic', pkce: true },
}

/** Providers that issue a refresh token once and never rotate it. */
const hasStableRefreshToken = new Set<ProviderId>(['apple', 'google', 'dropbox', 'spotify'])

const issuers: Partial<Record<ProviderId, string>> = {
  apple: 'https://appleid.apple.com',
  google: 'https://accounts.google.com',
  microsoft: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  twitch: 'https://id.twitch.tv/oauth2',
  facebook: 'https://www.facebook.com',
}

/** Each provider's actual URLs, from its own documentation: our code must reach them on its own. */
const addresses: Record<ProviderId, { authorization: string; token: string }> = {
  apple: { authorization: 'https://appleid.apple.com/auth/authorize', token: 'https://appleid.apple.com/auth/token' },
  discord: { authorization: 'https://discord.com/oauth2/authorize', token: 'https://discord.com/api/oauth2/token' },
  facebook: {
    authorization: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
  },
  github: {
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
  },
  microsoft: {
    authorization: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  },
  google: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
  },
  spotify: { authorization: 'https://accounts.spotify.com/authorize', token: 'https://accounts.spotify.com/api/token' },
  twitch: { authorization: 'https://id.twitch.tv/oauth2/authorize', token: 'https://id.twitch.tv/oauth2/token' },
  twitter: { authorization: 'https://x.com/i/oauth2/authorize', token: 'https://api.x.com/2/oauth2/token' },
  dropbox: {
    authorization: 'https://www.dropbox.com/oauth2/authorize',
    token: 'https://api.dropboxapi.com/oauth2/token',
  },
  kick: { authorization: 'https://id.kick.com/oauth/authorize', token: 'https://id.kick.com/oauth/token' },
  linkedin: {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
  },
  gitlab: { authorization: 'https://gitlab.com/oauth/authorize', token: 'https://gitlab.com/oauth/token' },
  tiktok: {
    authorization: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
  },
  reddit: {
    authorization: 'https://www.reddit.com/api/v1/authorize',
    token: 'https://www.reddit.com/api/v1/access_token',
  },
  roblox: {
    authorization: 'https://apis.roblox.com/oauth/v1/authorize',
    token: 'https://apis.roblox.com/oauth/v1/token',
  },
  vk: { authorization: 'https://id.vk.com/authorize', token: 'https://id.vk.com/oauth2/auth' },
  zoom: { authorization: 'https://zoom.us/oauth/authorize', token: 'https://zoom.us/oauth/token' },
}

const tokenAddress = (id: ProviderId) => addresses[id].token

/** Emulates all eighteen providers by replacing `fetch`: as strict as the real ones, with injectable faults. */
export async function startEmulator() {
  const codes = new Map<string, Grant>()
  const access = new Map<string, { provider: ProviderId; who: ProviderUser }>()
  const refresh = new Map<string, { provider: ProviderId; who: ProviderUser; isUsed: boolean }>()
  const calls: { url: string; body: string }[] = []
  const faults = new Map<string, Fault>()
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'emulator', alg: 'RS256', use: 'sig' }
  const real = globalThis.fetch

  /** The provider's consent page: the user agrees, and the browser is redirected back. */
  function consent(address: string, who: ProviderUser): { callback: URL; form: Record<string, string> } {
    const url = new URL(address)
    const ask = url.searchParams
    const id = providerIds.find((one) =>
      address.replace(/(microsoftonline\.com\/)[^/]+/, '$1common').startsWith(addresses[one].authorization),
    )
    if (!id) throw new Error(`No provider at ${address}`)
    const clientId = ask.get(id === 'tiktok' ? 'client_key' : 'client_id')
    if (clientId !== `${id}-client`) throw new Error(`${id} does not know the client ${clientId}`)
    if (ask.get('response_type') !== 'code') throw new Error(`${id} wants response_type=code`)
    const challenge = ask.get('code_challenge')
    if (requirements[id].pkce && (challenge === null || ask.get('code_challenge_method') !== 'S256'))
      throw new Error(`${id} wants PKCE`)
    if (address.includes('secret')) throw new Error(`${id} sees a secret in an address`)
    if (id === 'apple' && ask.get('response_mode') !== 'form_post') throw new Error('apple wants form_post')
    if (id === 'vk' && !/^\d+$/.test(ask.get('lang_id') ?? '')) throw new Error('vk wants a language')
    const scopes = ask.get('scope')?.split(/[ ,]/) ?? []
    if (new Set(scopes).size !== scopes.length) throw new Error(`${id} got a scope twice`)
    const redirectUri = ask.get('redirect_uri') ?? ''
    const code = `code-${randomBytes(8).toString('hex')}`
    const isOffline =
      id === 'google'
        ? ask.get('access_type') === 'offline'
        : id === 'dropbox'
          ? ask.get('token_access_type') === 'offline'
          : id === 'reddit'
            ? ask.get('duration') === 'permanent'
            : id === 'microsoft'
              ? scopes.includes('offline_access')
              : id === 'twitter'
                ? scopes.includes('offline.access')
                : true
    const hasClaims = id !== 'twitch' || (ask.get('claims') ?? '').includes('"email"')
    const grant = {
      provider: id,
      who,
      challenge,
      redirectUri,
      nonce: ask.get('nonce'),
      isUsed: false,
      isOffline,
      hasClaims,
    }
    codes.set(code, grant)
    const [firstName, lastName] = who.name.split(' ')
    const form = {
      code,
      state: ask.get('state') ?? '',
      ...(id === 'vk' && { device_id: 'device-7', type: 'code_v2' }),
      ...(id === 'apple' && { user: JSON.stringify({ name: { firstName, lastName }, email: who.email }) }),
    }
    const callback = new URL(redirectUri)
    for (const [name, value] of Object.entries(form)) callback.searchParams.set(name, value)
    return { callback, form }
  }

  /** A signed id_token, valid unless an option says otherwise. */
  function idToken(
    id: ProviderId,
    who: ProviderUser,
    changes: Record<string, unknown> = {},
    key: CryptoKey = privateKey,
  ) {
    const seconds = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuers[id] ?? 'https://nobody.test',
      aud: `${id}-client`,
      sub: who.id,
      iat: seconds,
      exp: seconds + 600,
      name: who.name,
      preferred_username: who.name,
      ...(who.email !== undefined && { email: who.email }),
      email_verified: id === 'apple' ? String(who.verified) : who.verified,
      ...(id === 'microsoft' && { tid: '9188040d-6c67-4c5b-b112-36a304b66dad', xms_edov: who.verified }),
      ...changes,
    }
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'emulator' }).sign(key)
  }

  /** Apple's client secret is a JWT signed by the client; all others are plain strings. */
  function isSecret(id: ProviderId, secret: string): boolean {
    if (id !== 'apple' || secret === 'apple-secret') return secret === `${id}-secret`
    const [head = '', claims = ''] = secret.split('.')
    const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const { iss, sub, aud, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const isTimely = iat <= Date.now() / 1000 + 5 && exp > Date.now() / 1000 && exp - iat <= 15_777_000
    return [alg, kid, iss, sub, aud].join() === 'ES256,key-7,team-7,apple-client,https://appleid.apple.com' && isTimely
  }

  async function token(id: ProviderId, headers: Headers, body: URLSearchParams): Promise<Response> {
    const { auth, pkce } = requirements[id]
    const basic = `Basic ${Buffer.from(`${id}-client:${id}-secret`).toString('base64')}`
    const named = body.get(id === 'tiktok' ? 'client_key' : 'client_id')
    const isClient =
      auth === 'basic'
        ? headers.get('authorization') === basic && !body.has('client_secret')
        : named === `${id}-client` &&
          (auth === 'none' ? !body.has('client_secret') : isSecret(id, body.get('client_secret') ?? ''))
    if (!isClient) return json({ error: 'invalid_client' }, 401)
    if (id === 'vk' && body.get('device_id') !== 'device-7') return json({ error: 'invalid_request' }, 400)
    if (body.get('grant_type') === 'refresh_token') {
      const known = refresh.get(body.get('refresh_token') ?? '')
      if (!known || known.provider !== id || known.isUsed) return json({ error: 'invalid_grant' }, 400)
      if (id === 'microsoft' && !body.get('scope')?.includes('offline_access'))
        return json({ error: 'invalid_scope' }, 400)
      // Some providers keep the refresh token valid; the others rotate it.
      known.isUsed = !hasStableRefreshToken.has(id)
      return json(await issue(id, known.who, null, !hasStableRefreshToken.has(id)))
    }
    const grant = codes.get(body.get('code') ?? '')
    if (!grant || grant.provider !== id || grant.isUsed) return json({ error: 'invalid_grant' }, 400)
    grant.isUsed = true
    if (grant.redirectUri !== body.get('redirect_uri')) return json({ error: 'redirect_uri_mismatch' }, 400)
    const answer = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (pkce && answer !== grant.challenge) return json({ error: 'invalid_grant' }, 400)
    const who = grant.hasClaims ? grant.who : { ...grant.who, email: undefined, name: '' }
    return json(await issue(id, who, grant.nonce, grant.isOffline))
  }

  async function issue(id: ProviderId, who: ProviderUser, nonce: string | null, mayRefresh: boolean) {
    const seconds = Math.floor(Date.now() / 1000)
    const overrides: Partial<Record<Fault, object>> = {
      'wrong nonce': { nonce: 'another' },
      'wrong audience': { aud: 'another-client' },
      'wrong issuer': { iss: 'https://evil.test' },
      'expired id_token': { exp: seconds - 60 },
    }
    const override = overrides[faults.get(`${id} id_token`) ?? 'silence'] ?? {}
    const accessToken = `access-${id}-${randomBytes(8).toString('hex')}`
    const refreshToken = `refresh-${id}-${randomBytes(8).toString('hex')}`
    access.set(accessToken, { provider: id, who })
    refresh.set(refreshToken, { provider: id, who, isUsed: false })
    const scopes: Partial<Record<ProviderId, unknown>> = {
      twitch: ['openid', 'user:read:email'],
      github: 'read:user,user:email',
      facebook: undefined,
      apple: undefined,
    }
    return {
      access_token: accessToken,
      token_type: 'bearer',
      ...(id !== 'facebook' && id !== 'linkedin' && mayRefresh && { refresh_token: refreshToken }),
      ...(id !== 'github' && { expires_in: 3600 }),
      // Microsoft omits offline_access from the granted scopes.
      scope: id in scopes ? scopes[id] : providers[id].scopes.filter((name) => name !== 'offline_access').join(' '),
      ...(issuers[id] !== undefined &&
        id !== 'facebook' && { id_token: await idToken(id, who, { nonce, ...override }) }),
    }
  }

  function userInfo(id: ProviderId, path: string, who: ProviderUser): UntypedJson {
    const { name, email, verified } = who
    const [first = '', last = ''] = name.split(' ')
    if (path.endsWith('/user/emails'))
      return email === undefined
        ? []
        : [
            { email: 'other@example.test', primary: false, verified: true },
            { email, primary: true, verified },
          ]
    const answers: Partial<Record<ProviderId, UntypedJson>> = {
      discord: {
        id: '80351110224678912',
        username: name,
        global_name: name,
        avatar: null,
        email: email ?? null,
        verified,
      },
      facebook: { id: who.id, name, email, picture: { data: { url: 'https://pictures.test/a.png' } } },
      github: { id: Number(who.id), login: 'octo', name, avatar_url: 'https://pictures.test/a.png' },
      spotify: { id: who.id, display_name: name, email, images: [] },
      twitter: {
        data: { id: who.id, name, username: 'handle', verified: true, ...(verified && { confirmed_email: email }) },
      },
      dropbox: { account_id: who.id, name: { display_name: name }, email, email_verified: verified },
      kick: { data: [{ user_id: Number(who.id), name, email: email ?? '', profile_picture: '' }] },
      linkedin: { sub: who.id, name, email, email_verified: verified },
      gitlab: {
        id: Number(who.id),
        name,
        username: 'lab',
        email,
        avatar_url: null,
        state: faults.get('gitlab user') === 'blocked' ? 'blocked' : 'active',
        locked: faults.get('gitlab user') === 'locked',
        confirmed_at: verified ? '2020-01-01' : null,
      },
      tiktok: {
        data: { user: { open_id: who.id, display_name: name, username: 'tok', avatar_large_url: '' } },
        error: { code: 'ok' },
      },
      reddit: { id: who.id, name, icon_img: 'https://pictures.test/a.png?width=256', has_verified_email: true },
      roblox: { sub: who.id, nickname: name, preferred_username: 'blox' },
      vk: { user: { user_id: who.id, first_name: first, last_name: last, email: email ?? '' } },
      zoom: { id: who.id, display_name: name, email, verified: verified ? 1 : 0 },
    }
    return id === 'discord' ? { ...answers.discord, id: who.id } : answers[id]
  }

  async function answer(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    const body = init.body instanceof URLSearchParams ? init.body : new URLSearchParams()
    calls.push({ url, body: body.toString() })
    if (init.redirect !== 'error') throw new Error(`A call to ${url} would follow redirects`)
    if (!init.signal) throw new Error(`A call to ${url} has no time limit`)
    const { pathname } = new URL(url)
    if (pathname.includes('/keys') || pathname.includes('/certs') || pathname.includes('/jwks'))
      return json({ keys: [jwk] })
    const common = url.replace(/(microsoftonline\.com\/)[^/]+/, '$1common')
    const id = providerIds.find((one) => common === tokenAddress(one))
    const holder = access.get(headers.get('authorization')?.replace('Bearer ', '') ?? body.get('access_token') ?? '')
    const about = id ?? holder?.provider
    const fault = about && faults.get(`${about} ${id ? 'token' : 'profile'}`)
    if (fault) return respondWithFault(fault, init)
    if (about && requirements[about].userAgent && !headers.get('user-agent')?.startsWith('Foyer'))
      return json({ message: 'too many requests' }, 429)
    if (id) return token(id, headers, body)
    return holder ? json(userInfo(holder.provider, pathname, holder.who)) : json({ error: 'invalid_token' }, 401)
  }

  function respondWithFault(fault: Fault, init: RequestInit): Promise<Response> | Response {
    switch (fault) {
      case 'silence':
        return new Promise((_done, fail) => init.signal?.addEventListener('abort', () => fail(new Error('aborted'))))
      case 'status':
        return json({ error: 'server_error' }, 500)
      case 'garbage':
        return new Response('<html>not today</html>', { headers: { 'content-type': 'text/html' } })
      case 'redirect':
        return Promise.reject(new TypeError('unexpected redirect'))
      case 'flood':
        return new Response('x'.repeat(2_000_000))
      case 'no token':
        return json({ token_type: 'bearer' })
      case 'error in 200':
        return json({ error: 'bad_verification_code' })
      case 'odd profile':
        return json({ id: null, name: 7 })
      default:
        throw new Error(`${fault} is not a way to answer`)
    }
  }

  return {
    calls,
    faults,
    consent,
    idToken,
    /** Replaces the global `fetch`; requests to localhost still use the real one. */
    install() {
      globalThis.fetch = (input, init = {}) => {
        const url = input instanceof Request ? input.url : String(input)
        return new URL(url).hostname === 'localhost' ? real(input, init) : answer(url, init)
      }
    },
    uninstall() {
      globalThis.fetch = real
    },
    generateUntrustedKey: async () => (await generateKeyPair('RS256')).privateKey,
  }
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

let count = 0

/** A new provider user with a numeric id, as several providers require. */
export function providerUser(changes: Partial<ProviderUser> = {}): ProviderUser {
  const number = Date.now() * 1000 + count++
  return { id: String(number), name: 'Grace Hopper', email: `grace.${number}@example.test`, verified: true, ...changes }
}

import type { JWTPayload } from 'jose'
import { z } from 'zod'
import type { ProviderId } from '../../../shared/provider.ts'
import { readOwnIdToken } from './id-token.ts'
import { ask, ProviderFailure } from './outgoing.ts'
import type { ProfileRequest, Profile, Provider, Registration } from './provider.ts'

/** The eighteen providers (endpoints from arctic 3.7 and the providers' documentation). */
export const providers: Record<ProviderId, Provider> = {
  apple: {
    id: 'apple',
    authorization: () => 'https://appleid.apple.com/auth/authorize',
    token: () => 'https://appleid.apple.com/auth/token',
    hasPkce: false,
    authentication: 'form',
    scopes: ['name', 'email'],
    // Apple returns name and email only with response_mode form_post.
    parameters: ({ nonce }) => ({ response_mode: 'form_post', nonce }),
    idToken: {
      jwks: () => 'https://appleid.apple.com/auth/keys',
      issuer: () => ['https://appleid.apple.com'],
      audience: ({ clientId, settings }) => [clientId, ...optional(settings['APPLE_APP_BUNDLE_IDENTIFIER'])],
      mayHashNonce: true,
      isAccepted: true,
    },
    refreshes: true,
    profile: async (arrival) => ({ ...ofClaims(ownClaims(providers.apple, arrival)), name: appleName(arrival) }),
  },
  discord: {
    id: 'discord',
    authorization: () => 'https://discord.com/oauth2/authorize',
    token: () => 'https://discord.com/api/oauth2/token',
    hasPkce: true,
    authentication: 'basic',
    scopes: ['identify', 'email'],
    refreshes: true,
    profile: async ({ tokens }) => {
      const user = await fetchAs(
        z.object({ id: Id, username: z.string(), global_name: Text, avatar: Text, email: Text, verified: Flag }),
        'https://discord.com/api/users/@me',
        tokens.accessToken,
      )
      const picture = user.avatar
        ? `avatars/${user.id}/${user.avatar}.${user.avatar.startsWith('a_') ? 'gif' : 'png'}`
        : `embed/avatars/${/^\d+$/.test(user.id) ? (BigInt(user.id) >> 22n) % 6n : 0}.png`
      return {
        id: user.id,
        name: user.global_name ?? user.username,
        email: user.email,
        emailVerified: user.verified,
        image: `https://cdn.discordapp.com/${picture}`,
      }
    },
  },
  facebook: {
    id: 'facebook',
    authorization: () => 'https://www.facebook.com/v23.0/dialog/oauth',
    token: () => 'https://graph.facebook.com/v23.0/oauth/access_token',
    hasPkce: false,
    authentication: 'form',
    scopes: ['email', 'public_profile'],
    loginHint: 'login_hint',
    // Limited Login gives the browser an id_token. The code flow returns none.
    idToken: {
      jwks: () => 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
      issuer: () => ['https://www.facebook.com'],
      audience: ({ clientId }) => [clientId],
      isAccepted: true,
    },
    refreshes: false,
    profile: async ({ tokens }) => {
      const user = await fetchAs(
        z.object({
          id: Id,
          name: Text,
          email: Text,
          picture: z.object({ data: z.object({ url: Text }).optional() }).optional(),
        }),
        'https://graph.facebook.com/v23.0/me?fields=id,name,email,picture',
        tokens.accessToken,
      )
      return { id: user.id, name: user.name, email: user.email, emailVerified: false, image: user.picture?.data?.url }
    },
  },
  github: {
    id: 'github',
    authorization: () => 'https://github.com/login/oauth/authorize',
    token: () => 'https://github.com/login/oauth/access_token',
    hasPkce: true,
    authentication: 'basic',
    scopes: ['read:user', 'user:email'],
    loginHint: 'login',
    refreshes: true,
    profile: async ({ tokens }) => {
      const [user, emails] = await Promise.all([
        fetchAs(
          z.object({ id: Id, login: z.string(), name: Text, avatar_url: Text }),
          'https://api.github.com/user',
          tokens.accessToken,
        ),
        // The user may have declined the scope. The profile then has no email.
        fetchAs(
          z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })),
          'https://api.github.com/user/emails',
          tokens.accessToken,
        ).catch(() => []),
      ])
      const primary = emails.find((one) => one.primary)
      return {
        id: user.id,
        name: user.name ?? user.login,
        email: primary?.email,
        emailVerified: primary?.verified ?? false,
        image: user.avatar_url,
      }
    },
  },
  microsoft: {
    id: 'microsoft',
    authorization: (registration) =>
      `https://login.microsoftonline.com/${tenantOf(registration)}/oauth2/v2.0/authorize`,
    token: (registration) => `https://login.microsoftonline.com/${tenantOf(registration)}/oauth2/v2.0/token`,
    hasPkce: true,
    authentication: 'basic',
    scopes: ['openid', 'profile', 'email', 'User.Read', 'offline_access'],
    parameters: ({ nonce }) => ({ prompt: 'select_account', response_mode: 'query', nonce }),
    loginHint: 'login_hint',
    idToken: {
      jwks: (registration) => `https://login.microsoftonline.com/${tenantOf(registration)}/discovery/v2.0/keys`,
      issuer: ({ tid }, registration) => microsoftIssuers(tid, tenantOf(registration)),
      audience: ({ clientId }) => [clientId],
      isAccepted: true,
    },
    refreshes: true,
    refreshNeedsScopes: true,
    profile: async (arrival) => {
      const claims = ownClaims(providers.microsoft, arrival)
      return { ...ofClaims(claims), emailVerified: isVerifiedByMicrosoft(claims) }
    },
  },
  google: {
    id: 'google',
    authorization: () => 'https://accounts.google.com/o/oauth2/v2/auth',
    token: () => 'https://oauth2.googleapis.com/token',
    hasPkce: true,
    authentication: 'basic',
    scopes: ['openid', 'email', 'profile'],
    parameters: ({ nonce }) => ({
      access_type: 'offline',
      prompt: 'select_account',
      include_granted_scopes: 'true',
      nonce,
    }),
    loginHint: 'login_hint',
    idToken: {
      jwks: () => 'https://www.googleapis.com/oauth2/v3/certs',
      issuer: () => ['https://accounts.google.com', 'accounts.google.com'],
      audience: ({ clientId }) => [clientId],
      isAccepted: true,
    },
    refreshes: true,
    profile: async (arrival) => ofClaims(ownClaims(providers.google, arrival)),
  },
  spotify: {
    id: 'spotify',
    authorization: () => 'https://accounts.spotify.com/authorize',
    token: () => 'https://accounts.spotify.com/api/token',
    hasPkce: true,
    authentication: 'basic',
    scopes: ['user-read-email'],
    refreshes: true,
    profile: async ({ tokens }) => {
      const user = await fetchAs(
        z.object({ id: Id, display_name: Text, email: Text, images: z.array(z.object({ url: Text })).optional() }),
        'https://api.spotify.com/v1/me',
        tokens.accessToken,
      )
      // Spotify documents its email addresses as unverified.
      const image = user.images?.[0]?.url
      return { id: user.id, name: user.display_name ?? user.id, email: user.email, emailVerified: false, image }
    },
  },
  twitch: {
    id: 'twitch',
    authorization: () => 'https://id.twitch.tv/oauth2/authorize',
    token: () => 'https://id.twitch.tv/oauth2/token',
    hasPkce: false,
    authentication: 'form',
    scopes: ['openid', 'user:read:email'],
    // Without `claims` the id_token contains neither email nor name.
    parameters: ({ nonce }) => ({
      claims: '{"id_token":{"email":null,"email_verified":null,"preferred_username":null,"picture":null}}',
      nonce,
    }),
    idToken: {
      jwks: () => 'https://id.twitch.tv/oauth2/keys',
      issuer: () => ['https://id.twitch.tv/oauth2'],
      audience: ({ clientId }) => [clientId],
      isAccepted: false,
    },
    refreshes: true,
    profile: async (arrival) => {
      const claims = ownClaims(providers.twitch, arrival)
      return { ...ofClaims(claims), name: textOf(claims['preferred_username']) }
    },
  },
  twitter: {
    id: 'twitter',
    authorization: () => 'https://x.com/i/oauth2/authorize',
    token: () => 'https://api.x.com/2/oauth2/token',
    hasPkce: true,
    authentication: 'basic',
    scopes: ['users.read', 'tweet.read', 'users.email', 'offline.access'],
    refreshes: true,
    profile: async ({ tokens }) => {
      const { data: user } = await fetchAs(
        z.object({
          data: z.object({
            id: Id,
            name: Text,
            username: z.string(),
            profile_image_url: Text,
            confirmed_email: Text,
          }),
        }),
        'https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email',
        tokens.accessToken,
      )
      // `verified` is the paid badge and says nothing about the email. `confirmed_email` does.
      return {
        id: user.id,
        name: user.name ?? user.username,
        email: user.confirmed_email,
        emailVerified: user.confirmed_email !== undefined,
        image: user.profile_image_url,
      }
    },
  },
  dropbox: {
    id: 'dropbox',
    authorization: () => 'https://www.dropbox.com/oauth2/authorize',
    token: () => 'https://api.dropboxapi.com/oauth2/token',
    hasPkce: true,
    authentication: 'basic',
    scopes: ['account_info.read'],
    parameters: () => ({ token_access_type: 'offline' }),
    refreshes: true,
    profile: async ({ tokens }) => {
      const user = await fetchAs(
        z.object({
          account_id: Id,
          name: z.object({ display_name: Text }),
          email: Text,
          email_verified: Flag,
          profile_photo_url: Text,
        }),
        'https://api.dropboxapi.com/2/users/get_current_account',
        tokens.accessToken,
        'POST',
      )
      return {
        id: user.account_id,
        name: user.name.display_name,
        email: user.email,
        emailVerified: user.email_verified,
        image: user.profile_photo_url,
      }
    },
  },
  kick: {
    id: 'kick',
    authorization: () => 'https://id.kick.com/oauth/authorize',
    token: () => 'https://id.kick.com/oauth/token',
    hasPkce: true,
    authentication: 'form',
    scopes: ['user:read'],
    refreshes: true,
    profile: async ({ tokens }) => {
      const { data } = await fetchAs(
        z.object({ data: z.array(z.object({ user_id: Id, name: Text, email: Text, profile_picture: Text })).min(1) }),
        'https://api.kick.com/public/v1/users',
        tokens.accessToken,
      )
      const [user] = data
      if (!user) throw new ProviderFailure('no user')
      const { user_id: id, name, email, profile_picture: image } = user
      return { id, name, email, emailVerified: false, image }
    },
  },
  linkedin: {
    id: 'linkedin',
    authorization: () => 'https://www.linkedin.com/oauth/v2/authorization',
    token: () => 'https://www.linkedin.com/oauth/v2/accessToken',
    hasPkce: false,
    authentication: 'form',
    scopes: ['openid', 'profile', 'email'],
    loginHint: 'login_hint',
    // Only approved partners get a refresh token.
    refreshes: true,
    profile: async ({ tokens }) =>
      ofClaims(await fetchAs(Claims, 'https://api.linkedin.com/v2/userinfo', tokens.accessToken)),
  },
  gitlab: {
    id: 'gitlab',
    authorization: (registration) => `${gitlabAt(registration)}/oauth/authorize`,
    token: (registration) => `${gitlabAt(registration)}/oauth/token`,
    hasPkce: true,
    authentication: 'basic',
    scopes: ['read_user'],
    loginHint: 'login_hint',
    refreshes: true,
    profile: async ({ tokens, registration }) => {
      const user = await fetchAs(
        z.object({
          id: Id,
          name: Text,
          username: z.string(),
          email: Text,
          avatar_url: Text,
          state: z.string(),
          locked: Flag,
          confirmed_at: Text,
        }),
        `${gitlabAt(registration)}/api/v4/user`,
        tokens.accessToken,
      )
      if (user.state !== 'active' || user.locked) throw new ProviderFailure('the account is blocked')
      return {
        id: user.id,
        name: user.name ?? user.username,
        email: user.email,
        emailVerified: user.confirmed_at !== undefined,
        image: user.avatar_url,
      }
    },
  },
  tiktok: {
    id: 'tiktok',
    authorization: () => 'https://www.tiktok.com/v2/auth/authorize/',
    token: () => 'https://open.tiktokapis.com/v2/oauth/token/',
    hasPkce: true,
    authentication: 'form',
    clientIdName: 'client_key',
    scopes: ['user.info.basic', 'user.info.profile'],
    scopeSeparator: ',',
    refreshes: true,
    profile: async ({ tokens }) => {
      const { data } = await fetchAs(
        z.object({
          data: z.object({
            user: z.object({ open_id: Id, avatar_large_url: Text, display_name: Text, username: Text }),
          }),
        }),
        'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_large_url,display_name,username',
        tokens.accessToken,
      )
      const { open_id: id, display_name: shown, username, avatar_large_url: image } = data.user
      return { id, name: shown ?? username, email: undefined, emailVerified: false, image }
    },
  },
  reddit: {
    id: 'reddit',
    authorization: () => 'https://www.reddit.com/api/v1/authorize',
    token: () => 'https://www.reddit.com/api/v1/access_token',
    hasPkce: false,
    authentication: 'basic',
    scopes: ['identity'],
    parameters: () => ({ duration: 'permanent' }),
    refreshes: true,
    profile: async ({ tokens }) => {
      const user = await fetchAs(
        z.object({ id: Id, name: Text, icon_img: Text }),
        'https://oauth.reddit.com/api/v1/me',
        tokens.accessToken,
      )
      const image = user.icon_img?.split('?')[0]
      return { id: user.id, name: user.name, email: undefined, emailVerified: false, image }
    },
  },
  roblox: {
    id: 'roblox',
    authorization: () => 'https://apis.roblox.com/oauth/v1/authorize',
    token: () => 'https://apis.roblox.com/oauth/v1/token',
    hasPkce: true,
    authentication: 'basic',
    scopes: ['openid', 'profile'],
    parameters: () => ({ prompt: 'select_account consent' }),
    refreshes: true,
    profile: async ({ tokens }) => {
      const user = await fetchAs(
        z.object({ sub: Id, nickname: Text, preferred_username: Text, picture: Text }),
        'https://apis.roblox.com/oauth/v1/userinfo',
        tokens.accessToken,
      )
      const name = user.nickname ?? user.preferred_username
      return { id: user.sub, name, email: undefined, emailVerified: false, image: user.picture }
    },
  },
  vk: {
    id: 'vk',
    authorization: () => 'https://id.vk.com/authorize',
    token: () => 'https://id.vk.com/oauth2/auth',
    hasPkce: true,
    authentication: 'none',
    scopes: ['email'],
    parameters: ({ language }) => ({ lang_id: String(language) }),
    refreshes: true,
    profile: async ({ tokens, registration }) => {
      const answer = await ask('https://id.vk.com/oauth2/user_info', {
        method: 'POST',
        form: { access_token: tokens.accessToken, client_id: registration.clientId },
      })
      const { user } = read(
        z.object({ user: z.object({ user_id: Id, first_name: Text, last_name: Text, email: Text, avatar: Text }) }),
        answer,
      )
      const name = [user.first_name, user.last_name].filter((part) => part !== undefined).join(' ')
      return { id: user.user_id, name: name || undefined, email: user.email, emailVerified: false, image: user.avatar }
    },
  },
  zoom: {
    id: 'zoom',
    authorization: () => 'https://zoom.us/oauth/authorize',
    token: () => 'https://zoom.us/oauth/token',
    hasPkce: true,
    authentication: 'basic',
    // Zoom's scopes are configured in the Zoom app.
    scopes: [],
    refreshes: true,
    profile: async ({ tokens }) => {
      const user = await fetchAs(
        z.object({ id: Id, display_name: Text, email: Text, pic_url: Text, verified: z.number().optional() }),
        'https://api.zoom.us/v2/users/me',
        tokens.accessToken,
      )
      const { id, display_name: name, email, pic_url: image, verified } = user
      return { id, name, email, emailVerified: verified === 1, image }
    },
  },
}

/** Some providers use numeric ids, others strings. A missing or empty id is rejected. */
const Id = z.union([z.string().min(1).max(256), z.number().int()]).transform(String)
/** A string that may be missing, null or empty. */
const Text = z
  .string()
  .max(4096)
  .nullish()
  .transform((text) => text || undefined)
const Flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true)

const Claims = z.looseObject({ sub: z.string() })

async function fetchAs<Output>(
  schema: z.ZodType<Output>,
  url: string,
  accessToken: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Output> {
  return read(schema, await ask(url, { method, headers: { authorization: `Bearer ${accessToken}` } }))
}

function read<Output>(schema: z.ZodType<Output>, answer: unknown): Output {
  const { data, error, success } = schema.safeParse(answer)
  if (!success) throw new ProviderFailure('another shape', { cause: error })
  return data
}

/** The claims of the id_token returned with the code. */
function ownClaims({ idToken: rule }: Provider, { tokens, registration, nonce, now }: ProfileRequest): JWTPayload {
  const expected = { token: tokens.idToken ?? '', nonce, now }
  const claims = rule && readOwnIdToken(rule, registration, expected)
  if (!claims) throw new ProviderFailure('no valid id_token')
  return claims
}

/**
 * Maps the standard claims. `email_verified` is true or the string "true" (Apple). Any other value means unverified.
 */
export function ofClaims(claims: JWTPayload): Profile {
  const { sub, name, email, picture, email_verified: verified } = claims
  if (!sub) throw new ProviderFailure('no subject')
  return {
    id: sub,
    name: textOf(name),
    email: textOf(email),
    emailVerified: verified === true || verified === 'true',
    image: textOf(picture),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const AppleUser = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
})

/**
 * Apple sends the name once, in a form field posted by the browser. It is untrusted and used only as a display name.
 */
function appleName({ appleUser }: ProfileRequest): string | undefined {
  try {
    const { name } = AppleUser.parse(JSON.parse(appleUser ?? ''))
    return [name?.firstName, name?.lastName].filter(Boolean).join(' ') || undefined
  } catch {
    return undefined
  }
}

function tenantOf({ settings }: Registration): string {
  return (settings['MICROSOFT_TENANT_ID'] ?? 'common').toLowerCase()
}

/** Tenant id of all personal Microsoft accounts. */
const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** The issuer contains the token's tenant. The operator configures which tenants are allowed. */
function microsoftIssuers(tid: unknown, tenant: string): string[] {
  if (typeof tid !== 'string' || !/^[0-9a-f-]{36}$/i.test(tid)) return []
  const isWelcome =
    tenant === 'common' ||
    (tenant === 'consumers' && tid === consumerTenant) ||
    (tenant === 'organizations' && tid !== consumerTenant) ||
    tid.toLowerCase() === tenant
  return isWelcome ? [`https://login.microsoftonline.com/${tid}/v2.0`] : []
}

/** A tenant's administrator can set any email address on its users. Only these claims show that it is verified. */
export function isVerifiedByMicrosoft(claims: JWTPayload): boolean {
  const { email, xms_edov: edov, email_verified: verified, verified_primary_email: listed } = claims
  const isListed = Array.isArray(listed) && listed.includes(email)
  return edov === true || edov === 1 || edov === '1' || verified === true || isListed
}

function gitlabAt({ settings }: Registration): string {
  return (settings['GITLAB_ISSUER'] ?? 'https://gitlab.com').replace(/\/+$/, '')
}

function optional(text: string | undefined): string[] {
  return text === undefined ? [] : [text]
}

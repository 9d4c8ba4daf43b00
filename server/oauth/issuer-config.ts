import { decodeJwt } from 'jose'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type * as oidc from 'oidc-provider'
import { languages } from '../../shared/language.ts'
import { grantScopes } from '../../shared/oauth.ts'
import type { App } from '../dependencies.ts'
import { assuranceLevels } from '../factor/assurance.ts'
import { signingAlgorithm } from '../token/signing-keys.ts'
import { createArtifactStore } from './artifact-store.ts'
import { askToSignOut } from './ask-to-sign-out.ts'
import { loadGrant } from './grant-access.ts'
import { extraClaims, findAccount, refuseRefreshWithoutResource } from './issuer-claims.ts'
import type { IssuerErrors } from './load-oidc-provider.ts'
import { isFirstParty, type IssuerClient } from './read-issuer-caller.ts'

export type Jwks = NonNullable<Configuration['jwks']>['keys']

/** Parts of oidc-provider, which is loaded when the issuer is first used. */
type IssuerParts = { policy: ReturnType<typeof oidc.interactionPolicy.base>; errors: IssuerErrors }

/** The configuration of the issuer, with the keys that sign its tokens. */
export function configurationOf(app: App, keys: Jwks, { policy, errors }: IssuerParts): Configuration {
  const { isHttps, tokenLifetimeSeconds, mayCallPrivateAddresses } = app.config
  return {
    adapter: createArtifactStore(app, errors),
    claims,
    cookies: cookiesOf(isHttps),
    enabledJWA: {
      idTokenSigningAlgValues: [signingAlgorithm],
      userinfoSigningAlgValues: [signingAlgorithm],
      introspectionSigningAlgValues: [signingAlgorithm],
      authorizationSigningAlgValues: [signingAlgorithm],
      requestObjectSigningAlgValues: [signingAlgorithm],
    },
    features: featuresOf(app, errors),
    routes,
    ttl: lifetimesOf(tokenLifetimeSeconds),
    jwks: { keys },
    acrValues: Object.values(assuranceLevels),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: () => true,
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: signingAlgorithm,
      response_types: ['code'],
    },
    // Sign-in libraries read the name from the id_token.
    conformIdTokenClaims: false,
    discovery: { ui_locales_supported: languages.map(({ code }) => code) },
    expiresWithSession: () => false,
    extraClientMetadata: { properties: ['first_party'] },
    extraParams: { organization: (koa) => restoreOfflineAccess(koa) },
    extraTokenClaims: (koa, token) => extraClaims(app, koa, { token, errors }),
    fetch(url, options) {
      if (!mayCallPrivateAddresses) return fetch(url, options)
      // Without the dispatcher with which oidc-provider blocks private IP addresses.
      const { dispatcher: _blocking, ...open } = { dispatcher: undefined, ...options }
      return fetch(url, open)
    },
    findAccount: (koa, id) => findAccount(app, koa, { id, errors }),
    interactions: { policy, url: (_koa, { uid }) => `/oauth/continue/${uid}` },
    loadExistingGrant: (koa) => loadGrant(app, koa, errors),
    pkce: { required: () => true },
    renderError: (koa, out) => {
      koa.type = 'html'
      koa.body = out
    },
    responseTypes: ['code'],
    rotateRefreshToken(koa) {
      refuseRefreshWithoutResource(koa, errors)
      return true
    },
    scopes: [...grantScopes],
  }
}

/** Claims by scope. Those with `null` are sent on request. */
const claims: Configuration['claims'] = {
  openid: ['sub', 'sid', 'auth_time', 'amr'],
  profile: ['name', 'picture', 'locale'],
  email: ['email', 'email_verified'],
  organization: ['org', 'entitlements'],
  acr: null,
  auth_time: null,
}

const routes: Configuration['routes'] = {
  authorization: '/oauth/authorize',
  code_verification: '/device',
  device_authorization: '/oauth/device',
  end_session: '/oauth/end-session',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
  pushed_authorization_request: '/oauth/par',
  revocation: '/oauth/revoke',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
}

/** Cookies of an authorization that waits for the user. The issuer has no session cookie of its own. */
function cookiesOf(isHttps: boolean): Configuration['cookies'] {
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isHttps, overwrite: true } as const
  const prefix = isHttps ? '__Secure-' : ''
  return {
    keys: [],
    long: cookie,
    short: cookie,
    names: {
      session: `${prefix}foyer.oauth`,
      interaction: `${prefix}foyer.interaction`,
      resume: `${prefix}foyer.resume`,
    },
  }
}

/** What of OAuth is offered, and to whom. */
function featuresOf(app: App, errors: IssuerErrors): Configuration['features'] {
  const { appOrigin, tokenAudiences, tokenLifetimeSeconds } = app.config
  return {
    backchannelLogout: { enabled: true },
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    deviceFlow: { enabled: true },
    dPoP: { enabled: false },
    introspection: { enabled: true, allowedPolicy: (_koa, client, token) => token.clientId === client.clientId },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo(_koa, resource, client) {
        // A token for Foyer's own API can do everything its user can, so only the operator's own applications may get
        // one.
        const isOpen =
          resource === appOrigin ? isFirstParty(client) || !hasUsers(client) : tokenAudiences.includes(resource)
        if (!isOpen) throw new errors.InvalidTarget()
        return {
          audience: resource,
          scope: grantScopes.join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenLifetimeSeconds,
          jwt: { sign: { alg: signingAlgorithm } },
        }
      },
    },
    revocation: {
      enabled: true,
      allowedPolicy(_koa, client, token) {
        if (token.clientId === client.clientId) return true
        throw new errors.InvalidRequest('the token belongs to another client')
      },
    },
    rpInitiatedLogout: { enabled: true, logoutSource: (koa) => askToSignOut(app, koa) },
    userinfo: { enabled: true },
  }
}

/** Lifetimes in seconds. A grant ends with its session at the latest. */
function lifetimesOf(tokenLifetimeSeconds: number): Configuration['ttl'] {
  return {
    AccessToken: tokenLifetimeSeconds,
    AuthorizationCode: 60,
    ClientCredentials: tokenLifetimeSeconds,
    DeviceCode: 600,
    Grant: grantSeconds,
    IdToken: 3600,
    Interaction: 3600,
    RefreshToken: 2_592_000,
    Session: grantSeconds,
  }
}

const grantSeconds = 34_560_000

/**
 * Whether a client acts on behalf of users. Other clients get tokens for themselves, which give no access to user data.
 */
function hasUsers(client: IssuerClient): boolean {
  return (client.grantTypes ?? []).some((type) => type !== 'client_credentials')
}

/**
 * oidc-provider drops `offline_access` from requests without `prompt=consent` (OpenID Connect Core 1.0, 11). The
 * operator's own applications need no consent, and keep it.
 */
function restoreOfflineAccess({ oidc, query }: KoaContextWithOIDC): void {
  const { client, params, entities, body } = oidc
  if (!client || !params || !isFirstParty(client) || !client.grantTypeAllowed('refresh_token')) return
  const pushed = entities.PushedAuthorizationRequest?.request
  const asked = pushed === undefined ? (body?.['scope'] ?? query['scope']) : decodeJwt(pushed)['scope']
  const scopes = new Set(String(params['scope'] ?? '').split(' '))
  if (
    String(asked ?? '')
      .split(' ')
      .includes('offline_access') &&
    scopes.has('openid')
  )
    params['scope'] = [...scopes.add('offline_access')].join(' ')
}

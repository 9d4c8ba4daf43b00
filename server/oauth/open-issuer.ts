import type { IncomingMessage } from 'node:http'
import { decodeJwt } from 'jose'
import type { Account, Configuration, Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type * as oidc from 'oidc-provider'
import { FullUser } from '../../shared/account.ts'
import { grantScopes } from '../../shared/oauth.ts'
import { languages } from '../../shared/language.ts'
import { withQuery } from '../../shared/redirect.ts'
import type { App } from '../dependencies.ts'
import { record } from '../event/record.ts'
import { assuranceLevels, isStrong } from '../factor/two-factors.ts'
import { isLoopback } from '../foundation/address.ts'
import { sha256, sign } from '../foundation/crypto.ts'
import { isRecord } from '../foundation/records.ts'
import { findOrganizationId } from '../organization/organizations.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { findSessionById, isBanned } from '../session/find-session.ts'
import { signingAlgorithm } from '../token/signing-keys.ts'
import { loadPackage } from './package.ts'
import { bindGrant, findGrant, findGrantId, type GrantOwner, grantRow, openArtifacts } from './artifacts.ts'
import { findClaims, levelOf, methodsOf, profileClaims, type Subject } from './claims.ts'
import { hasConsented, recordConsent } from './consents.ts'

/** Lifetimes in seconds. A grant ends with its session at the latest. */
const lifetimes = {
  authorizationCode: 60,
  deviceCode: 600,
  grant: 34_560_000,
  idToken: 3600,
  interaction: 3600,
  par: 60,
  refreshToken: 2_592_000,
}

/** The request contexts of requests that the issuer handles. */
const contexts = new WeakMap<IncomingMessage, Context>()

/** The session id in the tokens of a request: that of the session which the grant came from first. */
const sids = new WeakMap<IncomingMessage, string>()

/** Lets the issuer find the context of a request, and through it the browser's session. */
export function rememberContext(request: IncomingMessage, ctx: Context): void {
  contexts.set(request, ctx)
}

/**
 * The signed-in user of a request, read from the database. Undefined if there is none, or during an impersonation,
 * because an application would keep the access it is granted.
 */
async function callerOf(koa: { req: IncomingMessage }): Promise<Caller | undefined> {
  const caller = await contexts.get(koa.req)?.caller()
  return caller?.session.impersonatedBy === undefined ? caller : undefined
}

/** The OpenID issuer of an installation. It is created again when its keys change. */
export type Issuer = { provider: () => Promise<Provider> }

/** Keyed by the signing keys, which a request's context shares with its application. */
const issuers = new WeakMap<App['signingKeys'], Issuer>()

export function openIssuer(app: App): Issuer {
  const known = issuers.get(app.signingKeys)
  if (known) return known
  let current: { id: string; provider: Provider } | undefined
  const issuer: Issuer = {
    async provider() {
      const now = app.clock()
      const [keys, signer] = await Promise.all([app.signingKeys.all(now), app.signingKeys.signer(now)])
      const id = [signer.id, ...keys.map((key) => key.id)].join()
      if (current?.id !== id) {
        // The first key signs. A key whose private part is lost cannot be passed to the issuer, but is still published.
        const ordered = [signer, ...keys.filter((key) => key.id !== signer.id)]
        const jwks = ordered.flatMap(({ privateJwk }) => privateJwk ?? [])
        current = { id, provider: createProvider(app, jwks, await loadPackage()) }
      }
      return current.provider
    },
  }
  issuers.set(app.signingKeys, issuer)
  return issuer
}

type Jwks = NonNullable<Configuration['jwks']>['keys']

function createProvider(app: App, keys: Jwks, { Provider, errors, interactionPolicy }: typeof oidc): Provider {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.remove('native_client_prompt')
  policy.get('consent')?.checks.add(askEachTime(interactionPolicy.Check))
  policy.get('login')?.checks.add(stepUp(interactionPolicy.Check))
  const provider = new Provider(app.config.appOrigin, configurationOf(app, keys, { policy, errors }))
  // Foyer rewrites these headers from APP_URL, regardless of what a client sends (http/oauth.ts).
  provider.proxy = true
  // Client secrets are stored as hashes, so the secret sent is hashed too.
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { clientSecret?: string }, secret: string) {
      return this.clientSecret !== undefined && sha256(secret) === this.clientSecret
    },
  })
  Object.assign(provider.Session, { get: (koa: KoaContextWithOIDC) => sessionOf(provider, koa) })
  provider.on('server_error', (koa, error) => {
    app.log.error({ err: error, path: koa.path, requestId: contexts.get(koa.req)?.requestId }, 'failed')
  })
  return provider
}

/** Step-up (RFC 9470): a request with `acr_values=aal2` is answered only after a sign-in with a second factor. */
function stepUp(Check: typeof oidc.interactionPolicy.Check) {
  return new Check('acr_values', 'a sign-in with a second factor is required', ({ oidc: { params, session } }) => {
    const asked = String(params?.['acr_values'] ?? '').split(' ')
    const isEnough = session?.acr === assuranceLevels.two || asked.includes(assuranceLevels.one)
    return asked.includes(assuranceLevels.two) && !isEnough ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
  })
}

/**
 * Whether another program on the user's machine could have sent the request: the client has no secret, and its loopback
 * redirect URI does not identify it (RFC 8252, 8.6).
 */
function isUnassured({ oidc: { client, params } }: KoaContextWithOIDC): boolean {
  const uri = String(params?.['redirect_uri'] ?? client?.redirectUris?.[0] ?? '')
  const isLocal = URL.canParse(uri) && isLoopback(new URL(uri).hostname)
  return client?.clientSecret === undefined && isLocal
}

function askEachTime(Check: typeof oidc.interactionPolicy.Check) {
  return new Check('unassured_client', 'the user has to agree each time', 'consent_required', (koa) =>
    isUnassured(koa) && !koa.oidc.result?.consent ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  )
}

/**
 * The issuer's session for a request, derived from Foyer's session as currently stored in the database. It is never
 * stored, and has no cookie.
 */
async function sessionOf(provider: Provider, koa: KoaContextWithOIDC) {
  const caller = await callerOf(koa)
  const signedIn = caller && {
    uid: caller.session.id,
    jti: caller.session.id,
    accountId: caller.user.id,
    loginTs: Math.floor(caller.session.createdAt.getTime() / 1000),
    amr: methodsOf(caller),
    acr: levelOf(caller),
    authorizations: {},
  }
  // The page that ends a session is also requested without one.
  const isLogout = koa.path.startsWith('/oauth/end-session')
  const payload = signedIn ?? (isLogout ? { accountId: 'nobody' } : undefined)
  const session = Reflect.construct(provider.Session, [payload])
  Object.defineProperty(session, 'destroyed', { value: true })
  if (caller) Object.defineProperty(session, 'sidFor', { value: () => sids.get(koa.req) ?? caller.session.id })
  if (koa.oidc instanceof provider.OIDCContext) koa.oidc.entity('Session', session)
  return session
}

type Parts = { policy: ReturnType<typeof oidc.interactionPolicy.base>; errors: typeof oidc.errors }

function configurationOf(app: App, keys: Jwks, { policy, errors }: Parts): Configuration {
  const { appOrigin, isHttps, tokenAudiences, tokenLifetimeSeconds, mayCallPrivateAddresses } = app.config
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isHttps, overwrite: true } as const
  const prefix = isHttps ? '__Secure-' : ''
  return {
    adapter: openArtifacts(app, errors),
    jwks: { keys },
    acrValues: Object.values(assuranceLevels),
    claims: {
      openid: ['sub', 'sid', 'auth_time', 'amr'],
      profile: ['name', 'picture', 'locale'],
      email: ['email', 'email_verified'],
      organization: ['org', 'entitlements'],
      acr: null,
      auth_time: null,
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: () => true,
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: signingAlgorithm,
      response_types: ['code'],
    },
    // Sign-in libraries read the name from the id_token.
    conformIdTokenClaims: false,
    cookies: {
      keys: [],
      long: cookie,
      short: cookie,
      names: {
        session: `${prefix}foyer.oauth`,
        interaction: `${prefix}foyer.interaction`,
        resume: `${prefix}foyer.resume`,
      },
    },
    discovery: { ui_locales_supported: languages.map(({ code }) => code) },
    enabledJWA: {
      idTokenSigningAlgValues: [signingAlgorithm],
      userinfoSigningAlgValues: [signingAlgorithm],
      introspectionSigningAlgValues: [signingAlgorithm],
      authorizationSigningAlgValues: [signingAlgorithm],
      requestObjectSigningAlgValues: [signingAlgorithm],
    },
    expiresWithSession: () => false,
    extraClientMetadata: { properties: ['first_party'] },
    extraParams: { organization: (koa) => restoreOfflineAccess(koa) },
    extraTokenClaims: (_koa, token) => extraClaims(app, token, errors),
    features: {
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
    },
    fetch(url, options) {
      if (!mayCallPrivateAddresses) return fetch(url, options)
      // Without the dispatcher with which the package blocks private IP addresses.
      const { dispatcher: _wall, ...open } = { dispatcher: undefined, ...options }
      return fetch(url, open)
    },
    findAccount: (koa, id) => findAccount(app, koa, id),
    interactions: { policy, url: (_koa, { uid }) => `/oauth/continue/${uid}` },
    loadExistingGrant: (koa) => loadGrant(app, koa, errors),
    pkce: { required: () => true },
    renderError: (koa, out) => {
      koa.type = 'html'
      koa.body = out
    },
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes: {
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
    },
    scopes: [...grantScopes],
    ttl: {
      AccessToken: tokenLifetimeSeconds,
      AuthorizationCode: lifetimes.authorizationCode,
      ClientCredentials: tokenLifetimeSeconds,
      DeviceCode: lifetimes.deviceCode,
      Grant: lifetimes.grant,
      IdToken: lifetimes.idToken,
      Interaction: lifetimes.interaction,
      RefreshToken: lifetimes.refreshToken,
      Session: lifetimes.grant,
    },
  }
}

type IssuerClient = NonNullable<KoaContextWithOIDC['oidc']['client']>

function isFirstParty(client: IssuerClient | undefined): boolean {
  return client?.['firstParty'] === true || client?.metadata()['first_party'] === true
}

/**
 * Whether a client acts on behalf of users. Other clients get tokens for themselves, which give no access to user data.
 */
function hasUsers(client: IssuerClient): boolean {
  return (client.grantTypes ?? []).some((type) => type !== 'client_credentials')
}

/** The user of a grant. In a browser this must be the user who is signed in now. */
async function findAccount(app: App, koa: KoaContextWithOIDC, id: string): Promise<Account | undefined> {
  const { route } = koa.oidc
  const caller = route === 'authorization' || route === 'resume' ? await callerOf(koa) : undefined
  if ((route === 'authorization' || route === 'resume') && caller?.user.id !== id) return undefined
  const row = await app.db.user.findUnique({ where: { id } })
  if (!row || isBanned(row, app.clock())) return undefined
  const user = FullUser.parse(row)
  return {
    accountId: id,
    async claims(_use, scope) {
      const { AccessToken, AuthorizationCode, RefreshToken } = koa.oidc.entities
      const token = AccessToken ?? AuthorizationCode ?? RefreshToken
      const found = await findSubject(app, token?.sessionUid, token?.grantId)
      if (!found) return { sub: id, ...profileClaims(user) }
      const { sid, subject } = found
      if (!scope.split(' ').includes('organization')) return { sub: id, ...profileClaims(user), sid }
      const claims = await findClaims(app, subject)
      return { sub: id, ...(isFirstParty(koa.oidc.client) ? claims : withoutOwnFields(claims)), sid }
    },
  }
}

/** Claims of an access token for a back end (RFC 9068, 2.2), the same as in tokens issued to a session. */
async function extraClaims(
  app: App,
  token: object,
  errors: Parts['errors'],
): Promise<Record<string, unknown> | undefined> {
  if (!('accountId' in token) || !('aud' in token) || typeof token.aud !== 'string') return undefined
  const sessionId = 'sessionUid' in token && typeof token.sessionUid === 'string' ? token.sessionUid : undefined
  const grantId = 'grantId' in token && typeof token.grantId === 'string' ? token.grantId : undefined
  const found = await findSubject(app, sessionId, grantId)
  if (!found) throw new errors.InvalidGrant('the session has ended')
  // Foyer's own API accepts a token as long as this grant exists.
  const ownGrant = token.aud === app.config.appOrigin && grantId !== undefined && { gid: grantRow(grantId) }
  return allowedClaims({ ...(await findClaims(app, found.subject)), sid: found.sid, ...ownGrant }, token)
}

/**
 * The user and session that a grant's claims are about. They count as having a second factor only if both the grant and
 * the session do.
 */
async function findSubject(
  app: App,
  sessionId: string | undefined,
  grantId: string | undefined,
): Promise<{ subject: Subject; sid: string } | undefined> {
  const found = sessionId === undefined ? undefined : await findSessionById(app.pool, sessionId)
  if (!found) return undefined
  const { organizationId, sid = found.session.id, isStrong: wasStrong } = await findGrant(app, grantId ?? '')
  const isWeaker = isStrong(found) && !wasStrong
  // A passkey counts as two factors, and is also stored as the sign-in method.
  const { method, secondFactor, ...rest } = found
  const strength = isWeaker
    ? { method: method === 'passkey' ? undefined : method, secondFactor: null }
    : { method, secondFactor }
  return { sid, subject: { ...rest, ...strength, ...(organizationId !== null && { organizationId }) } }
}

/** Claims that a third party gets only with the scope that its user has allowed. */
const claimScopes: Record<string, string> = {
  email: 'email',
  email_verified: 'email',
  name: 'profile',
  picture: 'profile',
  locale: 'profile',
  org: 'organization',
  entitlements: 'organization',
}

/** The operator's own applications get all claims. Third parties get those their user has consented to. */
function allowedClaims(claims: Record<string, unknown>, token: object): Record<string, unknown> {
  const client = 'client' in token ? token.client : undefined
  if (isFirstParty(client as IssuerClient | undefined)) return claims
  const scopes = 'scope' in token && typeof token.scope === 'string' ? token.scope.split(' ') : []
  return Object.fromEntries(
    Object.entries(withoutOwnFields(claims)).filter(
      ([name]) => claimScopes[name] === undefined || scopes.includes(claimScopes[name]),
    ),
  )
}

/**
 * Custom fields of users and organizations are only for the operator's own applications, because no consent covers
 * them.
 */
function withoutOwnFields({ metadata: _own, org, ...others }: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(org)) return others
  const { metadata: _ofOrganization, ...shown } = org
  return { ...others, org: shown }
}

/**
 * The organization that a request names, by slug or id. Null if it names none, undefined if the user is not a member of
 * it.
 */
export async function chosenOrganization(app: App, named: unknown, userId: string): Promise<string | null | undefined> {
  if (named === undefined) return null
  if (typeof named !== 'string' || named === '' || named.includes('\0')) return undefined
  const organizationId = await findOrganizationId(app.db, named)
  if (organizationId === undefined) return undefined
  const where = { organizationId_userId: { organizationId, userId } }
  const member = await app.db.member.findUnique({ where, select: { organizationId: true } })
  return member?.organizationId
}

/** The permissions that a request asks for: scopes, and those of each resource. */
export type Wanted = { scopes: string[]; resources: string[] }

/** Adds the requested permissions to a grant. Returns false if it already had them. */
export function extendGrant(grant: Grant, { scopes, resources }: Wanted): boolean {
  const before = JSON.stringify([grant.openid, grant.resources])
  grant.addOIDCScope(scopes.join(' '))
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '))
  return JSON.stringify([grant.openid, grant.resources]) !== before
}

/**
 * The grant of this session for the client. Created without a question if the user has consented before, or no consent
 * is needed.
 */
async function loadGrant(app: App, koa: KoaContextWithOIDC, errors: Parts['errors']): Promise<Grant | undefined> {
  const { client, result, params = {}, provider } = koa.oidc
  const caller = await callerOf(koa)
  if (!caller || !client) return undefined
  const { Grant } = provider
  const userId = caller.user.id
  const organizationId = await chosenOrganization(app, params['organization'], userId)
  if (organizationId === undefined) throw new errors.AccessDenied('not a member of the organization')
  const { id: sessionId } = caller.session
  const owner = { userId, sessionId, clientId: client.clientId, organizationId, isStrong: isStrong(caller) }
  const grantId = result?.consent?.grantId ?? (await findGrantId(app, owner))
  const grant = grantId === undefined ? undefined : await Grant.find(grantId)
  const { sid } = grantId === undefined ? {} : await findGrant(app, grantId)
  if (sid !== undefined) sids.set(koa.req, sid)
  const wanted = { scopes: [...koa.oidc.requestParamScopes], resources: Object.keys(koa.oidc.resourceServers ?? {}) }
  const needsNoQuestion = !isUnassured(koa) && (isFirstParty(client) || (await hasConsented(app.db, owner, wanted)))
  const ctx = contexts.get(koa.req)
  if (!needsNoQuestion || !ctx) return grant
  return makeGrant(ctx, provider, { grant, owner, wanted })
}

/** Creates or extends a grant of a session, and records the application as connected. */
export async function makeGrant(
  ctx: Context,
  provider: Provider,
  { grant, owner, wanted }: { grant?: Grant | undefined; owner: GrantOwner; wanted: Wanted },
): Promise<Grant> {
  const { userId: accountId, clientId } = owner
  const made = grant ?? new provider.Grant({ accountId, clientId })
  const isChanged = extendGrant(made, wanted)
  if (!grant || isChanged) await bindGrant(ctx, await made.save(), owner)
  if (await recordConsent(ctx.db, owner, { ...wanted, now: ctx.now })) {
    const client = await provider.Client.find(clientId)
    const data = { clientId, name: client?.clientName ?? clientId }
    await record(ctx.db, ctx, { type: 'user.app_connected', actorId: accountId, data })
  }
  return made
}

/**
 * The package drops `offline_access` from requests without `prompt=consent` (OpenID Connect Core 1.0, 11). The
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

/**
 * Leads to the page that asks whether to sign out, which then redirects to the application's URL. A link alone signs no
 * user out.
 */
async function askToSignOut(app: App, koa: KoaContextWithOIDC): Promise<void> {
  const { state } = koa.oidc.session ?? {}
  const uri = state?.['postLogoutRedirectUri']
  const given = state?.['state']
  const target =
    typeof uri === 'string' ? withQuery(uri, typeof given === 'string' ? { state: given } : {}) : '/sign-in'
  const done = `/oauth/end-session/done?to=${Buffer.from(target).toString('base64url')}&signature=${signTarget(app, target)}`
  koa.redirect((await callerOf(koa)) ? `/sign-out?next=${encodeURIComponent(done)}` : target)
}

/** Signs a validated target, so that it can be passed through the browser. */
export function signTarget({ keys }: Pick<App, 'keys'>, target: string): string {
  return sign(keys.links, `logout:${target}`)
}

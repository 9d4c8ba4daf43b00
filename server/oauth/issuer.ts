import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type * as oidc from 'oidc-provider'
import type { App } from '../dependencies.ts'
import { assuranceLevels } from '../factor/assurance.ts'
import { sha256 } from '../foundation/crypto.ts'
import { acrOf, amrOf } from './claims.ts'
import { sids } from './grant-access.ts'
import { respondToIntrospection } from './introspect-token.ts'
import { configurationOf, type Jwks } from './issuer-config.ts'
import { loadOidcProvider } from './load-oidc-provider.ts'
import { callerOf, contexts, isPublicLoopbackClient } from './read-issuer-caller.ts'

/** The OpenID issuer of an installation. It is created again when its keys change. */
type Issuer = { provider: () => Promise<Provider> }

/** Keyed by the signing keys, which a request's context shares with its application. */
const issuers = new WeakMap<App['signingKeys'], Issuer>()

export function issuerOf(app: App): Issuer {
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
        current = { id, provider: createProvider(app, jwks, await loadOidcProvider()) }
      }
      return current.provider
    },
  }
  issuers.set(app.signingKeys, issuer)
  return issuer
}

function createProvider(app: App, keys: Jwks, { Provider, errors, interactionPolicy }: typeof oidc): Provider {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.remove('native_client_prompt')
  policy.get('consent')?.checks.add(requiresConsentEachTime(interactionPolicy.Check))
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
  provider.use(async (koa, next) => {
    await next()
    await respondToIntrospection(app, koa)
  })
  provider.on('server_error', (koa, error) => {
    app.log.error({ err: error, path: koa.path, requestId: contexts.get(koa.req)?.requestId }, 'request failed')
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

function requiresConsentEachTime(Check: typeof oidc.interactionPolicy.Check) {
  return new Check('public_loopback_client', 'the user has to agree each time', 'consent_required', (koa) =>
    isPublicLoopbackClient(koa) && !koa.oidc.result?.consent ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
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
    amr: amrOf(caller),
    acr: acrOf(caller),
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

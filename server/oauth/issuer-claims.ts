import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import { FullUser } from '../../shared/account.ts'
import type { App } from '../dependencies.ts'
import { sessionHasSecondFactor } from '../factor/assurance.ts'
import { isRecord } from '../foundation/records.ts'
import { findSessionById, isBanned } from '../session/session-rows.ts'
import { findGrant, grantRowId } from './artifact-store.ts'
import { findClaims, profileClaims, type Subject } from './claims.ts'
import type { IssuerErrors } from './load-oidc-provider.ts'
import { callerOf, isFirstParty, type IssuerClient } from './read-issuer-caller.ts'

/** The user of a grant. In a browser this must be the user who is signed in now. */
export async function findAccount(
  app: App,
  koa: KoaContextWithOIDC,
  { id, errors }: { id: string; errors: IssuerErrors },
): Promise<Account | undefined> {
  const { route, client, entities } = koa.oidc
  // The redirect URI was removed after the code had been sent to it.
  const sentTo = entities.AuthorizationCode?.redirectUri
  if (sentTo !== undefined && !client?.redirectUriAllowed(sentTo)) return undefined
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
      // The session or the grant has ended since the request began.
      const hasEnded = !found && token?.sessionUid !== undefined
      if (hasEnded) throw route === 'userinfo' ? new errors.InvalidToken('ended') : new errors.InvalidGrant('ended')
      if (!found) return { sub: id, ...profileClaims(user) }
      const { sid, subject } = found
      if (!scope.split(' ').includes('organization')) return { sub: id, ...profileClaims(user), sid }
      const claims = await findClaims(app, subject)
      return { sub: id, ...(isFirstParty(koa.oidc.client) ? claims : withoutMetadata(claims)), sid }
    },
  }
}

/**
 * Refuses a refresh that can give no token for its API, before the refresh token is used up: it stays valid for others.
 * The grant may have lost the API, and one token is for one API.
 */
export function refuseRefreshWithoutResource(koa: KoaContextWithOIDC, errors: IssuerErrors): void {
  const { entities, params, requestParamScopes } = koa.oidc
  const { RefreshToken, Grant } = entities
  const apis = [params?.['resource'] ?? RefreshToken?.resource ?? []].flat()
  if (!RefreshToken?.scope || !Grant || apis.length === 0) return
  const scopes = params?.['scope'] === undefined ? RefreshToken.scopes : requestParamScopes
  const [api] = apis
  const isPossible =
    apis.length === 1 &&
    typeof api === 'string' &&
    RefreshToken.resourceIndicators.has(api) &&
    Grant.getResourceScopeFiltered(api, scopes) !== ''
  if (!isPossible) throw new errors.InvalidTarget('no access to this API')
}

/** Claims of an access token for a back end (RFC 9068, 2.2), the same as in tokens issued to a session. */
export async function extraClaims(
  app: App,
  koa: KoaContextWithOIDC,
  { token, errors }: { token: object; errors: IssuerErrors },
): Promise<Record<string, unknown> | undefined> {
  if (!('accountId' in token) || !('aud' in token) || typeof token.aud !== 'string') return undefined
  const { AuthorizationCode, DeviceCode, RefreshToken } = koa.oidc.entities
  const issuedFor = AuthorizationCode ?? DeviceCode ?? RefreshToken
  // oidc-provider takes the API from what was issued before, and only its scopes from the grant, which may have lost
  // it.
  const hasLostResource = Boolean(issuedFor?.scope) && !('scope' in token && token.scope)
  if (hasLostResource) throw new errors.InvalidGrant('the access to this API has ended')
  const sessionId = 'sessionUid' in token && typeof token.sessionUid === 'string' ? token.sessionUid : undefined
  const grantId = 'grantId' in token && typeof token.grantId === 'string' ? token.grantId : undefined
  const found = await findSubject(app, sessionId, grantId)
  if (!found) throw new errors.InvalidGrant('the session has ended')
  // Foyer's own API accepts a token, and introspection calls it active, as long as this grant exists.
  const grant = grantId !== undefined && { gid: grantRowId(grantId) }
  return allowedClaims({ ...(await findClaims(app, found.subject)), sid: found.sid, ...grant }, token)
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
  const grant = await findGrant(app, grantId ?? '')
  if (!grant) return undefined
  const { organizationId, sid = found.session.id, createdWithSecondFactor } = grant
  const isWeaker = sessionHasSecondFactor(found) && !createdWithSecondFactor
  // A passkey counts as two factors, and is also stored as the sign-in method.
  const { method, secondFactor, ...rest } = found
  const assurance = isWeaker
    ? { method: method === 'passkey' ? undefined : method, secondFactor: null }
    : { method, secondFactor }
  return { sid, subject: { ...rest, ...assurance, ...(organizationId !== null && { organizationId }) } }
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
    Object.entries(withoutMetadata(claims)).filter(
      ([name]) => claimScopes[name] === undefined || scopes.includes(claimScopes[name]),
    ),
  )
}

/**
 * Metadata of users and organizations is only for the operator's own applications, because no consent covers it.
 */
function withoutMetadata({ metadata: _own, org, ...others }: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(org)) return others
  const { metadata: _ofOrganization, ...shown } = org
  return { ...others, org: shown }
}

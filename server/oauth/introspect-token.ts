import type { KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../dependencies.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { isRecord } from '../foundation/records.ts'
import { findSessionOfGrant, isCurrent } from '../session/session-rows.ts'
import { readAccessToken } from '../token/access-tokens.ts'
import { contexts } from './read-issuer-caller.ts'

/** What oidc-provider has decided about a request. It has no `oidc` if no endpoint of the issuer was called. */
type IssuerResponse = Pick<KoaContextWithOIDC, 'body' | 'status' | 'req' | 'set'> & {
  oidc?: KoaContextWithOIDC['oidc']
}

/** The answer to the introspection of a token (RFC 7662, 2.2). */
type Introspection = { active: false } | ({ active: true; token_type: 'Bearer' } & Record<string, unknown>)

/**
 * Answers the introspection of a JWT access token, which oidc-provider refuses with `unsupported_token_type` after it
 * has authenticated the client. Other answers of oidc-provider are left as they are.
 */
export async function respondToIntrospection(app: App, koa: IssuerResponse): Promise<void> {
  const { body, oidc } = koa
  if (oidc?.route !== 'introspection' || !isRecord(body) || body['error'] !== 'unsupported_token_type') return
  const { client, params } = oidc
  const token = params?.['token']
  if (!client || typeof token !== 'string') return
  try {
    koa.body = await introspectToken(app, { token, clientId: client.clientId })
    koa.status = 200
  } catch (error) {
    // oidc-provider's own handler has already finished.
    app.log.error(
      { err: error, path: '/oauth/introspect', requestId: contexts.get(koa.req)?.requestId },
      'request failed',
    )
    const isTemporary = isUnavailable(error)
    if (isTemporary) koa.set('Retry-After', '5')
    koa.body = { error: isTemporary ? 'temporarily_unavailable' : 'server_error' }
    koa.status = isTemporary ? 503 : 500
  }
}

/** As for other tokens, a client learns about its own tokens only, and only while their session and grant exist. */
async function introspectToken(
  app: App,
  { token, clientId }: { token: string; clientId: string },
): Promise<Introspection> {
  const now = app.clock()
  const claims = await readAccessToken(app.signingKeys, token, { issuer: app.config.appOrigin, now })
  if (claims?.['client_id'] !== clientId || !(await isGranted(app, claims, now))) return { active: false }
  return { ...claims, active: true, token_type: 'Bearer' }
}

/**
 * Whether the grant that a token was issued for still exists, in a session that has not ended. A token without a user
 * has no grant: it is valid until it expires.
 */
async function isGranted(app: App, claims: Record<string, unknown>, now: Date): Promise<boolean> {
  const { sub, client_id: clientId, gid } = claims
  if (typeof sub !== 'string' || typeof clientId !== 'string') return false
  if (sub === clientId) return true
  if (typeof gid !== 'string') return false
  const found = await findSessionOfGrant(app.pool, { grantRowId: gid, clientId, userId: sub })
  return found !== undefined && isCurrent(found, now)
}

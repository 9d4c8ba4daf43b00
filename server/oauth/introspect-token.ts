import type { KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../dependencies.ts'
import { isRecord } from '../foundation/records.ts'
import { findSessionOfGrant, findSessionOfSid, isCurrent } from '../session/session-rows.ts'
import { readAccessToken } from '../token/access-tokens.ts'

/** What the package has decided about a request. It has no `oidc` if no endpoint of the issuer was called. */
type IssuerResponse = { body: unknown; status: number; oidc?: KoaContextWithOIDC['oidc'] }

/** The answer to the introspection of a token (RFC 7662, 2.2). */
type Introspection = { active: false } | ({ active: true; token_type: 'Bearer' } & Record<string, unknown>)

/**
 * Answers the introspection of a JWT access token, which the package refuses with `unsupported_token_type` after it has
 * authenticated the client. Other answers of the package are left as they are.
 */
export async function answerIntrospection(app: App, koa: IssuerResponse): Promise<void> {
  const { body, oidc } = koa
  if (oidc?.route !== 'introspection' || !isRecord(body) || body['error'] !== 'unsupported_token_type') return
  const { client, params } = oidc
  const token = params?.['token']
  if (!client || typeof token !== 'string') return
  koa.status = 200
  koa.body = await introspectToken(app, { token, clientId: client.clientId })
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
 * Whether the session that a token was issued in still exists, and still has a grant for the client. A token without a
 * user has no session: it is valid until it expires.
 */
async function isGranted(app: App, claims: Record<string, unknown>, now: Date): Promise<boolean> {
  const { sub, client_id: clientId, sid, gid } = claims
  if (typeof sub !== 'string' || typeof clientId !== 'string') return false
  if (sub === clientId) return true
  const owner = { clientId, userId: sub }
  const found =
    typeof gid === 'string'
      ? await findSessionOfGrant(app.pool, { row: gid, ...owner })
      : await findSessionOfSid(app.pool, { sid: String(sid), ...owner })
  return found !== undefined && isCurrent(found, now)
}

import type { IncomingHttpHeaders } from 'node:http'
import type { CurrentSession } from '../../shared/session.ts'
import type { App } from '../dependencies.ts'
import { assuranceLevels } from '../factor/assurance.ts'
import { isRecord } from '../foundation/records.ts'
import { daysAfter } from '../foundation/time.ts'
import { findSessionOfGrant, isBanned, isCurrent } from '../session/session-rows.ts'
import { verifyAccessToken } from '../token/access-tokens.ts'
import { findApiKey, keyPrefix, recordUse } from '../token/api-keys.ts'

/** A credential in a header: an access token of the issuer, or an API key. */
export type Credential = { kind: 'access_token' | 'api_key'; value: string }

/** The result of checking a credential. */
export type VerifiedCredential =
  | { kind: 'access_token'; id: string }
  | {
      kind: 'api_key'
      id: string
      /** The only organization that the key may be used for. */
      organizationId: string | null
      /** Whether the key was created in a session with a second factor. */
      createdWithSecondFactor: boolean
      /** Resources and actions that the key is limited to. */
      permissions: Record<string, unknown> | null
      rateLimit: { max: number; seconds: number } | undefined
    }

/** Reads the credential of a request (RFC 6750, 2.1; `x-api-key` as in the API key plugin of better-auth). */
export function readCredential(headers: IncomingHttpHeaders): Credential | undefined {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key !== '') return { kind: 'api_key', value: key }
  const [, value] = /^bearer +([\w.~+/=-]+) *$/i.exec(headers.authorization ?? '') ?? []
  if (value === undefined) return undefined
  return { kind: value.startsWith(keyPrefix) || !value.includes('.') ? 'api_key' : 'access_token', value }
}

/** The caller identified by a credential. */
type BearerCaller = CurrentSession & {
  sessionToken: string
  remembered: boolean
  method?: string
  secondFactor?: string | null
  verifiedCredential: VerifiedCredential
}

/**
 * The user that a credential belongs to. Undefined if the credential is unknown or has expired, or its session has
 * ended.
 */
export async function readBearer(app: App, credential: Credential, now: Date): Promise<BearerCaller | undefined> {
  return credential.kind === 'api_key' ? readApiKey(app, credential.value, now) : readToken(app, credential.value, now)
}

async function readToken(app: App, token: string, now: Date): Promise<BearerCaller | undefined> {
  const claims = await verifyAccessToken(app.signingKeys, token, { issuer: app.config.appOrigin, now })
  if (!claims) return undefined
  const { gid: grantRowId, client_id: clientId, sub: userId } = claims
  // A token without its grant, for example after the application was removed, is invalid here.
  const found = await findSessionOfGrant(app.pool, { grantRowId, clientId, userId })
  if (!found || !isCurrent(found, now)) return undefined
  return {
    ...found,
    // The session may have received its second factor after the grant that the token came from.
    secondFactor: claims.acr === assuranceLevels.two ? found.secondFactor : null,
    sessionToken: '',
    verifiedCredential: { kind: 'access_token', id: `${clientId}:${grantRowId}` },
  }
}

async function readApiKey({ db, pool }: App, value: string, now: Date): Promise<BearerCaller | undefined> {
  const found = await findApiKey(pool, value, now)
  if (!found || isBanned(found.ban, now)) return undefined
  const { key, user } = found
  await recordUse(db, found, now)
  // An API key has no real session, and never a fresh one: it may not do what a user has to confirm.
  const session = {
    id: key.id,
    token: '',
    userId: user.id,
    expiresAt: key.expiresAt ?? daysAfter(now, 1),
    createdAt: new Date(0),
    updatedAt: key.updatedAt,
    ipAddress: '',
    userAgent: '',
    activeOrganizationId: key.organizationId,
  }
  const { organizationId, permissions, rateLimitMax, rateLimitWindowMs } = key
  const rateLimit = key.isRateLimited ? { max: rateLimitMax, seconds: Math.ceil(rateLimitWindowMs / 1000) } : undefined
  const limited = {
    createdWithSecondFactor: key.createdWithSecondFactor,
    organizationId,
    permissions: isRecord(permissions) ? permissions : null,
    rateLimit,
  }
  return {
    user,
    session,
    sessionToken: '',
    remembered: false,
    verifiedCredential: { kind: 'api_key', id: key.id, ...limited },
  }
}

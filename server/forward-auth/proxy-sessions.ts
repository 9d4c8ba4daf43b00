import type { Pool } from 'pg'
import { verifySignature, type Keys, newSecret, sha256, sign } from '../foundation/crypto.ts'
import type { Db } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { secondsAfter } from '../foundation/time.ts'
import { identifierOf, storeVerification, consumeVerification } from '../foundation/verifications.ts'
import { findSessionByHashPrefix, type FoundSession, isCurrent } from '../session/session-rows.ts'

/**
 * Cookie of a protected host that identifies the user who was signed in to Foyer in this browser. It is not a Foyer
 * session.
 */
export const proxySessionCookie = '__Host-foyer.pass'
/** Cookie of a protected host that identifies the browser which requested a proxy session. */
export const requestCookie = '__Host-foyer.pass_request'

/** Lifetime of a code in seconds. A redirect takes less. */
const codeSeconds = 60
/** Seconds after which a proxy session is renewed, through redirects without interaction. */
export const proxySessionSeconds = 86_400
/** Maximum seconds between a browser's request for a proxy session and its code, including sign-in. */
export const requestSeconds = 3_600

/** Attributes of both cookies. */
export const cookieAttributes = 'Path=/; HttpOnly; SameSite=Lax; Secure'

/**
 * A code can be exchanged for a proxy session for this Foyer session, on one origin, in the browser that knows the
 * secret behind the challenge.
 */
export type Code = {
  origin: string
  sessionId: string
  /** Identifies the session token at that time: a proxy session ends when the token changes (see `hashPrefixOf`). */
  tokenHashPrefix: string
  userId: string
  challenge: string
  path: string
  remembered: boolean
}

/** Stores the hash of a new code. */
export async function createCode(db: Db, { userId, tokenHashPrefix, ...code }: Code, now: Date): Promise<string> {
  const secret = newSecret()
  await storeVerification(db, {
    identifier: identifierOf('forward-auth', secret),
    // The stored name, which processes of earlier versions read.
    value: JSON.stringify({ ...code, mark: tokenHashPrefix }),
    userId,
    expiresAt: secondsAfter(now, codeSeconds),
    now,
  })
  return secret
}

/** Consumes a code. A second request finds none. */
export async function consumeCode(db: Db, secret: string, now: Date): Promise<Omit<Code, 'userId'> | undefined> {
  const taken = await consumeVerification(db, identifierOf('forward-auth', secret), now)
  const value: unknown = taken && JSON.parse(taken.value)
  if (!isRecord(value)) return undefined
  const { origin, sessionId, mark: tokenHashPrefix, challenge, path, remembered } = value
  // A code created by a process of an earlier version.
  if (typeof tokenHashPrefix !== 'string') return undefined
  const texts = {
    origin: String(origin),
    sessionId: String(sessionId),
    tokenHashPrefix,
    challenge: String(challenge),
    path: String(path),
  }
  return { ...texts, remembered: remembered === true }
}

/**
 * The part of the session token's hash that a proxy session contains. When the token is renewed, because of a second
 * factor or a new password, proxy sessions obtained with a copy of the former cookie become invalid.
 */
export function hashPrefixOf(sessionToken: string): string {
  return sha256(sessionToken).slice(0, 16)
}

/** Writes a proxy session for an origin: `session.tokenHashPrefix.until.signature`. */
export function createProxySession(
  { cookies }: Keys,
  session: { origin: string; sessionId: string; tokenHashPrefix: string; now: Date },
): string {
  const until = Math.floor(session.now.getTime() / 1000) + proxySessionSeconds
  const content = `${session.sessionId}.${session.tokenHashPrefix}.${until}`
  return `${content}.${sign(cookies, `pass:${session.origin}:${content}`)}`
}

type Deps = { keys: Keys; pool: Pool; now: Date }

/** The Foyer session that a proxy session for this origin refers to. Undefined once it has ended. */
export async function findSessionByCookie(
  { keys, pool, now }: Deps,
  cookie: string | undefined,
  origin: string,
): Promise<FoundSession | undefined> {
  const [, sessionId = '', tokenHashPrefix = '', until = '', signature = ''] =
    /^([\w-]{1,64})\.([\w-]{16})\.(\d{1,12})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (signature === '' || Number(until) * 1000 <= now.getTime()) return undefined
  if (!verifySignature(keys.cookies, `pass:${origin}:${sessionId}.${tokenHashPrefix}.${until}`, signature))
    return undefined
  const found = await findSessionByHashPrefix(pool, sessionId, tokenHashPrefix)
  return found && isCurrent(found, now) ? found : undefined
}

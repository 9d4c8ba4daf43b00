import { CurrentSession } from '../../shared/session.ts'
import { verifySignature, sign, type KeyList } from '../foundation/crypto.ts'

/** The session token that a cached session is bound to, and the signing keys. */
type Binding = { keys: KeyList; sessionToken: string }

/**
 * Encodes the response of get-session for a browser cookie: `until.answer.signature`. The signature also covers the
 * session token, so the value is invalid together with another session's cookie (SEC-64).
 */
export function writeCache(text: string, until: Date, { keys, sessionToken }: Binding): string {
  const content = `${until.getTime().toString(36)}.${Buffer.from(text).toString('base64url')}`
  return `${content}.${sign(keys, `${content}.${sessionToken}`)}`
}

/** Returns the cached response as JSON text, unless it was altered, has expired or belongs to another session. */
export function readCache(text: string | undefined, now: Date, { keys, sessionToken }: Binding): string | undefined {
  const [until = '', body = '', signature = '', ...more] = text?.split('.') ?? []
  if (signature === '' || more.length > 0 || Number.parseInt(until, 36) <= now.getTime()) return undefined
  if (!verifySignature(keys, `${until}.${body}.${sessionToken}`, signature)) return undefined
  return Buffer.from(body, 'base64url').toString('utf8')
}

/** Serializes session and user only, without any other properties of the object. */
export function currentSessionJson({ session, user }: CurrentSession): string {
  return JSON.stringify({ session, user })
}

/** Parses the cached response. */
export function parseCache(json: string): CurrentSession {
  return CurrentSession.parse(JSON.parse(json))
}

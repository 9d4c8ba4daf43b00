import { CurrentSession } from '../../shared/session.ts'
import { isSignature, sign, type KeyList } from '../foundation/crypto.ts'

/** Where the cached session stands: who may read it, and until when. */
type Binding = { keys: KeyList; sessionToken: string }

/**
 * The answer of get-session as a text for the browser to keep: `until.answer.signature`. The signature covers the session's
 * token too, so the text is worth nothing beside another session's cookie (SEC-64).
 */
export function writeCache(text: string, until: Date, { keys, sessionToken }: Binding): string {
  const content = `${until.getTime().toString(36)}.${Buffer.from(text).toString('base64url')}`
  return `${content}.${sign(keys, `${content}.${sessionToken}`)}`
}

/** The cached answer as JSON text, unless it was altered, belongs to another session or its time is over. */
export function readCache(text: string | undefined, now: Date, { keys, sessionToken }: Binding): string | undefined {
  const [until = '', body = '', signature = '', ...more] = text?.split('.') ?? []
  if (signature === '' || more.length > 0 || Number.parseInt(until, 36) <= now.getTime()) return undefined
  if (!isSignature(keys, `${until}.${body}.${sessionToken}`, signature)) return undefined
  return Buffer.from(body, 'base64url').toString('utf8')
}

/** Session and user as JSON, and nothing that may stand beside them in memory. */
export function writeCurrent({ session, user }: CurrentSession): string {
  return JSON.stringify({ session, user })
}

/** The cached answer as values. */
export function parseCache(json: string): CurrentSession {
  return CurrentSession.parse(JSON.parse(json))
}

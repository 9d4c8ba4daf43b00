import type { Pool } from 'pg'
import { isSignature, type Keys, newId, newSecret, sha256, sign } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { findMarkedSession, isBanned, type FoundSession } from '../session/sessions.ts'

/** Cookie of a protected host: who was signed in at Foyer in this browser. It is no session of Foyer. */
export const passCookie = '__Host-foyer.pass'
/** Cookie of a protected host: the browser that asked for a pass. */
export const requestCookie = '__Host-foyer.pass_request'

/** Seconds that a code is good for: a redirect needs less. */
const codeSeconds = 60
/** Seconds after which a pass is made anew, by redirects that nobody sees. */
export const passSeconds = 86_400
/** Seconds that a browser may take from the request for a pass to its code, the sign-in included. */
export const requestSeconds = 3_600

/** Attributes of both cookies. */
export const cookieAttributes = 'Path=/; HttpOnly; SameSite=Lax; Secure'

/** What a code is exchanged for: a pass of this session, on one origin, in the browser that knows the secret behind the challenge. */
export type Code = {
  origin: string
  sessionId: string
  /** The token of the session as it was: a pass ends with it (see `markOf`). */
  mark: string
  userId: string
  challenge: string
  path: string
  remembered: boolean
}

/** Stores a code, by its hash. */
export async function createCode(tx: Tx, { userId, ...code }: Code, now: Date): Promise<string> {
  const secret = newSecret()
  await tx.verification.create({
    data: {
      id: newId(),
      identifier: `forward-auth:${sha256(secret)}`,
      value: JSON.stringify(code),
      userId,
      expiresAt: new Date(now.getTime() + codeSeconds * 1000),
      createdAt: now,
    },
  })
  return secret
}

/** Takes a code: whoever comes second finds none. */
export async function takeCode(tx: Tx, secret: string, now: Date): Promise<Omit<Code, 'userId'> | undefined> {
  const rows = await tx.$queryRaw<{ value: string }[]>`
    delete from "Verification" where identifier = ${`forward-auth:${sha256(secret)}`} and "expiresAt" > ${now} returning value`
  const value: unknown = rows[0] ? JSON.parse(rows[0].value) : undefined
  if (!isRecord(value)) return undefined
  const { origin, sessionId, mark, challenge, path, remembered } = value
  // One that a process of an earlier version has made.
  if (typeof mark !== 'string') return undefined
  const texts = {
    origin: String(origin),
    sessionId: String(sessionId),
    mark,
    challenge: String(challenge),
    path: String(path),
  }
  return { ...texts, remembered: remembered === true }
}

/**
 * What a pass keeps of the token of its session: the start of its hash. A token that is renewed, because of a second factor or a new
 * password, ends the passes that a copy of the former cookie has made.
 */
export function markOf(sessionToken: string): string {
  return sha256(sessionToken).slice(0, 16)
}

/** Writes a pass for an origin: `session.mark.until.signature`. */
export function writePass(
  { cookies }: Keys,
  pass: { origin: string; sessionId: string; mark: string; now: Date },
): string {
  const until = Math.floor(pass.now.getTime() / 1000) + passSeconds
  const content = `${pass.sessionId}.${pass.mark}.${until}`
  return `${content}.${sign(cookies, `pass:${pass.origin}:${content}`)}`
}

type Deps = { keys: Keys; pool: Pool; now: Date }

/** The session behind a pass for this origin, as long as it lives. */
export async function findByPass(
  { keys, pool, now }: Deps,
  pass: string | undefined,
  origin: string,
): Promise<FoundSession | undefined> {
  const [, sessionId = '', mark = '', until = '', signature = ''] =
    /^([\w-]{1,64})\.([\w-]{16})\.(\d{1,12})\.([\w-]{43})$/.exec(pass ?? '') ?? []
  if (signature === '' || Number(until) * 1000 <= now.getTime()) return undefined
  if (!isSignature(keys.cookies, `pass:${origin}:${sessionId}.${mark}.${until}`, signature)) return undefined
  const found = await findMarkedSession(pool, sessionId, mark)
  return found && found.session.expiresAt > now && !isBanned(found.ban, now) ? found : undefined
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from './config.ts'
import { openCookies, type Cookies } from './foundation/cookies.ts'
import { newId, type Keys } from './foundation/crypto.ts'
import { isUnavailable, type Database } from './foundation/db.ts'
import type { Hasher } from './foundation/argon2.ts'
import type { Log } from './foundation/log.ts'
import type { Limiter } from './foundation/limits.ts'
import type { Outbox } from './foundation/mail.ts'
import { parseCache } from './session/cookie-cache.ts'
import {
  clearSessionCookies,
  readCachedAnswer,
  readSecret,
  setSessionCookies,
  wantsNoMemory,
} from './session/session-cookies.ts'
import { extendSession, findSession, isRefreshDue, removeExpired } from './session/sessions.ts'
import { preferredLanguage, type Language } from '../shared/language.ts'
import type { FullUser } from '../shared/account.ts'
import { CurrentSession, type Session } from '../shared/session.ts'

/** What the whole application is made of; put together once in main.ts, and once for each test world. */
export type App = {
  config: Config
  keys: Keys
  db: Database['prisma']
  pool: Database['pool']
  log: Log
  hasher: Hasher
  limiter: Limiter
  outbox: Outbox
  /** The one clock: a test travels in time by giving another. */
  clock: () => Date
}

/** Who asks, from where and when: the same for every procedure and link of one request. */
export type Context = App & {
  now: Date
  requestId: string
  /** The client's address as the session records it; empty when unknown. */
  ipAddress: string
  /** What limits count for: IPv6 by its /64 network, IPv4 as it is (SEC-26). */
  address: string
  /** As the session will show it; at most 512 characters. */
  userAgent: string
  language: Language
  cookies: Cookies
  /** Which page sent the call: its origin (Origin, else Referer) and the browser's own word on it (Sec-Fetch-Site). */
  source: { origin: string | undefined; site: string | undefined; hasCookies: boolean }
  /** Where a POST wants to lead by its query instead of its body (contract 3.2). */
  queryTarget?: unknown
  reply: ServerResponse
  /** Who is signed in. The database is asked once for a request. */
  caller: (wish?: CallerWish) => Promise<Caller | undefined>
  /** User or session have changed: what the browser keeps of them follows, in the same answer (contract 2.3). */
  renewCookies: (changed: { user?: FullUser; session?: Partial<Session> }) => Promise<void>
}

export type Caller = CurrentSession & { secret: string; remembered: boolean }

export type CallerWish = {
  /** What the browser keeps of get-session may answer: for reading only (R26). */
  mayUseCache?: boolean
  mayExtend?: boolean
}

/** An answer that gates.ts has given its number. */
export type Reply = ServerResponse & { requestId?: string }

export function createContext(app: App, request: IncomingMessage & { ip?: string | undefined }, reply: Reply): Context {
  const { headers } = request
  const place = {
    ...app,
    now: app.clock(),
    cookies: openCookies(request, reply, { isHttps: app.config.isHttps, key: app.keys.cookies }),
  }
  const ipAddress = unmapped(app.config.proxyHops > 0 ? request.ip : request.socket.remoteAddress)
  let stored: Promise<Caller | undefined> | undefined
  return {
    ...place,
    requestId: reply.requestId ?? newId(),
    ipAddress,
    address: networkOf(ipAddress),
    userAgent: (headers['user-agent'] ?? '').slice(0, 512),
    get language() {
      return preferredLanguage(headers['accept-language'])
    },
    source: {
      origin: headers.origin ?? originOf(headers.referer),
      site: headers['sec-fetch-site']?.toString(),
      hasCookies: headers.cookie !== undefined,
    },
    reply,
    async caller({ mayUseCache = false, mayExtend = true } = {}) {
      const secret = readSecret(place)
      if (secret === undefined) return undefined
      const cached = mayUseCache && !stored ? readCachedAnswer(place) : undefined
      if (cached !== undefined) return { ...parseCache(cached), secret, remembered: !wantsNoMemory(place) }
      stored ??= readCaller(place, { secret, mayExtend })
      return stored
    },
    async renewCookies({ user, session }) {
      const caller = await stored
      if (!caller) return
      const changed = { session: { ...caller.session, ...session }, user: user ?? caller.user }
      const current = CurrentSession.parse(changed)
      setSessionCookies(place, { secret: caller.secret, current, remembered: caller.remembered })
    },
  }
}

type Place = App & Pick<Context, 'now' | 'cookies'>

/** The session of the database, extended when that is due; the browser's cookies follow. */
async function readCaller(place: Place, { secret, mayExtend }: { secret: string; mayExtend: boolean }) {
  const { pool, db, config, now } = place
  const found = await findSession(pool, secret)
  // A read-only database lets people read: what cannot be written now is written with a later call (REL-09).
  const later = (error: unknown) => {
    if (!isUnavailable(error)) throw error
    return 'later' as const
  }
  if (found && found.session.expiresAt <= now) await removeExpired(db, found.session.id, now).catch(later)
  if (!found || found.session.expiresAt <= now) {
    clearSessionCookies(place)
    return undefined
  }
  const ages = { now, lifetimeSeconds: config.sessionLifetimeSeconds, updateAgeSeconds: config.sessionUpdateAgeSeconds }
  if (!mayExtend || !config.refreshesSessions || !isRefreshDue(found, ages)) {
    return { ...found, secret }
  }
  const expiresAt = await extendSession(db, found.session.id, ages).catch(later)
  if (expiresAt === 'later') return { ...found, secret }
  if (!expiresAt) {
    clearSessionCookies(place)
    return undefined
  }
  const current = { session: { ...found.session, expiresAt, updatedAt: now }, user: found.user }
  setSessionCookies(place, { secret, current, remembered: found.remembered })
  return { ...found, ...current, secret }
}

function originOf(referer: string | undefined): string | undefined {
  if (referer === undefined) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : 'null'
}

/** An IPv4 address that is mapped into IPv6 is that IPv4 address. */
function unmapped(address = ''): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/** One subscriber's line is one address: an IPv6 network of 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [front = '', back] = address.split('%')[0]?.split('::') ?? []
  const groups = front.split(':').filter((group) => group !== '')
  const rest = back?.split(':').filter((group) => group !== '') ?? []
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const network = [...groups, ...zeros, ...rest].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

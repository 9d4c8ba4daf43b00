import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FullUser } from '../../shared/account.ts'
import { type Language, preferredLanguage } from '../../shared/language.ts'
import { CurrentSession, type Session } from '../../shared/session.ts'
import type { App } from '../dependencies.ts'
import { cleanAddress, networksOf } from '../foundation/address.ts'
import { type Cookies, openCookies } from '../foundation/cookies.ts'
import { newId } from '../foundation/crypto.ts'
import { isUnavailable } from '../foundation/database.ts'
import { parseCache } from '../session/cookie-cache.ts'
import {
  clearSessionCookies,
  readCachedAnswer,
  readSessionToken,
  setSessionCookies,
  wantsNoMemory,
} from '../session/session-cookies.ts'
import {
  extendSession,
  findSession,
  isBanned,
  isRefreshDue,
  removeExpired,
  revokeSessions,
} from '../session/sessions.ts'

/** Who asks, from where and when: the same for every procedure and link of one request. */
export type Context = App & {
  now: Date
  requestId: string
  /** The client's address as the session records it; empty when unknown. */
  ipAddress: string
  /** What limits count for: IPv4 as it is, IPv6 by its /64 and its /48 (SEC-26). */
  networks: ReturnType<typeof networksOf>
  /** As the session will show it; at most 512 characters. */
  userAgent: string
  language: Language
  cookies: Cookies
  /** Which page sent the call: its origin (Origin, else Referer) and the browser's own word on it (Sec-Fetch-Site). */
  source: {
    origin: string | undefined
    site: string | undefined
    hasCookies: boolean
    /** A person's browser opens a page: by the browser's own word (Sec-Fetch-Mode), else by what it accepts. */
    isNavigation: boolean
  }
  /** Where a POST wants to lead by its query instead of its body. */
  queryTarget?: unknown
  reply: ServerResponse
  /** Who is signed in. The database is asked once for a request. */
  caller: (options?: CallerOptions) => Promise<Caller | undefined>
  /** User or session have changed: what the browser keeps of them follows, in the same answer. */
  renewCookies: (changed: { user?: FullUser; session?: Partial<Session> }) => Promise<void>
}

export type Caller = CurrentSession & { sessionToken: string; remembered: boolean }

export type CallerOptions = {
  /** What the browser keeps of get-session may answer: for reading only. */
  mayUseCache?: boolean
  mayExtend?: boolean
}

/** An answer that has its X-Request-Id. */
export type Reply = ServerResponse & { requestId?: string }

export function createContext(app: App, request: IncomingMessage & { ip?: string | undefined }, reply: Reply): Context {
  const { headers } = request
  const deps = {
    ...app,
    now: app.clock(),
    cookies: openCookies(request, reply, { isHttps: app.config.isHttps, keys: app.keys.cookies }),
  }
  // What a proxy forwards may be no address at all: then the proxy's own counts.
  const forwarded = app.config.proxyHops > 0 ? cleanAddress(request.ip) : undefined
  const ipAddress = forwarded ?? cleanAddress(request.socket.remoteAddress) ?? ''
  let stored: Promise<Caller | undefined> | undefined
  return {
    ...deps,
    requestId: reply.requestId ?? newId(),
    ipAddress,
    networks: networksOf(ipAddress),
    userAgent: (headers['user-agent'] ?? '').slice(0, 512),
    get language() {
      return preferredLanguage(headers['accept-language'])
    },
    source: {
      origin: headers.origin ?? originOf(headers.referer),
      site: headers['sec-fetch-site']?.toString(),
      hasCookies: headers.cookie !== undefined,
      isNavigation: (headers['sec-fetch-mode'] ?? '') === 'navigate' || (headers.accept ?? '').startsWith('text/html'),
    },
    reply,
    async caller({ mayUseCache = false, mayExtend = true } = {}) {
      const sessionToken = readSessionToken(deps)
      if (sessionToken === undefined) return undefined
      const cached = mayUseCache && !stored ? readCachedAnswer(deps) : undefined
      if (cached !== undefined) return { ...parseCache(cached), sessionToken, remembered: !wantsNoMemory(deps) }
      stored ??= readCaller(deps, { sessionToken, mayExtend })
      return stored
    },
    async renewCookies({ user, session }) {
      const caller = await stored
      if (!caller) return
      const changed = { session: { ...caller.session, ...session }, user: user ?? caller.user }
      const current = CurrentSession.parse(changed)
      setSessionCookies(deps, { sessionToken: caller.sessionToken, current, remembered: caller.remembered })
    },
  }
}

type Deps = App & Pick<Context, 'now' | 'cookies'>

/** The session of the database, extended when that is due; the browser's cookies follow. */
async function readCaller(
  deps: Deps,
  { sessionToken, mayExtend }: { sessionToken: string; mayExtend: boolean },
): Promise<Caller | undefined> {
  const { pool, db, config, now } = deps
  const found = await findSession(pool, sessionToken)
  // A read-only database lets people read: what cannot be written now is written with a later call (REL-09).
  const later = (error: unknown) => {
    if (!isUnavailable(error)) throw error
    return 'later' as const
  }
  if (found && found.session.expiresAt <= now) await removeExpired(db, found.session.id, now).catch(later)
  // A ban ends the sessions that it finds, so that none comes back to life with its end (SEC-117).
  const isOut = found !== undefined && isBanned(found.ban, now)
  if (isOut) await revokeSessions(db, found.user.id).catch(later)
  if (!found || isOut || found.session.expiresAt <= now) {
    clearSessionCookies(deps)
    return undefined
  }
  const ages = {
    now,
    lifetimeSeconds: config.sessionLifetimeSeconds,
    absoluteSeconds: config.sessionAbsoluteSeconds,
    updateAgeSeconds: config.sessionUpdateAgeSeconds,
  }
  if (!mayExtend || !config.refreshesSessions || !isRefreshDue(found, ages)) {
    return { ...found, sessionToken }
  }
  const expiresAt = await extendSession(db, found.session, ages).catch(later)
  if (expiresAt === 'later') return { ...found, sessionToken }
  if (!expiresAt) {
    clearSessionCookies(deps)
    return undefined
  }
  const current = { session: { ...found.session, expiresAt, updatedAt: now }, user: found.user }
  setSessionCookies(deps, { sessionToken, current, remembered: found.remembered })
  return { ...found, ...current, sessionToken }
}

function originOf(referer: string | undefined): string | undefined {
  if (referer === undefined) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : 'null'
}

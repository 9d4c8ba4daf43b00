import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FullUser } from '../../shared/account.ts'
import { type Language, preferredLanguage } from '../../shared/language.ts'
import { CurrentSession, type Session } from '../../shared/session.ts'
import type { App } from '../dependencies.ts'
import { type Cookies, createCookies } from '../foundation/cookies.ts'
import { newId } from '../foundation/crypto.ts'
import { normalizeIpAddress, networksOf } from '../foundation/ip-address.ts'
import { traceIdOf } from '../foundation/trace.ts'
import { parseCache } from '../session/cookie-cache.ts'
import {
  clearSessionCookies,
  readCachedSession,
  readSessionToken,
  setSessionCookies,
  isNotRemembered,
} from '../session/session-cookies.ts'
import { type Credential, readBearer, readCredential } from './bearer.ts'
import { type Caller, readCaller } from './read-caller.ts'

/** The context of a request, shared by all its procedures and links. */
export type Context = App & {
  now: Date
  requestId: string
  /** The trace that the request belongs to (W3C Trace Context). */
  traceId: string | undefined
  /** Headers of the request that carry its trace. */
  traceHeaders: IncomingHttpHeaders
  /** The client's IP address as recorded in the session. Empty if unknown. */
  ipAddress: string
  /** The networks that rate limits apply to: the IPv4 address, or the IPv6 /64 and /48 (SEC-26). */
  networks: ReturnType<typeof networksOf>
  /** As shown in the session list, at most 512 characters. */
  userAgent: string
  language: Language
  cookies: Cookies
  /** All cookies as sent. On the host of a protected application they include those of the application. */
  cookieHeader: string
  /** The page that sent the request: its origin (Origin, else Referer) and Sec-Fetch-Site. */
  source: {
    origin: string | undefined
    site: string | undefined
    hasCookies: boolean
    /** Whether this is a browser navigation, by Sec-Fetch-Mode, else by the Accept header. */
    isNavigation: boolean
    /** Whether a browser loads this other than by a script's call: as an image, frame or style (Sec-Fetch-Dest). */
    isEmbedded: boolean
  }
  /** The user that a screen was shown to (X-Foyer-User): a change is refused if another one has signed in since. */
  expectedUserId: string | undefined
  /** Whether the client wants the current state (RFC 9111, 5.2.1.4), not that of a replica. */
  needsCurrentData: boolean
  /** The access token or API key that was sent. It determines the caller, even if cookies were sent too. */
  credential: Credential | undefined
  /** Redirect target from the query of a POST, instead of its body. */
  queryTarget?: unknown
  reply: ServerResponse
  /** The administrator who acts as the caller, once the caller was read. */
  impersonatorId?: string | undefined
  /** The signed-in user and session. Queries the database at most once per request. */
  caller: (options?: CallerOptions) => Promise<Caller | undefined>
  /** Updates the browser's cookies in the same response after the user or session has changed. */
  renewCookies: (changed: { user?: FullUser; session?: Partial<Session> }) => Promise<void>
}

/** The context of a procedure with a session. */
export type CallerContext = Context & Caller

type CallerOptions = {
  /** Allow the cached session cookie instead of the database. Only for reads. */
  mayUseCache?: boolean
  mayExtend?: boolean
  /** Accept API keys too. Only for calls that check the permissions of a key. */
  acceptsKeys?: boolean
  /** Clear the cookies of a session that no longer exists. */
  clearsUnknown?: boolean
}

/** A response with its X-Request-Id. */
export type Reply = ServerResponse & { requestId?: string }

export function createContext(app: App, request: IncomingMessage & { ip?: string | undefined }, reply: Reply): Context {
  const { headers } = request
  // The forwarded value may not be an IP address. In that case the proxy's own address is used.
  const forwarded = app.config.proxyHops > 0 ? normalizeIpAddress(request.ip) : undefined
  const ipAddress = forwarded ?? normalizeIpAddress(request.socket.remoteAddress) ?? ''
  let stored: Promise<Caller | 'unknown' | undefined> | undefined
  let bearer: ReturnType<typeof readBearer> | undefined
  const credential = readCredential(headers)
  // Lists every property: adding them to a spread object took a tenth of the CPU time of a call.
  const context: Context = {
    config: app.config,
    keys: app.keys,
    db: app.db,
    pool: app.pool,
    paymentApplyPool: app.paymentApplyPool,
    paymentStorePool: app.paymentStorePool,
    replica: app.replica,
    log: app.log,
    hasher: app.hasher,
    limiter: app.limiter,
    outbox: app.outbox,
    signingKeys: app.signingKeys,
    metrics: app.metrics,
    clock: app.clock,
    now: app.clock(),
    cookies: createCookies(request, reply, cookieDeps(app)),
    credential,
    needsCurrentData: headers['cache-control'] === 'no-cache',
    expectedUserId: headers['x-foyer-user']?.toString(),
    cookieHeader: headers.cookie ?? '',
    requestId: reply.requestId ?? newId(),
    traceId: traceIdOf(headers),
    traceHeaders: headers,
    ipAddress,
    networks: networksOf(ipAddress),
    userAgent: (headers['user-agent'] ?? '').slice(0, 512),
    language: preferredLanguage(headers['accept-language']),
    source: {
      origin: headers.origin ?? originOf(headers.referer),
      site: headers['sec-fetch-site']?.toString(),
      hasCookies: headers.cookie !== undefined,
      isEmbedded: (headers['sec-fetch-dest'] ?? 'empty') !== 'empty',
      isNavigation: (headers['sec-fetch-mode'] ?? '') === 'navigate' || (headers.accept ?? '').startsWith('text/html'),
    },
    reply,
    async caller({ mayUseCache = false, mayExtend = true, acceptsKeys = false, clearsUnknown = false } = {}) {
      if (credential) {
        bearer ??= readBearer(app, credential, context.now)
        const found = await bearer
        return found?.verifiedCredential?.kind === 'api_key' && !acceptsKeys ? undefined : found
      }
      const sessionToken = readSessionToken(context)
      if (sessionToken === undefined) return undefined
      const cached = mayUseCache && !stored ? readCachedSession(context) : undefined
      if (cached !== undefined) return { ...parseCache(cached), sessionToken, remembered: !isNotRemembered(context) }
      stored ??= readCaller(context, { sessionToken, mayExtend })
      const found = await stored
      if (found === 'unknown') {
        if (clearsUnknown) clearSessionCookies(context)
        return undefined
      }
      // Also for events that are recorded outside procedures.
      context.impersonatorId = found?.session.impersonatedBy
      return found
    },
    async renewCookies({ user, session }) {
      const caller = await stored
      if (!caller || caller === 'unknown') return
      const changed = { session: { ...caller.session, ...session }, user: user ?? caller.user }
      const current = CurrentSession.parse(changed)
      setSessionCookies(context, { sessionToken: caller.sessionToken, current, remembered: caller.remembered })
    },
  }
  return context
}

/** The scope of this installation's cookies. */
function cookieDeps({ config, keys }: App) {
  return { isHttps: config.isHttps, domain: config.cookieDomain, keys: keys.cookies }
}

function originOf(referer: string | undefined): string | undefined {
  if (referer === undefined) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : 'null'
}

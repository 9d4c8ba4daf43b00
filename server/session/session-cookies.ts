import type { CurrentSession } from '../../shared/session.ts'
import type { Cookies } from '../foundation/cookies.ts'
import type { Keys } from '../foundation/crypto.ts'
import { readCache, writeCache, currentSessionJson } from './cookie-cache.ts'
import { isSessionToken } from './session-rows.ts'

/** Cookie names without the `__Host-` prefix, which is added for HTTPS. */
const cookieNames = {
  sessionToken: 'foyer.session_token',
  cache: 'foyer.session_data',
  dontRemember: 'foyer.dont_remember',
} as const

/** Holds an administrator's own session token, signed, while the administrator acts as a user. */
const administratorCookie = 'foyer.admin_session'

/** Maximum length of name and value together, in characters. */
const maxCacheCharacters = 4093

type CookieContext = {
  cookies: Cookies
  config: { hasCookieCache: boolean; cookieCacheSeconds: number }
  keys: Keys
  now: Date
}

/** Returns the session token sent by this browser, if it is well-formed. */
export function readSessionToken({ cookies }: Pick<CookieContext, 'cookies'>): string | undefined {
  const text = cookies.get(cookieNames.sessionToken)
  return isSessionToken(text) ? text : undefined
}

/** Sets the session cookies, until the session expires or, if not remembered, until the browser is closed. */
export function setSessionCookies(
  deps: CookieContext,
  { sessionToken, current, remembered }: { sessionToken: string; current: CurrentSession; remembered: boolean },
): void {
  const { cookies, config, now } = deps
  const seconds = Math.max(1, Math.round((current.session.expiresAt.getTime() - now.getTime()) / 1000))
  cookies.set(cookieNames.sessionToken, sessionToken, remembered ? seconds : undefined)
  if (!remembered) cookies.setSigned(cookieNames.dontRemember, 'true')
  else if (cookies.get(cookieNames.dontRemember) !== undefined) cookies.clear(cookieNames.dontRemember)
  const { expiresAt } = current.session
  if (config.hasCookieCache)
    setCacheCookie(deps, { sessionToken, text: currentSessionJson(current), expiresAt, remembered })
}

type Cached = { sessionToken: string; text: string; expiresAt: Date; remembered: boolean }

/** Renews the cookie that caches the session; omits a value too large for a cookie. */
export function setCacheCookie(
  { cookies, config, keys, now }: CookieContext,
  { sessionToken, text, expiresAt, remembered }: Cached,
): void {
  const seconds = config.cookieCacheSeconds
  const until = new Date(Math.min(now.getTime() + seconds * 1000, expiresAt.getTime()))
  const value = writeCache(text, until, { keys: keys.cookies, sessionToken })
  if (cookies.size(cookieNames.cache, value) > maxCacheCharacters) cookies.clear(cookieNames.cache)
  else cookies.set(cookieNames.cache, value, remembered ? seconds : undefined)
}

/** Clears the cached session, which any later response may set again. */
export function clearCacheCookie({ cookies }: Pick<CookieContext, 'cookies'>): void {
  if (cookies.get(cookieNames.cache) !== undefined) cookies.clear(cookieNames.cache)
}

/** Clears the session cookies. */
export function clearSessionCookies({ cookies }: Pick<CookieContext, 'cookies'>): void {
  for (const name of Object.values(cookieNames)) cookies.clear(name)
}

/**
 * Stores an administrator's own session token in this browser for this many seconds, while the administrator acts as a
 * user.
 */
export function setAdministratorToken(
  { cookies }: Pick<CookieContext, 'cookies'>,
  sessionToken: string,
  seconds: number,
): void {
  cookies.setSigned(administratorCookie, sessionToken, seconds)
}

/** Returns the session token of the administrator who acts, or has acted, as a user in this browser. */
export function readAdministratorToken({ cookies }: Pick<CookieContext, 'cookies'>): string | undefined {
  const text = cookies.getSigned(administratorCookie)
  return isSessionToken(text) ? text : undefined
}

/** Clears the administrator's token, once that session has been restored or has ended. */
export function clearAdministratorToken({ cookies }: Pick<CookieContext, 'cookies'>): void {
  if (cookies.get(administratorCookie) !== undefined) cookies.clear(administratorCookie)
}

/** Returns whether a sign-in in this browser session asked not to be remembered; later sessions default to it. */
export function isNotRemembered({ cookies }: Pick<CookieContext, 'cookies'>): boolean {
  return cookies.getSigned(cookieNames.dontRemember) === 'true'
}

/** Returns the response of get-session from the browser's cookies, as JSON text. */
export function readCachedSession({ cookies, config, keys, now }: CookieContext): string | undefined {
  if (!config.hasCookieCache) return undefined
  const sessionToken = readSessionToken({ cookies })
  if (sessionToken === undefined) return undefined
  return readCache(cookies.get(cookieNames.cache), now, { keys: keys.cookies, sessionToken })
}

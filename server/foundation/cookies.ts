import type { ServerResponse } from 'node:http'
import { hasSecretFormat, verifySignature, sign, type KeyList } from './crypto.ts'

/** 400 days in seconds: the maximum that browsers allow (RFC 6265bis, 5.5). */
const maxSeconds = 34_560_000

/** The cookies of one request, and those set on its response. */
export type Cookies = ReturnType<typeof createCookies>

type Request = { headers: { cookie?: string | undefined } }

/**
 * The scope of cookies, and the keys that sign them. With a domain, the other hosts of that domain receive them too.
 */
type CookieScope = { isHttps: boolean; domain: string | undefined; keys: KeyList }

/**
 * Reads and writes the cookies of one request. All are HttpOnly, SameSite=Lax and Path=/ (SEC-60). Over https, names
 * are prefixed with `__Host-`, or with `__Secure-` if they have a domain (RFC 6265bis, 4.1.3).
 */
export function createCookies(request: Request, response: ServerResponse, scope: CookieScope) {
  const prefix = !scope.isHttps ? '' : scope.domain === undefined ? '__Host-' : '__Secure-'
  const domain = scope.domain === undefined ? '' : `; Domain=${scope.domain}`
  const attributes = `${domain}; Path=/; HttpOnly; SameSite=Lax${scope.isHttps ? '; Secure' : ''}`
  const header = request.headers.cookie ?? ''

  function set(name: string, value: string, maxAgeSeconds?: number) {
    const maxAge = maxAgeSeconds === undefined ? '' : `; Max-Age=${Math.min(maxAgeSeconds, maxSeconds)}`
    const line = `${prefix}${name}=${value}${maxAge}${attributes}`
    const earlier = response.getHeader('set-cookie') ?? []
    const others = Array.isArray(earlier) ? earlier : [String(earlier)]
    response.setHeader('set-cookie', [...others.filter((other) => !other.startsWith(`${prefix}${name}=`)), line])
  }

  return {
    get: (name: string) => findCookie(header, prefix + name),
    /** A secret of ours, if the cookie has the form of one. */
    getSecret(name: string): string | undefined {
      const text = findCookie(header, prefix + name)
      return text !== undefined && hasSecretFormat(text) ? text : undefined
    },
    set,
    clear: (name: string) => set(name, '', 0),
    /**
     * The signed value if its signature is valid. The signature covers the name, so cookies are not interchangeable.
     */
    getSigned(name: string): string | undefined {
      const text = findCookie(header, prefix + name)
      const dot = text?.lastIndexOf('.') ?? -1
      if (text === undefined || dot < 0) return undefined
      const value = text.slice(0, dot)
      return verifySignature(scope.keys, `${name}=${value}`, text.slice(dot + 1)) ? value : undefined
    },
    setSigned(name: string, value: string, maxAgeSeconds?: number) {
      set(name, `${value}.${sign(scope.keys, `${name}=${value}`)}`, maxAgeSeconds)
    },
    /** Names of the cookies with this prefix, in the order sent by the browser. */
    names: (start: string) =>
      header
        .split(/;\s*/)
        .map((pair) => pair.slice(0, Math.max(0, pair.indexOf('='))))
        .filter((name) => name.startsWith(prefix + start))
        .map((name) => name.slice(prefix.length)),
    /** Size of the cookie's name and value in bytes (browsers allow at most 4,096). */
    size: (name: string, value: string) => prefix.length + name.length + 1 + value.length,
  }
}

/** Finds one cookie's value without parsing the whole header: 0.1 µs instead of 9 µs. */
export function findCookie(header: string, name: string): string | undefined {
  const start = header.startsWith(`${name}=`) ? 0 : header.indexOf(`; ${name}=`) + 2
  if (start < 2 && !header.startsWith(`${name}=`)) return undefined
  const from = start + name.length + 1
  const end = header.indexOf(';', from)
  return header.slice(from, end < 0 ? undefined : end)
}

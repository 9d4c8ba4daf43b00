/**
 * Where a browser may be sent (SEC-30): a relative path of safe characters, or an address whose whole origin is
 * trusted. One function for every sink, on the text as it was given; what was checked is what is emitted.
 */
export function isSafeTarget(target: string, trusted: TrustedOrigins): boolean {
  return isSafePath(target) || isTrustedAddress(target, trusted)
}

/** The application's own origin and the entries of TRUSTED_ORIGINS. */
export type TrustedOrigins = { appOrigin: string; trustedOrigins: readonly string[] }

/** Longest target in characters. */
const longest = 2048

/** `/` and safe characters, perhaps one query; no `//`, no `.` or `..` segment, no encoded slash at the start. */
export function isSafePath(target: string): boolean {
  if (target.length > longest || !/^\/[\w.+/-]*(?:\?[\w.+/=&%-]*)?$/.test(target) || target.endsWith('\n')) return false
  const [path = ''] = target.split('?')
  return !path.includes('//') && !path.split('/').some((segment) => segment === '.' || segment === '..')
}

function isTrustedAddress(target: string, trusted: TrustedOrigins): boolean {
  // A URL parser forgives blanks, backslashes, user parts and letters beyond ASCII; a target may not need forgiveness.
  if (target.length > longest || !/^[a-z][a-z0-9+.-]*:\/\/[!-?A-[\]-~]*$/i.test(target)) return false
  if (!URL.canParse(target)) return false
  const path = /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(target)?.[1] ?? ''
  const hasTricks = /\/\/|^\/%(?:2f|5c)/i.test(path) || path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))
  return !hasTricks && isTrustedOrigin(target, trusted)
}

/** Does this address, or the value of an Origin header, belong to an origin that we trust? Origins are compared whole. */
export function isTrustedOrigin(address: string, { appOrigin, trustedOrigins }: TrustedOrigins): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, hostname, origin, username, password } = new URL(address)
  if (username || password) return false
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (isWeb && origin === appOrigin) return true
  return trustedOrigins.some((entry) => {
    const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(entry) ?? []
    const sameScheme = scheme === undefined ? isWeb : `${scheme.toLowerCase()}:` === protocol
    if (!sameScheme) return false
    if (rest.startsWith('*.')) return isWeb && host.endsWith(rest.slice(1).toLowerCase()) && hostname !== rest.slice(2)
    if (!isWeb) return rest === '' || rest.toLowerCase() === host.toLowerCase()
    return scheme !== undefined && URL.canParse(entry) && new URL(entry).origin === origin
  })
}

/** A checked target with more in its query, behind what it has already. */
export function withQuery(target: string, values: Record<string, string>): string {
  const [front = '', fragment] = target.split('#')
  // An asterisk is the one sign that the encoding leaves and a safe path does not have.
  const query = new URLSearchParams(values).toString().replaceAll('*', '%2A')
  const joined = query === '' ? front : `${front}${front.includes('?') ? '&' : '?'}${query}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

/**
 * Whether a redirect target is allowed (SEC-30): a relative path of safe characters, or a URL whose exact origin is
 * trusted. Used for every redirect, on the raw text: exactly the text that was checked is sent.
 */
export function isSafeTarget(target: string, trusted: TrustedOrigins): boolean {
  return isSafePath(target) || isTrustedUrl(target, trusted)
}

/** The application's origin and the entries of TRUSTED_ORIGINS. */
type TrustedOrigins = { appOrigin: string; trustedOrigins: readonly string[] }

/** Maximum length of a path, or of a URL. */
export const maxTarget = 2048

/**
 * Maximum length of a path with its query, which may contain a target, itself with another: each encoding may triple
 * it.
 */
export const maxTargetWithQuery = 12_288

/** `/` and safe characters, optionally one query. No `//`, no `.` or `..` segment, no percent-encoding in the path. */
export function isSafePath(target: string): boolean {
  if (target.length > maxTargetWithQuery || !/^\/[\w.+/-]*(?:\?[\w.+/=&%-]*)?$/.test(target) || target.endsWith('\n'))
    return false
  const [path = ''] = target.split('?')
  if (path.length > maxTarget) return false
  return !path.includes('//') && !path.split('/').some((segment) => segment === '.' || segment === '..')
}

function isTrustedUrl(target: string, trusted: TrustedOrigins): boolean {
  // URL parsers tolerate whitespace, backslashes, user info and non-ASCII characters. Here they are refused.
  if (target.length > maxTarget || !/^[a-z][a-z0-9+.-]*:\/\/[!-?A-[\]-~]*$/i.test(target)) return false
  if (!URL.canParse(target)) return false
  const path = /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(target)?.[1] ?? ''
  const isAmbiguous =
    /\/\/|^\/%(?:2f|5c)/i.test(path) || path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))
  return !isAmbiguous && isTrustedOrigin(target, trusted)
}

/** Whether a URL, or the value of an Origin header, belongs to a trusted origin. Compares the complete origin. */
function isTrustedOrigin(address: string, { appOrigin, trustedOrigins }: TrustedOrigins): boolean {
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

/** Whether a path of this origin is a screen of the client. All others are loaded as documents. */
export function isScreenPath(target: string): boolean {
  return isSafePath(target) && !/^\/(?:api|oauth|\.well-known|\.foyer|dev\/mail)(?:[/?]|$)/.test(target)
}

/**
 * Whether the text of an Origin header (RFC 6454, 6.1) names a trusted origin. Anything after the origin makes it
 * another text.
 */
export function isTrustedOriginHeader(origin: string, trusted: TrustedOrigins): boolean {
  if (!isTrustedOrigin(origin, trusted)) return false
  const { protocol, origin: normalized } = new URL(origin)
  return (protocol !== 'http:' && protocol !== 'https:') || normalized === origin
}

/** Appends parameters to the query of a checked target. */
export function withQuery(target: string, values: Record<string, string>): string {
  const [front = '', fragment] = target.split('#')
  // `*` is the only character that URLSearchParams leaves unencoded and a safe path does not allow.
  const query = new URLSearchParams(values).toString().replaceAll('*', '%2A')
  const joined = query === '' ? front : `${front}${front.includes('?') ? '&' : '?'}${query}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

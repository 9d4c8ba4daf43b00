import { isIP } from 'node:net'

/**
 * A client's address as it is recorded: IPv4 mapped into IPv6 is that IPv4 address; the port, brackets and zone that some
 * proxies write into X-Forwarded-For are cut off (SEC-123). Undefined for a text that is no address.
 */
export function cleanAddress(text: string | undefined): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? /^([\d.]+):\d+$/.exec(text ?? '')?.[1] ?? text ?? ''
  const address = bare.split('%')[0] ?? ''
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? address : mappedIpv4(address)
}

/** `::ffff:192.0.2.1`, also in its hexadecimal form, is 192.0.2.1; every other IPv6 address stays. */
function mappedIpv4(address: string): string {
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return address.toLowerCase()
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Is this the host of a URL, or an address, of this machine alone? */
export function isLoopback(host: string): boolean {
  const isIpv4 = isIP(host) === 4 && host.startsWith('127.')
  return isIpv4 || host === 'localhost' || host === '::1' || host === '[::1]'
}

/** The networks that limits count for, the narrowest first: IPv4 by itself, IPv6 by /64 and by /48 (SEC-26). */
export function networksOf(address: string): [narrow: string, wide?: string] {
  if (!address.includes(':')) return [address]
  const groups = groupsOf(address).map((group) => group.toString(16))
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, front = '', a, b, c, d] = dotted ?? []
  const byte = (text: string | undefined) => Number(text ?? 0)
  const plain = dotted
    ? `${front}${((byte(a) << 8) | byte(b)).toString(16)}:${((byte(c) << 8) | byte(d)).toString(16)}`
    : address
  const [head = '', tail] = plain.split('::')
  const left = head.split(':').filter((group) => group !== '')
  const right = tail?.split(':').filter((group) => group !== '') ?? []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

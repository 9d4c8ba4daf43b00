import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Normalizes a client's IP address: converts IPv4-mapped IPv6 to IPv4, and removes the port, brackets and zone that
 * some proxies add to X-Forwarded-For (SEC-123). Returns undefined if the text is not an IP address.
 */
export function normalizeIpAddress(text: string | undefined): string | undefined {
  if (text !== undefined && isIPv4(text)) return text
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? /^([\d.]+):\d+$/.exec(text ?? '')?.[1] ?? text ?? ''
  const address = bare.split('%')[0] ?? ''
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : undefined
  // The canonical form of RFC 5952, without a dotted part.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  return ipaddr.process(canonical).toString()
}

/** Whether a URL host or IP address is loopback. */
export function isLoopback(host: string): boolean {
  const address = normalizeIpAddress(host)
  return host === 'localhost' || (address !== undefined && ipaddr.parse(address).range() === 'loopback')
}

/** The networks that rate limits apply to, smallest first: the IPv4 address, or the IPv6 /64 and /48 (SEC-26). */
export function networksOf(address: string): [subnet: string, site?: string] {
  if (!address.includes(':')) return [address]
  return [networkOf(address, 64), networkOf(address, 48)]
}

function networkOf(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

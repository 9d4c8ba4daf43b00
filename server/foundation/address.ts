import ipaddr from 'ipaddr.js'

/**
 * A client's address as it is recorded: IPv4 mapped into IPv6 is that IPv4 address; the port, brackets and zone that some
 * proxies write into X-Forwarded-For are cut off (SEC-123). Undefined for a text that is no address.
 */
export function cleanAddress(text: string | undefined): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? /^([\d.]+):\d+$/.exec(text ?? '')?.[1] ?? text ?? ''
  const address = bare.split('%')[0] ?? ''
  const isAddress = address.includes(':') ? ipaddr.IPv6.isValid(address) : ipaddr.IPv4.isValidFourPartDecimal(address)
  return isAddress ? ipaddr.process(address).toString() : undefined
}

/** Is this the host of a URL, or an address, of this machine alone? */
export function isLoopback(host: string): boolean {
  const address = cleanAddress(host)
  return host === 'localhost' || (address !== undefined && ipaddr.parse(address).range() === 'loopback')
}

/** The networks that limits count for, the narrowest first: IPv4 by itself, IPv6 by /64 and by /48 (SEC-26). */
export function networksOf(address: string): [narrow: string, wide?: string] {
  if (!address.includes(':')) return [address]
  return [networkOf(address, 64), networkOf(address, 48)]
}

function networkOf(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

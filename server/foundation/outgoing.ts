import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { RequestFilteringHttpsAgent } from 'request-filtering-agent'

/** Deadline of a call to a URL that a user entered, in milliseconds, including connection, headers and body. */
const deadlineMs = 10_000
/** How long a name server may take to answer, in milliseconds. */
const lookupMs = 2_000
/** Maximum bytes of a response that are read, and that are kept. */
const bytes = { read: 65_536, kept: 1024 }

export type OutgoingResponse =
  | { status: number; text: string; retryAfter?: string | undefined }
  | { failure: 'ADDRESS_NOT_ALLOWED' | 'TIMEOUT' | 'UNREACHABLE'; reason: string }

/**
 * Sends a POST to an https URL that a user entered. The IP address that the host name resolves to is checked when
 * connecting, so that neither a changed DNS answer nor another spelling leads to a private network (SEC-129). Redirects
 * are not followed. Never throws.
 */
export async function postToPublic(
  url: string,
  { headers, body, mayBePrivate }: { headers: Record<string, string>; body: string; mayBePrivate: boolean },
): Promise<OutgoingResponse> {
  if (isForbiddenUrl(url, mayBePrivate)) return { failure: 'ADDRESS_NOT_ALLOWED', reason: 'not a public https address' }
  const agent = new RequestFilteringHttpsAgent({ allowPrivateIPAddress: mayBePrivate, keepAlive: false })
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const length = String(Buffer.byteLength(body))
    const lookup = mayBePrivate ? undefined : lookupPublic
    const call = request(url, {
      agent,
      lookup,
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      signal,
    })
    // The socket may also be closed without an error, as after status 101. The deadline closes it too.
    const closed = new AbortController()
    call.on('close', () => closed.abort())
    const responded = once(call, 'response', { signal: closed.signal })
    // The connection may also be lost while the body is read.
    call.on('error', () => {})
    call.end(body)
    const [response]: IncomingMessage[] = await responded
    if (!response) throw new Error('no response')
    const { statusCode: status = 0, headers: answered } = response
    return { status, text: await readStart(response), retryAfter: answered['retry-after'] }
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    if (signal.aborted) return { failure: 'TIMEOUT', reason }
    // The package throws plain errors, which can only be recognized by their message.
    return { failure: /is not allowed\. Because/.test(reason) ? 'ADDRESS_NOT_ALLOWED' : 'UNREACHABLE', reason }
  } finally {
    agent.destroy()
  }
}

/**
 * Reads a response until its end, the size limit or the deadline. Returns its start as text that PostgreSQL can store.
 * Failures are ignored, because the status has already been received.
 */
async function readStart(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = []
  let read = 0
  try {
    for await (const chunk of response) {
      const part = Buffer.from(chunk)
      if (read < bytes.kept) kept.push(part.subarray(0, bytes.kept - read))
      read += part.length
      if (read > bytes.read) break
    }
  } catch {
    // The response was cut off.
  }
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '')
}

/**
 * Whether a URL may be saved as one to call: https, without a user name, and not on a private network as far as is
 * known now. A name that does not resolve is accepted, because it may resolve later; it is checked on each call.
 */
export async function isPublicUrl(url: string, { mayBePrivate }: { mayBePrivate: boolean }): Promise<boolean> {
  if (isForbiddenUrl(url, mayBePrivate)) return false
  if (mayBePrivate) return true
  const found = await resolveName(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'))
  return found.every(({ address }) => isPublic(address))
}

type ResolvedAddress = { address: string; family: 4 | 6 }

/**
 * Queries the name servers directly. `dns.lookup` would occupy a thread for each query, and an unanswered one would
 * delay all others.
 */
async function resolveName(hostname: string): Promise<ResolvedAddress[]> {
  const version = isIP(hostname)
  if (version === 4 || version === 6) return [{ address: hostname, family: version }]
  const resolver = new Resolver({ timeout: lookupMs, tries: 1 })
  const of = async (family: 4 | 6): Promise<ResolvedAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname)).catch(() => [])
    return found.map((address) => ({ address, family }))
  }
  return (await Promise.all([of(4), of(6)])).flat()
}

/** Resolves names for connections, using DNS only. Results are checked here, and again by the agent. */
const lookupPublic: LookupFunction = async (hostname, { all }, callback) => {
  const found = await resolveName(hostname)
  const [first] = found
  const isRefused = found.some(({ address }) => !isPublic(address))
  if (isRefused) callback(new Error(`${hostname} is not allowed. Because it leads to a private address`), [])
  else if (!first) callback(new Error(`${hostname} was not found`), [])
  else if (all) callback(null, found)
  else callback(null, first.address, first.family)
}

function isForbiddenUrl(url: string, mayBePrivate: boolean): boolean {
  if (!URL.canParse(url)) return true
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'https:' || hostname === '' || username !== '' || password !== '') return true
  if (mayBePrivate) return false
  // The URL parser normalizes IPv4 addresses in decimal, octal or hexadecimal form.
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(address)) return !isPublic(address)
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/.test(hostname) || !hostname.includes('.')
}

/** Global unicast of IPv6 (RFC 4291, 2.4). Other ranges may be routed within a private network. */
const globalUnicast = ipaddr.IPv6.parse('2000::')
/** In a public range, but used by the Azure platform inside its networks. */
const platformAddresses = new Set(['168.63.129.16'])

function isPublic(text: string): boolean {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || platformAddresses.has(address.toString())) return false
  return address.kind() === 'ipv4' || address.match(globalUnicast, 3)
}

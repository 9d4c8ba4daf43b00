import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import ipaddr from 'ipaddr.js'
import { RequestFilteringHttpsAgent } from 'request-filtering-agent'

/** Deadline of a call to an address that somebody typed in, over connection, headers and body. */
const deadlineMs = 10_000
/** How long an address may take to resolve when it is saved. */
const lookupMs = 2_000
/** Bytes of an answer that are read, and kept. */
const bytes = { read: 65_536, kept: 1024 }

export type Answer =
  | { status: number; text: string }
  | { failure: 'ADDRESS_NOT_ALLOWED' | 'TIMEOUT' | 'UNREACHABLE'; reason: string }

/**
 * Sends a POST to an https address that somebody typed in. The address that its name resolves to is checked when connecting, so
 * that neither another answer of the name server nor another spelling leads to a private network (SEC-129). Redirects are not
 * followed. Never throws.
 */
export async function postToPublic(
  url: string,
  { headers, body, mayBePrivate }: { headers: Record<string, string>; body: string; mayBePrivate: boolean },
): Promise<Answer> {
  if (problemOf(url, mayBePrivate)) return { failure: 'ADDRESS_NOT_ALLOWED', reason: 'not a public https address' }
  const agent = new RequestFilteringHttpsAgent({ allowPrivateIPAddress: mayBePrivate, keepAlive: false })
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const length = String(Buffer.byteLength(body))
    const call = request(url, { agent, method: 'POST', headers: { ...headers, 'content-length': length }, signal })
    const answered = once(call, 'response')
    // The connection may also be lost while the body is read, which fails then.
    call.on('error', () => {})
    call.end(body)
    const [response]: IncomingMessage[] = await answered
    if (!response) throw new Error('no response')
    return { status: response.statusCode ?? 0, text: await readStart(response) }
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    if (signal.aborted) return { failure: 'TIMEOUT', reason }
    // The text of the package is its interface: it throws plain errors.
    return { failure: /is not allowed\. Because/.test(reason) ? 'ADDRESS_NOT_ALLOWED' : 'UNREACHABLE', reason }
  } finally {
    agent.destroy()
  }
}

/** Reads an answer to its end or to the limit, and returns its start as text that PostgreSQL can store. */
async function readStart(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = []
  let read = 0
  for await (const chunk of response) {
    const part = Buffer.from(chunk)
    if (read < bytes.kept) kept.push(part.subarray(0, bytes.kept - read))
    read += part.length
    if (read > bytes.read) break
  }
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '')
}

/**
 * Whether an address may be saved as one to call: https, without a user name, and not on a private network as far as it is known
 * now. A name that does not resolve is taken: it may do so later, and is checked then.
 */
export async function isPublicAddress(url: string, { mayBePrivate }: { mayBePrivate: boolean }): Promise<boolean> {
  if (problemOf(url, mayBePrivate)) return false
  if (mayBePrivate) return true
  const late = new Promise<[]>((done) => setTimeout(() => done([]), lookupMs).unref())
  const { hostname } = new URL(url)
  const found = await Promise.race([lookup(hostname, { all: true }).catch(() => []), late])
  return found.every(({ address }) => isPublic(address))
}

function problemOf(url: string, mayBePrivate: boolean): boolean {
  if (!URL.canParse(url)) return true
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'https:' || hostname === '' || username !== '' || password !== '') return true
  if (mayBePrivate) return false
  // The parser writes IPv4 in its usual form, whether it was given as a decimal, octal or hexadecimal number.
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(address)) return !isPublic(address)
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/.test(hostname) || !hostname.includes('.')
}

function isPublic(address: string): boolean {
  return ipaddr.parse(address).range() === 'unicast'
}

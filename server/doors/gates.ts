import type { IncomingMessage } from 'node:http'
import { json, type NextFunction, type Request, type Response } from 'express'
import { isTrustedOrigin } from '../../shared/redirect.ts'
import type { App, Reply } from '../context.ts'
import { newId } from '../foundation/crypto.ts'
import { Refusal } from '../foundation/refusal.ts'
import { refusalBody, toRefusal } from '../procedure.ts'
import { refusals } from '../../shared/errors.ts'

/** Largest JSON body in bytes (SEC-80). */
const largestBody = '100kb'

/** Every answer gets its number and the headers that protect it, whatever comes of the request (SEC-100 to SEC-104). */
export function arrive({ config }: App) {
  const headers = securityHeaders(config.isHttps)
  return (_request: Request, response: Response & Reply, next: NextFunction) => {
    response.requestId = newId()
    response.setHeader('X-Request-Id', response.requestId)
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

/** What every answer carries; pages add what only pages need. */
function securityHeaders(isHttps: boolean): [string, string][] {
  const headers: [string, string][] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ]
  // Two years, as browsers' preload lists ask for.
  if (isHttps) headers.push(['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'])
  return headers
}

/** Below the doors there are GET and POST; a trusted origin may ask before it calls (contract 1.3, SEC-37, SEC-38). */
export function knownMethods({ config }: App) {
  return (request: Request, response: Response, next: NextFunction) => {
    const { origin } = request.headers
    if (origin !== undefined && origin !== config.appOrigin && isTrustedOrigin(origin, config)) {
      response.setHeader('Access-Control-Allow-Origin', origin)
      response.setHeader('Access-Control-Allow-Credentials', 'true')
      response.setHeader('Vary', 'Origin')
      response.removeHeader('Cross-Origin-Resource-Policy')
      if (request.method === 'OPTIONS') {
        response.setHeader('Access-Control-Allow-Methods', 'GET, POST')
        response.setHeader('Access-Control-Allow-Headers', 'content-type')
        response.setHeader('Access-Control-Max-Age', '600')
        response.status(204).end()
        return
      }
    }
    if (request.method !== 'GET' && request.method !== 'POST') answerRefusal(response, new Refusal('NOT_FOUND'))
    else next()
  }
}

const parse = json({ limit: largestBody, inflate: false })

/** The JSON body of a POST; other forms are refused, and a POST without a body carries nothing. */
export function readBody(request: Request, response: Response, next: NextFunction): void {
  if (request.method !== 'POST' || !hasBody(request)) next()
  else if (!request.is('application/json')) answerRefusal(response, new Refusal('UNSUPPORTED_MEDIA_TYPE'))
  else parse(request, response, next)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Answers a refusal in the form of the contract (1.4). */
export function answerRefusal(response: Response, refusal: Refusal): void {
  response.setHeader('Cache-Control', 'no-store')
  answerJson(response, JSON.stringify(refusalBody(refusal)), refusals[refusal.key].status)
}

/** A finished JSON text as the answer, in one write. */
export function answerJson(response: Response, text: string, status = 200): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}

/** The last resort: what a gate or a door threw becomes one of the catalogue's refusals, and never a stack (SEC-91). */
export function lastResort({ log }: App) {
  return (error: unknown, request: Request, response: Response & Reply, next: NextFunction) => {
    if (response.headersSent) {
      next(error)
      return
    }
    const refusal = fromHost(error) ?? toRefusal(error, request.method === 'GET' ? 'query' : 'mutation')
    if (refusals[refusal.key].status >= 500) {
      log.error({ requestId: response.requestId, path: request.path, err: refusal.cause }, 'failed')
    }
    if (refusal.retryAfterSeconds !== undefined) response.setHeader('Retry-After', refusal.retryAfterSeconds)
    answerRefusal(response, refusal)
  }
}

/** Express and its body parser say what is wrong with a request by status. */
function fromHost(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined
  if (error.status === 413) return new Refusal('PAYLOAD_TOO_LARGE')
  if (error.status === 415) return new Refusal('UNSUPPORTED_MEDIA_TYPE')
  return typeof error.status === 'number' && error.status < 500 ? new Refusal('INVALID_BODY') : undefined
}

/** Is every percent of a path the start of an encoded sign (SEC-39)? */
export function isDecodable(path: string): boolean {
  try {
    // The result is used: a bundler may drop a call whose only effect is to throw.
    return decodeURIComponent(path).length > 0
  } catch {
    return false
  }
}

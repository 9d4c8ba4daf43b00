import type { NextFunction, Request, Response } from 'express'
import { isTrustedOriginHeader } from '../../../shared/redirect.ts'
import type { App } from '../../dependencies.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { sendRefusal } from '../send.ts'

/** Headers that pages of trusted origins may send. */
const allowedHeaders = 'content-type, authorization, trpc-accept, x-trpc-source, x-request-id, traceparent, x-api-key'

/** Seconds for which browsers keep the answer to a preflight request. */
const preflightSeconds = '600'

/**
 * Cross-origin resource sharing: pages of TRUSTED_ORIGINS may call with cookies and read the response, including
 * refusals; pages of other origins may not (SEC-37, SEC-38). The origin is compared as text.
 */
export function cors({ config }: App) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { origin } = request.headers
    if (origin === undefined || origin === config.appOrigin || !isTrustedOriginHeader(origin, config)) {
      next()
      return
    }
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Access-Control-Allow-Credentials', 'true')
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id')
    response.removeHeader('Cross-Origin-Resource-Policy')
    if (request.method !== 'OPTIONS') {
      next()
      return
    }
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST')
    response.setHeader('Access-Control-Allow-Headers', allowedHeaders)
    response.setHeader('Access-Control-Max-Age', preflightSeconds)
    response.status(204).end()
  }
}

/**
 * Preflight requests for public documents: pages of every origin may read them, without cookies and with any headers
 * that a library adds. `documents` are their paths; one slash may follow, as in those of the key sets.
 */
export function publicPreflight(documents: string[]) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (!isPreflight || !documents.includes(request.path.replace(/\/$/, ''))) {
      next()
      return
    }
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD')
    // The wildcard does not cover `authorization` (Fetch, 3.2.4).
    response.setHeader('Access-Control-Allow-Headers', '*, authorization')
    response.setHeader('Access-Control-Max-Age', preflightSeconds)
    response.status(204).end()
  }
}

/** The API accepts only GET and POST. */
export function methods(request: Request, response: Response, next: NextFunction): void {
  if (request.method !== 'GET' && request.method !== 'POST') sendRefusal(response, new Refusal('NOT_FOUND'))
  else next()
}

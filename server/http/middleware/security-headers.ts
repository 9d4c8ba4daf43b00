import type { NextFunction, Request, Response } from 'express'
import type { App } from '../../dependencies.ts'

/** Security headers for every response, including errors (SEC-100 to SEC-104). */
export function securityHeaders({ config }: App) {
  const headers = headersOf(config.isHttps)
  return (_request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

/** Headers for all responses. HTML pages add their own. */
function headersOf(isHttps: boolean): [string, string][] {
  const headers: [string, string][] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    // Responses to trusted origins have other headers. Without it, a cache could answer one origin with those of
    // another.
    ['Vary', 'Origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ]
  // Two years, as recommended for browsers' preload lists.
  if (isHttps) headers.push(['Strict-Transport-Security', 'max-age=63072000; includeSubDomains'])
  return headers
}

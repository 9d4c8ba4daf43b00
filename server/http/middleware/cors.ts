import type { NextFunction, Request, Response } from 'express'
import { isTrustedOrigin } from '../../../shared/redirect.ts'
import type { App } from '../../dependencies.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { answerRefusal } from '../respond.ts'

/** The API accepts only GET and POST. CORS preflight requests are allowed from trusted origins (SEC-37, SEC-38). */
export function methods({ config }: App) {
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

import { type NextFunction, type Request, type Response, Router, raw } from 'express'
import type { App } from '../dependencies.ts'
import { recordLimited } from '../event/record.ts'
import { isSignatureRefusal, receiveDelivery } from '../payment/receive-delivery.ts'
import { createContext } from '../request/context.ts'
import { answerJson } from './respond.ts'

/** Maximum size of an event. */
const maxEvent = '1mb'

/**
 * POST /api/webhooks/payments: reads the raw body before any parser. There is no session, Origin or rate limit check:
 * the signature authenticates the request.
 */
export function webhookRoutes(app: App): Router {
  const routes = Router({ caseSensitive: true })
  const receive = async (request: Request, response: Response, next: NextFunction) => {
    const one = (name: string) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const delivery = { id: one('webhook-id'), timestamp: one('webhook-timestamp'), signature: one('webhook-signature') }
    try {
      await receiveDelivery(app, { ...delivery, body })
      answerJson(response, '{"received":true}')
    } catch (error) {
      if (isSignatureRefusal(error))
        await recordLimited(createContext(app, request, response), {
          type: 'webhook.refused',
          data: { reason: error.key },
        })
      next(error)
    }
  }
  routes.post('/', raw({ type: () => true, limit: maxEvent, inflate: false }), receive)
  return routes
}

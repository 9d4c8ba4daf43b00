import { type Request, Router, raw } from 'express'
import type { App } from '../dependencies.ts'
import { recordLimited } from '../event/record.ts'
import { isSignatureRefusal, receiveWebhook } from '../payment/events/receive-webhook.ts'
import { handle } from './respond.ts'
import { sendJson } from './send.ts'

/** Maximum size of an event. */
const maxEvent = '1mb'

/**
 * POST /api/webhooks/payments: reads the raw body before any parser. There is no session, Origin or rate limit check:
 * the signature authenticates the request.
 */
export function paymentWebhookRoutes(app: App): Router {
  const routes = Router({ caseSensitive: true })
  const receive = handle(app, 'webhook', async (ctx, request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    await receiveWebhook(app, { ...headersOf(request), body }).catch(async (error: unknown) => {
      if (isSignatureRefusal(error)) await recordLimited(ctx, { type: 'webhook.refused', data: { reason: error.key } })
      throw error
    })
    sendJson(response, '{"received":true}')
  })
  routes.post('/', raw({ type: () => true, limit: maxEvent, inflate: false }), receive)
  return routes
}

/** The three signed headers of a delivery. A repeated one counts as missing. */
function headersOf({ headers }: Request) {
  const one = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  return { id: one('webhook-id'), timestamp: one('webhook-timestamp'), signature: one('webhook-signature') }
}

import { raw, Router, type NextFunction, type Request, type Response } from 'express'
import type { App } from '../context.ts'
import { createContext } from '../context.ts'
import { recordLimited } from '../event/record.ts'
import { isSignatureRefusal, receiveDelivery } from '../payment/webhook.ts'
import { answerJson } from './gates.ts'

/** Largest event in bytes (payments.md 1.3). */
const largestEvent = '1mb'

/**
 * POST /api/webhooks/payments: the bytes as they came, before any parser has touched them. No session, no Origin and no
 * count of addresses stand before it: the signature does.
 */
export function webhookDoor(app: App): Router {
  const door = Router({ caseSensitive: true })
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
  door.post('/', raw({ type: () => true, limit: largestEvent, inflate: false }), receive)
  return door
}

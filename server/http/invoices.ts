import { Router } from 'express'
import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { refuse } from '../foundation/refusal.ts'
import { openInvoice } from '../payment/open-invoice.ts'
import { admitCaller } from '../procedure/guards.ts'
import { checkReadOrigin } from '../procedure/origin.ts'
import { refuseTooMany } from '../procedure/rate-limit.ts'
import { respond } from './respond.ts'

const ObjectId = z.string().regex(/^[\w-]{1,256}$/)
const Invoice = z.object({ paymentId: ObjectId, refundId: ObjectId.optional() })

/** Documents per minute and network: those of a page of the table at once. Each is a call to the payment provider. */
const limit = { max: 60, seconds: 60 }

/** GET /api/payments/invoice?paymentId=…[&refundId=…]: the invoice of a payment or the receipt of a refund, as PDF. */
export function invoiceRoutes(app: App): Router {
  const routes = Router({ caseSensitive: true })
  const handler = respond(app, 'payment.invoice', async (ctx, request) => {
    checkReadOrigin(ctx)
    await refuseTooMany(ctx, 'payment.invoice', { limit })
    const { data } = Invoice.safeParse(request.query)
    if (!data) refuse('INVALID_QUERY')
    const { paymentId, refundId } = data
    const caller = await admitCaller(ctx, { meta: { openTo: ['impersonator'] }, type: 'query' })
    return { pdf: await openInvoice({ ...ctx, ...caller }, { paymentId, refundId }), name: refundId ?? paymentId }
  })
  routes.get('/payments/invoice', handler)
  return routes
}

import type { z } from 'zod'
import type { Delivery } from '../../shared/webhook.ts'
import { lockAdministratorsAndCaller } from '../admin/lock.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { findDeliveryRow, insertDelivery, scheduleNow, toDelivery } from './deliveries.ts'
import { findEndpoint } from './endpoints.ts'

/**
 * Sends a delivery again, regardless of its outcome. The event keeps its id, so that a receiver recognizes a repeat.
 */
export async function sendAgain(ctx: CallerContext, deliveryId: string): Promise<z.output<typeof Delivery>> {
  return transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    const { endpointId } = (await findDeliveryRow(tx, deliveryId)) ?? refuse('DELIVERY_NOT_FOUND')
    const { host } = await enabledEndpoint(tx, endpointId)
    const row = (await scheduleNow(tx, deliveryId, ctx.now)) ?? refuse('DELIVERY_NOT_FOUND')
    const about = { actorId: ctx.user.id, subjectId: null }
    await record(tx, ctx, { type: 'endpoint.sent_again', ...about, data: { endpointId, host, deliveryId } })
    return toDelivery(row)
  })
}

/** Sends a test event to one endpoint, regardless of its event types. */
export async function sendTest(ctx: CallerContext, endpointId: string): Promise<z.output<typeof Delivery>> {
  return transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    await enabledEndpoint(tx, endpointId)
    const about = { actorId: ctx.user.id, subjectId: null }
    const eventId = await record(tx, ctx, { type: 'webhook.test', ...about, data: { endpointId } })
    return toDelivery(await insertDelivery(tx, { endpointId, eventId, type: 'webhook.test', now: ctx.now }))
  })
}

async function enabledEndpoint(tx: Tx, endpointId: string): Promise<{ host: string }> {
  const endpoint = (await findEndpoint(tx, endpointId)) ?? refuse('ENDPOINT_NOT_FOUND')
  if (!endpoint.isEnabled) refuse('ENDPOINT_IS_DISABLED')
  return { host: new URL(endpoint.url).host }
}

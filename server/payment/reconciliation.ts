import type { App } from '../context.ts'
import { callProvider } from '../foundation/dodo.ts'
import { isRecord } from '../foundation/records.ts'
import { applyEvent } from './events.ts'
import { readEnvelope } from './envelope.ts'

/** Subscriptions that are asked for at once; the provider's limits are not ours to test. */
const atOnce = 200

/**
 * Reads every living subscription at the provider, once a night: what an outage of theirs or ours swallowed is found. It is
 * applied like an event of this moment; one that cannot be read is left for the next night.
 */
export async function reconcileSubscriptions(app: App): Promise<void> {
  const { payments } = app.config
  if (!payments) return
  let last = ''
  for (;;) {
    const living = await app.db.subscription.findMany({
      where: { subscriptionId: { gt: last }, status: { in: ['pending', 'active', 'on_hold', 'paused'] } },
      orderBy: { subscriptionId: 'asc' },
      take: atOnce,
      select: { subscriptionId: true },
    })
    for (const { subscriptionId } of living) {
      last = subscriptionId
      const asked = app.clock()
      const read = await callProvider(payments, (client) => client.subscriptions.retrieve(subscriptionId)).catch(
        (error: unknown) => {
          app.log.warn({ err: error, subscriptionId }, 'a subscription could not be read')
        },
      )
      if (!isRecord(read)) continue
      const event = { type: 'subscription.updated', timestamp: asked.toISOString(), data: read }
      const envelope = readEnvelope(Buffer.from(JSON.stringify(event)))
      const id = `reconciled-${subscriptionId}-${asked.getTime()}`
      if (envelope) await app.db.$transaction((tx) => applyEvent(tx, app, { ...envelope, id }, asked))
    }
    if (living.length < atOnce) return
  }
}

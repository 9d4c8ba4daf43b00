import type { App } from '../dependencies.ts'
import { inTransaction } from '../foundation/database.ts'
import { type PaymentSettings, callProvider } from '../foundation/dodo.ts'
import { Refusal } from '../foundation/refusal.ts'
import { applyEvent } from './apply-event.ts'
import { attributeEvent, lockInOrder } from './attribution.ts'
import { readEnvelope } from './envelope.ts'
import { readEvent } from './read-event.ts'

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
      try {
        await reconcile(app, payments, subscriptionId)
      } catch (error) {
        app.log.warn({ err: error, subscriptionId }, 'a subscription could not be compared')
        // Away for one is away for all: the next night comes.
        if (error instanceof Refusal && error.key === 'PAYMENT_PROVIDER_IS_AWAY') return
      }
    }
    if (living.length < atOnce) return
  }
}

async function reconcile(app: App, settings: PaymentSettings, subscriptionId: string): Promise<void> {
  const asked = app.clock()
  const read = await callProvider(settings, (client) => client.subscriptions.retrieve(subscriptionId))
  if (read.subscription_id !== subscriptionId) throw new Error('the provider answered about another subscription')
  const event = { type: 'subscription.updated', timestamp: asked.toISOString(), data: read }
  const envelope = readEnvelope(Buffer.from(JSON.stringify(event)))
  if (!envelope) throw new Error('the provider answered no subscription')
  const answer = { ...envelope, id: `reconciled-${subscriptionId}-${asked.getTime()}` }
  const object = readEvent(answer)
  await inTransaction(app.pool, async (sql) => {
    await lockInOrder(sql, object)
    const attribution = await attributeEvent(sql, app.keys.purchases, object, answer.occurredAt)
    await applyEvent(sql, app, { event: answer, object, attribution }, asked)
  })
}

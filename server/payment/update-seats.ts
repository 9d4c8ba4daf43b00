import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { callProvider } from '../foundation/dodo.ts'
import { Refusal } from '../foundation/refusal.ts'
import { type SeatChange, findSeatChanges } from '../subscription/seats.ts'
import { applySnapshot, fetchSnapshot } from './apply-snapshot.ts'

/** Maximum number of subscriptions that one run changes. */
const maxPerRun = 50

/**
 * Sets the quantity of subscriptions with seats to the number of members. Runs every minute, so that a burst of members who
 * join or leave is one change, and a provider that is away is asked again.
 */
export async function updateSeats(app: App): Promise<void> {
  if (!app.config.payments) return
  for (const change of await findSeatChanges(app.db, maxPerRun)) {
    try {
      await update(app, change)
    } catch (error) {
      app.log.warn(
        { err: error, subscriptionId: change.subscriptionId },
        'the seats of a subscription were not updated',
      )
      if (error instanceof Refusal && error.key === 'PAYMENT_PROVIDER_IS_AWAY') return
    }
  }
}

async function update(app: App, { subscriptionId: id, productId, members, eventAt }: SeatChange): Promise<void> {
  const change = { product_id: productId, quantity: members, proration_billing_mode: 'prorated_immediately' as const }
  await callProvider(app.config.payments, z.unknown(), (client) => client.subscriptions.changePlan(id, change))
  const snapshot = await fetchSnapshot(app, 'subscription.updated', (client) =>
    client.subscriptions.retrieve(id).withResponse(),
  )
  await applySnapshot(app, snapshot, { id, knownSince: eventAt })
}

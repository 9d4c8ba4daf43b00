import { z } from 'zod'
import type { App } from '../dependencies.ts'
import { callProvider } from '../foundation/dodo.ts'
import { Refusal } from '../foundation/refusal.ts'
import { type SeatChange, claimSeatChange, findSeatChanges, forgetSeatRequest } from '../subscription/seats.ts'
import { applySnapshot, fetchSnapshot } from './apply-snapshot.ts'
import { planChange } from './plan-change.ts'

/** Maximum number of subscriptions that one run changes. */
const maxPerRun = 50

/**
 * Sets the quantity of subscriptions with seats to the number of members. Runs every minute, so that several joins and
 * departures become one change. Each request is recorded before it is made, and repeated after six hours at the
 * earliest.
 */
export async function updateSeats(app: App): Promise<void> {
  if (!app.config.payments) return
  for (const change of await findSeatChanges(app.db, app.clock(), maxPerRun)) {
    if (!(await claimSeatChange(app.db, change, app.clock()))) continue
    try {
      await update(app, change)
    } catch (error) {
      app.log.warn({ err: error, subscriptionId: change.subscriptionId }, 'seats of a subscription not updated')
      if (!(error instanceof Refusal)) continue
      const isAway = error.key === 'PAYMENT_PROVIDER_IS_AWAY'
      // Nothing was requested, so the next run may do it.
      if (isAway) await forgetSeatRequest(app.db, change.subscriptionId)
      if (isAway || error.key === 'PAYMENT_PROVIDER_REFUSES_US') return
    }
  }
}

async function update(app: App, { subscriptionId: id, eventAt, members, ...row }: SeatChange): Promise<void> {
  const read = () =>
    fetchSnapshot(app, 'subscription.updated', (client) => client.subscriptions.retrieve(id).withResponse())
  const before = await read()
  const plan = Plan.safeParse(before.data).data
  // Our change would revert one that was made or scheduled at the provider, and whose event has not arrived.
  const isEnding = plan?.cancel_at_next_billing_date === true
  if (plan?.product_id !== row.productId || plan.status !== 'active' || plan.scheduled_change || isEnding) {
    await applySnapshot(app, before, { id, knownSince: eventAt })
    // The next run reads the new plan. A plan change that is only scheduled is checked again later.
    if (plan?.product_id !== row.productId) await forgetSeatRequest(app.db, id)
    return
  }
  const change = planChange({ payload: before.data }, { productId: row.productId, quantity: members })
  await callProvider(app.config.payments, z.unknown(), (client) => client.subscriptions.changePlan(id, change))
  await applySnapshot(app, await read(), { id, knownSince: eventAt })
}

const Plan = z.object({
  product_id: z.string(),
  status: z.string(),
  scheduled_change: z.unknown().optional(),
  cancel_at_next_billing_date: z.boolean().nullish(),
})

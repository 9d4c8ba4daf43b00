import { z } from 'zod'
import type { App } from '../../dependencies.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { applySnapshot, fetchSnapshot } from '../events/apply-snapshot.ts'
import { callPaymentProvider } from '../provider/provider-api.ts'
import { subscriptionLeaseKey, withLease } from '../provider/single-flight.ts'
import { planChangeBody } from './plan-change.ts'
import {
  type SeatChange,
  reserveSeatChange,
  findSeatChanges,
  forgetSeatRequest,
  isStillNeeded,
} from './seat-changes.ts'

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
    if (!(await reserveSeatChange(app.db, change, app.clock()))) continue
    const { subscriptionId } = change
    const progress = { isStarted: false, isRequested: false }
    try {
      // A change or transfer that a user has started comes first: the next run reads its result.
      const lease = { key: subscriptionLeaseKey(subscriptionId), clock: app.clock, waitSeconds: 0 }
      await withLease(app.db, lease, () => update(app, change, progress))
    } catch (error) {
      app.log.warn({ err: error, subscriptionId }, 'failed to update the seats of a subscription')
      if (!(error instanceof Refusal)) continue
      if (!progress.isStarted) {
        await forgetSeatRequest(app.db, subscriptionId)
        continue
      }
      const isUnreachable = error.key === 'PAYMENT_PROVIDER_UNAVAILABLE'
      // Nothing was requested, so the next run may do it.
      if (isUnreachable && !progress.isRequested) await forgetSeatRequest(app.db, subscriptionId)
      if (isUnreachable || error.key === 'PAYMENT_PROVIDER_REJECTED_CREDENTIALS') return
    }
  }
}

type Progress = { isStarted: boolean; isRequested: boolean }

async function update(app: App, change: SeatChange, progress: Progress): Promise<void> {
  progress.isStarted = true
  const { subscriptionId: id, productId, eventAt, members } = change
  const read = () =>
    fetchSnapshot(app, 'subscription.updated', (client) => client.subscriptions.retrieve(id).withResponse())
  const before = await read()
  const plan = ProviderSubscription.safeParse(before.data).data
  // Our change would revert one that was made or scheduled at the provider, and whose event has not arrived.
  const isSame = plan?.product_id === productId && plan.status === 'active' && !plan.scheduled_change
  if (!isSame || plan.cancel_at_next_billing_date || plan.quantity === members) {
    await applySnapshot(app, before, { id, expectedEventAt: eventAt })
    // The next run reads the new plan. A plan change that is only scheduled is checked again later.
    if (plan?.product_id !== productId) await forgetSeatRequest(app.db, id)
    return
  }
  // Members, owner or plan may have changed while the provider answered.
  if (!(await isStillNeeded(app.db, change))) return void (await forgetSeatRequest(app.db, id))
  progress.isRequested = true
  // The members are there, whether or not the charge succeeds: the provider then asks for a payment of all seats.
  const wanted = { productId, quantity: members, onPaymentFailure: 'apply_change', now: app.clock() } as const
  const changes = planChangeBody({ payload: before.data }, wanted)
  await callPaymentProvider(app.config.payments, z.unknown(), (client) => client.subscriptions.changePlan(id, changes))
  await applySnapshot(app, await read(), { id, expectedEventAt: eventAt })
}

const ProviderSubscription = z.object({
  product_id: z.string(),
  quantity: z.number().nullish(),
  status: z.string(),
  scheduled_change: z.unknown().optional(),
  cancel_at_next_billing_date: z.boolean().nullish(),
})

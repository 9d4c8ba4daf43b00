import { z } from 'zod'
import type {
  CancelSubscription,
  ChangePlan,
  PlanPreview,
  SubscriptionReference,
  TransferSubscription,
} from '../../../shared/payment.ts'
import { isOwner } from '../../../shared/permissions.ts'
import { type NewEvent } from '../../event/event-rows.ts'
import { record } from '../../event/record.ts'
import { isRecord } from '../../foundation/records.ts'
import { refuse } from '../../foundation/refusal.ts'
import { statementsOf, transaction } from '../../foundation/transactions.ts'
import { findMemberWithUser } from '../../organization/members.ts'
import { lockOrganization } from '../../organization/organizations.ts'
import { findSeatCount } from '../../purchase/seats.ts'
import type { CallerContext } from '../../request/context.ts'
import { billingOwnerKey } from '../billing-owner/billing-owner.ts'
import { ownerEvent, requireBillingOwner, findManagedBillingOwner } from '../billing-owner/require-billing-owner.ts'
import { applySnapshot, fetchSnapshot, isAbout, type Snapshot } from '../events/apply-snapshot.ts'
import { callPaymentProvider } from '../provider/provider-api.ts'
import { singleFlight, subscriptionLeaseKey, withLease } from '../provider/single-flight.ts'
import { takeAdvisoryLocks } from '../records/locks.ts'
import { planChangeBody } from './plan-change.ts'
import {
  findOrganizationOf,
  findOwnedSubscription,
  lockManagedBillingOwner,
  moveSubscription,
} from './subscriptions.ts'

/** The subscription and its owner, if the caller manages its billing. For other callers it counts as missing. */
async function requireManagedSubscription(ctx: CallerContext, subscriptionId: string) {
  const owner = await findManagedBillingOwner(ctx, await findOrganizationOf(ctx.db, subscriptionId))
  const row = owner && (await findOwnedSubscription(ctx.db, owner, subscriptionId))
  return row ? { owner, row } : refuse('SUBSCRIPTION_NOT_FOUND')
}

type Managed = Awaited<ReturnType<typeof requireManagedSubscription>>

/** A change of a subscription at the provider, and its event. Undefined if there is nothing to change. */
type SubscriptionChange = { row: Managed['row']; changes: Record<string, unknown>; event: NewEvent } | undefined

/**
 * Changes a subscription at the provider, records the event, and applies the response without waiting for the
 * provider's event. The subscription is read once no other change of it is under way, because it may have got another
 * owner or plan.
 */
export async function updateSubscription(
  ctx: CallerContext,
  id: string,
  prepare: () => Promise<SubscriptionChange>,
): Promise<void> {
  // Refuses others before they could hold or wait for the lease.
  await prepare()
  await withLease(ctx.db, { key: subscriptionLeaseKey(id), clock: ctx.clock }, async () => {
    const change = await prepare()
    if (!change) return
    const { row, changes, event } = change
    const snapshot = await fetchSnapshot(ctx, 'subscription.updated', (client) =>
      client.subscriptions.update(id, changes).withResponse(),
    )
    if (!isAbout(snapshot, id)) refuse('PAYMENT_PROVIDER_INVALID_RESPONSE')
    await record(ctx.db, ctx, event)
    await applyResponse(ctx, row, async () => snapshot)
  })
}

/** Cancels a subscription at the end of the paid period, with the reason for the provider's reports. */
export async function cancelSubscription(
  ctx: CallerContext,
  input: z.output<typeof CancelSubscription>,
): Promise<void> {
  const { subscriptionId, feedback, comment } = input
  const changes = {
    cancel_at_next_billing_date: true,
    cancel_reason: 'cancelled_by_customer',
    ...(feedback !== undefined && { cancellation_feedback: feedback }),
    ...(comment !== undefined && { cancellation_comment: comment }),
  }
  const data = { subscriptionId, ...(feedback !== undefined && { reason: feedback }) }
  await updateSubscription(ctx, subscriptionId, async () => {
    const { owner, row } = await requireManagedSubscription(ctx, subscriptionId)
    return { row, changes, event: { type: 'payment.subscription_canceled', ...ownerEvent(ctx, owner), data } }
  })
}

/** Revokes a cancellation while the paid period lasts. */
export async function resumeSubscription(
  ctx: CallerContext,
  { subscriptionId }: z.output<typeof SubscriptionReference>,
): Promise<void> {
  const changes = { cancel_at_next_billing_date: false }
  await updateSubscription(ctx, subscriptionId, async () => {
    const { owner, row } = await requireManagedSubscription(ctx, subscriptionId)
    const event = { ...ownerEvent(ctx, owner), data: { subscriptionId } }
    return { row, changes, event: { type: 'payment.subscription_resumed', ...event } }
  })
}

const Preview = z.object({
  immediate_charge: z.object({
    effective_at: z.string(),
    summary: z.object({ currency: z.string(), total_amount: z.number(), tax: z.number().nullish() }),
  }),
  new_plan: z.object({ recurring_pre_tax_amount: z.number(), currency: z.string() }),
})

/** The amounts that the provider would charge, now and on each renewal, for another plan or quantity. */
export async function previewPlan(
  ctx: CallerContext,
  input: z.output<typeof ChangePlan>,
): Promise<z.input<typeof PlanPreview>> {
  const { subscriptionId, productId } = input
  const { owner, row } = await requireManagedSubscription(ctx, subscriptionId)
  const quantity = await quantityFor(ctx, { owner, row }, input)
  const { immediate_charge: charge, new_plan: plan } = await callPaymentProvider(
    ctx.config.payments,
    Preview,
    (client) =>
      client.subscriptions.previewChangePlan(
        subscriptionId,
        planChangeBody(row, { productId, quantity, onPaymentFailure: 'prevent_change', now: ctx.now }),
      ),
  )
  const { currency, total_amount: amount, tax } = charge.summary
  return {
    effectiveAt: charge.effective_at,
    now: { amount, currency, tax: tax ?? null },
    recurring: { amount: plan.recurring_pre_tax_amount, currency: plan.currency },
  }
}

/** Seconds within which repeated requests for the same change count as one. */
const resultTtlSeconds = 60

/**
 * Changes plan or quantity. The provider immediately charges or credits the difference for the rest of the period, so a
 * second click must not make a second change. Returns whether the change has taken effect: the provider keeps the former
 * plan until the charge has succeeded.
 */
export async function changePlan(ctx: CallerContext, input: z.output<typeof ChangePlan>): Promise<boolean> {
  const { subscriptionId, productId } = input
  const managed = await requireManagedSubscription(ctx, subscriptionId)
  const { row } = managed
  const quantity = await quantityFor(ctx, managed, input)
  // Changing back and then again is a separate change.
  const key = `plan:${row.eventId}:${subscriptionId}:${productId}:${quantity}`
  const lease = { key: subscriptionLeaseKey(subscriptionId), clock: ctx.clock }
  // Clicks that wait for the first one get its result, a failure too: the provider may have made the change.
  const outcome = await singleFlight(ctx, { key, resultTtlSeconds }, () =>
    withLease(ctx.db, lease, () => requestChange(ctx, { ...input, quantity })),
  )
  return outcome !== pending
}

/** The result of a change whose charge has not succeeded yet. */
const pending = 'pending'

/** Whether a subscription, as the provider has returned it, has this plan and quantity. */
function showsPlan({ data }: Snapshot, { productId, quantity }: { productId: string; quantity: number }): boolean {
  return isRecord(data) && data['product_id'] === productId && (data['quantity'] ?? 1) === quantity
}

/** Requests a change while no other one is under way. */
async function requestChange(ctx: CallerContext, input: z.output<typeof ChangePlan>): Promise<string> {
  const { subscriptionId, productId } = input
  // An earlier change, of the plan, the seats or the owner, has been applied meanwhile.
  const managed = await requireManagedSubscription(ctx, subscriptionId)
  const { owner, row } = managed
  const quantity = await quantityFor(ctx, managed, input)
  if (row.productId === productId && row.quantity === quantity) return 'changed'
  await callPaymentProvider(ctx.config.payments, z.unknown(), (client) =>
    client.subscriptions.changePlan(
      subscriptionId,
      planChangeBody(row, { productId, quantity, onPaymentFailure: 'prevent_change', now: ctx.now }),
    ),
  )
  const snapshot = await fetchSnapshot(ctx, 'subscription.updated', (client) =>
    client.subscriptions.retrieve(subscriptionId).withResponse(),
  ).catch((error: unknown) => ctx.log.warn({ err: error, subscriptionId }, 'failed to read a changed subscription'))
  const isPending = !snapshot || !showsPlan(snapshot, { productId, quantity })
  // Its author is known only now, also if the charge succeeds later.
  const data = { subscriptionId, productId, quantity, ...(isPending && { isPending }) }
  await record(ctx.db, ctx, { type: 'payment.plan_changed', ...ownerEvent(ctx, owner), data })
  // Not applied: with another `eventId` of the row, the next click would request the same change again.
  if (isPending) return pending
  await applyResponse(ctx, row, async () => snapshot)
  return 'changed'
}

/** The quantity for a product: the requested one, or the present one. With seats, the number of members. */
async function quantityFor(
  ctx: CallerContext,
  { owner, row }: Managed,
  { productId, quantity = row.quantity }: z.output<typeof ChangePlan>,
): Promise<number> {
  const seats = 'organizationId' in owner ? await findSeatCount(ctx.db, { ...owner, productId }) : undefined
  return seats ?? quantity
}

/**
 * Applies the provider's state of a subscription after a change, without waiting for the event. The change has already
 * been made: if its state cannot be read or applied, the event will bring it.
 */
async function applyResponse(ctx: CallerContext, row: Managed['row'], read: () => Promise<Snapshot>): Promise<void> {
  try {
    await applySnapshot(ctx, await read(), { id: row.subscriptionId, expectedEventAt: row.eventAt })
  } catch (error) {
    ctx.log.warn(
      { err: error, subscriptionId: row.subscriptionId },
      'changed subscription not read; waiting for its event',
    )
  }
}

const PaymentMethodPage = z.object({ payment_link: z.url({ protocol: /^https?$/ }) })

/** The provider's page on which the payment method of a subscription is replaced. */
export async function updatePaymentMethod(
  ctx: CallerContext,
  { subscriptionId }: z.output<typeof SubscriptionReference>,
) {
  await requireManagedSubscription(ctx, subscriptionId)
  const payment_method = { type: 'new' as const, return_url: `${ctx.config.appOrigin}/billing` }
  const { payment_link } = await callPaymentProvider(ctx.config.payments, PaymentMethodPage, (client) =>
    client.subscriptions.updatePaymentMethod(subscriptionId, { payment_method }),
  )
  return { link: payment_link }
}

/**
 * Moves a subscription to the caller, or to an organization whose billing the caller manages. Only an owner may move
 * one out of an organization. The transfer is recorded in the logs of both sides.
 */
export async function transferSubscription(
  ctx: CallerContext,
  { subscriptionId, organizationId }: z.output<typeof TransferSubscription>,
): Promise<void> {
  const { owner: from, row } = await requireManagedSubscription(ctx, subscriptionId)
  const to = await requireBillingOwner(ctx, organizationId)
  if (billingOwnerKey(from) === billingOwnerKey(to)) return
  const fromOrganization = 'organizationId' in from ? from.organizationId : undefined
  const data = { subscriptionId, from: billingOwnerKey(from), to: billingOwnerKey(to) }
  const move = () =>
    transaction(ctx, async (tx) => {
      // Events of the subscription and of its customer wait for these locks, and then follow the new owner.
      await takeAdvisoryLocks(statementsOf(tx), [`Customer:${row.customerId}`, `Subscription:${subscriptionId}`])
      // Role changes take the same locks.
      for (const id of [fromOrganization, organizationId].filter((one) => one !== undefined).toSorted())
        await lockOrganization(tx, id)
      if (fromOrganization !== undefined) {
        const member = await findMemberWithUser(tx, { organizationId: fromOrganization, userId: ctx.user.id })
        if (!isOwner(member?.role ?? ''))
          refuse('YOU_ARE_NOT_ALLOWED_TO_MANAGE_BILLING', { organizationId: fromOrganization })
      }
      if (!(await lockManagedBillingOwner(tx, to, ctx.user.id))) refuse('YOU_ARE_NOT_ALLOWED_TO_MANAGE_BILLING')
      if (!(await findOwnedSubscription(tx, from, subscriptionId))) refuse('SUBSCRIPTION_NOT_FOUND')
      await moveSubscription(tx, { subscriptionId, from, to })
      await record(tx, ctx, { type: 'payment.subscription_transferred', ...ownerEvent(ctx, to), data })
      if (fromOrganization !== undefined) {
        await record(tx, ctx, { type: 'payment.subscription_transferred', ...ownerEvent(ctx, from), data })
      }
    })
  // A change that is on its way is charged to the former owner.
  await withLease(ctx.db, { key: subscriptionLeaseKey(subscriptionId), clock: ctx.clock }, move)
}

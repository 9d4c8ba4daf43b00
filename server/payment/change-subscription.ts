import { z } from 'zod'
import type {
  CancelSubscription,
  ChangePlan,
  PlanPreview,
  SubscriptionNamed,
  TransferSubscription,
} from '../../shared/payment.ts'
import { record } from '../event/record.ts'
import { transaction } from '../foundation/database.ts'
import { callProvider } from '../foundation/dodo.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Caller, Context } from '../request/context.ts'
import { applySnapshot, fetchSnapshot } from './apply-snapshot.ts'
import { ownerEvent, ownerFor, ownerOfPurchase } from './find-owner.ts'
import { ownerKey } from './owner.ts'
import { findOrganizationOf, findOwnedSubscription, lockSubscription, moveSubscription } from './subscriptions.ts'

type Ctx = Context & Caller

/** The subscription and its owner, if the caller manages its billing. Others learn nothing of it. */
async function managedSubscription(ctx: Ctx, subscriptionId: string) {
  const owner = await ownerOfPurchase(ctx, await findOrganizationOf(ctx.db, subscriptionId))
  const row = owner && (await findOwnedSubscription(ctx.db, owner, subscriptionId))
  return row ? { owner, row } : refuse('SUBSCRIPTION_NOT_FOUND')
}

type Managed = Awaited<ReturnType<typeof managedSubscription>>
type Changes = Record<string, unknown>

/** Changes a subscription at the provider, and applies its answer without waiting for the event. */
async function update(ctx: Ctx, { row }: Managed, changes: Changes): Promise<void> {
  const { subscriptionId: id, eventAt: knownSince } = row
  const snapshot = await fetchSnapshot(ctx, 'subscription.updated', (client) =>
    client.subscriptions.update(id, changes).withResponse(),
  )
  await applySnapshot(ctx, snapshot, { id, knownSince })
}

/** Cancels a subscription at the end of the paid period, with the reason for the provider's reports. */
export async function cancelSubscription(ctx: Ctx, input: z.output<typeof CancelSubscription>): Promise<void> {
  const { subscriptionId, feedback, comment } = input
  const managed = await managedSubscription(ctx, subscriptionId)
  await update(ctx, managed, {
    cancel_at_next_billing_date: true,
    cancel_reason: 'cancelled_by_customer',
    ...(feedback !== undefined && { cancellation_feedback: feedback }),
    ...(comment !== undefined && { cancellation_comment: comment }),
  })
  const data = { subscriptionId, ...(feedback !== undefined && { reason: feedback }) }
  await record(ctx.db, ctx, { type: 'payment.subscription_canceled', ...ownerEvent(ctx, managed.owner), data })
}

/** Takes back a cancellation while the paid period lasts. */
export async function resumeSubscription(
  ctx: Ctx,
  { subscriptionId }: z.output<typeof SubscriptionNamed>,
): Promise<void> {
  const managed = await managedSubscription(ctx, subscriptionId)
  await update(ctx, managed, { cancel_at_next_billing_date: false })
  const event = { ...ownerEvent(ctx, managed.owner), data: { subscriptionId } }
  await record(ctx.db, ctx, { type: 'payment.subscription_resumed', ...event })
}

const Preview = z.object({
  immediate_charge: z.object({
    effective_at: z.string(),
    summary: z.object({ currency: z.string(), total_amount: z.number(), tax: z.number().nullish() }),
  }),
  new_plan: z.object({ recurring_pre_tax_amount: z.number(), currency: z.string() }),
})

/** What the provider would charge now, and then regularly, for another plan or quantity. */
export async function previewPlan(
  ctx: Ctx,
  { subscriptionId, productId, quantity }: z.output<typeof ChangePlan>,
): Promise<z.input<typeof PlanPreview>> {
  await managedSubscription(ctx, subscriptionId)
  const { immediate_charge: charge, new_plan: plan } = await callProvider(ctx.config.payments, Preview, (client) =>
    client.subscriptions.previewChangePlan(subscriptionId, planChange(productId, quantity)),
  )
  const { currency, total_amount: amount, tax } = charge.summary
  return {
    effectiveAt: charge.effective_at,
    now: { amount, currency, tax: tax ?? null },
    recurring: { amount: plan.recurring_pre_tax_amount, currency: plan.currency },
  }
}

/** Changes plan or quantity. The provider charges or credits the difference for the rest of the period at once. */
export async function changePlan(ctx: Ctx, input: z.output<typeof ChangePlan>): Promise<void> {
  const { subscriptionId, productId, quantity } = input
  const { owner, row } = await managedSubscription(ctx, subscriptionId)
  await callProvider(ctx.config.payments, z.unknown(), (client) =>
    client.subscriptions.changePlan(subscriptionId, planChange(productId, quantity)),
  )
  const data = { subscriptionId, productId, quantity }
  await record(ctx.db, ctx, { type: 'payment.plan_changed', ...ownerEvent(ctx, owner), data })
  const snapshot = await fetchSnapshot(ctx, 'subscription.updated', (client) =>
    client.subscriptions.retrieve(subscriptionId).withResponse(),
  )
  await applySnapshot(ctx, snapshot, { id: subscriptionId, knownSince: row.eventAt })
}

function planChange(product_id: string, quantity: number) {
  return { product_id, quantity, proration_billing_mode: 'prorated_immediately' as const }
}

const PaymentLink = z.object({ payment_link: z.url({ protocol: /^https?$/ }) })

/** The provider's page on which the payment method of a subscription is replaced. */
export async function updatePaymentMethod(ctx: Ctx, { subscriptionId }: z.output<typeof SubscriptionNamed>) {
  await managedSubscription(ctx, subscriptionId)
  const payment_method = { type: 'new' as const, return_url: `${ctx.config.appOrigin}/billing` }
  const { payment_link } = await callProvider(ctx.config.payments, PaymentLink, (client) =>
    client.subscriptions.updatePaymentMethod(subscriptionId, { payment_method }),
  )
  return { link: payment_link }
}

/** Moves a subscription to the caller, or to an organization whose billing the caller manages. */
export async function transferSubscription(
  ctx: Ctx,
  { subscriptionId, organizationId }: z.output<typeof TransferSubscription>,
): Promise<void> {
  const { owner } = await managedSubscription(ctx, subscriptionId)
  const to = await ownerFor(ctx, organizationId)
  if (ownerKey(owner) === ownerKey(to)) return
  await transaction(ctx, async (tx) => {
    // Events of the subscription wait, and then follow its new owner.
    await lockSubscription(tx, subscriptionId)
    if (!(await findOwnedSubscription(tx, owner, subscriptionId))) refuse('SUBSCRIPTION_NOT_FOUND')
    await moveSubscription(tx, subscriptionId, to)
    const data = { subscriptionId, from: ownerKey(owner), to: ownerKey(to) }
    await record(tx, ctx, { type: 'payment.subscription_transferred', ...ownerEvent(ctx, to), data })
  })
}

import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { columnsOf } from '../owner.ts'
import { Amount, Count, Id, Metadata, Party, Text, Time } from './fields.ts'
import { assignOwnerless, changeText, isNewer, keepOwner, upsert, type Notice, type PaymentObject } from './object.ts'

const Subscription = z.looseObject({
  subscription_id: Id,
  product_id: Text,
  quantity: Count,
  status: Text,
  currency: Text,
  recurring_pre_tax_amount: Amount,
  next_billing_date: Time,
  cancel_at_next_billing_date: z.boolean().catch(false),
  /** Present only in events; the REST API does not return it. */
  past_due_ends_at: Time,
  customer: Party,
  metadata: Metadata,
  created_at: Time,
})

/** A subscription in any of its states. */
export function readSubscription(data: unknown, at: Date): PaymentObject {
  const subscription = Subscription.parse(data)
  const { subscription_id: id, customer } = subscription
  const status = subscription.status ?? null
  return {
    table: 'Subscription',
    assign: assignOwnerless('Subscription', id),
    id,
    status,
    customer: customer ?? undefined,
    metadata: subscription.metadata ?? {},
    isPurchase: status === 'active',
    notice: noticeOf(subscription, at),
    until: subscription.past_due_ends_at ?? undefined,
    write(sql, { payload, eventAt, eventId }, owner) {
      const { userId, organizationId } = columnsOf(owner)
      return upsert(sql, 'subscription', upsertText, [
        id,
        subscription.product_id ?? '',
        subscription.quantity,
        status,
        subscription.currency ?? '',
        subscription.recurring_pre_tax_amount === null ? '0' : String(subscription.recurring_pre_tax_amount),
        subscription.next_billing_date,
        subscription.cancel_at_next_billing_date,
        customer?.customer_id ?? '',
        subscription.created_at ?? at,
        JSON.stringify(payload),
        eventAt,
        eventId,
        userId,
        organizationId,
        subscription.past_due_ends_at,
      ])
    },
  }
}

/** A cancelled subscription whose paid period has not ended is not reported as ended. */
function noticeOf(subscription: z.output<typeof Subscription>, at: Date): Notice | undefined {
  const { status, next_billing_date: next, cancel_at_next_billing_date: isEnding } = subscription
  if (status === 'on_hold') return 'subscriptionOnHold'
  if (status === 'past_due') return 'subscriptionPastDue'
  const hasEnded = status === 'expired' || (status === 'cancelled' && !(isEnding && next !== null && next > at))
  return hasEnded ? 'subscriptionEnded' : undefined
}

const upsertText = `
  with former as (
    select status, "cancelAtNextBillingDate" as "wasEnding",
      "userId" is null and "organizationId" is null as "hadNoOwner"
    from "Subscription" where "subscriptionId" = $1 for update),
  written as (
    insert into "Subscription" as t ("subscriptionId", "productId", quantity, status, currency, "recurringPreTaxAmount",
      "nextBillingDate", "cancelAtNextBillingDate", "customerId", "createdAt", payload, "eventAt", "eventId", "userId",
      "organizationId", "statusSince", "pastDueEndsAt")
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12, $13, $14, $15, $12, $16)
    on conflict ("subscriptionId") do update set
      "productId" = excluded."productId", quantity = excluded.quantity, status = excluded.status,
      currency = excluded.currency, "recurringPreTaxAmount" = excluded."recurringPreTaxAmount",
      "nextBillingDate" = excluded."nextBillingDate", "cancelAtNextBillingDate" = excluded."cancelAtNextBillingDate",
      "customerId" = coalesce(nullif(excluded."customerId", ''), t."customerId"), "createdAt" = excluded."createdAt", payload = excluded.payload,
      "eventAt" = excluded."eventAt", "eventId" = excluded."eventId", ${keepOwner},
      "pastDueEndsAt" = case when excluded.status = 'past_due'
        then coalesce(excluded."pastDueEndsAt", t."pastDueEndsAt") end,
      "statusSince" = case when t.status is not distinct from excluded.status
        then coalesce(t."statusSince", t."eventAt") else excluded."statusSince" end
    where ${isNewer('status', terminalStatuses.subscription)}
    returning 1)
  ${changeText}`

import { z } from 'zod'
import { terminalStatuses } from '../../../shared/payment.ts'
import { statement } from '../../foundation/statement.ts'
import { billingOwnerColumns } from '../billing-owner/billing-owner.ts'
import { Amount, Count, Id, Metadata, Party, Text, Time } from './fields.ts'
import { assignUnassigned, type Notice, type PaymentObject } from './object.ts'
import { returnChangeSql, isNewerSql, keepOwnerSql, upsert } from './upsert.ts'

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
    assign: assignUnassigned('Subscription', id),
    id,
    status,
    customer: customer ?? undefined,
    metadata: subscription.metadata ?? {},
    isCompleted: paidStatuses.some((paid) => paid === status),
    notice: noticeOf(subscription, at),
    until: subscription.past_due_ends_at ?? undefined,
    async write(sql, { payload, eventAt, eventId }, owner) {
      const row = subscriptions({
        subscriptionId: id,
        productId: subscription.product_id ?? '',
        quantity: subscription.quantity,
        status,
        currency: subscription.currency ?? '',
        recurringPreTaxAmount:
          subscription.recurring_pre_tax_amount === null ? '0' : String(subscription.recurring_pre_tax_amount),
        nextBillingDate: subscription.next_billing_date,
        cancelAtNextBillingDate: subscription.cancel_at_next_billing_date,
        customerId: customer?.customer_id ?? '',
        createdAt: subscription.created_at ?? at,
        payload: JSON.stringify(payload),
        eventAt,
        eventId,
        terminal: terminalStatuses.subscription,
        ...billingOwnerColumns(owner),
        statusSince: eventAt,
        pastDueEndsAt: subscription.past_due_ends_at,
      })
      const change = await upsert(sql, row)
      const { past_due_ends_at: pastDueEndsAt } = subscription
      // Only some events contain it. One that arrives late completes a newer one.
      if (pastDueEndsAt && !change.isNewer) await sql.query(completePastDue({ id, pastDueEndsAt, eventAt }))
      return change
    },
  }
}

/** The states that follow a first payment. A subscription that was never paid may end as cancelled or expired. */
const paidStatuses = ['active', 'past_due', 'on_hold', 'paused']

/** A cancelled subscription whose paid period has not ended is not reported as ended. */
function noticeOf(subscription: z.output<typeof Subscription>, at: Date): Notice | undefined {
  const { status, next_billing_date: next, cancel_at_next_billing_date: isEnding } = subscription
  if (status === 'on_hold') return 'subscriptionOnHold'
  if (status === 'past_due') return 'subscriptionPastDue'
  const hasEnded = status === 'expired' || (status === 'cancelled' && !(isEnding && next !== null && next > at))
  return hasEnded ? 'subscriptionEnded' : undefined
}

/** The late event is about the same state if it is not more than a day older than the beginning that is stored. */
const completePastDue = statement(
  'payments.completePastDue',
  `update "Subscription" set "pastDueEndsAt" = :pastDueEndsAt::timestamptz
  where "subscriptionId" = :id and status = 'past_due' and "pastDueEndsAt" is null
    and coalesce("statusSince", "eventAt") <= :eventAt::timestamptz + interval '1 day'`,
)

const subscriptions = statement(
  'payments.upsert.Subscription',
  `with former as (
    select status, "cancelAtNextBillingDate" as "wasCancelingAtPeriodEnd", "userId" is null and "organizationId" is null as "hadNoOwner"
    from "Subscription" where "subscriptionId" = :subscriptionId for update),
  written as (
    insert into "Subscription" as t (
      "subscriptionId", "productId", quantity, status, currency, "recurringPreTaxAmount", "nextBillingDate",
      "cancelAtNextBillingDate", "customerId", "statusSince", "pastDueEndsAt", "createdAt", payload, "eventAt",
      "eventId", "userId", "organizationId")
    values (
      :subscriptionId, :productId, :quantity, :status, :currency, :recurringPreTaxAmount, :nextBillingDate,
      :cancelAtNextBillingDate, :customerId, :statusSince, :pastDueEndsAt, :createdAt, :payload, :eventAt, :eventId,
      :userId, :organizationId)
    on conflict ("subscriptionId") do update set
      "productId" = excluded."productId",
      quantity = excluded.quantity,
      status = excluded.status,
      currency = excluded.currency,
      "recurringPreTaxAmount" = excluded."recurringPreTaxAmount",
      "nextBillingDate" = excluded."nextBillingDate",
      "cancelAtNextBillingDate" = excluded."cancelAtNextBillingDate",
      "customerId" = coalesce(nullif(excluded."customerId", ''), t."customerId"),
      "statusSince" = case when t.status is not distinct from excluded.status
        then coalesce(t."statusSince", t."eventAt") else excluded."statusSince" end,
      "pastDueEndsAt" = case when excluded.status = 'past_due'
        then coalesce(excluded."pastDueEndsAt", t."pastDueEndsAt") end,
      "createdAt" = excluded."createdAt",
      payload = excluded.payload,
      "eventAt" = excluded."eventAt",
      "eventId" = excluded."eventId",
      ${keepOwnerSql}
    where ${isNewerSql('status')}
    returning 1)
  ${returnChangeSql}`,
)

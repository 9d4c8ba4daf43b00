import type { Pool } from 'pg'
import type { z } from 'zod'
import { Prisma } from '../../../prisma/client/client.ts'
import { isEntitled, type SubscriptionRow } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import { beforeCursor, maxRows } from '../../foundation/lists.ts'
import { isRecord } from '../../foundation/records.ts'
import { daysAfter } from '../../foundation/time.ts'
import { withProductNames } from '../../purchase/product-names.ts'
import { ownedBy, selectCustomers } from '../attribution/owned-customers.ts'
import type { BillingOwner, BillingOwnerPage } from '../billing-owner/billing-owner.ts'
import { numberOf, textOf } from '../provider/payload.ts'

/**
 * Subscriptions of an owner that may grant access, oldest first, with the fields that decide whether they do. One
 * prepared statement, because applications ask for entitlements with each of their requests, and planning it takes
 * longer than running it.
 */
export async function findEntitlingSubscriptions(pool: Pool, owner: BillingOwner): Promise<EntitlingRow[]> {
  const own =
    'userId' in owner ? Prisma.sql`"userId" = ${owner.userId}` : Prisma.sql`"organizationId" = ${owner.organizationId}`
  const { text, values } = Prisma.sql`
    with customers as (${selectCustomers(owner)}),
    owned as (
      select * from "Subscription" where ${own}
      union all
      select s.* from "Subscription" s join customers using ("customerId")
        where s."userId" is null and s."organizationId" is null)
    select o."productId", p.name, o.quantity, o.status, o."nextBillingDate", o."cancelAtNextBillingDate",
      coalesce(o."statusSince", o."eventAt") as since, o."pastDueEndsAt"
    from owned o left join "Product" p using ("productId")
    where o.status in ('active', 'past_due', 'on_hold', 'cancelled')
    order by o."createdAt", o."subscriptionId" limit ${maxRows}`
  const name = 'userId' in owner ? 'entitlements.user' : 'entitlements.organization'
  const { rows } = await pool.query<EntitlingRow>({ name, text, values })
  return rows
}

type EntitlingRow = {
  productId: string
  /** Name of the product. Null if it was never read from the payment provider. */
  name: string | null
  quantity: number
  status: string
  nextBillingDate: Date | null
  cancelAtNextBillingDate: boolean
  since: Date
  pastDueEndsAt: Date | null
}

type Grace = { now: Date; graceSeconds: number }

/** Subscriptions of an owner, newest first. */
export async function listSubscriptions(
  db: Db,
  { owner, limit = maxRows, cursor }: BillingOwnerPage,
  grace: Grace,
): Promise<z.input<typeof SubscriptionRow>[]> {
  const owned = await ownedBy(db, owner)
  const from =
    cursor === undefined ? undefined : await db.subscription.findFirst({ where: { subscriptionId: cursor, ...owned } })
  if (from === null) return []
  const older = from && beforeCursor(from, 'subscriptionId')
  const rows = await db.subscription.findMany({
    where: older ? { AND: [owned, older] } : owned,
    orderBy: [{ createdAt: 'desc' }, { subscriptionId: 'desc' }],
    take: limit,
  })
  return (await withProductNames(db, rows)).map((row) => ({
    id: row.subscriptionId,
    productId: row.productId,
    productName: row.productName,
    quantity: row.quantity,
    status: row.status,
    amount: Number(row.recurringPreTaxAmount),
    currency: row.currency,
    isTaxIncluded: booleanOf(row.payload, 'tax_inclusive'),
    interval: textOf(row.payload, 'payment_frequency_interval'),
    intervalCount: numberOf(row.payload, 'payment_frequency_count'),
    nextBillingDate: row.nextBillingDate,
    trialEndsAt: trialEndOf(row, grace.now),
    pastDueEndsAt: row.pastDueEndsAt,
    cancelAtNextBillingDate: row.cancelAtNextBillingDate,
    createdAt: row.createdAt,
    isEntitled: isEntitled({ ...row, since: row.statusSince ?? row.eventAt }, grace),
  }))
}

/** The end of a subscription's trial. Null without a trial, or after it. */
export function trialEndOf({ payload, createdAt }: { payload: unknown; createdAt: Date }, now: Date): Date | null {
  const days = numberOf(payload, 'trial_period_days') ?? 0
  const end = daysAfter(createdAt, days)
  return days > 0 && end > now ? end : null
}

function booleanOf(payload: unknown, name: string): boolean | null {
  const value = isRecord(payload) ? payload[name] : undefined
  return typeof value === 'boolean' ? value : null
}

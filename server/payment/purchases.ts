import type { z } from 'zod'
import { type LicenseKeyRow, type PaymentRow, type SubscriptionRow, isEntitled } from '../../shared/payment.ts'
import type { Tx } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { ownedBy } from './attribution.ts'
import type { Owner } from './owner.ts'

type Paged = { owner: Owner; limit?: number | undefined; cursor?: string | undefined }

/** Rows of one page where the call names no number: lists of payments grow for years. */
const defaultPageSize = 25

/** Newest first, each with what came back of it. */
export async function listPayments(
  tx: Tx,
  { owner, limit = defaultPageSize, cursor }: Paged,
): Promise<z.input<typeof PaymentRow>[]> {
  const owned = await ownedBy(tx, owner)
  const from = cursor === undefined ? undefined : await tx.payment.findFirst({ where: { paymentId: cursor, ...owned } })
  if (from === null) return []
  const older = from && {
    OR: [{ createdAt: { lt: from.createdAt } }, { createdAt: from.createdAt, paymentId: { lt: from.paymentId } }],
  }
  const payments = await tx.payment.findMany({
    where: older ? { AND: [owned, older] } : owned,
    orderBy: [{ createdAt: 'desc' }, { paymentId: 'desc' }],
    take: limit,
  })
  const refunds = await tx.refund.findMany({
    where: { paymentId: { in: payments.map(({ paymentId }) => paymentId) } },
    orderBy: [{ createdAt: 'asc' }, { refundId: 'asc' }],
  })
  return payments.map((payment) => {
    const own = refunds.filter(({ paymentId }) => paymentId === payment.paymentId)
    const back = own.filter(({ status }) => status === 'succeeded')
    return {
      id: payment.paymentId,
      status: payment.status,
      amount: Number(payment.totalAmount),
      currency: payment.currency,
      createdAt: payment.createdAt,
      subscriptionId: payment.subscriptionId,
      cardLastFour: textOf(payment.payload, 'card_last_four'),
      errorMessage: textOf(payment.payload, 'error_message'),
      invoiceUrl: httpsOf(payment.payload, 'invoice_url'),
      refunds: own.map(({ refundId, status, amount, createdAt }) => ({
        id: refundId,
        status,
        amount: amount === null ? null : Number(amount),
        createdAt,
      })),
      refunded: back.reduce((sum, refund) => sum + amountOf(refund, payment), 0),
    }
  })
}

type Grace = { now: Date; graceSeconds: number }

/** Bounded by what one buyer subscribes to; newest first. */
export async function listSubscriptions(
  tx: Tx,
  { owner, limit = defaultPageSize, cursor }: Paged,
  grace: Grace,
): Promise<z.input<typeof SubscriptionRow>[]> {
  const owned = await ownedBy(tx, owner)
  const from =
    cursor === undefined ? undefined : await tx.subscription.findFirst({ where: { subscriptionId: cursor, ...owned } })
  if (from === null) return []
  const older = from && {
    OR: [
      { createdAt: { lt: from.createdAt } },
      { createdAt: from.createdAt, subscriptionId: { lt: from.subscriptionId } },
    ],
  }
  const rows = await tx.subscription.findMany({
    where: older ? { AND: [owned, older] } : owned,
    orderBy: [{ createdAt: 'desc' }, { subscriptionId: 'desc' }],
    take: limit,
  })
  return rows.map((row) => ({
    id: row.subscriptionId,
    productId: row.productId,
    quantity: row.quantity,
    status: row.status,
    amount: Number(row.recurringPreTaxAmount),
    currency: row.currency,
    interval: textOf(row.payload, 'payment_frequency_interval'),
    nextBillingDate: row.nextBillingDate,
    cancelAtNextBillingDate: row.cancelAtNextBillingDate,
    createdAt: row.createdAt,
    isEntitled: isEntitled({ ...row, since: row.statusSince ?? row.eventAt }, grace),
  }))
}

export async function listLicenseKeys(
  tx: Tx,
  { owner, limit = defaultPageSize, cursor }: Paged,
): Promise<z.input<typeof LicenseKeyRow>[]> {
  const owned = await ownedBy(tx, owner)
  const from = cursor === undefined ? undefined : await tx.licenseKey.findFirst({ where: { id: cursor, ...owned } })
  if (from === null) return []
  const older = from && {
    OR: [{ createdAt: { lt: from.createdAt } }, { createdAt: from.createdAt, id: { lt: from.id } }],
  }
  return tx.licenseKey.findMany({
    where: older ? { AND: [owned, older] } : owned,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  })
}

/** Payments that are summed up at the most: fourteen a day for a year. */
const maxSummed = 5_000

/** Twelve months at the most, by month and currency: payments that succeeded, less what came back. */
export async function paidMonths(
  tx: Tx,
  owner: Owner,
  now: Date,
): Promise<{ month: string; currency: string; amount: number }[]> {
  const owned = await ownedBy(tx, owner)
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1))
  const payments = await tx.payment.findMany({
    where: { AND: [owned, { status: 'succeeded', createdAt: { gte: since } }] },
    orderBy: { createdAt: 'desc' },
    take: maxSummed,
  })
  const refunds = await tx.refund.findMany({
    where: { paymentId: { in: payments.map(({ paymentId }) => paymentId) }, status: 'succeeded' },
  })
  const byPayment = new Map<string, typeof refunds>()
  for (const refund of refunds) byPayment.set(refund.paymentId, [...(byPayment.get(refund.paymentId) ?? []), refund])
  const sums = new Map<string, number>()
  for (const payment of payments) {
    const back = byPayment.get(payment.paymentId) ?? []
    const returned = back.reduce((sum, refund) => sum + amountOf(refund, payment), 0)
    const month = `${payment.createdAt.toISOString().slice(0, 7)} ${payment.currency}`
    sums.set(month, (sums.get(month) ?? 0) + Number(payment.totalAmount) - returned)
  }
  return [...sums]
    .map(([key, amount]) => ({ month: key.slice(0, 7), currency: key.slice(8), amount }))
    .toSorted((a, b) => a.month.localeCompare(b.month) || a.currency.localeCompare(b.currency))
}

/** An amount that the refund does not tell stands in its payment's list; of a whole refund it is the payment's own. */
function amountOf(
  { refundId, amount, isPartial }: { refundId: string; amount: bigint | null; isPartial: boolean },
  { payload, totalAmount }: { payload: unknown; totalAmount: bigint },
): number {
  if (amount !== null) return Number(amount)
  const listed = isRecord(payload) && Array.isArray(payload['refunds']) ? payload['refunds'] : []
  const own: unknown = listed.find((one: unknown) => isRecord(one) && one['refund_id'] === refundId)
  if (isRecord(own) && typeof own['amount'] === 'number') return own['amount']
  return isPartial ? 0 : Number(totalAmount)
}

function textOf(payload: unknown, name: string): string | null {
  const value = isRecord(payload) ? payload[name] : undefined
  return typeof value === 'string' ? value : null
}

function httpsOf(payload: unknown, name: string): string | null {
  const text = textOf(payload, name)
  return text?.startsWith('https://') ? text : null
}

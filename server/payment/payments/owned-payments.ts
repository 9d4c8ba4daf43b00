import type { z } from 'zod'
import type { Prisma } from '../../../prisma/client/client.ts'
import type { Payment } from '../../../prisma/client/client.ts'
import { minorUnits, usualDigits } from '../../../shared/money.ts'
import type { paymentFilters } from '../../../shared/payment-filter.ts'
import type { PaymentRow, PaymentsPage, SearchPayments } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import { beforeCursor, containing, maxRows } from '../../foundation/lists.ts'
import { ownedBy } from '../attribution/owned-customers.ts'
import type { BillingOwner, BillingOwnerPage } from '../billing-owner/billing-owner.ts'
import { httpsOf, textOf } from '../provider/payload.ts'
import { amountOf } from './refunds.ts'

/** Payments of an owner, newest first, each with its refunds. */
export async function listPayments(
  db: Db,
  { owner, limit = maxRows, cursor }: BillingOwnerPage,
): Promise<z.input<typeof PaymentRow>[]> {
  const owned = await ownedBy(db, owner)
  const from = cursor === undefined ? undefined : await db.payment.findFirst({ where: { paymentId: cursor, ...owned } })
  if (from === null) return []
  const older = from && beforeCursor(from, 'paymentId')
  const payments = await db.payment.findMany({
    where: older ? { AND: [owned, older] } : owned,
    orderBy: [{ createdAt: 'desc' }, { paymentId: 'desc' }],
    take: limit,
  })
  return withRefunds(db, payments)
}

/** A page of an owner's payments for their table. */
export async function searchPayments(
  db: Db,
  owner: BillingOwner,
  { search = '', status, sort, descending, limit, offset }: z.output<typeof SearchPayments>,
): Promise<z.input<typeof PaymentsPage>> {
  const owned = await ownedBy(db, owner)
  const where: Prisma.PaymentWhereInput = {
    AND: [
      owned,
      ...(status === undefined ? [] : [await whereStatus(db, owned, status)]),
      ...(search.trim() === '' ? [] : [matching(search.trim())]),
    ],
  }
  const direction = descending ? ('desc' as const) : ('asc' as const)
  const by = sort === 'date' ? { createdAt: direction } : { totalAmount: direction }
  const [total, payments] = await Promise.all([
    db.payment.count({ where }),
    db.payment.findMany({ where, orderBy: [by, { paymentId: 'asc' }], skip: offset, take: limit }),
  ])
  return { payments: await withRefunds(db, payments), total }
}

/** Payments that a search text may refer to: by id, amount or card. */
function matching(typed: string): Prisma.PaymentWhereInput {
  return {
    OR: [
      ...(typed.length < minIdPart ? [] : [{ paymentId: containing(typed) }]),
      { payload: { path: ['card_last_four'], equals: typed } },
      ...ofAmount(typed),
    ],
  }
}

/** Payments of the amount in the search text, in each currency whose minor units have that number of decimals. */
function ofAmount(typed: string): Prisma.PaymentWhereInput[] {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:[.,](\d{1,4}))?$/.exec(typed) ?? []
  if (whole === undefined) return []
  const special = Object.keys(minorUnits)
  return [...new Set([usualDigits, ...Object.values(minorUnits)])]
    .filter((digits) => decimals.length <= digits)
    .map((digits) => ({
      totalAmount: Number(whole + decimals.padEnd(digits, '0')),
      currency:
        digits === usualDigits ? { notIn: special } : { in: special.filter((code) => minorUnits[code] === digits) },
    }))
}

/** Minimum length of a partial id. Shorter texts match too many of the random ids. */
const minIdPart = 6

/** Payments with a status. Refunded ones are found through their refunds, which have no owner of their own. */
async function whereStatus(db: Db, owned: Prisma.PaymentWhereInput, status: (typeof paymentFilters)[number]) {
  if (status !== 'refunded') return { status }
  const payments = await db.payment.findMany({ where: owned, select: { paymentId: true }, take: maxSearchedForRefunds })
  const refunds = await db.refund.findMany({
    where: { status: 'succeeded', paymentId: { in: payments.map(({ paymentId }) => paymentId) } },
    select: { paymentId: true },
  })
  return { paymentId: { in: refunds.map(({ paymentId }) => paymentId) } }
}

/** Maximum number of an owner's payments among which refunded ones are searched. */
const maxSearchedForRefunds = 10_000

/** Payments with their refunds, by one more statement. */
async function withRefunds(db: Db, payments: readonly Payment[]): Promise<z.input<typeof PaymentRow>[]> {
  const refunds = await db.refund.findMany({
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

/** Whether a payment, and the given refund of it, belongs to this owner. */
export async function isOwnedPayment(
  db: Db,
  owner: BillingOwner,
  { paymentId, refundId }: { paymentId: string; refundId: string | undefined },
): Promise<boolean> {
  const owned = await ownedBy(db, owner)
  const payment = await db.payment.findFirst({ where: { paymentId, ...owned }, select: { paymentId: true } })
  if (!payment || refundId === undefined) return payment !== null
  return (await db.refund.count({ where: { refundId, paymentId } })) === 1
}

/** Maximum number of payments that are summed: fourteen a day for a year. */
const maxSummed = 5_000

/** Successful payments less refunds, by month and currency, of the last twelve months. */
export async function sumPaymentsByMonth(
  db: Db,
  owner: BillingOwner,
  now: Date,
): Promise<{ month: string; currency: string; amount: number }[]> {
  const owned = await ownedBy(db, owner)
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1))
  const payments = await db.payment.findMany({
    where: { AND: [owned, { status: 'succeeded', createdAt: { gte: since } }] },
    orderBy: { createdAt: 'desc' },
    take: maxSummed,
  })
  const refunds = await db.refund.findMany({
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

import type { z } from 'zod'
import type { Payment } from '../../../prisma/client/client.ts'
import type { paymentFilters } from '../../../shared/payment-filter.ts'
import type { AllPaymentsPage, AnyPaymentRow, SearchAllPayments } from '../../../shared/payment.ts'
import type { Tx } from '../../foundation/database.ts'
import { maxRows } from '../../foundation/lists.ts'
import { emailsOfCustomers } from '../ownership/customers.ts'
import { listDisputed } from './disputes.ts'
import { amountOf, isOngoingRefund, refundKey } from './refunds.ts'

/** A page of the payments of all owners, for their table. */
export async function searchAllPayments(
  tx: Tx,
  { search = '', status, descending, limit, offset }: z.output<typeof SearchAllPayments>,
  now: Date,
): Promise<z.input<typeof AllPaymentsPage>> {
  const where = { AND: [await matching(tx, search), status === undefined ? {} : await whereStatus(tx, status)] }
  const direction = descending ? ('desc' as const) : ('asc' as const)
  const [total, payments] = await Promise.all([
    tx.payment.count({ where }),
    tx.payment.findMany({
      where,
      orderBy: [{ createdAt: direction }, { paymentId: direction }],
      skip: offset,
      take: limit,
    }),
  ])
  return { payments: await withCustomers(tx, payments, now), total }
}

/** Payments with their customers' addresses, and what is known about their refunds and disputes. */
export async function withCustomers(
  tx: Tx,
  payments: readonly Payment[],
  now: Date,
): Promise<z.input<typeof AnyPaymentRow>[]> {
  const paymentIds = payments.map(({ paymentId }) => paymentId)
  const refunds = await tx.refund.findMany({ where: { paymentId: { in: paymentIds } } })
  const requested = await tx.providerRequest.findMany({
    where: { key: { in: paymentIds.map(refundKey) }, result: { not: null }, expiresAt: { gt: now } },
    select: { key: true, result: true },
  })
  const disputed = await listDisputed(tx, paymentIds)
  const emails = await emailsOfCustomers(tx, payments)
  return payments.map((payment) => {
    const { paymentId: id, status, totalAmount, currency, createdAt, customerId } = payment
    const own = refunds.filter(({ paymentId }) => paymentId === id)
    const refunded = own
      .filter((refund) => refund.status === 'succeeded')
      .reduce((sum, refund) => sum + amountOf(refund, payment), 0)
    const request = requested.find(({ key }) => key === refundKey(id))
    const hasFailed = own.some(({ refundId, status }) => refundId === request?.result && status === 'failed')
    const isRefunding =
      refunded < Number(totalAmount) &&
      (own.some((refund) => isOngoingRefund(refund.status)) || (request !== undefined && !hasFailed))
    const isDisputed = disputed.has(id)
    const states = { refunded, isRefunding, isDisputed }
    const email = emails.get(customerId) ?? null
    return { id, status, amount: Number(totalAmount), currency, createdAt, customerId, email, ...states }
  })
}

/** Maximum number of refunds by which refunded payments are found, the newest ones. */
const maxRefunds = 10_000

async function whereStatus(tx: Tx, status: (typeof paymentFilters)[number]) {
  if (status !== 'refunded') return { status }
  const refunds = await tx.refund.findMany({
    where: { status: 'succeeded' },
    orderBy: { createdAt: 'desc' },
    take: maxRefunds,
    select: { paymentId: true },
  })
  return { paymentId: { in: refunds.map(({ paymentId }) => paymentId) } }
}

async function matching(tx: Tx, search: string) {
  if (search === '') return {}
  const customers = await tx.customer.findMany({
    where: { email: search.toLowerCase() },
    select: { customerId: true },
    take: maxRows,
  })
  const customerIds = [search, ...customers.map(({ customerId }) => customerId)]
  const ofOwner = [{ userId: search }, { organizationId: search }]
  return { OR: [{ paymentId: search }, { customerId: { in: customerIds } }, ...ofOwner] }
}

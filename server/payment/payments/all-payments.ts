import type { z } from 'zod'
import { type Payment, Prisma } from '../../../prisma/client/client.ts'
import type { paymentFilters } from '../../../shared/payment-filter.ts'
import type { AllPaymentsPage, AdministeredPayment, SearchAllPayments } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import { maxRows } from '../../foundation/lists.ts'
import { counterOf, type ReadOptions, totalOf } from '../../foundation/totals.ts'
import { emailsOfCustomers } from '../attribution/customers.ts'
import { findDisputedPaymentIds } from './disputes.ts'
import { amountOf, isOngoingRefund, refundLeaseKey } from './refunds.ts'

/** A page of the payments of all owners, for their table. */
export async function searchAllPayments(
  db: Db,
  { search = '', status, descending, limit, offset }: z.output<typeof SearchAllPayments>,
  reading: ReadOptions,
): Promise<z.input<typeof AllPaymentsPage>> {
  const where = Prisma.join([await matching(db, search), whereStatus(status)], ' and ')
  const direction = descending ? Prisma.sql`desc` : Prisma.sql`asc`
  const order = Prisma.sql`p."createdAt" ${direction}, p."paymentId" ${direction}`
  const payments = await db.$queryRaw<ListedPayment[]>`
    select p."paymentId", p.status, p."totalAmount", p.currency, p."customerId", p."createdAt", p.payload from "Payment" p
    where ${where} order by ${order} limit ${limit} offset ${offset}`
  const total = await totalOf(
    { offset, limit, rows: payments.length },
    {
      database: db,
      key: JSON.stringify(['Payment', where.sql, where.values]),
      count: counterOf(db, Prisma.sql`"Payment" p where ${where}`),
    },
    reading,
  )
  return { payments: await toAdministeredPayments(db, payments, reading.now), total }
}

type ListedPayment = Pick<
  Payment,
  'paymentId' | 'status' | 'totalAmount' | 'currency' | 'customerId' | 'createdAt' | 'payload'
>

/** Payments with their customers' addresses, and what is known about their refunds and disputes. */
export async function toAdministeredPayments(
  db: Db,
  payments: readonly ListedPayment[],
  now: Date,
): Promise<z.input<typeof AdministeredPayment>[]> {
  const paymentIds = payments.map(({ paymentId }) => paymentId)
  const refunds = await db.refund.findMany({ where: { paymentId: { in: paymentIds } } })
  const requested = await db.lease.findMany({
    where: { key: { in: paymentIds.map(refundLeaseKey) }, result: { not: null }, expiresAt: { gt: now } },
    select: { key: true, result: true },
  })
  const disputed = await findDisputedPaymentIds(db, paymentIds)
  const emails = await emailsOfCustomers(db, payments)
  return payments.map((payment) => {
    const { paymentId: id, status, totalAmount, currency, createdAt, customerId } = payment
    const own = refunds.filter(({ paymentId }) => paymentId === id)
    const refunded = own
      .filter((refund) => refund.status === 'succeeded')
      .reduce((sum, refund) => sum + amountOf(refund, payment), 0)
    const request = requested.find(({ key }) => key === refundLeaseKey(id))
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

function whereStatus(status: (typeof paymentFilters)[number] | undefined): Prisma.Sql {
  if (status === undefined) return Prisma.sql`true`
  if (status !== 'refunded') return Prisma.sql`p.status = ${status}`
  return Prisma.sql`exists (select from "Refund" r where r."paymentId" = p."paymentId" and r.status = 'succeeded')`
}

async function matching(db: Db, search: string): Promise<Prisma.Sql> {
  if (search === '') return Prisma.sql`true`
  const customers = await db.customer.findMany({
    where: { email: search.toLowerCase() },
    select: { customerId: true },
    take: maxRows,
  })
  const customerIds = [search, ...customers.map(({ customerId }) => customerId)]
  const ofOwner = Prisma.sql`p."userId" = ${search} or p."organizationId" = ${search}`
  return Prisma.sql`(p."paymentId" = ${search} or p."customerId" = any (${customerIds}) or ${ofOwner})`
}

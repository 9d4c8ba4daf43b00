import type { z } from 'zod'
import { Prisma } from '../../../prisma/client/client.ts'
import type { RevenueFigures } from '../../../shared/payment.ts'
import type { Db } from '../../foundation/database.ts'
import { daysBefore } from '../../foundation/time.ts'
import { createStatisticsCache, type ReadOptions } from '../../foundation/totals.ts'
import { refundAmountSql } from './refunds.ts'

/** Days that count as recent. */
const recentDays = 30

/**
 * Revenue from our own rows: recurring amounts, subscriptions that ended, failed payments, and totals by month, from
 * which refunds and payments whose dispute was lost, accepted or expired are subtracted. In large tables, the figures
 * are cached for up to 30 seconds.
 */
export function revenueFigures(db: Db, reading: ReadOptions): Promise<Figures> {
  return figures(db, reading, () => readFigures(db, reading.now))
}

type Figures = z.input<typeof RevenueFigures>

const figures = createStatisticsCache<Figures>(['Payment', 'Subscription', 'Refund'])

async function readFigures(db: Db, now: Date): Promise<Figures> {
  const recent = daysBefore(now, recentDays)
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1))
  // Weeks and days are converted with the length of an average month.
  const recurring = await db.$queryRaw<{ currency: string; amount: number; count: number }[]>`
    select currency, count(*)::int as count, round(sum("recurringPreTaxAmount" /
      greatest(case when jsonb_typeof(payload->'payment_frequency_count') = 'number'
        then (payload->>'payment_frequency_count')::numeric else 1 end, 1) *
      case payload->>'payment_frequency_interval'
        when 'Year' then 1 / 12.0 when 'Week' then 52 / 12.0 when 'Day' then 365 / 12.0 else 1 end))::float8 as amount
    from "Subscription" where status in ('active', 'past_due') group by currency order by currency`
  const endedRecently = await db.subscription.count({
    where: { status: { in: ['cancelled', 'expired'] }, statusSince: { gte: recent } },
  })
  const failedRecently = await db.payment.count({ where: { status: 'failed', createdAt: { gte: recent } } })
  const months = await db.$queryRaw<{ month: string; currency: string; amount: number }[]>`
    select to_char(p."createdAt", 'YYYY-MM') as month, p.currency,
      sum(p."totalAmount" - coalesce(r.returned, 0))::float8 as amount
    from "Payment" p left join lateral (
      select sum(${Prisma.raw(refundAmountSql)}) as returned
      from "Refund" r where r."paymentId" = p."paymentId" and r.status = 'succeeded') r on true
    where p.status = 'succeeded' and p."createdAt" >= ${since} and not exists (
      select from "Dispute" d where d."paymentId" = p."paymentId" and d."disputeStatus" in ('dispute_lost', 'dispute_accepted', 'dispute_expired'))
    group by 1, 2 order by 1, 2`
  return {
    recurring: recurring.map(({ currency, amount }) => ({ currency, amount })),
    activeOrPastDue: recurring.reduce((sum, { count }) => sum + count, 0),
    endedRecently,
    failedRecently,
    months,
  }
}

import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type { Overview } from '../../shared/installation.ts'
import { firstEventId } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { daysAfter, daysBefore } from '../foundation/time.ts'

/** Number of days in an overview. */
const days = 30

/** The UTC day of a timestamp, as 2026-11-24. */
const dayOf = (column: Prisma.Sql) => Prisma.sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`

/** Seconds from the cause of an email to its delivery. */
const deliverySeconds = Prisma.sql`extract(epoch from "deliveredAt" - "createdAt")`

type Totals = Pick<
  z.output<typeof Overview>,
  'users' | 'organizations' | 'activeUsers' | 'waitingMails' | 'failedJobs' | 'failingEndpoints'
>

/** Totals of the installation, and figures of the last thirty days. */
export async function readOverview(
  tx: Tx,
  { now, hasMailServer }: { now: Date; hasMailServer: boolean },
): Promise<z.output<typeof Overview>> {
  const from = daysBefore(now, days - 1)
  from.setUTCHours(0, 0, 0, 0)
  const totals = await readTotals(tx, from)
  const created = Prisma.sql`"createdAt" >= ${from}`
  const signedIn = Prisma.sql`type = 'user.signed_in' and id >= ${firstEventId(from)}`
  return {
    ...totals,
    waitingMails: hasMailServer ? totals.waitingMails : null,
    activeUsersByDay: await readActiveUsersByDay(tx, from),
    signUps: await countByDay(tx, { from, table: Prisma.sql`"User"`, at: Prisma.sql`"createdAt"`, where: created }),
    signIns: await countByDay(tx, { from, table: Prisma.sql`"Event"`, at: Prisma.sql`at`, where: signedIn }),
    newOrganizations: await countByDay(tx, {
      from,
      table: Prisma.sql`"Organization"`,
      at: Prisma.sql`"createdAt"`,
      where: created,
    }),
    deliveryByDay: await readDeliveryByDay(tx, from),
    deliveryOfLastDay: await readDelivery(tx, daysBefore(now, 1)),
  }
}

async function readTotals(tx: Tx, from: Date): Promise<Totals> {
  const [totals] = await tx.$queryRaw<Totals[]>`
    select (select count(*)::int from "User") as users, (select count(*)::int from "Organization") as organizations,
      (select count(*)::int from (
        select "userId" from "Session" where "updatedAt" >= ${from} and "impersonatedBy" is null
        union select "subjectId" from "Event" where type = 'user.signed_in' and "subjectId" is not null and id >= ${firstEventId(from)}) as active) as "activeUsers",
      (select count(*)::int from "Mail" where "deliveredAt" is null and "givenUpAt" is null) as "waitingMails",
      (select count(*)::int from graphile_worker.jobs where last_error is not null) as "failedJobs",
      (select count(*)::int from "WebhookEndpoint" where "failingSince" is not null or not "isEnabled") as "failingEndpoints"`
  if (!totals) throw new Error('A select without a table returned no row')
  return totals
}

type Counted = { from: Date; table: Prisma.Sql; at: Prisma.Sql; where: Prisma.Sql }

async function countByDay(tx: Tx, { from, table, at, where }: Counted): Promise<{ day: string; count: number }[]> {
  const rows = await tx.$queryRaw<{ day: string; count: number }[]>`
    select ${dayOf(at)} as day, count(*)::int as count from ${table} where ${where} group by 1`
  return daysFrom(from).map((day) => ({ day, count: rows.find((row) => row.day === day)?.count ?? 0 }))
}

/** The counts of days on which the installation ran. */
async function readActiveUsersByDay(tx: Tx, from: Date): Promise<z.output<typeof Overview>['activeUsersByDay']> {
  const rows = await tx.activeUserCount.findMany({ where: { day: { gte: from } } })
  const counts = new Map(rows.map(({ day, users }) => [day.toISOString().slice(0, 10), users]))
  return daysFrom(from).map((day) => ({ day, count: counts.get(day) ?? null }))
}

/** The median of each day's emails in seconds. Null for days without emails. */
async function readDeliveryByDay(tx: Tx, from: Date): Promise<z.output<typeof Overview>['deliveryByDay']> {
  const rows = await tx.$queryRaw<{ day: string; median: number }[]>`
    select ${dayOf(Prisma.sql`"createdAt"`)} as day, percentile_cont(0.5) within group (order by ${deliverySeconds})::float as median
    from "Mail" where "deliveredAt" is not null and "createdAt" >= ${from} group by 1`
  return daysFrom(from).map((day) => ({ day, median: rows.find((row) => row.day === day)?.median ?? null }))
}

/** Median and 95th percentile in seconds. Null if there were no emails. */
async function readDelivery(tx: Tx, from: Date): Promise<z.output<typeof Overview>['deliveryOfLastDay']> {
  const [row] = await tx.$queryRaw<{ median: number | null; p95: number | null }[]>`
    select percentile_cont(0.5) within group (order by ${deliverySeconds})::float as median,
      percentile_cont(0.95) within group (order by ${deliverySeconds})::float as p95
    from "Mail" where "deliveredAt" is not null and "createdAt" >= ${from}`
  const { median = null, p95 = null } = row ?? {}
  return median === null || p95 === null ? null : { median, p95 }
}

function daysFrom(from: Date): string[] {
  return Array.from({ length: days }, (_, n) => daysAfter(from, n).toISOString().slice(0, 10))
}

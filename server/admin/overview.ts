import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type { Overview } from '../../shared/installation.ts'
import { firstEventId } from '../event/event-ids.ts'
import type { Db } from '../foundation/database.ts'
import { daysAfter, daysBefore } from '../foundation/time.ts'
import { createStatisticsCache, type ReadOptions } from '../foundation/totals.ts'

/** Number of days in an overview. */
const days = 30

/** Seconds from the cause of an email to its delivery. */
const mailDelaySeconds = Prisma.sql`extract(epoch from "sentAt" - "createdAt")`

type Totals = Pick<
  z.output<typeof Overview>,
  | 'users'
  | 'organizations'
  | 'activeUsers'
  | 'queuedMails'
  | 'failedJobs'
  | 'failingEndpoints'
  | 'rejectedMails'
  | 'openDisputes'
>

/** Totals of the installation, and figures of the last thirty days. Of many rows, at most 30 seconds old. */
export function readOverview(db: Db, reading: ReadOptions, mails: { hasMailServer: boolean }): Promise<Figures> {
  return figures(db, reading, () => readFigures(db, { now: reading.now, ...mails }))
}

type Figures = z.output<typeof Overview>

const figures = createStatisticsCache<Figures>(['User', 'Session', 'Event', 'Mail'])

async function readFigures(db: Db, { now, hasMailServer }: { now: Date; hasMailServer: boolean }): Promise<Figures> {
  const from = daysBefore(now, days - 1)
  from.setUTCHours(0, 0, 0, 0)
  // Three at a time: one after another takes twice as long, and each holds a connection. The longest is that of the
  // totals.
  const [totals, byDay, deliveries] = await Promise.all([
    readTotals(db, from),
    readCountsByDay(db, from),
    readMailDelays(db, from, now),
  ])
  return { ...totals, ...byDay, ...deliveries, queuedMails: hasMailServer ? totals.queuedMails : null }
}

type ByDay = Pick<z.output<typeof Overview>, 'signUps' | 'signIns' | 'newOrganizations' | 'activeUsersByDay'>

async function readCountsByDay(db: Db, from: Date): Promise<ByDay> {
  return {
    signIns: await countByDay(db, from, {
      table: Prisma.sql`"Event"`,
      isOfDay: (day, next) =>
        Prisma.sql`type = 'user.signed_in' and id >= ${firstEventId(day)} and id < ${firstEventId(next)}`,
    }),
    signUps: await countByDay(db, from, { table: Prisma.sql`"User"`, isOfDay: isCreated }),
    newOrganizations: await countByDay(db, from, { table: Prisma.sql`"Organization"`, isOfDay: isCreated }),
    activeUsersByDay: await readActiveUsersByDay(db, from),
  }
}

const isCreated = (day: Date, next: Date) => Prisma.sql`"createdAt" >= ${day} and "createdAt" < ${next}`

type MailDelays = Pick<z.output<typeof Overview>, 'mailDelayByDay' | 'mailDelayOfLastDay'>

async function readMailDelays(db: Db, from: Date, now: Date): Promise<MailDelays> {
  return {
    mailDelayByDay: await readMailDelayByDay(db, from),
    mailDelayOfLastDay: await readMailDelay(db, daysBefore(now, 1)),
  }
}

async function readTotals(db: Db, from: Date): Promise<Totals> {
  const [totals] = await db.$queryRaw<Totals[]>`
    select (select count(*)::int from "User") as users, (select count(*)::int from "Organization") as organizations,
      (select count(*)::int from (
        select "userId" from "Session" where "updatedAt" >= ${from} and "impersonatedBy" is null
        union select "subjectId" from "Event" where type = 'user.signed_in' and "subjectId" is not null and id >= ${firstEventId(from)}) as active) as "activeUsers",
      (select count(*)::int from "Mail" where "sentAt" is null and "rejectedAt" is null) as "queuedMails",
      (select count(*)::int from graphile_worker.jobs where last_error is not null) as "failedJobs",
      (select count(*)::int from "WebhookEndpoint" where "failingSince" is not null or not "isEnabled") as "failingEndpoints",
      (select count(*)::int from "Mail" where "rejectedAt" >= ${from}) as "rejectedMails",
      (select count(*)::int from "Dispute" where "disputeStatus" = 'dispute_opened') as "openDisputes"`
  if (!totals) throw new Error('A select without a table returned no row')
  return totals
}

type Counted = { table: Prisma.Sql; isOfDay: (day: Date, next: Date) => Prisma.Sql }

/** Counts each day in a range of an index: of 300,000 sign-ins in 49 ms, where grouping by their day takes 187. */
async function countByDay(db: Db, from: Date, { table, isOfDay }: Counted): Promise<{ day: string; count: number }[]> {
  const ofDays = daysFrom(from).map(
    (day) => Prisma.sql`(select count(*)::int from ${table} where ${isOfDay(day, daysAfter(day, 1))})`,
  )
  const [row] = await db.$queryRaw<{ counts: number[] }[]>`select array[${Prisma.join(ofDays)}] as counts`
  return daysFrom(from).map((day, n) => ({ day: nameOf(day), count: row?.counts[n] ?? 0 }))
}

/** The counts of days on which the installation ran. */
async function readActiveUsersByDay(db: Db, from: Date): Promise<z.output<typeof Overview>['activeUsersByDay']> {
  const rows = await db.activeUserCount.findMany({ where: { day: { gte: from } } })
  const counts = new Map(rows.map(({ day, users }) => [nameOf(day), users]))
  return daysFrom(from)
    .map(nameOf)
    .map((day) => ({ day, count: counts.get(day) ?? null }))
}

/** The median of each day's emails in seconds. Null for days without emails. */
async function readMailDelayByDay(db: Db, from: Date): Promise<z.output<typeof Overview>['mailDelayByDay']> {
  const rows = await db.$queryRaw<{ day: string; median: number }[]>`
    select to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD') as day, percentile_cont(0.5) within group (order by ${mailDelaySeconds})::float as median
    from "Mail" where "sentAt" is not null and "createdAt" >= ${from} group by 1`
  return daysFrom(from)
    .map(nameOf)
    .map((day) => ({ day, median: rows.find((row) => row.day === day)?.median ?? null }))
}

/** Median and 95th percentile in seconds. Null if there were no emails. */
async function readMailDelay(db: Db, from: Date): Promise<z.output<typeof Overview>['mailDelayOfLastDay']> {
  const [row] = await db.$queryRaw<{ median: number | null; p95: number | null }[]>`
    select percentile_cont(0.5) within group (order by ${mailDelaySeconds})::float as median,
      percentile_cont(0.95) within group (order by ${mailDelaySeconds})::float as p95
    from "Mail" where "sentAt" is not null and "createdAt" >= ${from}`
  const { median = null, p95 = null } = row ?? {}
  return median === null || p95 === null ? null : { median, p95 }
}

/** The starts of the days of an overview. */
function daysFrom(from: Date): Date[] {
  return Array.from({ length: days }, (_, n) => daysAfter(from, n))
}

/** A UTC day as 2026-11-24. */
function nameOf(day: Date): string {
  return day.toISOString().slice(0, 10)
}

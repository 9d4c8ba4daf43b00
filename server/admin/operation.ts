import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type {
  JobRow,
  ListAllOrganizations,
  ListMails,
  MailPage,
  OrganizationDetails,
  OrganizationPage,
  Overview,
} from '../../shared/operation.ts'
import type { Tx } from '../foundation/database.ts'
import { likeLiteral } from '../foundation/lists.ts'
import { daysAfter, daysBefore } from '../foundation/time.ts'
import type { Outbox } from '../mail/outbox.ts'

/** Organizations, searched by name and slug, with the number of their members. */
export async function listAllOrganizations(
  tx: Tx,
  { q, sortBy, sortDirection, limit, offset }: z.output<typeof ListAllOrganizations>,
): Promise<z.output<typeof OrganizationPage>> {
  const pattern = `%${likeLiteral((q ?? '').trim())}%`
  const where =
    q === undefined || q.trim() === ''
      ? Prisma.empty
      : Prisma.sql`where o.name ilike ${pattern} or o.slug ilike ${pattern}`
  const column = sortBy === 'name' ? Prisma.sql`o.name` : Prisma.sql`o."createdAt"`
  const direction = sortDirection === 'asc' ? Prisma.sql`asc` : Prisma.sql`desc`
  const organizations = await tx.$queryRaw<z.output<typeof OrganizationPage>['organizations']>`
    select p.*, (select count(*)::int from "Member" m where m."organizationId" = p.id) as members from (
      select o.id, o.name, o.slug, o.logo, o."createdAt" from "Organization" o ${where}
      order by ${column} ${direction}, o.id ${direction} limit ${limit} offset ${offset}) p
    order by ${sortBy === 'name' ? Prisma.sql`p.name` : Prisma.sql`p."createdAt"`} ${direction}, p.id ${direction}`
  const [{ total = 0 } = {}] = await tx.$queryRaw<{ total: number }[]>`
    select count(*)::int as total from "Organization" o ${where}`
  return { organizations, total }
}

/** Maximum number of members on a details page. */
const maxPeople = 100

export async function findOrganizationDetails(
  tx: Tx,
  id: string,
): Promise<Omit<z.output<typeof OrganizationDetails>, 'defaultMembershipLimit'> | undefined> {
  const found = await tx.organization.findUnique({
    where: { id },
    include: { _count: { select: { members: true, teams: true } } },
  })
  if (!found) return undefined
  const { name, slug, logo, createdAt, membershipLimit, _count } = found
  const people = await tx.$queryRaw<z.output<typeof OrganizationDetails>['people']>`
    select u.id, u.name, u.email, u.image, m.role from "Member" m join "User" u on u.id = m."userId"
    where m."organizationId" = ${id} order by (m.role like '%owner%') desc, m."createdAt", m.id limit ${maxPeople}`
  const pendingInvitations = await tx.invitation.count({ where: { organizationId: id, status: 'pending' } })
  const subscriptions = await tx.subscription.findMany({
    where: { organizationId: id },
    select: { subscriptionId: true, productId: true, status: true },
    take: maxPeople,
  })
  return {
    id,
    name,
    slug,
    logo,
    createdAt,
    members: _count.members,
    membershipLimit,
    teams: _count.teams,
    pendingInvitations,
    subscriptions: subscriptions.map(({ subscriptionId, productId, status }) => ({
      id: subscriptionId,
      productId,
      status,
    })),
    people,
  }
}

/** Emails of one state, newest first. */
export async function listMails(
  tx: Tx,
  outbox: Pick<Outbox, 'preview' | 'hasMailServer'>,
  { state, cursor, limit }: z.output<typeof ListMails>,
): Promise<z.output<typeof MailPage>> {
  const of = {
    waiting: { deliveredAt: null, givenUpAt: null },
    givenUp: { deliveredAt: null, givenUpAt: { not: null } },
    delivered: { deliveredAt: { not: null } },
  }[state]
  const mails = await tx.mail.findMany({
    where: of,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    ...(cursor !== undefined && { cursor: { id: cursor }, skip: 1 }),
  })
  return {
    mails: mails.slice(0, limit).map(({ language, data, ...mail }) => {
      return { ...mail, ...outbox.preview({ kind: mail.kind, language, data }) }
    }),
    next: mails.length > limit ? (mails[limit - 1]?.id ?? null) : null,
    isDelivered: outbox.hasMailServer,
  }
}

/** Maximum number of jobs shown. */
const maxJobs = 100

/** Jobs that have failed at least once, then those that are due next. */
export async function listJobs(tx: Tx): Promise<z.output<typeof JobRow>[]> {
  return tx.$queryRaw`
    select id::text, task_identifier as task, attempts::int, max_attempts::int as "maxAttempts", locked_at is not null as "isRunning",
      run_at as "runAt", left(last_error, 500) as "lastError"
    from graphile_worker.jobs order by (last_error is not null) desc, run_at limit ${maxJobs}`
}

/** Number of days in an overview. */
const days = 30

/** Figures of the last thirty days. */
export async function readOverview(
  tx: Tx,
  { now, delivers }: { now: Date; delivers: boolean },
): Promise<z.output<typeof Overview>> {
  const from = daysBefore(now, days - 1)
  from.setUTCHours(0, 0, 0, 0)
  const byDay = (rows: { day: string; count: number }[]) =>
    Array.from({ length: days }, (_, n) => {
      const day = daysAfter(from, n).toISOString().slice(0, 10)
      return { day, count: rows.find((row) => row.day === day)?.count ?? 0 }
    })
  const signUps = await tx.$queryRaw<{ day: string; count: number }[]>`
    select to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as count from "User" where "createdAt" >= ${from} group by 1`
  const newOrganizations = await tx.$queryRaw<{ day: string; count: number }[]>`
    select to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as count from "Organization" where "createdAt" >= ${from} group by 1`
  const signIns = await tx.$queryRaw<{ day: string; count: number }[]>`
    select to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as count from "Session" where "createdAt" >= ${from} group by 1`
  const [totals] = await tx.$queryRaw<Totals[]>`
    select (select count(*)::int from "User") as users, (select count(*)::int from "Organization") as organizations,
      (select count(distinct "userId")::int from "Session" where "updatedAt" >= ${from}) as "activeUsers",
      (select count(*)::int from "Mail" where "deliveredAt" is null and "givenUpAt" is null) as "waitingMails",
      (select count(*)::int from graphile_worker.jobs where last_error is not null) as "failedJobs",
      (select count(*)::int from "WebhookEndpoint" where "failingSince" is not null or not "isEnabled") as "failingEndpoints"`
  const mailTimes = await tx.$queryRaw<{ day: string; count: number }[]>`
    select to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD') as day,
      percentile_cont(0.5) within group (order by extract(epoch from "deliveredAt" - "createdAt"))::float as count
    from "Mail" where "deliveredAt" is not null and "createdAt" >= ${from} group by 1`
  const day = daysBefore(now, 1)
  const [mail] = await tx.$queryRaw<{ median: number | null; p95: number | null }[]>`
    select percentile_cont(0.5) within group (order by extract(epoch from "deliveredAt" - "createdAt"))::float as median,
      percentile_cont(0.95) within group (order by extract(epoch from "deliveredAt" - "createdAt"))::float as p95
    from "Mail" where "deliveredAt" is not null and "createdAt" >= ${day}`
  const { median = null, p95 = null } = mail ?? {}
  return {
    ...(totals ?? noTotals),
    ...(!delivers && { waitingMails: null }),
    signUps: byDay(signUps),
    signIns: byDay(signIns),
    newOrganizations: byDay(newOrganizations),
    mailTimes: byDay(mailTimes),
    mailSeconds: median === null || p95 === null ? null : { median, p95 },
  }
}

type Totals = Pick<
  z.output<typeof Overview>,
  'users' | 'organizations' | 'activeUsers' | 'waitingMails' | 'failedJobs' | 'failingEndpoints'
>
const noTotals: Totals = {
  users: 0,
  organizations: 0,
  activeUsers: 0,
  waitingMails: 0,
  failedJobs: 0,
  failingEndpoints: 0,
}

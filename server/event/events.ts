import { Prisma } from '../../prisma/client/client.ts'
import type { EventGroup } from '../../shared/event-group.ts'
import { type EventRow, type EventType, eventTypes, isEventType } from '../../shared/event.ts'
import type { Db } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { browserAndSystemOf } from '../foundation/user-agent.ts'
import { firstEventId } from './event-ids.ts'

/** Selects the events about one user, of one organization, or of the installation. */
type EventScope =
  | { subjectId: string }
  | { organizationId: string }
  /**
   * For administrators: all events; only those that a user caused or that are about the user; only those of an
   * organization.
   */
  | { ofAll: true; userId?: string | undefined; organizationId?: string | undefined }

type EventQuery = EventFilter & { limit?: number | undefined; cursor?: string | undefined }

type EventFilter = {
  group?: EventGroup | undefined
  type?: EventType | undefined
  actorId?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** Page size if the call does not specify one. */
const defaultLimit = 50

/** Lists events, newest first, using the index of their scope. Names of deleted users are null. */
export async function listEvents(
  db: Db,
  scope: EventScope,
  { limit = defaultLimit, cursor, ...filter }: EventQuery,
): Promise<{ events: EventRow[]; next: string | null }> {
  const where = whereOf(scope)
  // The IP address and device of other people are private: users see those of their own actions (not of administrators
  // who act as them) and of sign-in and reset attempts on their account, organizations those of their members.
  const showsOrigin =
    'ofAll' in scope
      ? Prisma.sql`true`
      : 'subjectId' in scope
        ? Prisma.sql`(e."actorId" = ${scope.subjectId} and not e.data ? 'impersonatorId' or e.type in ('user.sign_in_failed', 'user.password_reset_requested'))`
        : Prisma.sql`not e.data ? 'impersonatorId' and exists (select from "Member" m where m."organizationId" = ${scope.organizationId} and m."userId" = e."actorId")`
  const after = cursor === undefined ? Prisma.empty : Prisma.sql`and e.id < ${cursor}`
  const rows = await db.$queryRaw<StoredEventRow[]>`
    select e.id, e.type, e.at, e."actorId", e."subjectId", e."organizationId", organization.name as "organizationName", e."ipAddress", e."userAgent", e."requestId", e.data,
      actor.name as "actorName", subject.name as "subjectName", impersonator.name as "impersonatorName", coalesce(${showsOrigin}, false) as "showsOrigin"
    from "Event" e left join "User" actor on actor.id = e."actorId" left join "User" subject on subject.id = e."subjectId"
      left join "Organization" organization on organization.id = e."organizationId"
      left join "User" impersonator on impersonator.id = e.data->>'impersonatorId'
    where ${inIndex(scope, { limit, after, filter })} ${where} ${after} ${filterOf(filter)} order by e.id desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const events = page.flatMap(({ type, userAgent, data, showsOrigin, ...row }) => {
    if (!isEventType(type)) return []
    const origin = showsOrigin
      ? { ipAddress: row.ipAddress, ...browserAndSystemOf(userAgent) }
      : { ipAddress: '', browser: null, system: null }
    // Users do not see what an organization that they have left is called now.
    const organizationName = 'ofAll' in scope ? row.organizationName : null
    return [{ ...row, organizationName, type, ...origin, data: isRecord(data) ? data : {} }]
  })
  return { events, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** The newest event of a type about a user. */
export async function findNewestEvent(db: Db, { type, subjectId }: { type: EventType; subjectId: string }) {
  return db.event.findFirst({ where: { type, subjectId }, orderBy: { id: 'desc' }, select: { at: true, data: true } })
}

/**
 * Chooses the newest events from an index, where the conditions alone would read all events until a page is full:
 * events of a group from the index of types, because those of most groups are rare; events of a user from the indexes
 * of subjects and actors.
 */
function inIndex(
  scope: EventScope,
  { limit, after, filter }: { limit: number; after: Prisma.Sql; filter: EventFilter },
): Prisma.Sql {
  if (!('ofAll' in scope) || scope.organizationId !== undefined) return Prisma.empty
  const newest = (where: Prisma.Sql, rest: EventFilter) => Prisma.sql`(
    select e.id from "Event" e where ${where} ${after} ${filterOf(rest)} order by e.id desc limit ${limit + 1})`
  const { userId } = scope
  if (userId !== undefined) {
    const about = newest(Prisma.sql`e."subjectId" = ${userId}`, filter)
    const by = newest(Prisma.sql`e."actorId" = ${userId}`, filter)
    return Prisma.sql`e.id in (${about} union all ${by}) and`
  }
  const { group, ...others } = filter
  // A single type is already a range of the index.
  if (group === undefined || filter.type !== undefined) return Prisma.empty
  const types = eventTypes.filter((type) => type.startsWith(`${group}.`))
  const ofType = newest(Prisma.sql`e.type = wanted`, others)
  return Prisma.sql`e.id in (
    select newest.id from unnest(${types}::text[]) as wanted cross join lateral ${ofType} as newest) and`
}

/** Ids of events start with their time, so that a period is a range of the index. */
function filterOf({ group, type, actorId, from, until }: EventFilter): Prisma.Sql {
  const conditions = [
    group !== undefined && Prisma.sql`e.type like ${`${group}.%`}`,
    type !== undefined && Prisma.sql`e.type = ${type}`,
    actorId !== undefined && Prisma.sql`e."actorId" = ${actorId}`,
    from && Prisma.sql`e.id >= ${firstEventId(from)}`,
    until && Prisma.sql`e.id < ${firstEventId(until)}`,
  ].filter((condition) => condition !== false && condition !== undefined)
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`and ${Prisma.join(conditions, ' and ')}`
}

function whereOf(scope: EventScope): Prisma.Sql {
  if ('subjectId' in scope) return Prisma.sql`e."subjectId" = ${scope.subjectId}`
  if (!('ofAll' in scope)) return Prisma.sql`e."organizationId" = ${scope.organizationId}`
  const { userId, organizationId } = scope
  const ofUser =
    userId === undefined ? Prisma.sql`true` : Prisma.sql`(e."subjectId" = ${userId} or e."actorId" = ${userId})`
  return organizationId === undefined ? ofUser : Prisma.sql`${ofUser} and e."organizationId" = ${organizationId}`
}

type StoredEventRow = Omit<EventRow, 'type' | 'browser' | 'system' | 'data'> & {
  type: string
  userAgent: string
  data: unknown
  showsOrigin: boolean
}

/** Deletes up to `limit` events with lower ids than `before`, the oldest first. Returns how many. */
export async function deleteEvents(db: Db, { before, limit }: { before: string; limit: number }): Promise<number> {
  return db.$executeRaw`
    delete from "Event" where id in (select id from "Event" where id < ${before} order by id limit ${limit})`
}

import { Prisma } from '../../prisma/client/client.ts'
import type { EventGroup } from '../../shared/event-group.ts'
import { type EventRow, eventTypes, isEventType } from '../../shared/event.ts'
import type { Tx } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { deviceNames } from '../foundation/user-agent.ts'
import { firstEventId } from './record.ts'

/** Selects the events about one user, of one organization, or of the installation. */
export type EventScope =
  | { subjectId: string }
  | { organizationId: string }
  /** For administrators: events of all users and organizations, or of one. */
  | { ofAll: true; userId?: string | undefined; organizationId?: string | undefined }

type EventQuery = EventFilter & { limit?: number | undefined; cursor?: string | undefined }

type EventFilter = {
  group?: EventGroup | undefined
  actorId?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** Page size if the call does not specify one. */
const defaultLimit = 50

/** Lists events, newest first, using the index of their scope. Names of deleted users are null. */
export async function listEvents(
  tx: Tx,
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
  const rows = await tx.$queryRaw<StoredEvent[]>`
    select e.id, e.type, e.at, e."actorId", e."subjectId", e."organizationId", organization.name as "organizationName", e."ipAddress", e."userAgent", e."requestId", e.data,
      actor.name as "actorName", subject.name as "subjectName", impersonator.name as "impersonatorName", coalesce(${showsOrigin}, false) as "showsOrigin"
    from "Event" e left join "User" actor on actor.id = e."actorId" left join "User" subject on subject.id = e."subjectId"
      left join "Organization" organization on organization.id = e."organizationId"
      left join "User" impersonator on impersonator.id = e.data->>'impersonatorId'
    where ${inIndexOfType(scope, { limit, after, filter })} ${where} ${after} ${filterOf(filter)} order by e.id desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const events = page.flatMap(({ type, userAgent, data, showsOrigin, ...row }) => {
    if (!isEventType(type)) return []
    const origin = showsOrigin
      ? { ipAddress: row.ipAddress, ...deviceNames(userAgent) }
      : { ipAddress: '', browser: null, system: null }
    // Users do not see what an organization that they have left is called now.
    const organizationName = 'ofAll' in scope ? row.organizationName : null
    return [{ ...row, organizationName, type, ...origin, data: isRecord(data) ? data : {} }]
  })
  return { events, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/**
 * The newest events of each type of a group, from the index of types. A filter by group alone would read all events until
 * a page is full, because those of most groups are rare.
 */
function inIndexOfType(
  scope: EventScope,
  { limit, after, filter }: { limit: number; after: Prisma.Sql; filter: EventFilter },
): Prisma.Sql {
  const { group } = filter
  const hasIndex = !('ofAll' in scope) || scope.userId !== undefined || scope.organizationId !== undefined
  if (group === undefined || hasIndex) return Prisma.empty
  const types = eventTypes.filter((type) => type.startsWith(`${group}.`))
  return Prisma.sql`e.id in (
    select newest.id from unnest(${types}::text[]) as wanted cross join lateral (
      select e.id from "Event" e where e.type = wanted ${after} ${filterOf({ ...filter, group: undefined })}
      order by e.id desc limit ${limit + 1}) as newest) and`
}

/** Ids of events start with their time, so that a period is a range of the index. */
function filterOf({ group, actorId, from, until }: EventFilter): Prisma.Sql {
  const conditions = [
    group !== undefined && Prisma.sql`e.type like ${`${group}.%`}`,
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
  const ofUser = userId === undefined ? Prisma.sql`true` : Prisma.sql`e."subjectId" = ${userId}`
  return organizationId === undefined ? ofUser : Prisma.sql`${ofUser} and e."organizationId" = ${organizationId}`
}

type StoredEvent = Omit<EventRow, 'type' | 'browser' | 'system' | 'data'> & {
  type: string
  userAgent: string
  data: unknown
  showsOrigin: boolean
}

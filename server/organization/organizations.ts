import type { Pool } from 'pg'
import type { z } from 'zod'
import { type Organization, Prisma } from '../../prisma/client/client.ts'
import type { MyOrganization, OrganizationOverview } from '../../shared/organization.ts'
import { type EventParameters, recordSql } from '../event/event-rows.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { containing, maxRows, withRelation } from '../foundation/lists.ts'
import { hasRoleSql } from '../foundation/member-roles.ts'
import { withoutUndefined } from '../foundation/records.ts'
import { asArrays, statement } from '../foundation/statement.ts'
import type { PgTransaction } from '../foundation/transactions.ts'
import { hasVerifiedEmailSql, displayEmailSql } from '../foundation/verified-email.ts'
import { seatLimitSql } from '../purchase/seats.ts'

type NewOrganization = {
  organization: {
    id: string
    name: string
    slug: string
    logo: string | null
    metadata: Record<string, string> | null
    createdAt: Date
  }
  /** The first member, in the first team. Through the API this is always the caller. */
  owner: { id: string; userId: string; teamId: string }
  /** The session in which the organization becomes active, if any. */
  sessionId: string | null
  /** Maximum number of memberships of the user, whom the statement counts. */
  max: number
  event: EventParameters
}

/**
 * Stores an organization with a first team of the same name, and its owner in that team. False if the user has too many
 * memberships already. The count of a statement may be older than its lock on the user: near the limit, the caller
 * locks the user before.
 */
export async function insertOrganization(
  sql: Pick<PgTransaction, 'query'>,
  { organization, owner, sessionId, max, event }: NewOrganization,
): Promise<boolean> {
  const metadata = organization.metadata && JSON.stringify(organization.metadata)
  const { rows } = await sql.query<{ count: number }>(insert({ organization, metadata, owner, sessionId, max, event }))
  return rows[0]?.count === 1
}

/** One round trip; Prisma's transaction of four queries costs 3 ms more CPU. */
const insert = statement(
  'organizations.create',
  `with counted as materialized (select count(*) as memberships from "Member" where "userId" = :owner.userId),
  creator as (
    -- The update locks the user: a deletion waits, and then sees the organization, which would otherwise be left without an
    -- owner. With a lock by a select and a later update, concurrent creations by one user could deadlock.
    update "User" set "lastOrganizationId" =
      case when :sessionId::text is null then "lastOrganizationId" else :organization.id end
    from counted where id = :owner.userId and memberships < :max::int returning id),
  created as (
    insert into "Organization" (id, name, slug, logo, metadata, "createdAt")
    select :organization.id, :organization.name, :organization.slug, :organization.logo, :metadata::jsonb,
      :organization.createdAt::timestamptz from creator returning id),
  team as (
    insert into "Team" (id, name, "organizationId", "createdAt")
    select :owner.teamId, :organization.name, id, :organization.createdAt::timestamptz from created returning id),
  membership as (
    insert into "Member" (id, "organizationId", "userId", role, "teamId", "createdAt")
    select :owner.id, created.id, :owner.userId, 'owner', team.id, :organization.createdAt::timestamptz
    from created, team returning id),
  active as (
    update "Session" set "activeOrganizationId" = created.id from created where "Session".id = :sessionId),
  ${recordSql({ from: 'created' })}
  select count(*)::int as count from membership`,
)

/**
 * Builds the public fields of a user. An unverified email address proves no identity: the last verified one is shown
 * instead, and an address of a user who never verified one is flagged (SEC-121).
 */
function publicUser(u: string): string {
  return `'{"id":' || to_json(${u}.id) || ',"name":' || to_json(${u}.name) || ',"email":' || to_json(${displayEmailSql(u)})
    || ',"image":' || ${jsonOrNull(`${u}.image`)}
    || case when ${hasVerifiedEmailSql(u)} then '' else ',"emailVerified":false' end || '}'`
}

/** A column's value as JSON, for concatenation. Without it, a null would make the whole text null. */
const jsonOrNull = (column: string) => `coalesce(to_json(${column})::text, 'null')`

/** Formats a time as in JSON responses: ISO 8601 with milliseconds and Z. */
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Returns the user's organizations in the order of joining, as JSON text: one prepared statement on the index of
 * memberships. The text is sent without parsing and serializing it again (measured: a third of the call's CPU).
 */
export async function listOrganizationsJson(
  pool: Pool,
  { userId, hasSecondFactor, now, limit, cursor }: ListOptions,
): Promise<string> {
  const { rows } = await pool.query<[string]>(asArrays(list({ userId, hasSecondFactor, now, limit, cursor })))
  return rows[0]?.[0] ?? '[]'
}

type ListOptions = {
  userId: string
  /**
   * Whether the caller has signed in with a second factor. Otherwise an organization that requires one shows only its
   * name.
   */
  hasSecondFactor: boolean
  now: Date
  limit?: number | undefined
  cursor?: string | undefined
}

/** Response size limits in bytes, applied in the statement. */
const maxBytes = { list: 950_000, members: 600_000, invitations: 250_000, teams: 100_000 }

/**
 * Aggregates rows to a JSON array, ordered by `at` and `id`, up to a size in bytes but always with one row. `rows`
 * returns the JSON of each row as `row` with its `at` and `id`. Of too many, the last are cut off; with `desc` the
 * first.
 */
const bounded = (rows: string, bytes: number, order: 'asc' | 'desc' = 'asc') => `(
  select '[' || coalesce(string_agg(row, ',' order by at, id), '') || ']' from (
    select row, at, id,
      sum(octet_length(row) + 1) over (order by at ${order}, id ${order} rows unbounded preceding) as bytes
    from (${rows}) as found) as counted
  where bytes <= ${bytes} or bytes = octet_length(row) + 1)`

const list = statement(
  'organizations.list',
  `select ${bounded(
    `
  select json_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'logo', o.logo,
      'metadata', case when :hasSecondFactor::boolean or coalesce(o."secondFactorFrom" > :now, true) then o.metadata end, 'createdAt', ${iso('o."createdAt"')})::text as row,
    m."createdAt" as at, m.id
  from (
    select m."organizationId", m."createdAt", m.id from "Member" m
    where m."userId" = :userId and (:cursor::text is null or (m."createdAt", m.id) >
      (select c."createdAt", c.id from "Member" c where c."userId" = :userId and c."organizationId" = :cursor))
    order by m."createdAt", m.id limit least(:limit::int, ${maxRows})) m
  join "Organization" o on o.id = m."organizationId"`,
    maxBytes.list,
  )}`,
)

/** Searches the user's organizations for the switcher: with the user's role, sorted by name, up to a limit. */
export async function searchOrganizations(
  db: Db,
  { userId, search, limit }: { userId: string; search: string; limit: number },
): Promise<z.output<typeof MyOrganization>[]> {
  const like = containing(search)
  const members = await db.member.findMany({
    where: { userId, ...(search !== '' && { organization: { OR: [{ name: like }, { slug: like }] } }) },
    select: {
      role: true,
      organization: {
        select: { id: true, name: true, slug: true, logo: true, _count: { select: { members: true } } },
      },
    },
    orderBy: [{ organization: { name: 'asc' } }, { id: 'asc' }],
    take: limit,
  })
  return withRelation(members, 'organization').map(({ role, organization: { _count, ...organization } }) => ({
    ...organization,
    role,
    memberCount: _count.members,
  }))
}

type OrganizationKey = { id: string } | { slug: string }

/**
 * Returns an organization with all its data for a member, as JSON text from one statement: for 100 members, Prisma's
 * includes take four statements and three times the CPU. The rows of members are concatenated, because
 * json_build_object takes a quarter more of PostgreSQL's CPU time for the call (measured). Undefined if the user is not a member or the organization does
 * not exist.
 */
export async function findFullOrganizationJson(pool: Pool, key: OrganizationKey, userId: string) {
  const full = 'id' in key ? fullById({ ...key, userId }) : fullBySlug({ ...key, userId })
  const { rows } = await pool.query<[id: string, text: string, secondFactorFrom: Date | null]>(asArrays(full))
  const [row] = rows
  return row && { id: row[0], text: row[1], secondFactorFrom: row[2] }
}

const fullSql = `
  select o.id, '{"id":' || to_json(o.id) || ',"name":' || to_json(o.name) || ',"slug":' || to_json(o.slug)
    || ',"logo":' || ${jsonOrNull('o.logo')} || ',"metadata":' || coalesce(o.metadata::text, 'null')
    || ',"createdAt":' || to_json(${iso('o."createdAt"')})
    || ',"members":' || ${bounded(
      `
      select '{"id":' || to_json(m.id) || ',"organizationId":' || to_json(m."organizationId") || ',"userId":' || to_json(m."userId")
        || ',"role":' || to_json(m.role) || ',"teamId":' || ${jsonOrNull('m."teamId"')}
        || ',"createdAt":"' || ${iso('m."createdAt"')} || '","user":' || ${publicUser('u')} || '}' as row,
        m."createdAt" as at, m.id
      from "Member" m join "User" u on u.id = m."userId" where m."organizationId" = o.id
      order by m."createdAt", m.id limit ${maxRows}`,
      maxBytes.members,
    )}
    || ',"invitations":' || ${bounded(
      `
      select json_build_object('id', i.id, 'organizationId', i."organizationId", 'email', i.email,
        'role', i.role, 'status', i.status, 'teamId', i."teamId", 'inviterId', i."inviterId",
        'expiresAt', ${iso('i."expiresAt"')})::text as row, i."createdAt" as at, i.id
      from "Invitation" i where i."organizationId" = o.id order by i."createdAt" desc, i.id desc limit ${maxRows}`,
      maxBytes.invitations,
      'desc',
    )}
    || ',"teams":' || ${bounded(
      `
      select json_build_object('id', t.id, 'name', t.name, 'organizationId', t."organizationId",
        'createdAt', ${iso('t."createdAt"')}, 'updatedAt', ${iso('t."updatedAt"')})::text as row,
        t."createdAt" as at, t.id
      from "Team" t where t."organizationId" = o.id order by t."createdAt", t.id limit ${maxRows}`,
      maxBytes.teams,
    )} || '}', o."secondFactorFrom"
  from "Organization" o join "Member" me on me."organizationId" = o.id and me."userId" = :userId`
const fullById = statement('organizations.full.id', `${fullSql} where o.id = :id`)
const fullBySlug = statement('organizations.full.slug', `${fullSql} where o.slug = :slug`)

/** Returns the data that every organization screen needs, in one statement. Undefined if the user is not a member. */
export async function findOverview(
  pool: Pool,
  { slug, userId, now }: { slug: string; userId: string; now: Date },
): Promise<(Omit<z.input<typeof OrganizationOverview>, 'membershipLimit'> & Policy & Limits) | undefined> {
  const { rows } = await pool.query(overview({ slug, userId, now }))
  return rows[0]
}

const overview = statement(
  'organizations.overview',
  `
  select o.id, o.name, o.slug, o.logo, o.metadata, o."createdAt", o."secondFactorFrom", o."membershipLimit",
    json_build_object('id', me.id, 'role', me.role, 'teamId', me."teamId") as me,
    json_build_object(
      'members', (select count(*) from "Member" m where m."organizationId" = o.id),
      'owners', (select count(*) from "Member" m where m."organizationId" = o.id and ${hasRoleSql('m', 'owner')}),
      'teams', (select count(*) from "Team" t where t."organizationId" = o.id),
      'pendingInvitations', (select count(*) from "Invitation" i
        where i."organizationId" = o.id and i.status = 'pending' and i."expiresAt" > :now)) as counts,
    (${seatLimitSql('o.id')}) as "seatLimit"
  from "Organization" o join "Member" me on me."organizationId" = o.id and me."userId" = :userId
  where o.slug = :slug`,
)

type Policy = { secondFactorFrom: Date | null }
/** Limits set by an administrator, if any. */
type Limits = { membershipLimit: number | null }

type Changes = {
  name?: string | undefined
  slug?: string | undefined
  logo?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  privateMetadata?: Prisma.InputJsonObject | undefined
  membershipLimit?: number | null | undefined
  secondFactorFrom?: Date | null | undefined
}

/** The organization with this id. Null if there is none, or no longer. */
export async function findOrganization(db: Db, id: string): Promise<Organization | null> {
  return db.organization.findUnique({ where: { id } })
}

/** The organization with this id, which exists: the transaction has locked it, or a membership in it. */
export async function readOrganization(tx: Tx, id: string): Promise<Organization> {
  return tx.organization.findUniqueOrThrow({ where: { id } })
}

/** The organization with this slug, in lower case. Null if there is none. */
export async function findOrganizationBySlug(db: Db, slug: string): Promise<Organization | null> {
  return db.organization.findUnique({ where: { slug } })
}

/** Updates the given fields. Metadata is replaced as a whole. */
export async function patchOrganization(tx: Tx, id: string, changes: Changes) {
  // By name: an argument may have more properties than its type, and these must not be stored.
  const { name, slug, logo, metadata, privateMetadata, membershipLimit, secondFactorFrom } = changes
  return tx.organization.update({
    where: { id },
    data: {
      ...withoutUndefined({ name, slug, logo, privateMetadata, membershipLimit, secondFactorFrom }),
      ...(metadata !== undefined && { metadata: metadata ?? Prisma.DbNull }),
    },
  })
}

/** Deletes an organization with its members, invitations and teams. Sessions lose it as the active one. */
export async function removeOrganization(tx: Tx, id: string) {
  return tx.organization.delete({ where: { id } })
}

/** Deletes several organizations like `removeOrganization`. */
export async function removeOrganizations(tx: Tx, ids: string[]): Promise<void> {
  await tx.organization.deleteMany({ where: { id: { in: ids } } })
}

/** The format of ids generated by Foyer. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Id of the organization with this id, otherwise with this slug. The id of a deleted organization is never read as a
 * slug, because anyone could use it as that of another one: neither a text in the form of an id nor, for imported ids,
 * one that events name, as long as they are kept (`EVENT_RETENTION_DAYS`).
 */
export async function findOrganizationId(db: Db, named: string): Promise<string | undefined> {
  if (uuid.test(named)) return (await db.organization.findUnique({ where: { id: named }, select: { id: true } }))?.id
  const [found] = await db.$queryRaw<{ id: string }[]>`
    select o.id from "Organization" o
    where o.id = ${named}
      or o.slug = ${named.toLowerCase()} and not exists (select from "Event" e where e."organizationId" = ${named})
    order by o.id = ${named} desc limit 1`
  return found?.id
}

/**
 * Serializes checks on an organization's members, owners, teams or invitations (SEC-85, SEC-86). False if the
 * organization has been deleted.
 */
export async function lockOrganization(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: string }[]>`select id from "Organization" where id = ${id} for no key update`
  return rows.length === 1
}

/** Whether an id or slug is that of an organization. */
export async function isSameOrganization(db: Db, organizationId: string, key: OrganizationKey): Promise<boolean> {
  const id = 'id' in key ? key.id : (await findOrganizationBySlug(db, key.slug))?.id
  return id === organizationId
}

/** The slug takes precedence if both are specified. */
export function keyOf(slug: string | null | undefined, id: string | null | undefined) {
  if (slug) return { slug }
  return id ? { id } : undefined
}

import type { Pool } from 'pg'
import type { z } from 'zod'
import type { MyOrganization, OrganizationOverview } from '../../shared/organization.ts'
import { Prisma } from '../../prisma/client/client.ts'
import { newId } from '../foundation/crypto.ts'
import { containing, type Tx } from '../foundation/db.ts'

export type NewOrganization = {
  name: string
  slug: string
  logo: string | null
  metadata: Record<string, string> | null
  /** Who becomes its owner; over a door always the caller. */
  userId: string
  /** The session that works in it from now on, if one shall. */
  sessionId: string | null
  now: Date
}

/** An organization with its first team, named like it, and its owner in that team; and the statement that stores all. */
export function newOrganization({ userId, sessionId, now, ...wish }: NewOrganization) {
  const organization = { id: newId(), ...wish, createdAt: now }
  const { id, name, slug, logo, metadata } = organization
  const teamId = newId()
  const owner = { id: newId(), organizationId: id, userId, role: 'owner', teamId, createdAt: now }
  const values = [id, name, slug, logo, metadata && JSON.stringify(metadata), now, teamId, owner.id, userId, sessionId]
  return { organization, owner, statement: { name: 'organizations.create', text: createText, values } }
}

/** One round trip: Prisma's transaction of four costs 3 ms of CPU more. */
const createText = `
  with created as (
    insert into "Organization" (id, name, slug, logo, metadata, "createdAt")
    values ($1, $2, $3, $4, $5::jsonb, $6::timestamptz) returning id),
  team as (
    insert into "Team" (id, name, "organizationId", "createdAt") select $7, $2, id, $6::timestamptz from created returning id),
  owner as (
    insert into "Member" (id, "organizationId", "userId", role, "teamId", "createdAt")
    select $8, created.id, $9, 'owner', team.id, $6::timestamptz from created, team returning id),
  active as (
    update "Session" set "activeOrganizationId" = created.id from created where "Session".id = $10)
  select count(*)::int from owner`

/** The user's memberships, counted with the user locked, so that two creations at once do not pass one limit. */
export async function countMemberships(tx: Tx, userId: string): Promise<number> {
  await tx.$queryRaw`select id from "User" where id = ${userId} for no key update`
  return tx.member.count({ where: { userId } })
}

/** A time as the answers write it: ISO 8601 with milliseconds and Z. */
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * The user's organizations in the order of joining, as JSON text: one prepared statement by the memberships' index, whose
 * answer is not taken apart and put together again on its way (measured: a third of the call's CPU).
 */
export async function writeOrganizations(
  pool: Pool,
  { userId, limit, cursor }: { userId: string; limit?: number | undefined; cursor?: string | undefined },
): Promise<string> {
  const values = [userId, limit ?? null, cursor ?? null]
  const { rows } = await pool.query<[string]>({ name: 'organizations.list', text: listText, values, rowMode: 'array' })
  return rows[0]?.[0] ?? '[]'
}

const listText = `
  select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'logo', o.logo,
      'metadata', o.metadata, 'createdAt', ${iso('o."createdAt"')}) order by m."createdAt", m.id), '[]')::text
  from (
    select m."organizationId", m."createdAt", m.id from "Member" m
    where m."userId" = $1 and ($3::text is null or (m."createdAt", m.id) >
      (select c."createdAt", c.id from "Member" c where c."userId" = $1 and c."organizationId" = $3))
    order by m."createdAt", m.id limit $2) m
  join "Organization" o on o.id = m."organizationId"`

/** The same for the switcher: with the own role, by name, at most so many. */
export async function searchOrganizations(
  tx: Tx,
  { userId, search, limit }: { userId: string; search: string; limit: number },
): Promise<z.output<typeof MyOrganization>[]> {
  const like = containing(search)
  const members = await tx.member.findMany({
    where: { userId, ...(search !== '' && { organization: { OR: [{ name: like }, { slug: like }] } }) },
    select: { role: true, organization: { select: { id: true, name: true, slug: true, logo: true } } },
    orderBy: [{ organization: { name: 'asc' } }, { id: 'asc' }],
    take: limit,
  })
  return members.map(({ role, organization }) => ({ ...organization, role }))
}

export type OrganizationKey = { id: string } | { slug: string }

/**
 * Everything of an organization for one of its members, as JSON text of one statement whatever its size: 100 members by
 * Prisma's includes are four statements and cost three times the CPU. Undefined for somebody who is no member, and for an
 * unknown one.
 */
export async function writeFullOrganization(pool: Pool, key: OrganizationKey, userId: string) {
  const [column, value] = 'id' in key ? ['id', key.id] : ['slug', key.slug]
  const { rows } = await pool.query<[id: string, text: string]>({
    name: `organizations.full.${column}`,
    text: `${fullText} where o.${column} = $1`,
    values: [value, userId],
    rowMode: 'array',
  })
  const [row] = rows
  return row && { id: row[0], text: row[1] }
}

const fullText = `
  select o.id, json_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'logo', o.logo, 'metadata', o.metadata,
    'createdAt', ${iso('o."createdAt"')},
    'members', (select coalesce(json_agg(json_build_object('id', m.id, 'organizationId', m."organizationId", 'userId', m."userId",
        'role', m.role, 'teamId', m."teamId", 'createdAt', ${iso('m."createdAt"')},
        'user', json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image', u.image))
        order by m."createdAt", m.id), '[]')
      from "Member" m join "User" u on u.id = m."userId" where m."organizationId" = o.id),
    'invitations', (select coalesce(json_agg(json_build_object('id', i.id, 'organizationId', i."organizationId", 'email', i.email,
        'role', i.role, 'status', i.status, 'teamId', i."teamId", 'inviterId', i."inviterId",
        'expiresAt', ${iso('i."expiresAt"')}) order by i."createdAt", i.id), '[]')
      from "Invitation" i where i."organizationId" = o.id),
    'teams', (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'organizationId', t."organizationId",
        'createdAt', ${iso('t."createdAt"')}, 'updatedAt', ${iso('t."updatedAt"')}) order by t."createdAt", t.id), '[]')
      from "Team" t where t."organizationId" = o.id))::text
  from "Organization" o join "Member" me on me."organizationId" = o.id and me."userId" = $2`

/** What every screen of an organization needs, as one statement; undefined for somebody who is no member. */
export async function findOverview(
  pool: Pool,
  { slug, userId, now }: { slug: string; userId: string; now: Date },
): Promise<Omit<z.input<typeof OrganizationOverview>, 'membershipLimit'> | undefined> {
  const { rows } = await pool.query({ name: 'organizations.overview', text: overviewText, values: [slug, userId, now] })
  return rows[0]
}

const overviewText = `
  select o.id, o.name, o.slug, o.logo, o.metadata, o."createdAt",
    json_build_object('id', me.id, 'role', me.role, 'teamId', me."teamId") as me,
    json_build_object(
      'members', (select count(*) from "Member" m where m."organizationId" = o.id),
      'owners', (select count(*) from "Member" m where m."organizationId" = o.id and 'owner' = any(string_to_array(m.role, ','))),
      'teams', (select count(*) from "Team" t where t."organizationId" = o.id),
      'pendingInvitations', (select count(*) from "Invitation" i
        where i."organizationId" = o.id and i.status = 'pending' and i."expiresAt" > $3)) as counts
  from "Organization" o join "Member" me on me."organizationId" = o.id and me."userId" = $2
  where o.slug = $1`

type Changes = {
  name?: string | undefined
  slug?: string | undefined
  logo?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
}

/** Changes what is given; metadata is replaced as a whole. */
export async function updateOrganization(tx: Tx, id: string, { name, slug, logo, metadata }: Changes) {
  return tx.organization.update({
    where: { id },
    data: {
      ...(name !== undefined && { name }),
      ...(slug !== undefined && { slug }),
      ...(logo !== undefined && { logo }),
      ...(metadata !== undefined && { metadata: metadata ?? Prisma.DbNull }),
    },
  })
}

/** With its row go members, invitations, teams, and its place as the active one of every session (contract 9.5). */
export async function deleteOrganization(tx: Tx, id: string) {
  return tx.organization.delete({ where: { id } })
}

/** Holds everything back that counts members, owners, teams or invitations of this organization (SEC-85, SEC-86). False when it is gone. */
export async function lockOrganization(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: string }[]>`select id from "Organization" where id = ${id} for no key update`
  return rows.length === 1
}

export async function findSlugOwner(tx: Tx, slug: string) {
  return tx.organization.findUnique({ where: { slug }, select: { id: true } })
}

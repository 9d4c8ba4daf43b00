import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type { ListAllOrganizations, OrganizationDetails, OrganizationPage } from '../../shared/installation.ts'
import type { Db } from '../foundation/database.ts'
import { searchPatterns } from '../foundation/lists.ts'
import { counterOf, type ReadOptions, totalOf } from '../foundation/totals.ts'
import { listSubscriptionsOf } from './subscriptions.ts'

/** Organizations, searched by name, slug and id, with the number of their members. */
export async function listAllOrganizations(
  db: Db,
  { q, sortBy, sortDirection, limit, offset }: z.output<typeof ListAllOrganizations>,
  reading: ReadOptions,
): Promise<z.output<typeof OrganizationPage>> {
  const text = (q ?? '').trim()
  const matches = searchPatterns(text).flatMap((pattern) => [
    Prisma.sql`o.name ilike ${pattern}`,
    Prisma.sql`o.slug ilike ${pattern}`,
  ])
  const where =
    text === '' ? Prisma.empty : Prisma.sql`where ${Prisma.join([...matches, Prisma.sql`o.id = ${text}`], ' or ')}`
  const column = sortBy === 'name' ? Prisma.sql`o.name` : Prisma.sql`o."createdAt"`
  const direction = sortDirection === 'asc' ? Prisma.sql`asc` : Prisma.sql`desc`
  // The rows before the offset are read from the index alone.
  const organizations = await db.$queryRaw<z.output<typeof OrganizationPage>['organizations']>`
    select o.id, o.name, o.slug, o.logo, o."createdAt",
      (select count(*)::int from "Member" m where m."organizationId" = o.id) as members
    from "Organization" o
    join (
      select o.id from "Organization" o ${where}
      order by ${column} ${direction}, o.id ${direction} limit ${limit} offset ${offset}) page using (id)
    order by ${column} ${direction}, o.id ${direction}`
  const total = await totalOf(
    { offset, limit, rows: organizations.length },
    {
      database: db,
      key: JSON.stringify(['Organization', text]),
      count: counterOf(db, Prisma.sql`"Organization" o ${where}`),
    },
    reading,
  )
  return { organizations, total }
}

export async function findOrganizationDetails(
  db: Db,
  { id, now }: { id: string; now: Date },
): Promise<Omit<z.output<typeof OrganizationDetails>, 'defaultMembershipLimit'> | undefined> {
  const found = await db.organization.findUnique({
    where: { id },
    include: { _count: { select: { members: true, teams: true } } },
  })
  if (!found) return undefined
  const { name, slug, logo, createdAt, membershipLimit, _count } = found
  const pendingInvitations = await db.invitation.count({
    where: { organizationId: id, status: 'pending', expiresAt: { gt: now } },
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
    subscriptions: await listSubscriptionsOf(db, { organizationId: id }),
  }
}

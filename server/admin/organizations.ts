import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import type { ListAllOrganizations, OrganizationDetails, OrganizationPage } from '../../shared/installation.ts'
import type { Tx } from '../foundation/database.ts'
import { likeLiteral } from '../foundation/lists.ts'
import { listSubscriptionsOf } from './subscriptions.ts'

/** Organizations, searched by name, slug and id, with the number of their members. */
export async function listAllOrganizations(
  tx: Tx,
  { q, sortBy, sortDirection, limit, offset }: z.output<typeof ListAllOrganizations>,
): Promise<z.output<typeof OrganizationPage>> {
  const text = (q ?? '').trim()
  const pattern = `%${likeLiteral(text)}%`
  const where =
    text === '' ? Prisma.empty : Prisma.sql`where o.name ilike ${pattern} or o.slug ilike ${pattern} or o.id = ${text}`
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
  const pendingInvitations = await tx.invitation.count({ where: { organizationId: id, status: 'pending' } })
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
    subscriptions: await listSubscriptionsOf(tx, { organizationId: id }),
  }
}

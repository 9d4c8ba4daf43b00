import { Prisma } from '../../prisma/client/client.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { hasRoleSql } from '../foundation/member-roles.ts'

/** An organization with this user as its only owner: whether it has other members, and who would be the next owner. */
export type SoleOwnership = {
  id: string
  name: string
  slug: string
  logo: string | null
  others: number
  nextOwnerId: string | null
}

/** Organizations in which the user is the only owner. */
export async function findSoleOwnerships(db: Db, userId: string): Promise<SoleOwnership[]> {
  return db.$queryRaw<SoleOwnership[]>`
    select o.id, o.name, o.slug, o.logo,
      (select count(*)::int from "Member" m where m."organizationId" = o.id and m."userId" <> ${userId}) as others,
      (select m.id from "Member" m where m."organizationId" = o.id and m."userId" <> ${userId}
        order by ${Prisma.raw(hasRoleSql('m', 'admin'))} desc, m."createdAt", m.id limit 1) as "nextOwnerId"
    from "Member" me join "Organization" o on o.id = me."organizationId"
    where me."userId" = ${userId} and ${Prisma.raw(hasRoleSql('me', 'owner'))}
      and not exists (select from "Member" other where other."organizationId" = o.id and other."userId" <> ${userId}
        and ${Prisma.raw(hasRoleSql('other', 'owner'))})
    order by o.name, o.id`
}

/** Locks all organizations of a user. */
export async function lockOrganizationsOf(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`
    select o.id from "Organization" o
    where exists (select from "Member" m where m."organizationId" = o.id and m."userId" = ${userId})
    order by o.id for update`
}

import type { Tx } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'

/**
 * Before a user goes for good: an organization of which they are the only owner goes along if nobody else is in it, and holds
 * them back if others are. Every organization that they belong to is locked before anything is judged, so that neither two
 * last owners leave at once nor somebody goes who is being made the owner (SEC-85).
 */
export async function leaveOwnedOrganizations(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`
    select o.id from "Organization" o
    where exists (select from "Member" m where m."organizationId" = o.id and m."userId" = ${userId})
    order by o.id for update`
  const owned = await tx.$queryRaw<{ id: string }[]>`
    select "organizationId" as id from "Member"
    where "userId" = ${userId} and 'owner' = any(string_to_array(role, ','))`
  const ids = owned.map(({ id }) => id)
  if (ids.length === 0) return
  const others = await tx.$queryRaw<{ id: string; members: number; owners: number }[]>`
    select "organizationId" as id, count(*)::int as members,
      (count(*) filter (where 'owner' = any(string_to_array(role, ','))))::int as owners
    from "Member" where "organizationId" = any(${ids}) and "userId" <> ${userId} group by 1`
  if (others.some(({ members, owners }) => members > 0 && owners === 0)) {
    refuse('YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
  }
  const kept = new Set(others.map(({ id }) => id))
  await tx.organization.deleteMany({ where: { id: { in: ids.filter((id) => !kept.has(id)) } } })
}

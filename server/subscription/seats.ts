import type { Tx } from '../foundation/database.ts'

/**
 * The number of members and pending invitations that the subscriptions of an organization allow. Undefined without a
 * subscription that limits them; of several, the largest limit counts.
 */
export async function findSeatLimit(tx: Tx, organizationId: string): Promise<number | undefined> {
  const [row] = await tx.$queryRaw<{ limit: number | null }[]>`
    select max(p."seatLimit")::int as "limit" from "Subscription" s join "Product" p using ("productId")
    where s."organizationId" = ${organizationId} and s.status in ('active', 'past_due', 'on_hold')`
  return row?.limit ?? undefined
}

export type SeatChange = { subscriptionId: string; productId: string; members: number; eventAt: Date }

/** Active subscriptions of organizations whose quantity differs from the number of members, although it should follow it. */
export async function findSeatChanges(tx: Tx, limit: number): Promise<SeatChange[]> {
  return tx.$queryRaw<SeatChange[]>`
    select s."subscriptionId", s."productId", m.members, s."eventAt"
    from "Subscription" s join "Product" p using ("productId"),
      lateral (select count(*)::int as members from "Member" where "organizationId" = s."organizationId") m
    where p."hasSeats" and s.status = 'active' and s.quantity <> m.members and m.members > 0
    order by s."subscriptionId" limit ${limit}`
}

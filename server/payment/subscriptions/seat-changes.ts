import { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../foundation/database.ts'

export type SeatChange = { subscriptionId: string; productId: string; members: number; eventAt: Date; payload: unknown }

/** Hours until the same number of seats is requested again, for example after a failed payment. */
const retryHours = 6
const retryBefore = (now: Date) => new Date(now.getTime() - retryHours * 3_600_000)

/**
 * Active subscriptions of organizations whose quantity should follow the number of members but differs from it. A
 * number that was already requested is not requested again for six hours. The longest waiting come first.
 */
export async function findSeatChanges(db: Db, now: Date, limit: number): Promise<SeatChange[]> {
  return db.$queryRaw<SeatChange[]>`
    ${selectDifferent} and (s."seatsRequested" is distinct from m.members or s."seatsRequestedAt" < ${retryBefore(now)})
    order by s."seatsRequestedAt" nulls first, s."subscriptionId" limit ${limit}`
}

/** Whether a change is still needed: its plan, its number of members and the last event are the same. */
export async function isStillNeeded(
  db: Db,
  { subscriptionId, productId, members, eventAt }: SeatChange,
): Promise<boolean> {
  const [row] = await db.$queryRaw<SeatChange[]>`${selectDifferent} and s."subscriptionId" = ${subscriptionId}`
  return row?.productId === productId && row.members === members && row.eventAt.getTime() === eventAt.getTime()
}

/** Active subscriptions of organizations whose quantity differs from the number of members. */
const selectDifferent = Prisma.sql`
  select s."subscriptionId", s."productId", m.members, s."eventAt", s.payload
  from "Product" p join "Subscription" s using ("productId"),
    lateral (select count(*)::int as members from "Member" where "organizationId" = s."organizationId") m
  where p."hasSeats" and s.status = 'active' and not s."cancelAtNextBillingDate" and s.quantity <> m.members
    and m.members > 0`

/** Records a request before it is made. False if another process recorded it first. */
export async function reserveSeatChange(
  db: Db,
  { subscriptionId, members }: Pick<SeatChange, 'subscriptionId' | 'members'>,
  now: Date,
): Promise<boolean> {
  const count = await db.$executeRaw`
    update "Subscription" set "seatsRequested" = ${members}, "seatsRequestedAt" = ${now}
    where "subscriptionId" = ${subscriptionId}
      and ("seatsRequested" is distinct from ${members} or "seatsRequestedAt" < ${retryBefore(now)})`
  return count === 1
}

/** Removes the record of a request that did not reach the provider. */
export async function forgetSeatRequest(db: Db, subscriptionId: string): Promise<void> {
  await db.subscription.updateMany({ where: { subscriptionId }, data: { seatsRequested: null } })
}

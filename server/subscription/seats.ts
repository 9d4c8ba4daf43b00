import { Prisma } from '../../prisma/client/client.ts'
import type { Tx } from '../foundation/database.ts'
import { statement } from '../foundation/statement.ts'
import { statementsOf } from '../foundation/transactions.ts'

/**
 * The number of members and pending invitations that the subscriptions of an organization allow. Undefined without a
 * subscription that limits them. Of several limits, the largest counts.
 */
export async function findSeatLimit(
  tx: Tx,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<number | undefined> {
  const { rows } = await statementsOf(tx).query<{ limit: number | null }>(findLimit({ organizationId, now }))
  return rows[0]?.limit ?? undefined
}

/** The same as a subquery of a larger statement with the parameters `organizationId` and `now`. */
export const seatLimitText = `
  select max(p."seatLimit")::int as "limit" from "Subscription" s join "Product" p using ("productId")
  where s."organizationId" = :organizationId and (s.status in ('active', 'past_due', 'on_hold')
    or (s.status = 'cancelled' and s."cancelAtNextBillingDate" and s."nextBillingDate" > :now::timestamptz))`

// Prisma names the statement itself.
const findLimit = statement('', seatLimitText)

/** The number of members, if the quantity of this product follows them. */
export async function findSeatCount(
  tx: Tx,
  { organizationId, productId }: { organizationId: string; productId: string },
): Promise<number | undefined> {
  const product = await tx.product.findUnique({ where: { productId }, select: { hasSeats: true } })
  return product?.hasSeats ? tx.member.count({ where: { organizationId } }) : undefined
}

export type SeatChange = { subscriptionId: string; productId: string; members: number; eventAt: Date; payload: unknown }

/** Hours until the same number of seats is requested again, for example after a failed payment. */
const retryHours = 6

/**
 * Active subscriptions of organizations whose quantity should follow the number of members but differs from it. A
 * number that was already requested is not requested again for six hours. The longest waiting come first.
 */
export async function findSeatChanges(tx: Tx, now: Date, limit: number): Promise<SeatChange[]> {
  const retried = new Date(now.getTime() - retryHours * 3_600_000)
  return tx.$queryRaw<SeatChange[]>`
    ${selectDifferent} and (s."seatsRequested" is distinct from m.members or s."seatsRequestedAt" < ${retried})
    order by s."seatsRequestedAt" nulls first, s."subscriptionId" limit ${limit}`
}

/** Whether a change is still needed: its plan, its number of members and the last event are the same. */
export async function isStillNeeded(
  tx: Tx,
  { subscriptionId, productId, members, eventAt }: SeatChange,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<SeatChange[]>`${selectDifferent} and s."subscriptionId" = ${subscriptionId}`
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
export async function claimSeatChange(
  tx: Tx,
  { subscriptionId, members }: Pick<SeatChange, 'subscriptionId' | 'members'>,
  now: Date,
): Promise<boolean> {
  const retried = new Date(now.getTime() - retryHours * 3_600_000)
  const count = await tx.$executeRaw`
    update "Subscription" set "seatsRequested" = ${members}, "seatsRequestedAt" = ${now}
    where "subscriptionId" = ${subscriptionId}
      and ("seatsRequested" is distinct from ${members} or "seatsRequestedAt" < ${retried})`
  return count === 1
}

/** Removes the record of a request that did not reach the provider. */
export async function forgetSeatRequest(tx: Tx, subscriptionId: string): Promise<void> {
  await tx.subscription.updateMany({ where: { subscriptionId }, data: { seatsRequested: null } })
}

import type { Db, Tx } from '../foundation/database.ts'
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

/**
 * `findSeatLimit` as a subquery: of a statement with the parameter `now`, for the organization of an SQL expression.
 */
export const seatLimitSql = (organizationId: string) => `
  select max(p."seatLimit")::int as "limit" from "Subscription" s join "Product" p using ("productId")
  where s."organizationId" = ${organizationId} and (s.status in ('active', 'past_due', 'on_hold')
    or (s.status = 'cancelled' and s."cancelAtNextBillingDate" and s."nextBillingDate" > :now::timestamptz))`

// Prisma names the statement itself.
const findLimit = statement('', seatLimitSql(':organizationId'))

/** The number of members, if the quantity of this product follows them. */
export async function findSeatCount(
  db: Db,
  { organizationId, productId }: { organizationId: string; productId: string },
): Promise<number | undefined> {
  const product = await db.product.findUnique({ where: { productId }, select: { hasSeats: true } })
  return product?.hasSeats ? db.member.count({ where: { organizationId } }) : undefined
}

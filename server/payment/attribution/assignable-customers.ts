import { Prisma } from '../../../prisma/client/client.ts'
import type { Db } from '../../foundation/database.ts'
import type { PgTransaction } from '../../foundation/transactions.ts'
import { hasPurchasesOfOthersSql, isOfAnotherUserSql } from '../../purchase/purchases-of-others.ts'

const hasPurchasesOfAnotherUserSql = Prisma.raw(hasPurchasesOfOthersSql('c."customerId"', isOfAnotherUserSql('u.id')))

/**
 * Customers with unassigned events whose email address a user has verified, and under which no other owner has bought.
 */
export async function findAssignableCustomers(
  db: Db,
  limit: number,
): Promise<{ customerId: string; userId: string }[]> {
  return db.$queryRaw<{ customerId: string; userId: string }[]>`
    select c."customerId", u.id as "userId" from "Customer" c
    join "User" u on u.email = c.email and u."emailVerified"
    where c."userId" is null and c."organizationId" is null
      and exists (select from "PaymentEvent" e where e.state = 'unassigned' and e."customerId" = c."customerId")
      and not ${hasPurchasesOfAnotherUserSql}
    order by random() limit ${limit}`
}

/**
 * Whether the user still has the verified email address of an unlinked customer. Both rows are locked until the
 * transaction ends.
 */
export async function lockUserOfEmail(sql: PgTransaction, customerId: string, userId: string): Promise<boolean> {
  const { rows } = await sql.query(
    `select 1 from "Customer" c join "User" u on u.email = c.email and u."emailVerified"
      where c."customerId" = $1 and u.id = $2 and c."userId" is null and c."organizationId" is null
      for key share of u for share of c`,
    [customerId, userId],
  )
  return rows.length === 1
}

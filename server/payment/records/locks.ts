import { statement } from '../../foundation/statement.ts'
import type { Statements } from '../../foundation/transactions.ts'
import type { PaymentObject } from '../objects/object.ts'

/**
 * Serializes events that refer to the same customer, payment, subscription or object, because each one's outcome
 * depends on the rows stored by the others. The locks are taken in the order of their names, to avoid deadlocks.
 */
export async function lockReferencedObjects(sql: Statements, object: PaymentObject | undefined): Promise<void> {
  if (!object) return
  const { customer, paymentId, subscriptionId, table, id } = object
  await takeAdvisoryLocks(sql, [
    `${table}:${id}`,
    ...(customer?.customer_id ? [`Customer:${customer.customer_id}`] : []),
    ...(paymentId ? [`Payment:${paymentId}`] : []),
    ...(subscriptionId ? [`Subscription:${subscriptionId}`] : []),
  ])
}

/** Takes the locks with the given names, such as `Customer:cus_1`. */
export async function takeAdvisoryLocks(sql: Statements, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql.query(lockAll({ names: [...new Set(names)].toSorted() }))
}

// Prisma cannot read a column of type void.
const lockAll = statement(
  'payments.lockObjects',
  `select 1 from (select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(:names::text[]) as name) as locked`,
)

import { requireAdministratorUntilCommit } from '../../account/administrators.ts'
import type { App } from '../../dependencies.ts'
import { type EventOrigin, type NewEvent } from '../../event/event-rows.ts'
import { recordWith, logEvent } from '../../event/record.ts'
import { refuse } from '../../foundation/refusal.ts'
import { pgTransaction, type PgTransaction } from '../../foundation/transactions.ts'
import type { Caller } from '../../request/read-caller.ts'
import { type BillingOwner, billingOwnerColumns } from '../billing-owner/billing-owner.ts'
import { takeAdvisoryLocks } from '../records/locks.ts'
import { findStoredEvent } from '../records/stored-events.ts'
import { findPayment } from '../records/stored-payments.ts'
import { assignDependents } from './dependents.ts'
import {
  markCustomerEventsApplied,
  markPurchaseEventsApplied,
  type OwnerColumns,
  findAssignableOwner,
  findCustomerOwner,
  findEventState,
  lockCustomerOwner,
  lockBillingOwner,
  moveAllPurchases,
  movePurchase,
  setCustomerOwner,
} from './reassignments.ts'

type EventReferences = {
  customerId: string | null
  paymentId: string | null
  subscriptionId: string | null
  subjectId: string | null
  state: string
}

/**
 * For administrators. Assigns the customer of an event to an owner, with its waiting events and every purchase that had
 * no owner, whose owner was deleted, or whose former owner had it through this customer. If the event has no customer,
 * only its purchase is assigned.
 */
export async function assignCustomer(
  app: App & EventOrigin & Pick<Caller, 'user'>,
  eventId: string,
  owner: BillingOwner,
  assigned: NewEvent,
): Promise<void> {
  const found = (await findStoredEvent(app.db, eventId)) ?? refuse('EVENT_NOT_FOUND')
  const customerId = await customerOf(app, found)
  await pgTransaction(app.pool, async (sql) => {
    await requireAdministratorUntilCommit(sql, app.user.id)
    // The locks that events of this customer and purchase take: their deliveries wait, and then read the new owner.
    await takeAdvisoryLocks(sql, [
      ...(customerId === undefined ? [] : [`Customer:${customerId}`]),
      ...(found.paymentId === null ? [] : [`Payment:${found.paymentId}`]),
      ...(found.subscriptionId === null ? [] : [`Subscription:${found.subscriptionId}`]),
    ])
    // Another administrator may have assigned the event while this call waited.
    const event = { ...found, ...(await findEventState(sql, eventId)) }
    if (!(await lockBillingOwner(sql, owner))) refuse('OWNER_NOT_FOUND')
    await recordWith(sql, app, assigned)
    const isPurchaseOnly = customerId === undefined || (await isAssignedAlone(sql, event, { customerId, owner }))
    if (isPurchaseOnly) await assignPurchaseOnly(sql, event, owner, app.now)
    else await assignWholeCustomer(sql, customerId, owner, app.now)
  })
  logEvent(app, assigned)
}

/** A refund or dispute names only a payment, which names the customer. */
async function customerOf(
  { db }: App,
  { customerId, paymentId }: Omit<EventReferences, 'state'>,
): Promise<string | undefined> {
  if (customerId !== null || paymentId === null) return customerId ?? undefined
  const payment = await findPayment(db, paymentId)
  return payment?.customerId || undefined
}

/**
 * Whether a purchase is assigned without its customer. A guest purchase (see owned-customers.ts) belongs to its buyer
 * alone; the customer's other purchases stay with the customer's owner.
 */
async function isAssignedAlone(
  sql: PgTransaction,
  { paymentId, subscriptionId, subjectId, state }: EventReferences,
  { customerId, owner }: { customerId: string; owner: BillingOwner },
): Promise<boolean> {
  const holder = await findCustomerOwner(sql, customerId)
  if (holder === undefined || (holder.userId === null && holder.organizationId === null)) return false
  const bought = await findAssignableOwner(sql, { paymentId, subscriptionId, subjectId, isCorrection: true })
  const isUnassigned = !bought || (bought.userId === null && bought.organizationId === null)
  if (!isUnassigned) return !isSame(bought, holder)
  return state !== 'applied' && !isSame(billingOwnerColumns(owner), holder)
}

function isSame(one: OwnerColumns, other: OwnerColumns): boolean {
  return one.userId === other.userId && one.organizationId === other.organizationId
}

/**
 * Assigns one payment or subscription, with the rows that refer to it. Before its event has been applied, only a
 * purchase without an owner can be assigned; afterwards an administrator can correct the assignment.
 */
async function assignPurchaseOnly(
  sql: PgTransaction,
  { paymentId, subscriptionId, subjectId, state }: EventReferences,
  owner: BillingOwner,
  now: Date,
): Promise<void> {
  const purchase = { paymentId, subscriptionId, subjectId, isCorrection: state === 'applied' }
  const former = await findAssignableOwner(sql, purchase)
  if (!former) refuse('PURCHASE_CANNOT_BE_ASSIGNED')
  await movePurchase(sql, purchase, { from: former, to: owner })
  if (subscriptionId !== null) await assignDependents(sql, { table: 'Subscription', id: subscriptionId }, owner, now)
  if (paymentId !== null) await assignDependents(sql, { table: 'Payment', id: paymentId }, owner, now)
  // The events of the purchases themselves.
  await markPurchaseEventsApplied(sql, purchase, now)
}

async function assignWholeCustomer(
  sql: PgTransaction,
  customerId: string,
  owner: BillingOwner,
  now: Date,
): Promise<void> {
  const former = await lockCustomerOwner(sql, customerId)
  await setCustomerOwner(sql, customerId, owner, now)
  await moveAllPurchases(sql, customerId, { from: former, to: owner, now })
  await markCustomerEventsApplied(sql, customerId, now)
}

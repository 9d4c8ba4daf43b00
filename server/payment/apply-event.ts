import type { App } from '../dependencies.ts'
import type { Sql } from '../foundation/database.ts'
import { type Attribution, assignKeys, assignPayments, markAssigned, rememberCustomer } from './attribution.ts'
import type { Envelope } from './envelope.ts'
import { notifyOwner } from './notify-owner.ts'
import type { PaymentObject } from './objects/object.ts'
import { columnsOf, ownerKey } from './owner.ts'

export type PaymentEvent = Envelope & { id: string }

/** Is the event done with its application? Those without an owner wait for an administrator; kinds without rows are done. */
export function isDone(object: PaymentObject | undefined, { owner }: Attribution): boolean {
  return object === undefined || owner !== undefined
}

type Application = { event: PaymentEvent; object: PaymentObject | undefined; attribution: Attribution }

/** Brings what an event says into the rows that are shown, in the transaction of its caller. */
export async function applyEvent(
  sql: Sql,
  app: App,
  { event, object, attribution }: Application,
  now: Date,
): Promise<void> {
  if (!object) return
  const { table, id, status, customer, notice, isPurchase } = object
  const { owner, customerOwner, hasUnassigned, hasKeys } = attribution
  if (customer) await rememberCustomer(sql, customer, customerOwner, { now, eventAt: event.occurredAt })
  const writtenBy = { payload: event.data, eventAt: event.occurredAt, eventId: event.id }
  const change = await object.write(sql, writtenBy, owner)
  if (owner && change.hadNoOwner && !change.isNewer) {
    // An older event that names the owner of a row which had none.
    const { userId, organizationId } = columnsOf(owner)
    const key = { Payment: '"paymentId"', Subscription: '"subscriptionId"', LicenseKey: 'id', Refund: '', Dispute: '' }[
      table
    ]
    await sql.query({
      name: `payments.own.${table}`,
      text: `update "${table}" set "userId" = $2, "organizationId" = $3
        where ${key} = $1 and "userId" is null and "organizationId" is null`,
      values: [id, userId, organizationId],
    })
  }
  if (owner && hasKeys) await assignKeys(sql, object, owner)
  if (owner && table === 'Subscription') await assignPayments(sql, id, owner)
  if (owner && hasUnassigned) {
    const paymentId = table === 'Payment' ? id : null
    const subscriptionId = table === 'Subscription' ? id : null
    await markAssigned(sql, { customerId: customer?.customer_id ?? null, paymentId, subscriptionId }, now)
  }
  if (!owner || !change.isNewer || change.formerStatus === status) return
  if (isPurchase) {
    const values = [`${ownerKey(owner)}:%`]
    await sql.query({
      name: 'payments.done',
      text: 'delete from "PendingCheckout" where "purchaseKey" like $1',
      values,
    })
  }
  // A subscription that ended when it was cancelled is not reported a second time when it expires.
  const isReported = notice === 'subscriptionEnded' && change.formerStatus === 'cancelled' && !change.wasEnding
  if (notice && !isReported) await notifyOwner(sql, app, notice, owner, now)
}

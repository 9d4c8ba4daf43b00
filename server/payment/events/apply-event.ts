import { ZodError } from 'zod'
import type { App } from '../../dependencies.ts'
import { releaseLeasesAtCommit } from '../../foundation/leases.ts'
import { NoServerError } from '../../foundation/postgres-servers.ts'
import { pgTransaction, type PgTransaction } from '../../foundation/transactions.ts'
import { attributeEvent, type Attribution } from '../attribution/attribution.ts'
import { markPersonalPurchase, upsertCustomerOfEvent } from '../attribution/customers.ts'
import { assignDependents, assignUnassignedPurchases } from '../attribution/dependents.ts'
import { billingOwnerKey } from '../billing-owner/billing-owner.ts'
import type { PaymentObject } from '../objects/object.ts'
import type { Envelope } from '../records/envelope.ts'
import { lockReferencedObjects } from '../records/locks.ts'
import { hasEvent, type PendingState, setEventState } from '../records/stored-events.ts'
import { readEventObject } from './event-objects.ts'
import { notifyOwner } from './notify-owner.ts'

export type StoredPaymentEvent = Envelope & { id: string }

/**
 * The server does not have an event that was stored before: during a failover, connections can lead to different
 * servers. This counts as an outage: a delivery is answered with 503, and the provider repeats it.
 */
export class MissingEventError extends NoServerError {
  constructor() {
    super('the event is not stored on this server')
  }
}

/** Why an event cannot be applied, for an administrator to read. */
export function reasonOf(error: unknown): string {
  if (error instanceof ZodError)
    return error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')
  return error instanceof Error ? error.message || error.name : 'unknown'
}

/** The id of an event that was made from a response of the provider (`apply-snapshot.ts`) begins with this. */
export const snapshotIdPrefix = 'reconciled-'

type ApplyResult = { isAssigned: boolean }

type ApplyOptions = {
  from: readonly PendingState[]
  afterApply?: (sql: PgTransaction, result: ApplyResult) => Promise<void>
}

/**
 * Applies a stored event to the rows that are shown, in one transaction. Undefined if its state is not in `from`,
 * because another process applied it first. Throws if the event cannot be applied.
 */
export async function applyStoredEvent(
  app: App,
  event: StoredPaymentEvent,
  { from, afterApply }: ApplyOptions,
): Promise<ApplyResult | undefined> {
  const object = readEventObject(event)
  const now = app.clock()
  // The provider reported it earlier, possibly long ago.
  const isSilent = event.id.startsWith(snapshotIdPrefix)
  return pgTransaction(app.paymentApplyPool, async (sql) => {
    const [, attribution] = await Promise.all([
      lockReferencedObjects(sql, object),
      attributeEvent(sql, app.keys.purchases, object, { eventAt: event.occurredAt, now }),
    ])
    const result = await applyAttributed(sql, app, { event, object, attribution, from, isSilent, now })
    if (result) await afterApply?.(sql, result)
    return result
  })
}

type Attributed = { object: PaymentObject | undefined; attribution: Attribution }

/** Writes the rows of an event and its state. Undefined if its state is not in `from`: nothing is committed then. */
async function applyAttributed(
  sql: PgTransaction,
  app: App,
  {
    event,
    object,
    attribution,
    from,
    isSilent,
    now,
  }: Attributed & { event: StoredPaymentEvent; from: readonly PendingState[]; isSilent: boolean; now: Date },
): Promise<ApplyResult | undefined> {
  // Kinds without rows need no owner. The owner of an attempt is found when it succeeds.
  const isAssigned = object === undefined || attribution.owner !== undefined || attribution.awaitsFirstPurchase
  const [isStateSet] = await Promise.all([
    setEventState(sql, event.id, { from, state: isAssigned ? 'applied' : 'unassigned', now }),
    object && applyObject(sql, app, { event, object, attribution, isSilent }, now),
  ])
  if (isStateSet) return { isAssigned }
  if (!(await hasEvent(sql, event.id))) throw new MissingEventError()
  // Another process has applied it since, or an administrator has dismissed it.
  sql.discard()
  return undefined
}

/** `isSilent`: the owner gets no email. */
type ApplyInput = { event: StoredPaymentEvent; object: PaymentObject; attribution: Attribution; isSilent?: boolean }

/**
 * Writes the rows of an event's object, assigns the rows and events that waited for it, and notifies the owner of a
 * change.
 */
export async function applyObject(
  sql: PgTransaction,
  app: App,
  { event, object, attribution, isSilent = false }: ApplyInput,
  now: Date,
): Promise<void> {
  const { status, customer, notice, isCompleted } = object
  const { owner, rowOwner, isByCustomer, isCustomerOfOrganization, hasDependents, signedOwner } = attribution
  const writtenBy = { payload: event.data, eventAt: event.occurredAt, eventId: event.id }
  const [, change] = await Promise.all([
    customer && upsertCustomerOfEvent(sql, customer, { now, eventAt: event.occurredAt }),
    object.write(sql, writtenBy, rowOwner),
  ])
  if (!owner) return
  const hasFailed = status === 'failed' || (object.table === 'Payment' && status === 'cancelled')
  // Not after a transfer: that purchase was made for the organization.
  const isPersonal = 'userId' in owner && (!signedOwner || 'userId' in signedOwner) && !hasFailed
  if (isPersonal && isCustomerOfOrganization && customer)
    await markPersonalPurchase(sql, customer.customer_id, owner.userId)
  // An older event may name the owner of a row that had none.
  if (change.hadNoOwner && !change.isNewer) await object.assign?.(sql, owner)
  if (hasDependents) await assignDependents(sql, object, owner, now)
  if (hasDependents && isByCustomer && customer) await assignUnassignedPurchases(sql, customer.customer_id, owner, now)
  if (!change.isNewer || change.formerStatus === status) return
  // The checkout is done.
  if (isCompleted && object.table === 'Payment') releaseLeasesAtCommit(sql, `${billingOwnerKey(owner)}:`)
  // A subscription that ended when it was cancelled is not reported a second time when it expires.
  const wasAlreadyReported =
    notice === 'subscriptionEnded' && change.formerStatus === 'cancelled' && !change.wasCancelingAtPeriodEnd
  if (notice && !wasAlreadyReported && !isSilent)
    await notifyOwner(sql, app, notice, owner, { now, until: object.until })
}

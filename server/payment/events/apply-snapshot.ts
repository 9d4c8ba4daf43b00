import { z } from 'zod'
import type { App } from '../../dependencies.ts'
import { refuse } from '../../foundation/refusal.ts'
import { pgTransaction } from '../../foundation/transactions.ts'
import { attributeEvent } from '../attribution/attribution.ts'
import type { PaymentObject } from '../objects/object.ts'
import { callPaymentProvider } from '../provider/provider-api.ts'
import { readEnvelope } from '../records/envelope.ts'
import { lockReferencedObjects } from '../records/locks.ts'
import { findEventTime } from '../records/reconciled-rows.ts'
import { hasUnassignedOrDismissedEvent, setEventState, storeEvent } from '../records/stored-events.ts'
import { applyObject, applyStoredEvent, snapshotIdPrefix, type StoredPaymentEvent } from './apply-event.ts'
import { readEventObject } from './event-objects.ts'

/** An object as the provider returned it, with the provider's own time: the Date header of the response. */
export type Snapshot = {
  type: 'subscription.updated' | 'payment.updated' | 'refund.updated' | 'dispute.updated' | 'license_key.created'
  data: unknown
  at: Date | undefined
}

const ProviderResponse = z.object({ data: z.record(z.string(), z.unknown()), response: z.instanceof(Response) })

/** How far the provider's clock may be ahead of ours, in milliseconds. */
const maxAheadMs = 300_000

type Call = Parameters<typeof callPaymentProvider>[2]

/**
 * Fetches an object from the provider. `call` returns the SDK's `withResponse()`. The time is that of the Date header
 * minus the duration of the call, because the object may be as old as the request.
 */
export async function fetchSnapshot(app: App, type: Snapshot['type'], call: Call): Promise<Snapshot> {
  const started = performance.now()
  const { data, response } = await callPaymentProvider(app.config.payments, ProviderResponse, call)
  const elapsedMs = performance.now() - started
  const at = new Date(Date.parse(response.headers.get('date') ?? '') - elapsedMs)
  // A time in the future would make all later events count as older.
  const isUsable = at.getTime() < app.clock().getTime() + maxAheadMs
  return { type, data, at: isUsable ? at : undefined }
}

/** The object of a response. Refused if it cannot be read. */
function requireEventObject(event: StoredPaymentEvent): PaymentObject {
  try {
    return readEventObject(event) ?? refuse('PAYMENT_PROVIDER_INVALID_RESPONSE')
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    return refuse('PAYMENT_PROVIDER_INVALID_RESPONSE', { cause: error })
  }
}

/** Whether a response is about the requested object. */
export function isAbout({ type, data }: Snapshot, id: string): boolean {
  const timestamp = new Date(0).toISOString()
  return readEnvelope(Buffer.from(JSON.stringify({ type, timestamp, data })))?.subjectId === id
}

/**
 * Applies an object returned by the provider, like an event of that moment. Its time is the provider's, or that of the
 * row before the call, whichever is later. It is never our own clock: if that were ahead, a real event that follows
 * would count as older. If an event has changed the row since, the response is outdated and dropped. An object that
 * never arrived as an event is stored as one, so that administrators see it if it is unassigned. An object
 * that is new here causes no email, because it may be old; a changed status of a known row does.
 */
export async function applySnapshot(
  app: App,
  { type, data, at }: Snapshot,
  { id, expectedEventAt }: { id: string; expectedEventAt: Date | undefined },
): Promise<void> {
  const now = app.clock()
  const eventAt = new Date(Math.max(at?.getTime() ?? 0, expectedEventAt?.getTime() ?? 0))
  const envelope = readEnvelope(Buffer.from(JSON.stringify({ type, timestamp: eventAt.toISOString(), data })))
  // A response about another object would be applied to the wrong row.
  if (!envelope || envelope.subjectId !== id) refuse('PAYMENT_PROVIDER_INVALID_RESPONSE')
  // Of two responses with the same time, the later one wins. Here our clock may decide.
  const event = { ...envelope, id: `${snapshotIdPrefix}${now.toISOString()}-${id}` }
  const object = requireEventObject(event)
  const isNew = expectedEventAt === undefined
  if (isNew) {
    await storeEvent(app.paymentStorePool, event, now)
    await applyStoredEvent(app, event, { from: ['received'] })
    return
  }
  await pgTransaction(app.paymentApplyPool, async (sql) => {
    await lockReferencedObjects(sql, object)
    if ((await findEventTime(sql, object))?.getTime() !== expectedEventAt.getTime()) return
    const attribution = await attributeEvent(sql, app.keys.purchases, object, { eventAt, now })
    await applyObject(sql, app, { event, object, attribution }, now)
    // An attempt without an owner that turns out to be a purchase: administrators, and its buyer, must find it.
    if (object.isCompleted && !attribution.owner && !(await hasUnassignedOrDismissedEvent(sql, id))) {
      await storeEvent(sql, event, now)
      await setEventState(sql, event.id, { from: ['received'], state: 'unassigned', now })
    }
  })
}

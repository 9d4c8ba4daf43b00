// Only the verifier: the rest of the package, 250 files, is the client of Svix's own API.
import { Webhook, WebhookVerificationError } from 'svix/dist/webhook.js'
import type { RefusalKey } from '../../../shared/errors.ts'
import type { App } from '../../dependencies.ts'
import { isMissingReference, isStatementGivenUp, isUnavailable } from '../../foundation/database-errors.ts'
import { acquireLease, releaseLease, renewLease } from '../../foundation/leases.ts'
import { NoServerError } from '../../foundation/postgres-servers.ts'
import { Refusal, refuse } from '../../foundation/refusal.ts'
import { daysBefore } from '../../foundation/time.ts'
import { readEnvelope } from '../records/envelope.ts'
import {
  findReceivedEvents,
  hasEvent,
  markEventFailed,
  parseStoredEvent,
  storeEvent,
} from '../records/stored-events.ts'
import { applyStoredEvent, MissingEventError, reasonOf, type StoredPaymentEvent } from './apply-event.ts'

/** A delivery: the raw bytes, and the three headers of Standard Webhooks. */
export type InboundWebhook = {
  body: Buffer
  id: string | undefined
  timestamp: string | undefined
  signature: string | undefined
}

/** Maps the messages of svix, which are those of the Standard Webhooks specification, to refusals. */
const refusalBySvixMessage: Record<string, RefusalKey> = {
  'Missing required headers': 'MISSING_REQUIRED_HEADERS',
  'Invalid Signature Headers': 'INVALID_SIGNATURE_HEADERS',
  'Message timestamp too old': 'MESSAGE_TIMESTAMP_TOO_OLD',
  'Message timestamp too new': 'MESSAGE_TIMESTAMP_TOO_NEW',
  'No matching signature found': 'NO_MATCHING_SIGNATURE_FOUND',
}

/** Whether the signature of a delivery was invalid. Such refusals are recorded as events. */
export function isSignatureRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal && Object.values(refusalBySvixMessage).includes(error.key)
}

/** Maximum length of a webhook-id. The provider's have about thirty characters. */
const maxIdLength = 256

/**
 * Receives one delivery. The signature is verified over the raw bytes with each key, since there are two during a
 * rotation. The event is then stored in a statement of its own, so that it cannot be lost, and applied. If it could not
 * be applied, it is acknowledged only after another look at it: the server that stored it may be lost. A repeat,
 * recognized by its id, is acknowledged without effect (SEC-74).
 */
export async function receiveWebhook(app: App, delivery: InboundWebhook): Promise<void> {
  const keys = app.config.paymentWebhookKeys
  if (keys.length === 0) {
    // Otherwise anyone could raise the alert of an installation without payments.
    if (app.config.expectsPaymentEvents) app.metrics?.paymentEvent('refused')
    refuse('SERVICE_UNAVAILABLE')
  }
  const { id } = delivery
  verify(keys, delivery)
  const envelope = readEnvelope(delivery.body)
  if (!envelope || id === undefined || id.length > maxIdLength) refuse('INVALID_BODY')
  const event = { ...envelope, id }
  try {
    // On connections of their own: those that apply events may all be waiting for the locks of another one.
    if (!(await storeEvent(app.paymentStorePool, event, app.clock()))) return
    const isDeferred = (await applyReceived(app, event)) !== undefined
    if (isDeferred && !(await hasEvent(app.paymentStorePool, id))) throw new MissingEventError()
  } catch (error) {
    app.metrics?.paymentEvent('refused')
    throw error
  }
}

function verify(keys: readonly string[], { body, id, timestamp, signature }: InboundWebhook): void {
  // Only these three: the library prefers svix-id, so that a signed event could be replayed under a new webhook-id.
  const headers = {
    ...(id !== undefined && { 'webhook-id': id }),
    ...(timestamp !== undefined && { 'webhook-timestamp': timestamp }),
    ...(signature !== undefined && { 'webhook-signature': signature }),
  }
  let reason: RefusalKey = 'NO_MATCHING_SIGNATURE_FOUND'
  for (const key of keys) {
    try {
      new Webhook(key).verify(body, headers)
      return
    } catch (error) {
      // The signature is valid, but the body is not JSON. It is refused later.
      if (error instanceof SyntaxError) return
      if (!(error instanceof WebhookVerificationError)) throw error
      reason = refusalBySvixMessage[error.message] ?? reason
    }
  }
  refuse(reason)
}

/**
 * Applies an event that has been stored. One that cannot be applied is kept with the reason, because the provider would
 * resend it only for a day. Returns why the job has to apply it later: its locks are busy, or the connection was lost.
 * Throws if no server can be used, or if the server does not have the event.
 */
async function applyReceived(app: App, event: StoredPaymentEvent): Promise<Deferral | undefined> {
  const { id: eventId, type } = event
  try {
    if (await applyStoredEvent(app, event, { from: ['received'] })) app.metrics?.paymentEvent('applied')
    return undefined
  } catch (error) {
    if (isUnavailable(error) || isMissingReference(error)) return defer(app, error, { eventId, type })
    app.log.error({ err: error, eventId, type }, 'failed to apply a payment event')
    return markFailed(app, eventId, reasonOf(error))
  }
}

/**
 * Why the job has to apply an event later. `isAboutEvent`: because of its locks or statements, not because of the connection.
 */
type Deferral = { reason: string; isAboutEvent: boolean }

/** Reports why an event was not applied, and returns it: the job applies it. Throws if no server can be used. */
function defer(app: App, error: unknown, event: { eventId: string; type?: string }): Deferral {
  const isLost = error instanceof NoServerError
  app.log.warn({ err: error, ...event }, isLost ? 'payment event is refused' : 'payment event will be applied later')
  if (isLost) throw error
  app.metrics?.paymentEvent('later')
  return { reason: reasonOf(error), isAboutEvent: isStatementGivenUp(error) || isMissingReference(error) }
}

/**
 * Stores why an event cannot be applied, on connections that wait for no advisory locks. If the database is
 * unavailable, it returns the reason instead, and the job tries again. Throws as `applyReceived`.
 */
async function markFailed(app: App, eventId: string, reason: string): Promise<Deferral | undefined> {
  try {
    const isMarked = await markEventFailed(app.paymentStorePool, eventId, { from: ['received'], reason })
    // Otherwise another process has applied it, or an administrator has dismissed it.
    if (isMarked) app.metrics?.paymentEvent('failed')
    else if (!(await hasEvent(app.paymentStorePool, eventId))) throw new MissingEventError()
    return undefined
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { ...defer(app, error, { eventId }), reason }
  }
}

/** Events younger than this are usually still being applied by the request that received them, in milliseconds. */
const minAgeMs = 15_000
/**
 * The age in days, since it was received, from which an event whose attempt fails is left to administrators: because of
 * its locks or statements (`own`), or because of the connection (`outage`). While no server can be used, none is.
 */
const maxAgeDays = { own: 1, outage: 3 }
/** Maximum number of events that one run of the job applies, and that it may postpone. */
const maxPerRun = 1_000
const maxDeferred = 20

/**
 * How long a run keeps other runs away, unless it renews its lease. It does so before an event, once `renewalMs` have
 * passed: a run that takes more than a minute and a half for one event may get another one beside it, which is harmless.
 */
const runSeconds = 120
const renewalMs = 30_000

/**
 * Applies events that were stored but not applied, because their locks were busy or the process ended. Started every
 * minute, unless the last run is still at work: each could hold all connections that apply events.
 */
export async function applyReceivedEvents(app: App): Promise<void> {
  const lease = { seconds: runSeconds, clock: app.clock }
  const id = await acquireLease(app.db, { ...lease, key: 'applyReceivedEvents' })
  if (id === undefined) return
  try {
    await applyAll(app, () => renewLease(app.db, { ...lease, id }))
  } finally {
    await releaseLease(app.db, id).catch((error: unknown) => app.log.warn({ err: error }, 'failed to end a lease'))
  }
}

/** Stops when the lease has expired: another run may have begun. */
async function applyAll(app: App, renew: () => Promise<boolean>): Promise<void> {
  const now = app.clock()
  const before = new Date(now.getTime() - minAgeMs)
  const failsBefore = { own: daysBefore(now, maxAgeDays.own), outage: daysBefore(now, maxAgeDays.outage) }
  let deferredCount = 0
  let renewedAt = now.getTime()
  for (const { id, payload, receivedAt } of await findReceivedEvents(app.db, { before, limit: maxPerRun })) {
    const startedAt = app.clock().getTime()
    if (startedAt - renewedAt >= renewalMs) {
      if (!(await renew())) return
      renewedAt = startedAt
    }
    const event = parseStoredEvent(id, payload)
    try {
      const deferral = event
        ? await applyReceived(app, event)
        : await markFailed(app, id, 'the stored payload is not a valid event')
      if (!deferral) continue
      const failBefore = deferral.isAboutEvent ? failsBefore.own : failsBefore.outage
      if (receivedAt <= failBefore) await markFailed(app, id, deferral.reason)
    } catch (error) {
      if (!(error instanceof MissingEventError)) throw error
    }
    if (++deferredCount >= maxDeferred) return
  }
}

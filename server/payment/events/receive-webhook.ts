// Only the verifier: the rest of the package, 250 files, is the client of Svix's own API.
import { Webhook, WebhookVerificationError } from 'svix/dist/webhook.js'
import type { RefusalKey } from '../../../shared/errors.ts'
import type { App } from '../../dependencies.ts'
import { isMissingReference, isUnavailable } from '../../foundation/database-errors.ts'
import { NoServerError } from '../../foundation/postgres-servers.ts'
import { Refusal, refuse } from '../../foundation/refusal.ts'
import { readEnvelope } from '../records/envelope.ts'
import { findReceivedEvents, hasEvent, markEventFailed, readStoredEvent, storeEvent } from '../records/stored-events.ts'
import { applyStoredEvent, MissingEventError, missingEvent, type ReceivedEvent } from './apply-event.ts'

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
 * rotation. The event is then stored in a statement of its own, so that it cannot be lost, and applied. A repeat,
 * recognized by its id, is acknowledged without effect (SEC-74).
 */
export async function receiveWebhook(app: App, delivery: InboundWebhook): Promise<void> {
  const keys = app.config.webhookKeys
  if (keys.length === 0) refuse('SERVICE_UNAVAILABLE')
  const { id } = delivery
  verify(keys, delivery)
  const envelope = readEnvelope(delivery.body)
  if (!envelope || id === undefined || id.length > maxIdLength) refuse('INVALID_BODY')
  const event = { ...envelope, id }
  // On connections of their own: those that apply events may all be waiting for the locks of another one.
  if (await storeEvent(app.deliveryPool, event, app.clock())) await applyReceived(app, event)
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
 * resend it only for a day. If its locks are busy, the job applies it later. Returns whether the job will. Throws if
 * the event is not stored.
 */
async function applyReceived(app: App, event: ReceivedEvent): Promise<boolean> {
  try {
    if (await applyStoredEvent(app, event, { from: ['received'] })) app.metrics?.paymentEvent('applied')
    return false
  } catch (error) {
    // The server that stored the event may be lost: the provider delivers it again.
    if (error instanceof NoServerError) throw error
    if (isUnavailable(error) || isMissingReference(error)) {
      app.metrics?.paymentEvent('later')
      app.log.warn({ err: error, eventId: event.id, type: event.type }, 'payment event will be applied later')
      return true
    }
    app.log.error({ err: error, eventId: event.id, type: event.type }, 'failed to apply a payment event')
    return !(await markFailed(app, event.id, error instanceof Error ? error.message : 'unknown'))
  }
}

/** Stores why an event cannot be applied. False if the database is unavailable: the job tries again. */
async function markFailed(app: App, id: string, reason: string): Promise<boolean> {
  try {
    const isMarked = await markEventFailed(app.paymentPool, id, reason)
    if (!isMarked && !(await hasEvent(app.paymentPool, id))) throw new MissingEventError(missingEvent)
    app.metrics?.paymentEvent('failed')
    return true
  } catch (error) {
    if (error instanceof NoServerError || !isUnavailable(error)) throw error
    app.metrics?.paymentEvent('later')
    app.log.warn({ err: error, eventId: id }, 'payment event will be applied later')
    return false
  }
}

/** Events younger than this are usually still being applied by the request that received them, in milliseconds. */
const minAgeMs = 15_000
/** Maximum number of events that one run of the job applies, and that it may postpone. */
const maxPerRun = 1_000
const maxDeferred = 20

/**
 * Applies events that were stored but not applied, because their locks were busy or the process ended. Runs every
 * minute.
 */
export async function applyReceivedEvents(app: App): Promise<void> {
  const before = new Date(app.clock().getTime() - minAgeMs)
  let deferredCount = 0
  for (const { id, payload } of await findReceivedEvents(app.db, { before, limit: maxPerRun })) {
    const event = readStoredEvent(id, payload)
    const isDeferred = event
      ? await applyReceived(app, event)
      : !(await markFailed(app, id, 'the stored payload is no event'))
    if (isDeferred && ++deferredCount >= maxDeferred) return
  }
}

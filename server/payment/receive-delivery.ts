import { Webhook, WebhookVerificationError } from 'svix'
import type { RefusalKey } from '../../shared/errors.ts'
import type { App } from '../dependencies.ts'
import { inTransaction, isUnavailable } from '../foundation/database.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { type PaymentEvent, applyEvent, isDone } from './apply-event.ts'
import { attributeEvent, lockInOrder } from './attribution.ts'
import { readEnvelope } from './envelope.ts'
import { readEvent } from './read-event.ts'

/** What a delivery brings: the bytes as they came, and the three headers of the specification. */
export type Delivery = {
  body: Buffer
  id: string | undefined
  timestamp: string | undefined
  signature: string | undefined
}

/** svix says exactly what the specification says; each text is a key of the catalogue. */
const refusalOf: Record<string, RefusalKey> = {
  'Missing required headers': 'MISSING_REQUIRED_HEADERS',
  'Invalid Signature Headers': 'INVALID_SIGNATURE_HEADERS',
  'Message timestamp too old': 'MESSAGE_TIMESTAMP_TOO_OLD',
  'Message timestamp too new': 'MESSAGE_TIMESTAMP_TOO_NEW',
  'No matching signature found': 'NO_MATCHING_SIGNATURE_FOUND',
}

/** Did the signature of a delivery not hold? Such refusals are events. */
export function isSignatureRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal && Object.values(refusalOf).includes(error.key)
}

/** Longest webhook-id that is kept; the provider's have some thirty characters. */
const maxIdLength = 256

/**
 * Receives one delivery: verified over the raw bytes with each key in turn (old and new ones during a rotation), then stored
 * and applied in one transaction. A repeat, by its id, is acknowledged without effect (SEC-74).
 */
export async function receiveDelivery(app: App, delivery: Delivery): Promise<void> {
  const keys = app.config.webhookKeys
  if (keys.length === 0) refuse('SERVICE_UNAVAILABLE')
  const { id } = delivery
  verify(keys, delivery)
  const envelope = readEnvelope(delivery.body)
  if (!envelope || id === undefined || id.length > maxIdLength) refuse('INVALID_BODY')
  await store(app, { ...envelope, id })
}

function verify(keys: readonly string[], { body, id, timestamp, signature }: Delivery): void {
  // The three names alone: a library that prefers other headers would let a signed event pass under a new id.
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
      // Signed correctly, but not JSON: refused afterwards.
      if (error instanceof SyntaxError) return
      if (!(error instanceof WebhookVerificationError)) throw error
      reason = refusalOf[error.message] ?? reason
    }
  }
  refuse(reason)
}

/**
 * The event and all of its effects, or nothing. What cannot be applied is kept with the reason and acknowledged: the provider
 * would send the same again for a day. When the database is unavailable the sender gets an error, so that it does.
 */
async function store(app: App, event: PaymentEvent): Promise<void> {
  const now = app.clock()
  try {
    const object = readEvent(event)
    if (!object) app.log.info({ type: event.type, eventId: event.id }, 'a payment event of a kind without rows')
    await inTransaction(app.pool, async (sql) => {
      await lockInOrder(sql, object)
      const attribution = await attributeEvent(sql, app.keys.purchases, object, event.occurredAt)
      const isNew = await keep(sql, event, {
        now,
        appliedAt: isDone(object, attribution) ? now : null,
        failure: null,
      })
      if (isNew) await applyEvent(sql, app, { event, object, attribution }, now)
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    const failure = (error instanceof Error ? error.message : 'unknown').slice(0, 500).replaceAll('\0', '')
    app.log.error({ err: error, eventId: event.id, type: event.type }, 'a payment event could not be applied')
    await keep(app.pool, event, { now, appliedAt: null, failure })
  }
}

type Outcome = { now: Date; appliedAt: Date | null; failure: string | null }

/** Keeps the event under its webhook-id; false for a repeat, whose content changes nothing. */
async function keep(
  sql: Pick<App['pool'], 'query'>,
  event: PaymentEvent,
  { now, appliedAt, failure }: Outcome,
): Promise<boolean> {
  const { id, type, occurredAt, payload, subjectId } = event
  const { rowCount } = await sql.query({
    name: 'payments.keep',
    text: `insert into "WebhookEvent" (id, type, "occurredAt", "receivedAt", payload, "subjectId", "appliedAt", failure)
      values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8) on conflict (id) do nothing`,
    values: [id, type, occurredAt, now, JSON.stringify(payload), subjectId, appliedAt, failure],
  })
  return rowCount === 1
}

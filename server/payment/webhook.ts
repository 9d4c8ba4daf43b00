import { Webhook, WebhookVerificationError } from 'svix'
import type { RefusalKey } from '../../shared/errors.ts'
import type { App } from '../context.ts'
import { isUnavailable } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import { applyEvent } from './events.ts'
import { readEnvelope, type Envelope } from './envelope.ts'

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

/**
 * Receives one delivery: verified over the raw bytes with each key in turn (old and new ones during a rotation), then stored
 * and applied in one transaction. A repeat, by its id, is acknowledged without effect (SEC-74).
 */
export async function receiveDelivery(app: App, delivery: Delivery): Promise<void> {
  const keys = app.config.payments?.webhookKeys ?? refuse('SERVICE_UNAVAILABLE')
  const { id } = delivery
  verify(keys, delivery)
  const envelope = readEnvelope(delivery.body)
  if (!envelope || id === undefined) refuse('INVALID_BODY')
  await store(app, id, envelope)
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
      if (error instanceof SyntaxError) return
      if (!(error instanceof WebhookVerificationError)) throw error
      reason = refusalOf[error.message] ?? reason
    }
  }
  refuse(reason)
}

/**
 * The event and all of its effects, or nothing. What cannot be applied is kept with the reason and acknowledged: the provider
 * would send the same again for a day. A database that is away is told, so that it does.
 */
async function store(app: App, id: string, envelope: Envelope): Promise<void> {
  const now = app.clock()
  const { type, occurredAt, payload, subjectId } = envelope
  await app.db.$transaction(async (tx) => {
    const inserted = await tx.$executeRaw`
      insert into "WebhookEvent" (id, type, "occurredAt", "receivedAt", payload, "subjectId")
      values (${id}, ${type}, ${occurredAt}, ${now}, ${JSON.stringify(payload)}::jsonb, ${subjectId})
      on conflict (id) do nothing`
    if (inserted === 0) return
    await tx.$executeRaw`savepoint effects`
    try {
      const isSettled = await applyEvent(tx, app, { ...envelope, id }, now)
      if (isSettled) await tx.webhookEvent.update({ where: { id }, data: { appliedAt: now } })
    } catch (error) {
      if (isUnavailable(error)) throw error
      await tx.$executeRaw`rollback to savepoint effects`
      const failure = (error instanceof Error ? error.message : 'unknown').slice(0, 500).replaceAll('\0', '')
      await tx.webhookEvent.update({ where: { id }, data: { failure } })
      app.log.error({ err: error, eventId: id, type }, 'a payment event could not be applied')
    }
  })
}

import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { WebhookEndpoint } from '../../prisma/client/client.ts'
import type { Endpoint } from '../../shared/webhook.ts'
import { decrypt, encrypt, type KeyList } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { daysAfter } from '../foundation/time.ts'

/** Maximum endpoints of one installation. Each event is queued once for each endpoint that receives its type. */
export const maxEndpoints = 50

/** Days for which the key before a rotation also signs. */
const formerDays = 1

/** An endpoint as administrators see it. */
export function toEndpoint(row: WebhookEndpoint): z.output<typeof Endpoint> {
  const { id, url, types, description, isEnabled: enabled, failingSince, createdAt } = row
  return { id, url, types, description, enabled, failingSince, createdAt }
}

export async function listEndpoints(tx: Tx): Promise<WebhookEndpoint[]> {
  return tx.webhookEndpoint.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: maxEndpoints })
}

/** A new key in the form of Standard Webhooks: 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function sealSecret(keys: KeyList, secret: string, endpointId: string): string {
  return encrypt(keys, secret, secretOf(endpointId))
}

/** The associated data of a stored key's encryption. */
export function secretOf(endpointId: string): string {
  return `webhook:${endpointId}`
}

/**
 * The keys that currently sign. After a rotation, this includes the former one for a day. Empty if AUTH_SECRET was
 * lost.
 */
export function signingSecrets(
  keys: KeyList,
  {
    id,
    secret,
    previousSecret,
    previousSecretExpiresAt,
  }: Pick<WebhookEndpoint, 'id' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt'>,
  now: Date,
): string[] {
  const isFormerValid = previousSecret !== null && previousSecretExpiresAt !== null && previousSecretExpiresAt > now
  return [secret, ...(isFormerValid ? [previousSecret] : [])].flatMap(
    (sealed) => decrypt(keys, sealed, secretOf(id)) ?? [],
  )
}

/** The time until which the key before a rotation signs. */
export function previousSecretExpiresAt(now: Date): Date {
  return daysAfter(now, formerDays)
}

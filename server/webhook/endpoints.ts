import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Prisma, WebhookEndpoint } from '../../prisma/client/client.ts'
import type { Endpoint } from '../../shared/webhook.ts'
import { decrypt, encrypt, type KeyList } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
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

export async function listEndpoints(db: Db): Promise<WebhookEndpoint[]> {
  return db.webhookEndpoint.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: maxEndpoints })
}

export async function countEndpoints(tx: Tx): Promise<number> {
  return tx.webhookEndpoint.count()
}

export async function findEndpoint(tx: Tx, id: string): Promise<WebhookEndpoint | null> {
  return tx.webhookEndpoint.findUnique({ where: { id } })
}

export async function insertEndpoint(tx: Tx, endpoint: Prisma.WebhookEndpointCreateInput): Promise<WebhookEndpoint> {
  return tx.webhookEndpoint.create({ data: endpoint })
}

/**
 * Changes an endpoint. Undefined if there is none, or it no longer has the properties in `only`: an administrator may
 * have changed it in the meantime.
 */
export async function patchEndpoint(
  tx: Tx,
  id: string,
  changes: Prisma.WebhookEndpointUpdateInput,
  only: Prisma.WebhookEndpointWhereInput = {},
): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.webhookEndpoint.updateManyAndReturn({ where: { ...only, id }, data: changes })
  return row
}

export async function removeEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.webhookEndpoint.deleteMany({ where: { id } })
}

/** A new key in the form of Standard Webhooks: 32 random bytes. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export function encryptSecret(keys: KeyList, secret: string, endpointId: string): string {
  return encrypt(keys, secret, endpointSecretAad(endpointId))
}

/** The associated data of a stored key's encryption. */
export function endpointSecretAad(endpointId: string): string {
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
    (sealed) => decrypt(keys, sealed, endpointSecretAad(id)) ?? [],
  )
}

/** The time until which the key before a rotation signs. */
export function previousSecretExpiresAt(now: Date): Date {
  return daysAfter(now, formerDays)
}

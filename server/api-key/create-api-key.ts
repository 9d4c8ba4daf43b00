import type { z } from 'zod'
import { Prisma } from '../../prisma/client/client.ts'
import { type CreateApiKey, keyLifetimeDays, serverOnlyNames } from '../../shared/api-key.ts'
import { hasMetadataSize } from '../../shared/organization.ts'
import { can } from '../../shared/permissions.ts'
import { record } from '../event/record.ts'
import { sessionHasSecondFactor } from '../factor/assurance.ts'
import { newId, newSecret, sha256 } from '../foundation/crypto.ts'
import { isRecord } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { secondsAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import { findOwnMember } from '../organization/require-member.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { keyPrefix } from '../token/api-keys.ts'
import { countKeys, insertKey, keyLimit, maxKeys, toApiKey } from './keys.ts'

const daySeconds = 86_400
/** Characters of a key that are stored in plain text to recognize it. */
const shownCharacters = 12

/** Creates a key for the caller, or for an organization that the caller administers. The owner is notified by email. */
export async function createApiKey(ctx: CallerContext, input: z.output<typeof CreateApiKey>) {
  const { name, expiresIn, prefix, metadata, organizationId, permissions } = input
  refuseServerOnly(input)
  if (permissions !== undefined && organizationId === undefined) refuse('API_KEY_SERVER_ONLY')
  if (name !== undefined && (name.length < 1 || name.length > 32)) refuse('API_KEY_NAME_LENGTH')
  if (prefix !== undefined && (prefix.length < 1 || prefix.length > 32)) refuse('API_KEY_PREFIX_LENGTH')
  const expiresAt = keyExpiryOf(expiresIn, ctx.now)
  const storedMetadata = metadataOf(metadata)
  if (organizationId !== undefined) await requireAdministratorForKey(ctx, organizationId)
  const start = `${keyPrefix}${prefix ?? ''}`
  const key = `${start}${newSecret()}`
  const row = await transaction(ctx, async (tx) => {
    const caller = await lockCaller(tx, ctx)
    if ((await countKeys(tx, ctx.user.id)) >= maxKeys) refuse('API_KEY_LIMIT_REACHED')
    const created = await insertKey(tx, {
      id: newId(),
      name: name ?? null,
      keyHash: sha256(key),
      start: key.slice(0, Math.max(shownCharacters, start.length + 4)),
      prefix: prefix ?? keyPrefix,
      userId: ctx.user.id,
      organizationId: organizationId ?? null,
      createdWithSecondFactor: sessionHasSecondFactor(caller),
      metadata: storedMetadata ?? Prisma.DbNull,
      permissions: permissions ?? Prisma.DbNull,
      rateLimitMax: keyLimit.max,
      rateLimitWindowMs: keyLimit.windowMs,
      expiresAt,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    const data = { keyId: created.id, name: name ?? '' }
    await record(tx, ctx, { type: 'user.api_key_created', actorId: ctx.user.id, organizationId, data })
    await ctx.outbox.enqueue(
      tx,
      composeMail('apiKeyCreated', ctx.user, { ...ctx, values: { key: name ?? created.start } }),
      ctx.now,
    )
    return created
  })
  return { ...toApiKey(row), key }
}

/** When a key expires. Null means never. */
export function keyExpiryOf(seconds: number | null, now: Date): Date | null {
  if (seconds === null) return null
  if (seconds < keyLifetimeDays.min * daySeconds) refuse('API_KEY_EXPIRES_TOO_SOON')
  if (seconds > keyLifetimeDays.max * daySeconds) refuse('API_KEY_EXPIRES_TOO_LATE')
  return secondsAfter(now, seconds)
}

/** Metadata is an object, or missing. */
export function metadataOf(metadata: unknown): Prisma.InputJsonObject | undefined {
  if (metadata === undefined || metadata === null) return undefined
  if (!isRecord(metadata) || !hasMetadataSize(metadata)) refuse('API_KEY_METADATA_IS_INVALID')
  return metadata as Prisma.InputJsonObject
}

export function refuseServerOnly(input: Record<string, unknown>): void {
  // The client of better-auth sends null for a remaining count that is not set.
  if (serverOnlyNames.some((name) => input[name] !== undefined && input[name] !== null)) refuse('API_KEY_SERVER_ONLY')
}

/** Requires a role that may change the organization's keys. */
export async function requireAdministratorForKey(ctx: CallerContext, organizationId: string): Promise<void> {
  const member = await findOwnMember(ctx, organizationId)
  if (!member) refuse('YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION')
  if (!can(member.role, 'organization', 'update'))
    refuse('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION', { organizationId })
}

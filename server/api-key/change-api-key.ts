import type { z } from 'zod'
import type { GetApiKey, UpdateApiKey } from '../../shared/api-key.ts'
import { can } from '../../shared/permissions.ts'
import { record } from '../event/record.ts'
import type { Db } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { findOwnMember } from '../organization/require-member.ts'
import type { CallerContext } from '../request/context.ts'
import { keyExpiryOf, metadataOf, refuseServerOnly } from './create-api-key.ts'
import { deleteKey, findKey, toApiKey, updateKey } from './keys.ts'

/**
 * Finds a key of the caller, or of an organization that the caller administers. Others' keys are treated as missing.
 */
async function findOwn(db: Db, ctx: CallerContext, id: string) {
  const row = (await findKey(db, id)) ?? refuse('API_KEY_NOT_FOUND')
  const isOwn = row.userId === ctx.user.id
  if (row.organizationId === null) return isOwn ? row : refuse('API_KEY_NOT_FOUND')
  const member = await findOwnMember(ctx, row.organizationId)
  return isOwn || (member && can(member.role, 'organization', 'update')) ? row : refuse('API_KEY_NOT_FOUND')
}

export async function readApiKey(ctx: CallerContext, { id }: z.output<typeof GetApiKey>) {
  return toApiKey(await findOwn(ctx.db, ctx, id))
}

/** Renames, enables or disables a key, or changes its expiry. Only the key's own user may do this. */
export async function updateApiKey(ctx: CallerContext, input: z.output<typeof UpdateApiKey>) {
  const { keyId, name, enabled, expiresIn, metadata, permissions } = input
  refuseServerOnly(input)
  if (permissions !== undefined) refuse('API_KEY_SERVER_ONLY')
  const row = await findOwn(ctx.db, ctx, keyId)
  if (row.userId !== ctx.user.id) refuse('API_KEY_NOT_FOUND')
  if (name !== undefined && (name.length < 1 || name.length > 32)) refuse('API_KEY_NAME_LENGTH')
  const kept = metadataOf(metadata)
  const data = {
    ...(name !== undefined && { name }),
    ...(enabled !== undefined && { isEnabled: enabled }),
    ...(expiresIn !== undefined && { expiresAt: keyExpiryOf(expiresIn, ctx.now) }),
    ...(kept !== undefined && { metadata: kept }),
  }
  if (Object.keys(data).length === 0) refuse('API_KEY_NOTHING_TO_UPDATE')
  return toApiKey(await updateKey(ctx.db, row.id, { ...data, updatedAt: ctx.now }))
}

/** Deletes a key. It is refused from the next call on. */
export async function deleteApiKey(ctx: CallerContext, keyId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { id, name, userId, organizationId } = await findOwn(tx, ctx, keyId)
    if (!(await deleteKey(tx, id))) refuse('API_KEY_NOT_FOUND')
    const data = { keyId: id, name: name ?? '' }
    const of = { actorId: ctx.user.id, subjectId: userId, organizationId }
    await record(tx, ctx, { type: 'user.api_key_deleted', ...of, data })
  })
}

import { deleteKey, findKey } from '../api-key/keys.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndCaller } from './lock.ts'

/** Deletes another user's key. It is refused from the next call on. */
export async function deleteAnyApiKey(ctx: CallerContext, keyId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    const key = (await findKey(tx, keyId)) ?? refuse('API_KEY_NOT_FOUND')
    if (!(await deleteKey(tx, keyId))) refuse('API_KEY_NOT_FOUND')
    const of = { actorId: ctx.user.id, subjectId: key.userId, organizationId: key.organizationId }
    const data = { keyId, name: key.name ?? '' }
    await record(tx, ctx, { type: 'user.api_key_deleted', ...of, data })
  })
}

import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { lockUser } from '../session/locks.ts'
import { endConnections } from '../token/connections.ts'
import { findClientRow } from './clients.ts'
import { insertNotices } from './logout-notices.ts'

/** Disconnects an application: it loses access in all sessions of the user, and is notified. */
export async function removeApp(ctx: CallerContext, clientId: string): Promise<void> {
  const userId = ctx.user.id
  await transaction(ctx, async (tx) => {
    // An answer that allows the application at the same time comes before or after this as a whole.
    await lockUser(tx, userId)
    const client = await findClientRow(tx, clientId)
    if (!client) refuse('CLIENT_NOT_FOUND')
    if (client.backchannelLogoutUri !== null) await insertNotices(tx, { userId, clientId, now: ctx.now })
    if (!(await endConnections(tx, { userId, clientId }))) refuse('CLIENT_NOT_FOUND')
    await record(tx, ctx, { type: 'user.app_removed', actorId: userId, data: { clientId, name: client.name } })
  })
}

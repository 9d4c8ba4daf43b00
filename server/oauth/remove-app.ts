import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { insertNotices } from './logout-notices.ts'

/** Disconnects an application: it loses access in all sessions of the user, and is notified. */
export async function removeApp(ctx: Context & Caller, clientId: string): Promise<void> {
  const userId = ctx.user.id
  await transaction(ctx, async (tx) => {
    const client = await tx.oAuthClient.findUnique({ where: { id: clientId } })
    const { count } = await tx.oAuthConsent.deleteMany({ where: { userId, clientId } })
    if (!client || count === 0) refuse('CLIENT_NOT_FOUND')
    if (client.backchannelLogoutUri !== null) await insertNotices(tx, { userId, clientId, now: ctx.now })
    await tx.oAuthArtifact.deleteMany({ where: { userId, clientId } })
    await record(tx, ctx, { type: 'user.app_removed', actorId: userId, data: { clientId, name: client.name } })
  })
}

import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'

/** Disconnects an application: it loses access in all sessions of the user, and is notified. */
export async function removeApp(ctx: Context & Caller, clientId: string): Promise<void> {
  const userId = ctx.user.id
  await transaction(ctx, async (tx) => {
    const client = await tx.oAuthClient.findUnique({ where: { id: clientId } })
    const { count } = await tx.oAuthConsent.deleteMany({ where: { userId, clientId } })
    if (!client || count === 0) refuse('CLIENT_NOT_FOUND')
    if (client.backchannelLogoutUri !== null) {
      await tx.$executeRaw`
        insert into "LogoutNotice" (id, "clientId", "userId", "sessionId", "nextTryAt", "createdAt")
        select gen_random_uuid()::text, ${clientId}, ${userId}, s."sessionId", ${ctx.now}, ${ctx.now}
        from (select distinct coalesce(sid, "sessionId") as "sessionId" from "OAuthArtifact"
          where "userId" = ${userId} and "clientId" = ${clientId} and kind = 'Grant' and "sessionId" is not null) as s`
    }
    await tx.oAuthArtifact.deleteMany({ where: { userId, clientId } })
    await record(tx, ctx, { type: 'user.app_removed', actorId: userId, data: { clientId, name: client.name } })
  })
}

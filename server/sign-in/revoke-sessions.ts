import { record } from '../event/record.ts'
import { revokeTrustedDevices } from '../factor/trusted-devices.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { revokeSession, revokeSessions } from '../session/sessions.ts'

/** Ends one session of the caller, identified by its handle. */
export async function revokeOwnSession(ctx: Context & Pick<Caller, 'user'>, token: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const sessionId = (await revokeSession(tx, ctx.user.id, token)) ?? refuse('SESSION_NOT_FOUND')
    await record(tx, ctx, { type: 'user.session_revoked', actorId: ctx.user.id, data: { sessionId } })
  })
}

/** Ends all sessions of the caller, or all except one, and records an event. */
export async function revokeOwnSessions(ctx: Context & Pick<Caller, 'user'>, except: string | null): Promise<void> {
  await transaction(ctx, async (tx) => {
    await revokeSessions(tx, ctx.user.id, except ?? undefined)
    await revokeTrustedDevices(tx, ctx.user.id)
    await record(tx, ctx, { type: 'user.sessions_revoked', actorId: ctx.user.id, data: { except } })
  })
}

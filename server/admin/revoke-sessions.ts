import { record } from '../event/record.ts'
import { revokeTrustedDevices } from '../factor/trusted-devices.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { findUserIdByHandle, revokeSession, revokeSessions } from '../session/sessions.ts'
import { lockAdministratorsAndUser } from './lock.ts'

/** Ends the session with this handle, of any user. A session that has already ended is not an error. */
export async function revokeUserSession(ctx: CallerContext, token: string): Promise<void> {
  const row = await findUserIdByHandle(ctx.db, token)
  if (!row) return
  const { userId } = row
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndUser(tx, ctx, userId)
    const sessionId = await revokeSession(tx, userId, token)
    if (sessionId === undefined) return
    const about = { actorId: ctx.user.id, subjectId: userId }
    await record(tx, ctx, { type: 'user.session_revoked', ...about, data: { sessionId } })
  })
}

/** Ends all sessions of a user, and the trust in browsers that skip the second step. */
export async function revokeUserSessions(ctx: CallerContext, userId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndUser(tx, ctx, userId)
    await revokeSessions(tx, userId)
    await revokeTrustedDevices(tx, userId)
    const about = { actorId: ctx.user.id, subjectId: userId }
    await record(tx, ctx, { type: 'user.sessions_revoked', ...about, data: { except: null } })
  })
}

import type { z } from 'zod'
import type { AdministeredUser, BanUser } from '../../shared/admin.ts'
import { setBan } from '../account/users.ts'
import { record, recordAll } from '../event/record.ts'
import { revokeTrustedDevices } from '../factor/trusted-devices.ts'
import { refuse } from '../foundation/refusal.ts'
import { secondsAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { revokeSessions } from '../session/sessions.ts'
import { lockAdministratorsAndUser } from './lock.ts'
import { toAdministeredUser } from './users.ts'

/** The reason of a ban if none was given. */
const noReason = 'No reason'

/** Bans a user: ends all sessions, and refuses every sign-in, token and API key until the ban ends (SEC-117). */
export async function banUser(ctx: CallerContext, input: z.output<typeof BanUser>): Promise<AdministeredUser> {
  const { userId, banReason = '', banExpiresIn } = input
  const { now } = ctx
  if (userId === ctx.user.id) refuse('YOU_CANNOT_BAN_YOURSELF')
  return transaction(ctx, async (tx) => {
    await lockAdministratorsAndUser(tx, ctx, userId)
    const reason = banReason === '' ? noReason : banReason
    const expiresAt = banExpiresIn === undefined ? null : secondsAfter(now, banExpiresIn)
    const user = await setBan(tx, userId, { bannedAt: now, banReason: reason, banExpiresAt: expiresAt, now })
    await revokeSessions(tx, userId)
    await revokeTrustedDevices(tx, userId)
    const about = { actorId: ctx.user.id, subjectId: userId }
    await recordAll(tx, ctx, [
      { type: 'user.banned', ...about, data: { reason, expiresAt: expiresAt?.toISOString() ?? null } },
      { type: 'user.sessions_revoked', ...about, data: { except: null } },
    ])
    return toAdministeredUser(user, now)
  })
}

/** Lifts a ban. Sessions that it ended stay ended. */
export async function unbanUser(ctx: CallerContext, userId: string): Promise<AdministeredUser> {
  const { now } = ctx
  return transaction(ctx, async (tx) => {
    const { bannedAt } = await lockAdministratorsAndUser(tx, ctx, userId)
    const user = await setBan(tx, userId, { bannedAt: null, banReason: null, banExpiresAt: null, now })
    if (bannedAt !== null)
      await record(tx, ctx, { type: 'user.unbanned', actorId: ctx.user.id, subjectId: userId, data: {} })
    return toAdministeredUser(user, now)
  })
}

import type { z } from 'zod'
import type { SetUserPassword } from '../../shared/admin.ts'
import { storePassword } from '../account/credentials.ts'
import { newPasswordProblem } from '../account/password.ts'
import { recordAll } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { displayEmail } from '../foundation/verified-email.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { revokeSessions } from '../session/sessions.ts'
import { findUserById } from '../session/users.ts'
import { lockAdministratorsAndUser } from './lock.ts'

/**
 * Sets a user's password, ends all of the user's sessions and notifies the user. Refused for administrators: it would
 * be a way to act as one.
 */
export async function setUserPassword(ctx: CallerContext, input: z.output<typeof SetUserPassword>): Promise<void> {
  const { userId, newPassword } = input
  const { now, config } = ctx
  const known = (await findUserById(ctx.db, userId)) ?? refuse('ADMIN_USER_NOT_FOUND')
  const problem = await newPasswordProblem(newPassword, config, known)
  if (problem) refuse(problem)
  const passwordHash = await ctx.hasher.hash(newPassword)
  await transaction(ctx, async (tx) => {
    const user = await lockAdministratorsAndUser(tx, ctx, userId)
    if (user.role === 'admin') refuse('YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD')
    // The password is stored first: a sign-in with the former one locks its row, and so has ended before the sessions
    // are deleted.
    await storePassword(tx, { userId, passwordHash, now })
    await revokeSessions(tx, userId)
    const about = { actorId: ctx.user.id, subjectId: userId }
    await recordAll(tx, ctx, [
      { type: 'user.password_changed', ...about, data: { method: 'administrator' } },
      { type: 'user.sessions_revoked', ...about, data: { except: null } },
    ])
    const owner = { ...user, email: displayEmail(user) }
    await ctx.outbox.enqueue(tx, composeMail('passwordChanged', owner, ctx), now)
  })
}

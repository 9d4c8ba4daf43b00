import type { z } from 'zod'
import { FullUser, type UpdateUser } from '../../shared/account.ts'
import { record } from '../event/record.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import { checkPictureUrl } from '../foundation/pictures.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { composeMail } from '../mail/mail.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { updateUser } from './users.ts'

/** Updates the caller's profile. A new username is reported by email, because it can be used to sign in. */
export async function updateOwnUser(ctx: CallerContext, { email: _never, ...changes }: z.output<typeof UpdateUser>) {
  const { now, user: former } = ctx
  checkPictureUrl(changes.image, ctx.config.appOrigin)
  const fields = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (fields.length === 0) return
  // A username is a sign-in method, which a token may not change.
  if (ctx.verifiedCredential && changes.username !== undefined) refuse('INSUFFICIENT_SCOPE')
  const user = await transaction(ctx, async (tx) => {
    await lockCaller(tx, ctx)
    const user = await updateUser(tx, former.id, { ...changes, now })
    await record(tx, ctx, { type: 'user.updated', actorId: user.id, data: { fields } })
    if (user.username !== former.username) {
      const data = { from: former.username, to: user.username }
      await record(tx, ctx, { type: 'user.username_changed', actorId: user.id, data })
      const mailContext = { ...ctx, values: { username: user.displayUsername ?? '' } }
      await ctx.outbox.enqueue(tx, composeMail('usernameChanged', user, mailContext), now)
    }
    return user
  }).catch((error: unknown) => {
    if (violatedUnique(error)?.includes('username')) refuse('USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER')
    throw error
  })
  await ctx.renewCookies({ user: FullUser.parse(user) })
}

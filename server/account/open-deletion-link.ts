import { z } from 'zod'
import { withQuery } from '../../shared/redirect.ts'
import { RedirectTarget } from '../../shared/schema.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { clearSessionCookies } from '../session/session-cookies.ts'
import { isFresh } from '../session/session-lifetime.ts'
import { deleteUserWithData } from './delete-user.ts'
import { findToken } from './tokens.ts'

export const DeletionLink = z.object({ token: z.string().min(1).max(256), callbackURL: RedirectTarget.optional() })

/**
 * GET /delete-user/callback. A browser is redirected to a page that lists what will be deleted, with a button to
 * confirm (SEC-35). For an API client, deletes the account if the signed-in user owns the token; errors are returned as
 * JSON.
 */
export async function openDeletionLink(ctx: Context, { token, callbackURL }: z.output<typeof DeletionLink>) {
  if (!ctx.config.mayDeleteUser) refuse('NOT_FOUND')
  if (ctx.source.isNavigation) return withQuery('/delete-account', { token, ...(callbackURL && { callbackURL }) })
  const caller = await ctx.caller()
  if (!caller) refuse('FAILED_TO_GET_USER_INFO')
  const { user, session } = caller
  if (session.impersonatedBy !== undefined) refuse('NOT_WHILE_IMPERSONATING')
  if ((await findToken(ctx.db, 'delete-account', token, ctx.now))?.userId !== user.id) refuse('DELETE_INVALID_TOKEN')
  if (!isFresh(ctx, session)) refuse('SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION')
  await transaction(ctx, async (tx) => {
    await lockCaller(tx, caller)
    await deleteUserWithData(tx, ctx, user, { token })
  })
  clearSessionCookies(ctx)
  return { success: true, message: 'User deleted' }
}

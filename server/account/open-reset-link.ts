import { z } from 'zod'
import { isSafePath, withQuery } from '../../shared/redirect.ts'
import { RedirectTarget } from '../../shared/schema.ts'
import { LinkError, refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { findToken } from './tokens.ts'

export const ResetLink = z.object({ callbackURL: RedirectTarget.optional(), token: z.string().max(256) })

/** GET /reset-password/{token}: redirects to the new password page; opening the link does not consume the token. */
export async function openResetLink(ctx: Context, { callbackURL, token }: z.output<typeof ResetLink>): Promise<string> {
  const { appOrigin, basePath } = ctx.config
  if (callbackURL === undefined) refuse('CALLBACKURL_IS_REQUIRED')
  if (callbackURL === '') return withQuery(`${basePath}/error`, { error: 'INVALID_TOKEN' })
  if (!(await findToken(ctx.db, 'reset-password', token, ctx.now))) throw new LinkError('INVALID_TOKEN')
  return withQuery(isSafePath(callbackURL) ? appOrigin + callbackURL : callbackURL, { token })
}

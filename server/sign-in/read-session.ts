import type { z } from 'zod'
import type { GetSession } from '../../shared/session.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { currentSessionJson } from '../session/cookie-cache.ts'
import { readCachedSession, setCacheCookie } from '../session/session-cookies.ts'

/** Returns the response of get-session as JSON text, from the cookie cache if valid, otherwise from the database. */
export async function readSession(ctx: Context, options: z.output<typeof GetSession>): Promise<string> {
  const cached = options.disableCookieCache || ctx.credential ? undefined : readCachedSession(ctx)
  if (cached !== undefined) return cached
  try {
    const caller = await ctx.caller({ mayExtend: !options.disableRefresh, acceptsKeys: true, clearsUnknown: true })
    if (!caller) return 'null'
    // A key of an organization gives access to that organization, not to the account of its creator.
    if (caller.verifiedCredential?.kind === 'api_key' && caller.verifiedCredential.organizationId !== null)
      refuse('INSUFFICIENT_SCOPE')
    const text = currentSessionJson(caller)
    if (ctx.config.hasCookieCache && !caller.verifiedCredential) {
      const { sessionToken, session, remembered } = caller
      setCacheCookie(ctx, { sessionToken, text, expiresAt: session.expiresAt, remembered })
    }
    return text
  } catch (error) {
    if (error instanceof Refusal || isUnavailable(error)) throw error
    refuse('FAILED_TO_GET_SESSION', { cause: error })
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { isTrustedOriginHeader } from '../../shared/redirect.ts'
import { findCookie } from '../foundation/cookies.ts'
import { sha256 } from '../foundation/crypto.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { originOf } from './check-access.ts'
import {
  cookieAttributes,
  createCode,
  hashPrefixOf,
  proxySessionCookie,
  proxySessionSeconds,
  requestCookie,
  consumeCode,
  createProxySession,
} from './proxy-sessions.ts'

/**
 * On Foyer's host: creates a code for the protected host if a user is signed in. Otherwise leads to the sign-in page,
 * which returns here.
 */
export async function startProxySignIn(ctx: Context, query: Record<string, unknown>, path: string): Promise<string> {
  const { to, challenge } = query
  if (typeof to !== 'string' || typeof challenge !== 'string' || !URL.canParse(to)) refuse('INVALID_QUERY')
  const { origin, pathname, search } = new URL(to)
  if (!/^[\w-]{43}$/.test(challenge) || !isTrustedOriginHeader(origin, ctx.config)) refuse('INVALID_ORIGIN')
  const caller = await ctx.caller()
  if (!caller) return `/sign-in?next=${encodeURIComponent(path)}`
  // The application would store the identity, and cannot distinguish the administrator from the user.
  if (caller.session.impersonatedBy !== undefined) return '/error?error=impersonating'
  const { remembered } = caller
  const about = {
    remembered,
    origin,
    sessionId: caller.session.id,
    tokenHashPrefix: hashPrefixOf(caller.sessionToken),
    userId: caller.user.id,
    challenge,
    path: `${pathname}${search}`,
  }
  const code = await createCode(ctx.db, about, ctx.now)
  return `${origin}/.foyer/callback?code=${code}`
}

/**
 * On the protected host: exchanges the code for a proxy session, in the browser that requested it, and redirects to the
 * requested URL.
 */
export async function finishProxySignIn(
  ctx: Context,
  headers: IncomingHttpHeaders,
  code: unknown,
): Promise<{ location: string; cookies: string[] }> {
  const found = typeof code === 'string' ? await consumeCode(ctx.db, code, ctx.now) : undefined
  const secret = findCookie(ctx.cookieHeader, requestCookie)
  const { appOrigin } = ctx.config
  const host = headers['x-forwarded-host'] ?? headers.host ?? ''
  const proto = headers['x-forwarded-proto'] ?? new URL(found?.origin ?? appOrigin).protocol.slice(0, -1)
  const isHere = found !== undefined && found.origin === originOf(String(proto), String(host))
  if (!found || !isHere || secret === undefined || sha256(secret) !== found.challenge) refuse('INVALID_CODE')
  const cookie = createProxySession(ctx.keys, { ...found, now: ctx.now })
  return {
    location: `${found.origin}${found.path}`,
    // The request secret is kept, because another tab may still need it. A code can be used once.
    cookies: [
      `${proxySessionCookie}=${cookie}; ${found.remembered ? `Max-Age=${proxySessionSeconds}; ` : ''}${cookieAttributes}`,
    ],
  }
}

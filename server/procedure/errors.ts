import type { ServerResponse } from 'node:http'
import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { codeOf, isPermissionRefusal, isRefusalKey, messageOf, refusals } from '../../shared/errors.ts'
import { recordLimited } from '../event/record.ts'
import { isMissingReference, isUnavailable } from '../foundation/database-errors.ts'
import type { Log } from '../foundation/log.ts'
import { Refusal } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'

/** Records an event when a signed-in user was refused because of a missing permission (SEC-119). */
async function recordDenial(ctx: Context, { key, organizationId }: Refusal, path: string): Promise<void> {
  if (!isPermissionRefusal(key)) return
  const caller = await ctx.caller({ acceptsKeys: true }).catch(() => undefined)
  if (!caller) return
  const data = { path, reason: codeOf(key) }
  await recordLimited(ctx, { type: 'permission.refused', actorId: caller.user.id, organizationId, data })
}

/** Converts any error into a refusal of the catalogue, with the error as its cause. */
export function toRefusal(error: unknown, type: string): Refusal {
  if (error instanceof Refusal) return error
  const inner = error instanceof TRPCError ? (error.cause ?? error) : error
  if (inner instanceof Refusal) return inner
  const isInput = error instanceof TRPCError && (error.code === 'BAD_REQUEST' || error.code === 'PARSE_ERROR')
  if (isInput) {
    const issues = inner instanceof ZodError ? inner.issues : []
    const key = issues.map(({ message }) => message).find(isRefusalKey)
    if (key) return new Refusal(key, { cause: error })
    const fields = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    return new Refusal(type === 'query' ? 'INVALID_QUERY' : 'INVALID_BODY', { issues: fields, cause: error })
  }
  if (error instanceof TRPCError && (error.code === 'NOT_FOUND' || error.code === 'METHOD_NOT_SUPPORTED')) {
    return new Refusal('NOT_FOUND')
  }
  if (error instanceof TRPCError && error.code === 'PAYLOAD_TOO_LARGE') return new Refusal('PAYLOAD_TOO_LARGE')
  if (error instanceof TRPCError && error.code === 'UNSUPPORTED_MEDIA_TYPE')
    return new Refusal('UNSUPPORTED_MEDIA_TYPE')
  if (isUnavailable(inner)) return new Refusal('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5, cause: inner })
  if (isMissingReference(inner)) return new Refusal('NOT_FOUND', { cause: inner })
  return new Refusal('INTERNAL_SERVER_ERROR', { cause: inner })
}

/** The response body of a refusal outside tRPC. */
export function refusalBody({ key, id, issues, ban }: Refusal) {
  return { code: codeOf(key, id), message: messageOf(key, id), ...(issues && issues.length > 0 && { issues }), ...ban }
}

/** What identifies the request of a refusal in the log. */
type LoggedRequest = { path: string; requestId?: string | undefined; traceId?: string | undefined; ipAddress?: string }

/** Logs a refusal: as a failure of the server with its cause, or as a call that was refused. */
export function logRefusal(log: Log, request: LoggedRequest, refusal: Refusal): void {
  const { status }: { status: number } = refusals[refusal.key]
  const line = { ...request, reason: refusal.key, status }
  if (status >= 500) log.error({ ...line, err: refusal.cause }, 'request failed')
  // A row that a write referred to is missing: the refusal does not say which.
  else if (isMissingReference(refusal.cause)) log.info({ ...line, err: refusal.cause }, 'request refused')
  else log.info(line, 'request refused')
}

/** Sets the headers of a refusal, for a request with or without a token or API key. */
export function setRefusalHeaders(
  reply: ServerResponse,
  { key, retryAfterSeconds }: Refusal,
  hasCredential = false,
): void {
  if (reply.headersSent) return
  const { status }: { status: number } = refusals[key]
  // RFC 6750, 3: informs the client that it may send a token, and whether the one it sent is the problem.
  if (status === 401) reply.setHeader('WWW-Authenticate', hasCredential ? 'Bearer error="invalid_token"' : 'Bearer')
  if (key === 'INSUFFICIENT_SCOPE') reply.setHeader('WWW-Authenticate', 'Bearer error="insufficient_scope"')
  // RFC 9470, 3: the client must ask its user to sign in with a second factor.
  if (key === 'SECOND_FACTOR_REQUIRED' && hasCredential)
    reply.setHeader('WWW-Authenticate', 'Bearer error="insufficient_user_authentication", acr_values="aal2"')
  if (retryAfterSeconds !== undefined) reply.setHeader('Retry-After', retryAfterSeconds)
  if (retryAfterSeconds !== undefined && status === 429) reply.setHeader('X-Retry-After', retryAfterSeconds)
}

const reported = new WeakSet<Refusal>()

/** Logs a refusal once, sets its headers, and records a denied permission. */
export async function report(ctx: Context, refusal: Refusal, path: string): Promise<void> {
  if (reported.has(refusal)) return
  reported.add(refusal)
  const { requestId, traceId, ipAddress } = ctx
  logRefusal(ctx.log, { path, requestId, traceId, ipAddress }, refusal)
  setRefusalHeaders(ctx.reply, refusal, ctx.credential !== undefined)
  await recordDenial(ctx, refusal, path)
}

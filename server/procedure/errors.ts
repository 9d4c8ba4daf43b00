import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { codeOf, isPermissionRefusal, isRefusalKey, messageOf, refusals } from '../../shared/errors.ts'
import { recordLimited } from '../event/record.ts'
import { isMissingReference, isUnavailable } from '../foundation/database-errors.ts'
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

const reported = new WeakSet<Refusal>()

/** Logs a refusal once, records a denied permission, and sets Retry-After. */
export async function report(ctx: Context, refusal: Refusal, path: string): Promise<void> {
  if (reported.has(refusal)) return
  reported.add(refusal)
  const { status }: { status: number } = refusals[refusal.key]
  const { requestId, traceId, ipAddress } = ctx
  const event = { path, reason: refusal.key, status, requestId, traceId, ipAddress }
  if (status >= 500) ctx.log.error({ ...event, err: refusal.cause }, 'failed')
  else ctx.log.info(event, 'refused')
  // RFC 6750, 3: informs the client that it may send a token, and whether the one it sent is the problem.
  if (status === 401 && !ctx.reply.headersSent)
    ctx.reply.setHeader('WWW-Authenticate', ctx.credential ? 'Bearer error="invalid_token"' : 'Bearer')
  if (refusal.key === 'INSUFFICIENT_SCOPE' && !ctx.reply.headersSent)
    ctx.reply.setHeader('WWW-Authenticate', 'Bearer error="insufficient_scope"')
  // RFC 9470, 3: the client must ask its user to sign in with a second factor.
  if (refusal.key === 'SECOND_FACTOR_REQUIRED' && ctx.credential && !ctx.reply.headersSent)
    ctx.reply.setHeader('WWW-Authenticate', 'Bearer error="insufficient_user_authentication", acr_values="aal2"')
  if (refusal.retryAfterSeconds !== undefined && !ctx.reply.headersSent) {
    ctx.reply.setHeader('Retry-After', refusal.retryAfterSeconds)
    if (status === 429) ctx.reply.setHeader('X-Retry-After', refusal.retryAfterSeconds)
  }
  await recordDenial(ctx, refusal, path)
}

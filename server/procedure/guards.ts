import { refusals } from '../../shared/errors.ts'
import type { CallOutcome } from '../foundation/metrics.ts'
import { Refusal, refuse } from '../foundation/refusal.ts'
import { traced } from '../foundation/trace.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { requireSameUser } from '../request/same-user.ts'
import { requireFresh } from '../session/session-lifetime.ts'
import { report, toRefusal } from './errors.ts'
import { rejectMalformedInput } from './input.ts'
import { checkOrigin, checkReadOrigin } from './origin.ts'
import { enforceRateLimit } from './rate-limit.ts'
import { checkRedirectTargets } from './redirects.ts'
import { type Call, isInScope, isOpenTo } from './scope.ts'
import { type Meta, procedure } from './trpc.ts'

/**
 * Checks the origin, then rate limits, then the input, and requires no session. All other guards are based on it. Each
 * call is a span of its request's trace. A refused call has not failed (OpenTelemetry, semantic conventions of HTTP).
 * One middleware does all of it, because each costs about 4 % of the CPU time of a short call.
 */
export const publicProcedure = procedure.use((call) =>
  traced(
    call.path,
    call.ctx.traceHeaders,
    () => checkCall(call),
    (error) => error instanceof Refusal && refusals[error.key].status < 500,
  ),
)

type BaseCall<Result> = {
  ctx: Context
  path: string
  type: string
  meta: Meta | undefined
  getRawInput: () => Promise<unknown>
  next: () => Promise<Result>
}

async function checkCall<Result extends { ok: boolean; error?: unknown }>(call: BaseCall<Result>): Promise<Result> {
  const { ctx, path, type, meta, getRawInput, next } = call
  const begun = performance.now()
  const finish = (outcome: CallOutcome) =>
    recordCall(ctx, { path, outcome, seconds: (performance.now() - begun) / 1000 })
  try {
    // Before the limits: a page of another site must not use up the limits of its visitors.
    if (type === 'mutation') checkOrigin(ctx, Boolean(meta?.startsSession ?? meta?.limit))
    else if (meta?.limit) checkReadOrigin(ctx)
    await enforceRateLimit(ctx, path, meta)
    // The bytes of a picture contain neither text nor targets.
    if (type === 'mutation' && !meta?.bodyType) {
      const input = await getRawInput()
      rejectMalformedInput(input, type)
      checkRedirectTargets(ctx, { callbackURL: ctx.queryTarget, ...Object(input) })
    }
    // A call that requires a session is refused for the lack of one before its query is checked (protectedProcedure).
    if (type === 'query' && !meta?.needsSession) rejectMalformedInput(await getRawInput(), type)
    const result = await next()
    if (!result.ok) throw result.error
    finish('ok')
    return result
  } catch (error) {
    const refusal = toRefusal(error, type)
    await report(ctx, refusal, path)
    finish(refusals[refusal.key].status >= 500 ? 'failed' : 'refused')
    throw refusal
  }
}

/** Counts a call for METRICS_PORT, and logs it for LOG_LEVEL=debug. */
function recordCall(
  { metrics, log, requestId, traceId }: Context,
  { path: procedure, outcome, seconds }: { path: string; outcome: CallOutcome; seconds: number },
): void {
  metrics?.call(procedure, outcome, seconds)
  if (log.isLevelEnabled('debug')) log.debug({ procedure, outcome, seconds, requestId, traceId }, 'procedure called')
}

/**
 * The caller of a call that requires a session, if the call is open to this kind of caller. The session is read from
 * the database, because the cached cookie may belong to a user who has since signed out.
 */
async function admitCaller(ctx: Context, call: Call): Promise<Caller & { impersonatorId: string | undefined }> {
  const caller = await ctx.caller({ acceptsKeys: true })
  if (!caller) refuse(call.meta?.unauthorized ?? 'UNAUTHORIZED')
  requireSameUser(ctx, caller.user.id)
  if (!(await isInScope(caller.verifiedCredential, call))) refuse('INSUFFICIENT_SCOPE')
  const { user, session, sessionToken, remembered, verifiedCredential, method, secondFactor } = caller
  const impersonatorId = session.impersonatedBy
  if (impersonatorId !== undefined && !isOpenTo(call, 'impersonator')) refuse('NOT_WHILE_IMPERSONATING')
  return {
    user,
    session,
    sessionToken,
    remembered,
    verifiedCredential,
    method,
    secondFactor,
    impersonatorId,
  }
}

/** Requires a session. It is checked before the input. */
export const protectedProcedure = publicProcedure.meta({ needsSession: true }).use(async (call) => {
  const caller = await admitCaller(call.ctx, call)
  if (call.type === 'query') rejectMalformedInput(await call.getRawInput(), call.type)
  return call.next({ ctx: caller })
})

/** Requires a session created within the fresh age. */
export const freshProcedure = protectedProcedure.meta({ needsRecentSignIn: true }).use(({ ctx, next }) => {
  // A program may not rely on a confirmation that its user has just given in a browser.
  if (ctx.verifiedCredential) refuse('INSUFFICIENT_SCOPE')
  // The session is new, but the administrator has not confirmed anything as the user.
  if (ctx.impersonatorId !== undefined) refuse('NOT_WHILE_IMPERSONATING')
  requireFresh(ctx, ctx.session)
  return next()
})

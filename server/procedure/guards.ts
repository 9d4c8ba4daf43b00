import { refuse } from '../foundation/refusal.ts'
import { isFresh } from '../session/sessions.ts'
import { report, toRefusal } from './errors.ts'
import { rejectMalformedInput } from './input.ts'
import { checkOrigin, refuseForeignRead } from './origin.ts'
import { refuseTooMany } from './rate-limit.ts'
import { refuseForeignTargets } from './redirects.ts'
import { middleware, procedure } from './trpc.ts'

/** Base of every procedure: checks the origin, then rate limits, then the input. */
const baseProcedure = procedure.use(async ({ ctx, path, type, meta, getRawInput, next }) => {
  try {
    // Before the limits: a page of another site must not use up those of its visitors.
    if (type === 'mutation') checkOrigin(ctx, Boolean(meta?.startsSession ?? meta?.limit))
    else if (meta?.limit) refuseForeignRead(ctx)
    await refuseTooMany(ctx, path, meta?.limit)
    if (type === 'mutation') {
      const input = await getRawInput()
      rejectMalformedInput(input, type)
      refuseForeignTargets(ctx, { callbackURL: ctx.queryTarget, ...Object(input) })
    }
    const result = await next()
    if (!result.ok) throw result.error
    return result
  } catch (error) {
    const refusal = toRefusal(error, type)
    await report(ctx, refusal, path)
    throw refusal
  }
})

/** Rejects a malformed query only after the session check, so that callers without a session get no other error. */
const rejectMalformedQuery = middleware(async ({ type, getRawInput, next }) => {
  if (type === 'query') rejectMalformedInput(await getRawInput(), type)
  return next()
})

/** No session required. */
export const publicProcedure = baseProcedure.use(rejectMalformedQuery)

/**
 * Requires a session, read from the database, because the cached cookie may belong to a user who has since signed out.
 * The session is checked before the input.
 */
export const protectedProcedure = baseProcedure
  .use(async ({ ctx, meta, next }) => {
    const caller = await ctx.caller()
    if (!caller) refuse(meta?.unauthorized ?? 'UNAUTHORIZED')
    const { user, session, sessionToken, remembered } = caller
    return next({ ctx: { user, session, sessionToken, remembered } })
  })
  .use(rejectMalformedQuery)

/** Requires a session created within the fresh age. */
export const freshProcedure = protectedProcedure.use(({ ctx, next }) =>
  isFresh(ctx, ctx.session) ? next() : refuse('SESSION_IS_NOT_FRESH'),
)

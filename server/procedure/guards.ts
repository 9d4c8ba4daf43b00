import { refuse } from '../foundation/refusal.ts'
import { isFresh } from '../session/sessions.ts'
import { report, toRefusal } from './errors.ts'
import { rejectMalformedInput } from './input.ts'
import { checkOrigin } from './origin.ts'
import { refuseTooMany } from './rate-limit.ts'
import { refuseForeignTargets } from './redirects.ts'
import { middleware, procedure } from './trpc.ts'

/** Every procedure begins here: limits, then where the call comes from, then what it carries. */
const baseProcedure = procedure.use(async ({ ctx, path, type, meta, getRawInput, next }) => {
  try {
    await refuseTooMany(ctx, path, meta?.limit)
    if (type === 'mutation') checkOrigin(ctx, meta?.startsSession ?? false)
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

/** A query that is malformed is refused behind the session: nobody learns more of a call than that it wants one. */
const rejectMalformedQuery = middleware(async ({ type, getRawInput, next }) => {
  if (type === 'query') rejectMalformedInput(await getRawInput(), type)
  return next()
})

/** Anybody may call it. */
export const publicProcedure = baseProcedure.use(rejectMalformedQuery)

/**
 * Only with a session, read from the database: what a browser keeps may show somebody who is signed out since. Who
 * calls comes before what is said.
 */
export const protectedProcedure = baseProcedure
  .use(async ({ ctx, meta, next }) => {
    const caller = await ctx.caller()
    if (!caller) refuse(meta?.unauthorized ?? 'UNAUTHORIZED')
    const { user, session, sessionToken, remembered } = caller
    return next({ ctx: { user, session, sessionToken, remembered } })
  })
  .use(rejectMalformedQuery)

/** Only with a session that was opened within the fresh age. */
export const freshProcedure = protectedProcedure.use(({ ctx, next }) =>
  isFresh(ctx, ctx.session) ? next() : refuse('SESSION_IS_NOT_FRESH'),
)

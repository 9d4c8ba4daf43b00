import { refuse } from '../foundation/refusal.ts'
import { isFresh } from '../session/sessions.ts'
import { report, toRefusal } from './errors.ts'
import { rejectMalformedInput } from './input.ts'
import { checkOrigin } from './origin.ts'
import { refuseTooMany } from './rate-limit.ts'
import { refuseForeignTargets } from './redirects.ts'
import { procedure } from './trpc.ts'

/** Anybody may call it. Every procedure begins here: limits, then whence the call comes, then what it carries. */
export const publicProcedure = procedure.use(async ({ ctx, path, type, meta, getRawInput, next }) => {
  try {
    await refuseTooMany(ctx, path, meta?.limit)
    if (type === 'mutation') checkOrigin(ctx, meta?.startsSession ?? false)
    const input = await getRawInput()
    rejectMalformedInput(input, type)
    if (type === 'mutation') refuseForeignTargets(ctx, { callbackURL: ctx.queryTarget, ...Object(input) })
    const result = await next()
    if (!result.ok) throw result.error
    return result
  } catch (error) {
    const refusal = toRefusal(error, type)
    await report(ctx, refusal, path)
    throw refusal
  }
})

/**
 * Only with a session, read from the database: what a browser keeps may show somebody who is signed out since (R26). Who
 * calls comes before what is said (R52).
 */
export const protectedProcedure = publicProcedure.use(async ({ ctx, meta, next }) => {
  const caller = await ctx.caller()
  if (!caller) refuse(meta?.unauthorized ?? 'UNAUTHORIZED')
  const { user, session, sessionToken, remembered } = caller
  return next({ ctx: { user, session, sessionToken, remembered } })
})

/** Only with a session that was opened within the fresh age. */
export const freshProcedure = protectedProcedure.use(({ ctx, next }) =>
  isFresh(ctx, ctx.session) ? next() : refuse('SESSION_IS_NOT_FRESH'),
)

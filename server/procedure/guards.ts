import { isRecord } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { isFresh } from '../session/sessions.ts'
import { report, toRefusal } from './errors.ts'
import { rejectMalformedInput } from './input.ts'
import { checkOrigin, refuseForeignRead } from './origin.ts'
import { refuseTooMany } from './rate-limit.ts'
import { refuseForeignTargets } from './redirects.ts'
import { type Meta, procedure } from './trpc.ts'

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

/** The session is checked before a query's input, so that callers without a session get no other error. */
async function rejectMalformedQuery({ type, getRawInput }: { type: string; getRawInput: () => Promise<unknown> }) {
  if (type === 'query') rejectMalformedInput(await getRawInput(), type)
}

/** No session required. */
export const publicProcedure = baseProcedure.use(async (call) => {
  await rejectMalformedQuery(call)
  return call.next()
})

/**
 * Requires a session, read from the database, because the cached cookie may belong to a user who has since signed out.
 * The session is checked before the input.
 */
export const protectedProcedure = baseProcedure.use(async (call) => {
  const caller = await call.ctx.caller()
  if (!caller) refuse(call.meta?.unauthorized ?? 'UNAUTHORIZED')
  const key = caller.authenticated?.kind === 'api_key' ? caller.authenticated : undefined
  if (key && !(isOpenToKeys(call.path) && (await isWithin(key, call)))) refuse('INSUFFICIENT_SCOPE')
  await rejectMalformedQuery(call)
  const { user, session, sessionToken, remembered, authenticated, method } = caller
  return call.next({
    ctx: { user, session, sessionToken, remembered, authenticated, method },
  })
})

type Call = { path: string; meta: Meta | undefined; getRawInput: () => Promise<unknown> }

/** Whether a call stays within the organization that an API key is limited to: by its guard, or by what it names. */
async function isWithin({ organizationId }: { organizationId: string | null }, call: Call): Promise<boolean> {
  if (organizationId === null || call.meta?.isScoped) return true
  const input = await call.getRawInput()
  const isNamed = isRecord(input) && input['organizationId'] === organizationId && !('organizationSlug' in input)
  return isNamed && /^payment\.|^organization\.getFull$/.test(call.path)
}

/** Whether a call is open to API keys: what programs need, and nothing that changes an account or how one signs in. */
function isOpenToKeys(path: string): boolean {
  return /^(?:organization|team|payment|event)\.|^invitation\.(?:create|list|search|cancel)$|^account\.(?:isUsernameFree)$/.test(
    path,
  )
}

/** Requires a session created within the fresh age. */
export const freshProcedure = protectedProcedure.use(({ ctx, next }) =>
  isFresh(ctx, ctx.session) ? next() : refuse('SESSION_IS_NOT_FRESH'),
)

import { initTRPC, TRPCError } from '@trpc/server'
import { codeOf, isPermissionRefusal, messageOf, refusals, type RefusalKey } from '../shared/errors.ts'
import { isRefusalKey } from '../shared/errors.ts'
import { isSafeTarget, isTrustedOrigin } from '../shared/redirect.ts'
import { ZodError, type z } from 'zod'
import type { Caller, Context } from './context.ts'
import { recordLimited } from './event/record.ts'
import { isGone, isUnavailable } from './foundation/db.ts'
import { wideNetworkFactor } from './session/attempts.ts'
import type { Limit } from './foundation/limits.ts'
import { Refusal, refuse } from './foundation/refusal.ts'

/** What a procedure says of itself besides its types. */
export type Meta = {
  /** The specification's own words; relative to AUTH_BASE_PATH unless it begins with /api/. doors/rest.ts serves it. */
  rest?: `${'GET' | 'POST'} /${string}`
  /** How often one address may call it, counted in PostgreSQL (contract 5). */
  limit?: Omit<Limit, 'key'>
  /** Fields that a POST may carry in its query instead of its body. */
  queryFields?: readonly string[]
  /** What somebody without a session hears, where it is not UNAUTHORIZED. */
  unauthorized?: RefusalKey
  /** Signs somebody in: a foreign page may not call it, not even without cookies (SEC-36). */
  startsSession?: true
  /**
   * The REST answer of a query as finished JSON text, for the few calls that every page makes: tRPC's copies of the context
   * and a second reading of what was just written cost more than the session's statement (measured: 75 of 390 µs). The
   * procedure itself answers the same text, read.
   */
  verbatim?: (ctx: Context, query: Record<string, unknown>) => Promise<string>
}

/** Contract 5, per address and procedure. */
export const strictLimit = { max: 3, seconds: 10 }
/** Calls that send mail to an address that is only claimed. */
export const strictLimitForMail = { max: 3, seconds: 60 }
/** Any procedure or link, per address: keeps one client from drowning the rest. */
const globalLimit = { max: 100, seconds: 10 }

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error, type, path }) {
      const refusal = toRefusal(error, type)
      return {
        ...shape,
        message: refusal.message,
        data: {
          code: shape.data.code,
          httpStatus: refusals[refusal.key].status,
          path,
          /** Key of the catalogue: what screens decide on. */
          reason: refusal.key,
          issues: refusal.issues,
        },
      }
    },
  })

export const router = t.router

/** Anybody may call it. Every procedure begins here: limits, then whence the call comes, then what it carries. */
export const open = t.procedure.use(async ({ ctx, path, type, meta, getRawInput, next }) => {
  try {
    await refuseTooMany(ctx, path, meta?.limit)
    if (type === 'mutation') refuseForeignOrigin(ctx, meta?.startsSession ?? false)
    const input = await getRawInput()
    refuseOddInput(input, type)
    if (type === 'mutation') refuseForeignTargets(ctx, { callbackURL: ctx.queryTarget, ...Object(input) })
    const result = await next()
    if (!result.ok) throw result.error
    return result
  } catch (error) {
    const refusal = toRefusal(error, type)
    report(ctx, refusal, path)
    await recordDenial(ctx, refusal, path)
    throw refusal
  }
})

/** A signed-in user was refused for want of a permission: an event with the user (SEC-119). */
export async function recordDenial(ctx: Context, { key, organizationId }: Refusal, path: string): Promise<void> {
  if (!isPermissionRefusal(key)) return
  const caller = await ctx.caller().catch(() => undefined)
  if (!caller) return
  const data = { path, reason: codeOf(key) }
  await recordLimited(ctx, { type: 'permission.refused', actorId: caller.user.id, organizationId, data })
}

/** Everything that leaves a door is a refusal of the catalogue; what was thrown stays behind as its cause. */
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
  if (isGone(inner)) return new Refusal('NOT_FOUND', { cause: inner })
  return new Refusal('INTERNAL_SERVER_ERROR', { cause: inner })
}

/** The body of every refusal at the doors that are not tRPC's (contract 1.4). */
export function refusalBody({ key, id, issues }: Refusal) {
  return { code: codeOf(key, id), message: messageOf(key, id), ...(issues && issues.length > 0 && { issues }) }
}

/** Logs a refusal and tells the client when to come back. */
export function report(ctx: Context, refusal: Refusal, path: string): void {
  const { status }: { status: number } = refusals[refusal.key]
  const event = { path, reason: refusal.key, status, requestId: ctx.requestId, ipAddress: ctx.ipAddress }
  if (status >= 500) ctx.log.error({ ...event, err: refusal.cause }, 'failed')
  else ctx.log.info(event, 'refused')
  if (refusal.retryAfterSeconds !== undefined && !ctx.reply.headersSent) {
    ctx.reply.setHeader('Retry-After', refusal.retryAfterSeconds)
    if (status === 429) ctx.reply.setHeader('X-Retry-After', refusal.retryAfterSeconds)
  }
}

/** Counts the call for the client's address: all calls in memory, the narrow ones in PostgreSQL (R51). */
export async function refuseTooMany(ctx: Context, path: string, limit?: Omit<Limit, 'key'>): Promise<void> {
  let seconds = 0
  for (const each of limitsOf(path, ctx.networks, globalLimit)) {
    if (seconds === 0) seconds = ctx.limiter.consumeHere(each, ctx.now)
  }
  // What the narrow network refuses does not count for the wide one: a neighbour cannot use it up.
  for (const each of limit ? limitsOf(path, ctx.networks, limit) : []) {
    if (seconds === 0) seconds = await ctx.limiter.consume([each], ctx.now)
  }
  if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
}

/** The same limit for each network of the client; an IPv6 /48 has ten times the room of a /64 (SEC-114). */
function limitsOf(path: string, [narrow, wider]: Context['networks'], limit: Omit<Limit, 'key'>): Limit[] {
  const limits = [{ ...limit, key: `${path}:${narrow}` }]
  if (wider !== undefined) limits.push({ ...limit, key: `${path}:${wider}`, max: limit.max * wideNetworkFactor })
  return limits
}

/** A call that carries cookies, or opens a session, has to come from a page that we trust (SEC-34, SEC-36). */
function refuseForeignOrigin({ source, config }: Context, startsSession: boolean): void {
  const { origin, site, hasCookies } = source
  if (!hasCookies && !startsSession) return
  const isAllowed =
    origin !== undefined
      ? isTrustedOrigin(origin, config)
      : hasCookies
        ? site === 'same-origin'
        : site !== 'cross-site' && site !== 'same-site'
  if (!isAllowed) refuse('INVALID_ORIGIN')
}

/** Deepest nesting of an input; ours need three levels (SEC-80). */
const deepest = 32

/** Text that PostgreSQL would refuse, and nesting that nobody means, are refused before anything is done (SEC-43). */
function refuseOddInput(input: unknown, type: string, depth = 0): void {
  const isOdd = depth > deepest || (typeof input === 'string' && (input.includes('\0') || !input.isWellFormed()))
  if (isOdd) refuse(type === 'query' ? 'INVALID_QUERY' : 'INVALID_BODY')
  if (typeof input !== 'object' || input === null) return
  for (const [name, value] of Object.entries(input)) {
    refuseOddInput(name, type, depth)
    refuseOddInput(value, type, depth + 1)
  }
}

/** Redirect targets by field, in the order in which they are checked (contract 3.2). */
const targets = [
  ['callbackURL', 'INVALID_CALLBACKURL'],
  ['redirectTo', 'INVALID_REDIRECTURL'],
  ['errorCallbackURL', 'INVALID_ERRORCALLBACKURL'],
  ['newUserCallbackURL', 'INVALID_NEWUSERCALLBACKURL'],
] as const satisfies [string, RefusalKey][]

/** On the raw input, because a target is refused before the session is asked for and before the fields are read. */
export function refuseForeignTargets({ config }: Context, input: unknown): void {
  if (typeof input !== 'object' || input === null) return
  const given = new Map<string, unknown>(Object.entries(input))
  for (const [field, key] of targets) {
    const target = given.get(field)
    if (typeof target === 'string' && target !== '' && !isSafeTarget(target, config)) refuse(key)
  }
}

/**
 * Only with a session, read from the database: what a browser keeps may show somebody who is signed out since (R26). Who
 * calls comes before what is said (R52).
 */
export const signedIn = open.use(async ({ ctx, meta, next }) => {
  const caller = await ctx.caller()
  if (!caller) refuse(meta?.unauthorized ?? 'UNAUTHORIZED')
  const { user, session, sessionToken, remembered } = caller
  return next({ ctx: { user, session, sessionToken, remembered } })
})

/** The same for a `verbatim` answer: the context with whoever calls. */
export async function whoever(ctx: Context): Promise<Context & Caller> {
  return Object.assign(ctx, (await ctx.caller()) ?? refuse('UNAUTHORIZED'))
}

/** The query of a `verbatim` answer by its schema. */
export function given<Output>(schema: z.ZodType<Output>, query: unknown): Output {
  refuseOddInput(query, 'query')
  const { data, success } = schema.safeParse(query)
  return success ? data : refuse('INVALID_QUERY')
}

/** Only with a session that was opened within the fresh age. */
export const fresh = signedIn.use(({ ctx, next }) =>
  isFresh(ctx, ctx.session) ? next() : refuse('SESSION_IS_NOT_FRESH'),
)

/** Was the session opened within the fresh age? By its creation, not its use; an age of 0 switches the check off (spec 6). */
export function isFresh({ now, config }: Context, { createdAt }: { createdAt: Date }): boolean {
  const { freshAgeSeconds } = config
  return freshAgeSeconds === 0 || now.getTime() - createdAt.getTime() < freshAgeSeconds * 1000
}

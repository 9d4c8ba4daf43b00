import type { Limit } from '../foundation/limits.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { wideNetworkFactor } from '../session/attempts.ts'

/** Calls that try a secret, per address and procedure. */
export const strictLimit = { max: 3, seconds: 10 }
/** Calls that send mail to an address that is only claimed. */
export const strictLimitForMail = { max: 3, seconds: 60 }
/** Any procedure or link, per address: keeps one client from drowning the rest. */
const globalLimit = { max: 100, seconds: 10 }

/** Counts the call for the client's address: all calls in memory, the narrow ones in PostgreSQL. */
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

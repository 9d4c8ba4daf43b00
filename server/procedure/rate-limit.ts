import type { Limit } from '../foundation/limits.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Authenticated } from '../request/bearer.ts'
import type { Context } from '../request/context.ts'
import { wideNetworkFactor } from '../session/attempts.ts'

/** For calls that check a secret, per address and procedure. */
export const strictLimit = { max: 3, seconds: 10 }
/** For calls that send mail to an unverified address. */
export const strictLimitForMail = { max: 3, seconds: 60 }
/** For the codes of devices: 20 letters to the power of eight, of which one is valid. */
export const strictLimitForCodes = { max: 10, seconds: 60 }
/** For all procedures and links, per address: keeps one client from overloading the server. */
const globalLimit = { max: 100, seconds: 10 }

/** For all calls with one access token. */
const tokenLimit = { max: 1_000, seconds: 10 }

/** Applies rate limits to the client's address: the global limit in memory, the procedure's own limit in PostgreSQL. */
export async function refuseTooMany(ctx: Context, path: string, limit?: Omit<Limit, 'key'>): Promise<void> {
  const credential = ctx.credential && !ctx.source.hasCookies ? (await ctx.caller())?.authenticated : undefined
  let seconds = 0
  if (credential) {
    seconds = await countCredential(ctx, credential, { path, limit })
    if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
    return
  }
  for (const each of limitsOf(path, ctx.networks, globalLimit)) {
    if (seconds === 0) seconds = ctx.limiter.consumeHere(each, ctx.now)
  }
  // A call refused for the narrow network does not count for the wide one, so a neighbour cannot exhaust it.
  for (const each of limit ? limitsOf(path, ctx.networks, limit) : []) {
    if (seconds === 0) seconds = await ctx.limiter.consume([each], ctx.now)
  }
  if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
}

/** A back end calls for many users from one address: its calls are counted by token or key. An unknown one counts by address. */
async function countCredential(
  { limiter, now }: Context,
  credential: Authenticated,
  { path, limit }: { path: string; limit: Omit<Limit, 'key'> | undefined },
): Promise<number> {
  const key = `${credential.kind}:${credential.id}`
  const own = credential.kind === 'api_key' ? credential.rateLimit : tokenLimit
  const seconds = own ? limiter.consumeHere({ ...own, key }, now) : 0
  if (seconds > 0 || !limit) return seconds
  return limiter.consume([{ ...limit, key: `${path}:${key}` }], now)
}

/** The limit for each of the client's networks. An IPv6 /48 has ten times the limit of a /64 (SEC-114). */
function limitsOf(path: string, [narrow, wider]: Context['networks'], limit: Omit<Limit, 'key'>): Limit[] {
  const limits = [{ ...limit, key: `${path}:${narrow}` }]
  if (wider !== undefined) limits.push({ ...limit, key: `${path}:${wider}`, max: limit.max * wideNetworkFactor })
  return limits
}

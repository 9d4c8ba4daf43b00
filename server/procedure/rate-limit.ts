import { sha256 } from '../foundation/crypto.ts'
import { type RateLimit, limitsOfNetworks } from '../foundation/limits.ts'
import { refuse } from '../foundation/refusal.ts'
import type { VerifiedCredential, Credential } from '../request/bearer.ts'
import type { Context } from '../request/context.ts'

/** For calls that check a secret, per network and procedure. */
export const strictLimit = { max: 3, seconds: 10 }
/** For calls that send an email. */
export const strictLimitForMail = { max: 3, seconds: 60 }
/** For device codes: 20 letters to the power of eight, of which one is valid. */
export const strictLimitForCodes = { max: 10, seconds: 60 }
/** For all procedures and links, per network. Keeps one client from overloading the server. */
const globalLimit = { max: 100, seconds: 10 }

/** For all calls with one access token or API key, in addition to its own limit. */
const burstLimit = { max: 20_000, seconds: 10 }
/** Unknown API keys per network. Each costs a query. */
const unknownLimit = { max: 100, seconds: 10 }

/**
 * Applies rate limits: the global limit in memory, the procedure's own in PostgreSQL. They count by the client's
 * network. The global one counts by token or key if one was sent, because a back end calls for many users from one IP
 * address.
 */
export async function enforceRateLimit(ctx: Context, path: string, meta: LimitMeta = {}): Promise<void> {
  const authenticated = ctx.credential && (await identify(ctx, ctx.credential))
  let seconds = authenticated
    ? countCredential(ctx, authenticated.by)
    : countNetworks(ctx, { key: path, ...globalLimit })
  const { limit, perUser } = meta
  const own = !limit
    ? []
    : authenticated && perUser
      ? [{ key: `${path}:user:${authenticated.userId}`, ...limit }]
      : limitsOfNetworks(ctx.networks, { key: path, ...limit })
  for (const each of own) {
    if (seconds === 0) seconds = await ctx.limiter.consume([each], ctx.now)
  }
  if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
}

/** Applies a limit that is counted in memory, per network. */
export function enforceRateLimitInMemory({ limiter, networks, now }: Context, limit: RateLimit): void {
  const seconds = countNetworks({ limiter, networks, now }, limit)
  if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
}

/** A call refused for the subnet does not count for its site, so a neighbor cannot exhaust it. */
function countNetworks(
  { limiter, networks, now }: Pick<Context, 'limiter' | 'networks' | 'now'>,
  limit: RateLimit,
): number {
  let seconds = 0
  for (const each of limitsOfNetworks(networks, limit)) {
    if (seconds === 0) seconds = limiter.consumeInMemory(each, now)
  }
  return seconds
}

type LimitMeta = { limit?: Omit<RateLimit, 'key'> | undefined; perUser?: true | undefined }

/** Hashes of recently verified API keys, with the time until which they are exempt from the limit on unknown keys. */
const verifiedKeys = new Map<string, number>()
const verifiedMs = 60_000
const maxVerified = 10_000

/**
 * Identifies the token or API key of a request. Networks that have sent many unknown keys may only use recently
 * verified keys, so that guesses do not lock out a program behind the same IP address. Tokens are verified without a
 * query, and count by network if they are invalid.
 */
async function identify(ctx: Context, { kind, value }: Credential) {
  const hash = kind === 'api_key' ? sha256(value) : ''
  const isVerified = (verifiedKeys.get(hash) ?? 0) > ctx.now.getTime()
  const unknown = limitsOfNetworks(ctx.networks, { key: 'credential', ...unknownLimit })
  if (kind === 'api_key' && !isVerified) {
    const seconds = Math.max(...unknown.map((each) => ctx.limiter.peekInMemory(each, ctx.now)))
    if (seconds > 0) refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: seconds })
  }
  const caller = await ctx.caller({ acceptsKeys: true })
  if (caller?.verifiedCredential) {
    if (kind === 'api_key') {
      if (verifiedKeys.size >= maxVerified) verifiedKeys.clear()
      verifiedKeys.set(hash, ctx.now.getTime() + verifiedMs)
    }
    return { by: caller.verifiedCredential, userId: caller.user.id }
  }
  if (kind === 'api_key') for (const each of unknown) ctx.limiter.consumeInMemory(each, ctx.now)
  return undefined
}

function countCredential({ limiter, now }: Context, credential: VerifiedCredential): number {
  const key = `${credential.kind}:${credential.id}`
  const burst = limiter.consumeInMemory({ key: `burst:${key}`, ...burstLimit }, now)
  const own = credential.kind === 'api_key' ? credential.rateLimit : undefined
  return burst > 0 || !own ? burst : limiter.consumeInMemory({ key, ...own }, now)
}

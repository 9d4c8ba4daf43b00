import { sha256 } from '../foundation/crypto.ts'
import { networksOf } from '../foundation/ip-address.ts'
import { type Limiter, siteMultiplier } from '../foundation/limits.ts'

/** Limit of attempts on one account from one network, per ten minutes (SEC-25). */
const fromOneNetwork = { max: 10, seconds: 600 }
/** Limit of failed attempts on one account per hour (NIST SP 800-63B-4); above it, only known devices may try. */
const fromEverywhere = { max: 100, seconds: 3600 }

/** The account, network and device of a sign-in attempt. */
type Attempt = {
  /** The user's id, regardless of the name entered. For an unknown account, the name as entered. */
  account: string
  ipAddress: string
  /** The id of a browser that this user has signed in with before; undefined for any other browser. */
  device: string | undefined
  now: Date
}

/**
 * Counts an attempt before its password is checked; returns the seconds to wait, or 0 if it may proceed. Above a
 * hundred wrong passwords in an hour, only known devices may try. Each known device has its own counter, which an
 * attacker cannot exhaust remotely, so the owner's browser is never locked out.
 */
export async function countAttempt(limiter: Limiter, attempt: Attempt): Promise<number> {
  const { now } = attempt
  const { device, networks, everywhere } = keysOf(attempt)
  if (device !== undefined) return limiter.consume([{ key: device, ...fromOneNetwork }], now)
  const [subnet, site] = networks
  // Checked in sequence: an attempt rejected for its network counts neither against the wider network nor the account.
  const own = await limiter.consume([{ key: subnet, ...fromOneNetwork }], now)
  if (own > 0) return own
  const max = fromOneNetwork.max * siteMultiplier
  const shared =
    site === undefined ? 0 : await limiter.consume([{ key: site, max, seconds: fromOneNetwork.seconds }], now)
  return shared > 0 ? shared : limiter.consume([{ key: everywhere, ...fromEverywhere }], now)
}

/** Resets the attempt's own counters after a correct password, and no longer counts it as a wrong one. */
export async function clearOwnAttempts(limiter: Limiter, attempt: Attempt): Promise<void> {
  const { device, networks, everywhere } = keysOf(attempt)
  if (device !== undefined) return limiter.reset([device])
  await Promise.all([limiter.reset([networks[0]]), limiter.refund([everywhere])])
}

/** Resets the counters after the owner has reset the password by email. */
export async function resetAccountAttempts(limiter: Limiter, attempt: Attempt): Promise<void> {
  const { networks, everywhere } = keysOf(attempt)
  await limiter.reset([networks[0], everywhere])
}

function keysOf({ account, ipAddress, device }: Attempt) {
  const start = `attempts:${sha256(account).slice(0, 22)}`
  const [subnet, site] = networksOf(ipAddress)
  const networks: [string, string?] = [`${start}:${subnet}`]
  if (site !== undefined) networks.push(`${start}:${site}`)
  return { device: device === undefined ? undefined : `${start}:device:${device}`, networks, everywhere: start }
}

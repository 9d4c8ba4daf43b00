import { sha256 } from '../foundation/crypto.ts'
import type { Limiter } from '../foundation/limits.ts'
import { networksOf } from '../foundation/address.ts'

/** Attempts at one account from one network in ten minutes (SEC-25). */
const fromOneNetwork = { max: 10, seconds: 600 }
/** Wrong passwords for one account from everywhere in an hour (NIST SP 800-63B-4); beyond, only known devices try. */
const fromEverywhere = { max: 100, seconds: 3600 }
/** Room of an IPv6 /48 compared with that of a /64 (SEC-114). */
export const wideNetworkFactor = 10

/** Who tries, and from where. */
export type Attempt = {
  /** The id of the user, whatever name was typed; for an unknown account the typed name. */
  account: string
  ipAddress: string
  /** The id of a browser that this user has signed in with; undefined for every other one. */
  device: string | undefined
  now: Date
}

/**
 * Counts an attempt before its password is looked at: the seconds to wait, 0 when it may be looked at. Above a hundred wrong
 * passwords in an hour only known devices may try, each of which has a count of its own: nobody can use it up from afar, so
 * the owner's own browser always works.
 */
export async function countAttempt(limiter: Limiter, attempt: Attempt): Promise<number> {
  const { now } = attempt
  const { device, networks, everywhere } = keysOf(attempt)
  if (device !== undefined) return limiter.consume([{ key: device, ...fromOneNetwork }], now)
  const [narrow, wide] = networks
  // One after the other: what a network refuses is no wrong password, and counts neither for its neighbours nor the account.
  const own = await limiter.consume([{ key: narrow, ...fromOneNetwork }], now)
  if (own > 0) return own
  const max = fromOneNetwork.max * wideNetworkFactor
  const shared =
    wide === undefined ? 0 : await limiter.consume([{ key: wide, max, seconds: fromOneNetwork.seconds }], now)
  return shared > 0 ? shared : limiter.consume([{ key: everywhere, ...fromEverywhere }], now)
}

/** The password was right: its own counts begin anew, and it was none of the wrong ones. */
export async function forgetAttempts(limiter: Limiter, attempt: Attempt): Promise<void> {
  const { device, networks, everywhere } = keysOf(attempt)
  if (device !== undefined) return limiter.reset([device])
  await Promise.all([limiter.reset([networks[0]]), limiter.refund([everywhere])])
}

/** The owner has set a new password by the mailbox: all counts begin anew. */
export async function resetAttempts(limiter: Limiter, attempt: Attempt): Promise<void> {
  const { networks, everywhere } = keysOf(attempt)
  await limiter.reset([networks[0], everywhere])
}

function keysOf({ account, ipAddress, device }: Attempt) {
  const start = `attempts:${sha256(account).slice(0, 22)}`
  const [narrow, wide] = networksOf(ipAddress)
  const networks: [string, string?] = [`${start}:${narrow}`]
  if (wide !== undefined) networks.push(`${start}:${wide}`)
  return { device: device === undefined ? undefined : `${start}:device:${device}`, networks, everywhere: start }
}

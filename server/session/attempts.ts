import { sha256 } from '../foundation/crypto.ts'
import type { Limiter } from '../foundation/limits.ts'
import { networksOf } from '../foundation/address.ts'

/** Attempts at one account from one network in ten minutes (SEC-25). */
const fromOneNetwork = { max: 10, seconds: 600 }
/** Wrong passwords for one account from everywhere in an hour (NIST SP 800-63B-4, 3.2.2); beyond, only known devices try. */
const fromEverywhere = { max: 100, seconds: 3600 }
/** Room of an IPv6 /48 compared with that of a /64 (SEC-114). */
export const wideNetworkFactor = 10

/** Who tries, and from where. */
export type Attempt = {
  /** The id of the user, whatever name was typed; for an unknown account the typed name. */
  account: string
  ipAddress: string
  /** The browser carries the signed cookie of a device that this user has signed in with. */
  isKnownDevice: boolean
  now: Date
}

/**
 * Counts an attempt before its password is looked at: the seconds to wait, 0 when it may be looked at. Above a hundred wrong
 * passwords in an hour only known devices may try, which have a count of their own: nobody can use it up from afar, so the
 * owner's own browser always works.
 */
export async function countAttempt(limiter: Limiter, attempt: Attempt): Promise<number> {
  const { isKnownDevice, now } = attempt
  const { known, networks, everywhere } = keysOf(attempt)
  if (isKnownDevice) return limiter.consume([{ key: known, ...fromOneNetwork }], now)
  const [narrow, wide] = networks
  const limits = [{ key: narrow, ...fromOneNetwork }]
  if (wide !== undefined) {
    limits.push({ key: wide, max: fromOneNetwork.max * wideNetworkFactor, seconds: fromOneNetwork.seconds })
  }
  // One after the other: what its network refuses is no wrong password, and does not count for the account.
  const seconds = await limiter.consume(limits, now)
  return seconds > 0 ? seconds : limiter.consume([{ key: everywhere, ...fromEverywhere }], now)
}

/** The password was right: its own counts begin anew, and it was none of the wrong ones. */
export async function forgetAttempts(limiter: Limiter, attempt: Attempt): Promise<void> {
  const { known, networks, everywhere } = keysOf(attempt)
  if (attempt.isKnownDevice) return limiter.reset([known])
  await Promise.all([limiter.reset([networks[0]]), limiter.refund([everywhere])])
}

/** The owner has set a new password by the mailbox: all counts begin anew. */
export async function resetAttempts(limiter: Limiter, attempt: Attempt): Promise<void> {
  const { known, networks, everywhere } = keysOf(attempt)
  await limiter.reset([known, networks[0], everywhere])
}

function keysOf({ account, ipAddress }: Attempt) {
  const start = `attempts:${sha256(account).slice(0, 22)}`
  const [narrow, wide] = networksOf(ipAddress)
  const networks: [string, string?] = [`${start}:${narrow}`]
  if (wide !== undefined) networks.push(`${start}:${wide}`)
  return { known: `${start}:known`, networks, everywhere: start }
}

import { sha256 } from '../foundation/crypto.ts'
import type { Limiter } from '../foundation/limits.ts'

/** Tries of one account from one address in ten minutes, and from all addresses in an hour (SEC-25, NIST 63B-4 §3.2.2). */
const fromOne = { max: 10, seconds: 600 }
const fromAll = { max: 100, seconds: 3600 }

/**
 * Counts a try before its password is looked at, and answers the seconds to wait. The count of all addresses holds back only
 * an address that has failed before: the owner's first try from anywhere is always looked at, so nobody can lock them out.
 * The account is named as it was typed, hashed, so that unknown ones count alike.
 */
export async function countTry(limiter: Limiter, { typed, address, now }: Try): Promise<number> {
  const [own, all] = keysOf(typed, address)
  const here = await limiter.tally({ key: own, ...fromOne }, now)
  if (here.waitSeconds > 0) return here.waitSeconds
  const everywhere = await limiter.tally({ key: all, ...fromAll }, now)
  return here.count > 1 ? everywhere.waitSeconds : 0
}

/** The right password forgives what was counted. */
export async function forgiveTries(limiter: Limiter, { typed, address }: Omit<Try, 'now'>): Promise<void> {
  await limiter.forgive(keysOf(typed, address))
}

type Try = { typed: string; address: string; now: Date }

function keysOf(typed: string, address: string): [own: string, all: string] {
  const account = sha256(typed).slice(0, 22)
  return [`try:${account}:${address}`, `try:${account}`]
}

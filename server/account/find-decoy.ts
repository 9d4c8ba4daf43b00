import type { Pool } from 'pg'
import type { App } from '../dependencies.ts'
import { sign } from '../foundation/crypto.ts'
import { type Decoy, listDecoys } from './password-costs.ts'

/** Milliseconds for which a process caches the costs of imported hashes. They change only when an import adds some. */
const cacheMs = 60_000

const known = new WeakMap<Pool, { until: number; decoys: Decoy[] }>()

/**
 * Returns the decoy hash for an email address without an account: undefined for a decoy of Foyer's own cost, or one
 * with the cost of imported hashes. Each cost gets the same share of addresses as it has among users. An address keeps
 * its decoy until enough users of that cost have signed in and received one of Foyer's own hashes: like them, it then
 * changes to Foyer's own cost, and never to another.
 */
export async function findDecoy({ pool, keys, clock }: App, address: string): Promise<string | undefined> {
  const now = clock().getTime()
  let found = known.get(pool)
  if (!found || found.until <= now) {
    found = { until: now + cacheMs, decoys: await listDecoys(pool) }
    known.set(pool, found)
  }
  if (found.decoys.length === 0) return undefined
  const digest = Buffer.from(sign(keys.cookies, `decoy:${address}`), 'base64url')
  const [fraction, remainingFraction] = [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32]
  let from = 0
  for (const { hash, maxShare, remainingShare } of found.decoys) {
    from += maxShare
    if (fraction < from) return remainingFraction < remainingShare ? hash : undefined
  }
  return undefined
}

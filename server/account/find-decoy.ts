import type { Pool } from 'pg'
import type { App } from '../dependencies.ts'
import { sign } from '../foundation/crypto.ts'

/** Milliseconds for which a process knows the costs of imported hashes. An import adds a few of them, once. */
const knownMs = 60_000

type Decoy = { hash: string; share: number; left: number }

const known = new WeakMap<Pool, { until: number; decoys: Decoy[] }>()

/**
 * The hash that stands for the password of somebody who does not exist: one of Foyer's own cost (undefined) or of those that were
 * imported, each for as large a share of the addresses as it has among the users. The same address has the same one until users of
 * its cost have signed in and got a hash of Foyer's own: like them, it changes to that, and to nothing else.
 */
export async function findDecoy({ pool, keys, clock }: App, address: string): Promise<string | undefined> {
  const now = clock().getTime()
  let found = known.get(pool)
  if (!found || found.until <= now) {
    const { rows } = await pool.query<Decoy>({
      name: 'accounts.decoys',
      text: 'select hash, share, "left" from "PasswordDecoy" order by place limit 1000',
    })
    found = { until: now + knownMs, decoys: rows }
    known.set(pool, found)
  }
  if (found.decoys.length === 0) return undefined
  const digest = Buffer.from(sign(keys.cookies, `decoy:${address}`), 'base64url')
  const [place, moment] = [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32]
  let from = 0
  for (const { hash, share, left } of found.decoys) {
    from += share
    if (place < from) return moment < left ? hash : undefined
  }
  return undefined
}

import type { App } from '../dependencies.ts'
import { sign } from '../foundation/crypto.ts'

/** Milliseconds for which a process knows the costs of imported hashes. An import adds a few of them, once. */
const knownMs = 60_000

const known = new WeakMap<App['pool'], { until: number; hashes: string[] }>()

/**
 * The hash that stands for the password of somebody who does not exist: one of Foyer's own cost (undefined) or of those that were
 * imported. The same address always has the same one, so that its time says nothing.
 */
export async function findDecoy({ pool, keys, clock }: App, address: string): Promise<string | undefined> {
  const now = clock().getTime()
  let found = known.get(pool)
  if (!found || found.until <= now) {
    const { rows } = await pool.query<{ hash: string }>({
      name: 'accounts.decoys',
      text: 'select hash from "PasswordDecoy" order by cost limit 100',
    })
    found = { until: now + knownMs, hashes: rows.map(({ hash }) => hash) }
    known.set(pool, found)
  }
  if (found.hashes.length === 0) return undefined
  const number = Buffer.from(sign(keys.cookies, `decoy:${address}`), 'base64url').readUInt32BE(0)
  return found.hashes[number % (found.hashes.length + 1)]
}

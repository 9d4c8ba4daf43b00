import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { z } from 'zod'
import { decrypt, encrypt, type KeyList, newId } from '../foundation/crypto.ts'
import type { Database, Db } from '../foundation/database.ts'
import { daysAfter } from '../foundation/time.ts'

/** The only algorithm that tokens are signed with (RFC 7518, 3.4). Every JWT library supports it. */
export const signingAlgorithm = 'ES256'

/** Days after which a new key signs. */
const rotationDays = 90
/** Days that a new key is published before it signs: longer than any client caches the key set. */
const announcedDays = 1
/** Days that a replaced key stays published: longer than the lifetime of any token it has signed. */
const retiredDays = 7
const dayMs = 86_400_000

/** How long keys are cached in memory, in milliseconds. A key is announced a day before it signs. */
const reloadMs = 60_000

/**
 * A key pair. `privateKey` is undefined if it was encrypted under a secret that has been removed: the key still
 * verifies.
 */
export type SigningKey = {
  id: string
  publicJwk: JWK
  publicKey: KeyObject
  privateJwk: JWK | undefined
  privateKey: KeyObject | undefined
  activeFrom: Date
}

export type SigningKeys = ReturnType<typeof createSigningKeys>

/** The keys that sign tokens, as stored in the database and kept in memory for a minute. */
export function createSigningKeys(db: Database['prisma'], storage: KeyList) {
  let loaded: { at: number; keys: Promise<SigningKey[]> } | undefined

  async function readAll(client: Db = db): Promise<SigningKey[]> {
    const rows = await client.signingKey.findMany({ orderBy: [{ activeFrom: 'asc' }, { id: 'asc' }] })
    return rows.map(({ id, privateKey, activeFrom, ...row }) => {
      const publicJwk = PublicJwk.parse(row.publicKey)
      const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' })
      const opened = decrypt(storage, privateKey, signingKeyAad(id))
      const privateJwk = opened === undefined ? undefined : PrivateJwk.parse(JSON.parse(opened))
      const key = privateJwk && createPrivateKey({ key: privateJwk, format: 'jwk' })
      return { id, publicJwk, publicKey, privateJwk, privateKey: key, activeFrom }
    })
  }

  /** Adds a key unless another process has just added one. The lock lets one process decide at a time. */
  async function add(isNeeded: (keys: SigningKey[]) => boolean, now: Date, activeFrom: Date): Promise<void> {
    const pair = await generateKeyPair(signingAlgorithm, { extractable: true })
    const id = newId()
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
    const named = { kid: id, alg: signingAlgorithm, use: 'sig' }
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from pg_advisory_xact_lock(hashtext('signing keys'))`
      if (!isNeeded(await readAll(tx))) return
      const privateKey = encrypt(storage, JSON.stringify({ ...privateJwk, ...named }), signingKeyAad(id))
      await tx.signingKey.create({
        data: { id, publicKey: { ...publicJwk, ...named }, privateKey, createdAt: now, activeFrom },
      })
    })
  }

  // The clocks of two processes may differ: a key that another process has just created also counts.
  const hasSigner = (now: Date) => (keys: SigningKey[]) =>
    keys.some(
      ({ privateKey, activeFrom }) => privateKey !== undefined && activeFrom.getTime() <= now.getTime() + reloadMs,
    )

  async function load(now: Date): Promise<SigningKey[]> {
    const keys = await readAll()
    if (hasSigner(now)(keys)) return keys
    await add((current) => !hasSigner(now)(current), now, now)
    return readAll()
  }

  return {
    /** All published keys, ordered by the time from which they sign. */
    async all(now: Date): Promise<SigningKey[]> {
      if (!loaded || Math.abs(now.getTime() - loaded.at) >= reloadMs) {
        const keys = load(now)
        loaded = { at: now.getTime(), keys }
        keys.catch(() => (loaded = undefined))
      }
      return loaded.keys
    },

    /** The key that signs now: the newest that is active. */
    async signer(now: Date): Promise<SigningKey & { privateKey: KeyObject }> {
      const all = await this.all(now)
      const active = all.filter(({ activeFrom }) => activeFrom <= now)
      for (const key of [...active.toReversed(), ...all]) {
        if (key.privateKey !== undefined) return { ...key, privateKey: key.privateKey }
      }
      throw new Error('No signing key can be decrypted')
    },

    /** The key set (RFC 7517, 5). */
    async publicSet(now: Date): Promise<{ keys: JWK[] }> {
      return { keys: (await this.all(now)).map(({ publicJwk }) => publicJwk) }
    },

    /**
     * Announces the next key when the newest one has signed for 90 days, and deletes keys that no valid token needs.
     */
    async rotate(now: Date): Promise<void> {
      const isDue = (keys: SigningKey[]) =>
        keys.every(({ activeFrom }) => activeFrom.getTime() + rotationDays * dayMs <= now.getTime())
      const keys = await readAll()
      if (isDue(keys)) await add(isDue, now, daysAfter(now, announcedDays))
      const replaced = keys.filter((_, n) => {
        const next = keys[n + 1]
        return next !== undefined && next.activeFrom.getTime() + retiredDays * dayMs <= now.getTime()
      })
      if (replaced.length > 0) await db.signingKey.deleteMany({ where: { id: { in: replaced.map(({ id }) => id) } } })
      loaded = undefined
    },
  }
}

const PublicJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
})
const PrivateJwk = PublicJwk.extend({ d: z.string() })

/** What the private part of a key is encrypted for. */
export const signingKeyAad = (id: string) => `signing-key:${id}`

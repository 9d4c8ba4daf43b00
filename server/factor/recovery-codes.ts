import { timingSafeEqual } from 'node:crypto'
import { decrypt, encrypt, type KeyList, newId, randomText, sha256 } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'

/** Codes per set, and characters per code: 59 bits of entropy. */
const size = { codes: 10, characters: 10 }
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Generates new codes of the form `abcde-fghij`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: size.codes }, () => {
    const code = randomText(alphabet, size.characters)
    return `${code.slice(0, size.characters / 2)}-${code.slice(size.characters / 2)}`
  })
}

/** The associated data of a stored code, also needed to re-encrypt it under a new AUTH_SECRET. */
export const recoveryCodeAad = (userId: string) => `recovery:${userId}`

type Owner = { userId: string; keys: KeyList }

/** Stores new codes. Pending ones replace the current ones once the authenticator app is confirmed. */
export async function storeRecoveryCodes(
  tx: Tx,
  { userId, keys }: Owner,
  codes: readonly string[],
  { isPending, now }: { isPending: boolean; now: Date },
): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId, isPending } })
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({
      id: newId(),
      userId,
      codeHash: encrypt(keys, hashOf(userId, code), recoveryCodeAad(userId)),
      isPending,
      createdAt: now,
    })),
  })
}

/** Activates the pending codes in place of the former ones. */
export async function confirmRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId, isPending: false } })
  await tx.recoveryCode.updateMany({ where: { userId }, data: { isPending: false } })
}

/** Uses up a code of a user whose row is locked. Returns whether it was valid. */
export async function consumeRecoveryCode(tx: Tx, { userId, keys }: Owner, code: string): Promise<boolean> {
  const given = Buffer.from(hashOf(userId, code.trim()))
  const codes = await tx.recoveryCode.findMany({ where: { userId, isPending: false } })
  const found = codes.find(({ codeHash }) => {
    const hash = Buffer.from(decrypt(keys, codeHash, recoveryCodeAad(userId)) ?? '')
    return hash.length === given.length && timingSafeEqual(hash, given)
  })
  if (!found) return false
  const { count } = await tx.recoveryCode.deleteMany({ where: { id: found.id } })
  return count === 1
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.recoveryCode.count({ where: { userId, isPending: false } })
}

function hashOf(userId: string, code: string): string {
  return sha256(`${userId} ${code}`)
}

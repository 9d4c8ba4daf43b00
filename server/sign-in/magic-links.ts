import { decrypt, encrypt, type KeyList, randomText } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { isRecord } from '../foundation/records.ts'
import { findVerification, identifierOf, storeVerification } from '../foundation/verifications.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Generates the token of a link: 32 letters, 182 bits. */
export function newLinkToken(): string {
  return randomText(letters, 32)
}

type MagicLink = { email: string; code: string }

/**
 * Stores the data that the link shows in a browser which did not request it. The link itself is used up together with
 * the code (email-codes.ts).
 */
export async function storeLink(
  tx: Tx,
  keys: KeyList,
  { token, email, code, now, expiresAt }: MagicLink & { token: string; now: Date; expiresAt: Date },
): Promise<void> {
  const identifier = identifierOf('magic-link', token)
  const value = JSON.stringify({ email, code: encrypt(keys, code, identifier) })
  await storeVerification(tx, { identifier, value, expiresAt, now })
}

/** The data that a link shows, `expired`, or undefined if there is no such link. */
export async function findLink(
  db: Db,
  keys: KeyList,
  { token, now }: { token: string; now: Date },
): Promise<MagicLink | 'expired' | undefined> {
  const identifier = identifierOf('magic-link', token)
  const row = await findVerification(db, identifier)
  if (!row) return undefined
  if (row.expiresAt <= now) return 'expired'
  const value: unknown = JSON.parse(row.value)
  const { email, code } = isRecord(value) ? value : {}
  const decrypted = typeof code === 'string' ? decrypt(keys, code, identifier) : undefined
  return typeof email === 'string' && decrypted !== undefined ? { email, code: decrypted } : undefined
}

import { randomText } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { secondsAfter } from '../foundation/time.ts'
import { findVerification, identifierOf, storeVerification, consumeVerification } from '../foundation/verifications.ts'

/** Token purposes and formats: 24 of 62 characters give 143 bits of entropy, 32 of 36 give 165. */
const kinds = {
  'reset-password': { length: 24, characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' },
  'delete-account': { length: 32, characters: 'abcdefghijklmnopqrstuvwxyz0123456789' },
  /** Part of a signed link, which becomes invalid once this row is deleted. */
  'change-email': { length: 24, characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' },
} as const

type TokenKind = keyof typeof kinds

/**
 * The user a token was issued to and the email address it was emailed to; it becomes invalid when the user's address
 * changes.
 */
export type TokenSubject = { userId: string; email: string }

type NewToken = { userId: string | null; email: string; now: Date; lifetimeSeconds: number }

/** Stores the hash of a new secret with its purpose. Returns the secret, which cannot be retrieved later. */
export async function createToken(
  tx: Tx,
  kind: TokenKind,
  { userId, email, now, lifetimeSeconds }: NewToken,
): Promise<string> {
  const { length, characters } = kinds[kind]
  const token = randomText(characters, length)
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  await storeVerification(tx, { identifier: identifierOf(kind, token), value: email, userId, expiresAt, now })
  return token
}

/** Returns the holder of a valid secret without consuming it. */
export async function findToken(db: Db, kind: TokenKind, token: string, now: Date): Promise<TokenSubject | undefined> {
  const row = await findVerification(db, identifierOf(kind, token))
  return row?.userId && row.expiresAt > now ? { userId: row.userId, email: row.value } : undefined
}

/** When the newest valid secret of a user expires. Undefined without one. */
export async function findTokenExpiry(
  db: Db,
  kind: TokenKind,
  { userId, now }: { userId: string; now: Date },
): Promise<Date | undefined> {
  const where = { userId, identifier: { startsWith: `${kind}:` }, expiresAt: { gt: now } }
  const newest = await db.verification.findFirst({ where, orderBy: { expiresAt: 'desc' } })
  return newest?.expiresAt
}

/** Consumes a secret: of several concurrent requests, only one succeeds (SEC-50). */
export async function consumeToken(
  tx: Tx,
  kind: TokenKind,
  token: string,
  now: Date,
): Promise<TokenSubject | undefined> {
  const taken = await consumeVerification(tx, identifierOf(kind, token), now)
  return taken?.userId ? { userId: taken.userId, email: taken.value } : undefined
}

/** Invalidates all open secrets of a user, after a new password or a new email address (SEC-51). */
export async function deletePendingVerifications(tx: Tx, userId: string): Promise<void> {
  await tx.verification.deleteMany({ where: { userId } })
}

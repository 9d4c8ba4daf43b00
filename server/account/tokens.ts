import { randomInt } from 'node:crypto'
import { newId, sha256 } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'

/** What a mailed secret is good for, and of what it is made: 24 of 62 characters are 143 bits, 32 of 36 are 165. */
const kinds = {
  'reset-password': { length: 24, characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' },
  'delete-account': { length: 32, characters: 'abcdefghijklmnopqrstuvwxyz0123456789' },
  /** Stands inside a signed link, so that the link is void once the row is deleted. */
  'change-email': { length: 24, characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' },
} as const

export type TokenKind = keyof typeof kinds

/** Whom a token was given to, and the address that it was mailed to: it is void once the user has left that address. */
export type Holder = { userId: string; email: string }

type NewToken = { userId: string | null; email: string; now: Date; lifetimeSeconds: number }

/** Stores the hash of a new secret under its purpose and answers the secret, once. */
export async function createToken(
  tx: Tx,
  kind: TokenKind,
  { userId, email, now, lifetimeSeconds }: NewToken,
): Promise<string> {
  const { length, characters } = kinds[kind]
  const token = Array.from({ length }, () => characters[randomInt(characters.length)]).join('')
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
  await tx.verification.create({
    data: { id: newId(), identifier: identify(kind, token), value: email, userId, expiresAt, createdAt: now },
  })
  return token
}

/** Whose secret it is while it is good; nothing is used up. */
export async function findToken(tx: Tx, kind: TokenKind, token: string, now: Date): Promise<Holder | undefined> {
  const row = await tx.verification.findUnique({ where: { identifier: identify(kind, token) } })
  return row?.userId && row.expiresAt > now ? { userId: row.userId, email: row.value } : undefined
}

/** Uses a secret up in one statement: of thirty at once, one gets its holder (SEC-50). */
export async function takeToken(tx: Tx, kind: TokenKind, token: string, now: Date): Promise<Holder | undefined> {
  const rows = await tx.$queryRaw<{ value: string; userId: string | null; expiresAt: Date }[]>`
    delete from "Verification" where identifier = ${identify(kind, token)} returning value, "userId", "expiresAt"`
  const [row] = rows
  return row?.userId && row.expiresAt > now ? { userId: row.userId, email: row.value } : undefined
}

/** Every open secret of a user is void: after a new password or a new address (SEC-51). */
export async function voidTokens(tx: Tx, userId: string): Promise<void> {
  await tx.verification.deleteMany({ where: { userId } })
}

/** The purpose is part of what is looked for, so a secret of one purpose is refused by every other call (SEC-52). */
function identify(kind: TokenKind, token: string): string {
  return `${kind}:${sha256(token)}`
}

import { randomInt } from 'node:crypto'
import { newId, sha256 } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/db.ts'

/** What a mailed secret is good for, and of what it is made (spec 9): 24 of 62 signs are 143 bits, 32 of 36 are 165. */
const kinds = {
  'reset-password': { length: 24, signs: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' },
  'delete-account': { length: 32, signs: 'abcdefghijklmnopqrstuvwxyz0123456789' },
  /** Stands inside a signed link, so that the link dies with the row. */
  'change-email': { length: 24, signs: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' },
} as const

export type TokenKind = keyof typeof kinds

/** Stores the hash of a new secret under its purpose and answers the secret, once. */
export async function createToken(
  tx: Tx,
  kind: TokenKind,
  { userId, now, lifetimeSeconds }: { userId: string; now: Date; lifetimeSeconds: number },
): Promise<string> {
  const { length, signs } = kinds[kind]
  const token = Array.from({ length }, () => signs[randomInt(signs.length)]).join('')
  const expiresAt = new Date(now.getTime() + lifetimeSeconds * 1000)
  await tx.verification.create({
    data: { id: newId(), identifier: identify(kind, token), value: userId, userId, expiresAt, createdAt: now },
  })
  return token
}

/** Whose secret it is while it is good; nothing is used up. */
export async function findToken(tx: Tx, kind: TokenKind, token: string, now: Date): Promise<string | undefined> {
  const row = await tx.verification.findUnique({ where: { identifier: identify(kind, token) } })
  return row && row.expiresAt > now ? row.value : undefined
}

/** Uses a secret up in one statement: of thirty at once, one gets the user's id (SEC-50). */
export async function takeToken(tx: Tx, kind: TokenKind, token: string, now: Date): Promise<string | undefined> {
  const rows = await tx.$queryRaw<{ value: string; expiresAt: Date }[]>`
    delete from "Verification" where identifier = ${identify(kind, token)} returning value, "expiresAt"`
  const [row] = rows
  return row && row.expiresAt > now ? row.value : undefined
}

/** Every open secret of a user is void: after a new password or a new address (SEC-51). */
export async function voidTokens(tx: Tx, userId: string): Promise<void> {
  await tx.verification.deleteMany({ where: { userId } })
}

/** The purpose is part of what is looked for, so no secret opens another door (SEC-52). */
function identify(kind: TokenKind, token: string): string {
  return `${kind}:${sha256(token)}`
}

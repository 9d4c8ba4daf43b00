import type { LanguageId } from '../../shared/language.ts'
import type { SignUpEmail } from '../../shared/account.ts'
import { normalizeUsername } from '../../shared/account.ts'
import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/db.ts'

/** providerId of a password; its accountId is the user's id. */
export const credential = 'credential'

export type NewUser = Pick<SignUpEmail, 'email' | 'name' | 'image' | 'username' | 'displayUsername'> & {
  now: Date
  language: LanguageId
}

/** A user as sign-up describes it, not yet stored: an existing address is answered with the same shape (SEC-20). */
export function newUser({ email, name, image, username, displayUsername, now, language }: NewUser) {
  return {
    id: newId(),
    email,
    name,
    image: image ?? null,
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
    username: username === undefined ? null : normalizeUsername(username),
    displayUsername: displayUsername ?? username ?? null,
    language,
    role: 'user' as const,
  }
}

/** Stores a new user and the password account, in the transaction of the sign-up. */
export async function createUser(tx: Tx, user: ReturnType<typeof newUser>, passwordHash: string): Promise<void> {
  await tx.user.create({ data: user })
  await tx.account.create({
    data: {
      id: newId(),
      providerId: credential,
      accountId: user.id,
      userId: user.id,
      password: passwordHash,
      createdAt: user.createdAt,
      updatedAt: user.createdAt,
    },
  })
}

/** A user with the hash of the password, if it has one. */
export async function findUserWithPassword(tx: Tx, where: { email: string } | { username: string }) {
  const user = await tx.user.findUnique({ where })
  if (!user) return undefined
  const account = await tx.account.findUnique({
    where: { providerId_accountId: { providerId: credential, accountId: user.id } },
    select: { id: true, password: true },
  })
  return { user, password: account?.password ?? null }
}

/** Keeps a password under today's parameters, unless it was changed meanwhile. */
export async function replaceHash(tx: Tx, userId: string, hashes: { old: string; new: string }): Promise<void> {
  await tx.account.updateMany({ where: { userId, password: hashes.old }, data: { password: hashes.new } })
}

/**
 * The address is proven. Only the first use of a link finds it unproven and the user still at this address; of thirty at
 * once, one (SEC-50, SEC-54).
 */
export async function proveEmail(tx: Tx, { userId, email, now }: { userId: string; email: string; now: Date }) {
  const { count } = await tx.user.updateMany({
    where: { id: userId, email, emailVerified: false },
    data: { emailVerified: true, updatedAt: now },
  })
  return count === 1
}

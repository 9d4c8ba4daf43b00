import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import { voidTokens } from './tokens.ts'
import { credential } from './users.ts'

type Change = { userId: string; passwordHash: string; now: Date }

/** The stored hash of a user's password, if there is one. */
export async function findPasswordHash(tx: Tx, userId: string): Promise<string | undefined> {
  const where = { providerId_accountId: { providerId: credential, accountId: userId } }
  const account = await tx.account.findUnique({ where, select: { password: true } })
  return account?.password ?? undefined
}

/**
 * Replaces a password that was just checked: only if it is still the stored one, so that of several changes at once one
 * wins. Every open secret of the user is void afterwards.
 */
export async function changePassword(
  tx: Tx,
  { userId, passwordHash, now }: Change,
  checkedHash: string,
): Promise<boolean> {
  const { count } = await tx.account.updateMany({
    where: { userId, providerId: credential, password: checkedHash },
    data: { password: passwordHash, updatedAt: now },
  })
  if (count === 0) return false
  await voidTokens(tx, userId)
  return true
}

/**
 * Sets a password whatever was there: the address has just been proven by its owner. What somebody left behind who never
 * proved it dies with it: linked identities, open secrets, and by the caller all sessions (SEC-13).
 */
export async function resetPassword(tx: Tx, { userId, passwordHash, now }: Change): Promise<void> {
  const { emailVerified } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { emailVerified: true } })
  if (!emailVerified) {
    await dropIdentities(tx, userId)
    await tx.user.update({ where: { id: userId }, data: { emailVerified: true, updatedAt: now } })
  }
  await tx.account.upsert({
    where: { providerId_accountId: { providerId: credential, accountId: userId } },
    update: { password: passwordHash, updatedAt: now },
    create: newCredential({ userId, passwordHash, now }),
  })
  await voidTokens(tx, userId)
}

/** Identities at providers that were linked before the address was proven: whoever linked them may not have been its owner. */
async function dropIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.account.deleteMany({ where: { userId, providerId: { not: credential } } })
}

/**
 * The address was proven inside a session. What another may have left behind goes (SEC-13): open secrets, and linked
 * identities where a password remains as a way in.
 */
export async function clearUnproven(tx: Tx, userId: string): Promise<void> {
  if ((await findPasswordHash(tx, userId)) !== undefined) await dropIdentities(tx, userId)
  await voidTokens(tx, userId)
}

/** Gives a first password to somebody who signs in by a provider. For the server's own use: no door leads here (spec 6). */
export async function setPassword(tx: Tx, change: Change): Promise<void> {
  const { count } = await tx.account.createMany({ data: newCredential(change), skipDuplicates: true })
  if (count === 0) refuse('USER_ALREADY_HAS_A_PASSWORD')
}

function newCredential({ userId, passwordHash, now }: Change) {
  return {
    id: newId(),
    providerId: credential,
    accountId: userId,
    userId,
    password: passwordHash,
    createdAt: now,
    updatedAt: now,
  }
}

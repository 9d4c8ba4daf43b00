import { newId } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { withRelation } from '../foundation/lists.ts'
import { refuse } from '../foundation/refusal.ts'
import { deletePendingVerifications } from './tokens.ts'
import { credential } from './users.ts'

type Change = { userId: string; passwordHash: string; now: Date }

/** Returns the stored hash of a user's password, if any, and how often it was changed. */
export async function findPassword(db: Db, userId: string) {
  const where = { providerId_accountId: { providerId: credential, accountId: userId } }
  const select = { password: true, user: { select: { passwordVersion: true } } } as const
  const account = await db.account.findUnique({ where, select })
  // The user may have been deleted between the two statements of this query: the relation is null then.
  const [found] = withRelation(account ? [account] : [], 'user')
  return found?.password ? { hash: found.password, passwordVersion: found.user.passwordVersion } : undefined
}

/**
 * Replaces a password that was just checked, only if it is still the stored one, so that only one of several concurrent
 * changes succeeds. Invalidates all open tokens of the user.
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
  await deletePendingVerifications(tx, userId)
  await forgetDevices(tx, userId)
  return true
}

/** Sets a password regardless of the previous one, and invalidates all open tokens of the user. */
export async function storePassword(tx: Tx, change: Change): Promise<void> {
  const { userId, passwordHash, now } = change
  await tx.account.upsert({
    where: { providerId_accountId: { providerId: credential, accountId: userId } },
    update: { password: passwordHash, updatedAt: now },
    create: newCredential(change),
  })
  await deletePendingVerifications(tx, userId)
  await forgetDevices(tx, userId)
}

/** Removes the password, because the person who set it is not the owner of the mailbox. */
export async function removePassword(tx: Tx, userId: string): Promise<void> {
  await tx.account.deleteMany({ where: { userId, providerId: credential } })
  await deletePendingVerifications(tx, userId)
  await forgetDevices(tx, userId)
}

/** Forgets the devices that were known with the former password. */
async function forgetDevices(tx: Tx, userId: string): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { passwordVersion: { increment: 1 } } })
}

/** Sets a first password for a user who signs in with a provider. Internal: not exposed through the API. */
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

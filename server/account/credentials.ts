import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import { record, type Origin } from '../event/record.ts'
import { voidTokens, type Holder } from './tokens.ts'
import { credential, returnToPreviousEmail, verifyAddress } from './users.ts'

type Change = { userId: string; passwordHash: string; now: Date }

/** The stored hash of a user's password, if there is one. */
export async function findPasswordHash(tx: Tx, userId: string): Promise<string | undefined> {
  const where = { providerId_accountId: { providerId: credential, accountId: userId } }
  const account = await tx.account.findUnique({ where, select: { password: true } })
  return account?.password ?? undefined
}

/**
 * Replaces a password that was just checked: only if it is still the stored one, so that of several changes at once one
 * wins. Every open token of the user is void afterwards.
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
 * Sets a password whatever was there: the owner of the mailbox has just shown a mailed token. What somebody left behind who
 * never verified the address is deleted: linked identities, open tokens, and by the caller all sessions (SEC-13). False when
 * the user has left the address that the token was mailed to. A token that was mailed to the last verified address takes an
 * unverified change of it back.
 */
export async function resetPassword(
  tx: Tx,
  origin: Origin,
  { userId, email }: Holder,
  passwordHash: string,
): Promise<boolean> {
  const [owner] = await tx.$queryRaw<{ emailVerified: boolean; email: string; previousEmail: string | null }[]>`
    select "emailVerified", email, "previousEmail" from "User"
    where id = ${userId} and coalesce("previousEmail", email) = ${email} for no key update`
  if (!owner) return false
  if (owner.previousEmail !== null) await returnToPreviousEmail(tx, origin, { ...owner, id: userId })
  else if (!owner.emailVerified && (await verifyAddress(tx, origin, { userId, email }, 'reset'))) {
    await dropIdentities(tx, userId)
    await tx.user.updateMany({ where: { id: userId, emailSource: 'provider' }, data: { emailSource: 'sign_up' } })
  }
  await storePassword(tx, { userId, passwordHash, now: origin.now })
  await record(tx, origin, { type: 'user.password_changed', actorId: userId, data: { method: 'reset' } })
  return true
}

/** Sets a password whatever was there; every open token of the user is void afterwards. */
export async function storePassword(tx: Tx, change: Change): Promise<void> {
  const { userId, passwordHash, now } = change
  await tx.account.upsert({
    where: { providerId_accountId: { providerId: credential, accountId: userId } },
    update: { password: passwordHash, updatedAt: now },
    create: newCredential(change),
  })
  await voidTokens(tx, userId)
}

/** Identities at providers that were linked before the address was verified: somebody else may have linked them. */
async function dropIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.account.deleteMany({ where: { userId, providerId: { not: credential } } })
}

/**
 * The address was verified inside a session. What another may have left behind is deleted (SEC-13): open tokens, and linked
 * identities where a password remains as a way to sign in.
 */
export async function clearUnverified(tx: Tx, userId: string): Promise<void> {
  if ((await findPasswordHash(tx, userId)) !== undefined) await dropIdentities(tx, userId)
  await voidTokens(tx, userId)
}

/** Gives a first password to somebody who signs in by a provider. For the server's own use: no call leads here (spec 6). */
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

import { newId } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { revokeSessions } from '../session/sessions.ts'
import { voidTokens } from './tokens.ts'
import { credential } from './users.ts'

type Change = { userId: string; passwordHash: string; now: Date }

/** The stored hash of a user's password, if there is one, and the generation of the user's known devices. */
export async function findPassword(tx: Tx, userId: string) {
  const where = { providerId_accountId: { providerId: credential, accountId: userId } }
  const select = { password: true, user: { select: { deviceGeneration: true } } } as const
  const account = await tx.account.findUnique({ where, select })
  return account?.password ? { hash: account.password, deviceGeneration: account.user.deviceGeneration } : undefined
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
  await forgetDevices(tx, userId)
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
  await forgetDevices(tx, userId)
}

/** Browsers that were known with the former password are not known any more. */
async function forgetDevices(tx: Tx, userId: string): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { deviceGeneration: { increment: 1 } } })
}

/** Identities at providers that were linked before the address was verified: somebody else may have linked them. */
async function dropIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.account.deleteMany({ where: { userId, providerId: { not: credential } } })
}

/**
 * Ends every session and unlinks every provider of a user whose row is locked. Sessions and identities are locked first: a
 * session that an identity is opening at this moment, or an identity that a session is linking, holds one of these locks and
 * has been stored when the deletions look.
 */
export async function removeForeignAccess(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`select 1 from "Session" where "userId" = ${userId} order by id for update`
  await tx.$queryRaw`select 1 from "Account" where "userId" = ${userId} order by id for update`
  await revokeSessions(tx, userId)
  await dropIdentities(tx, userId)
}

/**
 * The address was verified inside a session. What another may have left behind is deleted (SEC-13): open tokens, and linked
 * identities where a password remains as a way to sign in.
 */
export async function clearUnverified(tx: Tx, userId: string): Promise<void> {
  if (await findPassword(tx, userId)) await dropIdentities(tx, userId)
  await voidTokens(tx, userId)
}

/** Gives a first password to somebody who signs in by a provider. For the server's own use: no call leads here. */
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

import type { Prisma, TwoFactor } from '../../prisma/client/client.ts'
import { newSecret } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { clearGuesses, type GuessLimit } from '../foundation/guesses.ts'
import { factorsOfApp } from '../session/create-session.ts'
import { weakenApiKeys } from '../token/api-keys.ts'
import type { FactorOwner } from './trusted-devices.ts'

/** How long a user has to cancel the removal of a second factor: a day. */
export const removalDelaySeconds = 86_400

/** The authenticator app of a user, whether active or waiting to be confirmed. */
export async function findTwoFactor(tx: Tx, userId: string): Promise<TwoFactor | null> {
  return tx.twoFactor.findUnique({ where: { userId } })
}

/**
 * Whether a session began with a second factor, or was confirmed with one. An emailed code does not count, because
 * access to the mailbox also resets the password.
 */
export function isStrong({ secondFactor }: { secondFactor?: string | null | undefined }): boolean {
  return secondFactor !== null && secondFactor !== undefined && secondFactor !== 'email_code'
}

/** Assurance levels (NIST SP 800-63B) of a sign-in with one factor, and with two. */
export const assuranceLevels = { one: 'aal1', two: 'aal2' } as const

const yearSeconds = 31_536_000

/**
 * Limits on wrong codes of one user, over all sign-ins:
 * - ten in ten minutes, a 1 in 33,000 chance of guessing a code;
 * - a hundred in a row (NIST SP 800-63B, 5.2.2);
 * - three hundred in a row over all browsers and passwords, a chance of 1 in 1,100.
 *
 * The first two are counted separately for each of the user's known browsers (`device`), and restart with a new
 * password. The third is not, because anyone with access to the mailbox can change the password, and the known
 * browsers, at will. Recovery codes are too long to be guessed, and a code that was already used does not count as a
 * guess.
 */
export function codeLimits(
  { id, deviceGeneration }: { id: string; deviceGeneration: number },
  device: string,
): GuessLimit[] {
  const key = `second-factor:${id}:${deviceGeneration}:${device}`
  return [
    { key, max: 10, seconds: 600 },
    { key: `${key}:row`, max: 100, seconds: yearSeconds },
    { key: `second-factor:${id}`, max: 300, seconds: yearSeconds },
  ]
}

/** Marks sessions that began with factors which have been removed as having no second factor. */
async function weaken(tx: Tx, userId: string, factors: readonly string[]): Promise<void> {
  await tx.session.updateMany({ where: { userId, secondFactor: { in: [...factors] } }, data: { secondFactor: null } })
}

/** Whether an organization's deadline for a second factor has passed. */
export function isFactorDue({ secondFactorFrom }: { secondFactorFrom: Date | null }, now: Date): boolean {
  return secondFactorFrom !== null && secondFactorFrom <= now
}

/** Whether a user has an active authenticator app or a passkey. */
export async function hasFactor(tx: Tx, user: { id: string; twoFactorEnabled: boolean }): Promise<boolean> {
  return user.twoFactorEnabled || (await tx.passkey.count({ where: { userId: user.id }, take: 1 })) > 0
}

/**
 * Whether a session may add a factor or remove a passkey. Where the installation requires a second factor of
 * administrators, or an organization of its members, a user who has one must confirm it first. Otherwise anyone who
 * knows only the password could bypass the requirement with a factor of their own.
 */
export async function mayChangeFactors(tx: Tx, { user, secondFactor, config }: ChangesFactors): Promise<boolean> {
  if (isStrong({ secondFactor }) || !(await hasFactor(tx, user))) return true
  if (user.role === 'admin' && config.requiresAdminFactor) return false
  const where = { userId: user.id, organization: { secondFactorFrom: { not: null } } }
  return (await tx.member.findFirst({ where, select: { id: true } })) === null
}

type ChangesFactors = {
  user: { id: string; role: string; twoFactorEnabled: boolean }
  secondFactor?: string | null | undefined
  config: { requiresAdminFactor: boolean }
}

/** The values that a user's trusted browsers are bound to. Undefined if the user has no second factor. */
export async function findFactorOwner(tx: Tx, id: string): Promise<FactorOwner | undefined> {
  const user = await tx.user.findUnique({
    where: { id },
    select: { deviceGeneration: true, twoFactor: { select: { generation: true } } },
  })
  if (!user?.twoFactor) return undefined
  return { id, deviceGeneration: user.deviceGeneration, generation: user.twoFactor.generation }
}

type Added = { createdAt: Date }

/**
 * Deletes passkeys. API keys that may have been created with one of them no longer count as created with a second
 * factor.
 */
async function deletePasskeys(tx: Tx, where: Prisma.PasskeyWhereInput & { userId: string }): Promise<void> {
  const { _min: first } = await tx.passkey.aggregate({ where, _min: { createdAt: true } })
  if (first.createdAt === null) return
  await tx.passkey.deleteMany({ where })
  await weakenApiKeys(tx, where.userId, first.createdAt)
}

/**
 * Removes the authenticator app and the recovery codes of a user. Sessions that began with them then have no second
 * factor.
 */
export async function removeAuthenticatorApp(tx: Tx, userId: string): Promise<void> {
  await weaken(tx, userId, factorsOfApp)
  // The guesses were for a secret that has been removed. The next app starts with a count of zero.
  const user = await tx.user.findUnique({ where: { id: userId }, select: { deviceGeneration: true } })
  await clearGuesses(tx, codeLimits({ id: userId, deviceGeneration: user?.deviceGeneration ?? 0 }, ''))
  const [removed] = await tx.$queryRaw<
    Added[]
  >`delete from "TwoFactor" where "userId" = ${userId} returning "createdAt"`
  if (removed) await weakenApiKeys(tx, userId, removed.createdAt)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.user.updateMany({ where: { id: userId, twoFactorEnabled: true }, data: { twoFactorEnabled: false } })
}

/** Removes all factors that can complete a second step. */
export async function removeAllFactors(tx: Tx, userId: string): Promise<void> {
  await removeAuthenticatorApp(tx, userId)
  await weaken(tx, userId, ['passkey'])
  await deletePasskeys(tx, { userId })
}

/**
 * Removes one passkey. Ends all sessions that began with a passkey, except `keptSessionId`, because a lost passkey may
 * have started them.
 */
export async function removeOnePasskey(
  tx: Tx,
  { userId, id, keptSessionId }: { userId: string; id: string; keptSessionId: string },
): Promise<void> {
  await tx.session.deleteMany({ where: { userId, secondFactor: 'passkey', id: { not: keptSessionId } } })
  await deletePasskeys(tx, { userId, id })
  if ((await tx.passkey.count({ where: { userId }, take: 1 })) === 0) await weaken(tx, userId, ['passkey'])
}

/** Ends the user's trust in all browsers. */
export async function revokeTrustedDevices(tx: Tx, userId: string): Promise<void> {
  await tx.twoFactor.updateMany({ where: { userId }, data: { generation: newSecret() } })
}

/**
 * Removes and returns the factors that were enrolled while the email address was unverified, because another person may
 * have enrolled them.
 */
export async function removeUnverifiedFactors(
  tx: Tx,
  userId: string,
): Promise<{ passkeys: { id: string; name: string | null }[]; hadApp: boolean }> {
  const where = { userId, isUnverified: true }
  const passkeys = await tx.passkey.findMany({ where, select: { id: true, name: true }, orderBy: { id: 'asc' } })
  if (passkeys.length > 0) await weaken(tx, userId, ['passkey'])
  await deletePasskeys(tx, where)
  const hadApp = (await tx.twoFactor.count({ where })) > 0
  if (hadApp) await removeAuthenticatorApp(tx, userId)
  return { passkeys, hadApp }
}

/**
 * Cancels the pending removal of a second factor, because its user has just used it. Returns whether a removal was
 * pending.
 */
export async function cancelRemoval(tx: Tx, userId: string): Promise<boolean> {
  const { count } = await tx.twoFactor.updateMany({
    where: { userId, removalAt: { not: null } },
    data: { removalAt: null, removalBy: null },
  })
  return count > 0
}

/** Confirms the factors enrolled before the email address was verified, because the same person has now verified it. */
export async function confirmFactors(tx: Tx, userId: string): Promise<void> {
  await tx.twoFactor.updateMany({ where: { userId, isUnverified: true }, data: { isUnverified: false } })
  await tx.passkey.updateMany({ where: { userId, isUnverified: true }, data: { isUnverified: false } })
}

import type { TwoFactor } from '../../prisma/client/client.ts'
import type { Tx } from '../foundation/database.ts'
import type { FactorOwner } from './trusted-devices.ts'

/** How long the user of a second factor has to object to its removal: a day. */
export const removalDelaySeconds = 86_400

/** The authenticator app of a user, if there is one in force or waiting to be confirmed. */
export async function findTwoFactor(tx: Tx, userId: string): Promise<TwoFactor | null> {
  return tx.twoFactor.findUnique({ where: { userId } })
}

/** What browsers that a user trusts are bound to. Undefined if the user has no second factor. */
export async function findFactorOwner(tx: Tx, id: string): Promise<FactorOwner | undefined> {
  const user = await tx.user.findUnique({
    where: { id },
    select: { deviceGeneration: true, twoFactor: { select: { generation: true } } },
  })
  if (!user?.twoFactor) return undefined
  return { id, deviceGeneration: user.deviceGeneration, generation: user.twoFactor.generation }
}

/** Removes the authenticator app and the recovery codes of a user. */
export async function removeFactors(tx: Tx, userId: string): Promise<void> {
  await tx.twoFactor.deleteMany({ where: { userId } })
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.user.updateMany({ where: { id: userId, twoFactorEnabled: true }, data: { twoFactorEnabled: false } })
}

/** Removes what was enrolled while the address was not verified: somebody else may have done it (R66). */
export async function removeUnverifiedFactors(tx: Tx, userId: string): Promise<void> {
  await tx.passkey.deleteMany({ where: { userId, isUnverified: true } })
  const { count } = await tx.twoFactor.deleteMany({ where: { userId, isUnverified: true } })
  if (count > 0) await removeFactors(tx, userId)
}

/** Keeps a second factor that was to be removed: its user has it after all. Returns whether it was to be removed. */
export async function cancelRemoval(tx: Tx, userId: string): Promise<boolean> {
  const { count } = await tx.twoFactor.updateMany({
    where: { userId, removalAt: { not: null } },
    data: { removalAt: null, removalBy: null },
  })
  return count > 0
}

/** Keeps what was enrolled before the address was verified, by whoever has verified it now. */
export async function confirmFactors(tx: Tx, userId: string): Promise<void> {
  await tx.twoFactor.updateMany({ where: { userId, isUnverified: true }, data: { isUnverified: false } })
  await tx.passkey.updateMany({ where: { userId, isUnverified: true }, data: { isUnverified: false } })
}

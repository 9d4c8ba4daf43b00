import type { Tx } from '../foundation/database.ts'
import { clearSecondFactor } from '../session/sessions.ts'
import { removeAuthenticatorApp } from './authenticator-apps.ts'
import { deletePasskeys } from './passkeys.ts'

/** Removes all factors that can complete a second step. */
export async function removeAllFactors(tx: Tx, userId: string): Promise<void> {
  await removeAuthenticatorApp(tx, userId)
  await clearSecondFactor(tx, userId, ['passkey'])
  await deletePasskeys(tx, { userId })
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
  if (passkeys.length > 0) await clearSecondFactor(tx, userId, ['passkey'])
  await deletePasskeys(tx, where)
  const hadApp = (await tx.twoFactor.count({ where })) > 0
  if (hadApp) await removeAuthenticatorApp(tx, userId)
  return { passkeys, hadApp }
}

/** Confirms the factors enrolled before the email address was verified, because the same person has now verified it. */
export async function confirmFactors(tx: Tx, userId: string): Promise<void> {
  await tx.twoFactor.updateMany({ where: { userId, isUnverified: true }, data: { isUnverified: false } })
  await tx.passkey.updateMany({ where: { userId, isUnverified: true }, data: { isUnverified: false } })
}

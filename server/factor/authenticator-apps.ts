import type { TwoFactor } from '../../prisma/client/client.ts'
import { newSecret } from '../foundation/crypto.ts'
import type { Db, Tx } from '../foundation/database.ts'
import { resetFailedAttempts } from '../foundation/failed-attempts.ts'
import { factorsOfApp } from '../session/new-sessions.ts'
import { clearSecondFactor } from '../session/sessions.ts'
import { clearSecondFactorOfKeys } from '../token/api-keys.ts'
import { codeLimits } from './code-limits.ts'
import { endRemovalWithoutFactor } from './factor-removals.ts'

/** The authenticator app of a user, whether active or waiting to be confirmed. */
export async function findAuthenticatorApp(db: Db, userId: string): Promise<TwoFactor | null> {
  return db.twoFactor.findUnique({ where: { userId } })
}

/** The authenticator app of a user who has one. Throws otherwise. */
export async function readAuthenticatorApp(tx: Tx, userId: string): Promise<TwoFactor> {
  return tx.twoFactor.findUniqueOrThrow({ where: { userId } })
}

/** Stores the secret of a new app, which becomes active with its first code. An app in use stays active until then. */
export async function storePendingApp(
  tx: Tx,
  { userId, secret, now }: { userId: string; secret: string; now: Date },
): Promise<void> {
  const pending = { pendingSecret: secret, updatedAt: now }
  await tx.twoFactor.upsert({
    where: { userId },
    create: { userId, ...pending, trustId: newSecret(), createdAt: now },
    update: pending,
  })
}

/** Activates the app that waits for its first code, instead of the one in use. */
export async function activatePendingApp(
  tx: Tx,
  {
    userId,
    pendingSecret,
    isUnverified,
    now,
  }: Pick<TwoFactor, 'userId' | 'pendingSecret' | 'isUnverified'> & { now: Date },
): Promise<void> {
  const activated = { secret: pendingSecret, pendingSecret: null, trustId: newSecret() }
  await tx.twoFactor.update({
    where: { userId },
    data: { ...activated, isUnverified, confirmedAt: now, updatedAt: now },
  })
  await tx.user.update({ where: { id: userId }, data: { twoFactorEnabled: true } })
}

/** Uses up a time step: neither its code nor an earlier one is accepted again. */
export async function consumeTimeStep(tx: Tx, userId: string, step: number): Promise<void> {
  await tx.twoFactor.update({ where: { userId }, data: { lastTimeStep: step } })
}

type Added = { createdAt: Date }

/**
 * Removes the authenticator app and the recovery codes of a user. Sessions that began with them then have no second
 * factor.
 */
export async function removeAuthenticatorApp(tx: Tx, userId: string): Promise<void> {
  await clearSecondFactor(tx, userId, factorsOfApp)
  // The guesses were for a secret that has been removed. The next app starts with a count of zero.
  const user = await tx.user.findUnique({ where: { id: userId }, select: { passwordVersion: true } })
  await resetFailedAttempts(tx, codeLimits({ id: userId, passwordVersion: user?.passwordVersion ?? 0 }, ''))
  const [removed] = await tx.$queryRaw<
    Added[]
  >`delete from "TwoFactor" where "userId" = ${userId} returning "createdAt"`
  if (removed) await clearSecondFactorOfKeys(tx, userId, removed.createdAt)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.user.updateMany({ where: { id: userId, twoFactorEnabled: true }, data: { twoFactorEnabled: false } })
  await endRemovalWithoutFactor(tx, userId)
}

import type { z } from 'zod'
import type { EnableTwoFactor, TwoFactorSecret } from '../../shared/two-factor.ts'
import { storePendingApp } from '../factor/authenticator-apps.ts'
import { newRecoveryCodes, storeRecoveryCodes } from '../factor/recovery-codes.ts'
import { newTotpSecret, encryptTotp, totpUri } from '../factor/totp.ts'
import { transaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { lockCaller } from '../session/locks.ts'
import { confirmPassword } from './confirm-password.ts'

/**
 * Creates a secret for an authenticator app, and recovery codes. Both become active once a first code is confirmed; an
 * existing app stays active until then.
 */
export async function startEnrollment(
  ctx: CallerContext,
  { password, issuer }: z.output<typeof EnableTwoFactor>,
): Promise<z.output<typeof TwoFactorSecret>> {
  await confirmPassword(ctx, password)
  const { now, keys, config, user } = ctx
  const userId = user.id
  const secret = newTotpSecret()
  const backupCodes = newRecoveryCodes()
  await transaction(ctx, async (tx) => {
    await lockCaller(tx, ctx)
    await storePendingApp(tx, { userId, secret: encryptTotp(keys.storage, secret, userId), now })
    await storeRecoveryCodes(tx, { userId, keys: keys.storage }, backupCodes, { isPending: true, now })
  })
  return { totpURI: totpUri(secret, { issuer: issuer ?? config.brand.product, label: user.email }), backupCodes }
}

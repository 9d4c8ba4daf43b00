import type { User } from '../../prisma/client/client.ts'
import { record } from '../event/record.ts'
import { activatePendingApp, readAuthenticatorApp } from '../factor/authenticator-apps.ts'
import { cancelRemoval } from '../factor/factor-removals.ts'
import { confirmRecoveryCodes } from '../factor/recovery-codes.ts'
import type { Tx } from '../foundation/database.ts'
import { hasVerifiedEmail } from '../foundation/verified-email.ts'
import { composeMail } from '../mail/mail.ts'
import type { Context } from '../request/context.ts'
import { clearSecondFactorOfKeys } from '../token/api-keys.ts'

/** Activates the pending authenticator app with its recovery codes. Trusted browsers are asked again. */
export async function activateAuthenticator(tx: Tx, ctx: Context, user: User): Promise<void> {
  const { id: userId, emailVerified, previousEmail } = user
  const { pendingSecret, secret, createdAt } = await readAuthenticatorApp(tx, userId)
  // The finder of the phone with the former app may have created them.
  if (secret !== null) await clearSecondFactorOfKeys(tx, userId, createdAt)
  const isUnverified = !hasVerifiedEmail({ emailVerified, previousEmail })
  await activatePendingApp(tx, { userId, pendingSecret, isUnverified, now: ctx.now })
  await confirmRecoveryCodes(tx, userId)
  await cancelRemoval(tx, userId)
  await record(tx, ctx, { type: 'user.two_factor_enabled', actorId: userId, data: {} })
  await ctx.outbox.enqueue(tx, composeMail('twoFactorEnabled', user, ctx), ctx.now)
}

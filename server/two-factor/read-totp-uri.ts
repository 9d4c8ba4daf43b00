import { findAuthenticatorApp } from '../factor/authenticator-apps.ts'
import { decryptTotp, totpUri } from '../factor/totp.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { confirmPassword } from './confirm-password.ts'

/** The URI of the active authenticator app, to add it to another device. */
export async function readTotpUri(ctx: CallerContext, password: string | undefined): Promise<string> {
  if (!ctx.user.twoFactorEnabled) refuse('TOTP_NOT_ENABLED')
  await confirmPassword(ctx, password)
  const { db, keys, config, user } = ctx
  const sealed = (await findAuthenticatorApp(db, user.id))?.secret ?? refuse('TOTP_NOT_ENABLED')
  const secret = decryptTotp(keys.storage, sealed, user.id) ?? refuse('TOTP_NOT_ENABLED')
  return totpUri(secret, { issuer: config.brand.product, label: user.email })
}

import type { z } from 'zod'
import type { ResetPasswordCode } from '../../shared/email-code.ts'
import { passwordProblem } from '../../shared/identity.ts'
import { newPasswordProblem } from '../account/password.ts'
import { rememberResetBrowser, storeNewPassword } from '../account/reset-password.ts'
import { findRecoverable } from '../account/users.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { refuseWrongCode, consumeEmailCode } from './consume-email-code.ts'

/** Sets a new password with an emailed code, as with the link. */
export async function resetByCode(
  ctx: Context,
  { email, otp, password }: z.output<typeof ResetPasswordCode>,
): Promise<void> {
  const problem =
    passwordProblem(password, ctx.config.passwordLength) ??
    (await newPasswordProblem(password, ctx.config, { email, name: '' }))
  if (problem) refuse(problem)
  // Hashed without priority, because the code has not been checked yet.
  const passwordHash = await ctx.hasher.hash(password)
  const { checked, user } = await consumeEmailCode(ctx, { use: 'forget-password', email, code: otp }, async (tx) => {
    const found = await findRecoverable(tx, email)
    return found && storeNewPassword(tx, ctx, { holder: { userId: found.id, email }, passwordHash })
  })
  refuseWrongCode(checked)
  if (!user) refuse('INVALID_OTP')
  await rememberResetBrowser(ctx, user)
}

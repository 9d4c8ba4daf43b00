import type { z } from 'zod'
import { FullUser, ShortUser } from '../../shared/account.ts'
import type { SignInEmailCode, VerifiedByCode } from '../../shared/email-code.ts'
import { verifyEmailAndRecord } from '../account/mark-email-verified.ts'
import { isSignUpBrowser } from '../account/sign-up-cookie.ts'
import { findRecoverable } from '../account/users.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context } from '../request/context.ts'
import { lockSession } from '../session/locks.ts'
import { readUser } from '../session/users.ts'
import { refuseWrongCode, consumeEmailCode, withBasis } from './consume-email-code.ts'
import { startSession } from './start-session.ts'

/** Verifies the email address of the account that this browser signed up, or is signed in to, with an emailed code. */
export async function verifyByCode(
  ctx: Context,
  { email, otp }: z.output<typeof SignInEmailCode>,
): Promise<z.output<typeof VerifiedByCode>> {
  const found = await ctx.caller()
  const caller = found?.verifiedCredential ? undefined : found
  if (caller?.session.impersonatedBy !== undefined) refuse('NOT_WHILE_IMPERSONATING')
  const { checked, user: verified } = await consumeEmailCode(
    ctx,
    { use: 'email-verification', email, code: otp },
    async (tx) => {
      const found = await findRecoverable(tx, email)
      if (caller && !(await lockSession(tx, caller.session.id))) refuse('UNAUTHORIZED')
      const isOwn =
        found !== undefined && (caller?.user.id === found.id || isSignUpBrowser(ctx.cookies, found.id, ctx.now))
      // Another person may have signed up with the email address: only the emailed link asks whose account it is.
      if (!isOwn || !(await verifyEmailAndRecord(tx, ctx, { userId: found.id, email }, 'code'))) return undefined
      return withBasis(tx, FullUser.parse(await readUser(tx, found.id)))
    },
  )
  refuseWrongCode(checked)
  if (!verified) refuse('EMAIL_CODE_USER_NOT_FOUND')
  const { user, basis } = verified
  if (caller?.user.id === user.id) {
    await ctx.renewCookies({ user })
    return { status: true, token: null, user: ShortUser.parse(user) }
  }
  const started = await startSession(ctx, user, { method: 'email_code', basis })
  return {
    status: true,
    token: started.outcome === 'created' ? started.session.token : null,
    user: ShortUser.parse(user),
  }
}

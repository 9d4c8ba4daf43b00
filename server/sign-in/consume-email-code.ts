import type { FullUser } from '../../shared/account.ts'
import type { CodeUse } from '../../shared/email-code.ts'
import { findRecoverable, lockUsersOfEmail } from '../account/users.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { knownDevice } from '../session/known-devices.ts'
import type { SessionBasis } from '../session/new-sessions.ts'
import { readUser } from '../session/users.ts'
import { type CheckedCode, checkEmailCode } from './email-codes.ts'

/** Uses up a code and does the work that it authorizes in one transaction. A wrong code is counted. */
export async function consumeEmailCode<Result>(
  ctx: Context,
  code: { use: CodeUse; email: string; code: string },
  then: (tx: Tx, name: string | undefined) => Promise<Result>,
): Promise<{ checked: CheckedCode; user?: Result }> {
  return retryOnTakenEmail(() =>
    transaction(ctx, async (tx) => {
      await lockUsersOfEmail(tx, code.email)
      const device = knownDevice(ctx.cookies, await findRecoverable(tx, code.email))
      const deps = { keys: ctx.keys.links, cookies: ctx.cookies, now: ctx.now }
      const checked = await checkEmailCode(tx, deps, { ...code, device })
      return checked.outcome === 'right' ? { checked, user: await then(tx, checked.name) } : { checked }
    }),
  )
}

/** Retries if another request has just signed up with the email address: there is then an account to sign in to. */
export async function retryOnTakenEmail<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    if (!violatedUnique(error)?.includes('email')) throw error
    return work()
  })
}

/** Refuses a code that was not the right one. */
export function refuseWrongCode({ outcome }: CheckedCode): void {
  if (outcome === 'wrong') refuse('INVALID_OTP')
  if (outcome === 'expired') refuse('OTP_EXPIRED')
  if (outcome === 'exhausted') refuse('TOO_MANY_ATTEMPTS')
}

export type SigningIn = { user: FullUser; basis: SessionBasis }

/**
 * The user who signs in, with what the session is based on: a password that is changed, reset or removed before the
 * session is stored ends this sign-in.
 */
export async function withBasis(tx: Tx, user: FullUser): Promise<SigningIn> {
  const { passwordVersion } = await readUser(tx, user.id)
  return { user, basis: { passwordVersion } }
}

import { checkPassword } from '../account/check-password.ts'
import { findPassword } from '../account/credentials.ts'
import { requireMayChangeFactors } from '../factor/assurance.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { requireFresh } from '../session/session-lifetime.ts'

/**
 * Requires the password, or a fresh session of a user who has no password, and a second factor where one is required.
 * Returns the hash that was checked.
 */
export async function confirmPassword(ctx: CallerContext, password: string | undefined): Promise<string | undefined> {
  if (ctx.verifiedCredential) refuse('INSUFFICIENT_SCOPE')
  await requireMayChangeFactors(ctx.db, ctx)
  if (await findPassword(ctx.db, ctx.user.id)) {
    return password === undefined ? refuse('INVALID_PASSWORD') : checkPassword(ctx, password)
  }
  requireFresh(ctx, ctx.session)
  return undefined
}

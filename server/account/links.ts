import { z } from 'zod'
import { RedirectTarget } from '../../shared/account.ts'
import type { Context } from '../context.ts'
import { readLink } from '../foundation/jwt.ts'
import { Detour } from '../foundation/refusal.ts'
import { openSession } from '../session/opening.ts'
import { proveEmail } from './users.ts'
import { didSignUpHere, verifyPurpose } from './verification.ts'

export const VerifyEmail = z.object({ token: z.string().min(1).max(4096), callbackURL: RedirectTarget.optional() })

/**
 * GET /verify-email: the first use of a link proves the address, and signs in where the account was opened within the hour.
 * A later use lands on the page without effect (R53).
 */
export async function verifyEmail(ctx: Context, { token }: z.output<typeof VerifyEmail>) {
  const { now } = ctx
  const claims = await readLink(ctx.keys.links, token, { purpose: verifyPurpose, now })
  if (typeof claims === 'string') throw new Detour(claims)
  const { user, isFirstUse } = await ctx.db.$transaction(async (tx) => {
    const isFirstUse = await proveEmail(tx, { ...claims, now })
    const user = await tx.user.findUnique({ where: { id: claims.userId } })
    if (!user) throw new Detour('user_not_found')
    // The link was for an address that the user has left since.
    if (user.email !== claims.email) throw new Detour('invalid_token')
    return { user, isFirstUse }
  })
  if (isFirstUse && didSignUpHere(ctx.cookies, user.id, now)) await openSession(ctx, user)
  ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: claims.userId }, 'address proven')
  return { status: true, user: null }
}

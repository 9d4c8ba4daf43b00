import { z } from 'zod'
import { RedirectTarget, ShortUser } from '../../shared/account.ts'
import { isSafePath, withQuery } from '../../shared/redirect.ts'
import type { Context } from '../context.ts'
import { violatedUnique } from '../foundation/db.ts'
import { readLink, type LinkClaims } from '../foundation/jwt.ts'
import { Detour, refuse } from '../foundation/refusal.ts'
import { isFresh } from '../procedure.ts'
import { openSession } from '../session/opening.ts'
import { clearSessionCookies } from '../session/session-cookies.ts'
import { deleteAccount } from './deletion.ts'
import { accountMail } from './mails.ts'
import { findToken, takeToken, voidTokens } from './tokens.ts'
import { proveEmail, updateUser } from './users.ts'
import { changePurpose, didSignUpHere, verificationMail, verifyPurpose } from './verification.ts'

export const VerifyEmail = z.object({ token: z.string().min(1).max(4096), callbackURL: RedirectTarget.optional() })

/**
 * GET /verify-email: the first use of a link proves the address, and signs in where the account was opened within the hour.
 * A later use lands on the page without effect (R53).
 */
export async function verifyEmail(ctx: Context, query: z.output<typeof VerifyEmail>) {
  const { now } = ctx
  const claims = await readLink(ctx.keys.links, query.token, { purposes: [verifyPurpose, changePurpose], now })
  if (typeof claims === 'string') throw new Detour(claims)
  if (claims.purpose === changePurpose) return changeEmail(ctx, claims, query.callbackURL)
  const { user, isFirstUse } = await ctx.db.$transaction(async (tx) => {
    const isFirstUse = await proveEmail(tx, { ...claims, now })
    const user = await tx.user.findUnique({ where: { id: claims.userId } })
    if (!user) throw new Detour('user_not_found')
    // The link was for an address that the user has left since.
    if (user.email !== claims.email) throw new Detour('invalid_token')
    return { user, isFirstUse }
  })
  if (isFirstUse && didSignUpHere(ctx.cookies, user.id, now)) await openSession(ctx, user)
  else if (isFirstUse && (await ctx.caller())?.user.id === user.id) await ctx.renewCookies({ user })
  ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId: claims.userId }, 'address proven')
  return { status: true, user: null }
}

/** The owner of the old address agrees, signed in: the new one is entered and has to be proven; the old one gets a notice. */
async function changeEmail(
  ctx: Context,
  { userId, email, newEmail, secret }: LinkClaims,
  callbackURL: string | undefined,
) {
  const { now } = ctx
  const caller = await ctx.caller()
  if (!newEmail || !secret) throw new Detour('invalid_token')
  if (!caller || caller.user.id !== userId) throw new Detour('unauthorized')
  const proof = await verificationMail(ctx, { ...caller.user, email: newEmail }, { ...ctx, callbackURL })
  const user = await ctx.db
    .$transaction(async (tx) => {
      if ((await takeToken(tx, 'change-email', secret, now)) !== userId) throw new Detour('invalid_token')
      const current = await tx.user.findUnique({ where: { id: userId } })
      if (current?.email !== email) throw new Detour('unauthorized')
      const changed = await updateUser(tx, userId, { email: newEmail, emailVerified: false, now })
      await voidTokens(tx, userId)
      await ctx.outbox.enqueue(tx, proof, now)
      await ctx.outbox.enqueue(tx, accountMail('emailChanged', current, { ...ctx, newEmail }), now)
      return changed
    })
    .catch((error: unknown) => {
      // Somebody else has taken the new address meanwhile.
      if (violatedUnique(error)) throw new Detour('invalid_token')
      throw error
    })
  await ctx.renewCookies({ user })
  ctx.log.info({ requestId: ctx.requestId, address: ctx.address, userId }, 'address changed')
  return { status: true, user: ShortUser.parse(user) }
}

export const ResetLink = z.object({ callbackURL: RedirectTarget.optional(), token: z.string().max(256) })

/** GET /reset-password/{token}: to the page where the new password is entered; the token is not used up by looking. */
export async function resetLink(ctx: Context, { callbackURL, token }: z.output<typeof ResetLink>): Promise<string> {
  const { appOrigin, basePath } = ctx.config
  if (callbackURL === undefined) refuse('CALLBACKURL_IS_REQUIRED')
  if (callbackURL === '') return withQuery(`${basePath}/error`, { error: 'INVALID_TOKEN' })
  if ((await findToken(ctx.db, 'reset-password', token, ctx.now)) === undefined) throw new Detour('INVALID_TOKEN')
  return withQuery(isSafePath(callbackURL) ? appOrigin + callbackURL : callbackURL, { token })
}

export const DeleteLink = z.object({ token: z.string().min(1).max(256), callbackURL: RedirectTarget.optional() })

/** GET /delete-user/callback: deletes the account of the signed-in owner of the token; its refusals are JSON (contract 7.4). */
export async function deleteLink(ctx: Context, { token }: z.output<typeof DeleteLink>) {
  if (!ctx.config.mayDeleteUser) refuse('NOT_FOUND')
  const caller = await ctx.caller()
  if (!caller) refuse('FAILED_TO_GET_USER_INFO')
  const { user, session } = caller
  if ((await findToken(ctx.db, 'delete-account', token, ctx.now)) !== user.id) refuse('DELETE_INVALID_TOKEN')
  if (!isFresh(ctx, session)) refuse('SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION')
  await ctx.db.$transaction(async (tx) => {
    if ((await takeToken(tx, 'delete-account', token, ctx.now)) !== user.id) refuse('DELETE_INVALID_TOKEN')
    await deleteAccount(tx, ctx, user)
  })
  clearSessionCookies(ctx)
  return { success: true, message: 'User deleted' }
}

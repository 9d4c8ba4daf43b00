import { z } from 'zod'
import { RedirectTarget, ShortUser } from '../../shared/account.ts'
import { isSafePath, withQuery } from '../../shared/redirect.ts'
import type { Context } from '../context.ts'
import type { User } from '../../prisma/client/client.ts'
import { violatedUnique, transaction } from '../foundation/db.ts'
import { record } from '../event/record.ts'
import { readLink, type LinkClaims } from '../foundation/jwt.ts'
import { LinkError, refuse } from '../foundation/refusal.ts'
import { isFresh } from '../procedure.ts'
import { holdSession, lockUser } from '../session/locks.ts'
import { startSession } from '../session/start-session.ts'
import { clearSessionCookies } from '../session/session-cookies.ts'
import { deleteAccount } from './deletion.ts'
import { composeMail } from '../mail/mail.ts'
import { findToken, takeToken, voidTokens } from './tokens.ts'
import { confirmingAddress, findHolder, keepFormerAdminEmail, updateUser, verifyAddress } from './users.ts'
import { changePurpose, didSignUpHere, verificationMail, verifyPurpose } from './verification.ts'

export const VerifyEmail = z.object({ token: z.string().min(1).max(4096), callbackURL: RedirectTarget.optional() })

/**
 * GET /verify-email: in the browser that made the account, or in a session of the user, the first use of a link verifies the
 * address; the browser of the sign-up is signed in. In every other browser, and for a mail scanner, it changes nothing and
 * leads to the page that asks first (SEC-110). A later use lands on the page without effect.
 */
export async function verifyEmail(ctx: Context, query: z.output<typeof VerifyEmail>) {
  const { token, callbackURL } = query
  const claims = await readLink(ctx.keys.links, token, { purposes: [verifyPurpose, changePurpose], now: ctx.now })
  if (typeof claims === 'string') throw new LinkError(claims)
  if (claims.purpose === changePurpose) return changeEmail(ctx, claims, callbackURL)
  const user = await ctx.db.user.findUnique({ where: { id: claims.userId } })
  if (!user) throw new LinkError('user_not_found')
  // The link was for an address that the user has left since.
  if (user.email !== claims.email) throw new LinkError('invalid_token')
  if (user.emailVerified) return { status: true, user: null }
  const isSignUpBrowser = didSignUpHere(ctx.cookies, user.id, ctx.now)
  const own = await ctx.caller()
  const isOwnSession = own?.user.id === user.id
  if ((!isSignUpBrowser && !isOwnSession) || isLured(ctx, user)) {
    return withQuery('/verify', { token, ...(callbackURL && { callbackURL }) })
  }
  const isFirstUse = await transaction(ctx, async (tx) => {
    if (own && !isSignUpBrowser) {
      await lockUser(tx, user.id)
      if (!(await holdSession(tx, own.session.id))) throw new LinkError('unauthorized')
    }
    return verifyAddress(tx, ctx, claims, 'link')
  })
  const verified = { ...user, emailVerified: true, updatedAt: ctx.now }
  if (isFirstUse && isOwnSession) await ctx.renewCookies({ user: verified })
  else if (isFirstUse) await startSession(ctx, verified, { method: 'verification_link' })
  return { status: true, user: null }
}

/**
 * A session proves the person, not the mailbox: the owner of a mistyped address could lead the person's browser to the link.
 * So an address that was not entered at sign-up is asked about first when another site's page leads here; what a person opens,
 * and what a program calls, is not.
 */
function isLured({ source }: Context, { emailSource, previousEmail }: User): boolean {
  return (
    (previousEmail !== null || emailSource !== 'sign_up') &&
    (source.site === 'cross-site' || source.site === 'same-site')
  )
}

/** The owner of the old address confirms, signed in: the new one is entered and has to be verified; the old one gets a notice. */
async function changeEmail(
  ctx: Context,
  { userId, email, newEmail, secret }: LinkClaims,
  callbackURL: string | undefined,
) {
  const { now } = ctx
  const caller = await ctx.caller()
  if (!newEmail || !secret) throw new LinkError('invalid_token')
  if (!caller || caller.user.id !== userId) throw new LinkError('unauthorized')
  const mail = await verificationMail(ctx, { ...caller.user, email: newEmail }, { ...ctx, callbackURL })
  const user = await transaction(ctx, async (tx) => {
    const current = await lockUser(tx, userId)
    // Ended while the request was on its way: by its owner's new password, or by a revocation.
    if (!(await holdSession(tx, caller.session.id))) throw new LinkError('unauthorized')
    const confirmed = await takeToken(tx, 'change-email', secret, now)
    if (confirmed?.userId !== userId) throw new LinkError('invalid_token')
    if (current?.email !== email) throw new LinkError('unauthorized')
    // The owner of an address that the account has left since does not decide any more.
    if (confirmed.email !== confirmingAddress(current)) throw new LinkError('invalid_token')
    // Somebody may have verified it meanwhile and be about to change it: it stays reserved for them.
    const holder = await findHolder(tx, newEmail)
    if (holder && holder.id !== userId) throw new LinkError('invalid_token')
    // The last verified address stays until the new one is verified.
    const previousEmail = confirmingAddress(current)
    const change = { email: newEmail, emailVerified: false, emailSource: 'change', previousEmail } as const
    if (current.role === 'admin' && previousEmail !== null) await keepFormerAdminEmail(tx, userId, previousEmail)
    const changed = await updateUser(tx, userId, { ...change, now })
    await voidTokens(tx, userId)
    // Confirmed by the owner of the account: no budget of the new address holds it back.
    await ctx.outbox.enqueue(tx, { ...mail, budget: null }, now)
    const owner = { ...current, email: previousEmail ?? email }
    await ctx.outbox.enqueue(tx, composeMail('emailChanged', owner, { ...ctx, values: { newEmail } }), now)
    await record(tx, ctx, { type: 'user.email_changed', actorId: userId, data: { from: email, to: newEmail } })
    return changed
  }).catch((error: unknown) => {
    // Somebody else has taken the new address meanwhile.
    if (violatedUnique(error)) throw new LinkError('invalid_token')
    throw error
  })
  await ctx.renewCookies({ user })
  return { status: true, user: ShortUser.parse(user) }
}

export const ResetLink = z.object({ callbackURL: RedirectTarget.optional(), token: z.string().max(256) })

/** GET /reset-password/{token}: to the page where the new password is entered; the token is not used up by looking. */
export async function resetLink(ctx: Context, { callbackURL, token }: z.output<typeof ResetLink>): Promise<string> {
  const { appOrigin, basePath } = ctx.config
  if (callbackURL === undefined) refuse('CALLBACKURL_IS_REQUIRED')
  if (callbackURL === '') return withQuery(`${basePath}/error`, { error: 'INVALID_TOKEN' })
  if (!(await findToken(ctx.db, 'reset-password', token, ctx.now))) throw new LinkError('INVALID_TOKEN')
  return withQuery(isSafePath(callbackURL) ? appOrigin + callbackURL : callbackURL, { token })
}

export const DeleteLink = z.object({ token: z.string().min(1).max(256), callbackURL: RedirectTarget.optional() })

/**
 * GET /delete-user/callback. A person who opens it in a browser comes to the page that names what is deleted and has a button
 * that does it (SEC-35). A program that calls it deletes the account of the signed-in owner of the token; its refusals are
 * JSON (contract 7.4).
 */
export async function deleteLink(ctx: Context, { token, callbackURL }: z.output<typeof DeleteLink>) {
  if (!ctx.config.mayDeleteUser) refuse('NOT_FOUND')
  if (ctx.source.isNavigation) return withQuery('/delete-account', { token, ...(callbackURL && { callbackURL }) })
  const caller = await ctx.caller()
  if (!caller) refuse('FAILED_TO_GET_USER_INFO')
  const { user, session } = caller
  if ((await findToken(ctx.db, 'delete-account', token, ctx.now))?.userId !== user.id) refuse('DELETE_INVALID_TOKEN')
  if (!isFresh(ctx, session)) refuse('SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION')
  await transaction(ctx, (tx) => deleteAccount(tx, ctx, user, { token }))
  clearSessionCookies(ctx)
  return { success: true, message: 'User deleted' }
}

import { z } from 'zod'
import type { User } from '../../prisma/client/client.ts'
import { FullUser } from '../../shared/account.ts'
import { withQuery } from '../../shared/redirect.ts'
import { RedirectTarget } from '../../shared/schema.ts'
import { confirmEmailChange } from '../account/confirm-email-change.ts'
import { verifyEmailAndRecord } from '../account/mark-email-verified.ts'
import { isSignUpBrowser } from '../account/sign-up-cookie.ts'
import { changePurpose, verifyPurpose } from '../account/verification.ts'
import { verifyLinkToken } from '../foundation/link-tokens.ts'
import { LinkError } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { lockSession, lockUser } from '../session/locks.ts'
import { findUserById } from '../session/users.ts'
import { startSession } from './start-session.ts'

export const VerifyEmail = z.object({ token: z.string().min(1).max(4096), callbackURL: RedirectTarget.optional() })

/**
 * GET /verify-email: in the browser that signed up, or in a session of the user, the first use of a link verifies the
 * email address and signs in the browser that signed up. In any other browser, or for an email scanner, it changes
 * nothing and redirects to the page that asks first (SEC-110). Later uses redirect to the page without any effect.
 */
export async function verifyEmail(ctx: Context, query: z.output<typeof VerifyEmail>) {
  const { token, callbackURL } = query
  const claims = await verifyLinkToken(ctx.keys.links, token, {
    purposes: [verifyPurpose, changePurpose],
    now: ctx.now,
  })
  if (typeof claims === 'string') throw new LinkError(claims)
  if (claims.purpose === changePurpose) return confirmEmailChange(ctx, claims, callbackURL)
  const user = await findUserById(ctx.db, claims.userId)
  if (!user) throw new LinkError('user_not_found')
  // The link was for an email address that the user no longer has.
  if (user.email !== claims.email) throw new LinkError('invalid_token')
  if (user.emailVerified) return { status: true, user: null }
  const didSignUpHere = isSignUpBrowser(ctx.cookies, user.id, ctx.now)
  const own = await ctx.caller()
  if (own?.session.impersonatedBy !== undefined) throw new LinkError('unauthorized')
  const isOwnSession = own?.user.id === user.id
  if ((!didSignUpHere && !isOwnSession) || isUnintended(ctx, user)) {
    return withQuery('/verify', { token, ...(callbackURL && { callbackURL }) })
  }
  const { isFirstUse, passwordVersion } = await transaction(ctx, async (tx) => {
    const locked = await lockUser(tx, user.id)
    if (own && !didSignUpHere && !(await lockSession(tx, own.session.id))) throw new LinkError('unauthorized')
    return {
      isFirstUse: await verifyEmailAndRecord(tx, ctx, claims, 'link'),
      passwordVersion: locked?.passwordVersion ?? user.passwordVersion,
    }
  })
  const verified = FullUser.parse({ ...user, emailVerified: true, updatedAt: ctx.now })
  if (isFirstUse && isOwnSession) await ctx.renewCookies({ user: verified })
  else if (isFirstUse) {
    // A password that is reset before the session is stored ends this sign-in.
    const { outcome } = await startSession(ctx, verified, { method: 'verification_link', basis: { passwordVersion } })
    if (outcome === 'second_factor') return withQuery('/two-factor', { ...(callbackURL && { next: callbackURL }) })
  }
  return { status: true, user: null }
}

/**
 * A session identifies the user, not the mailbox: the owner of a mistyped email address could lure the user's browser
 * to the link. So for an address not entered at sign-up, a request from another site leads to the page that asks first.
 * So does one from a page of ours, because another site may have led there (`next` of the sign-in), or the link may be
 * the URL of a picture. Direct navigation and API calls do not.
 */
function isUnintended({ source }: Context, { emailSource, previousEmail }: User): boolean {
  if (previousEmail === null && emailSource === 'sign_up') return false
  const { site, isNavigation, isEmbedded } = source
  return site === 'cross-site' || site === 'same-site' || (site === 'same-origin' && (isNavigation || isEmbedded))
}

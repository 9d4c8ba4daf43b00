import type { User } from '../../prisma/client/client.ts'
import { type ClaimAccount, FullUser } from '../../shared/account.ts'
import { createVerifiedUser } from '../account/create-verified-user.ts'
import { verifyEmailAndRecord } from '../account/mark-email-verified.ts'
import { newPasswordProblem } from '../account/password.ts'
import { releaseUnverifiedEmail, withoutLocation } from '../account/release-unverified-email.ts'
import { handOverWithNewPassword } from '../account/take-over-account.ts'
import { wasImported } from '../account/users.ts'
import { verifyPurpose } from '../account/verification.ts'
import { record } from '../event/record.ts'
import { violatedUnique } from '../foundation/database-errors.ts'
import type { Tx } from '../foundation/database.ts'
import { verifyLinkToken } from '../foundation/link-tokens.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { lockCaller, lockUser } from '../session/locks.ts'
import { findUserById, readUser } from '../session/users.ts'
import { startSession } from './start-session.ts'

/** Returns the subject of the verification page: a sign-up, or a change of email address. */
export async function readVerification(ctx: Context, { token }: { token: string }) {
  const user = await findUnverified(ctx, token)
  const isMine = (await ctx.caller())?.user.id === user.id
  return {
    email: user.email,
    name: user.name,
    kind: isChange(user) ? ('change' as const) : ('sign_up' as const),
    isMine,
  }
}

/** Confirms the new email address of the signed-in user's account, from the page that displays it. */
export async function confirmVerification(ctx: CallerContext, { token }: { token: string }): Promise<void> {
  const user = await transaction(ctx, async (tx) => {
    const user = await lockUnverified(ctx, tx, token)
    if (user.id !== ctx.user.id) refuse('LINK_UNAUTHORIZED')
    await lockCaller(tx, ctx)
    await verifyEmailAndRecord(tx, ctx, { userId: user.id, email: user.email }, 'link')
    return readUser(tx, user.id)
  })
  await ctx.renewCookies({ user: FullUser.parse(user) })
}

/**
 * "Yes, this is my account", in a browser that did not sign up: the link verifies access to the mailbox, but not who
 * entered the email address. The existing account may have been created by another person, so it is deleted with all
 * its data, and the mailbox owner gets a new one with a name and password of their choice (SEC-110). An account that
 * only changed to this address reverts to its former one. An imported account is kept, with its organizations, because
 * its former system had assigned it to this address.
 */
export async function claimAccount(ctx: Context, { token, name, password }: ClaimAccount) {
  const { config } = ctx
  const claimed = await findUnverified(ctx, token)
  const { email } = claimed
  const problem = await newPasswordProblem(password, config, { email, name })
  if (problem) refuse(problem)
  const passwordHash = await ctx.hasher.hash(password, { isPrioritized: true })
  const user = await transaction(ctx, async (tx) => {
    const former = await lockUnverified(ctx, tx, token)
    if (wasImported(former)) return handOverWithNewPassword(tx, ctx, former, { name, passwordHash, method: 'claim' })
    await releaseUnverifiedEmail(tx, ctx, former)
    await record(tx, withoutLocation(ctx), { type: 'user.claimed', subjectId: former.id, data: {} })
    return createVerifiedUser(tx, ctx, { email, name, passwordHash, method: 'claim' })
  }).catch(refuseTaken)
  const started = await startSession(ctx, user, { method: 'claim', basis: { passwordHash } })
  return { token: started.outcome === 'created' ? started.session.token : null, user }
}

/** "I did not sign up": deletes the unverified account, or reverts the change of email address. */
export async function rejectVerification(ctx: Context, { token }: { token: string }): Promise<void> {
  await transaction(ctx, async (tx) => {
    const user = await lockUnverified(ctx, tx, token)
    await record(tx, withoutLocation(ctx), { type: 'user.rejected', subjectId: user.id, data: { email: user.email } })
    // For an imported account there was no sign-up, and its organizations may have other members.
    if (!wasImported(user)) await releaseUnverifiedEmail(tx, ctx, user)
  })
}

/** Finds the unverified user named by a link, to show or to prepare something. */
async function findUnverified(ctx: Context, token: string): Promise<User> {
  const claims = await readClaims(ctx, token)
  return requireUnverified(await findUserById(ctx.db, claims.userId), claims)
}

/** Finds the unverified user named by a link, and locks the user's row. */
async function lockUnverified(ctx: Context, tx: Tx, token: string): Promise<User> {
  const claims = await readClaims(ctx, token)
  return requireUnverified(await lockUser(tx, claims.userId), claims)
}

type Claims = { userId: string; email: string }

async function readClaims(ctx: Context, token: string): Promise<Claims> {
  const claims = await verifyLinkToken(ctx.keys.links, token, { purposes: [verifyPurpose], now: ctx.now })
  if (claims === 'token_expired') refuse('LINK_TOKEN_EXPIRED')
  if (claims === 'invalid_token') refuse('LINK_INVALID_TOKEN')
  return claims
}

function requireUnverified(user: User | null, claims: Claims): User {
  if (!user) refuse('LINK_USER_NOT_FOUND')
  if (user.email !== claims.email || user.emailVerified) refuse('LINK_INVALID_TOKEN')
  return user
}

/** The account has another, verified email address, so the owner of the new mailbox has no claim to it. */
function isChange({ previousEmail }: User): boolean {
  return previousEmail !== null
}

function refuseTaken(error: unknown): never {
  if (violatedUnique(error)?.includes('email')) refuse('USER_ALREADY_EXISTS')
  throw error
}

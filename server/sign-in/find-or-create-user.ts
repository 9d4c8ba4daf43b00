import { FullUser } from '../../shared/account.ts'
import type { ProviderId } from '../../shared/provider.ts'
import { createIdentity, findIdentity, updateIdentityTokens } from '../account/identities.ts'
import { reportLink, retryOnConflict } from '../account/link-identity.ts'
import { verifyEmailAndRecord } from '../account/mark-email-verified.ts'
import { emailFromProfile, nameOf, pictureOf } from '../account/profiles.ts'
import { findUserByReservedEmail, insertUser, newUser } from '../account/users.ts'
import { verificationMail } from '../account/verification.ts'
import { record } from '../event/record.ts'
import { isUnavailable, violatedUnique } from '../foundation/database-errors.ts'
import type { Tx } from '../foundation/database.ts'
import { OAuthCallbackError } from '../foundation/refusal.ts'
import type { Profile, Tokens } from '../foundation/social/provider.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context } from '../request/context.ts'
import { lockUser } from '../session/locks.ts'
import { isBanned } from '../session/session-rows.ts'

export type Identity = {
  provider: ProviderId
  profile: Profile
  /** Undefined if the browser sent only an id_token. */
  tokens: Tokens | undefined
  scopes: string[]
  requestSignUp: boolean
}

/**
 * Finds or creates the user for an identity. An email address matches only if verified on both sides, the identity
 * first (SEC-13). A sign-up that conflicts with a concurrent one looks the user up again.
 */
export async function findOrCreateUser(
  ctx: Context,
  identity: Identity,
): Promise<{ user: FullUser; isNew: boolean; identityId: string }> {
  const attempt = () => transaction(ctx, (tx) => findOrCreate(tx, ctx, identity))
  const { user, ...more } = await retryOnConflict(attempt, 'unable_to_create_user')
  return { user: FullUser.parse(user), ...more }
}

async function findOrCreate(tx: Tx, ctx: Context, { provider, profile, tokens, scopes, requestSignUp }: Identity) {
  const { now, config } = ctx
  const key = { providerId: provider, accountId: profile.id }
  const storedTokens = { tokens, requestedScopes: scopes, keys: ctx.keys.storage, now }
  const email = emailFromProfile(profile)
  const found = await findIdentity(tx, key)
  // The user first, in the order of all locks; the identity may have been unlinked, and the user banned, before the
  // lock.
  if (found) await lockUser(tx, found.userId)
  const known = found && (await findIdentity(tx, key))
  if (known && isBanned(known.user, now)) throw new OAuthCallbackError('banned')
  if (known) {
    await updateIdentityTokens(tx, known.id, storedTokens)
    const isSameEmail = profile.emailVerified && email === known.user.email
    const isVerified = isSameEmail && (await verifyEmailAndRecord(tx, ctx, { userId: known.userId, email }, 'provider'))
    const user = isVerified ? { ...known.user, emailVerified: true } : known.user
    return { user, isNew: false, identityId: known.id }
  }
  if (email === undefined) throw new OAuthCallbackError('email_not_found')
  const holder = await findUserByReservedEmail(tx, email)
  // Locked and read again: a concurrent request may be making this user an administrator.
  const owner = holder && ((await lockUser(tx, holder.id)) ?? undefined)
  if (owner) {
    const isVerified = profile.emailVerified || config.trustedProviders.includes(provider)
    // Administrators must link a provider while signed in: a provider alone never grants administrator access
    // (SEC-111).
    const isAdministrator = owner.role === 'admin' || config.adminEmails.includes(owner.email)
    const mayLink = isVerified && owner.emailVerified && owner.email === email && !isAdministrator
    if (!mayLink) throw new OAuthCallbackError('account_not_linked')
    if (isBanned(owner, now)) throw new OAuthCallbackError('banned')
    const identityId = await createIdentity(tx, { ...key, userId: owner.id }, storedTokens).catch((error: unknown) => {
      throw violatedUnique(error) || isUnavailable(error)
        ? error
        : new OAuthCallbackError('unable_to_link_account', error)
    })
    await reportLink(tx, ctx, owner, { provider, automatic: true })
    return { user: owner, isNew: false, identityId }
  }
  if (config.socialSignUp === 'disabled' || (config.socialSignUp === 'explicit' && !requestSignUp)) {
    throw new OAuthCallbackError('signup_disabled')
  }
  const input = { email, name: nameOf(profile, email), image: pictureOf(profile), now, language: ctx.language.id }
  const emailSource = profile.emailVerified ? 'provider' : 'sign_up'
  const user = await insertUser(tx, { ...newUser({ ...input, emailSource }), emailVerified: profile.emailVerified })
  const identityId = await createIdentity(tx, { ...key, userId: user.id }, storedTokens)
  await record(tx, ctx, { type: 'user.signed_up', actorId: user.id, data: { method: 'provider', provider } })
  if (!user.emailVerified && config.sendsVerificationEmail) {
    await ctx.outbox.enqueue(tx, await verificationMail(ctx, user, { ...ctx, callbackURL: '/verified' }), now)
  }
  return { user, isNew: true, identityId }
}

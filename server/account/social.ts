import { CodeChallengeMethod, OAuth2Client } from 'arctic'
import type { CallbackCode } from '../../shared/errors.ts'
import {
  FullUser,
  isEmail,
  Name,
  nameOfMethod,
  normalizeEmail,
  PictureUrl,
  type ProviderId,
} from '../../shared/account.ts'
import type { Caller, Context } from '../context.ts'
import { isUnavailable, violatedUnique, transaction } from '../foundation/db.ts'
import type { Tx } from '../foundation/db.ts'
import { OAuthCallbackError, refuse } from '../foundation/refusal.ts'
import type { Profile, Registration } from '../foundation/social/provider.ts'
import { providers } from '../foundation/social/providers.ts'
import type { Tokens } from '../foundation/social/tokens.ts'
import { record } from '../event/record.ts'
import type { Addressee } from '../mail/mail.ts'
import { holdSession, lockUser } from '../session/locks.ts'
import { isBanned } from '../session/sessions.ts'
import { composeMail } from '../mail/mail.ts'
import { createIdentity, findIdentity, renewIdentity } from './identities.ts'
import { createState, type SocialState } from './social-state.ts'
import { findHolder, newUser, verifyAddress } from './users.ts'
import { verificationMail } from './verification.ts'

/** What the operator has registered at a provider; undefined where it is off. */
export function registrationOf({ config }: Pick<Context, 'config'>, id: ProviderId): Registration | undefined {
  const settings = config.providers[id]
  if (!settings) return undefined
  const prefix = id.toUpperCase()
  return {
    clientId: settings[`${prefix}_CLIENT_ID`] ?? settings[`${prefix}_CLIENT_KEY`] ?? '',
    clientSecret: settings[`${prefix}_CLIENT_SECRET`] ?? '',
    settings,
  }
}

/** Where every provider sends people back to; registered there to the letter. */
export function redirectUri({ config }: Pick<Context, 'config'>, id: ProviderId): string {
  return `${config.appOrigin}${config.basePath}/callback/${id}`
}

type Options = Omit<SocialState, 'verifier' | 'nonce' | 'scopes'> & { scopes: string[]; loginHint?: string | undefined }

/** The address of the provider's page, with a state that is bound to this browser. */
export async function startAtProvider(ctx: Context, { loginHint, ...wish }: Options): Promise<string> {
  const provider = providers[wish.provider]
  const registration = registrationOf(ctx, wish.provider) ?? refuse('PROVIDER_NOT_FOUND')
  const scopes = [...new Set([...provider.scopes, ...wish.scopes])]
  const { state, verifier, nonce } = await createState(ctx.db, ctx, { ...wish, scopes }).catch((error: unknown) => {
    if (isUnavailable(error)) throw error
    refuse('UNABLE_TO_CREATE_VERIFICATION', { cause: error })
  })
  const client = new OAuth2Client(registration.clientId, null, redirectUri(ctx, wish.provider))
  const page = provider.authorization(registration)
  const url = provider.hasPkce
    ? client.createAuthorizationURLWithPKCE(page, state, CodeChallengeMethod.S256, verifier, scopes)
    : client.createAuthorizationURL(page, state, scopes)
  if (provider.scopeSeparator) url.searchParams.set('scope', scopes.join(provider.scopeSeparator))
  if (provider.clientIdName) {
    url.searchParams.delete('client_id')
    url.searchParams.set(provider.clientIdName, registration.clientId)
  }
  const more = provider.parameters?.({ nonce, language: ctx.language.id }) ?? {}
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)
  if (provider.loginHint && loginHint) url.searchParams.set(provider.loginHint, loginHint)
  return url.href
}

export type Identity = {
  provider: ProviderId
  profile: Profile
  /** None where the browser brought an id_token alone. */
  tokens: Tokens | undefined
  scopes: string[]
  requestSignUp: boolean
}

/**
 * Whose session an identity opens. The identity decides; an address only where both sides have proven it (R28, SEC-13). A
 * sign-up that lost a race against its twin is looked up once more.
 */
export async function findOrMakeUser(
  ctx: Context,
  identity: Identity,
): Promise<{ user: FullUser; isNew: boolean; identityId: string }> {
  const attempt = () => transaction(ctx, (tx) => settle(tx, ctx, identity))
  const { user, ...more } = await untilAlone(attempt, 'unable_to_create_user')
  return { user: FullUser.parse(user), ...more }
}

/** Twins that sign up at once meet at a unique index: the later one looks again and finds the other. */
const mostAttempts = 4

async function untilAlone<Result>(attempt: () => Promise<Result>, failure: CallbackCode): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (violatedUnique(error) && attempts < mostAttempts) continue
      if (error instanceof OAuthCallbackError || isUnavailable(error)) throw error
      throw new OAuthCallbackError(failure, error)
    }
  }
}

async function settle(tx: Tx, ctx: Context, { provider, profile, tokens, scopes, requestSignUp }: Identity) {
  const { now, config } = ctx
  const key = { providerId: provider, accountId: profile.id }
  const kept = { tokens, asked: scopes, keys: ctx.keys.storage, now }
  const email = addressOf(profile)
  const known = await findIdentity(tx, key)
  if (known && isBanned(known.user, now)) throw new OAuthCallbackError('banned')
  if (known) {
    await renewIdentity(tx, known.id, kept)
    const isProof = profile.emailVerified && email === known.user.email
    const isProven = isProof && (await verifyAddress(tx, ctx, { userId: known.userId, email }, 'provider'))
    const user = isProven ? { ...known.user, emailVerified: true } : known.user
    return { user, isNew: false, identityId: known.id }
  }
  if (email === undefined) throw new OAuthCallbackError('email_not_found')
  const holder = await findHolder(tx, email)
  // Locked, and read again: somebody may be making an administrator of the user at this moment.
  const owner = holder && ((await lockUser(tx, holder.id)) ?? undefined)
  if (owner) {
    const isProven = profile.emailVerified || config.trustedProviders.includes(provider)
    // An administrator links a provider while signed in: a provider's word opens no administration (SEC-111).
    const isAdministrator = owner.role === 'admin' || config.adminEmails.includes(owner.email)
    const mayLink = isProven && owner.emailVerified && owner.email === email && !isAdministrator
    if (!mayLink) throw new OAuthCallbackError('account_not_linked')
    if (isBanned(owner, now)) throw new OAuthCallbackError('banned')
    const identityId = await createIdentity(tx, { ...key, userId: owner.id }, kept).catch((error: unknown) => {
      throw violatedUnique(error) || isUnavailable(error)
        ? error
        : new OAuthCallbackError('unable_to_link_account', error)
    })
    await tellOfLink(tx, ctx, owner, { provider, automatic: true })
    return { user: owner, isNew: false, identityId }
  }
  if (config.socialSignUp === 'disabled' || (config.socialSignUp === 'explicit' && !requestSignUp)) {
    throw new OAuthCallbackError('signup_disabled')
  }
  const input = { email, name: nameOf(profile, email), image: pictureOf(profile), now, language: ctx.language.id }
  const emailSource = profile.emailVerified ? 'provider' : 'sign_up'
  const user = await tx.user.create({
    data: { ...newUser({ ...input, emailSource }), emailVerified: profile.emailVerified },
  })
  const identityId = await createIdentity(tx, { ...key, userId: user.id }, kept)
  await record(tx, ctx, { type: 'user.signed_up', actorId: user.id, data: { method: 'provider', provider } })
  if (!user.emailVerified && config.sendsVerificationEmail) {
    await ctx.outbox.enqueue(tx, await verificationMail(ctx, user, { ...ctx, callbackURL: '/verified' }), now)
  }
  return { user, isNew: true, identityId }
}

/** The event of a new way to sign in, and the mail to the owner (SEC-113). */
async function tellOfLink(
  tx: Tx,
  ctx: Context,
  user: Addressee & { id: string },
  { provider, automatic }: { provider: ProviderId; automatic: boolean },
): Promise<void> {
  const values = { provider: nameOfMethod(provider) }
  await ctx.outbox.enqueue(tx, composeMail('accountLinked', user, { ...ctx, values }), ctx.now)
  await record(tx, ctx, { type: 'user.account_linked', actorId: user.id, data: { provider, automatic } })
}

type Link = { caller: Caller; provider: ProviderId; profile: Profile; tokens: Tokens; scopes: string[] }

/** Gives a signed-in user one more way to sign in; one that belongs to somebody else stays theirs. */
export async function linkIdentity(ctx: Context, { caller, provider, profile, tokens, scopes }: Link): Promise<void> {
  const key = { providerId: provider, accountId: profile.id }
  const kept = { tokens, asked: scopes, keys: ctx.keys.storage, now: ctx.now }
  const attempt = () =>
    transaction(ctx, async (tx) => {
      // A session that was ended while the provider was asked links nothing.
      const { session } = caller
      const user = await lockUser(tx, caller.user.id)
      if (!user || !(await holdSession(tx, session.id))) throw new OAuthCallbackError('please_restart_the_process')
      const known = await findIdentity(tx, key)
      if (known && known.userId !== user.id) throw new OAuthCallbackError('account_already_linked_to_different_user')
      if (known) await renewIdentity(tx, known.id, kept)
      else {
        await createIdentity(tx, { ...key, userId: user.id }, kept)
        await tellOfLink(tx, ctx, user, { provider, automatic: false })
      }
    })
  await untilAlone(attempt, 'unable_to_link_account')
}

/** Is this identity linked to this user? What re-authentication at a provider asks. */
export async function isOwnIdentity(
  ctx: Context,
  userId: string,
  { provider, profile }: Pick<Identity, 'provider' | 'profile'>,
) {
  const known = await findIdentity(ctx.db, { providerId: provider, accountId: profile.id })
  return known?.userId === userId
}

/** The address in its one form; one that is none counts as missing. */
export function addressOf({ email }: Profile): string | undefined {
  const normal = normalizeEmail(email ?? '')
  return isEmail(normal) ? normal : undefined
}

/** The provider's name as one of ours, else what stands before the @. */
function nameOf({ name }: Profile, email: string): string {
  const clean = (name ?? '').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ')
  return Name.safeParse([...clean].slice(0, 100).join('')).data ?? email.split('@')[0] ?? email
}

function pictureOf({ image }: Profile): string | undefined {
  const { data } = PictureUrl.safeParse(image)
  return data?.startsWith('https:') ? data : undefined
}

import type { z } from 'zod'
import type { CallbackCode, RefusalKey } from '../../shared/errors.ts'
import type { SignInSocial } from '../../shared/session.ts'
import { emailFromProfile } from '../account/profiles.ts'
import { registrationOf } from '../account/registrations.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { OAuthCallbackError, Refusal, refuse } from '../foundation/refusal.ts'
import { verifyIdToken } from '../foundation/social/id-token.ts'
import type { Profile, Tokens } from '../foundation/social/provider.ts'
import { isVerifiedByMicrosoft, ofClaims, providers } from '../foundation/social/providers.ts'
import type { Context } from '../request/context.ts'
import { findOrCreateUser } from './find-or-create-user.ts'
import { startAtProvider } from './start-at-provider.ts'
import { requireStarted, startSession } from './start-session.ts'

/** Starts a sign-in at a provider, or completes one if the page already has an id_token. */
export async function signInSocial(ctx: Context, input: z.output<typeof SignInSocial>) {
  if (!registrationOf(ctx, input.provider)) refuse('PROVIDER_NOT_FOUND')
  if (input.idToken) return signInByIdToken(ctx, input, input.idToken)
  const url = await startAtProvider(ctx, {
    provider: input.provider,
    callbackURL: input.callbackURL || '/',
    errorURL: input.errorCallbackURL || undefined,
    newUserURL: input.newUserCallbackURL || undefined,
    requestSignUp: input.requestSignUp ?? false,
    scopes: input.scopes ?? [],
    loginHint: input.loginHint,
  })
  return { url, redirect: !input.disableRedirect }
}

type IdToken = NonNullable<z.output<typeof SignInSocial>['idToken']>

/** Applies the same rules and linking as the callback; its error codes are returned as refusals of the same name. */
async function signInByIdToken(
  ctx: Context,
  { provider: id, requestSignUp = false }: z.output<typeof SignInSocial>,
  idToken: IdToken,
) {
  const rule = providers[id].idToken
  const registration = registrationOf(ctx, id)
  if (!registration || !rule?.isAccepted) refuse('ID_TOKEN_NOT_SUPPORTED')
  const claims = await verifyIdToken(rule, registration, { ...idToken, nonce: idToken.nonce, now: ctx.now })
  if (!claims) refuse('SOCIAL_INVALID_TOKEN')
  const profile: Profile = ofClaims(claims)
  if (id === 'microsoft') profile.emailVerified = isVerifiedByMicrosoft(claims)
  // Facebook does not state whether an email address is verified.
  if (id === 'facebook') profile.emailVerified = false
  if (emailFromProfile(profile) === undefined) refuse('USER_EMAIL_NOT_FOUND')
  const tokens = tokensOf(idToken)
  const identity = { provider: id, profile, tokens, scopes: providers[id].scopes, requestSignUp }
  const { user, identityId } = await findOrCreateUser(ctx, identity).catch((error: unknown) => {
    if (error instanceof OAuthCallbackError)
      refuse(refusalOf[error.code] ?? 'SOCIAL_FAILED_TO_GET_USER_INFO', { cause: error })
    throw error
  })
  const options = { method: 'provider', provider: id, basis: { identityId } } as const
  const result = await startSession(ctx, user, options).catch((error: unknown) => {
    throw isUnavailable(error) ? error : new Refusal('UNABLE_TO_CREATE_SESSION', { cause: error })
  })
  const started = requireStarted(result, 'UNABLE_TO_CREATE_SESSION')
  if (started.outcome === 'second_factor') return { twoFactorRedirect: true as const }
  return { redirect: false as const, token: started.session.token, url: null, user }
}

const refusalOf: Partial<Record<CallbackCode, RefusalKey>> = {
  account_not_linked: 'ACCOUNT_NOT_LINKED',
  signup_disabled: 'SIGNUP_DISABLED',
  unable_to_link_account: 'UNABLE_TO_LINK_ACCOUNT',
  unable_to_create_user: 'UNABLE_TO_CREATE_USER',
  banned: 'BANNED_USER',
}

/** Tokens that the page sent with the id_token, for later use on behalf of the user. */
function tokensOf({ accessToken, refreshToken, expiresAt }: IdToken): Tokens | undefined {
  if (!accessToken) return undefined
  // As seconds, a larger value would be after the year 5138, so it must be milliseconds.
  const milliseconds = expiresAt !== undefined && expiresAt < 1e11 ? expiresAt * 1000 : expiresAt
  return {
    accessToken,
    refreshToken: refreshToken || undefined,
    idToken: undefined,
    accessTokenExpiresAt: milliseconds === undefined ? undefined : new Date(milliseconds),
    refreshTokenExpiresAt: undefined,
    scopes: undefined,
    deviceId: undefined,
  }
}

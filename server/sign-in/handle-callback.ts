import { z } from 'zod'
import { type ProviderId, providerIds } from '../../shared/provider.ts'
import { isSafePath, isSafeTarget, withQuery } from '../../shared/redirect.ts'
import { isOwnIdentity, linkIdentity } from '../account/link-identity.ts'
import { redirectUri, registrationOf } from '../account/registrations.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { OAuthCallbackError } from '../foundation/refusal.ts'
import type { Profile, Registration } from '../foundation/social/provider.ts'
import { providers } from '../foundation/social/providers.ts'
import { requestTokens } from '../foundation/social/tokens.ts'
import type { Context } from '../request/context.ts'
import { findOrCreateUser } from './find-or-create-user.ts'
import { type SocialState, consumeState } from './social-states.ts'
import { factorOf, startSession } from './start-session.ts'

/**
 * The parameters a provider sends back (RFC 6749 §4.1.2), with VK's device_id and the user of Apple's first sign-in.
 */
const Callback = z.object({
  code: z.string().min(1).max(4096).optional(),
  state: z.string().max(512).optional(),
  error: z.string().max(512).optional(),
  error_description: z.string().max(4096).optional(),
  device_id: z.string().max(512).optional(),
  user: z.string().max(8192).optional(),
})
type Callback = z.output<typeof Callback>

/** Provider error codes that may be included in our redirect URLs; descriptions are truncated to `maxDescription`. */
const plainError = /^[\w.-]{1,64}$/
const maxDescription = 256

/**
 * GET /callback/{id}: handles the redirect from a provider. Always returns a redirect URL: errors are passed in the
 * query of the error page of the sign-in request, or of the default error page.
 */
export async function handleCallback(ctx: Context, id: string, query: unknown): Promise<string> {
  const errorPage = `${ctx.config.basePath}/error`
  let state: SocialState | undefined
  try {
    const { data: callback } = Callback.safeParse(query)
    if (!callback) throw new OAuthCallbackError('invalid_callback_request')
    if (callback.state !== undefined) state = await consumeState(ctx.db, ctx, callback.state)
    if (callback.error !== undefined) return withQuery(errorUrl(ctx, state) ?? errorPage, providerError(callback))
    if (callback.state === undefined) throw new OAuthCallbackError('state_not_found')
    if (!state) throw new OAuthCallbackError('please_restart_the_process')
    return await finishCallback(ctx, id, { ...callback, state: callback.state }, state)
  } catch (error) {
    const code = error instanceof OAuthCallbackError ? error.code : 'internal_server_error'
    const event = { path: '/callback', provider: id, reason: code, requestId: ctx.requestId, ipAddress: ctx.ipAddress }
    if (code === 'internal_server_error')
      ctx.log.error({ ...event, err: error }, 'provider callback failed unexpectedly')
    else ctx.log.info({ ...event, cause: causeOf(error) }, 'provider callback failed')
    const page = error instanceof StateMismatchError ? errorPage : (errorUrl(ctx, state) ?? errorPage)
    return withQuery(page, { error: code })
  }
}

/** Completes a callback with a valid state. */
async function finishCallback(ctx: Context, id: string, callback: Callback & { state: string }, state: SocialState) {
  if (callback.code === undefined) throw new OAuthCallbackError('no_code')
  const providerId = providerIds.find((known) => known === id)
  const registration = providerId && registrationOf(ctx, providerId)
  if (!providerId || !registration) throw new OAuthCallbackError('oauth_provider_not_found')
  if (state.provider !== providerId) throw new StateMismatchError('please_restart_the_process')
  const bound = state.linkTo ?? state.reauthenticate
  const caller = bound === undefined ? undefined : await ctx.caller()
  const isImpersonated = caller?.session.impersonatedBy !== undefined
  if (bound !== undefined && (caller?.user.id !== bound || isImpersonated)) {
    throw new StateMismatchError('please_restart_the_process')
  }
  const grant = { code: callback.code, state: callback.state, deviceId: callback.device_id }
  const callbackData = { ...grant, appleUser: callback.user, verifier: state.verifier, nonce: state.nonce }
  const { tokens, profile } = await exchangeCode(ctx, providerId, registration, callbackData)
  if (state.callbackURL === undefined) throw new OAuthCallbackError('no_callback_url')
  const target = checked(ctx, state.callbackURL)
  const { scopes } = state
  if (caller && state.linkTo !== undefined) {
    await linkIdentity(ctx, { caller, provider: providerId, profile, tokens, scopes })
    return target
  }
  if (caller) {
    if (!(await isOwnIdentity(ctx, caller.user.id, { provider: providerId, profile }))) {
      throw new OAuthCallbackError('identity_mismatch')
    }
    const { remembered, session } = caller
    const activeOrganizationId = session.activeOrganizationId ?? undefined
    const basis = { sessionId: session.id }
    const inheritedSecondFactor = factorOf(caller)
    const options = { method: 'provider', provider: providerId, remembered, activeOrganizationId, basis } as const
    await start(ctx, caller.user, { ...options, inheritedSecondFactor })
    return target
  }
  const identity = { provider: providerId, profile, tokens, scopes, requestSignUp: state.requestSignUp }
  const { user, isNew, identityId } = await findOrCreateUser(ctx, identity)
  const options = { method: 'provider', provider: providerId, basis: { identityId } } as const
  if (!(await start(ctx, user, options))) return withQuery('/two-factor', { next: target })
  return isNew && state.newUserURL !== undefined ? checked(ctx, state.newUserURL) : target
}

/**
 * Starts the session for the callback. Failures are converted to error codes. False if a second step is required first.
 */
async function start(ctx: Context, ...[user, options]: Tail<Parameters<typeof startSession>>): Promise<boolean> {
  const started = await startSession(ctx, user, options).catch((error: unknown) => {
    throw isUnavailable(error) ? error : new OAuthCallbackError('unable_to_create_session', error)
  })
  if (started.outcome === 'second_factor') return false
  if (started.outcome === 'banned') throw new OAuthCallbackError('banned')
  if (started.outcome !== 'created') throw new OAuthCallbackError('unable_to_create_session')
  return true
}

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never

/**
 * The state belongs to another provider or another user; redirects to the default error page, not the requested one.
 */
class StateMismatchError extends OAuthCallbackError {}

type CallbackGrant = {
  code: string
  state: string
  verifier: string
  nonce: string
  deviceId: string | undefined
  appleUser: string | undefined
}

/** Exchanges the code for tokens and a profile: the only two outgoing requests, made before anything is stored. */
async function exchangeCode(
  ctx: Context,
  id: ProviderId,
  registration: Registration,
  { appleUser, nonce, ...grant }: CallbackGrant,
) {
  const provider = providers[id]
  const grantRequest = { ...grant, redirectUri: redirectUri(ctx, id) }
  const tokens = await requestTokens(provider, registration, grantRequest, ctx.now).catch((error: unknown) => {
    throw new OAuthCallbackError('invalid_code', error)
  })
  const profileRequest = { tokens, registration, appleUser, nonce, now: ctx.now }
  const profile: Profile = await provider.profile(profileRequest).catch((error: unknown) => {
    throw new OAuthCallbackError('unable_to_get_user_info', error)
  })
  return { tokens, profile }
}

/** The provider's own error code and description, as plain text of limited length. */
function providerError({ error = '', error_description: description }: Callback): Record<string, string> {
  return {
    error: plainError.test(error) ? error : 'invalid_callback_request',
    ...(description !== undefined && { error_description: description.slice(0, maxDescription) }),
  }
}

function errorUrl(ctx: Context, state: SocialState | undefined): string | undefined {
  return state?.errorURL === undefined || !isSafeTarget(state.errorURL, ctx.config) ? undefined : state.errorURL
}

/** Redirect targets come only from the stored state, and are validated again when used (SEC-30). */
function checked({ config }: Context, target: string): string {
  return isSafeTarget(target, config) ? target : '/'
}

/** Returns the underlying cause as text for the log; never contains a token. */
function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? cause.message.slice(0, 200) : undefined
}

/** POST /callback/apple: converts the form to a query for the GET, with which the browser sends its cookies. */
export function formAsQuery({ config }: Context, id: string, form: unknown): string {
  const { data } = Callback.safeParse(form)
  const path = `${config.basePath}/callback/${encodeURIComponent(id)}`
  // Invalid values are rejected by the GET, which validates with the same schema.
  const query = data ?? { code: '' }
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return isSafePath(path) ? withQuery(path, Object.fromEntries(present)) : `${config.basePath}/error?error=Unknown`
}

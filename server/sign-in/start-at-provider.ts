import { CodeChallengeMethod, OAuth2Client } from 'arctic'
import { redirectUri, registrationOf } from '../account/registrations.ts'
import { isUnavailable } from '../foundation/database-errors.ts'
import { refuse } from '../foundation/refusal.ts'
import { providers } from '../foundation/social/providers.ts'
import type { Context } from '../request/context.ts'
import { createState, type SocialState } from './social-states.ts'

type Options = Omit<SocialState, 'verifier' | 'nonce' | 'scopes'> & { scopes: string[]; loginHint?: string | undefined }

/** Returns the URL of the provider's sign-in page, with a state bound to this browser. */
export async function startAtProvider(ctx: Context, { loginHint, ...options }: Options): Promise<string> {
  const provider = providers[options.provider]
  const registration = registrationOf(ctx, options.provider) ?? refuse('PROVIDER_NOT_FOUND')
  const scopes = [...new Set([...provider.scopes, ...options.scopes])]
  const { state, verifier, nonce } = await createState(ctx.db, ctx, { ...options, scopes }).catch((error: unknown) => {
    if (isUnavailable(error)) throw error
    refuse('UNABLE_TO_CREATE_VERIFICATION', { cause: error })
  })
  const client = new OAuth2Client(registration.clientId, null, redirectUri(ctx, options.provider))
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

type SendInput = {
  provider: Options['provider']
  callbackURL?: string | undefined
  errorCallbackURL?: string | undefined
  scopes?: string[] | undefined
}

/** The response that sends a signed-in user to a provider, to link its account or to re-authenticate with it. */
export async function sendToProvider(
  ctx: Context,
  { provider, callbackURL, errorCallbackURL, scopes }: SendInput,
  purpose: Pick<Options, 'linkTo' | 'reauthenticate'>,
) {
  const url = await startAtProvider(ctx, {
    provider,
    callbackURL: callbackURL || '/',
    errorURL: errorCallbackURL || undefined,
    scopes: scopes ?? [],
    requestSignUp: false,
    ...purpose,
  })
  return { url, redirect: true }
}

import type { Provider } from 'oidc-provider'
import { withQuery } from '../../shared/redirect.ts'
import { userHasSecondFactor, sessionHasSecondFactor } from '../factor/assurance.ts'
import { findCookie } from '../foundation/cookies.ts'
import type { Context } from '../request/context.ts'
import { acrOf, amrOf } from './claims.ts'
import { issuerOf } from './issuer.ts'

/** Reasons to sign in that require a session newer than the request. */
const reasonsForNewSession = new Set([
  'login_prompt',
  'max_age',
  'id_token_hint',
  'claims_id_token_sub_value',
  'acr_values',
])

/**
 * Continues an application's request in the browser that sent it. Leads to the sign-in page if no user is signed in or
 * a new sign-in is required, to the consent page if consent is missing, and otherwise back to the issuer with the user
 * who is now signed in to Foyer.
 */
export async function continueInteraction(ctx: Context, uid: string): Promise<string> {
  const provider = await issuerOf(ctx).provider()
  const cookie = ctx.config.isHttps ? '__Secure-foyer.interaction' : 'foyer.interaction'
  const isSameBrowser = findCookie(ctx.cookieHeader, cookie) === uid
  const interaction = isSameBrowser ? await provider.Interaction.find(uid) : undefined
  if (!interaction || !(await hasRedirectUri(provider, interaction))) return '/error?error=interaction_expired'
  const { prompt, params } = interaction
  const caller = await ctx.caller()
  if (caller?.session.impersonatedBy !== undefined) return '/error?error=impersonating'
  const language = typeof params['ui_locales'] === 'string' ? { lang: params['ui_locales'].slice(0, 100) } : {}
  if (prompt.name === 'consent' && caller?.session.id === interaction.session?.uid)
    return withQuery(`/consent/${uid}`, language)
  const needsNewSession = prompt.reasons.some((reason) => reasonsForNewSession.has(reason))
  // A different session from the one at the time of the request, and not an older one: the browser may have had no
  // session then, or another user's. Comparing times alone is not enough, because they have a resolution of one second.
  const isNew =
    caller !== undefined &&
    caller.session.id !== interaction.session?.uid &&
    caller.session.createdAt.getTime() >= interaction.iat * 1000
  // Nothing this user can do now would satisfy the request.
  const isUnmet = caller && prompt.reasons.includes('acr_values') && !sessionHasSecondFactor(caller)
  if (isUnmet && (isNew || !(await userHasSecondFactor(ctx.db, caller.user)))) {
    const error = { error: 'unmet_authentication_requirements', error_description: 'no second factor was used' }
    Object.assign(interaction, { session: undefined, result: error })
    await interaction.persist()
    return new URL(interaction.returnTo).pathname
  }
  if (!caller || (needsNewSession && !isNew)) {
    const hint = typeof params['login_hint'] === 'string' ? params['login_hint'].slice(0, 254) : undefined
    return withQuery('/sign-in', {
      next: `/oauth/continue/${uid}`,
      ...(hint !== undefined && { email: hint }),
      ...language,
      ...(needsNewSession && { again: 'true' }),
    })
  }
  // The user or the session has changed since the request: it is evaluated again for the user who is now signed in.
  const login = {
    accountId: caller.user.id,
    ts: Math.floor(caller.session.createdAt.getTime() / 1000),
    amr: amrOf(caller),
    acr: acrOf(caller),
  }
  Object.assign(interaction, { session: undefined, result: { login: { ...login, remember: false } } })
  await interaction.persist()
  return new URL(interaction.returnTo).pathname
}

/**
 * Whether the application still has the redirect URI that its waiting request named. oidc-provider does not ask again.
 */
async function hasRedirectUri(provider: Provider, { params }: { params: Record<string, unknown> }): Promise<boolean> {
  const { client_id: clientId, redirect_uri: uri } = params
  if (typeof uri !== 'string') return true
  return (await provider.Client.find(String(clientId)))?.redirectUriAllowed(uri) ?? false
}

/**
 * Whether oidc-provider can resume an answered request: the user it was answered for must still be signed in, and the
 * application must still have the redirect URI.
 */
export async function canResume(ctx: Context, uid: string): Promise<boolean> {
  const provider = await issuerOf(ctx).provider()
  const interaction = await provider.Interaction.find(uid)
  if (interaction && !(await hasRedirectUri(provider, interaction))) return false
  const cookie = ctx.config.isHttps ? '__Secure-foyer.resume' : 'foyer.resume'
  // oidc-provider requires this cookie, and refuses the request without it.
  if (findCookie(ctx.cookieHeader, cookie) !== uid) return true
  const accountId = interaction?.result?.login?.accountId
  return accountId === undefined || (await ctx.caller())?.user.id === accountId
}

import { withQuery } from '../../shared/redirect.ts'
import { hasFactor, isStrong } from '../factor/two-factors.ts'
import type { Context } from '../request/context.ts'
import { levelOf, methodsOf } from './claims.ts'
import { openIssuer } from './open-issuer.ts'

/** Reasons for a sign-in that the current session does not satisfy: it has to be newer than the request. */
const reasonsForNewSession = new Set([
  'login_prompt',
  'max_age',
  'id_token_hint',
  'claims_id_token_sub_value',
  'acr_values',
])

/**
 * Goes on with a request of an application in the browser that sent it: to the sign-in if nobody is signed in, or somebody has to
 * sign in again; to the question of consent; else back to the issuer, with the user who is signed in at Foyer now.
 */
export async function continueInteraction(ctx: Context, uid: string): Promise<string> {
  const provider = await openIssuer(ctx).provider()
  const cookie = ctx.config.isHttps ? '__Secure-foyer.interaction' : 'foyer.interaction'
  const isSameBrowser = cookieOf(ctx.cookieHeader, cookie) === uid
  const interaction = isSameBrowser ? await provider.Interaction.find(uid) : undefined
  if (!interaction) return '/error?error=interaction_expired'
  const { prompt, params } = interaction
  const caller = await ctx.caller()
  if (caller?.session.impersonatedBy !== undefined) return '/error?error=impersonating'
  if (prompt.name === 'consent' && caller?.session.id === interaction.session?.uid) return `/consent/${uid}`
  const needsNewSession = prompt.reasons.some((reason) => reasonsForNewSession.has(reason))
  // Another session than when the request came, and not an older one: the request may have come from a browser without a session, or
  // with somebody else's. Clocks of one second alone cannot tell.
  const isNew =
    caller !== undefined &&
    caller.session.id !== interaction.session?.uid &&
    caller.session.createdAt.getTime() >= interaction.iat * 1000
  // Nothing that this user could do now would be enough.
  const isUnmet = caller && prompt.reasons.includes('acr_values') && !isStrong(caller)
  if (isUnmet && (isNew || !(await hasFactor(ctx.db, caller.user)))) {
    const error = { error: 'unmet_authentication_requirements', error_description: 'no second factor was used' }
    Object.assign(interaction, { session: undefined, result: error })
    await interaction.persist()
    return new URL(interaction.returnTo).pathname
  }
  if (!caller || (needsNewSession && !isNew)) {
    const hint = typeof params['login_hint'] === 'string' ? params['login_hint'].slice(0, 254) : undefined
    const language = typeof params['ui_locales'] === 'string' ? params['ui_locales'].slice(0, 100) : undefined
    return withQuery('/sign-in', {
      next: `/oauth/continue/${uid}`,
      ...(hint !== undefined && { email: hint }),
      ...(language !== undefined && { lang: language }),
      ...(needsNewSession && { again: 'true' }),
    })
  }
  // Somebody else has signed in since, or this session is new: the request is judged anew, for whoever is signed in now.
  const login = {
    accountId: caller.user.id,
    ts: Math.floor(caller.session.createdAt.getTime() / 1000),
    amr: methodsOf(caller),
    acr: levelOf(caller),
  }
  Object.assign(interaction, { session: undefined, result: { login: { ...login, remember: false } } })
  await interaction.persist()
  return new URL(interaction.returnTo).pathname
}

/** Whether an answered request can go on in the package: whoever it was answered for is still signed in. */
export async function canResume(ctx: Context, uid: string): Promise<boolean> {
  const cookie = ctx.config.isHttps ? '__Secure-foyer.resume' : 'foyer.resume'
  // The package goes by this cookie, and refuses without it.
  if (cookieOf(ctx.cookieHeader, cookie) !== uid) return true
  const provider = await openIssuer(ctx).provider()
  const interaction = await provider.Interaction.find(uid)
  const accountId = interaction?.result?.login?.accountId
  return accountId === undefined || (await ctx.caller())?.user.id === accountId
}

function cookieOf(header: string, name: string): string | undefined {
  const pairs = header.split(/;\s*/)
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

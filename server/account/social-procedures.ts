import { setTimeout as wait } from 'node:timers/promises'
import { LinkSocial, providerIds, RefreshedToken, RefreshToken, type ProviderId } from '../../shared/account.ts'
import { SentToProvider } from '../../shared/session.ts'
import type { Context } from '../context.ts'
import { newId } from '../foundation/crypto.ts'
import { violatedUnique } from '../foundation/db.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Registration } from '../foundation/social/provider.ts'
import { providers } from '../foundation/social/providers.ts'
import { requestTokens } from '../foundation/social/tokens.ts'
import { signedIn } from '../procedure.ts'
import { findOwnIdentity, openAccessToken, openRefreshToken, renewIdentity } from './identities.ts'
import { registrationOf, startAtProvider } from './social.ts'

export const socialProcedures = {
  /** Begins to link a provider to the signed-in user; the state names the user, and the callback asks for the same one. */
  linkSocial: signedIn
    .meta({ rest: 'POST /link-social' })
    .input(LinkSocial)
    .output(SentToProvider)
    .mutation(async ({ ctx, input }) => {
      const url = await startAtProvider(ctx, {
        provider: input.provider,
        callbackURL: input.callbackURL || '/',
        errorURL: input.errorCallbackURL || undefined,
        scopes: input.scopes ?? [],
        requestSignUp: false,
        linkTo: ctx.user.id,
      })
      return { url, redirect: true }
    }),

  /**
   * A new access token by the stored refresh token. Many providers void the old one with its use, so one call at a time asks
   * for one identity, and the others take what it brought.
   */
  refreshToken: signedIn
    .meta({ rest: 'POST /refresh-token' })
    .input(RefreshToken)
    .output(RefreshedToken)
    .mutation(async ({ ctx, input }) => {
      const { providerId } = input
      const wish = { ...input, userId: ctx.user.id }
      const identity = (await findOwnIdentity(ctx.db, wish)) ?? refuse('ACCOUNT_NOT_FOUND')
      const id = providerIds.find((known) => known === providerId)
      const registration = id && registrationOf(ctx, id)
      if (!id || !registration) refuse('PROVIDER_ID_NOT_FOUND', { id: providerId })
      if (!providers[id].refreshes) refuse('PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING', { id })
      for (;;) {
        const hasTurn = await takeTurn(ctx, identity.id)
        const now = await findOwnIdentity(ctx.db, { ...wish, accountId: identity.id })
        try {
          // Whoever had the turn before has brought what is asked for.
          if (now?.accessToken !== identity.accessToken) return answerOf(ctx, now)
          if (hasTurn) return answerOf(ctx, await renew(ctx, id, registration, now))
        } finally {
          if (hasTurn) await ctx.db.verification.deleteMany({ where: { identifier: turnOf(identity.id) } })
        }
      }
    }),
}

type Stored = NonNullable<Awaited<ReturnType<typeof findOwnIdentity>>>

/** Asks the provider, stores what it sends, and answers the row as it is then. */
async function renew(ctx: Context, id: ProviderId, registration: Registration, identity: Stored) {
  const stored = openRefreshToken(identity, ctx.keys.storage)
  if (!stored) refuse('FAILED_TO_REFRESH_ACCESS_TOKEN')
  const asked = identity.scope?.split(',') ?? []
  const grant = { refreshToken: stored.refreshToken, deviceId: stored.deviceId, scopes: asked }
  const tokens = await requestTokens(providers[id], registration, grant, ctx.now).catch((error: unknown) =>
    refuse('FAILED_TO_REFRESH_ACCESS_TOKEN', { cause: error }),
  )
  await renewIdentity(ctx.db, identity.id, { tokens, asked, key: ctx.keys.storage, now: ctx.now })
  return findOwnIdentity(ctx.db, { ...identity, accountId: identity.id })
}

/** What is stored, opened for its owner. */
function answerOf({ keys }: Context, renewed: Stored | null | undefined) {
  if (!renewed) refuse('ACCOUNT_NOT_FOUND')
  const accessToken = openAccessToken(renewed, keys.storage) ?? refuse('FAILED_TO_REFRESH_ACCESS_TOKEN')
  return {
    accessToken,
    tokenType: 'Bearer' as const,
    scopes: renewed.scope?.split(',').filter((name) => name !== '') ?? [],
    ...defined('refreshToken', openRefreshToken(renewed, keys.storage)?.refreshToken),
    ...defined('accessTokenExpiresAt', renewed.accessTokenExpiresAt),
    ...defined('refreshTokenExpiresAt', renewed.refreshTokenExpiresAt),
  }
}

/** Longer than a provider may take for its answer. */
const turnSeconds = 15
const lookMs = 100

const turnOf = (accountId: string) => `refreshing:${accountId}`

/** True for whoever may ask the provider now; false, after a wait, for those who came while another was asking. */
async function takeTurn({ db, clock }: Context, accountId: string): Promise<boolean> {
  const now = clock()
  const identifier = turnOf(accountId)
  await db.verification.deleteMany({ where: { identifier, expiresAt: { lte: now } } })
  const expiresAt = new Date(now.getTime() + turnSeconds * 1000)
  try {
    await db.verification.create({ data: { id: newId(), identifier, value: '', expiresAt, createdAt: now } })
    return true
  } catch (error) {
    if (!violatedUnique(error)) throw error
  }
  for (let looks = 0; looks < (turnSeconds * 1000) / lookMs; looks++) {
    await wait(lookMs)
    if (!(await db.verification.findUnique({ where: { identifier } }))) break
  }
  return false
}

function defined<Name extends string, Value>(name: Name, value: Value | null | undefined) {
  return value === null || value === undefined ? {} : { [name]: value }
}

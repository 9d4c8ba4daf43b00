import type { z } from 'zod'
import type { RefreshToken } from '../../shared/account.ts'
import { type ProviderId, providerIds } from '../../shared/provider.ts'
import { isMissingReference } from '../foundation/database-errors.ts'
import { releaseLease, isLeased, poll, acquireLease } from '../foundation/leases.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Registration } from '../foundation/social/provider.ts'
import { providers } from '../foundation/social/providers.ts'
import { requestTokens } from '../foundation/social/tokens.ts'
import { secondsBefore } from '../foundation/time.ts'
import type { Context, CallerContext } from '../request/context.ts'
import {
  findOwnIdentity,
  decryptAccessToken,
  decryptRefreshToken,
  updateIdentityTokens,
  scopesOf,
} from './identities.ts'
import { registrationOf } from './registrations.ts'

/**
 * Gets a new access token with the stored refresh token. Many providers invalidate a refresh token once it is used, so
 * only one request at a time calls the provider for an identity; concurrent requests reuse its result.
 */
export async function refreshToken(ctx: CallerContext, input: z.output<typeof RefreshToken>) {
  const { providerId } = input
  const wanted = { ...input, userId: ctx.user.id }
  const identity = (await findOwnIdentity(ctx.db, wanted)) ?? refuse('ACCOUNT_NOT_FOUND')
  const id = providerIds.find((known) => known === providerId)
  const registration = id && registrationOf(ctx, id)
  if (!id || !registration) refuse('PROVIDER_ID_NOT_FOUND', { id: providerId })
  if (!providers[id].refreshes) refuse('PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING', { id })
  const lease = { key: `refreshing:${identity.id}`, seconds: leaseSeconds, clock: ctx.clock }
  const begun = ctx.clock()
  const own = await acquireLease(ctx.db, lease)
  try {
    // If the lease is held, the request that holds it gets the token for this one too.
    const isFree = async () => ((await isLeased(ctx.db, lease.key, ctx.clock())) ? undefined : true)
    if (own === undefined) await poll(isFree, leaseSeconds)
    const current = await findOwnIdentity(ctx.db, { ...wanted, accountId: identity.id })
    // An earlier request has already stored a new token, or found that the provider does not issue one. The awaited
    // request may itself have reused a token stored by an earlier one.
    const isNew = current?.accessToken !== identity.accessToken
    const isRecent =
      current !== null && current !== undefined && current.updatedAt >= secondsBefore(begun, leaseSeconds)
    if (isNew || (own === undefined && isRecent)) return toRefreshedToken(ctx, current)
    if (own === undefined) return refuse('FAILED_TO_REFRESH_ACCESS_TOKEN')
    return toRefreshedToken(ctx, await renew(ctx, id, registration, current))
  } finally {
    if (own !== undefined) await releaseLease(ctx.db, own)
  }
}

/** Longer than the timeout for a provider's response. */
const leaseSeconds = 15

type Stored = NonNullable<Awaited<ReturnType<typeof findOwnIdentity>>>

/** Requests new tokens from the provider, stores them, and returns the updated row. */
async function renew(ctx: Context, id: ProviderId, registration: Registration, identity: Stored) {
  const stored = decryptRefreshToken(identity, ctx.keys.storage)
  if (!stored) refuse('FAILED_TO_REFRESH_ACCESS_TOKEN')
  // A response may omit scopes that were granted, such as offline_access; the next request includes them anyway.
  const requestedScopes = [...new Set([...providers[id].scopes, ...scopesOf(identity)])]
  const grant = { refreshToken: stored.refreshToken, deviceId: stored.deviceId, scopes: requestedScopes }
  const tokens = await requestTokens(providers[id], registration, grant, ctx.now).catch((error: unknown) =>
    refuse('FAILED_TO_REFRESH_ACCESS_TOKEN', { cause: error }),
  )
  const storedTokens = { tokens, requestedScopes: scopesOf(identity), keys: ctx.keys.storage, now: ctx.clock() }
  await updateIdentityTokens(ctx.db, identity.id, storedTokens).catch((error: unknown) => {
    if (isMissingReference(error)) refuse('ACCOUNT_NOT_FOUND')
    throw error
  })
  return findOwnIdentity(ctx.db, { ...identity, accountId: identity.id })
}

/** Returns the stored tokens, decrypted for their owner. */
function toRefreshedToken({ keys }: Context, renewed: Stored | null | undefined) {
  if (!renewed) refuse('ACCOUNT_NOT_FOUND')
  const accessToken = decryptAccessToken(renewed, keys.storage) ?? refuse('FAILED_TO_REFRESH_ACCESS_TOKEN')
  return {
    accessToken,
    tokenType: 'Bearer' as const,
    scopes: scopesOf(renewed),
    ...defined('refreshToken', decryptRefreshToken(renewed, keys.storage)?.refreshToken),
    ...defined('accessTokenExpiresAt', renewed.accessTokenExpiresAt),
    ...defined('refreshTokenExpiresAt', renewed.refreshTokenExpiresAt),
  }
}

function defined<Name extends string, Value>(name: Name, value: Value | null | undefined) {
  return value === null || value === undefined ? {} : { [name]: value }
}

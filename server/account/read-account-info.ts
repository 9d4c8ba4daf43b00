import type { z } from 'zod'
import type { AccountInfo, AccountReference } from '../../shared/account.ts'
import { providerIds } from '../../shared/provider.ts'
import { refuse } from '../foundation/refusal.ts'
import { providers } from '../foundation/social/providers.ts'
import type { CallerContext } from '../request/context.ts'
import { findLinkedIdentity } from './identities.ts'
import { readProviderAccessToken } from './read-access-token.ts'
import { registrationOf } from './registrations.ts'

/**
 * Asks the provider of a linked identity for the user's current profile, with the stored access token. Apple, Google,
 * Microsoft and Twitch give a profile only with a sign-in.
 */
export async function readAccountInfo(
  ctx: CallerContext,
  { accountId }: z.output<typeof AccountReference>,
): Promise<z.output<typeof AccountInfo>> {
  const identity = (await findLinkedIdentity(ctx.db, { userId: ctx.user.id, accountId })) ?? refuse('ACCOUNT_NOT_FOUND')
  const providerId = providerIds.find((known) => known === identity.providerId)
  const registration = providerId && registrationOf(ctx, providerId)
  if (!providerId || !registration) refuse('PROVIDER_ID_NOT_FOUND', { id: identity.providerId })
  const { accessToken } = await readProviderAccessToken(ctx, { providerId, accountId: identity.id })
  const request = { tokens: tokensWith(accessToken), registration, appleUser: undefined, nonce: '', now: ctx.now }
  const profile = await providers[providerId]
    .profile(request)
    .catch((error: unknown) => refuse('FAILED_TO_GET_USER_INFO', { cause: error }))
  // The token may be that of another user of the provider.
  if (profile.id !== identity.accountId) refuse('FAILED_TO_GET_USER_INFO')
  const { id, name = null, email = null, image = null, emailVerified } = profile
  const user = { id, name, email, image, emailVerified }
  return { user, data: user }
}

function tokensWith(accessToken: string) {
  return {
    accessToken,
    refreshToken: undefined,
    idToken: undefined,
    accessTokenExpiresAt: undefined,
    refreshTokenExpiresAt: undefined,
    scopes: undefined,
    deviceId: undefined,
  }
}

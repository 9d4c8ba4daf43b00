import type { z } from 'zod'
import { RefreshedToken, type RefreshToken } from '../../shared/account.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { findOwnIdentity, decryptAccessToken, scopesOf } from './identities.ts'
import { refreshToken } from './refresh-token.ts'

/** A token that expires within this many milliseconds is renewed first. */
const soonMs = 5_000

/** Returns the provider's access token of a linked identity, renewed if it has expired. */
export async function readProviderAccessToken(ctx: CallerContext, input: z.output<typeof RefreshToken>) {
  const identity = (await findOwnIdentity(ctx.db, { ...input, userId: ctx.user.id })) ?? refuse('ACCOUNT_NOT_FOUND')
  const { accessTokenExpiresAt: until } = identity
  const isExpired = until !== null && until.getTime() - ctx.now.getTime() < soonMs
  if (isExpired && identity.refreshToken !== null) {
    const { accessToken, scopes, ...renewed } = RefreshedToken.parse(await refreshToken(ctx, input))
    return { accessToken, scopes, accessTokenExpiresAt: renewed.accessTokenExpiresAt ?? null }
  }
  const accessToken = decryptAccessToken(identity, ctx.keys.storage) ?? refuse('FAILED_TO_REFRESH_ACCESS_TOKEN')
  const scopes = scopesOf(identity)
  return { accessToken, scopes, accessTokenExpiresAt: until }
}

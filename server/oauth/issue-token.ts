import type { z } from 'zod'
import type { IssueToken } from '../../shared/token.ts'
import { newId } from '../foundation/crypto.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { signToken } from '../token/access-tokens.ts'
import { findClaims } from './claims.ts'

/** Issues a token about the caller, which a back end verifies with the key set, without a request to Foyer. */
export async function issueToken(ctx: CallerContext, { audience = ctx.config.appOrigin }: z.output<typeof IssueToken>) {
  const { appOrigin: issuer, tokenAudiences, tokenLifetimeSeconds: lifetimeSeconds } = ctx.config
  if (typeof audience !== 'string' || ![issuer, ...tokenAudiences].includes(audience)) refuse('INVALID_AUDIENCE')
  const { impersonatedBy } = ctx.session
  const claims = {
    iss: issuer,
    aud: audience,
    sub: ctx.user.id,
    ...(await findClaims(ctx, ctx)),
    // The administrator who acts as the user (RFC 8693, 4.1).
    ...(impersonatedBy !== undefined && { act: { sub: impersonatedBy } }),
    jti: newId(),
  }
  return { token: await signToken(ctx.signingKeys, claims, { now: ctx.now, lifetimeSeconds, type: 'JWT' }) }
}

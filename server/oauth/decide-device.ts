import type { z } from 'zod'
import type { DecideDevice, UserCode } from '../../shared/oauth.ts'
import { assuranceLevels, sessionHasSecondFactor } from '../factor/assurance.ts'
import { isRecord } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { acrOf, amrOf } from './claims.ts'
import {
  describeRequest,
  requestedResources,
  requestedScopes,
  requireApplication,
  requireGrantOwner,
} from './decide-consent.ts'
import { allowAccess } from './grant-access.ts'
import { issuerOf } from './issuer.ts'

/** A device's request that waits for an answer (RFC 8628, 3.3). */
async function findRequest(ctx: CallerContext, typed: string) {
  const provider = await issuerOf(ctx).provider()
  const code = await provider.DeviceCode.findByUserCode(typed.toUpperCase().replace(/[^A-Z0-9]/g, ''))
  if (!code || !code.isValid || code.accountId !== undefined || code.error !== undefined) refuse('USER_CODE_NOT_FOUND')
  const params = isRecord(code.params) ? code.params : {}
  return {
    provider,
    code,
    params,
    scopes: requestedScopes(params),
  }
}

/** Returns the program and the permissions that it asks for. Grants nothing. */
export async function readDevice(ctx: CallerContext, { userCode }: z.output<typeof UserCode>) {
  const { code, params } = await findRequest(ctx, userCode)
  const app = await requireApplication(ctx, code.clientId ?? '')
  return { app, ...(await describeRequest(ctx, params)), email: ctx.user.email }
}

const levelsOf = (params: Record<string, unknown>) => String(params['acr_values'] ?? '').split(' ')

/**
 * Refuses a request that requires a stronger or newer sign-in than the session's (RFC 9470; OpenID Connect Core 1.0,
 * 3.1.2.1).
 */
function refuseTooWeak(ctx: CallerContext, params: Record<string, unknown>, requestedAt: number): void {
  const levels = levelsOf(params)
  const { one, two } = assuranceLevels
  if (levels.includes(two) && !levels.includes(one) && !sessionHasSecondFactor(ctx)) refuse('SECOND_FACTOR_REQUIRED')
  const maxAgeMs = Number(params['max_age'] ?? Infinity) * 1000
  const signedInAt = ctx.session.createdAt.getTime()
  // oidc-provider converts `max_age=0` to `prompt=login`.
  const isBefore =
    String(params['prompt'] ?? '')
      .split(' ')
      .includes('login') && signedInAt < requestedAt
  if (isBefore || ctx.now.getTime() - signedInAt > maxAgeMs) refuse('SESSION_IS_NOT_FRESH')
}

/** Answers a device's request. The device reads the answer when it polls next. */
export async function decideDevice(
  ctx: CallerContext,
  { userCode, isAllowed, email = ctx.user.email }: z.output<typeof DecideDevice>,
) {
  if (email !== ctx.user.email) refuse('INTERACTION_EXPIRED')
  const { provider, code, params, scopes } = await findRequest(ctx, userCode)
  if (isAllowed) {
    refuseTooWeak(ctx, params, code.iat * 1000)
    const clientId = code.clientId ?? ''
    const owner = await requireGrantOwner(ctx, { clientId, organization: params['organization'] })
    const resources = requestedResources(params)
    const grant = await allowAccess(ctx, provider, { owner, wanted: { scopes, resources, redirectUri: undefined } })
    Object.assign(code, {
      accountId: ctx.user.id,
      authTime: Math.floor(ctx.session.createdAt.getTime() / 1000),
      amr: amrOf(ctx),
      acr: acrOf(ctx),
      // The level is returned if one was requested, as in the code flow.
      ...(params['acr_values'] !== undefined && { claims: { id_token: { acr: { values: levelsOf(params) } } } }),
      grantId: grant.jti,
      sessionUid: ctx.session.id,
      sid: ctx.session.id,
      scope: scopes.join(' '),
      ...(resources.length > 0 && { resource: resources.length === 1 ? resources[0] : resources }),
    })
  } else {
    Object.assign(code, { error: 'access_denied', errorDescription: 'The user has denied the request' })
  }
  await code.save().catch((error: unknown) => {
    throw isRecord(error) && error['error'] === 'invalid_grant' ? refuse('USER_CODE_NOT_FOUND') : error
  })
  return { status: true as const }
}

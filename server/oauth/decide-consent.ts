import type { z } from 'zod'
import type { ConsentRequest, DecideConsent, InteractionId } from '../../shared/oauth.ts'
import { grantScopes } from '../../shared/oauth.ts'
import { sessionHasSecondFactor } from '../factor/assurance.ts'
import { refuse } from '../foundation/refusal.ts'
import { findOrganization } from '../organization/organizations.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { findClient } from './clients.ts'
import { allowAccess, chosenOrganization } from './grant-access.ts'
import { issuerOf } from './issuer.ts'

/** The pending request of an application, if it waits for the answer of this user in this session. */
async function findInteraction(ctx: CallerContext, uid: string) {
  const provider = await issuerOf(ctx).provider()
  const interaction = await provider.Interaction.find(uid)
  const isOwn = interaction?.prompt.name === 'consent' && interaction.session?.uid === ctx.session.id
  if (!interaction || !isOwn || interaction.result) refuse('INTERACTION_EXPIRED')
  return { provider, interaction }
}

/** Returns the application that asks for consent, and the permissions it asks for. */
export async function readConsent(
  ctx: CallerContext,
  { uid }: z.output<typeof InteractionId>,
): Promise<z.output<typeof ConsentRequest>> {
  const { interaction } = await findInteraction(ctx, uid)
  const app = await requireApplication(ctx, String(interaction.params['client_id']))
  return { app, ...(await describeRequest(ctx, interaction.params)), email: ctx.user.email }
}

/** The scopes that a request names. */
export function requestedScopes(params: Record<string, unknown>): string[] {
  return String(params['scope'] ?? '')
    .split(' ')
    .filter((scope) => scope !== '')
}

/** The APIs that a request names, each of them once (RFC 8707). */
export function requestedResources(params: Record<string, unknown>): string[] {
  return [...new Set([params['resource'] ?? []].flat().map(String))]
}

/** The content of a request, as shown to its user. */
export async function describeRequest(ctx: CallerContext, params: Record<string, unknown>) {
  const asked = new Set(requestedScopes(params))
  const organizationId = await chosenOrganization(ctx, params['organization'], ctx.user.id)
  const named = organizationId ? await findOrganization(ctx.db, organizationId) : null
  return {
    scopes: grantScopes.filter((scope) => asked.has(scope)),
    resources: requestedResources(params),
    organization: named?.name ?? null,
  }
}

/** An application as shown to its users. */
export async function requireApplication({ db }: Context, clientId: string) {
  const found = (await findClient(db, clientId)) ?? refuse('INTERACTION_EXPIRED')
  return {
    name: String(found['client_name']),
    logo: typeof found['logo_uri'] === 'string' ? found['logo_uri'] : null,
    isFirstParty: found['first_party'] === true,
  }
}

/**
 * Whose grant an answer makes: that of the caller, for the organization that the application has named or the caller
 * has chosen. The application may have been deleted while its user was asked.
 */
export async function requireGrantOwner(
  ctx: CallerContext,
  { clientId, organization }: { clientId: string; organization: unknown },
) {
  await requireApplication(ctx, clientId)
  const organizationId = await chosenOrganization(ctx, organization, ctx.user.id)
  if (organizationId === undefined) refuse('YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION')
  return {
    userId: ctx.user.id,
    sessionId: ctx.session.id,
    clientId,
    organizationId,
    createdWithSecondFactor: sessionHasSecondFactor(ctx),
  }
}

/** Answers an application's request. Returns the URL at which it continues. */
export async function decideConsent(ctx: CallerContext, { uid, isAllowed }: z.output<typeof DecideConsent>) {
  const { provider, interaction } = await findInteraction(ctx, uid)
  if (isAllowed) {
    const { params, grantId, lastSubmission } = interaction
    const clientId = String(params['client_id'])
    const owner = await requireGrantOwner(ctx, { clientId, organization: params['organization'] })
    const grant = grantId === undefined ? undefined : await provider.Grant.find(grantId)
    const made = await allowAccess(ctx, provider, {
      grant,
      owner,
      wanted: {
        scopes: requestedScopes(params),
        resources: requestedResources(params),
        redirectUri: typeof params['redirect_uri'] === 'string' ? params['redirect_uri'] : undefined,
      },
    })
    interaction.result = { ...lastSubmission, consent: { grantId: made.jti } }
  } else {
    interaction.result = { error: 'access_denied', error_description: 'The user has denied the request' }
  }
  await interaction.persist()
  return { url: interaction.returnTo }
}

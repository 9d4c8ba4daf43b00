import type { z } from 'zod'
import type { CreateOrganization } from '../../shared/organization.ts'
import { eventParameters, type NewEvent } from '../event/event-rows.ts'
import { logEvent } from '../event/record.ts'
import { checkPictureUrl } from '../foundation/pictures.ts'
import { refuse } from '../foundation/refusal.ts'
import type { CallerContext } from '../request/context.ts'
import { insertOrganization } from './organizations.ts'
import { refuseTakenSlug } from './refusals.ts'

/** Creates an organization with its first team. The caller becomes its owner; a userId in the body is ignored (SEC-41). */
export async function createOrganization(
  ctx: CallerContext,
  { keepCurrentActiveOrganization, ...input }: z.output<typeof CreateOrganization>,
) {
  const { config, now, user, session } = ctx
  checkPictureUrl(input.logo, config.appOrigin)
  const event = (organizationId: string): NewEvent => {
    const data = { name: input.name, slug: input.slug }
    return { type: 'organization.created', actorId: user.id, organizationId, data }
  }
  const created = await insertOrganization(
    ctx.pool,
    {
      ...input,
      logo: input.logo ?? null,
      metadata: input.metadata ?? null,
      userId: user.id,
      sessionId: keepCurrentActiveOrganization ? null : session.id,
      limit: config.organizationLimit,
      now,
    },
    (id) => eventParameters(ctx, event(id)),
  ).catch(refuseTakenSlug)
  if (!created) refuse('YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS')
  const { organization, owner } = created
  logEvent(ctx, event(organization.id))
  if (!keepCurrentActiveOrganization) await ctx.renewCookies({ session: { activeOrganizationId: organization.id } })
  return { ...organization, members: [owner] }
}

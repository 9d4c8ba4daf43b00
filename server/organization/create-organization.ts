import type { z } from 'zod'
import type { CreateOrganization } from '../../shared/organization.ts'
import { eventParameters, type NewEvent } from '../event/event-rows.ts'
import { logEvent } from '../event/record.ts'
import { newId } from '../foundation/crypto.ts'
import { checkPictureUrl } from '../foundation/pictures.ts'
import { refuse } from '../foundation/refusal.ts'
import { pgTransaction } from '../foundation/transactions.ts'
import type { CallerContext } from '../request/context.ts'
import { lockUserRow } from '../session/locks.ts'
import { insertOrganization } from './organizations.ts'
import { refuseTakenSlug } from './refusals.ts'

/** The count needs no lock this far below the limit: exceeding it would take this many concurrent creations. */
const unlockedMargin = 50

/**
 * Creates an organization with its first team. The caller becomes its owner; a userId in the body is ignored (SEC-41).
 */
export async function createOrganization(
  ctx: CallerContext,
  { keepCurrentActiveOrganization, name, slug, logo = null, metadata = null }: z.output<typeof CreateOrganization>,
) {
  const { config, now, pool, user, session } = ctx
  checkPictureUrl(logo, config.appOrigin)
  const id = newId()
  const organization = { id, name, slug, logo, metadata, createdAt: now }
  const owner = { id: newId(), organizationId: id, userId: user.id, role: 'owner', teamId: newId(), createdAt: now }
  const event: NewEvent = { type: 'organization.created', actorId: user.id, organizationId: id, data: { name, slug } }
  const row = {
    organization,
    owner,
    sessionId: keepCurrentActiveOrganization ? null : session.id,
    event: eventParameters(ctx, event),
  }
  const create = async () =>
    (await insertOrganization(pool, { ...row, max: config.organizationLimit - unlockedMargin })) ||
    pgTransaction(pool, async (sql) => {
      if (!(await lockUserRow(sql, user.id))) refuse('UNAUTHORIZED')
      return insertOrganization(sql, { ...row, max: config.organizationLimit })
    })
  if (!(await create().catch(refuseTakenSlug))) refuse('YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS')
  logEvent(ctx, event)
  if (!keepCurrentActiveOrganization) await ctx.renewCookies({ session: { activeOrganizationId: id } })
  return { ...organization, members: [owner] }
}

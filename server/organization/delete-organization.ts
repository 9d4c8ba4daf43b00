import type { z } from 'zod'
import { Organization, type OrganizationNamed } from '../../shared/organization.ts'
import { record } from '../event/record.ts'
import { transaction } from '../foundation/transactions.ts'
import { refuseOngoingSubscriptions } from '../subscription/ongoing-subscriptions.ts'
import { type MemberContext, refuseGuardedDeparture, underLock } from './guard.ts'
import { clearActiveOrganization } from './notify-member.ts'
import { removeOrganization } from './organizations.ts'
import { deletion } from './refusals.ts'

/** Deletes the organization and all its data, for all members. */
export async function deleteOrganization(ctx: MemberContext, { organizationId }: z.output<typeof OrganizationNamed>) {
  const deleted = await transaction(ctx, async (tx) => {
    await underLock(tx, ctx.member, ['organization', 'delete'], deletion)
    await refuseGuardedDeparture(tx, ctx, organizationId)
    await refuseOngoingSubscriptions(tx, { organizationIds: [organizationId] })
    const { name, slug, ...row } = await removeOrganization(tx, organizationId)
    const event = { actorId: ctx.user.id, subjectId: null, organizationId, data: { name, slug } }
    await record(tx, ctx, { type: 'organization.deleted', ...event })
    return { name, slug, ...row }
  })
  await clearActiveOrganization(ctx, organizationId)
  return Organization.parse(deleted)
}

import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { lockOrganization, removeOrganization } from '../organization/organizations.ts'
import { refuseOngoingSubscriptions } from '../subscription/ongoing-subscriptions.ts'
import { lockCallingAdministrator } from './lock.ts'
import type { CallerContext } from '../request/context.ts'

/** Deletes an organization for all its members. Refused while it has a subscription that is still being paid for. */
export async function deleteOrganization(ctx: CallerContext, organizationId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockCallingAdministrator(tx, ctx)
    // Locked before its dependents are checked.
    if (!(await lockOrganization(tx, organizationId))) refuse('ORGANIZATION_NOT_FOUND')
    await refuseOngoingSubscriptions(tx, { organizationIds: [organizationId] })
    const { name, slug } = await removeOrganization(tx, organizationId)
    const event = { actorId: ctx.user.id, subjectId: null, organizationId, data: { name, slug } }
    await record(tx, ctx, { type: 'organization.deleted', ...event })
  })
}

import type { z } from 'zod'
import { Organization, type OrganizationReference } from '../../shared/organization.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import { refuseOngoingSubscriptions } from '../purchase/ongoing-subscriptions.ts'
import type { CallerContext } from '../request/context.ts'
import { clearActiveOrganizationCookie } from './clear-active-organization.ts'
import { removeOrganization } from './organizations.ts'
import { organizationRefusals } from './refusals.ts'
import { type MemberContext, requireSecondFactorToLeave, requirePermissionUnderLock } from './require-member.ts'

/** Deletes the organization and all its data, for all members. */
export async function deleteOrganization(
  ctx: MemberContext,
  { organizationId }: z.output<typeof OrganizationReference>,
) {
  const deleted = await transaction(ctx, async (tx) => {
    await requirePermissionUnderLock(tx, ctx.member, ['organization', 'delete'], organizationRefusals.delete)
    await requireSecondFactorToLeave(tx, ctx, organizationId)
    return deleteLocked(tx, ctx, organizationId)
  })
  await clearActiveOrganizationCookie(ctx, organizationId)
  return Organization.parse(deleted)
}

/** Deletes an organization whose row is locked. Refused while it has a subscription that is still being paid for. */
export async function deleteLocked(tx: Tx, ctx: CallerContext, organizationId: string) {
  await refuseOngoingSubscriptions(tx, { organizationIds: [organizationId] })
  const row = await removeOrganization(tx, organizationId)
  const data = { name: row.name, slug: row.slug }
  const about = { actorId: ctx.user.id, subjectId: null, organizationId }
  await record(tx, ctx, { type: 'organization.deleted', ...about, data })
  return row
}

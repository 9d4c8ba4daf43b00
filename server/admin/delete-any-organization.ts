import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { deleteLocked } from '../organization/delete-organization.ts'
import { lockOrganization } from '../organization/organizations.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndCaller } from './lock.ts'

/** Deletes an organization for all its members. Refused while it has a subscription that is still being paid for. */
export async function deleteAnyOrganization(ctx: CallerContext, organizationId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    // Locked before its dependents are checked.
    if (!(await lockOrganization(tx, organizationId))) refuse('ORGANIZATION_NOT_FOUND')
    await deleteLocked(tx, ctx, organizationId)
  })
}

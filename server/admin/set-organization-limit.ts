import type { z } from 'zod'
import type { SetOrganizationLimit } from '../../shared/installation.ts'
import { record } from '../event/record.ts'
import { changedFields } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { lockOrganization, patchOrganization, readOrganization } from '../organization/organizations.ts'
import type { CallerContext } from '../request/context.ts'
import { lockAdministratorsAndCaller } from './lock.ts'

/** Sets the maximum number of members of an organization. Existing members stay, even if there are more. */
export async function setOrganizationLimit(
  ctx: CallerContext,
  { organizationId, membershipLimit }: z.output<typeof SetOrganizationLimit>,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAdministratorsAndCaller(tx, ctx)
    if (!(await lockOrganization(tx, organizationId))) refuse('ORGANIZATION_NOT_FOUND')
    const former = await readOrganization(tx, organizationId)
    const data = {
      fields: changedFields(
        ['membershipLimit'],
        former,
        await patchOrganization(tx, organizationId, { membershipLimit }),
      ),
    }
    await record(tx, ctx, { type: 'organization.updated', actorId: ctx.user.id, organizationId, data })
  })
}

import type { z } from 'zod'
import { Organization, type UpdateOrganization } from '../../shared/organization.ts'
import { record } from '../event/record.ts'
import { checkPictureUrl } from '../foundation/pictures.ts'
import { changedFields } from '../foundation/records.ts'
import { transaction } from '../foundation/transactions.ts'
import { patchOrganization, readOrganization } from './organizations.ts'
import { organizationRefusals, refuseTakenSlug } from './refusals.ts'
import { type MemberContext, requirePermissionUnderLock } from './require-member.ts'

const updatedFields = ['name', 'slug', 'logo', 'metadata'] as const

/** Updates the given fields: name, slug, logo and metadata. The event names those that have changed. */
export async function updateOrganization(ctx: MemberContext, { data }: z.output<typeof UpdateOrganization>) {
  checkPictureUrl(data.logo, ctx.config.appOrigin)
  const { organizationId } = ctx.member
  const updated = await transaction(ctx, async (tx) => {
    await requirePermissionUnderLock(tx, ctx.member, ['organization', 'update'], organizationRefusals.update)
    const former = await readOrganization(tx, organizationId)
    const organization = await patchOrganization(tx, organizationId, data)
    const fields = changedFields(updatedFields, former, organization)
    const event = { actorId: ctx.user.id, subjectId: null, organizationId, data: { fields } }
    await record(tx, ctx, { type: 'organization.updated', ...event })
    return organization
  }).catch(refuseTakenSlug)
  return Organization.parse(updated)
}

import type { z } from 'zod'
import { Organization, type UpdateOrganization } from '../../shared/organization.ts'
import { record } from '../event/record.ts'
import { checkPictureUrl } from '../foundation/pictures.ts'
import { transaction } from '../foundation/transactions.ts'
import { patchOrganization } from './organizations.ts'
import { refuseTakenSlug, updateRefusals } from './refusals.ts'
import { type MemberContext, requirePermissionUnderLock } from './require-member.ts'

/** Updates the given fields: name, slug, logo and metadata. */
export async function updateOrganization(ctx: MemberContext, { data }: z.output<typeof UpdateOrganization>) {
  checkPictureUrl(data.logo, ctx.config.appOrigin)
  const { organizationId } = ctx.member
  const fields = Object.entries(data).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  const updated = await transaction(ctx, async (tx) => {
    await requirePermissionUnderLock(tx, ctx.member, ['organization', 'update'], updateRefusals)
    const organization = await patchOrganization(tx, organizationId, data)
    const event = { actorId: ctx.user.id, subjectId: null, organizationId, data: { fields } }
    await record(tx, ctx, { type: 'organization.updated', ...event })
    return organization
  }).catch(refuseTakenSlug)
  return Organization.parse(updated)
}

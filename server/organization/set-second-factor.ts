import type { z } from 'zod'
import type { SetSecondFactor } from '../../shared/organization.ts'
import { record } from '../event/record.ts'
import { sessionHasSecondFactor } from '../factor/assurance.ts'
import { refuse } from '../foundation/refusal.ts'
import { daysAfter } from '../foundation/time.ts'
import { transaction } from '../foundation/transactions.ts'
import { startPolicyNotices } from './notify-policy.ts'
import { patchOrganization } from './organizations.ts'
import { organizationRefusals } from './refusals.ts'
import { type MemberContext, requirePermissionUnderLock } from './require-member.ts'

/**
 * Requires a second factor of all members after some days, or removes the requirement (null). The caller must have
 * signed in with one. Members without one are notified by email.
 */
export async function setSecondFactor(
  ctx: MemberContext,
  { graceDays }: z.output<typeof SetSecondFactor>,
): Promise<{ secondFactorFrom: Date | null }> {
  const { organizationId } = ctx.member
  const secondFactorFrom = graceDays === null ? null : daysAfter(ctx.now, graceDays)
  await transaction(ctx, async (tx) => {
    await requirePermissionUnderLock(tx, ctx.member, ['organization', 'update'], organizationRefusals.update)
    if (!sessionHasSecondFactor(ctx)) refuse('SECOND_FACTOR_REQUIRED')
    await patchOrganization(tx, organizationId, { secondFactorFrom })
    const about = { actorId: ctx.user.id, subjectId: null, organizationId }
    if (secondFactorFrom === null)
      await record(tx, ctx, { type: 'organization.second_factor_optional', ...about, data: {} })
    else {
      const from = secondFactorFrom.toISOString()
      await record(tx, ctx, { type: 'organization.second_factor_required', ...about, data: { from } })
      await startPolicyNotices(tx, { organizationId, from })
    }
  })
  return { secondFactorFrom }
}

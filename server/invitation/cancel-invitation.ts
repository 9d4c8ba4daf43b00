import type { z } from 'zod'
import type { CancelInvitation } from '../../shared/invitation.ts'
import { can } from '../../shared/permissions.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import { findOwnMember, requirePermissionUnderLock } from '../organization/require-member.ts'
import type { CallerContext } from '../request/context.ts'
import { closeInvitation, findInvitation } from './invitations.ts'
import { invitationRefusals } from './refusals.ts'

/** Cancels a pending invitation, even if it has expired. */
export async function cancelInvitation(ctx: CallerContext, { invitationId }: z.output<typeof CancelInvitation>) {
  const invitation = await findInvitation(ctx.pool, invitationId)
  if (!invitation) refuse('INVITATION_NOT_FOUND')
  const { organizationId, status } = invitation
  const member = (await findOwnMember(ctx, organizationId)) ?? refuse(invitationRefusals.cancel.notMember)
  if (!can(member.role, 'invitation', 'cancel')) refuse(invitationRefusals.cancel.denied, { organizationId })
  if (status !== 'pending') refuse('INVITATION_NOT_FOUND')
  return transaction(ctx, async (tx) => {
    await requirePermissionUnderLock(tx, member, ['invitation', 'cancel'], invitationRefusals.cancel)
    const canceled = await closeInvitation(tx, invitationId, 'canceled')
    if (!canceled) refuse('FAILED_TO_RETRIEVE_INVITATION')
    const data = { invitationId, email: canceled.email }
    const about = { actorId: ctx.user.id, subjectId: null, organizationId }
    await record(tx, ctx, { type: 'invitation.canceled', ...about, data })
    return canceled
  })
}

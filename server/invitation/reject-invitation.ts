import type { z } from 'zod'
import type { RespondToInvitation, ReadInvitation } from '../../shared/invitation.ts'
import { record } from '../event/record.ts'
import { refuse } from '../foundation/refusal.ts'
import { transaction } from '../foundation/transactions.ts'
import type { Context, CallerContext } from '../request/context.ts'
import { findInvitationOfCaller } from './accept-invitation.ts'
import { closeInvitation } from './invitations.ts'

/**
 * Rejects an invitation by its emailed link, without a session: anyone with the link could also reject it after signing
 * up with it.
 */
export async function rejectMailedInvitation(
  ctx: Context,
  { id, secret }: z.output<typeof ReadInvitation>,
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const rejected = await closeInvitation(tx, id, 'rejected', { now: ctx.now, secret })
    if (!rejected) refuse('INVITATION_NOT_FOUND')
    const data = { invitationId: id, email: rejected.email }
    await record(tx, ctx, { type: 'invitation.rejected', actorId: null, organizationId: rejected.organizationId, data })
  })
}

/** Rejects an invitation sent to the caller. */
export async function rejectOwnInvitation(
  ctx: CallerContext,
  { invitationId, secret }: z.output<typeof RespondToInvitation>,
) {
  const { invitation } = await findInvitationOfCaller(ctx, { id: invitationId, secret })
  return transaction(ctx, async (tx) => {
    const rejected = await closeInvitation(tx, invitation.id, 'rejected', { now: ctx.now })
    if (!rejected) refuse('FAILED_TO_RETRIEVE_INVITATION')
    const { id, email, organizationId } = rejected
    const data = { invitationId: id, email }
    await record(tx, ctx, { type: 'invitation.rejected', actorId: ctx.user.id, organizationId, data })
    return { invitation: rejected, member: null }
  })
}

import type { User } from '../../prisma/client/client.ts'
import type { EventOrigin } from '../event/event-rows.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { composeMail } from '../mail/mail.ts'
import { leaveAllOrganizations } from '../organization/leave-all-organizations.ts'
import type { Context } from '../request/context.ts'
import { isBanned } from '../session/session-rows.ts'
import { returnToPreviousEmail } from './return-to-previous-email.ts'
import { deleteUser } from './users.ts'

/**
 * Frees an email address that a user holds without having verified it. An account that had a verified address reverts
 * to it; any other account is deleted, with its sessions, sign-in methods, tokens, memberships, invitations and the
 * organizations it is the only member of. Those that it alone owns pass to another member. Refused for a banned user who would be deleted, so that a ban cannot be evaded.
 */
export async function releaseUnverifiedEmail(tx: Tx, ctx: Context, user: User): Promise<void> {
  const origin = withoutLocation(ctx)
  const { previousEmail } = user
  if (previousEmail === null && isBanned(user, ctx.now)) refuse('BANNED_USER')
  if (previousEmail !== null) {
    await returnToPreviousEmail(tx, origin, user)
    const mailContext = { now: ctx.now, values: { newEmail: user.email } }
    await ctx.outbox.enqueue(
      tx,
      composeMail('emailChangeRejected', { ...user, email: previousEmail }, mailContext),
      ctx.now,
    )
    return
  }
  await leaveAllOrganizations(tx, { ...ctx, ...origin }, user, { actorId: null, transfersOwnership: true })
  await deleteUser(tx, user.id)
}

/** Omits the mailbox owner's location from the activity log of the person who used the email address. */
export function withoutLocation(ctx: Context): EventOrigin {
  const { now, requestId, log, metrics } = ctx
  return { now, requestId, log, metrics, ipAddress: '', userAgent: '' }
}

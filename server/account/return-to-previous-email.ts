import type { EventOrigin } from '../event/event-rows.ts'
import { record } from '../event/record.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import { findUserByEmail } from '../session/users.ts'
import { updateUser } from './users.ts'

/** Reverts an unverified change of email address: the account gets its last verified address back. */
export async function returnToPreviousEmail(
  tx: Tx,
  origin: EventOrigin,
  { id, email, previousEmail }: { id: string; email: string; previousEmail: string | null },
) {
  if (previousEmail === null) return
  // The email address is reserved since the change began, but an older row may still hold it.
  if (await findUserByEmail(tx, previousEmail)) refuse('COULDNT_UPDATE_YOUR_EMAIL')
  await updateUser(tx, id, { email: previousEmail, emailVerified: true, previousEmail: null, now: origin.now })
  await record(tx, origin, {
    type: 'user.email_changed',
    subjectId: id,
    data: { from: email, to: previousEmail },
  })
}

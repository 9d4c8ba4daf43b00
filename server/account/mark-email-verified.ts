import type { EventData } from '../../shared/event.ts'
import type { EventOrigin } from '../event/event-rows.ts'
import { record } from '../event/record.ts'
import { confirmFactors } from '../factor/factors.ts'
import type { Tx } from '../foundation/database.ts'
import { markEmailVerified } from './users.ts'

/**
 * Marks the email address as verified. Only the first use of a link succeeds, and only if the user still has this
 * address, even with concurrent requests (SEC-50, SEC-54). An address verified by a provider never makes its user an
 * administrator.
 */
export async function verifyEmailAndRecord(
  tx: Tx,
  origin: EventOrigin,
  { userId, email }: { userId: string; email: string },
  method: EventData<'user.email_verified'>['method'],
): Promise<boolean> {
  const isByProvider = method === 'provider'
  if (!(await markEmailVerified(tx, { id: userId, email, isByProvider, now: origin.now }))) return false
  // This user enrolled the factors: the browser signed up for the account, or is signed in to it.
  if (method === 'link' || method === 'code') await confirmFactors(tx, userId)
  await record(tx, origin, { type: 'user.email_verified', actorId: userId, data: { email, method } })
  return true
}

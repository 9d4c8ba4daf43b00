import { z } from 'zod'
import type { PendingEmail } from '../../shared/account.ts'
import { findNewestEvent } from '../event/events.ts'
import type { CallerContext } from '../request/context.ts'
import { findTokenExpiry } from './tokens.ts'

const Requested = z.object({ to: z.string() })

/** The change of the caller's email address that waits for its confirmation. Null without one. */
export async function readPendingEmail({ db, user, now }: CallerContext): Promise<z.input<typeof PendingEmail> | null> {
  const expiresAt = await findTokenExpiry(db, 'change-email', { userId: user.id, now })
  if (!expiresAt) return null
  // The link contains the new address; here, only the event does.
  const event = await findNewestEvent(db, { type: 'user.email_change_requested', subjectId: user.id })
  const { data } = Requested.safeParse(event?.data)
  return data ? { email: data.to, expiresAt } : null
}

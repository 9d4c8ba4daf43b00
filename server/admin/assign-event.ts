import type { z } from 'zod'
import { normalizeEmail } from '../../shared/identity.ts'
import type { AssignEvent } from '../../shared/payment.ts'
import { findUserByVerifiedEmail } from '../account/users.ts'
import { refuse } from '../foundation/refusal.ts'
import { findOrganizationBySlug } from '../organization/organizations.ts'
import { assignCustomer } from '../payment/attribution/assign-customer.ts'
import type { CallerContext } from '../request/context.ts'

/** Assigns the customer of an event to a user or organization. All events of that customer are assigned with it. */
export async function assignEvent(
  ctx: CallerContext,
  { eventId, email, slug }: z.output<typeof AssignEvent>,
): Promise<void> {
  const user = email === undefined ? null : await findUserByVerifiedEmail(ctx.db, normalizeEmail(email))
  const organization = slug === undefined ? null : await findOrganizationBySlug(ctx.db, slug)
  const owner = user
    ? { userId: user.id }
    : organization
      ? { organizationId: organization.id }
      : refuse('OWNER_NOT_FOUND')
  const data = { eventId, ...owner }
  await assignCustomer(ctx, eventId, owner, {
    type: 'payment.event_assigned',
    actorId: ctx.user.id,
    subjectId: null,
    data,
  })
}

import { managesBilling } from '../../../shared/permissions.ts'
import { refuse } from '../../foundation/refusal.ts'
import { findOwnMember } from '../../organization/require-member.ts'
import type { CallerContext } from '../../request/context.ts'
import type { Caller } from '../../request/read-caller.ts'
import { billingOwnerColumns, type BillingOwner } from './billing-owner.ts'

/** Returns the caller, or the given organization if the caller manages its billing. Refuses otherwise. */
export async function requireBillingOwner(
  ctx: CallerContext,
  organizationId: string | undefined,
): Promise<BillingOwner> {
  if (organizationId === undefined) return { userId: ctx.user.id }
  const member = await findOwnMember(ctx, organizationId)
  if (member && managesBilling(member.role)) return { organizationId }
  refuse('YOU_ARE_NOT_ALLOWED_TO_MANAGE_BILLING', member ? { organizationId } : {})
}

/** Actor and organization of an event about purchases. */
export function ownerEvent({ user }: Pick<Caller, 'user'>, owner: BillingOwner) {
  return { actorId: user.id, organizationId: billingOwnerColumns(owner).organizationId }
}

/** The owner of a purchase, if the caller manages its billing: the organization that it belongs to, else the caller. */
export async function findManagedBillingOwner(
  ctx: CallerContext,
  organizationId: string | undefined,
): Promise<BillingOwner | undefined> {
  if (organizationId === undefined) return { userId: ctx.user.id }
  const member = await findOwnMember(ctx, organizationId)
  return member && managesBilling(member.role) ? { organizationId } : undefined
}

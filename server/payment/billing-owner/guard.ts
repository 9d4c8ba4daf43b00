import { organizationIdOf, authenticatedBase } from '../../organization/guard.ts'
import { requireBillingOwner } from './require-billing-owner.ts'

/**
 * Requires that the caller may see the purchases that a call is about: those of the organization in its input, whose
 * billing the caller must manage, or else the caller's own. An API key needs the permission to change the organization.
 */
export const billingOwnerProcedure = authenticatedBase
  .meta({ organizationScope: 'by_input', requiredPermission: ['organization', 'update'] })
  .use(async ({ ctx, input, next }) =>
    next({ ctx: { owner: await requireBillingOwner(ctx, organizationIdOf(input)) } }),
  )

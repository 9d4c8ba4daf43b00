import { initTRPC } from '@trpc/server'
import type { RefusalKey } from '../../shared/errors.ts'
import { type Action, can, type Resource } from '../../shared/permissions.ts'
import { isRecord } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Meta } from '../procedure/trpc.ts'
import { findOwnMember, type SignedInContext } from './require-member.ts'

/**
 * Procedure parts that require a session, for example:
 *
 *     protectedProcedure.input(…).concat(requirePermission('team', 'create', …))
 */
const t = initTRPC.context<SignedInContext>().meta<Meta>().create()
export const authenticatedBase = t.procedure

/** Errors to return if no organization is specified, and if the caller is not a member of it. */
type Refusals = { none: RefusalKey; notMember: RefusalKey }

/**
 * Requires membership of the given organization, or else of the session's active one. Membership is read from the
 * database on every call, so a removal takes effect immediately (SEC-49). Unknown organizations get the same error.
 */
export function requireMembership(refusals: Refusals) {
  return authenticatedBase
    .meta({ organizationScope: true, notPermitted: [refusals.none, refusals.notMember] })
    .use(async ({ ctx, input, next }) => next({ ctx: { member: await membership(ctx, input, refusals) } }))
}

/** Requires a role with this permission in the permission table. */
export function requirePermission<R extends Resource>(
  resource: R,
  action: Action<R>,
  { denied, ...refusals }: Refusals & { denied: RefusalKey },
) {
  return authenticatedBase
    .meta({
      organizationScope: true,
      requiredPermission: [resource, action],
      notPermitted: [refusals.none, refusals.notMember, denied],
    })
    .use(async ({ ctx, input, next }) => {
      const member = await membership(ctx, input, refusals)
      const { organizationId } = member
      return can(member.role, resource, action) ? next({ ctx: { member } }) : refuse(denied, { organizationId })
    })
}

/** `input` is what the procedure's own schema has read, so that the guard judges what the action uses. */
async function membership(ctx: SignedInContext, input: unknown, { none, notMember }: Refusals) {
  const organizationId = organizationIdOf(input) ?? ctx.session.activeOrganizationId ?? refuse(none)
  return (await findOwnMember(ctx, organizationId)) ?? refuse(notMember)
}

/** The organization named in the input of a call. */
export function organizationIdOf(input: unknown): string | undefined {
  return isRecord(input) && typeof input['organizationId'] === 'string' ? input['organizationId'] : undefined
}

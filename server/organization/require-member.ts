import type { RefusalKey } from '../../shared/errors.ts'
import type { Member } from '../../shared/organization.ts'
import { type Action, can, type Resource } from '../../shared/permissions.ts'
import {
  callerHasSecondFactor,
  satisfiesSecondFactor,
  userHasSecondFactor,
  isSecondFactorEnforced,
} from '../factor/assurance.ts'
import type { Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Context, CallerContext } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { findMembership, findMemberWithUser } from './members.ts'
import { lockOrganization, readOrganization } from './organizations.ts'

export type SignedInContext = Context &
  Pick<Caller, 'user' | 'session' | 'sessionToken' | 'remembered' | 'secondFactor'> & {
    verifiedCredential: Caller['verifiedCredential']
  }

/** The context after a guard of the organization (guard.ts). */
export type MemberContext = SignedInContext & { member: Member }

/**
 * Reads the caller's membership again under the organization's lock, because it may have changed while waiting
 * (SEC-49). Used by all code that counts or decides within a transaction.
 */
export async function requirePermissionUnderLock<R extends Resource>(
  tx: Tx,
  { organizationId, userId }: Member,
  [resource, action]: [R, Action<R>],
  { notMember, denied }: { notMember: RefusalKey; denied: RefusalKey },
): Promise<Member> {
  await lockOrganization(tx, organizationId)
  const member = (await findMemberWithUser(tx, { organizationId, userId })) ?? refuse(notMember)
  return can(member.role, resource, action) ? member : refuse(denied, { organizationId })
}

/**
 * The caller's membership of an organization. Undefined for an API key that is limited to another organization. Refused
 * if the organization requires a second factor and the session has none; administrators who impersonate a member have
 * signed in with their own.
 */
export async function findOwnMember(ctx: PolicyContext, organizationId: string): Promise<Member | undefined> {
  const key = ctx.verifiedCredential?.kind === 'api_key' ? ctx.verifiedCredential : undefined
  if (key && ![null, organizationId].includes(key.organizationId)) return undefined
  const found = await findMembership(ctx.pool, { organizationId, userId: ctx.user.id })
  if (found) await requireSecondFactorOfMember(ctx, found)
  return found
}

/** The context needed to check whether a caller meets an organization's policy. */
type PolicyContext = Pick<Context, 'db' | 'pool' | 'now' | 'config'> &
  Pick<Caller, 'user' | 'secondFactor' | 'verifiedCredential'> & { session: Pick<Caller['session'], 'impersonatedBy'> }

/** Refuses a caller without the second factor that the organization requires. */
export async function requireSecondFactorOfMember(
  { db, config, now, user, session, secondFactor, verifiedCredential }: PolicyContext,
  policy: { secondFactorFrom: Date | null },
): Promise<void> {
  const isAdministrator = session.impersonatedBy !== undefined && config.requiresSecondFactorOfAdministrators
  if (!isSecondFactorEnforced(policy, now) || isAdministrator) return
  if (!(await satisfiesSecondFactor(db, { user, secondFactor, verifiedCredential }))) refuse('SECOND_FACTOR_REQUIRED')
}

/**
 * Refuses to leave an organization that requires a second factor in a session without one. Otherwise a person who knows
 * only the password could leave it, and then remove the factors that its policy protects.
 */
export async function requireSecondFactorToLeave(tx: Tx, ctx: CallerContext, organizationId: string): Promise<void> {
  if (callerHasSecondFactor(ctx)) return
  const { secondFactorFrom } = await readOrganization(tx, organizationId)
  if (secondFactorFrom !== null && (await userHasSecondFactor(tx, ctx.user))) refuse('SECOND_FACTOR_REQUIRED')
}

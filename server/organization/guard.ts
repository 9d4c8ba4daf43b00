import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { Id } from '../../shared/account.ts'
import type { Meta } from '../procedure/trpc.ts'
import type { RefusalKey } from '../../shared/errors.ts'
import { can, type Action, type Resource } from '../../shared/permissions.ts'
import type { Caller, Context } from '../request/context.ts'
import { refuse } from '../foundation/refusal.ts'
import type { Member } from '../../shared/organization.ts'
import type { Tx } from '../foundation/database.ts'
import { findMember, findMemberOfUser } from './members.ts'
import { lockOrganization } from './organizations.ts'

type Signed = Context & Pick<Caller, 'user' | 'session' | 'sessionToken' | 'remembered'>

/** Guards as parts of a procedure that has a session: `protectedProcedure.input(…).concat(may('team', 'create', …))`. */
const t = initTRPC.context<Signed>().meta<Meta>().create()

/** Which organization a call means; its own schema has judged the value before. */
const Scope = z.object({ organizationId: Id.optional() }).default({})

/** What a call says when no organization is meant, and to somebody who is no member of the one that is. */
type Refusals = { none: RefusalKey; stranger: RefusalKey }

/**
 * Only members of the organization that is meant: the given one, else the session's active one. Membership is read from the
 * database with every call, so that a removal acts at once (SEC-49). An unknown organization answers like a foreign one.
 */
export function memberOf(refusals: Refusals) {
  return t.procedure
    .input(Scope)
    .use(async ({ ctx, input, next }) => next({ ctx: { member: await membership(ctx, input, refusals) } }))
}

/** Only members whose role grants it by the table of permissions. */
export function may<R extends Resource>(
  resource: R,
  action: Action<R>,
  { denied, ...refusals }: Refusals & { denied: RefusalKey },
) {
  return t.procedure.input(Scope).use(async ({ ctx, input, next }) => {
    const member = await membership(ctx, input, refusals)
    const { organizationId } = member
    return can(member.role, resource, action) ? next({ ctx: { member } }) : refuse(denied, { organizationId })
  })
}

/**
 * The caller's membership once more, under the organization's lock: what was read before the wait may be gone (SEC-49). For
 * everything that counts or decides inside a transaction.
 */
export async function underLock<R extends Resource>(
  tx: Tx,
  { organizationId, userId }: Member,
  [resource, action]: [R, Action<R>],
  { stranger, denied }: { stranger: RefusalKey; denied: RefusalKey },
): Promise<Member> {
  await lockOrganization(tx, organizationId)
  const member = (await findMemberOfUser(tx, { organizationId, userId })) ?? refuse(stranger)
  return can(member.role, resource, action) ? member : refuse(denied, { organizationId })
}

async function membership(
  { session, user, pool }: Signed,
  input: z.output<typeof Scope>,
  { none, stranger }: Refusals,
) {
  const organizationId = input.organizationId ?? session.activeOrganizationId ?? refuse(none)
  return (await findMember(pool, { organizationId, userId: user.id })) ?? refuse(stranger)
}

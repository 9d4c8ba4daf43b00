import type { RefusalKey } from '../../shared/errors.ts'
import { mayAdminister, type UserAction, type UserResource } from '../../shared/permissions.ts'
import { satisfiesSecondFactor } from '../factor/assurance.ts'
import { refuse } from '../foundation/refusal.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import type { Context } from '../request/context.ts'
import type { Caller } from '../request/read-caller.ts'
import { requireFresh } from '../session/session-lifetime.ts'

/**
 * Requires that an administrator has signed in with a second factor, unless ADMIN_SECOND_FACTOR is off. A call with an
 * API key has no sign-in: the key must have been created in such a session, and the administrator must still have a
 * second factor.
 */
async function requireSecondFactor({
  config,
  db,
  user,
  secondFactor,
  verifiedCredential,
}: Context & Pick<Caller, 'user' | 'secondFactor' | 'verifiedCredential'>): Promise<void> {
  if (!config.requiresSecondFactorOfAdministrators) return
  if (!(await satisfiesSecondFactor(db, { user, secondFactor, verifiedCredential }))) refuse('SECOND_FACTOR_REQUIRED')
}

/** Requires an administrator of this installation, with a second factor. The role is read from the database. */
export const administratorProcedure = protectedProcedure
  .meta({ openTo: ['impersonator'], notAdministrator: 'YOU_ARE_NOT_AN_ADMINISTRATOR' })
  .use(async ({ ctx, next }) => {
    if (ctx.user.role !== 'admin') refuse('YOU_ARE_NOT_AN_ADMINISTRATOR')
    await requireSecondFactor(ctx)
    return next()
  })

/** Requires a fresh session in addition, for actions that last or cost money. */
export const freshAdministratorProcedure = administratorProcedure
  .meta({ needsRecentSignIn: true })
  .use(({ ctx, next }) => {
    requireFresh(ctx, ctx.session)
    return next()
  })

type NotAllowed = Extract<RefusalKey, `YOU_ARE_NOT_ALLOWED_TO_${string}`>

/**
 * Requires a role of the installation with this permission (shared/permissions.ts). The role is read from the database.
 */
export function permittedProcedure<R extends UserResource>(resource: R, action: UserAction<R>, denied: NotAllowed) {
  return protectedProcedure.meta({ openTo: ['impersonator'], notAdministrator: denied }).use(async ({ ctx, next }) => {
    if (!mayAdminister(ctx.user.role, resource, action)) refuse(denied)
    await requireSecondFactor(ctx)
    return next()
  })
}

/** Requires a fresh session in addition, for calls that change an account or give access to it. */
export function freshPermittedProcedure<R extends UserResource>(
  resource: R,
  action: UserAction<R>,
  denied: NotAllowed,
) {
  return permittedProcedure(resource, action, denied)
    .meta({ needsRecentSignIn: true })
    .use(({ ctx, next }) => {
      requireFresh(ctx, ctx.session)
      return next()
    })
}

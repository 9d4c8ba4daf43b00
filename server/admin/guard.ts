import { refuse } from '../foundation/refusal.ts'
import { protectedProcedure } from '../procedure/guards.ts'
import { isFresh } from '../session/sessions.ts'

/** Requires an administrator of this installation. The role is read from the database. */
export const administrator = protectedProcedure.use(({ ctx, next }) =>
  ctx.user.role === 'admin' ? next() : refuse('YOU_ARE_NOT_AN_ADMINISTRATOR'),
)

/** The same in a fresh session, for what lasts or costs money. */
export const freshAdministrator = administrator.use(({ ctx, next }) =>
  isFresh(ctx, ctx.session) ? next() : refuse('SESSION_IS_NOT_FRESH'),
)

import { Refusal } from '../foundation/refusal.ts'
import { middleware } from './trpc.ts'

/**
 * The last part of a query whose answer may be slightly stale. Its resolver reads from the replica, if one follows
 * closely. Whether the caller may make the call has been read from the primary before. `Cache-Control: no-cache`
 * requests the primary, as the screens do after a change.
 */
export const allowReplica = middleware(async ({ ctx, next }) => {
  const replica = ctx.needsCurrentData ? undefined : ctx.replica?.current()
  if (!replica) return next()
  const result = await next({ ctx: { db: replica.prisma, pool: replica.pool } })
  // Any other error may be caused by the replica: unreachable, behind a migration, or without a privilege.
  if (result.ok || result.error.cause instanceof Refusal) return result
  ctx.replica?.failed()
  return next()
})

import { initTRPC } from '@trpc/server'
import type { ZodType } from 'zod'
import { type RefusalKey, refusals } from '../../shared/errors.ts'
import type { Limit } from '../foundation/limits.ts'
import type { Context } from '../request/context.ts'
import { toRefusal } from './errors.ts'

/** What a procedure says of itself besides its types. */
export type Meta = {
  /** The specification's own words; relative to AUTH_BASE_PATH unless it begins with /api/. http/rest.ts serves it. */
  rest?: `${'GET' | 'POST'} /${string}`
  /** How often one address may call it, counted in PostgreSQL. */
  limit?: Omit<Limit, 'key'>
  /** Fields that a POST may carry in its query instead of its body. */
  queryFields?: readonly string[]
  /** The refusal without a session, where it is not UNAUTHORIZED. */
  unauthorized?: RefusalKey
  /** What an answer holds that the procedure gives as JSON text, in place of `.output()`. */
  answers?: ZodType
  /** Signs somebody in: a foreign page may not call it, not even without cookies (SEC-36). */
  startsSession?: true
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error, type, path }) {
      const refusal = toRefusal(error, type)
      return {
        ...shape,
        message: refusal.message,
        data: {
          code: shape.data.code,
          httpStatus: refusals[refusal.key].status,
          path,
          /** Key of the catalogue: what screens decide on. */
          reason: refusal.key,
          issues: refusal.issues,
        },
      }
    },
  })

export const { router, procedure, middleware } = t

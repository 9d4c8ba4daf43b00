import { initTRPC } from '@trpc/server'
import type { ZodType } from 'zod'
import { type RefusalKey, refusals } from '../../shared/errors.ts'
import type { Limit } from '../foundation/limits.ts'
import type { Context } from '../request/context.ts'
import { toRefusal } from './errors.ts'

/** Metadata of a procedure. */
export type Meta = {
  /** Method and path from the specification, relative to AUTH_BASE_PATH or below /api/. Served by http/rest.ts. */
  rest?: `${'GET' | 'POST'} /${string}`
  /** The same path under the name that the client of better-auth 1.7 uses. */
  alias?: `${'GET' | 'POST'} /${string}`
  /** Rate limit per client address, counted in PostgreSQL. */
  limit?: Omit<Limit, 'key'>
  /** Fields that a POST may send in the query instead of the body. */
  queryFields?: readonly string[]
  /** Resource and action of the permission table that an API key with permissions needs. A guard sets it. */
  needs?: readonly [resource: string, action: string]
  /** The caller is signed in: the limit counts by user, not by address. */
  perUser?: true
  /** The call is about one organization, which a guard compares with that of an API key (organization/guard.ts). */
  isScoped?: true
  /** The refusal when there is no session, if not UNAUTHORIZED. */
  unauthorized?: RefusalKey
  /** Output schema of a procedure that returns JSON text, used instead of `.output()`. */
  answers?: ZodType
  /** The call creates a session: it may not be called from an untrusted page, even without cookies (SEC-36). */
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
          /** Key of the refusal catalogue, on which the screens branch. */
          reason: refusal.key,
          issues: refusal.issues,
        },
      }
    },
  })

export const { router, procedure, middleware } = t

import { initTRPC } from '@trpc/server'
import type { ZodType } from 'zod'
import { type RefusalKey, refusals } from '../../shared/errors.ts'
import type { RateLimit } from '../foundation/limits.ts'
import type { Context } from '../request/context.ts'
import { toRefusal } from './errors.ts'

/** Callers that are not a user in a browser: programs, and administrators who act as a user. */
export type OtherCaller = 'access_token' | 'api_key' | 'impersonator'

/** For calls that change neither an account nor its sign-in methods, and create nothing that outlives the caller. */
export const anyCaller = ['access_token', 'api_key', 'impersonator'] as const satisfies OtherCaller[]
/**
 * For calls that cost money, or give or remove the access of others: not for administrators who act as a user
 * (SEC-127).
 */
export const programs = ['access_token', 'api_key'] as const satisfies OtherCaller[]

/** Metadata of a procedure. Those with a path have one line about them in the API description. */
export type Meta = MetaOfAll & ({ rest: RestPath; summary: string } | { rest?: never; summary?: never })

/** A path relative to AUTH_BASE_PATH, or below /api/. Served by http/rest.ts. */
type RestPath = `${'GET' | 'POST'} /${string}`

type MetaOfAll = {
  /**
   * The callers, other than the session's own user, that a procedure with a session is open to. None by default
   * (SEC-40).
   */
  openTo?: readonly OtherCaller[]
  /** The same path under the name used by the client of better-auth 1.7. */
  alias?: RestPath
  /** Rate limit per client network, counted in PostgreSQL. */
  limit?: Omit<RateLimit, 'key'>
  /** Fields that a POST may send in the query instead of the body. */
  queryFields?: readonly string[]
  /** Resource and action of the permission table that an API key with permissions needs. Some guards set it. */
  requiredPermission?: readonly [resource: string, action: string]
  /** The caller is signed in: the limit counts by user, not by network. */
  perUser?: true
  /**
   * The call is about one organization, which is compared with that of an API key: by a guard (organization/guard.ts),
   * or for `by_input` through its `organizationId`. Keys of an organization may make no other call.
   */
  organizationScope?: true | 'by_input'
  /** The call gives another user the `role` of its input. A key with permissions may only give that of a member. */
  grantsRole?: true
  /** The refusal when there is no session, if not UNAUTHORIZED. */
  unauthorized?: RefusalKey
  /** The input is the bytes of a picture: the body of the request, of any content type. Served over REST only. */
  bodyType?: 'picture'
  /** The response is a `PdfDocument`. Served over REST only. */
  responseType?: 'pdf'
  /** Output schema of a procedure that returns JSON text, used instead of `.output()`. */
  jsonOutput?: ZodType
  /** The call creates a session: it may not be called from an untrusted page, even without cookies (SEC-36). */
  startsSession?: true
  /** Set by the guard: the refusal if the operator has switched the capability off. */
  disabledRefusal?: RefusalKey
  /** Set by the guard. Callers without a session, token or key are refused. */
  needsSession?: true
  /** Set by the guard. Sessions older than the fresh age are refused. */
  needsRecentSignIn?: true
  /** Set by the guard: the refusal of callers who are not administrators of the installation. */
  notAdministrator?: RefusalKey
  /** Set by the guard of an organization: the refusals of callers without membership or permission. */
  notPermitted?: readonly RefusalKey[]
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
          ...refusal.ban,
        },
      }
    },
  })

export const { router, procedure, middleware } = t

import { TRPCError } from '@trpc/server'
import { messageOf, refusals, type CallbackCode, type LinkErrorCode, type RefusalKey } from '../../shared/errors.ts'

/** tRPC's error code for each status used in the refusal catalogue. */
const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
} as const

/** Optional details of a refusal. */
type RefusalOptions = {
  /** Seconds to wait before retrying, sent as Retry-After (RFC 9110 §10.2.3). */
  retryAfterSeconds?: number
  /** Replaces the `{id}` placeholder in the message. */
  id?: string
  /** Invalid input fields, for VALIDATION_ERROR. */
  issues?: { path: string; message: string }[]
  /** The organization whose audit log records the refusal. The refused user is a member of it. */
  organizationId?: string
  /**
   * For BANNED_USER, once the user has signed in: why, and until when. Null means that nothing was given, or no end.
   */
  ban?: BanDetails | undefined
  /** The underlying error, only for the log. */
  cause?: unknown
}

export type BanDetails = { banReason: string | null; banExpires: Date | null }

/** A deliberate refusal, identified by a key of the catalogue, which defines code, status and message. */
export class Refusal extends TRPCError {
  readonly key: RefusalKey
  readonly retryAfterSeconds: number | undefined
  readonly issues: RefusalOptions['issues']
  readonly id: string | undefined
  readonly ban: BanDetails | undefined
  readonly organizationId: string | undefined

  constructor(key: RefusalKey, more: RefusalOptions = {}) {
    super({ code: trpcCodes[refusals[key].status], message: messageOf(key, more.id), cause: more.cause })
    this.name = 'Refusal'
    this.key = key
    this.retryAfterSeconds = more.retryAfterSeconds
    this.issues = more.issues
    this.id = more.id
    this.ban = more.ban
    this.organizationId = more.organizationId
  }
}

/** Throws a refusal. */
export function refuse(key: RefusalKey, more?: RefusalOptions): never {
  throw new Refusal(key, more)
}

/** An emailed link that is invalid or cannot be used. Its code is sent in the query of the redirect target. */
export class LinkError extends Error {
  readonly code: LinkErrorCode

  constructor(code: LinkErrorCode) {
    super(code)
    this.name = 'LinkError'
    this.code = code
  }
}

/** A failed sign-in at a provider. Its code is sent to the error page of the request. */
export class OAuthCallbackError extends Error {
  readonly code: CallbackCode

  constructor(code: CallbackCode, cause?: unknown) {
    super(code, { cause })
    this.name = 'OAuthCallbackError'
    this.code = code
  }
}

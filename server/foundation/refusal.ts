import { TRPCError } from '@trpc/server'
import { messageOf, refusals, type CallbackCode, type LinkErrorCode, type RefusalKey } from '../../shared/errors.ts'

/** tRPC's name for each status that the catalogue uses. */
const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
} as const

/** What a refusal may carry besides its key. */
type More = {
  /** Seconds after which another try makes sense; answered as Retry-After (RFC 9110 §10.2.3). */
  retryAfterSeconds?: number
  /** Name in a message that has a place for one. */
  id?: string
  /** Which fields of the input are wrong, for VALIDATION_ERROR. */
  issues?: { path: string; message: string }[]
  /** The organization whose audit log the refusal belongs to: one that the refused user is a member of. */
  organizationId?: string
  /** What went wrong below, for the log only. */
  cause?: unknown
}

/** A deliberate no: one key of the catalogue, which knows code, status and message. */
export class Refusal extends TRPCError {
  readonly key: RefusalKey
  readonly retryAfterSeconds: number | undefined
  readonly issues: More['issues']
  readonly id: string | undefined
  readonly organizationId: string | undefined

  constructor(key: RefusalKey, more: More = {}) {
    super({ code: trpcCodes[refusals[key].status], message: messageOf(key, more.id), cause: more.cause })
    this.name = 'Refusal'
    this.key = key
    this.retryAfterSeconds = more.retryAfterSeconds
    this.issues = more.issues
    this.id = more.id
    this.organizationId = more.organizationId
  }
}

/** The only way to say no. */
export function refuse(key: RefusalKey, more?: More): never {
  throw new Refusal(key, more)
}

/** A mailed link that cannot do what it is for: its code travels in the query of the page that it leads to. */
export class LinkError extends Error {
  readonly code: LinkErrorCode

  constructor(code: LinkErrorCode) {
    super(code)
    this.name = 'LinkError'
    this.code = code
  }
}

/** A sign-in at a provider that failed: its code travels to the page that was named for failures. */
export class OAuthCallbackError extends Error {
  readonly code: CallbackCode

  constructor(code: CallbackCode, cause?: unknown) {
    super(code, { cause })
    this.name = 'OAuthCallbackError'
    this.code = code
  }
}

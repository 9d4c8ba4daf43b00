import { TRPCClientError } from '@trpc/client'
import type { RefusalKey } from '../../shared/errors.ts'

/** The catalogue key of a refusal; undefined for other errors, such as a network failure. */
export function refusalOf(error: unknown): RefusalKey | undefined {
  if (!(error instanceof TRPCClientError)) return undefined
  const data: unknown = error.data
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? String(data.reason) : ''
  return isRefusalKey(reason) ? reason : undefined
}

/** By its form: a table of all of them would be a part of the first visit. */
function isRefusalKey(text: string): text is RefusalKey {
  return /^[A-Z0-9_]+$/.test(text)
}

/** Why and until when a user is banned, if a sign-in was refused because of that. */
export function banOf(error: unknown): { reason: string | null; expiresAt: string | null } | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined
  if (typeof data !== 'object' || data === null || !('banReason' in data)) return undefined
  const expiresAt = 'banExpires' in data && typeof data.banExpires === 'string' ? data.banExpires : null
  return { reason: typeof data.banReason === 'string' && data.banReason !== '' ? data.banReason : null, expiresAt }
}

/** The HTTP status of a refusal. Undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined
  const status = typeof data === 'object' && data !== null && 'httpStatus' in data ? data.httpStatus : undefined
  return typeof status === 'number' ? status : undefined
}

/** The id under which the server logged a failed request, for support. */
export function requestIdOf(error: unknown): string | undefined {
  return headerOf(error, 'x-request-id')
}

/** Seconds until a rate-limited call can be repeated. */
export function retryAfterOf(error: unknown): number | undefined {
  const seconds = Number(headerOf(error, 'retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

function headerOf(error: unknown, name: string): string | undefined {
  const response: unknown = error instanceof TRPCClientError ? error.meta?.['response'] : undefined
  return response instanceof Response ? (response.headers.get(name) ?? undefined) : undefined
}

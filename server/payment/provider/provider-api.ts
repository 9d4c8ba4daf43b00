import type DodoPayments from 'dodopayments'
import type { z } from 'zod'
import { fetchWithin } from '../../foundation/fetch-within.ts'
import { isRecord } from '../../foundation/records.ts'
import { Refusal, refuse } from '../../foundation/refusal.ts'

/** The operator's settings for the payment provider. */
export type PaymentSettings = {
  apiKey: string
  baseUrl: string | undefined
  environment: 'test_mode' | 'live_mode'
}

/**
 * Limits of one API call. The library's own timeout covers only the headers, and its default of one minute would block
 * a request for too long.
 */
const max = { milliseconds: 10_000, bytes: 20_000_000 }

let cached: { client: DodoPayments; settings: PaymentSettings } | undefined

/** Creates the provider's SDK client on first use, because the library is large and throws without an API key. */
async function getClient(settings: PaymentSettings): Promise<DodoPayments> {
  const { apiKey, baseUrl, environment } = settings
  if (cached && JSON.stringify(cached.settings) === JSON.stringify(settings)) return cached.client
  const { default: Client } = await import('dodopayments')
  // The library rejects both options together with "Ambiguous URL".
  const endpoint = baseUrl === undefined ? { environment } : { baseURL: baseUrl }
  const client = new Client({
    bearerToken: apiKey,
    timeout: max.milliseconds,
    maxRetries: 0,
    logLevel: 'off',
    fetch: (input, init) => fetchWithin(max, input, init),
    ...endpoint,
  })
  cached = { client, settings }
  return client
}

/**
 * Calls the provider, checks its answer and converts any failure into a refusal. Retries are disabled: the library
 * would repeat a create request without an idempotency key.
 */
export async function callPaymentProvider<Body>(
  settings: PaymentSettings | undefined,
  schema: z.ZodType<Body>,
  call: (client: DodoPayments) => PromiseLike<unknown>,
): Promise<Body> {
  if (!settings) refuse('PAYMENTS_ARENT_ENABLED')
  const client = await getClient(settings)
  let response: unknown
  try {
    response = await call(client)
  } catch (error) {
    throw toRefusal(error)
  }
  const { data, error } = schema.safeParse(response)
  if (error) refuse('PAYMENT_PROVIDER_INVALID_RESPONSE', { cause: error })
  return data
}

/** The JSON text of a list as it was sent: the library turns every other answer into an empty list. */
export async function readList(list: { asResponse: () => Promise<Response> }): Promise<unknown> {
  const response = await list.asResponse()
  return response.json()
}

/** HTTP status that the provider answered with. Undefined if it did not answer. */
export function paymentProviderStatus(error: unknown): number | undefined {
  const cause = error instanceof Refusal ? error.cause : error
  const status = isRecord(cause) || cause instanceof Error ? Reflect.get(cause, 'status') : undefined
  return typeof status === 'number' ? status : undefined
}

/** Seconds that the provider asks to wait for after a refusal for too many requests (RFC 9110 §10.2.3). */
function retryAfterOf(error: unknown): number {
  const headers: unknown = error instanceof Error ? Reflect.get(error, 'headers') : undefined
  const text = headers instanceof Headers ? (headers.get('retry-after') ?? '') : ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.ceil(seconds), 86_400) : defaultRetrySeconds
}

const defaultRetrySeconds = 30

function toRefusal(error: unknown): Error {
  if (error instanceof Refusal) return error
  const status = paymentProviderStatus(error)
  if (status === 401 || status === 403) return new Refusal('PAYMENT_PROVIDER_REJECTED_CREDENTIALS', { cause: error })
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429) {
    return new Refusal('PAYMENT_WAS_REFUSED', { cause: error })
  }
  // Answers that the library itself cannot read, such as `null` for a list or HTML for JSON.
  const isUnreadable = status === undefined && (error instanceof SyntaxError || error instanceof TypeError)
  if (isUnreadable) return new Refusal('PAYMENT_PROVIDER_INVALID_RESPONSE', { cause: error })
  return new Refusal('PAYMENT_PROVIDER_UNAVAILABLE', { cause: error, retryAfterSeconds: retryAfterOf(error) })
}

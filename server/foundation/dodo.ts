import type DodoPayments from 'dodopayments'
import { isRecord } from './records.ts'
import { Refusal, refuse } from './refusal.ts'

/** The operator's settings for the payment provider. */
export type PaymentSettings = {
  apiKey: string
  baseUrl: string | undefined
  environment: 'test_mode' | 'live_mode'
}

/** Timeout of one API call. The library's default of one minute would block a request for too long. */
const callMs = 10_000

let opened: { client: DodoPayments; apiKey: string; baseUrl: string | undefined } | undefined

/** Creates the provider's SDK client on first use, because the library is large and throws without an API key. */
async function openClient({ apiKey, baseUrl, environment }: PaymentSettings): Promise<DodoPayments> {
  if (opened?.apiKey === apiKey && opened.baseUrl === baseUrl) return opened.client
  const { default: Client } = await import('dodopayments')
  // The library rejects both options together with "Ambiguous URL".
  const place = baseUrl === undefined ? { environment } : { baseURL: baseUrl }
  const client = new Client({ bearerToken: apiKey, timeout: callMs, maxRetries: 0, logLevel: 'warn', ...place })
  opened = { client, apiKey, baseUrl }
  return client
}

/**
 * Calls the provider and converts any failure into a refusal. Retries are disabled: the library would
 * repeat a create request without an idempotency key.
 */
export async function callProvider<Answer>(
  settings: PaymentSettings | undefined,
  call: (client: DodoPayments) => Promise<Answer>,
): Promise<Answer> {
  if (!settings) refuse('PAYMENTS_ARENT_ENABLED')
  const client = await openClient(settings)
  try {
    return await call(client)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const status = isRecord(error) || error instanceof Error ? Reflect.get(error, 'status') : undefined
    if (status === 401 || status === 403) refuse('PAYMENT_PROVIDER_REFUSES_US', { cause: error })
    if (typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429) {
      refuse('PAYMENT_WAS_REFUSED', { cause: error })
    }
    refuse('PAYMENT_PROVIDER_IS_AWAY', { cause: error, retryAfterSeconds: 30 })
  }
}

type SessionBody = Parameters<DodoPayments['checkoutSessions']['create']>[0]

/** Creates a checkout session. Countries and currencies are plain strings, validated by the provider. */
export function createCheckoutSession(settings: PaymentSettings | undefined, body: object) {
  return callProvider(settings, (client) => client.checkoutSessions.create(body as SessionBody))
}

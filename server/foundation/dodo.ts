import type DodoPayments from 'dodopayments'
import { isRecord } from './records.ts'
import { Refusal, refuse } from './refusal.ts'

/** What an operator has registered at the payment provider. */
export type PaymentSettings = {
  apiKey: string
  baseUrl: string | undefined
  environment: 'test_mode' | 'live_mode'
}

/** One call at most so long; the library's own minute would hold a request. */
const callMs = 10_000

let opened: { client: DodoPayments; apiKey: string; baseUrl: string | undefined } | undefined

/** The provider's own client, built at the first use: the library is large, and throws without a key. */
async function openClient({ apiKey, baseUrl, environment }: PaymentSettings): Promise<DodoPayments> {
  if (opened?.apiKey === apiKey && opened.baseUrl === baseUrl) return opened.client
  const { default: Client } = await import('dodopayments')
  // Both at once are "Ambiguous URL" to the library.
  const place = baseUrl === undefined ? { environment } : { baseURL: baseUrl }
  const client = new Client({ bearerToken: apiKey, timeout: callMs, maxRetries: 0, logLevel: 'warn', ...place })
  opened = { client, apiKey, baseUrl }
  return client
}

/**
 * One call at the provider; what goes wrong there becomes a plain refusal. Nothing is tried again blindly: the library would
 * repeat a creation without an idempotency key.
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

/** A checkout session. Which countries and currencies there are is the provider's to judge, so they are plain text here. */
export function createCheckoutSession(settings: PaymentSettings | undefined, body: object) {
  return callProvider(settings, (client) => client.checkoutSessions.create(body as SessionBody))
}

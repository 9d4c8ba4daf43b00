import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterTestFile } from './after-test-file.ts'
import type { UntypedJson } from './browser.ts'
import type { TestApp } from './test-app.ts'
import type { TestUser } from './test-users.ts'

export const webhookKey = `whsec_${Buffer.from('a key for the length of a test!!').toString('base64')}`
export const formerKey = `whsec_${Buffer.from('the key before the rotation was!').toString('base64')}`

/** Settings of a test application with payments through the given provider. */
export const shopSettings = (providerUrl: string) => ({
  DODO_PAYMENTS_API_KEY: 'the key of the shop',
  DODO_PAYMENTS_WEBHOOK_KEY: webhookKey,
  DODO_PAYMENTS_BASE_URL: providerUrl,
})

let count = 0
export const newEventId = () => `msg_${Date.now()}_${count++}_${randomBytes(4).toString('hex')}`

type DeliveryOptions = { id?: string; at?: Date; key?: string; headers?: Record<string, string | undefined> }

/** Delivers a raw webhook body, signed by the Standard Webhooks reference library. */
export async function deliverText(
  testApp: TestApp,
  text: string,
  { id = newEventId(), at = new Date(), key = webhookKey, headers = {} }: DeliveryOptions = {},
) {
  const signature = new Webhook(key).sign(id, at, text)
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
    ...headers,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const answer = await fetch(`${testApp.origin}/api/webhooks/payments`, {
    method: 'POST',
    headers: Object.fromEntries(given),
    body: text,
  })
  const responseText = await answer.text()
  return { status: answer.status, body: responseText === '' ? null : (JSON.parse(responseText) as UntypedJson), id }
}

/** Delivers a webhook event of the given type. */
export function deliver(
  testApp: TestApp,
  type: string,
  data: object,
  { at = new Date(), id }: { at?: Date; id?: string } = {},
) {
  const text = JSON.stringify({ business_id: 'bus_1', type, timestamp: at.toISOString(), data })
  return deliverText(testApp, text, id === undefined ? {} : { id })
}

export function customer(email: string, id = `cus_${randomBytes(6).toString('hex')}`) {
  return { customer_id: id, email, name: 'Ada Lovelace' }
}

export function payment(changes: object = {}) {
  return {
    payload_type: 'Payment',
    payment_id: `pay_${randomBytes(6).toString('hex')}`,
    business_id: 'bus_1',
    status: 'succeeded',
    total_amount: 1999,
    currency: 'EUR',
    settlement_amount: 1999,
    settlement_currency: 'EUR',
    billing: { country: 'DE', city: null, state: null, street: null, zipcode: null },
    customer: undefined as unknown,
    metadata: {},
    card_last_four: '4242',
    disputes: [],
    refunds: [],
    subscription_id: null,
    digital_products_delivered: false,
    created_at: '2026-11-01T10:00:00Z',
    ...changes,
  }
}

export function subscription(changes: object = {}) {
  return {
    payload_type: 'Subscription',
    subscription_id: `sub_${randomBytes(6).toString('hex')}`,
    product_id: 'pdt_pro',
    quantity: 1,
    status: 'active',
    addons: [],
    currency: 'EUR',
    recurring_pre_tax_amount: 1900,
    payment_frequency_count: 1,
    payment_frequency_interval: 'Month',
    next_billing_date: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    previous_billing_date: null,
    cancelled_at: null,
    cancel_at_next_billing_date: false,
    customer: undefined as unknown,
    metadata: {},
    created_at: '2026-11-01T10:00:00Z',
    ...changes,
  }
}

type Answer = {
  status?: number
  body?: UntypedJson
  /** Sent unchanged, instead of the body. */
  text?: string
  afterMs?: number
  /** Answered once this is fulfilled. */
  until?: Promise<unknown>
  /** Time between the first byte of the body and the rest. */
  stallMs?: number
  headers?: Record<string, string>
  /** Other answers from then on, by call: what the provider has changed. */
  sets?: Record<string, Answer>
}

/** A promise for `until`, and what fulfills it. */
export function createSignal(): { signaled: Promise<void>; signal: () => void } {
  let signal = () => {}
  const signaled = new Promise<void>((resolve) => (signal = resolve))
  return { signaled, signal: () => signal() }
}

/** Stub of the provider's REST API: records requests, and responds as configured per path. */
export async function startProvider() {
  const asked: { method: string; path: string; body: UntypedJson; authorization: string | undefined }[] = []
  const answers = new Map<string, Answer>()
  const made = new Set<string>()
  /** By default, customers are created and lists are empty. Everything else has to be configured. */
  function defaultAnswer(method: string | undefined, path: string): Answer {
    if (method === 'POST' && path === '/customers') {
      const customer_id = `cus_made_${made.size}_${randomBytes(4).toString('hex')}`
      made.add(`/customers/${customer_id}`)
      return { body: { customer_id } }
    }
    if (method === 'GET' && made.has(path)) return { body: { customer_id: path.split('/')[2] } }
    if (method === 'GET' && ['/subscriptions', '/payments', '/refunds', '/disputes', '/license_keys'].includes(path))
      return { body: { items: [] } }
    return { status: 404, body: { message: 'nothing here' } }
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const { authorization } = request.headers
      asked.push({
        method: request.method ?? '',
        path: request.url ?? '',
        body: text === '' ? null : JSON.parse(text),
        authorization,
      })
      const given = answers.get(`${request.method} ${path}`) ?? defaultAnswer(request.method, path)
      const { status = 200, body = { message: 'nothing here' }, afterMs = 0, stallMs = 0, headers = {} } = given
      const answer = given.text ?? JSON.stringify(body)
      for (const [call, next] of Object.entries(given.sets ?? {})) answers.set(call, next)
      const send = () => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        if (stallMs === 0) response.end(answer)
        else {
          // The headers and the first byte are sent immediately, the rest late.
          response.write(answer.slice(0, 1))
          setTimeout(() => response.end(answer.slice(1)), stallMs)
        }
      }
      setTimeout(() => void Promise.resolve(given.until).then(send), afterMs)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  afterTestFile(() => new Promise((done) => server.close(done)))
  return {
    asked,
    answers,
    url: `http://127.0.0.1:${port}`,
    /** How often a call such as `POST /checkouts` was made. */
    countOf: (call: string) => asked.filter(({ method, path }) => `${method} ${path.split('?')[0]}` === call).length,
  }
}

type Provider = Awaited<ReturnType<typeof startProvider>>
type Buyer = Pick<TestUser, 'browser'>

/** Starts a checkout for a buyer, or for an organization. Returns the customer and the signed metadata. */
export async function startCheckout(provider: Provider, { browser }: Buyer, more: object = {}) {
  await browser.trpc.payment.createCheckout.mutate({ product_id: `pdt_${newEventId()}`, ...more })
  const { body } = provider.asked.at(-1) ?? {}
  return { customerId: String(body.customer.customer_id), metadata: body.metadata as Record<string, string> }
}

/** Metadata of a payment made through a static link of this seller, or of an organization. */
export async function linkMetadata({ browser }: Buyer, more: object = {}): Promise<Record<string, string>> {
  const { url } = await browser.trpc.payment.checkoutLink.mutate({ productId: 'pdt_1', ...more })
  const named = [...new URL(url).searchParams].filter(([key]) => key.startsWith('metadata_'))
  return Object.fromEntries(named.map(([key, value]) => [key.slice('metadata_'.length), value]))
}

/** Ids of the payments that a buyer, or an organization, sees. */
export const paymentsOf = async ({ browser }: Buyer, of: object = {}): Promise<string[]> =>
  (await browser.trpc.payment.payments.query(of)).map(({ id }) => id)

/** Ids of the subscriptions that a buyer, or an organization, sees. */
export const subscriptionsOf = async ({ browser }: Buyer, of: object = {}): Promise<string[]> =>
  (await browser.trpc.payment.subscriptions.query(of)).map(({ id }) => id)

/** Ids of the customers whose portals a buyer, or an organization, may open. */
export const customersOf = async ({ browser }: Buyer, of: object = {}): Promise<string[]> =>
  (await browser.trpc.payment.customers.query(of)).map(({ id }) => id)

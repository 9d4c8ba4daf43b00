import { describe, expect, it } from 'vitest'
import { isEntitled } from '../../shared/payment.ts'
import type { Browser } from '../testing/browser.ts'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import {
  customer,
  deliver,
  newEventId,
  startProvider,
  payment,
  subscription,
  webhookKey,
  shopSettings,
} from '../testing/payments.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { changeEmail, signUpWithFormerEmail, createUser, newUserData } from '../testing/test-users.ts'
import { reconcile } from './reconciliation/reconcile.ts'

const provider = await startProvider()
const admin = newUserData()
const settings = { ...shopSettings(provider.url), ADMIN_EMAILS: admin.email }
const testApp = await createTestApp(settings)
const patient = await createTestApp({ ...settings, PAYMENT_GRACE: '259200' })
const off = await createTestApp()
const away = await createTestApp({ ...settings, DODO_PAYMENTS_BASE_URL: 'http://127.0.0.1:9' })

const api = (path: string) => `${testApp.origin}/api/payments${path}`
const post = async (person: { browser: Browser }, path: string, body: object) => {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return person.browser.request(api(path), init)
}

describe('entitlement', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const future = '2026-12-01T00:00:00Z'
  const past = '2026-11-01T00:00:00Z'
  it.each([
    ['active', null, false, 0, true],
    ['active', past, false, 0, true],
    ['cancelled', future, true, 0, true],
    ['cancelled', future, false, 0, false],
    ['cancelled', past, true, 0, false],
    ['cancelled', null, true, 0, false],
    ['on_hold', future, false, 0, false],
    ['on_hold', future, false, 7200, true],
    ['on_hold', future, false, 1800, false],
    ['paused', future, false, 7200, false],
    ['pending', future, false, 0, false],
    ['failed', future, true, 0, false],
    ['expired', future, true, 0, false],
    ['something_new', future, true, 0, false],
    [null, future, true, 0, false],
  ] as const)(
    '%s, billed next %s, ends then: %s, grace %d s: %s',
    (status, nextBillingDate, cancelAtNextBillingDate, graceSeconds, expected) => {
      const since = '2026-11-20T11:00:00Z'
      expect(isEntitled({ status, nextBillingDate, cancelAtNextBillingDate, since }, { now, graceSeconds })).toBe(
        expected,
      )
    },
  )
})

describe('a checkout', () => {
  it('accepts every specified field, and takes the customer from the session', async () => {
    const person = await createUser(testApp)
    provider.answers.set('POST /checkouts', { body: { session_id: 'cks_1', checkout_url: 'https://checkout.test/1' } })
    const answer = await post(person, '/checkout', {
      product_id: 'pdt_pro',
      quantity: 2,
      billing: { city: 'Berlin', country: 'DE', state: 'BE', street: 'Allee 1', zipcode: '10115' },
      customer: { customer_id: 'cus_of_somebody', email: 'other@example.test', name: 'Other' },
      discount_id: 'HALF',
      addons: [{ addon_id: 'add_1', quantity: 3 }],
      metadata: { campaign: 'winter', user_id: 'a caller’s own' },
      currency: 'eur',
    })
    expect([answer.status, answer.body]).toEqual([200, { checkoutUrl: 'https://checkout.test/1' }])
    const sent = provider.asked.at(-1)
    expect(sent?.authorization).toBe('Bearer the key of the shop')
    expect(sent?.body).toEqual({
      product_cart: [{ product_id: 'pdt_pro', quantity: 2, addons: [{ addon_id: 'add_1', quantity: 3 }] }],
      customer: { customer_id: expect.stringMatching(/^cus_/) },
      customization: { force_language: 'en' },
      billing_address: { city: 'Berlin', country: 'DE', state: 'BE', street: 'Allee 1', zipcode: '10115' },
      discount_code: 'HALF',
      billing_currency: 'EUR',
      metadata: {
        campaign: 'winter',
        user_id: 'a caller’s own',
        foyer_owner: `user:${person.id}`,
        foyer_checkout: expect.any(String),
        foyer_customer: sent?.body.customer.customer_id,
        foyer_proof: expect.stringMatching(/^.{43}$/),
      },
      return_url: expect.stringMatching(/\/billing\/return\?since=\d+$/),
      cancel_url: expect.stringMatching(/\/billing\/return\?since=\d+&canceled=1$/),
    })
    const cart = [
      { product_id: 'pdt_a', quantity: 1 },
      { product_id: 'pdt_b', quantity: 4 },
    ]
    await person.browser.trpc.payment.createCheckout.mutate({ product_cart: cart })
    expect(provider.asked.at(-1)?.body.product_cart).toEqual(cart)
    const addons = [{ addon_id: 'add_1', quantity: 3 }]
    await person.browser.trpc.payment.createCheckout.mutate({ product_cart: cart.slice(0, 1), addons })
    expect(provider.asked.at(-1)?.body.product_cart).toEqual([{ ...cart[0], addons }])
  })

  it('is reused on repeated clicks, and a new one is created after the payment', async () => {
    const person = await createUser(testApp)
    provider.answers.set('POST /checkouts', {
      body: { session_id: 'cks_2', checkout_url: 'https://checkout.test/2' },
      afterMs: 200,
    })
    const before = provider.countOf('POST /checkouts')
    const click = () => person.browser.trpc.payment.createCheckout.mutate({ product_id: 'pdt_pro' })
    const all = await Promise.all(Array.from({ length: 10 }, click))
    expect(new Set(all.map(({ checkoutUrl }) => checkoutUrl))).toEqual(new Set(['https://checkout.test/2']))
    expect(provider.countOf('POST /checkouts') - before).toBe(1)
    const { customer_id } = provider.asked.at(-1)?.body.customer ?? {}
    await deliver(testApp, 'payment.succeeded', payment({ customer: customer(person.email, customer_id) }))
    await click()
    expect(provider.countOf('POST /checkouts') - before).toBe(2)
    expect(provider.asked.at(-1)?.body.customer).toEqual({ customer_id })
  })

  it('for an organization requires the billing permission', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const organizationId = owner.organization.id
    await owner.browser.trpc.payment.createCheckout.mutate({ product_id: 'pdt_team', organizationId })
    const { metadata, customer: buyer, return_url } = provider.asked.at(-1)?.body ?? {}
    expect(metadata).toMatchObject({ foyer_owner: `organization:${organizationId}` })
    // The organization has its own customer, separate from that of the user who started the checkout.
    await owner.browser.trpc.payment.createCheckout.mutate({ product_id: 'pdt_team' })
    expect(provider.asked.at(-1)?.body.customer).not.toEqual(buyer)
    expect(return_url).toContain(`organization=${organizationId}`)
    for (const id of [organizationId, 'unknown']) {
      const { status, body } = await post(member, '/checkout', { product_id: 'pdt_team', organizationId: id })
      expect([status, body.message]).toEqual([403, 'You are not allowed to manage billing'])
    }
  })

  it.each([
    [422, 400, 'PAYMENT_WAS_REFUSED'],
    [404, 400, 'PAYMENT_WAS_REFUSED'],
    [401, 502, 'PAYMENT_PROVIDER_REJECTED_CREDENTIALS'],
    [429, 503, 'PAYMENT_PROVIDER_UNAVAILABLE'],
    [500, 503, 'PAYMENT_PROVIDER_UNAVAILABLE'],
  ])('maps the provider’s status %d to %d', async (theirs, ours, code) => {
    const person = await createUser(testApp)
    provider.answers.set('POST /checkouts', { status: theirs, body: { message: 'secret detail' } })
    const before = provider.countOf('POST /checkouts')
    const answer = await post(person, '/checkout', { product_id: `pdt_${theirs}` })
    provider.answers.set('POST /checkouts', {
      body: { session_id: 'cks', checkout_url: 'https://checkout.test/again' },
    })
    expect([answer.status, answer.body.code]).toEqual([ours, code])
    expect(answer.text).not.toContain('secret detail')
    expect(provider.countOf('POST /checkouts') - before).toBe(1)
    expect((await post(person, '/checkout', { product_id: `pdt_${theirs}` })).status).toBe(200)
  })

  it('refuses malformed input; a disabled or unavailable provider affects nothing else', async () => {
    const person = await createUser(testApp)
    for (const body of [
      {},
      { product_id: 'a', product_cart: [{ product_id: 'a', quantity: 1 }] },
      { product_id: 'a', quantity: 0 },
      { product_cart: [] },
      // Add-ons of which product?
      {
        product_cart: ['a', 'b'].map((product_id) => ({ product_id, quantity: 1 })),
        addons: [{ addon_id: 'c', quantity: 1 }],
      },
      { product_id: 'a', metadata: { 'a b': 'x' } },
      { product_id: 'a', metadata: { foyer_owner: 'user:1' } },
      { product_id: 'a', metadata: { Foyer_checkout: 'x' } },
      { product_id: 'a', currency: '1!!' },
      { product_id: 'a', billing: { country: 'DE' } },
    ]) {
      expect((await post(person, '/checkout', body)).status).toBe(400)
    }
    const calm = await createUser(off)
    await expect(calm.browser.trpc.payment.createCheckout.mutate({ product_id: 'a' })).rejects.toThrow(
      "Payments aren't enabled",
    )
    expect(await calm.browser.trpc.payment.products.query()).toEqual([])
    expect(await calm.browser.trpc.payment.payments.query()).toEqual([])
    const lonely = await createUser(away)
    await expect(lonely.browser.trpc.payment.createCheckout.mutate({ product_id: 'a' })).rejects.toThrow(
      'does not answer',
    )
    expect((await lonely.browser.get('/get-session')).body.user.email).toBe(lonely.email)
    const nobody = await fetch(api('/products'))
    expect(nobody.status).toBe(401)
  })
})

describe('the checkout link', () => {
  const build = async (options: object) => {
    const person = await createUser(testApp)
    const answer = await post(person, '/checkout-link', options)
    return { person, answer, url: answer.status === 200 ? new URL(answer.body.url) : undefined }
  }

  it('accepts every option', async () => {
    const { url, person } = await build({
      productId: 'pdt/1 ?',
      firstName: 'Ada',
      lastName: 'L & Co',
      fullName: 'left out beside its parts',
      email: 'ada@example.test',
      country: 'DE',
      addressLine: 'Allee 1',
      city: 'Berlin',
      state: 'BE',
      zipCode: '10115',
      disableFirstName: true,
      disableLastName: true,
      disableEmail: true,
      disableCountry: true,
      disableAddressLine: true,
      disableCity: true,
      disableState: true,
      disableZipCode: true,
      paymentCurrency: 'eur',
      showCurrencySelector: false,
      paymentAmount: 0,
      showDiscounts: true,
      metadata: { campaign: 'winter' },
    })
    expect(url?.origin).toBe('https://test.checkout.dodopayments.com')
    expect(url?.pathname).toBe('/buy/pdt%2F1%20%3F')
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      quantity: '1',
      redirect_url: expect.stringContaining(`${testApp.origin}/billing/return?since=`),
      firstName: 'Ada',
      disableFirstName: 'true',
      lastName: 'L & Co',
      disableLastName: 'true',
      email: 'ada@example.test',
      disableEmail: 'true',
      country: 'DE',
      disableCountry: 'true',
      addressLine: 'Allee 1',
      disableAddressLine: 'true',
      city: 'Berlin',
      disableCity: 'true',
      state: 'BE',
      disableState: 'true',
      zipCode: '10115',
      disableZipCode: 'true',
      paymentCurrency: 'EUR',
      showCurrencySelector: 'false',
      paymentAmount: '0',
      showDiscounts: 'true',
      metadata_campaign: 'winter',
      metadata_foyer_owner: `user:${person.id}`,
      metadata_foyer_checkout: expect.any(String),
      metadata_foyer_proof: expect.stringMatching(/^.{43}$/),
    })
    const { url: whole } = await build({ productId: 'p', quantity: 3, fullName: 'Ada', disableFullName: true })
    expect(whole?.search).toContain('quantity=3')
    expect(whole?.search).toContain('fullName=Ada&disableFullName=true')
  })

  it('refuses a disable flag without its value', async () => {
    expect((await build({ productId: 'p', disableEmail: true })).answer.status).toBe(400)
    expect((await build({ productId: 'p', disableEmail: false })).answer.status).toBe(200)
    expect((await build({})).answer.status).toBe(400)
    const odd = [{ email: 'nonsense' }, { country: '1!' }, { metadata: { foyer_owner: 'x' } }, { paymentCurrency: 'E' }]
    for (const more of odd) expect((await build({ productId: 'p', ...more })).answer.status).toBe(400)
  })
})

describe('payments with incomplete settings', () => {
  it('the webhook works with its own key; only calls to the provider need the API key', async () => {
    const half = await createTestApp({ DODO_PAYMENTS_WEBHOOK_KEY: webhookKey })
    const person = await createUser(half)
    const bought = payment({ customer: customer(person.email) })
    expect((await deliver(half, 'payment.succeeded', bought)).status).toBe(200)
    expect(await person.browser.trpc.payment.payments.query({})).toMatchObject([{ id: bought.payment_id }])
    await expect(person.browser.trpc.payment.portal.mutate()).rejects.toThrow("Payments aren't enabled")
    expect(await person.browser.trpc.session.options.query()).toMatchObject({ hasPayments: true, hasCheckout: false })
  })
})

describe('portal, products and lists', () => {
  it('the portal is available to customers only', async () => {
    const person = await createUser(testApp)
    await expect(person.browser.trpc.payment.portal.mutate()).rejects.toThrow('There are no purchases yet')
    const buyer = customer(person.email)
    await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
    provider.answers.set(`POST /customers/${buyer.customer_id}/customer-portal/session`, {
      body: { link: 'https://portal.test/x' },
    })
    expect(await person.browser.trpc.payment.portal.mutate()).toEqual({ link: 'https://portal.test/x' })
    expect(provider.asked.at(-1)?.path).toContain(encodeURIComponent(`${testApp.origin}/billing`))
  })

  it('the former and the next holder of an address never see each other’s purchases (SEC-116)', async () => {
    const former = await createUser(testApp)
    const shared = customer(former.email)
    const first = payment({ customer: shared })
    await deliver(testApp, 'payment.succeeded', first)
    const portal = `POST /customers/${shared.customer_id}/customer-portal/session`
    provider.answers.set(portal, { body: { link: 'https://portal.test/shared' } })
    await changeEmail(testApp, former)

    const next = await signUpWithFormerEmail(testApp, former.email)
    const second = payment({ customer: shared })
    await deliver(testApp, 'payment.succeeded', second)
    const bought = async (browser: Browser) => (await browser.trpc.payment.payments.query({})).map(({ id }) => id)
    expect(await bought(former.browser)).toEqual([first.payment_id])
    expect(await bought(next)).toEqual([second.payment_id])
    // The provider's portal shows all purchases of a customer, so now neither user may open it.
    await expect(former.browser.trpc.payment.portal.mutate()).rejects.toThrow('There are no purchases yet')
    await expect(next.trpc.payment.portal.mutate()).rejects.toThrow('There are no purchases yet')
  })

  it('the new holder of an address gets no access to earlier purchases; the payer keeps it', async () => {
    const payer = await createUser(testApp)
    const known = customer(payer.email)
    const plan = subscription({ customer: known })
    await deliver(testApp, 'subscription.active', plan)
    const portal = `POST /customers/${known.customer_id}/customer-portal/session`
    provider.answers.set(portal, { body: { link: 'https://portal.test/payer' } })
    const email = await changeEmail(testApp, payer)
    expect(await payer.browser.trpc.payment.portal.mutate()).toEqual({ link: 'https://portal.test/payer' })
    const next = await signUpWithFormerEmail(testApp, payer.email)
    await expect(next.trpc.payment.portal.mutate()).rejects.toThrow('There are no purchases yet')
    await deliver(testApp, 'subscription.cancelled', { ...plan, status: 'cancelled' })
    // Notifications about the subscription go to its owner.
    expect((await testApp.mails(email)).map(({ kind }) => kind)).toContain('subscriptionEnded')
    expect((await testApp.mails(payer.email)).map(({ kind }) => kind)).not.toContain('subscriptionEnded')
  })

  it('a renewal without metadata belongs to the owner of its subscription, not to the next holder of the address', async () => {
    const payer = await createUser(testApp)
    const known = customer(payer.email)
    const plan = subscription({ customer: known })
    await deliver(testApp, 'subscription.active', plan)
    const email = await changeEmail(testApp, payer)
    const next = await signUpWithFormerEmail(testApp, payer.email)
    const renewal = payment({ customer: known, subscription_id: plan.subscription_id, status: 'failed' })
    await deliver(testApp, 'payment.failed', renewal)
    const bought = async (browser: Browser) => (await browser.trpc.payment.payments.query({})).map(({ id }) => id)
    expect(await bought(payer.browser)).toEqual([renewal.payment_id])
    expect(await bought(next)).toEqual([])
    expect((await testApp.mails(email)).map(({ kind }) => kind)).toContain('paymentFailed')
    expect((await testApp.mails(payer.email)).map(({ kind }) => kind)).not.toContain('paymentFailed')
  })

  it('a failed payment neither opens a portal nor closes another user’s', async () => {
    const [owner, outsider] = [await createUser(testApp), await createUser(testApp)]
    const known = customer(owner.email)
    await deliver(testApp, 'payment.succeeded', payment({ customer: known }))
    provider.answers.set(`POST /customers/${known.customer_id}/customer-portal/session`, {
      body: { link: 'https://portal.test/owner' },
    })
    // Bought with the owner's email address through a link of the outsider's, with the outsider's signed metadata.
    await outsider.browser.trpc.payment.createCheckout.mutate({ product_id: 'pdt_pro' })
    const { metadata } = provider.asked.at(-1)?.body ?? {}
    await deliver(testApp, 'payment.failed', payment({ customer: known, metadata, status: 'failed' }))
    expect(await owner.browser.trpc.payment.portal.mutate()).toEqual({ link: 'https://portal.test/owner' })
    await expect(outsider.browser.trpc.payment.portal.mutate()).rejects.toThrow('There are no purchases yet')
  })

  it('the first payment of a subscription may arrive before the subscription', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const plan = subscription({ customer: buyer })
    const first = payment({ customer: buyer, subscription_id: plan.subscription_id })
    await deliver(testApp, 'payment.succeeded', first)
    await deliver(testApp, 'subscription.active', plan)
    const payments = await person.browser.trpc.payment.payments.query({})
    expect(payments.map(({ id }) => id)).toEqual([first.payment_id])
    expect(await person.browser.trpc.payment.subscriptions.query({})).toHaveLength(1)
  })

  it('an event for a deleted organization is kept, and never fails', async () => {
    const owner = await createOrganizationOwner(testApp)
    provider.answers.set('POST /checkouts', { body: { session_id: 'cks_3', checkout_url: 'https://checkout.test/3' } })
    const organizationId = owner.organization.id
    await owner.browser.trpc.payment.createCheckout.mutate({ product_id: 'pdt_gone', organizationId })
    const { metadata } = provider.asked.at(-1)?.body ?? {}
    await owner.browser.post('/organization/delete', { organizationId })
    const event = payment({ customer: customer('billing@gone.test'), metadata })
    await deliver(testApp, 'payment.succeeded', event)
    const kept = await testApp.db.paymentEvent.findFirstOrThrow({ where: { subjectId: event.payment_id } })
    expect([kept.stateReason, kept.appliedAt]).toEqual([null, null])
  })

  it('a late, older event does not revert the customer’s address', async () => {
    const person = await createUser(testApp)
    const id = customer(person.email).customer_id
    const now = new Date()
    await deliver(testApp, 'payment.succeeded', payment({ customer: customer(person.email, id) }), { at: now })
    const late = new Date(now.getTime() - 100_000)
    await deliver(testApp, 'payment.succeeded', payment({ customer: customer('old@example.test', id) }), { at: late })
    expect((await testApp.db.customer.findUniqueOrThrow({ where: { customerId: id } })).email).toBe(person.email)
  })

  it('products are cached for five minutes', async () => {
    const person = await createUser(testApp)
    provider.answers.set('GET /products', {
      body: {
        items: [
          { product_id: 'pdt_pro', name: 'Pro', description: null, price: 1900, currency: 'EUR', is_recurring: true },
        ],
      },
    })
    const first = await person.browser.get(api('/products'))
    expect(first.body).toEqual([
      {
        id: 'pdt_pro',
        name: 'Pro',
        description: null,
        price: 1900,
        currency: 'EUR',
        isRecurring: true,
        isTaxIncluded: null,
        interval: null,
        intervalCount: null,
        trialDays: null,
        features: [],
      },
    ])
    const asked = provider.asked.length
    await person.browser.get(api('/products'))
    expect(provider.asked).toHaveLength(asked)
  })

  it('payments are listed in pages, newest first, and summed by month', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    for (let day = 1; day <= 5; day++) {
      await deliver(
        testApp,
        'payment.succeeded',
        payment({ customer: buyer, total_amount: day * 100, created_at: `2026-11-0${day}T10:00:00Z` }),
      )
    }
    const first = await person.browser.trpc.payment.payments.query({ limit: 3 })
    const rest = await person.browser.trpc.payment.payments.query({ limit: 3, cursor: first.at(-1)?.id })
    expect([...first, ...rest].map(({ amount }) => amount)).toEqual([500, 400, 300, 200, 100])
    expect(await person.browser.trpc.payment.months.query()).toEqual([
      { month: '2026-11', currency: 'EUR', amount: 1500 },
    ])
    const other = await createUser(testApp)
    expect(await other.browser.trpc.payment.payments.query({ cursor: first[0]?.id })).toEqual([])
  })

  it('the payments table is sorted, filtered by status and paged, only for its owner', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const paid = async (amount: number, status: string) => {
      const made = payment({ customer: buyer, total_amount: amount, status, created_at: '2026-11-05T10:00:00Z' })
      await deliver(testApp, `payment.${status}`, made)
      return made.payment_id
    }
    for (const amount of [300, 100, 200]) await paid(amount, 'succeeded')
    await paid(50, 'failed')
    const refunded = await paid(400, 'succeeded')
    await deliver(testApp, 'refund.succeeded', {
      refund_id: newEventId(),
      payment_id: refunded,
      amount: 150,
      currency: 'EUR',
      status: 'succeeded',
      created_at: '2026-11-06T10:00:00Z',
    })
    const ask = (more: object) => person.browser.trpc.payment.search.query(more)
    const amounts = async (more: object) => (await ask(more)).payments.map(({ amount }) => amount)
    expect(await amounts({ sort: 'amount', descending: false })).toEqual([50, 100, 200, 300, 400])
    expect(await amounts({ sort: 'amount', limit: 2, offset: 2 })).toEqual([200, 100])
    expect((await ask({ limit: 2 })).total).toBe(5)
    expect(await amounts({ status: 'failed' })).toEqual([50])
    expect((await ask({ status: 'refunded' })).payments).toMatchObject([{ id: refunded, refunded: 150 }])
    expect(await amounts({ search: '4.00' })).toEqual([400])
    expect(await amounts({ search: '4.00', status: 'failed' })).toEqual([])
    // By the decimals of the currency, as the table shows them, not by those of cash.
    for (const [amount, currency] of [
      [199_900, 'HUF'],
      [19_990, 'KWD'],
      [1_999, 'JPY'],
    ] as const)
      await deliver(testApp, 'payment.succeeded', payment({ customer: buyer, total_amount: amount, currency }))
    expect(await amounts({ search: '1999' })).toEqual(expect.arrayContaining([199_900, 1_999]))
    expect(await amounts({ search: '1999.00' })).toEqual([199_900])
    for (const typed of ['19.990', '19,99'])
      expect([typed, await amounts({ search: typed })]).toEqual([typed, [19_990]])
    expect(await amounts({ search: '20' })).toEqual([])
    expect((await ask({ search: refunded.slice(4, -1).toUpperCase() })).payments).toMatchObject([{ id: refunded }])
    expect((await ask({ search: '%' })).total).toBe(0)
    const other = await createUser(testApp)
    expect(await other.browser.trpc.payment.search.query({})).toEqual({ payments: [], total: 0 })
    expect(await other.browser.trpc.payment.search.query({ search: refunded })).toEqual({ payments: [], total: 0 })
    const { organization } = await createOrganizationOwner(testApp)
    await expect(ask({ organizationId: organization.id })).rejects.toThrow('manage billing')
  })
})

describe('a subscription that is past due', () => {
  it('ends at the same time, whichever of its events arrives first', async () => {
    const person = await createUser(testApp)
    const end = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const plan = subscription({ customer: customer(person.email), status: 'past_due' })
    // The newer event does not contain the end, and arrives first.
    await deliver(testApp, 'subscription.updated', plan, { at: new Date(Date.now() - 30_000) })
    const late = { ...plan, past_due_ends_at: end }
    await deliver(testApp, 'subscription.past_due', late, { at: new Date(Date.now() - 60_000) })
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ pastDueEndsAt: end }])
    expect(await person.browser.trpc.payment.entitlements.query()).toMatchObject([{ until: end }])
  })

  it('is not reported when only a new card could not be verified', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', plan)
    const failed = { status: 'failed', subscription_id: plan.subscription_id, customer: plan.customer }
    await deliver(testApp, 'payment.failed', payment({ ...failed, is_update_payment_method: true }))
    expect((await testApp.mails(person.email)).map(({ kind }) => kind)).not.toContain('paymentFailed')
    await deliver(testApp, 'payment.failed', payment(failed))
    expect((await testApp.mails(person.email)).map(({ kind }) => kind)).toContain('paymentFailed')
  })
})

describe('administrators', () => {
  async function administrator() {
    const browser = testApp.browser()
    if (!(await testApp.db.user.findUnique({ where: { email: admin.email } }))) {
      await browser.post('/sign-up/email', admin)
      await browser.get(await emailedLink(testApp, admin.email))
    } else await browser.post('/sign-in/email', admin)
    return browser
  }

  it('are the users of ADMIN_EMAILS, once their address is verified', async () => {
    const browser = await administrator()
    expect((await browser.get('/get-session')).body.user.role).toBe('admin')
    const person = await createUser(testApp)
    for (const call of [
      () => person.browser.trpc.admin.openPaymentEvents.query(),
      () => person.browser.trpc.admin.disputes.query(),
      () => person.browser.trpc.admin.processAgain.mutate({ eventId: 'x' }),
      () => person.browser.trpc.admin.assign.mutate({ eventId: 'x', email: person.email }),
    ]) {
      await expect(call()).rejects.toThrow('You are not an administrator')
    }
    await expect(testApp.browser().trpc.admin.openPaymentEvents.query()).rejects.toThrow('Unauthorized')
  })

  it('list unassigned events and assign them', async () => {
    const browser = await administrator()
    const person = await createUser(testApp)
    const buyer = customer('not-known@example.test')
    const bought = payment({ customer: buyer })
    const one = await deliver(testApp, 'payment.succeeded', bought)
    const two = await deliver(testApp, 'subscription.active', subscription({ customer: buyer }))
    const waiting = await browser.trpc.admin.openPaymentEvents.query({ limit: 100 })
    expect(waiting.filter(({ id }) => id === one.id || id === two.id)).toMatchObject([
      {
        subjectId: bought.payment_id,
        customerId: buyer.customer_id,
        email: 'not-known@example.test',
        stateReason: null,
        price: { amount: bought.total_amount, currency: bought.currency },
      },
      { type: 'subscription.active', price: { amount: 1900, currency: 'EUR' } },
    ])
    expect(await browser.trpc.admin.processAgain.mutate({ eventId: one.id })).toEqual({ isAssigned: false })
    await expect(browser.trpc.admin.assign.mutate({ eventId: one.id, email: 'nobody@example.test' })).rejects.toThrow(
      'Owner not found',
    )
    await expect(browser.trpc.admin.assign.mutate({ eventId: 'unknown', email: person.email })).rejects.toThrow(
      'Event not found',
    )
    await browser.trpc.admin.assign.mutate({ eventId: one.id, email: person.email.toUpperCase() })
    const left = await browser.trpc.admin.openPaymentEvents.query({ limit: 100 })
    expect(left.some(({ id }) => id === one.id || id === two.id)).toBe(false)
    expect(await person.browser.trpc.payment.payments.query()).toMatchObject([{ id: bought.payment_id }])
    expect(await person.browser.trpc.payment.subscriptions.query()).toHaveLength(1)
  })

  it('assign a purchase without a customer, and correct an assignment', async () => {
    const browser = await administrator()
    const [one, other] = [await createUser(testApp), await createUser(testApp)]
    const lonely = await deliver(testApp, 'payment.succeeded', payment({ customer: null }))
    await deliver(testApp, 'payment.succeeded', payment({ customer: { customer_id: '', email: '', name: '' } }))
    await browser.trpc.admin.assign.mutate({ eventId: lonely.id, email: one.email })
    expect(await one.browser.trpc.payment.payments.query()).toHaveLength(1)
    const buyer = customer('typed-wrong@example.test')
    const first = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
    await browser.trpc.admin.assign.mutate({ eventId: first.id, email: one.email })
    await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
    expect(await one.browser.trpc.payment.payments.query()).toHaveLength(3)
    await browser.trpc.admin.assign.mutate({ eventId: first.id, email: other.email })
    expect(await one.browser.trpc.payment.payments.query()).toHaveLength(1)
    expect(await other.browser.trpc.payment.payments.query()).toHaveLength(2)
  })

  it('who are demoted during their call can neither assign, process nor dismiss events', async () => {
    const browser = await administrator()
    const { id: adminId } = await testApp.db.user.findUniqueOrThrow({ where: { email: admin.email } })
    const person = await createUser(testApp)
    const { id: eventId } = await deliver(
      testApp,
      'payment.succeeded',
      payment({ customer: customer('a-demotion@example.test') }),
    )
    const role = `update "User" set role = $2 where id = $1`
    for (const send of [
      () => browser.trpc.admin.assign.mutate({ eventId, email: person.email }),
      () => browser.trpc.admin.processAgain.mutate({ eventId }),
      () => browser.trpc.admin.dismiss.mutate({ eventId, reason: 'Demoted' }),
    ]) {
      const answer = await withRowLock(testApp, role, [adminId, 'user'], async (release) => {
        const sent = send().then(
          () => 'done',
          (error: Error) => error.message,
        )
        await Promise.race([untilWaiting(testApp, 1), sent])
        await release()
        return sent
      })
      expect(answer).toBe('You are not an administrator')
      await testApp.pool.query(role, [adminId, 'admin'])
    }
    expect(await testApp.db.paymentEvent.findUnique({ where: { id: eventId } })).toMatchObject({ state: 'unassigned' })
    expect(await person.browser.trpc.payment.payments.query()).toEqual([])
  })

  it('list disputes, which is refused to all other users', async () => {
    const browser = await administrator()
    const dispute_id = newEventId()
    const data = {
      dispute_id,
      payment_id: 'pay_d',
      amount: '19.99',
      currency: 'EUR',
      dispute_stage: 'dispute',
      dispute_status: 'dispute_opened',
      remarks: 'why',
      created_at: '2026-11-01T10:00:00Z',
    }
    await deliver(testApp, 'dispute.opened', data)
    const found = async () => (await browser.trpc.admin.disputes.query()).find(({ id }) => id === dispute_id)
    expect(await found()).toMatchObject({
      amount: '19.99',
      status: 'dispute_opened',
      stage: 'dispute',
      email: null,
      payment: null,
    })
    // With the payment, which may arrive later.
    const buyer = customer('disputes@example.test')
    await deliver(testApp, 'payment.succeeded', payment({ payment_id: 'pay_d', customer: buyer, total_amount: 1999 }))
    expect(await found()).toMatchObject({
      email: 'disputes@example.test',
      payment: { amount: 1999, currency: 'EUR' },
    })
  })
})

describe('nightly reconciliation', () => {
  it('updates subscriptions from the provider', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', plan)
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: { ...plan, status: 'on_hold' } })
    await reconcile(testApp.app)
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([
      { status: 'on_hold', isEntitled: false },
    ])
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { status: 500, body: {} })
    await reconcile(testApp.app)
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ status: 'on_hold' }])
  })

  it('a malformed response for one does not block the others, and grace is not renewed', async () => {
    const person = await createUser(patient)
    const [first, second] = ['sub_000a', 'sub_000b'].map((subscription_id) =>
      subscription({ subscription_id, customer: customer(person.email), status: 'on_hold' }),
    )
    for (const plan of [first, second]) {
      await deliver(patient, 'subscription.on_hold', plan ?? {}, { at: new Date(Date.now() - 10 * 86_400_000) })
    }
    provider.answers.set('GET /subscriptions/sub_000a', { body: { oops: 1 } })
    provider.answers.set('GET /subscriptions/sub_000b', { body: second })
    await reconcile(patient.app)
    const row = await patient.db.subscription.findUniqueOrThrow({ where: { subscriptionId: 'sub_000b' } })
    expect(row.eventId).toMatch(/^reconciled-/)
    const plans = await person.browser.trpc.payment.subscriptions.query()
    expect(plans.map(({ isEntitled }) => isEntitled)).toEqual([false, false])
  })
})

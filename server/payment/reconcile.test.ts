import { expect, it } from 'vitest'
import {
  customer,
  deliver,
  createSignal,
  startProvider,
  payment,
  shopSettings,
  subscription,
} from '../testing/payments.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, signInElsewhere } from '../testing/test-users.ts'
import { reconcile } from './reconciliation/reconcile.ts'

async function shopWorld() {
  const provider = await startProvider()
  const testApp = await createTestApp({
    ...shopSettings(provider.url),
  })
  return { provider, testApp }
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

it('continues where it stopped, after the pause requested by the provider', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const plans = Array.from({ length: 12 }, () => subscription({ customer: customer(person.email) }))
  for (const plan of plans) {
    await deliver(testApp, 'subscription.active', plan)
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan })
  }
  const [, , , , , sixth = ''] = plans.map(({ subscription_id }) => subscription_id).toSorted()
  const path = `GET /subscriptions/${sixth}`
  const usual = provider.answers.get(path)
  provider.answers.set(path, { status: 429, body: {}, headers: { 'retry-after': '7' } })
  const rest = await reconcile(testApp.app)
  expect(rest).toEqual({ progress: { stage: 'subscriptions', page: 0, pauses: 1 }, afterSeconds: 7 })
  if (usual) provider.answers.set(path, usual)
  expect(await reconcile(testApp.app, rest?.progress)).toBeUndefined()
  for (const { subscription_id } of plans) {
    const count = provider.countOf(`GET /subscriptions/${subscription_id}`)
    expect([subscription_id, count]).toEqual([subscription_id, subscription_id === sixth ? 2 : 1])
  }
  // The next night compares each of them again.
  testApp.advanceClock(86_400)
  await reconcile(testApp.app)
  expect(provider.countOf(`GET /subscriptions/${plans[0]?.subscription_id}`)).toBe(
    plans[0]?.subscription_id === sixth ? 3 : 2,
  )
})

it('does not use our clock: a cancellation that follows applies even if our clock is ahead', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const plan = subscription({ customer: customer(person.email) })
  await deliver(testApp, 'subscription.active', plan)
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: { ...plan, quantity: 3 } })
  testApp.advanceClock(239)
  await reconcile(testApp.app)
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ quantity: 3 }])
  const at = new Date(Date.now() + 1_000)
  await deliver(testApp, 'subscription.cancelled', { ...plan, status: 'cancelled' }, { at })
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([
    { status: 'cancelled', isEntitled: false },
  ])
})

it('compares canceled subscriptions that still grant access, and those past due', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const canceled = subscription({
    customer: customer(person.email),
    status: 'cancelled',
    cancel_at_next_billing_date: true,
  })
  const late = subscription({ customer: customer(person.email), status: 'past_due' })
  for (const plan of [canceled, late]) {
    await deliver(testApp, 'subscription.updated', plan)
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: { ...plan, status: 'expired' } })
  }
  await reconcile(testApp.app)
  const plans = await person.browser.trpc.payment.subscriptions.query()
  expect(plans.map(({ status, isEntitled }) => [status, isEntitled])).toEqual([
    ['expired', false],
    ['expired', false],
  ])
})

it('finds subscriptions and payments that never arrived, and payments whose state is outdated', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const buyer = customer(person.email)
  const plan = subscription({ customer: buyer })
  const lost = payment({ customer: buyer })
  const stale = payment({ customer: buyer, status: 'processing' })
  const current = payment({ customer: buyer })
  const strange = payment({ customer: customer('nobody@example.test') })
  await deliver(testApp, 'payment.processing', stale)
  await deliver(testApp, 'payment.succeeded', current)
  const listed = [lost, { ...stale, status: 'succeeded' }, current, strange]
  provider.answers.set('GET /subscriptions', { body: { items: [plan] } })
  provider.answers.set('GET /payments', { body: { items: listed } })
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan })
  for (const one of listed) provider.answers.set(`GET /payments/${one.payment_id}`, { body: one })
  await reconcile(testApp.app)
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: plan.subscription_id }])
  const payments = await person.browser.trpc.payment.payments.query()
  expect(payments.map(({ id, status }) => [id, status]).toSorted()).toEqual(
    [lost, stale, current].map(({ payment_id }) => [payment_id, 'succeeded']).toSorted(),
  )
  expect(provider.countOf(`GET /payments/${current.payment_id}`)).toBe(0)
  // A purchase without an owner waits for an administrator, as if it had arrived as an event.
  expect(await testApp.db.paymentEvent.findMany({ where: { state: 'unassigned' } })).toMatchObject([
    { subjectId: strange.payment_id },
  ])
  expect(provider.asked.find(({ path }) => path.startsWith('/payments?'))?.path).toContain('created_at_gte=')
})

it.each([
  [500, 300],
  [503, 30],
  [401, undefined],
])('does not count an outage as a comparison: status %d', async (status, expected) => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  for (let n = 0; n < 12; n++) {
    const plan = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', plan)
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { status, body: {} })
  }
  provider.answers.set('GET /subscriptions', { status, body: {} })
  const rest = await reconcile(testApp.app)
  expect(rest?.afterSeconds).toBe(expected)
  const asked = provider.asked.filter(({ path }) => path.startsWith('/subscriptions/'))
  expect(asked.length).toBeLessThanOrEqual(5)
  expect(await testApp.db.subscription.count({ where: { comparedAt: { gt: new Date(1_000) } } })).toBe(0)
})

it('drops a response if an event has changed the row meanwhile', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const plan = subscription({ customer: customer(person.email) })
  await deliver(testApp, 'subscription.active', plan, { at: new Date(Date.now() - 60_000) })
  const headers = { date: new Date(Date.now() + 60_000).toUTCString() }
  const { signaled, signal } = createSignal()
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan, headers, until: signaled })
  const night = reconcile(testApp.app)
  await expect.poll(() => provider.countOf(`GET /subscriptions/${plan.subscription_id}`)).toBe(1)
  await deliver(testApp, 'subscription.on_hold', { ...plan, status: 'on_hold' })
  signal()
  await night
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ status: 'on_hold' }])
})

it('sends no emails about objects that never arrived as events', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const plan = subscription({ customer: customer(person.email), status: 'expired' })
  provider.answers.set('GET /subscriptions', { body: { items: [plan] } })
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan })
  await reconcile(testApp.app)
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ status: 'expired' }])
  expect((await testApp.mails(person.email)).map(({ kind }) => kind)).not.toContain('subscriptionEnded')
})

it('objects that always fail do not prevent others from being compared', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const plans = Array.from({ length: 12 }, () => subscription({ customer: customer(person.email) }))
  for (const [n, plan] of plans.entries()) {
    await deliver(testApp, 'subscription.active', plan)
    const answer = n < 6 ? { status: n % 2 === 0 ? 422 : 403, body: {} } : { body: plan }
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, answer)
  }
  for (const night of [1, 2, 3]) {
    expect([night, await reconcile(testApp.app)]).toEqual([night, undefined])
    for (const plan of plans.slice(6)) {
      const asked = provider.countOf(`GET /subscriptions/${plan.subscription_id}`)
      expect([night, plan.subscription_id, asked]).toEqual([night, plan.subscription_id, night])
    }
    testApp.advanceClock(86_400)
  }
})

it('ends a subscription that the provider does not know, once a renewal is due', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  // For example from the provider's test mode. It answers 404.
  const plan = subscription({ customer: customer(person.email), next_billing_date: inDays(2) })
  await deliver(testApp, 'subscription.active', plan)
  await reconcile(testApp.app)
  expect(provider.countOf(`GET /subscriptions/${plan.subscription_id}`)).toBe(1)
  testApp.advanceClock(3 * 86_400)
  // It knows none: the API key may be that of another mode.
  await reconcile(testApp.app)
  const statusOf = async () =>
    (await testApp.db.subscription.findUniqueOrThrow({ where: { subscriptionId: plan.subscription_id } })).status
  expect(await statusOf()).toBe('active')
  const known = subscription({ customer: customer((await createUser(testApp)).email), next_billing_date: inDays(30) })
  await deliver(testApp, 'subscription.active', known, { at: testApp.app.clock() })
  provider.answers.set(`GET /subscriptions/${known.subscription_id}`, { body: known })
  testApp.advanceClock(86_400)
  await reconcile(testApp.app)
  expect(await statusOf()).toBe('expired')
  const again = await signInElsewhere(testApp, person)
  expect(await again.trpc.payment.entitlements.query()).toEqual([])
  expect((await again.post('/delete-user', { password: person.password })).status).toBe(200)
})

it('finds license keys whose event was lost', async () => {
  const { provider, testApp } = await shopWorld()
  const person = await createUser(testApp)
  const buyer = customer(person.email)
  const bought = payment({ customer: buyer })
  await deliver(testApp, 'payment.succeeded', bought)
  const key = { id: 'lic_lost', key: 'KEY', status: 'active', customer_id: buyer.customer_id, product_id: 'pdt_1' }
  const item = { ...key, payment_id: bought.payment_id, created_at: new Date().toISOString() }
  provider.answers.set('GET /license_keys', { body: { items: [item] } })
  provider.answers.set('GET /license_keys/lic_lost', { body: item })
  await reconcile(testApp.app)
  expect(await person.browser.trpc.payment.licenseKeys.query()).toMatchObject([{ id: 'lic_lost', status: 'active' }])
  // A key that was disabled since is shown as such.
  provider.answers.set('GET /license_keys', { body: { items: [{ ...item, status: 'disabled' }] } })
  provider.answers.set('GET /license_keys/lic_lost', { body: { ...item, status: 'disabled' } })
  await reconcile(testApp.app)
  expect(await person.browser.trpc.payment.licenseKeys.query()).toMatchObject([{ id: 'lic_lost', status: 'disabled' }])
})

it('a subscription that is set to end ends on that day, even if its last event is lost', async () => {
  const { testApp } = await shopWorld()
  const person = await createUser(testApp)
  const ending = { cancel_at_next_billing_date: true, next_billing_date: inDays(1) }
  await deliver(testApp, 'subscription.updated', subscription({ customer: customer(person.email), ...ending }))
  expect(await person.browser.trpc.payment.entitlements.query()).toHaveLength(1)
  testApp.advanceClock(2 * 86_400)
  expect(await person.browser.trpc.payment.entitlements.query()).toEqual([])
})

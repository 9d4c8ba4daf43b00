import { expect, it } from 'vitest'
import { customer, deliver, gate, openProvider, payment, shopSettings, subscription } from '../testing/payments.ts'
import { signedIn, signInElsewhere } from '../testing/people.ts'
import { openWorld } from '../testing/world.ts'
import { reconcile } from './reconciliation/reconcile.ts'

async function shopWorld() {
  const provider = await openProvider()
  const world = await openWorld({
    ...shopSettings(provider.url),
  })
  return { provider, world }
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

it('continues where it stopped, after the pause requested by the provider', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const plans = Array.from({ length: 12 }, () => subscription({ customer: customer(person.email) }))
  for (const plan of plans) {
    await deliver(world, 'subscription.active', plan)
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan })
  }
  const [, , , , , sixth = ''] = plans.map(({ subscription_id }) => subscription_id).toSorted()
  const path = `GET /subscriptions/${sixth}`
  const usual = provider.answers.get(path)
  provider.answers.set(path, { status: 429, body: {}, headers: { 'retry-after': '7' } })
  const rest = await reconcile(world.app)
  expect(rest).toEqual({ progress: { stage: 'subscriptions', page: 0, pauses: 1 }, afterSeconds: 7 })
  if (usual) provider.answers.set(path, usual)
  expect(await reconcile(world.app, rest?.progress)).toBeUndefined()
  for (const { subscription_id } of plans) {
    const count = provider.countOf(`GET /subscriptions/${subscription_id}`)
    expect([subscription_id, count]).toEqual([subscription_id, subscription_id === sixth ? 2 : 1])
  }
  // The next night compares each of them again.
  world.travel(86_400)
  await reconcile(world.app)
  expect(provider.countOf(`GET /subscriptions/${plans[0]?.subscription_id}`)).toBe(
    plans[0]?.subscription_id === sixth ? 3 : 2,
  )
})

it('does not use our clock: a cancellation that follows applies even if our clock is ahead', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const plan = subscription({ customer: customer(person.email) })
  await deliver(world, 'subscription.active', plan)
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: { ...plan, quantity: 3 } })
  world.travel(239)
  await reconcile(world.app)
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ quantity: 3 }])
  const at = new Date(Date.now() + 1_000)
  await deliver(world, 'subscription.cancelled', { ...plan, status: 'cancelled' }, { at })
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([
    { status: 'cancelled', isEntitled: false },
  ])
})

it('compares canceled subscriptions that still grant access, and those past due', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const canceled = subscription({
    customer: customer(person.email),
    status: 'cancelled',
    cancel_at_next_billing_date: true,
  })
  const late = subscription({ customer: customer(person.email), status: 'past_due' })
  for (const plan of [canceled, late]) {
    await deliver(world, 'subscription.updated', plan)
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: { ...plan, status: 'expired' } })
  }
  await reconcile(world.app)
  const plans = await person.browser.trpc.payment.subscriptions.query()
  expect(plans.map(({ status, isEntitled }) => [status, isEntitled])).toEqual([
    ['expired', false],
    ['expired', false],
  ])
})

it('finds subscriptions and payments that never arrived, and payments whose state is outdated', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const buyer = customer(person.email)
  const plan = subscription({ customer: buyer })
  const lost = payment({ customer: buyer })
  const stale = payment({ customer: buyer, status: 'processing' })
  const current = payment({ customer: buyer })
  const strange = payment({ customer: customer('nobody@example.test') })
  await deliver(world, 'payment.processing', stale)
  await deliver(world, 'payment.succeeded', current)
  const listed = [lost, { ...stale, status: 'succeeded' }, current, strange]
  provider.answers.set('GET /subscriptions', { body: { items: [plan] } })
  provider.answers.set('GET /payments', { body: { items: listed } })
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan })
  for (const one of listed) provider.answers.set(`GET /payments/${one.payment_id}`, { body: one })
  await reconcile(world.app)
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: plan.subscription_id }])
  const payments = await person.browser.trpc.payment.payments.query()
  expect(payments.map(({ id, status }) => [id, status]).toSorted()).toEqual(
    [lost, stale, current].map(({ payment_id }) => [payment_id, 'succeeded']).toSorted(),
  )
  expect(provider.countOf(`GET /payments/${current.payment_id}`)).toBe(0)
  // A purchase without an owner waits for an administrator, as if it had arrived as an event.
  expect(await world.db.paymentEvent.findMany({ where: { state: 'unassigned' } })).toMatchObject([
    { subjectId: strange.payment_id },
  ])
  expect(provider.asked.find(({ path }) => path.startsWith('/payments?'))?.path).toContain('created_at_gte=')
})

it.each([
  [500, 300],
  [503, 30],
  [401, undefined],
])('does not count an outage as a comparison: status %d', async (status, expected) => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  for (let n = 0; n < 12; n++) {
    const plan = subscription({ customer: customer(person.email) })
    await deliver(world, 'subscription.active', plan)
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { status, body: {} })
  }
  provider.answers.set('GET /subscriptions', { status, body: {} })
  const rest = await reconcile(world.app)
  expect(rest?.afterSeconds).toBe(expected)
  const asked = provider.asked.filter(({ path }) => path.startsWith('/subscriptions/'))
  expect(asked.length).toBeLessThanOrEqual(5)
  expect(await world.db.subscription.count({ where: { comparedAt: { gt: new Date(1_000) } } })).toBe(0)
})

it('drops a response if an event has changed the row meanwhile', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const plan = subscription({ customer: customer(person.email) })
  await deliver(world, 'subscription.active', plan, { at: new Date(Date.now() - 60_000) })
  const headers = { date: new Date(Date.now() + 60_000).toUTCString() }
  const { opened, open } = gate()
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan, headers, until: opened })
  const night = reconcile(world.app)
  await expect.poll(() => provider.countOf(`GET /subscriptions/${plan.subscription_id}`)).toBe(1)
  await deliver(world, 'subscription.on_hold', { ...plan, status: 'on_hold' })
  open()
  await night
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ status: 'on_hold' }])
})

it('sends no emails about objects that never arrived as events', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const plan = subscription({ customer: customer(person.email), status: 'expired' })
  provider.answers.set('GET /subscriptions', { body: { items: [plan] } })
  provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: plan })
  await reconcile(world.app)
  expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ status: 'expired' }])
  expect((await world.mails(person.email)).map(({ kind }) => kind)).not.toContain('subscriptionEnded')
})

it('objects that always fail do not prevent others from being compared', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const plans = Array.from({ length: 12 }, () => subscription({ customer: customer(person.email) }))
  for (const [n, plan] of plans.entries()) {
    await deliver(world, 'subscription.active', plan)
    const answer = n < 6 ? { status: n % 2 === 0 ? 422 : 403, body: {} } : { body: plan }
    provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, answer)
  }
  for (const night of [1, 2, 3]) {
    expect([night, await reconcile(world.app)]).toEqual([night, undefined])
    for (const plan of plans.slice(6)) {
      const asked = provider.countOf(`GET /subscriptions/${plan.subscription_id}`)
      expect([night, plan.subscription_id, asked]).toEqual([night, plan.subscription_id, night])
    }
    world.travel(86_400)
  }
})

it('ends a subscription that the provider does not know, once a renewal is due', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  // For example from the provider's test mode. It answers 404.
  const plan = subscription({ customer: customer(person.email), next_billing_date: inDays(2) })
  await deliver(world, 'subscription.active', plan)
  await reconcile(world.app)
  expect(provider.countOf(`GET /subscriptions/${plan.subscription_id}`)).toBe(1)
  world.travel(3 * 86_400)
  // It knows none: the API key may be that of another mode.
  await reconcile(world.app)
  const statusOf = async () =>
    (await world.db.subscription.findUniqueOrThrow({ where: { subscriptionId: plan.subscription_id } })).status
  expect(await statusOf()).toBe('active')
  const known = subscription({ customer: customer((await signedIn(world)).email), next_billing_date: inDays(30) })
  await deliver(world, 'subscription.active', known, { at: world.app.clock() })
  provider.answers.set(`GET /subscriptions/${known.subscription_id}`, { body: known })
  world.travel(86_400)
  await reconcile(world.app)
  expect(await statusOf()).toBe('expired')
  const again = await signInElsewhere(world, person)
  expect(await again.trpc.payment.entitlements.query()).toEqual([])
  expect((await again.post('/delete-user', { password: person.password })).status).toBe(200)
})

it('finds license keys whose event was lost', async () => {
  const { provider, world } = await shopWorld()
  const person = await signedIn(world)
  const buyer = customer(person.email)
  const bought = payment({ customer: buyer })
  await deliver(world, 'payment.succeeded', bought)
  const key = { id: 'lic_lost', key: 'KEY', status: 'active', customer_id: buyer.customer_id, product_id: 'pdt_1' }
  const item = { ...key, payment_id: bought.payment_id, created_at: new Date().toISOString() }
  provider.answers.set('GET /license_keys', { body: { items: [item] } })
  provider.answers.set('GET /license_keys/lic_lost', { body: item })
  await reconcile(world.app)
  expect(await person.browser.trpc.payment.licenseKeys.query()).toMatchObject([{ id: 'lic_lost', status: 'active' }])
  // A key that was disabled since is shown as such.
  provider.answers.set('GET /license_keys', { body: { items: [{ ...item, status: 'disabled' }] } })
  provider.answers.set('GET /license_keys/lic_lost', { body: { ...item, status: 'disabled' } })
  await reconcile(world.app)
  expect(await person.browser.trpc.payment.licenseKeys.query()).toMatchObject([{ id: 'lic_lost', status: 'disabled' }])
})

it('a subscription that is set to end ends on that day, even if its last event is lost', async () => {
  const { world } = await shopWorld()
  const person = await signedIn(world)
  const ending = { cancel_at_next_billing_date: true, next_billing_date: inDays(1) }
  await deliver(world, 'subscription.updated', subscription({ customer: customer(person.email), ...ending }))
  expect(await person.browser.trpc.payment.entitlements.query()).toHaveLength(1)
  world.travel(2 * 86_400)
  expect(await person.browser.trpc.payment.entitlements.query()).toEqual([])
})

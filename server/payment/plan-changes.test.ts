import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import {
  customer,
  deliver,
  createSignal,
  startProvider,
  shopSettings,
  startCheckout,
  subscription,
} from '../testing/payments.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser } from '../testing/test-users.ts'
import { updateSeats } from './subscriptions/update-seats.ts'

const provider = await startProvider()
const testApp = await createTestApp(shopSettings(provider.url))
provider.answers.set('POST /checkouts', { body: { session_id: 'cks', checkout_url: 'https://checkout.test/1' } })
provider.answers.set('GET /products', {
  body: { items: [{ product_id: 'pdt_team', name: 'Team', is_recurring: true, metadata: { seats: 'members' } }] },
})
// Stores the products.
await (await createUser(testApp)).browser.trpc.payment.products.query()

/** An organization with a plan whose quantity follows its members. */
async function teamPlan(more: object = {}) {
  const owner = await createOrganizationOwner(testApp)
  const { customerId, metadata } = await startCheckout(provider, owner, { organizationId: owner.organization.id })
  const plan = subscription({ product_id: 'pdt_team', customer: customer(owner.email, customerId), metadata, ...more })
  const path = `/subscriptions/${plan.subscription_id}`
  await deliver(testApp, 'subscription.active', plan)
  const changes = () => provider.asked.filter((call) => call.path === `${path}/change-plan`).map(({ body }) => body)
  return { owner, plan, subscriptionId: plan.subscription_id, path, changes }
}

/** Answers a read of the subscription late, and resolves once it was requested. */
async function whileRead(path: string, body: object, work: () => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  const reads = provider.countOf(`GET ${path}`)
  provider.answers.set(`GET ${path}`, { body, stallMs: 500 })
  const working = work()
  while (provider.countOf(`GET ${path}`) === reads) await wait(10)
  await Promise.all([working, meanwhile()])
}

it('a change of plan is pending until its charge has succeeded, and is requested once', async () => {
  const { owner, plan, subscriptionId, path, changes } = await teamPlan()
  const { id: organizationId } = owner.organization
  const recorded = async () =>
    (
      await testApp.db.event.findMany({
        where: { type: 'payment.plan_changed', organizationId },
        orderBy: { id: 'asc' },
      })
    ).map(({ data }) => data)
  const change = (quantity: number) =>
    owner.browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_big', quantity })
  provider.answers.set(`POST ${path}/change-plan`, { body: {} })
  provider.answers.set(`GET ${path}`, { body: plan })
  expect(await change(1)).toEqual({ status: true, hasChanged: false })
  expect(changes()).toMatchObject([{ product_id: 'pdt_big', on_payment_failure: 'prevent_change' }])
  expect(await change(1)).toEqual({ status: true, hasChanged: false })
  expect(changes()).toHaveLength(1)
  expect(await recorded()).toMatchObject([{ productId: 'pdt_big', isPending: true }])
  provider.answers.set(`GET ${path}`, { body: { ...plan, product_id: 'pdt_big', quantity: 2 } })
  expect(await change(2)).toEqual({ status: true, hasChanged: true })
  expect(await recorded()).toMatchObject([{ isPending: true }, { productId: 'pdt_big', quantity: 2 }])
})

describe('the change of seats', () => {
  it('does not undo a change of the plan that was made while it read the subscription', async () => {
    const { owner, plan, path, changes } = await teamPlan()
    await createMember(testApp, owner)
    provider.answers.set(`POST ${path}/change-plan`, { body: {} })
    const at = new Date(Date.now() + 1_000)
    const event = () => deliver(testApp, 'subscription.plan_changed', { ...plan, product_id: 'pdt_big' }, { at })
    const { signaled, signal } = createSignal()
    provider.answers.set(`GET ${path}`, { body: plan, until: signaled })
    const updating = updateSeats(testApp.app)
    await expect.poll(() => provider.countOf(`GET ${path}`)).toBe(1)
    await event()
    signal()
    await updating
    expect(changes()).toEqual([])
  })

  it('is followed by a change of the plan that a user requests in the meantime', async () => {
    const { owner, plan, subscriptionId, path, changes } = await teamPlan()
    await createMember(testApp, owner)
    provider.answers.set(`POST ${path}/change-plan`, { body: {} })
    const change = () => owner.browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_big' })
    await whileRead(path, plan, () => updateSeats(testApp.app), change)
    expect(changes().map(({ product_id }) => product_id)).toEqual(['pdt_team', 'pdt_big'])
  })

  it('charges no one for seats after the subscription was transferred to a user', async () => {
    const { owner, plan, subscriptionId, path, changes } = await teamPlan()
    await createMember(testApp, owner)
    provider.answers.set(`POST ${path}/change-plan`, { body: {} })
    const transfer = () => owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })
    // The job holds the lease. The transfer waits, so that the organization is charged for its own seats.
    await whileRead(path, plan, () => updateSeats(testApp.app), transfer)
    expect(changes()).toMatchObject([{ quantity: 2 }])
    await updateSeats(testApp.app)
    expect(changes()).toHaveLength(1)
  })

  it('is not repeated after an error if the provider has made it', async () => {
    const { owner, plan, path, changes } = await teamPlan()
    await createMember(testApp, owner)
    provider.answers.set(`GET ${path}`, { body: plan })
    const made = { [`GET ${path}`]: { body: { ...plan, quantity: 2 } } }
    provider.answers.set(`POST ${path}/change-plan`, { status: 500, body: {}, sets: made })
    for (let n = 0; n < 3; n++) await updateSeats(testApp.app)
    testApp.advanceClock(7 * 3_600)
    await updateSeats(testApp.app)
    expect(changes()).toHaveLength(1)
  })

  it('keeps the discounts of the subscription', async () => {
    const discounts = [
      { code: 'SECOND', preserve_on_plan_change: true, position: 1 },
      { code: 'FIRST', preserve_on_plan_change: false, position: 0 },
      // They would start again, or be refused.
      { code: 'USED_UP', preserve_on_plan_change: false, position: 2, cycles_remaining: 0 },
      { code: 'EXPIRED', preserve_on_plan_change: false, position: 3, expires_at: '2026-01-01T00:00:00Z' },
    ]
    const { owner, plan, path, changes } = await teamPlan({ discounts })
    await createMember(testApp, owner)
    provider.answers.set(`GET ${path}`, { body: plan })
    provider.answers.set(`POST ${path}/change-plan`, { body: {} })
    await updateSeats(testApp.app)
    expect(changes()).toMatchObject([{ discount_codes: ['FIRST', 'SECOND'] }])
  })
})

describe('a change of the plan', () => {
  it('is made once, even if its event arrives before the answer and the user clicks again', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email) })
    const { subscription_id: subscriptionId } = plan
    const call = `POST /subscriptions/${subscriptionId}/change-plan`
    await deliver(testApp, 'subscription.active', plan)
    const { signaled, signal } = createSignal()
    provider.answers.set(call, { body: {}, until: signaled })
    const change = () => person.browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_big' })
    const first = change()
    while (provider.countOf(call) === 0) await wait(10)
    const at = new Date(Date.now() + 1_000)
    await deliver(testApp, 'subscription.plan_changed', { ...plan, product_id: 'pdt_big' }, { at })
    const second = change()
    signal()
    await Promise.all([first, second])
    expect(provider.countOf(call)).toBe(1)
  })

  it('is not repeated by clicks that waited for one which failed: the provider may have made it', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email) })
    const { subscription_id: subscriptionId } = plan
    const call = `POST /subscriptions/${subscriptionId}/change-plan`
    await deliver(testApp, 'subscription.active', plan)
    provider.answers.set(call, { status: 500, body: {}, afterMs: 500 })
    const change = () => person.browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_big' })
    const first = change()
    while (provider.countOf(call) === 0) await wait(10)
    await Promise.allSettled([first, change(), change()])
    expect(provider.countOf(call)).toBe(1)
  })

  it('keeps the quantity if it names none', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email), quantity: 5 })
    const { subscription_id: subscriptionId } = plan
    await deliver(testApp, 'subscription.active', plan)
    provider.answers.set(`POST /subscriptions/${subscriptionId}/change-plan`, { body: {} })
    await person.browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_big' })
    const { body } = provider.asked.findLast(({ path }) => path.endsWith('/change-plan')) ?? {}
    expect(body).toMatchObject({ product_id: 'pdt_big', quantity: 5 })
  })
})

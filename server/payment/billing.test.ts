import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import { createOrganizationOwner, createInvitation, createMember } from '../testing/organizations.ts'
import {
  customer,
  deliver,
  createSignal,
  newEventId,
  startProvider,
  payment,
  shopSettings,
  subscription,
} from '../testing/payments.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { createAdministrator, createUser, newUserData } from '../testing/test-users.ts'
import { notifyTrials } from './subscriptions/notify-trials.ts'
import { updateSeats } from './subscriptions/update-seats.ts'

const provider = await startProvider()
const admin = newUserData()
const testApp = await createTestApp({
  ...shopSettings(provider.url),
  ADMIN_EMAILS: admin.email,
})
provider.answers.set('POST /checkouts', { body: { session_id: 'cks', checkout_url: 'https://checkout.test/1' } })
provider.answers.set('GET /products', {
  body: {
    items: [
      { product_id: 'pdt_pro', name: 'Pro', is_recurring: true, metadata: { features: 'sso, audit,<odd>,sso' } },
      {
        product_id: 'pdt_team',
        name: 'Team',
        is_recurring: true,
        metadata: { features: 'teams', seats: 'members', seat_limit: '3' },
        price: 900,
        currency: 'EUR',
        tax_inclusive: true,
        price_detail: { payment_frequency_interval: 'Month', payment_frequency_count: 3, trial_period_days: 14 },
      },
    ],
  },
})

const api = (path: string) => `${testApp.origin}/api/payments${path}`

/** An organization with an active subscription. */
async function subscribed(changes: object = {}) {
  const owner = await createOrganizationOwner(testApp)
  const organizationId = owner.organization.id
  await owner.browser.trpc.payment.createCheckout.mutate({ product_id: 'pdt_team', organizationId })
  const { body } = provider.asked.at(-1) ?? {}
  const buyer = customer(owner.email, body.customer.customer_id)
  const plan = subscription({ product_id: 'pdt_team', customer: buyer, metadata: body.metadata, ...changes })
  await deliver(testApp, 'subscription.active', plan)
  return { owner, organizationId, plan }
}

describe('entitlements', () => {
  it('are the products with a subscription that grants access, for the buyer and for every member', async () => {
    const person = await createUser(testApp)
    const listOf = async (query = '') => (await person.browser.get(api(`/entitlements${query}`))).body
    expect(await listOf()).toEqual([])
    const plan = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', plan)
    expect(await listOf()).toEqual([{ product: 'pdt_pro', name: null, status: 'active', until: null }])
    await person.browser.trpc.payment.products.query()
    expect(await listOf()).toMatchObject([{ product: 'pdt_pro', name: expect.any(String) }])
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const ending = { ...plan, cancel_at_next_billing_date: true, next_billing_date: until }
    await deliver(testApp, 'subscription.renewed', ending, { at: new Date(Date.now() + 2000) })
    expect(await listOf()).toMatchObject([{ product: 'pdt_pro', until }])
    await deliver(testApp, 'subscription.expired', { ...plan, status: 'expired' }, { at: new Date(Date.now() + 4000) })
    expect(await listOf()).toEqual([])

    const { owner, organizationId } = await subscribed({ quantity: 2 })
    const member = await createMember(testApp, owner)
    const { body } = await member.browser.get(api(`/entitlements?organizationId=${organizationId}`))
    expect(body).toMatchObject([{ product: 'pdt_team', status: 'active' }])
    for (const id of [organizationId, 'nothing']) {
      expect(await person.browser.get(api(`/entitlements?organizationId=${id}`))).toMatchObject({ status: 403 })
    }
  })

  it('are the features of the plans, for the buyer and for every member', async () => {
    const person = await createUser(testApp)
    const nothing = { features: [], plans: [] }
    expect((await person.browser.get(api('/features'))).body).toEqual(nothing)
    const plan = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', plan)
    expect((await person.browser.get(api('/features'))).body).toEqual({
      features: ['audit', 'sso'],
      plans: [{ productId: 'pdt_pro', quantity: 1, status: 'active' }],
    })
    const { owner, organizationId } = await subscribed({ quantity: 2 })
    const member = await createMember(testApp, owner)
    expect(await member.browser.trpc.payment.features.query({ organizationId })).toMatchObject({
      features: ['teams'],
    })
    expect(await member.browser.trpc.payment.features.query({})).toEqual(nothing)
    await expect(person.browser.trpc.payment.features.query({ organizationId })).rejects.toThrow(
      'User is not a member of the organization',
    )
    await deliver(testApp, 'subscription.expired', { ...plan, status: 'expired' })
    expect(await person.browser.trpc.payment.features.query({})).toEqual(nothing)
  })

  it('stay available while the provider is unreachable, and after a restart', async () => {
    const person = await createUser(testApp)
    await deliver(testApp, 'subscription.active', subscription({ customer: customer(person.email) }))
    await person.browser.get(api('/features'))
    testApp.advanceClock(3600)
    const usual = provider.answers.get('GET /products')
    provider.answers.set('GET /products', { status: 500, body: {} })
    expect(await person.browser.trpc.payment.features.query({})).toMatchObject({ features: ['audit', 'sso'] })
    if (usual) provider.answers.set('GET /products', usual)
  })
})

describe('products', () => {
  it('include interval, tax and trial', async () => {
    const person = await createUser(testApp)
    const products = await person.browser.trpc.payment.products.query()
    expect(products.find(({ id }) => id === 'pdt_team')).toEqual({
      id: 'pdt_team',
      name: 'Team',
      description: null,
      price: 900,
      currency: 'EUR',
      isRecurring: true,
      isTaxIncluded: true,
      interval: 'Month',
      intervalCount: 3,
      trialDays: 14,
      features: ['teams'],
    })
  })
})

describe('seats', () => {
  it('follow the number of members, with one change for several joins and departures', async () => {
    const { owner, plan } = await subscribed()
    const { subscription_id } = plan
    await createMember(testApp, owner)
    const path = `/subscriptions/${subscription_id}`
    const changed = { [`GET ${path}`]: { body: { ...plan, quantity: 2 } } }
    provider.answers.set(`POST ${path}/change-plan`, { body: {}, sets: changed })
    provider.answers.set(`GET ${path}`, { body: plan })
    await updateSeats(testApp.app)
    expect(provider.asked.findLast(({ path: asked }) => asked === `${path}/change-plan`)?.body).toEqual({
      product_id: 'pdt_team',
      quantity: 2,
      proration_billing_mode: 'prorated_immediately',
      on_payment_failure: 'apply_change',
    })
    const calls = provider.countOf(`POST ${path}/change-plan`)
    await updateSeats(testApp.app)
    expect(provider.countOf(`POST ${path}/change-plan`)).toBe(calls)
  })

  it('do not revert a change of the plan whose event has not arrived', async () => {
    const { owner, plan } = await subscribed()
    await createMember(testApp, owner)
    const path = `/subscriptions/${plan.subscription_id}`
    provider.answers.set(`POST ${path}/change-plan`, { body: {} })
    for (const changed of [{ scheduled_change: { product_id: 'pdt_big' } }, { product_id: 'pdt_big' }]) {
      provider.answers.set(`GET ${path}`, { body: { ...plan, ...changed } })
      await updateSeats(testApp.app)
      // As if hours had passed.
      await testApp.db.subscription.update({
        where: { subscriptionId: plan.subscription_id },
        data: { seatsRequested: null },
      })
    }
    expect(provider.countOf(`POST ${path}/change-plan`)).toBe(0)
    const of = { organizationId: owner.organization.id }
    expect(await owner.browser.trpc.payment.subscriptions.query(of)).toMatchObject([{ productId: 'pdt_big' }])
  })

  it('are requested once per number, regardless of the provider’s response, with the add-ons that were bought', async () => {
    const { owner, plan } = await subscribed({ addons: [{ addon_id: 'add_1', quantity: 2 }] })
    await createMember(testApp, owner)
    const path = `/subscriptions/${plan.subscription_id}`
    // The provider has not collected the payment yet, so the quantity is unchanged.
    provider.answers.set(`POST ${path}/change-plan`, { body: {}, afterMs: 100 })
    provider.answers.set(`GET ${path}`, { body: plan })
    await Promise.all([updateSeats(testApp.app), updateSeats(testApp.app)])
    await updateSeats(testApp.app)
    expect(provider.countOf(`POST ${path}/change-plan`)).toBe(1)
    expect(provider.asked.findLast(({ path: asked }) => asked === `${path}/change-plan`)?.body).toEqual({
      product_id: 'pdt_team',
      quantity: 2,
      proration_billing_mode: 'prorated_immediately',
      on_payment_failure: 'apply_change',
      addons: [{ addon_id: 'add_1', quantity: 2 }],
    })
  })

  it('keep the add-ons that the provider reports, and skip a subscription that is about to end', async () => {
    const { owner, plan } = await subscribed()
    await createMember(testApp, owner)
    const path = `/subscriptions/${plan.subscription_id}`
    provider.answers.set(`POST ${path}/change-plan`, { body: {} })
    provider.answers.set(`GET ${path}`, { body: { ...plan, cancel_at_next_billing_date: true } })
    await updateSeats(testApp.app)
    expect(provider.countOf(`POST ${path}/change-plan`)).toBe(0)
    const { owner: next, plan: bought } = await subscribed()
    await createMember(testApp, next)
    const other = `/subscriptions/${bought.subscription_id}`
    provider.answers.set(`POST ${other}/change-plan`, { body: {} })
    // Bought in the portal; its event has not arrived yet.
    provider.answers.set(`GET ${other}`, { body: { ...bought, addons: [{ addon_id: 'add_2', quantity: 1 }] } })
    await updateSeats(testApp.app)
    expect(provider.asked.findLast(({ path: asked }) => asked === `${other}/change-plan`)?.body).toMatchObject({
      quantity: 2,
      addons: [{ addon_id: 'add_2', quantity: 1 }],
    })
  })

  it('limit the invitations, and their acceptance', async () => {
    const { owner, organizationId } = await subscribed()
    const [first, second] = [await createUser(testApp), await createUser(testApp)]
    const ids = [await createInvitation(owner, first.email), await createInvitation(owner, second.email)]
    const refused = await owner.browser.post('/organization/invite-member', {
      email: newUserData().email,
      role: 'member',
      organizationId,
    })
    expect([refused.status, refused.body.code]).toEqual([403, 'SEAT_LIMIT_REACHED'])
    const { slug } = owner.organization
    expect((await owner.browser.trpc.organization.get.query({ slug })).seatLimit).toBe(3)
    await testApp.db.product.update({ where: { productId: 'pdt_team' }, data: { seatLimit: 2 } })
    const accept = async (who: typeof first, invitationId = '') =>
      (await who.browser.post('/organization/accept-invitation', { invitationId })).body.code
    expect(await accept(first, ids[0])).toBeUndefined()
    expect(await accept(second, ids[1])).toBe('SEAT_LIMIT_REACHED')
    await testApp.db.product.update({ where: { productId: 'pdt_team' }, data: { seatLimit: 3 } })
    expect(await accept(second, ids[1])).toBeUndefined()
  })
})

describe('a trial', () => {
  it('is shown, and its owner is notified once before it ends', async () => {
    const person = await createUser(testApp)
    const now = testApp.app.clock().getTime()
    const plan = subscription({
      customer: customer(person.email),
      trial_period_days: 14,
      created_at: new Date(now - 12 * 86_400_000).toISOString(),
      next_billing_date: new Date(now + 2 * 86_400_000).toISOString(),
    })
    const later = subscription({ ...plan, subscription_id: newEventId(), trial_period_days: 60 })
    for (const one of [plan, later]) await deliver(testApp, 'subscription.active', one)
    const plans = await person.browser.trpc.payment.subscriptions.query()
    expect(plans.find(({ id }) => id === plan.subscription_id)?.trialEndsAt).toBe(
      new Date(now + 2 * 86_400_000).toISOString(),
    )
    await Promise.all([notifyTrials(testApp.app), notifyTrials(testApp.app)])
    await notifyTrials(testApp.app)
    const kinds = (await testApp.mails(person.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'trialEnding')).toHaveLength(1)
  })
})

describe('invoices and receipts', () => {
  const pdf = '%PDF-1.7 an invoice'

  it('come from our origin, for users who manage the billing of the payment', async () => {
    const person = await createUser(testApp)
    const bought = payment({ customer: customer(person.email) })
    const { payment_id } = bought
    const refund_id = `ref_${newEventId()}`
    await deliver(testApp, 'payment.succeeded', bought)
    await deliver(testApp, 'refund.succeeded', {
      refund_id,
      payment_id,
      status: 'succeeded',
      is_partial: true,
      amount: 5,
    })
    provider.answers.set(`GET /invoices/payments/${payment_id}`, { text: pdf })
    provider.answers.set(`GET /invoices/refunds/${refund_id}`, { text: pdf })
    for (const query of [`paymentId=${payment_id}`, `paymentId=${payment_id}&refundId=${refund_id}`]) {
      const answer = await person.browser.request(api(`/invoice?${query}`))
      expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([200, 'application/pdf', pdf])
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="(?:pay|ref)_[\w-]+\.pdf"$/)
    }
    const other = await createUser(testApp)
    const refused: [string, number][] = [
      [`paymentId=${payment_id}`, 404],
      [`paymentId=${payment_id}&refundId=${refund_id}`, 404],
      ['paymentId=pay_unknown', 404],
      ['paymentId=../../customers', 400],
      ['', 400],
    ]
    for (const [query, status] of refused) {
      expect([query, (await other.browser.request(api(`/invoice?${query}`))).status]).toEqual([query, status])
    }
    expect((await person.browser.request(api(`/invoice?paymentId=${payment_id}&refundId=ref_other`))).status).toBe(404)
    expect((await testApp.browser().request(api(`/invoice?paymentId=${payment_id}`))).status).toBe(401)
    const { body: key } = await person.browser.post('/api-key/create', { name: 'x' })
    const withKey = await testApp.browser().request(api(`/invoice?paymentId=${payment_id}`), {
      headers: { 'x-api-key': key.key },
    })
    expect([withKey.status, withKey.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    // Only a PDF is served from our origin.
    provider.answers.set(`GET /invoices/payments/${payment_id}`, { text: '<script>alert(1)</script>' })
    expect((await person.browser.request(api(`/invoice?paymentId=${payment_id}`))).status).toBe(502)
  })
})

describe('license keys and discount codes', () => {
  const post = async (path: string, body: object) => {
    const answer = await fetch(api(path), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    return [answer.status, await answer.json()]
  }

  it('are activated, validated and deactivated by anyone who has the key', async () => {
    const licenseKey = 'AAAA-BBBB'
    provider.answers.set('POST /licenses/activate', { body: { id: 'lki_1', product: { product_id: 'pdt_pro' } } })
    expect(await post('/licenses/activate', { licenseKey, name: 'Laptop' })).toEqual([
      200,
      { instanceId: 'lki_1', productId: 'pdt_pro' },
    ])
    provider.answers.set('POST /licenses/validate', { body: { valid: true } })
    expect(await post('/licenses/validate', { licenseKey, instanceId: 'lki_1' })).toEqual([200, { isValid: true }])
    provider.answers.set('POST /licenses/validate', { status: 404, body: {} })
    expect(await post('/licenses/validate', { licenseKey: 'unknown' })).toEqual([200, { isValid: false }])
    provider.answers.set('POST /licenses/deactivate', { body: null })
    expect(await post('/licenses/deactivate', { licenseKey, instanceId: 'lki_1' })).toEqual([200, { status: true }])
    provider.answers.set('POST /licenses/activate', { status: 422, body: { message: 'limit' } })
    expect((await post('/licenses/activate', { licenseKey, name: 'Second' }))[0]).toBe(400)
    expect((await post('/licenses/activate', { licenseKey: '' }))[0]).toBe(400)
  })

  it('a discount code is checked before the checkout', async () => {
    const person = await createUser(testApp)
    const check = async (changes: object | null) => {
      const known = { code: 'HALF', type: 'percentage', amount: 5000, restricted_to: [], ...changes }
      provider.answers.set('GET /discounts/code/HALF', changes ? { body: known } : { status: 404, body: {} })
      return (await person.browser.get(api('/discount?code=HALF&productId=pdt_pro'))).body
    }
    const valid = { isValid: true, type: 'percentage', amount: 5000 }
    const invalid = { isValid: false, type: null, amount: null }
    expect(await check({})).toEqual(valid)
    expect(await check({ restricted_to: ['pdt_pro'] })).toEqual(valid)
    expect(await check({ restricted_to: ['pdt_other'] })).toEqual(invalid)
    expect(await check({ expires_at: '2020-01-01T00:00:00Z' })).toEqual(invalid)
    expect(await check({ usage_limit: 3, times_used: 3 })).toEqual(invalid)
    expect(await check(null)).toEqual(invalid)
  })
})

describe('administrators', () => {
  it('see revenue, find payments, and refund them', async () => {
    const browser = testApp.browser()
    await browser.post('/sign-up/email', admin)
    await browser.get(await emailedLink(testApp, admin.email))
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    await testApp.db.subscription.deleteMany()
    await testApp.db.payment.deleteMany()
    const plans = [
      { payment_frequency_interval: 'Month', payment_frequency_count: 1, recurring_pre_tax_amount: 1000 },
      { payment_frequency_interval: 'Year', payment_frequency_count: 1, recurring_pre_tax_amount: 12_000 },
      { payment_frequency_interval: 'Month', payment_frequency_count: 3, recurring_pre_tax_amount: 3000 },
      { status: 'on_hold', recurring_pre_tax_amount: 7777 },
      { status: 'cancelled', recurring_pre_tax_amount: 8888 },
    ].map((changes) => subscription({ customer: buyer, ...changes }))
    for (const plan of plans) await deliver(testApp, 'subscription.updated', plan)
    const created_at = new Date().toISOString()
    const bought = payment({ customer: buyer, total_amount: 5000, created_at })
    await deliver(testApp, 'payment.succeeded', bought)
    await deliver(testApp, 'payment.failed', payment({ customer: buyer, status: 'failed', created_at }))
    await deliver(testApp, 'refund.succeeded', {
      refund_id: newEventId(),
      payment_id: bought.payment_id,
      amount: 2000,
      is_partial: true,
      status: 'succeeded',
    })
    const month = created_at.slice(0, 7)
    expect(await browser.trpc.admin.revenue.query()).toEqual({
      recurring: [{ currency: 'EUR', amount: 3000 }],
      activeOrPastDue: 3,
      endedRecently: 1,
      failedRecently: 1,
      months: [{ month, currency: 'EUR', amount: 3000 }],
    })
    for (const search of [bought.payment_id, buyer.customer_id, person.email.toUpperCase()]) {
      const { payments: found } = await browser.trpc.admin.payments.query({ search })
      expect(found.find(({ id }) => id === bought.payment_id)).toMatchObject({
        email: person.email,
        amount: 5000,
        refunded: 2000,
      })
    }
    expect(await browser.trpc.admin.payments.query({ search: 'nothing' })).toEqual({ payments: [], total: 0 })
    const all = await browser.trpc.admin.payments.query()
    const second = await browser.trpc.admin.payments.query({ limit: 1, offset: 1 })
    expect(second).toEqual({ payments: [all.payments[1]], total: all.payments.length })
    const oldest = await browser.trpc.admin.payments.query({ descending: false })
    expect(oldest).toEqual({ payments: all.payments.toReversed(), total: all.total })
    // A refund without an amount has the one in its payment's list, for everyone.
    const refund_id = newEventId()
    const listed = payment({
      customer: buyer,
      total_amount: 5000,
      created_at,
      currency: 'CHF',
      refunds: [{ refund_id, amount: 2000, currency: 'CHF', status: 'succeeded', is_partial: true }],
    })
    await deliver(testApp, 'payment.succeeded', listed)
    const partial = { refund_id, payment_id: listed.payment_id, amount: null, is_partial: true, status: 'succeeded' }
    await deliver(testApp, 'refund.succeeded', partial)
    const find = { search: listed.payment_id }
    expect(await browser.trpc.admin.payments.query(find)).toMatchObject({
      payments: [{ amount: 5000, refunded: 2000 }],
    })
    expect(await browser.trpc.admin.payments.query({ ...find, status: 'refunded' })).toMatchObject({ total: 1 })
    expect(await browser.trpc.admin.payments.query({ ...find, status: 'failed' })).toMatchObject({ total: 0 })
    const own = await person.browser.trpc.payment.payments.query()
    expect(own.find(({ id }) => id === listed.payment_id)).toMatchObject({ refunded: 2000 })
    const { months } = await browser.trpc.admin.revenue.query()
    expect(months).toContainEqual({ month, currency: 'CHF', amount: 3000 })
    provider.answers.set('POST /refunds', { body: { refund_id: 'ref_1' } })
    const { payment_id: paymentId } = bought
    const refund = () => browser.trpc.admin.refund.mutate({ paymentId, reason: 'A mistake' })
    const listedNow = async () => (await browser.trpc.admin.payments.query({ search: paymentId })).payments[0]
    expect(await listedNow()).toMatchObject({ isRefunding: false, isDisputed: false })
    await Promise.all([refund(), refund()])
    expect(provider.countOf('POST /refunds')).toBe(1)
    expect(provider.asked.at(-1)?.body).toEqual({ payment_id: paymentId, reason: 'A mistake' })
    // Until its event arrives, and while the provider reviews it.
    expect(await listedNow()).toMatchObject({ isRefunding: true })
    const dispute = { dispute_id: newEventId(), payment_id: paymentId, amount: '5000', currency: 'CHF' }
    await deliver(testApp, 'dispute.signaled', { ...dispute, dispute_status: 'dispute_opened' })
    expect(await listedNow()).toMatchObject({ isDisputed: true })
    await expect(refund()).rejects.toThrow('The customer disputes this payment')
    // Without a response in time, it usually ends against the seller.
    await deliver(testApp, 'dispute.expired', { ...dispute, dispute_status: 'dispute_expired' })
    expect(await listedNow()).toMatchObject({ isDisputed: true })
    await deliver(testApp, 'dispute.won', { ...dispute, dispute_status: 'dispute_won' })
    expect(await listedNow()).toMatchObject({ isDisputed: false })
    // One that the provider still reviews is not requested again, however long it takes.
    await deliver(testApp, 'refund.updated', {
      refund_id: newEventId(),
      payment_id: paymentId,
      amount: 5000,
      status: 'review',
    })
    await expect(refund()).rejects.toThrow('already in progress')
    expect(provider.countOf('POST /refunds')).toBe(1)
    await expect(browser.trpc.admin.refund.mutate({ paymentId: 'pay_unknown' })).rejects.toThrow('Payment not found')
    for (const call of [
      () => person.browser.trpc.admin.revenue.query(),
      () => person.browser.trpc.admin.payments.query(),
      () => person.browser.trpc.admin.refund.mutate({ paymentId }),
    ]) {
      await expect(call()).rejects.toThrow('You are not an administrator')
    }
  })

  it('cancel a subscription for its owner, at the end of the period or immediately', async () => {
    const { browser, id: administratorId } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email) })
    const { subscription_id: subscriptionId } = plan
    await deliver(testApp, 'subscription.active', plan)
    const path = `PATCH /subscriptions/${subscriptionId}`
    const sent = () => provider.asked.findLast(({ method }) => method === 'PATCH')?.body
    const details = async () => (await browser.trpc.admin.userDetails.query({ userId: person.id })).subscriptions
    const end = (isImmediate: boolean) => browser.trpc.admin.cancelSubscription.mutate({ subscriptionId, isImmediate })
    expect(await details()).toMatchObject([{ id: subscriptionId, status: 'active', cancelAtNextBillingDate: false }])

    provider.answers.set(path, { body: { ...plan, cancel_at_next_billing_date: true } })
    // The second click of two changes nothing more.
    await Promise.all([end(false), end(false)])
    expect(provider.countOf(path)).toBe(1)
    const stranger = await createUser(testApp)
    // A repeat asks the provider, whose state may be newer.
    await end(false)
    expect(provider.countOf(path)).toBe(2)
    const expiresAt = new Date(Date.now() + 60_000)
    const lease = { id: 'held', key: `subscription:${subscriptionId}`, createdAt: new Date(), expiresAt }
    await testApp.db.lease.create({ data: lease })
    // A stranger learns nothing from a lease that is held.
    await expect(stranger.browser.trpc.payment.cancelSubscription.mutate({ subscriptionId })).rejects.toThrow(
      'Subscription not found',
    )
    await testApp.db.lease.delete({ where: { id: 'held' } })
    expect(sent()).toEqual({
      cancel_reason: 'cancelled_by_merchant',
      cancel_at_next_billing_date: true,
    })
    expect(await details()).toMatchObject([{ status: 'active', cancelAtNextBillingDate: true }])

    provider.answers.set(path, { body: { ...plan, status: 'cancelled' } })
    await end(true)
    expect(sent()).toEqual({
      cancel_reason: 'cancelled_by_merchant',
      status: 'cancelled',
      cancel_at_next_billing_date: false,
    })
    expect(await details()).toMatchObject([{ status: 'cancelled' }])
    expect((await person.browser.get(api('/entitlements'))).body).toEqual([])
    const where = { type: 'payment.subscription_canceled', subjectId: person.id }
    const events = await testApp.db.event.findMany({ where, orderBy: { id: 'asc' } })
    expect(events).toMatchObject([
      { actorId: administratorId, data: { subscriptionId, isImmediate: false } },
      { actorId: administratorId, data: { subscriptionId, isImmediate: false } },
      { actorId: administratorId, data: { subscriptionId, isImmediate: true } },
    ])

    await expect(browser.trpc.admin.cancelSubscription.mutate({ subscriptionId: 'sub_unknown' })).rejects.toThrow(
      'Subscription not found',
    )
    const calls = provider.countOf(path)
    await expect(person.browser.trpc.admin.cancelSubscription.mutate({ subscriptionId })).rejects.toThrow(
      'You are not an administrator',
    )
    await expect(end(true)).rejects.toThrow('already ended')
    expect(provider.countOf(path)).toBe(calls)
    const other = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', other)
    provider.answers.set(`PATCH /subscriptions/${other.subscription_id}`, { status: 409, body: { message: 'No' } })
    const refused = browser.trpc.admin.cancelSubscription.mutate({ subscriptionId: other.subscription_id })
    await expect(refused).rejects.toThrow('refused')
    expect(await testApp.db.event.count({ where })).toBe(3)
  })

  it('see a payment with its owner, the reason of a failure, its refunds and disputes', async () => {
    const { browser } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const details = (paymentId: string) => browser.trpc.admin.payment.query({ paymentId })
    const declined = { error_code: 'INSUFFICIENT_FUNDS', error_message: 'The card has insufficient funds' }
    const failed = payment({ customer: buyer, status: 'failed', ...declined })
    await deliver(testApp, 'payment.failed', failed)
    expect(await details(failed.payment_id)).toMatchObject({
      id: failed.payment_id,
      status: 'failed',
      owner: { kind: 'user', id: person.id },
      cardLastFour: '4242',
      errorCode: declined.error_code,
      errorMessage: declined.error_message,
      refunds: [],
      disputes: [],
    })
    const now = new Date().toISOString()
    const bought = payment({ customer: buyer, total_amount: 4000, currency: 'SEK', created_at: now })
    const { payment_id } = bought
    await deliver(testApp, 'payment.succeeded', bought)
    const refund_id = newEventId()
    const refunded = { refund_id, payment_id, amount: 500, is_partial: true, reason: 'Late', status: 'succeeded' }
    await deliver(testApp, 'refund.succeeded', refunded)
    const sales = async () => {
      const { months } = await browser.trpc.admin.revenue.query()
      return months.find(({ currency }) => currency === 'SEK')?.amount
    }
    expect(await sales()).toBe(3500)
    const dispute = { dispute_id: newEventId(), payment_id, amount: '4000', currency: 'SEK' }
    await deliver(testApp, 'dispute.signaled', { ...dispute, dispute_status: 'dispute_opened' })
    const { openDisputes } = await browser.trpc.admin.overview.query()
    expect(await sales()).toBe(3500)
    await deliver(testApp, 'dispute.lost', { ...dispute, dispute_status: 'dispute_lost', remarks: 'No response' })
    expect(await details(payment_id)).toMatchObject({
      refunded: 500,
      refunds: [{ id: refund_id, amount: 500, status: 'succeeded', reason: 'Late' }],
      disputes: [{ id: dispute.dispute_id, status: 'dispute_lost', remarks: 'No response' }],
    })
    // What was charged back is no revenue.
    expect(await sales()).toBeUndefined()
    expect((await browser.trpc.admin.overview.query()).openDisputes).toBe(openDisputes - 1)
    const ofOwner = await browser.trpc.admin.payments.query({ search: person.id })
    expect(ofOwner.payments.map(({ id }) => id).toSorted()).toEqual([failed.payment_id, payment_id].toSorted())
    await expect(details('pay_unknown')).rejects.toThrow('Payment not found')
    await expect(person.browser.trpc.admin.payment.query({ paymentId: payment_id })).rejects.toThrow(
      'You are not an administrator',
    )
  })

  it('do not refund a payment that is refunded or disputed at the provider, although no event of it has arrived', async () => {
    const { browser } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    provider.answers.set('POST /refunds', { body: { refund_id: 'ref_3' } })
    const before = provider.countOf('POST /refunds')
    const sold = async () => {
      const bought = payment({ customer: customer(person.email), total_amount: 5000 })
      await deliver(testApp, 'payment.succeeded', bought)
      return bought
    }
    const refund = ({ payment_id: paymentId }: { payment_id: string }) =>
      browser.trpc.admin.refund.mutate({ paymentId })
    const rowOf = async ({ payment_id: search }: { payment_id: string }) =>
      (await browser.trpc.admin.payments.query({ search })).payments[0]
    for (const [status, message] of [
      ['review', 'already in progress'],
      ['succeeded', 'already been refunded'],
    ] as const) {
      const bought = await sold()
      const { payment_id } = bought
      const refund_id = `ref_${newEventId()}`
      const made = { refund_id, payment_id, amount: 5000, is_partial: false, status }
      provider.answers.set(`GET /payments/${payment_id}`, { body: { ...bought, refunds: [made] } })
      await expect(refund(bought)).rejects.toThrow(message)
      // The lost event has been made up for.
      expect(await rowOf(bought)).toMatchObject(status === 'review' ? { isRefunding: true } : { refunded: 5000 })
    }
    // However the provider says it.
    const part = { refund_id: `ref_${newEventId()}`, amount: 2500, is_partial: true }
    for (const [changes, message] of [
      [{ refund_status: 'full' }, 'already been refunded'],
      [{ refunds: [{ ...part, status: 'review' }] }, 'already in progress'],
      [{ refunds: [{ ...part, amount: 5000, status: 'succeeded' }] }, 'already been refunded'],
      [{ refunds: [{ ...part, payment_id: 'pay_other', status: 'pending', is_partial: false }] }, 'in progress'],
      [{ refunds: [{ refund_id: `ref_${newEventId()}` }] }, 'already in progress'],
    ] as const) {
      const bought = await sold()
      provider.answers.set(`GET /payments/${bought.payment_id}`, { body: { ...bought, ...changes } })
      await expect(refund(bought)).rejects.toThrow(message)
    }
    const disputed = await sold()
    const dispute_id = `dis_${newEventId()}`
    const signaled = { dispute_id, payment_id: disputed.payment_id, amount: '5000', currency: 'EUR' }
    const dispute = { ...signaled, dispute_status: 'dispute_opened', dispute_stage: 'dispute' }
    provider.answers.set(`GET /payments/${disputed.payment_id}`, { body: { ...disputed, disputes: [dispute] } })
    await expect(refund(disputed)).rejects.toThrow('disputes this payment')
    expect(await rowOf(disputed)).toMatchObject({ isDisputed: true })
    const unreadable = await sold()
    const call = `GET /payments/${unreadable.payment_id}`
    for (const body of [
      { ...unreadable, refunds: 'none' },
      { payment_id: unreadable.payment_id, refunds: [], disputes: [] },
      { ...unreadable, payment_id: 'pay_other' },
    ]) {
      provider.answers.set(call, { body })
      await expect(refund(unreadable)).rejects.toThrow('no usable answer')
    }
    // Nothing of an answer that cannot be read is applied.
    expect(await rowOf(unreadable)).toMatchObject({ status: 'succeeded', amount: 5000 })
    provider.answers.set(call, { status: 500, body: {} })
    await expect(refund(unreadable)).rejects.toThrow('does not answer')
    expect(provider.countOf('POST /refunds')).toBe(before)
  })

  it('do not refund a second time if the first request got no answer, or if its result could not be stored', async () => {
    const { browser } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    for (const isAnswered of [false, true]) {
      const bought = payment({ customer: customer(person.email), total_amount: 5000 })
      await deliver(testApp, 'payment.succeeded', bought)
      const { payment_id: paymentId } = bought
      const refund_id = `ref_${newEventId()}`
      const made = { refund_id, payment_id: paymentId, amount: 5000, is_partial: false, status: 'pending' }
      provider.answers.set(`GET /payments/${paymentId}`, { body: bought })
      provider.answers.set('POST /refunds', {
        ...(isAnswered ? { body: made } : { status: 500, body: {} }),
        sets: { [`GET /payments/${paymentId}`]: { body: { ...bought, refunds: [made] } } },
      })
      const before = provider.countOf('POST /refunds')
      await testApp.pool.query(`
        create or replace function fail_update() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
        create trigger fail_update before update on "Lease" for each row
          when (new.result is not null) execute function fail_update()`)
      const refund = () => browser.trpc.admin.refund.mutate({ paymentId })
      const outcome = await refund().then(
        () => 'refunded',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
      expect(outcome).toMatch(isAnswered ? /^refunded$/ : /does not answer/)
      await testApp.pool.query('drop trigger fail_update on "Lease"')
      await expect(refund()).rejects.toThrow('already in progress')
      expect(provider.countOf('POST /refunds')).toBe(before + 1)
    }
  })

  it('do not refund a second time soon after a request without an answer, although the provider does not list it yet', async () => {
    const { browser } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const bought = payment({ customer: customer(person.email), total_amount: 5000 })
    await deliver(testApp, 'payment.succeeded', bought)
    const { payment_id: paymentId } = bought
    provider.answers.set(`GET /payments/${paymentId}`, { body: bought })
    provider.answers.set('POST /refunds', { status: 500, body: {} })
    const before = provider.countOf('POST /refunds')
    const refund = () => browser.trpc.admin.refund.mutate({ paymentId })
    await expect(refund()).rejects.toThrow('does not answer')
    await expect(refund()).rejects.toThrow('does not answer')
    expect(provider.countOf('POST /refunds')).toBe(before + 1)
    const recorded = async () => {
      const events = await testApp.db.event.findMany({
        where: { type: { startsWith: 'payment.refund' } },
        orderBy: { id: 'asc' },
      })
      return events
        .filter(({ data }) => JSON.stringify(data).includes(paymentId))
        .map(({ type, subjectId }) => ({ type, subjectId }))
    }
    // The customer is not told of what may not have happened.
    const requested = { type: 'payment.refund_requested', subjectId: null }
    expect(await recorded()).toEqual([requested])
    // Also a process whose clock is four minutes ahead does not make another request.
    testApp.advanceClock(240)
    await expect(refund()).rejects.toThrow('does not answer')
    expect(provider.countOf('POST /refunds')).toBe(before + 1)
    // Meanwhile it would be listed.
    testApp.advanceClock(61)
    provider.answers.set('POST /refunds', { body: { refund_id: 'ref_4' } })
    await refund()
    expect(provider.countOf('POST /refunds')).toBe(before + 2)
    expect(await recorded()).toEqual([requested, requested, { type: 'payment.refunded', subjectId: person.id }])
    // Until its outcome is known, it is not requested again. After it has failed, it is.
    await refund()
    expect(provider.countOf('POST /refunds')).toBe(before + 2)
    const failed = { refund_id: 'ref_4', payment_id: paymentId, amount: 5000, is_partial: true, status: 'failed' }
    await deliver(testApp, 'refund.failed', failed)
    const [listed] = (await browser.trpc.admin.payments.query({ search: paymentId })).payments
    expect(listed).toMatchObject({ isRefunding: false })
    provider.answers.set('POST /refunds', { body: { refund_id: 'ref_5' } })
    await refund()
    expect(provider.countOf('POST /refunds')).toBe(before + 3)
    // A refusal is certain: another request is made at once.
    const refused = payment({ customer: customer(person.email), total_amount: 5000 })
    await deliver(testApp, 'payment.succeeded', refused)
    provider.answers.set('POST /refunds', { status: 422, body: {} })
    const again = () => browser.trpc.admin.refund.mutate({ paymentId: refused.payment_id })
    await expect(again()).rejects.toThrow('refused')
    await expect(again()).rejects.toThrow('refused')
    expect(provider.countOf('POST /refunds')).toBe(before + 5)
    // So is one because of too many requests.
    provider.answers.set('POST /refunds', { status: 429, body: {} })
    await expect(again()).rejects.toThrow('does not answer')
    await expect(again()).rejects.toThrow('does not answer')
    expect(provider.countOf('POST /refunds')).toBe(before + 7)
    // An answer that names no refund is none, and one that says that it failed is a refusal.
    const refund_id = `ref_${newEventId()}`
    provider.answers.set('POST /refunds', { body: { refund_id, status: 'failed' } })
    await expect(again()).rejects.toThrow('refused')
    provider.answers.set('POST /refunds', {
      text: '<html>maintenance</html>',
      headers: { 'content-type': 'text/html' },
    })
    await expect(again()).rejects.toThrow('no usable answer')
    const names = { paymentId: refused.payment_id }
    expect(await testApp.db.event.count({ where: { type: 'payment.refunded', data: { equals: names } } })).toBe(0)
  })

  it('keep what the list of a payment leaves out, and stay in their final state if it is behind', async () => {
    const { browser } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const sold = async () => {
      const bought = payment({ customer: customer(person.email), total_amount: 5000, currency: 'EUR' })
      await deliver(testApp, 'payment.succeeded', bought)
      return bought
    }
    const before = provider.countOf('POST /refunds')
    const bought = await sold()
    const { payment_id } = bought
    const ids = [`ref_${newEventId()}`, `ref_${newEventId()}`]
    const part = { payment_id, amount: 2500, currency: 'EUR', is_partial: true, reason: 'Late', status: 'review' }
    for (const refund_id of ids) await deliver(testApp, 'refund.updated', { refund_id, ...part })
    const refunds = ids.map((refund_id) => ({ refund_id, payment_id, status: 'succeeded' }))
    provider.answers.set(`GET /payments/${payment_id}`, { body: { ...bought, refunds } })
    await expect(browser.trpc.admin.refund.mutate({ paymentId: payment_id })).rejects.toThrow('already been refunded')
    const rows = await testApp.db.refund.findMany({ where: { paymentId: payment_id } })
    const kept = { amount: 2500n, currency: 'EUR', reason: 'Late', isPartial: true, status: 'succeeded' }
    expect(rows).toMatchObject([kept, kept])
    const other = await sold()
    const made = { refund_id: `ref_${newEventId()}`, payment_id: other.payment_id, amount: 5000, is_partial: false }
    const at = new Date(Date.now() - 3_000)
    await deliver(testApp, 'refund.succeeded', { ...made, status: 'succeeded' }, { at })
    const behind = { ...other, refunds: [{ ...made, status: 'pending' }] }
    provider.answers.set(`GET /payments/${other.payment_id}`, { body: behind })
    await expect(browser.trpc.admin.refund.mutate({ paymentId: other.payment_id })).rejects.toThrow('already')
    expect(await testApp.db.refund.findUnique({ where: { refundId: made.refund_id } })).toMatchObject({
      status: 'succeeded',
    })
    expect(provider.countOf('POST /refunds')).toBe(before)
  })

  it('do not refund if another request may have begun, because theirs took too long', async () => {
    const { browser } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const bought = payment({ customer: customer(person.email), total_amount: 5000 })
    await deliver(testApp, 'payment.succeeded', bought)
    const call = `GET /payments/${bought.payment_id}`
    const { signaled, signal } = createSignal()
    provider.answers.set(call, { body: bought, sets: { [call]: { body: bought, until: signaled } } })
    provider.answers.set('POST /refunds', { body: { refund_id: 'ref_6' } })
    const before = provider.countOf('POST /refunds')
    const refund = browser.trpc.admin.refund.mutate({ paymentId: bought.payment_id })
    const outcome = refund.catch((error: unknown) => error)
    while (provider.countOf(call) < 2) await wait(10)
    testApp.advanceClock(301)
    signal()
    expect(await outcome).toMatchObject({ message: expect.stringContaining('does not answer') })
    expect(provider.countOf('POST /refunds')).toBe(before)
  })

  it('do not refund while their role is being revoked', async () => {
    const { browser, id } = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const bought = payment({ customer: customer(person.email), total_amount: 5000 })
    await deliver(testApp, 'payment.succeeded', bought)
    provider.answers.set('POST /refunds', { body: { refund_id: 'ref_2' } })
    const before = provider.countOf('POST /refunds')
    const revoke = `update "User" set role = 'user' where id = $1`
    const refused = await withRowLock(testApp, revoke, [id], async (release) => {
      const refund = browser.trpc.admin.refund.mutate({ paymentId: bought.payment_id })
      const outcome = refund.catch((error: unknown) => error)
      // The role was read before the revocation is committed.
      await untilWaiting(testApp, 1)
      await release()
      return outcome
    })
    expect(refused).toMatchObject({ message: 'You are not an administrator' })
    expect(provider.countOf('POST /refunds')).toBe(before)
  })
})

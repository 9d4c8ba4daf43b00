import { describe, expect, it } from 'vitest'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import {
  customer,
  customersOf,
  deliver,
  linkMetadata,
  newEventId,
  startProvider,
  payment,
  paymentsOf,
  subscriptionsOf,
  shopSettings,
  startCheckout,
  subscription,
} from '../testing/payments.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import {
  type TestUser,
  createAdministrator,
  changeEmail,
  signUpWithFormerEmail,
  password,
  createUser,
  newUserData,
} from '../testing/test-users.ts'
import { assignVerifiedPurchases } from './attribution/assign-verified-purchases.ts'
import { updateCustomers } from './customers/update-customers.ts'

const provider = await startProvider()
const testApp = await createTestApp(shopSettings(provider.url))
provider.answers.set('POST /checkouts', { body: { session_id: 'cks', checkout_url: 'https://checkout.test/1' } })

const checkout = (buyer: Pick<TestUser, 'browser'>, more: object = {}) => startCheckout(provider, buyer, more)
const stateOf = async (id: string) => (await testApp.db.paymentEvent.findUniqueOrThrow({ where: { id } })).state

describe('the customer at the provider', () => {
  it('is created before the first checkout, one for each owner', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const calls = await Promise.all([checkout(owner), checkout(owner)])
    expect(new Set(calls.map(({ customerId }) => customerId)).size).toBe(1)
    const own = await checkout(owner)
    const team = await checkout(owner, { organizationId })
    expect(team.customerId).not.toBe(own.customerId)
    expect(provider.asked.findLast(({ path }) => path === '/customers')?.body).toEqual({
      email: owner.email,
      name: 'Acme',
    })
    // A renewal has no metadata. Only the customer identifies its owner.
    const renewal = payment({ customer: customer(owner.email, team.customerId) })
    await deliver(testApp, 'payment.succeeded', renewal)
    expect(await paymentsOf(owner, { organizationId })).toEqual([renewal.payment_id])
    expect(await paymentsOf(owner)).toEqual([])
    const admin = await createMember(testApp, owner, 'admin')
    provider.answers.set(`POST /customers/${own.customerId}/customer-portal/session`, {
      body: { link: 'https://portal.test/private' },
    })
    // An administrator of the organization never reaches the founder's private customer.
    expect(await admin.browser.trpc.payment.customers.query({ organizationId })).toMatchObject([
      { id: team.customerId },
    ])
    await expect(
      admin.browser.trpc.payment.portal.mutate({ organizationId, customerId: own.customerId }),
    ).rejects.toThrow('There are no purchases yet')
  })

  it('is never an existing one', async () => {
    const [one, other] = [await createUser(testApp), await createUser(testApp)]
    const { customerId } = await checkout(one)
    provider.answers.set('POST /customers', { body: { customer_id: customerId } })
    await expect(checkout(other)).rejects.toThrow('no usable answer')
    provider.answers.delete('POST /customers')
    expect((await checkout(other)).customerId).not.toBe(customerId)
  })

  it('is created again if the provider has lost it', async () => {
    const person = await createUser(testApp)
    const { customerId } = await checkout(person)
    provider.answers.set(`GET /customers/${customerId}`, { status: 404, body: {} })
    provider.answers.set('POST /checkouts', { status: 404, body: { message: 'no such customer' } })
    // Until the new customer has been created, checkouts are refused.
    await expect(checkout(person)).rejects.toThrow('refused')
    provider.answers.set('POST /checkouts', { body: { session_id: 'cks', checkout_url: 'https://checkout.test/1' } })
    const renewed = await checkout(person)
    expect(renewed.customerId).not.toBe(customerId)
    expect((await checkout(person)).customerId).toBe(renewed.customerId)
  })

  it('has its own portal if an owner has several, those with a subscription first', async () => {
    const person = await createUser(testApp)
    const [quiet, living] = [customer(person.email), customer(person.email)]
    await deliver(testApp, 'subscription.active', subscription({ customer: living }))
    await deliver(testApp, 'payment.succeeded', payment({ customer: quiet }))
    const listed = await person.browser.trpc.payment.customers.query()
    expect(listed).toEqual([living, quiet].map(({ customer_id: id }) => ({ id, email: person.email })))
    for (const { customer_id: customerId } of [living, quiet]) {
      const link = `https://portal.test/${customerId}`
      provider.answers.set(`POST /customers/${customerId}/customer-portal/session`, { body: { link } })
      expect(await person.browser.trpc.payment.portal.mutate({ customerId })).toEqual({ link })
    }
    // A customer that the provider has lost is skipped.
    provider.answers.set(`POST /customers/${living.customer_id}/customer-portal/session`, { status: 404, body: {} })
    const { link } = await person.browser.trpc.payment.portal.mutate()
    expect(link).toBe(`https://portal.test/${quiet.customer_id}`)
    expect(await person.browser.trpc.payment.customers.query()).toMatchObject([{ id: quiet.customer_id }])
  })
})

describe('signed metadata', () => {
  it.each(['payment', 'subscription'] as const)(
    'an older event names the owner of a %s that has none',
    async (kind) => {
      const person = await createUser(testApp)
      const { metadata, customerId } = await checkout(person)
      const known = customer(person.email, customerId)
      const names =
        kind === 'payment'
          ? ['payment.succeeded', 'payment.processing']
          : ['subscription.active', 'subscription.renewed']
      const [newer = '', older = ''] = names
      const bought = kind === 'payment' ? payment({ customer: null }) : subscription({ customer: null })
      const first = await deliver(testApp, newer, bought)
      expect(await stateOf(first.id)).toBe('unassigned')
      const at = new Date(Date.now() - 60_000)
      const late = await deliver(
        testApp,
        older,
        { ...bought, customer: known, metadata, ...(kind === 'payment' && { status: 'processing' }) },
        { at },
      )
      expect([await stateOf(late.id), await stateOf(first.id)]).toEqual(['applied', 'applied'])
      const rows = {
        payment: person.browser.trpc.payment.payments,
        subscription: person.browser.trpc.payment.subscriptions,
      }
      expect(await rows[kind].query({})).toMatchObject([{ status: kind === 'payment' ? 'succeeded' : 'active' }])
    },
  )

  it('is added to a caller’s own user_id, and names the owner', async () => {
    const person = await createUser(testApp)
    const { metadata } = await checkout(person, { metadata: { user_id: 'u_7', organization_id: 'o_7' } })
    expect(metadata).toMatchObject({ user_id: 'u_7', organization_id: 'o_7' })
    // Paid under another customer than the one the checkout was made for: the signature is not valid there.
    const elsewhere = payment({ customer: customer('other@example.test'), metadata })
    const event = await deliver(testApp, 'payment.succeeded', elsewhere)
    expect(await stateOf(event.id)).toBe('unassigned')
    const bought = payment({ customer: customer(person.email, metadata['foyer_customer']), metadata })
    await deliver(testApp, 'payment.succeeded', bought)
    expect(await paymentsOf(person)).toEqual([bought.payment_id])
  })

  it('of a link is valid for the first customer that pays, and not for another one', async () => {
    const [seller, victim] = [await createUser(testApp), await createUser(testApp)]
    const metadata = await linkMetadata(seller)
    const mine = customer('anything@example.test')
    const first = payment({ customer: mine, metadata })
    // A failed payment under a mistyped email address does not decide.
    await deliver(testApp, 'payment.failed', payment({ customer: customer('x@y.test'), metadata, status: 'failed' }))
    await deliver(testApp, 'payment.processing', payment({ customer: null, metadata, status: 'processing' }))
    await deliver(testApp, 'payment.succeeded', first)
    const replay = payment({ customer: customer(victim.email), metadata })
    await deliver(testApp, 'payment.succeeded', replay)
    const again = payment({ customer: mine, metadata })
    await deliver(testApp, 'payment.succeeded', again)
    const bought = await paymentsOf(seller)
    for (const { payment_id } of [first, again]) expect(bought).toContain(payment_id)
    expect(bought).not.toContain(replay.payment_id)
    expect(await paymentsOf(victim)).toEqual([replay.payment_id])
  })
})

describe('a deleted owner', () => {
  it('leaves an open checkout without an owner, even for the next holder of the address', async () => {
    const former = await createUser(testApp)
    const { customerId, metadata } = await checkout(former)
    expect((await former.browser.post('/delete-user', { password })).status).toBe(200)
    const bought = payment({ customer: customer(former.email, customerId), metadata })
    const { id } = await deliver(testApp, 'payment.succeeded', bought)
    const next = await signUpWithFormerEmail(testApp, former.email)
    await assignVerifiedPurchases(testApp.app)
    expect(await paymentsOf({ browser: next })).toEqual([])
    expect(await stateOf(id)).toBe('unassigned')
  })
})

describe('the former holder of an email address', () => {
  it('gets nothing that the next holder buys under the same customer', async () => {
    const former = await createUser(testApp)
    const { customerId, metadata } = await checkout(former)
    await deliver(testApp, 'payment.succeeded', payment({ customer: customer(former.email, customerId), metadata }))
    await changeEmail(testApp, former)
    const next = await signUpWithFormerEmail(testApp, former.email)
    // The provider finds customers by email address: the next holder's purchase is attached to the former holder's
    // customer.
    const bought = payment({ customer: customer(former.email, customerId) })
    await deliver(testApp, 'payment.succeeded', bought)
    expect(await paymentsOf({ browser: next })).toEqual([bought.payment_id])
    expect(await paymentsOf(former)).toHaveLength(1)
    await expect(former.browser.trpc.payment.portal.mutate({ customerId })).rejects.toThrow(
      'There are no purchases yet',
    )
  })
})

describe('a user who changes the email address', () => {
  it('is updated at the provider', async () => {
    const person = await createUser(testApp)
    const { customerId, metadata } = await checkout(person)
    await deliver(testApp, 'payment.succeeded', payment({ customer: customer(person.email, customerId), metadata }))
    const { email } = newUserData()
    await person.browser.post('/change-email', { newEmail: email })
    await person.browser.get(await emailedLink(testApp, person.email, 'confirmEmailChange'))
    // Until the new email address is verified, receipts go to the former one.
    await updateCustomers(testApp.app)
    const path = `/customers/${customerId}`
    expect(provider.countOf(`PATCH ${path}`)).toBe(0)
    await person.browser.get(await emailedLink(testApp, email, 'verifyEmail'))
    provider.answers.set(`PATCH ${path}`, { status: 503, body: {} })
    await updateCustomers(testApp.app)
    provider.answers.set(`PATCH ${path}`, { body: { customer_id: customerId } })
    await updateCustomers(testApp.app)
    await updateCustomers(testApp.app)
    expect(provider.countOf(`PATCH ${path}`)).toBe(2)
    expect(provider.asked.findLast(({ path: asked }) => asked === path)?.body).toMatchObject({ email })
  })
})

describe('an organization whose customer has a user’s email address', () => {
  it('never gets the user’s guest purchases', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const team = await checkout(owner, { organizationId })
    const creations = provider.countOf('POST /customers')
    provider.answers.set('POST /customers', { status: 503, body: {} })
    await updateCustomers(testApp.app)
    provider.answers.delete('POST /customers')
    await updateCustomers(testApp.app)
    await updateCustomers(testApp.app)
    expect(provider.countOf('POST /customers')).toBe(creations + 2)
    expect(provider.asked.findLast(({ path }) => path === '/customers')?.body).toEqual({
      email: owner.email,
      name: owner.name,
    })
    const [own] = await owner.browser.trpc.payment.customers.query()
    expect(own?.id).not.toBe(team.customerId)
    // The provider attaches a guest purchase to the newest customer with the buyer's email address.
    const bought = payment({ customer: customer(owner.email, own?.id) })
    await deliver(testApp, 'payment.succeeded', bought)
    expect(await paymentsOf(owner)).toEqual([bought.payment_id])
    expect(await paymentsOf(owner, { organizationId })).toEqual([])
  })

  it('sends its receipts to an owner once that user has left', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const admin = await createMember(testApp, owner, 'admin')
    const { customerId } = await checkout(admin, { organizationId })
    const path = `/customers/${customerId}`
    provider.answers.set(`PATCH ${path}`, { body: { customer_id: customerId } })
    await updateCustomers(testApp.app)
    expect(provider.countOf(`PATCH ${path}`)).toBe(0)
    await admin.browser.trpc.organization.leave.mutate({ organizationId })
    await updateCustomers(testApp.app)
    await updateCustomers(testApp.app)
    expect(provider.countOf(`PATCH ${path}`)).toBe(1)
    expect(provider.asked.findLast(({ path: asked }) => asked === path)?.body).toEqual({
      email: owner.email,
      name: 'Acme',
    })
  })
})

describe('a license key that arrives before its purchase', () => {
  it('is shown to no one, and then to the owner of the purchase', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const byAddress = customer(owner.email)
    await deliver(testApp, 'payment.succeeded', payment({ customer: byAddress }))
    const bought = payment({ customer: customer(owner.email, customerId), metadata })
    const key = {
      id: newEventId(),
      key: 'EARLY-KEY',
      status: 'active',
      customer_id: byAddress.customer_id,
      payment_id: bought.payment_id,
      created_at: '2026-11-02T10:00:00Z',
    }
    await deliver(testApp, 'license_key.created', key)
    await assignVerifiedPurchases(testApp.app)
    expect(await owner.browser.trpc.payment.licenseKeys.query()).toEqual([])
    await deliver(testApp, 'payment.succeeded', bought)
    expect(await owner.browser.trpc.payment.licenseKeys.query()).toEqual([])
    expect(await owner.browser.trpc.payment.licenseKeys.query({ organizationId })).toMatchObject([{ key: 'EARLY-KEY' }])
  })
})

describe('attempts of other users', () => {
  it('do not close a portal: a declined card under another user’s address', async () => {
    const [victim, other] = [await createUser(testApp), await createUser(testApp)]
    const { customerId, metadata: own } = await checkout(victim)
    const known = customer(victim.email, customerId)
    await deliver(testApp, 'payment.succeeded', payment({ customer: known, metadata: own }))
    const { metadata } = await checkout(other)
    await deliver(testApp, 'subscription.failed', subscription({ customer: known, metadata, status: 'failed' }))
    await deliver(testApp, 'payment.succeeded', payment({ customer: known, metadata }))
    const listed = await victim.browser.trpc.payment.customers.query()
    expect(listed.map(({ id }) => id)).toEqual([customerId])
  })

  it('two customers pay concurrently with one link: it is valid for one of them', async () => {
    const seller = await createUser(testApp)
    for (let round = 0; round < 5; round++) {
      const metadata = await linkMetadata(seller)
      const both = [customer('one@example.test'), customer('two@example.test')].map((buyer) =>
        payment({ customer: buyer, metadata }),
      )
      await Promise.all(both.map((bought) => deliver(testApp, 'payment.succeeded', bought)))
      const bought = await paymentsOf(seller)
      expect(both.filter(({ payment_id }) => bought.includes(payment_id))).toHaveLength(1)
    }
  })
})

describe('a purchase follows the purchase that it belongs to', () => {
  it('a subscription that arrives after its first payment gets the owner of the payment', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const buyer = customer('someone@example.test', customerId)
    const plan = subscription({ customer: customer('someone@example.test') })
    await deliver(
      testApp,
      'payment.succeeded',
      payment({ customer: buyer, metadata, subscription_id: plan.subscription_id }),
    )
    await deliver(testApp, 'subscription.active', plan)
    expect(await owner.browser.trpc.payment.subscriptions.query({ organizationId })).toMatchObject([
      { id: plan.subscription_id },
    ])
  })

  it('payments, keys and refunds that arrived first get the owner of the subscription', async () => {
    const person = await createUser(testApp)
    const guest = customer('guest@example.test')
    const plan = subscription({ customer: customer(person.email) })
    const renewal = payment({ customer: guest, subscription_id: plan.subscription_id })
    const key = {
      id: newEventId(),
      key: 'PLAN-KEY',
      status: 'active',
      customer_id: guest.customer_id,
      payment_id: null,
      subscription_id: plan.subscription_id,
      created_at: '2026-11-02T10:00:00Z',
    }
    const refund = { refund_id: newEventId(), payment_id: renewal.payment_id, status: 'succeeded', is_partial: false }
    const early = [
      await deliver(testApp, 'payment.succeeded', renewal),
      await deliver(testApp, 'license_key.created', key),
      await deliver(testApp, 'refund.succeeded', refund),
    ]
    expect(await person.browser.trpc.payment.licenseKeys.query()).toEqual([])
    await deliver(testApp, 'subscription.active', plan)
    for (const { id } of early) expect(await stateOf(id)).toBe('applied')
    expect(await person.browser.trpc.payment.payments.query()).toMatchObject([
      { id: renewal.payment_id, refunded: 1999 },
    ])
    expect(await person.browser.trpc.payment.licenseKeys.query()).toMatchObject([{ key: 'PLAN-KEY' }])
  })
})

describe('purchases made before the sign-up', () => {
  it('are assigned to the buyer when the address is verified, and stay so', async () => {
    const buyer = newUserData()
    const guest = customer(buyer.email)
    const bought = payment({ customer: guest })
    const event = await deliver(testApp, 'payment.succeeded', bought)
    const browser = testApp.browser()
    await browser.post('/sign-up/email', buyer)
    await assignVerifiedPurchases(testApp.app)
    expect(await stateOf(event.id)).toBe('unassigned')
    await browser.get(await emailedLink(testApp, buyer.email))
    expect(await paymentsOf({ browser })).toEqual([bought.payment_id])
    await assignVerifiedPurchases(testApp.app)
    expect(await stateOf(event.id)).toBe('applied')
    await changeEmail(testApp, { browser, email: buyer.email })
    const next = await signUpWithFormerEmail(testApp, buyer.email)
    await assignVerifiedPurchases(testApp.app)
    expect(await paymentsOf({ browser })).toEqual([bought.payment_id])
    expect(await paymentsOf({ browser: next })).toEqual([])
  })
})

describe('an owner with an active subscription', () => {
  const cancelAtProvider = (plan: object) => {
    const { subscription_id: id } = plan as { subscription_id: string }
    provider.answers.set(`PATCH /subscriptions/${id}`, { body: { ...plan, cancel_at_next_billing_date: true } })
    return id
  }

  it('is not deleted before it is canceled: a user', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', plan)
    const refused = await person.browser.post('/delete-user', { password })
    const message = `Cancel or transfer the subscription ${plan.subscription_id} first`
    expect([refused.status, refused.body.message]).toEqual([400, message])
    expect((await person.browser.get('/delete-user/preview')).body.subscriptions).toMatchObject([
      { id: plan.subscription_id, productId: 'pdt_pro', slug: null },
    ])
    const subscriptionId = cancelAtProvider(plan)
    await person.browser.trpc.payment.cancelSubscription.mutate({ subscriptionId, feedback: 'unused', comment: 'Bye' })
    expect(provider.asked.at(-1)?.body).toEqual({
      cancel_at_next_billing_date: true,
      cancel_reason: 'cancelled_by_customer',
      cancellation_feedback: 'unused',
      cancellation_comment: 'Bye',
    })
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([
      { cancelAtNextBillingDate: true, isEntitled: true },
    ])
    expect((await person.browser.post('/delete-user', { password })).status).toBe(200)
    // Later reports from the provider are kept without an owner: not even the next account with this email address gets
    // them.
    const late = await deliver(testApp, 'subscription.cancelled', { ...plan, status: 'cancelled' })
    const renewal = await deliver(
      testApp,
      'payment.succeeded',
      payment({ customer: plan.customer, subscription_id: plan.subscription_id }),
    )
    const browser = await signUpWithFormerEmail(testApp, person.email)
    await assignVerifiedPurchases(testApp.app)
    for (const { id } of [late, renewal]) expect(await stateOf(id)).toBe('unassigned')
    expect(await browser.trpc.payment.subscriptions.query()).toEqual([])
  })

  it('is not deleted before it is transferred: an organization, alone or with its only member', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const plan = subscription({ customer: customer(owner.email, customerId), metadata })
    const { subscription_id: subscriptionId } = plan
    await deliver(testApp, 'subscription.active', plan)
    const bought = payment({ customer: plan.customer, subscription_id: subscriptionId })
    await deliver(testApp, 'payment.succeeded', bought)
    const message = `Cancel or transfer the subscription ${subscriptionId} first`
    expect((await owner.browser.post('/organization/delete', { organizationId })).body.message).toBe(message)
    const alone = (await owner.browser.post('/delete-user', { password })).body.message
    expect(alone).toBe(message)
    const outsider = await createUser(testApp)
    await expect(outsider.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })).rejects.toThrow(
      'Subscription not found',
    )
    const member = await createMember(testApp, owner)
    await expect(member.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })).rejects.toThrow(
      'Subscription not found',
    )
    // Administrators manage the billing, but may not move a subscription out of the organization.
    const admin = await createMember(testApp, owner, 'admin')
    await expect(admin.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })).rejects.toThrow(
      'You are not allowed to manage billing',
    )
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })
    const log = (await owner.browser.get(`/organization/list-activity?organizationId=${organizationId}`)).text
    expect(log).toContain('payment.subscription_transferred')
    // The card and the invoices of the organization stay with its customer.
    expect(await testApp.db.customer.findUnique({ where: { customerId } })).toMatchObject({ organizationId })
    expect(await owner.browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: subscriptionId }])
    expect(await paymentsOf(owner)).toEqual([bought.payment_id])
    expect((await owner.browser.post('/organization/delete', { organizationId })).status).toBe(200)
    const renewal = payment({ customer: plan.customer, subscription_id: subscriptionId })
    await deliver(testApp, 'payment.succeeded', renewal)
    expect((await paymentsOf(owner)).toSorted()).toEqual([bought.payment_id, renewal.payment_id].toSorted())
  })

  it('may resume a canceled subscription, change the plan as previewed, and replace the payment method', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email), cancel_at_next_billing_date: true })
    const { subscription_id: subscriptionId } = plan
    await deliver(testApp, 'subscription.active', plan)
    const path = `/subscriptions/${subscriptionId}`
    provider.answers.set(`PATCH ${path}`, { body: { ...plan, cancel_at_next_billing_date: false } })
    await person.browser.trpc.payment.resumeSubscription.mutate({ subscriptionId })
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ cancelAtNextBillingDate: false }])
    provider.answers.set(`POST ${path}/change-plan/preview`, {
      body: {
        immediate_charge: {
          effective_at: '2026-11-20T10:00:00Z',
          line_items: [],
          summary: { currency: 'EUR', total_amount: 1234, tax: 197 },
        },
        new_plan: { ...plan, product_id: 'pdt_big', recurring_pre_tax_amount: 4900 },
      },
    })
    const preview = await person.browser.get(
      `${testApp.origin}/api/payments/subscriptions/preview-plan?subscriptionId=${subscriptionId}&productId=pdt_big&quantity=2`,
    )
    expect([preview.status, preview.body]).toEqual([
      200,
      {
        effectiveAt: '2026-11-20T10:00:00Z',
        now: { amount: 1234, currency: 'EUR', tax: 197 },
        recurring: { amount: 4900, currency: 'EUR' },
      },
    ])
    provider.answers.set(`POST ${path}/change-plan`, { body: {} })
    provider.answers.set(`GET ${path}`, { body: { ...plan, product_id: 'pdt_big', quantity: 2 } })
    const change = () =>
      person.browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_big', quantity: 2 })
    await Promise.all([change(), change()])
    expect(provider.countOf(`POST ${path}/change-plan`)).toBe(1)
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([
      { productId: 'pdt_big', quantity: 2 },
    ])
    provider.answers.set(`POST ${path}/update-payment-method`, { body: { payment_link: 'https://pay.test/new' } })
    expect(await person.browser.trpc.payment.updatePaymentMethod.mutate({ subscriptionId })).toEqual({
      link: 'https://pay.test/new',
    })
    // A response about another subscription changes nothing.
    provider.answers.set(`PATCH ${path}`, { body: { ...subscription(), status: 'expired' } })
    await expect(person.browser.trpc.payment.cancelSubscription.mutate({ subscriptionId })).rejects.toThrow(
      'no usable answer',
    )
    const outsider = await createUser(testApp)
    for (const call of [
      () => outsider.browser.trpc.payment.cancelSubscription.mutate({ subscriptionId }),
      () => outsider.browser.trpc.payment.resumeSubscription.mutate({ subscriptionId }),
      () => outsider.browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_big' }),
      () => outsider.browser.trpc.payment.updatePaymentMethod.mutate({ subscriptionId }),
    ]) {
      await expect(call()).rejects.toThrow('Subscription not found')
    }
  })
})

describe('a private purchase under the customer of an organization', () => {
  it('closes the organization’s portal, which would show the invoice and the card', async () => {
    const owner = await createOrganizationOwner(testApp)
    const of = { organizationId: owner.organization.id }
    const admin = await createMember(testApp, owner, 'admin')
    const { customerId, metadata } = await startCheckout(provider, owner, of)
    const buyer = customer(owner.email, customerId)
    await deliver(testApp, 'payment.succeeded', payment({ customer: buyer, metadata }))
    expect(await customersOf(admin, of)).toEqual([customerId])
    // The provider attaches it to the newest customer with the address.
    const own = payment({ customer: buyer, metadata: await linkMetadata(owner) })
    await deliver(testApp, 'payment.succeeded', own)
    expect(await paymentsOf(owner)).toEqual([own.payment_id])
    expect(await customersOf(admin, of)).toEqual([])
    // It stays closed when the buyer has another address, or has left.
    await changeEmail(testApp, owner)
    expect(await customersOf(admin, of)).toEqual([])
  })

  it('is not one that was made for the organization and transferred', async () => {
    const owner = await createOrganizationOwner(testApp)
    const of = { organizationId: owner.organization.id }
    const { customerId, metadata } = await startCheckout(provider, owner, of)
    const buyer = customer(owner.email, customerId)
    const [one, two] = [subscription({ customer: buyer, metadata }), subscription({ customer: buyer, metadata })]
    for (const plan of [one, two]) await deliver(testApp, 'subscription.active', plan)
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId: one.subscription_id })
    await deliver(testApp, 'subscription.renewed', one, { at: new Date(Date.now() + 1_000) })
    expect(await customersOf(owner, of)).toEqual([customerId])
  })
})

describe('a subscription without an owner', () => {
  it('blocks deletion of the account that sees it, which would continue to be charged', async () => {
    const admin = await createAdministrator(testApp)
    const person = newUserData()
    const { id } = await deliver(testApp, 'subscription.active', subscription({ customer: customer(person.email) }))
    await admin.browser.trpc.admin.dismiss.mutate({ eventId: id, reason: 'unknown buyer' })
    const browser = testApp.browser()
    await browser.post('/sign-up/email', person)
    await browser.get(await emailedLink(testApp, person.email))
    expect(await subscriptionsOf({ browser })).toHaveLength(1)
    const deleted = await browser.post('/delete-user', { password: person.password })
    expect([deleted.status, deleted.body.code]).toEqual([400, 'SUBSCRIPTION_MUST_END_FIRST'])
  })

  const attemptOf = {
    'a failed payment': (buyer: object) => ['payment.failed', payment({ customer: buyer, status: 'failed' })] as const,
    'a cancelled payment': (buyer: object) =>
      ['payment.cancelled', payment({ customer: buyer, status: 'cancelled' })] as const,
    'a payment that is processing': (buyer: object) =>
      ['payment.processing', payment({ customer: buyer, status: 'processing' })] as const,
    'a failed subscription': (buyer: object) =>
      ['subscription.failed', subscription({ customer: buyer, status: 'failed' })] as const,
    'an expired subscription': (buyer: object) =>
      ['subscription.expired', subscription({ customer: buyer, status: 'expired' })] as const,
  }
  it.each([
    ['a failed payment', true],
    ['a cancelled payment', true],
    ['a payment that is processing', false],
    ['a failed subscription', true],
    ['an expired subscription', false],
  ] as const)(
    'is seen, and keeps the account, after %s of the former holder of the address: %s',
    async (what, isSeen) => {
      const admin = await createAdministrator(testApp)
      const former = await createUser(testApp)
      const buyer = customer(former.email)
      const [type, attempt] = attemptOf[what](buyer)
      await deliver(testApp, type, attempt)
      const owned = { where: { customerId: buyer.customer_id, userId: former.id } }
      expect((await testApp.db.payment.count(owned)) + (await testApp.db.subscription.count(owned))).toBe(1)
      await changeEmail(testApp, former)
      const { id } = await deliver(testApp, 'subscription.active', subscription({ customer: buyer }))
      await admin.browser.trpc.admin.dismiss.mutate({ eventId: id, reason: 'unknown buyer' })
      const next = await signUpWithFormerEmail(testApp, former.email)
      expect(await subscriptionsOf({ browser: next })).toHaveLength(isSeen ? 1 : 0)
      const deleted = await next.post('/delete-user', { password })
      expect([deleted.status, deleted.body.code]).toEqual(
        isSeen ? [400, 'SUBSCRIPTION_MUST_END_FIRST'] : [200, undefined],
      )
    },
  )

  it('is assigned to the holder of the address, although a former one has tried to pay, and failed', async () => {
    const former = await createUser(testApp)
    const buyer = customer(former.email)
    const attempt = payment({ customer: buyer, status: 'failed' })
    await deliver(testApp, 'payment.failed', attempt)
    await changeEmail(testApp, former)
    const { id } = await deliver(testApp, 'subscription.active', subscription({ customer: buyer }))
    const next = await signUpWithFormerEmail(testApp, former.email)
    await assignVerifiedPurchases(testApp.app)
    expect(await stateOf(id)).toBe('applied')
    expect(await subscriptionsOf({ browser: next })).toHaveLength(1)
    expect(await paymentsOf({ browser: next })).toEqual([])
    expect(await paymentsOf(former)).toEqual([attempt.payment_id])
  })

  it('does not keep an account that cannot see it, because another owner has bought under the customer', async () => {
    const other = await createUser(testApp)
    const person = newUserData()
    const buyer = customer(person.email)
    await deliver(testApp, 'subscription.active', subscription({ customer: buyer }))
    await deliver(testApp, 'payment.succeeded', payment({ customer: buyer, metadata: await linkMetadata(other) }))
    const browser = testApp.browser()
    await browser.post('/sign-up/email', person)
    await browser.get(await emailedLink(testApp, person.email))
    expect(await subscriptionsOf({ browser })).toEqual([])
    expect((await browser.post('/delete-user', { password: person.password })).status).toBe(200)
  })
})

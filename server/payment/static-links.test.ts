import { expect, it } from 'vitest'
import { createOrganizationOwner } from '../testing/organizations.ts'
import {
  customer,
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
import { createTestApp } from '../testing/test-app.ts'
import { createAdministrator, createUser, newUserData } from '../testing/test-users.ts'
import { assignVerifiedPurchases } from './attribution/assign-verified-purchases.ts'
import { reconcile } from './reconciliation/reconcile.ts'

const provider = await startProvider()
const testApp = await createTestApp(shopSettings(provider.url))
provider.answers.set('POST /checkouts', { body: { session_id: 'cks', checkout_url: 'https://checkout.test/1' } })

const before = (seconds: number) => ({ at: new Date(Date.now() - seconds * 1000) })

/** An organization's link, paid by a verified user who may own purchases, too. */
async function linkOf() {
  const owner = await createOrganizationOwner(testApp)
  const of = { organizationId: owner.organization.id }
  return { owner, of, buyer: customer(owner.email), metadata: await linkMetadata(owner, of) }
}

it.each(['processing', 'failed'])(
  'a payment by link that is %s at first belongs to the owner of the link',
  async (status) => {
    const { owner, of, buyer, metadata } = await linkOf()
    const bought = payment({ customer: buyer, metadata })
    const attempt = await deliver(testApp, `payment.${status}`, { ...bought, status }, before(60))
    // Nobody has to assign it: its purchase decides.
    expect((await testApp.db.paymentEvent.findUniqueOrThrow({ where: { id: attempt.id } })).state).toBe('applied')
    await assignVerifiedPurchases(testApp.app)
    await deliver(testApp, 'payment.succeeded', bought)
    expect(await paymentsOf(owner, of)).toEqual([bought.payment_id])
    expect(await paymentsOf(owner)).toEqual([])
  },
)

it('a payment by link belongs to its owner if the id, which was imported, contains a colon', async () => {
  const name = `acme${Date.now()}`
  const [short, owner] = [await createUser(testApp), await createUser(testApp)]
  await testApp.db.user.update({ where: { id: short.id }, data: { id: name } })
  await testApp.db.user.update({ where: { id: owner.id }, data: { id: `${name}:ada` } })
  const bought = payment({ customer: customer(newUserData().email), metadata: await linkMetadata(owner) })
  await deliver(testApp, 'payment.succeeded', bought)
  expect([await paymentsOf(owner), await paymentsOf(short)]).toEqual([[bought.payment_id], []])
})

it('a subscription by link that is pending at first belongs to the owner of the link', async () => {
  const { owner, of, buyer, metadata } = await linkOf()
  const plan = subscription({ customer: buyer, metadata })
  const paid = payment({ customer: buyer, metadata, subscription_id: plan.subscription_id })
  await deliver(testApp, 'payment.processing', { ...paid, status: 'processing' }, before(90))
  await deliver(testApp, 'subscription.updated', { ...plan, status: 'pending' }, before(60))
  await deliver(testApp, 'subscription.active', plan, before(30))
  await deliver(testApp, 'payment.succeeded', paid)
  expect(await subscriptionsOf(owner, of)).toEqual([plan.subscription_id])
  expect(await paymentsOf(owner, of)).toEqual([paid.payment_id])
  expect(await owner.browser.trpc.payment.entitlements.query(of)).toMatchObject([{ product: 'pdt_pro' }])
})

it('a subscription by link whose first event to arrive says that it is on hold belongs to the owner of the link', async () => {
  const { owner, of, buyer, metadata } = await linkOf()
  const plan = subscription({ customer: buyer, metadata, status: 'on_hold' })
  await deliver(testApp, 'subscription.on_hold', plan)
  expect(await subscriptionsOf(owner, of)).toEqual([plan.subscription_id])
})

it('a failed payment without a link still waits for its buyer, who gets it after the sign-up', async () => {
  const buyer = customer(`late.${Date.now()}@example.test`)
  const failed = payment({ customer: buyer, status: 'failed' })
  const { id } = await deliver(testApp, 'payment.failed', failed)
  expect((await testApp.db.paymentEvent.findUniqueOrThrow({ where: { id } })).state).toBe('unassigned')
  const person = await createUser(testApp)
  await testApp.db.user.update({ where: { id: person.id }, data: { email: buyer.email } })
  await assignVerifiedPurchases(testApp.app)
  expect((await testApp.db.paymentEvent.findUniqueOrThrow({ where: { id } })).state).toBe('applied')
  expect((await testApp.db.payment.findUniqueOrThrow({ where: { paymentId: failed.payment_id } })).userId).toBe(
    person.id,
  )
})

it('an event without a customer belongs to the owner that our server has signed', async () => {
  const person = await createUser(testApp)
  const { metadata } = await startCheckout(provider, person)
  const bought = payment({ customer: null, metadata })
  await deliver(testApp, 'payment.succeeded', bought)
  expect(await paymentsOf(person)).toEqual([bought.payment_id])
})

it('an attempt that the nightly comparison finds paid, after another customer used the link, waits for its buyer', async () => {
  const { owner, metadata } = await linkOf()
  const late = customer(newUserData().email)
  const bought = payment({ customer: late, metadata, created_at: new Date().toISOString() })
  await deliver(testApp, 'payment.processing', { ...bought, status: 'processing' }, before(60))
  await deliver(testApp, 'payment.succeeded', payment({ customer: customer(owner.email), metadata }), before(30))
  provider.answers.set('GET /payments', { body: { items: [bought] } })
  provider.answers.set(`GET /payments/${bought.payment_id}`, { body: bought })
  await reconcile(testApp.app)
  await reconcile(testApp.app)
  provider.answers.delete('GET /payments')
  const where = { subjectId: bought.payment_id, state: 'unassigned' as const }
  expect(await testApp.db.paymentEvent.count({ where })).toBe(1)
  const person = await createUser(testApp)
  await testApp.db.user.update({ where: { id: person.id }, data: { email: late.email } })
  await assignVerifiedPurchases(testApp.app)
  expect(await paymentsOf(person)).toEqual([bought.payment_id])
})

it('a failed payment of a subscription belongs to the owner of the link, once the subscription does', async () => {
  const { owner, of, metadata } = await linkOf()
  const buyer = customer(newUserData().email)
  const plan = subscription({ customer: buyer, metadata })
  const paid = { customer: buyer, metadata, subscription_id: plan.subscription_id }
  const failed = payment({ ...paid, status: 'failed' })
  await deliver(testApp, 'payment.failed', failed, before(60))
  await deliver(testApp, 'subscription.active', plan, before(30))
  expect(await paymentsOf(owner, of)).toEqual([failed.payment_id])
})

it('a license key that arrives between the attempt and the purchase belongs to the owner of the link', async () => {
  const { owner, of, buyer, metadata } = await linkOf()
  const bought = payment({ customer: buyer, metadata })
  await deliver(testApp, 'payment.processing', { ...bought, status: 'processing' }, before(60))
  const key = { id: newEventId(), key: 'KEY', status: 'active', created_at: new Date().toISOString() }
  const about = { customer_id: buyer.customer_id, payment_id: bought.payment_id }
  await deliver(testApp, 'license_key.created', { ...key, ...about }, before(30))
  await deliver(testApp, 'payment.succeeded', bought)
  expect(await owner.browser.trpc.payment.licenseKeys.query(of)).toMatchObject([{ id: key.id }])
})

it('an abandoned subscription of a stranger does not use the link up', async () => {
  const { owner, of, buyer, metadata } = await linkOf()
  const abandoned = subscription({ customer: customer(newUserData().email), metadata })
  await deliver(testApp, 'subscription.updated', { ...abandoned, status: 'pending' }, before(90))
  await deliver(testApp, 'subscription.cancelled', { ...abandoned, status: 'cancelled' }, before(60))
  const plan = subscription({ customer: buyer, metadata })
  await deliver(testApp, 'subscription.active', plan)
  expect(await subscriptionsOf(owner, of)).toEqual([plan.subscription_id])
})

it('an administrator who assigns the customer does not assign the attempt', async () => {
  const admin = await createAdministrator(testApp)
  const { owner, of, metadata } = await linkOf()
  const other = await createUser(testApp)
  const buyer = customer(newUserData().email)
  const { id: eventId } = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
  const bought = payment({ customer: buyer, metadata })
  await deliver(testApp, 'payment.processing', { ...bought, status: 'processing' }, before(60))
  await admin.browser.trpc.admin.assign.mutate({ eventId, email: other.email })
  await deliver(testApp, 'payment.succeeded', bought)
  expect(await paymentsOf(owner, of)).toEqual([bought.payment_id])
})

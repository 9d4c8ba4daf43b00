import { describe, expect, it } from 'vitest'
import { founder, joined, newSlug } from '../testing/organizations.ts'
import {
  customer,
  deliver,
  newEventId,
  openProvider,
  payment,
  subscription,
  shopSettings,
} from '../testing/payments.ts'
import { type Person, administrator, password, signedIn, signedUp, stranger } from '../testing/people.ts'
import { linkTo, openWorld } from '../testing/world.ts'
import { updateCustomers } from './update-customers.ts'

const provider = await openProvider()
const world = await openWorld(shopSettings(provider.url))
provider.answers.set('POST /checkouts', { body: { session_id: 'cks', checkout_url: 'https://checkout.test/1' } })

type Buyer = Pick<Person, 'browser'>

async function checkout({ browser }: Buyer, more: object = {}) {
  await browser.trpc.payment.createCheckout.mutate({ product_id: `pdt_${newEventId()}`, ...more })
  const { body } = provider.asked.at(-1) ?? {}
  return { customerId: String(body.customer.customer_id), metadata: body.metadata as Record<string, string> }
}

/** Metadata of a payment by one of this seller's static links. */
async function linkMetadata({ browser }: Buyer): Promise<Record<string, string>> {
  const { url } = await browser.trpc.payment.checkoutLink.mutate({ productId: 'pdt_1' })
  const named = [...new URL(url).searchParams].filter(([key]) => key.startsWith('metadata_'))
  return Object.fromEntries(named.map(([key, value]) => [key.slice('metadata_'.length), value]))
}

const paymentsOf = async ({ browser }: Buyer, of: object = {}) =>
  (await browser.trpc.payment.payments.query(of)).map(({ id }) => id)
const customersOf = async ({ browser }: Buyer, of: object = {}) =>
  (await browser.trpc.payment.customers.query(of)).map(({ id }) => id)
const keysOf = async ({ browser }: Buyer, of: object = {}) =>
  (await browser.trpc.payment.licenseKeys.query(of)).map(({ id }) => id)
const stateOf = async (id: string) => (await world.db.webhookEvent.findUniqueOrThrow({ where: { id } })).state

const licenseKey = (changes: object) => ({
  id: newEventId(),
  key: 'KEY',
  status: 'active',
  created_at: '2026-11-02T10:00:00Z',
  ...changes,
})

describe('a transferred subscription', () => {
  it('takes along what is charged for it later, also with the metadata of its checkout', async () => {
    const owner = await founder(world)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner)
    const buyer = customer(owner.email, customerId)
    const { subscription_id: subscriptionId, ...plan } = subscription({ customer: buyer, metadata })
    await deliver(world, 'subscription.active', { ...plan, subscription_id: subscriptionId })
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId })
    // The provider gives the charge of a changed plan the metadata of the subscription.
    const charged = payment({ customer: buyer, subscription_id: subscriptionId, metadata })
    await deliver(world, 'payment.succeeded', charged)
    expect(await paymentsOf(owner, { organizationId })).toEqual([charged.payment_id])
    expect(await paymentsOf(owner)).toEqual([])
  })

  it('is still the new owner’s when the organization that bought it is gone', async () => {
    const owner = await founder(world)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const buyer = customer(owner.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    await deliver(world, 'subscription.active', plan)
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId: plan.subscription_id })
    expect((await owner.browser.post('/organization/delete', { organizationId })).status).toBe(200)
    const charged = payment({ customer: buyer, subscription_id: plan.subscription_id, metadata })
    const { id } = await deliver(world, 'payment.succeeded', charged)
    expect(await stateOf(id)).toBe('applied')
    expect(await paymentsOf(owner)).toEqual([charged.payment_id])
  })

  it('takes along keys that name only its payment', async () => {
    const owner = await founder(world)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner)
    const buyer = customer(owner.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    const bought = payment({ customer: buyer, subscription_id: plan.subscription_id, metadata })
    const key = licenseKey({ customer_id: customerId, payment_id: bought.payment_id })
    await deliver(world, 'subscription.active', plan)
    await deliver(world, 'payment.succeeded', bought)
    await deliver(world, 'license_key.created', key)
    expect(await keysOf(owner)).toEqual([key.id])
    await owner.browser.trpc.payment.transferSubscription.mutate({
      subscriptionId: plan.subscription_id,
      organizationId,
    })
    expect(await keysOf(owner)).toEqual([])
    expect(await keysOf(owner, { organizationId })).toEqual([key.id])
  })

  it('leaves the customer of somebody who paid by a link to that user', async () => {
    const [seller, payer] = [await founder(world), await signedIn(world)]
    const organizationId = seller.organization.id
    const buyer = customer(payer.email)
    const plan = subscription({ customer: buyer, metadata: await linkMetadata(seller) })
    await deliver(world, 'subscription.active', plan)
    const { subscription_id: subscriptionId } = plan
    expect(await seller.browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: subscriptionId }])
    await seller.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId })
    expect(await seller.browser.trpc.payment.subscriptions.query({ organizationId })).toMatchObject([
      { id: subscriptionId },
    ])
    // Its portal shows the payer's card, address and invoices.
    expect(await customersOf(seller, { organizationId })).toEqual([])
  })

  it('leaves the customer of an organization to it, by way of a user too', async () => {
    const owner = await founder(world)
    const organizationId = owner.organization.id
    const { body } = await owner.browser.post('/organization/create', { name: 'Next', slug: newSlug() })
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const plan = subscription({ customer: customer(owner.email, customerId), metadata })
    const { subscription_id: subscriptionId } = plan
    await deliver(world, 'subscription.active', plan)
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId: body.id })
    expect(await customersOf(owner, { organizationId })).toEqual([customerId])
    expect(await customersOf(owner, { organizationId: body.id })).toEqual([])
  })
})

describe('a purchase without a customer', () => {
  it('is assigned with the payments and keys of its subscription', async () => {
    const [admin, person] = [await administrator(world), await signedIn(world)]
    const plan = subscription({ customer: null })
    const charges = [1, 2].map(() => payment({ customer: null, subscription_id: plan.subscription_id }))
    const key = licenseKey({ customer_id: `cus_${newEventId()}`, payment_id: charges[0]?.payment_id })
    const { id: eventId } = await deliver(world, 'subscription.active', plan)
    for (const charge of charges) await deliver(world, 'payment.succeeded', charge)
    await deliver(world, 'license_key.created', key)
    await admin.browser.trpc.admin.assign.mutate({ eventId, email: person.email })
    expect((await paymentsOf(person)).toSorted()).toEqual(charges.map(({ payment_id }) => payment_id).toSorted())
    expect(await keysOf(person)).toEqual([key.id])
  })

  it('of somebody is nobody else’s by an assignment', async () => {
    const [admin, owner, other] = [await administrator(world), await signedIn(world), await signedIn(world)]
    const { customerId, metadata } = await checkout(owner)
    const bought = payment({ customer: customer(owner.email, customerId), metadata })
    await deliver(world, 'payment.succeeded', bought)
    const { id: eventId } = await deliver(world, 'dispute.opened', {
      dispute_id: newEventId(),
      payment_id: bought.payment_id,
      amount: '1999',
      currency: 'EUR',
      dispute_stage: 'dispute',
      dispute_status: 'dispute_opened',
      created_at: '2026-11-02T10:00:00Z',
    })
    await world.db.payment.update({ where: { paymentId: bought.payment_id }, data: { customerId: '' } })
    await world.db.webhookEvent.update({ where: { id: eventId }, data: { state: 'unassigned', appliedAt: null } })
    await expect(admin.browser.trpc.admin.assign.mutate({ eventId, email: other.email })).rejects.toThrow(
      'The purchase belongs to somebody already, or has not arrived yet',
    )
    expect(await paymentsOf(owner)).toEqual([bought.payment_id])
  })
})

describe('a customer whose address nobody has verified', () => {
  it('is not made: the provider is told the address that was verified', async () => {
    const [owner, { email }] = [await founder(world), stranger()]
    await owner.browser.post('/change-email', { newEmail: email })
    await owner.browser.get(await linkTo(world, owner.email, 'confirmEmailChange'))
    await checkout(owner, { organizationId: owner.organization.id })
    await checkout(owner)
    const made = provider.asked.filter(({ method, path }) => method === 'POST' && path === '/customers').slice(-2)
    expect(made.map(({ body }) => body.email)).toEqual([owner.email, owner.email])
  })

  it('takes no purchase by a link, and opens no portal with it', async () => {
    const loose = await openWorld({ ...shopSettings(provider.url), EMAIL_VERIFICATION: 'optional' })
    const [person, next] = [await signedUp(loose), await signedUp(loose)]
    const { body } = await next.browser.post('/organization/create', { name: 'Next', slug: newSlug() })
    for (const [{ browser, email }, of] of [
      [person, {}],
      [next, { organizationId: String(body.id) }],
    ] as const) {
      const { customerId, metadata } = await checkout({ browser }, of)
      const buyer = customer(email, customerId)
      const own = payment({ customer: buyer, metadata })
      await deliver(loose, 'payment.succeeded', own)
      expect(await customersOf({ browser }, of)).toEqual([customerId])
      // The provider attaches what the mailbox's owner buys by a public link to the newest customer with the address.
      await deliver(loose, 'payment.succeeded', payment({ customer: buyer }))
      expect(await paymentsOf({ browser }, of)).toEqual([own.payment_id])
      expect(await customersOf({ browser }, of)).toEqual([])
    }
    // Who has verified the address gets it.
    await person.browser.get(await linkTo(loose, person.email))
    expect(await customersOf(person)).toHaveLength(1)
  })
})

describe('an account that the owner of the mailbox takes over', () => {
  it('leaves its subscription to an administrator, who assigns it', async () => {
    const loose = await openWorld({ ...shopSettings(provider.url), EMAIL_VERIFICATION: 'optional' })
    const [admin, person] = [await administrator(loose), await signedUp(loose)]
    const { customerId, metadata } = await checkout(person)
    const buyer = customer(person.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    await deliver(loose, 'subscription.active', plan)
    const token = new URL(await linkTo(loose, person.email)).searchParams.get('token')
    const browser = loose.browser()
    expect((await browser.post('/verify-email/claim', { token, name: 'Ada', password })).status).toBe(200)
    const events = await admin.browser.trpc.admin.unassignedEvents.query({ limit: 100 })
    const waiting = events.find(({ subjectId }) => subjectId === plan.subscription_id)
    expect(waiting).toMatchObject({ type: 'subscription.updated' })
    await admin.browser.trpc.admin.assign.mutate({ eventId: waiting?.id ?? '', email: person.email })
    expect(await browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: plan.subscription_id }])
  })
})

describe('the receipts of an organization', () => {
  it('stop going to who no longer manages its billing', async () => {
    const owner = await founder(world)
    const organizationId = owner.organization.id
    const admin = await joined(world, owner, 'admin')
    const { customerId } = await checkout(admin, { organizationId })
    const path = `/customers/${customerId}`
    provider.answers.set(`PATCH ${path}`, { body: { customer_id: customerId } })
    const role = { organizationId, memberId: admin.memberId, role: 'member' }
    expect((await owner.browser.post('/organization/update-member-role', role)).status).toBe(200)
    await updateCustomers(world.app)
    expect(provider.asked.findLast(({ path: asked }) => asked === path)?.body).toEqual({
      email: owner.email,
      name: 'Acme',
    })
  })
})

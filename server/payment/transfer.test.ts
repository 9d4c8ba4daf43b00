import { describe, expect, it } from 'vitest'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import { createOrganizationOwner, createMember, newSlug } from '../testing/organizations.ts'
import {
  customer,
  customersOf,
  deliver,
  linkMetadata,
  newEventId,
  startProvider,
  payment,
  paymentsOf,
  shopSettings,
  startCheckout,
  subscription,
} from '../testing/payments.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import {
  type TestUser,
  createAdministrator,
  changeEmail,
  password,
  createUser,
  createUnverifiedUser,
  newUserData,
} from '../testing/test-users.ts'
import { updateCustomers } from './customers/update-customers.ts'

const provider = await startProvider()
const testApp = await createTestApp(shopSettings(provider.url))
provider.answers.set('POST /checkouts', { body: { session_id: 'cks', checkout_url: 'https://checkout.test/1' } })

type Buyer = Pick<TestUser, 'browser'>
const checkout = (buyer: Buyer, more: object = {}) => startCheckout(provider, buyer, more)
const keysOf = async ({ browser }: Buyer, of: object = {}) =>
  (await browser.trpc.payment.licenseKeys.query(of)).map(({ id }) => id)
const stateOf = async (id: string) => (await testApp.db.paymentEvent.findUniqueOrThrow({ where: { id } })).state

const licenseKey = (changes: object) => ({
  id: newEventId(),
  key: 'KEY',
  status: 'active',
  created_at: '2026-11-02T10:00:00Z',
  ...changes,
})

describe('a transferred subscription', () => {
  it('includes its later charges, even with the metadata of its checkout', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner)
    const buyer = customer(owner.email, customerId)
    const { subscription_id: subscriptionId, ...plan } = subscription({ customer: buyer, metadata })
    await deliver(testApp, 'subscription.active', { ...plan, subscription_id: subscriptionId })
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId })
    // The provider copies the metadata of the subscription to the charge for a changed plan.
    const charged = payment({ customer: buyer, subscription_id: subscriptionId, metadata })
    await deliver(testApp, 'payment.succeeded', charged)
    expect(await paymentsOf(owner, { organizationId })).toEqual([charged.payment_id])
    expect(await paymentsOf(owner)).toEqual([])
  })

  it('still belongs to the new owner after the organization that bought it was deleted', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const buyer = customer(owner.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    await deliver(testApp, 'subscription.active', plan)
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId: plan.subscription_id })
    expect((await owner.browser.post('/organization/delete', { organizationId })).status).toBe(200)
    const charged = payment({ customer: buyer, subscription_id: plan.subscription_id, metadata })
    const { id } = await deliver(testApp, 'payment.succeeded', charged)
    expect(await stateOf(id)).toBe('applied')
    expect(await paymentsOf(owner)).toEqual([charged.payment_id])
  })

  it('includes license keys that name only its payment', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner)
    const buyer = customer(owner.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    const bought = payment({ customer: buyer, subscription_id: plan.subscription_id, metadata })
    const key = licenseKey({ customer_id: customerId, payment_id: bought.payment_id })
    await deliver(testApp, 'subscription.active', plan)
    await deliver(testApp, 'payment.succeeded', bought)
    await deliver(testApp, 'license_key.created', key)
    expect(await keysOf(owner)).toEqual([key.id])
    await owner.browser.trpc.payment.transferSubscription.mutate({
      subscriptionId: plan.subscription_id,
      organizationId,
    })
    expect(await keysOf(owner)).toEqual([])
    expect(await keysOf(owner, { organizationId })).toEqual([key.id])
  })

  it('leaves the customer with the user who paid through a link', async () => {
    const [seller, payer] = [await createOrganizationOwner(testApp), await createUser(testApp)]
    const organizationId = seller.organization.id
    const buyer = customer(payer.email)
    const plan = subscription({ customer: buyer, metadata: await linkMetadata(seller) })
    await deliver(testApp, 'subscription.active', plan)
    const { subscription_id: subscriptionId } = plan
    expect(await seller.browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: subscriptionId }])
    await seller.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId })
    expect(await seller.browser.trpc.payment.subscriptions.query({ organizationId })).toMatchObject([
      { id: subscriptionId },
    ])
    // Its portal shows the payer's card, address and invoices.
    expect(await customersOf(seller, { organizationId })).toEqual([])
  })

  it('leaves the customer with the guest who paid through a link, with later purchases under it', async () => {
    const seller = await createOrganizationOwner(testApp)
    const organizationId = seller.organization.id
    const buyer = customer(newUserData().email)
    const plan = subscription({ customer: buyer, metadata: await linkMetadata(seller) })
    await deliver(testApp, 'subscription.active', plan)
    const { subscription_id: subscriptionId } = plan
    await seller.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId })
    expect(await customersOf(seller, { organizationId })).toEqual([])
    const { id } = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
    expect(await stateOf(id)).toBe('unassigned')
    expect(await paymentsOf(seller, { organizationId })).toEqual([])
  })

  it('returns the customer only to the user from whom it came', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const admin = await createMember(testApp, owner, 'admin')
    const { customerId, metadata } = await checkout(admin)
    const plan = subscription({ customer: customer(admin.email, customerId), metadata })
    const { subscription_id: subscriptionId } = plan
    await deliver(testApp, 'subscription.active', plan)
    await admin.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId })
    expect(await customersOf(owner, { organizationId })).toEqual([customerId])
    // Another person takes the subscription over: the card is still the first person's.
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })
    expect(await customersOf(owner)).toEqual([])
    expect(await customersOf(owner, { organizationId })).toEqual([])
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId })
    expect(await customersOf(owner, { organizationId })).toEqual([customerId])
    const role = { organizationId, memberId: admin.memberId, role: 'owner' }
    await owner.browser.post('/organization/update-member-role', role)
    await admin.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })
    expect(await customersOf(admin)).toEqual([customerId])
    expect(await customersOf(owner, { organizationId })).toEqual([])
  })

  it('hides from the organization a payment of its former owner from an open checkout', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const admin = await createMember(testApp, owner, 'admin')
    const product_id = `pdt_${newEventId()}`
    const { customerId, metadata } = await checkout(admin, { product_id })
    const buyer = customer(admin.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    await deliver(testApp, 'subscription.active', plan)
    const open = await checkout(admin)
    await admin.browser.trpc.payment.transferSubscription.mutate({
      subscriptionId: plan.subscription_id,
      organizationId,
    })
    expect(await customersOf(owner, { organizationId })).toEqual([customerId])
    // A repeated request uses a customer of the user's own.
    expect((await checkout(admin, { product_id })).customerId).not.toBe(customerId)
    await deliver(testApp, 'payment.succeeded', payment({ customer: buyer, metadata: open.metadata }))
    expect(await paymentsOf(admin)).toHaveLength(1)
    expect(await customersOf(owner, { organizationId })).toEqual([])
    // After the subscription has moved back, everything under the customer belongs to the user again.
    const role = { organizationId, memberId: admin.memberId, role: 'owner' }
    await owner.browser.post('/organization/update-member-role', role)
    await admin.browser.trpc.payment.transferSubscription.mutate({ subscriptionId: plan.subscription_id })
    expect(await customersOf(admin)).toContain(customerId)
  })

  it('leaves private purchases with its user, and gives the organization’s checkouts another customer', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner)
    const buyer = customer(owner.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    await deliver(testApp, 'subscription.active', plan)
    await owner.browser.trpc.payment.transferSubscription.mutate({
      subscriptionId: plan.subscription_id,
      organizationId,
    })
    expect((await checkout(owner, { organizationId })).customerId).not.toBe(customerId)
    // A guest purchase through a public link, which the provider attaches to the customer with that email address.
    const bought = payment({ customer: buyer })
    await deliver(testApp, 'payment.succeeded', bought)
    expect(await paymentsOf(owner)).toEqual([bought.payment_id])
    expect(await paymentsOf(owner, { organizationId })).toEqual([])
  })

  it('includes the customer of a purchase before the sign-up with the user’s email address', async () => {
    const { email } = newUserData()
    const buyer = customer(email)
    const plan = subscription({ customer: buyer })
    await deliver(testApp, 'subscription.active', plan)
    const person = await createUser(testApp, { email })
    const { body } = await person.browser.post('/organization/create', { name: 'Next', slug: newSlug() })
    const of = { organizationId: String(body.id) }
    await person.browser.trpc.payment.transferSubscription.mutate({ subscriptionId: plan.subscription_id, ...of })
    expect(await customersOf(person, of)).toEqual([buyer.customer_id])
  })

  it('leaves the customer with its user while it has a key of another purchase', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { customerId, metadata } = await checkout(owner)
    const plan = subscription({ customer: customer(owner.email, customerId), metadata })
    await deliver(testApp, 'subscription.active', plan)
    const charged = payment({ customer: customer(owner.email, customerId), subscription_id: plan.subscription_id })
    await deliver(testApp, 'payment.succeeded', charged)
    const key = licenseKey({ customer_id: customerId, payment_id: charged.payment_id })
    await deliver(testApp, 'license_key.created', key)
    // A key for which the provider names neither payment nor subscription.
    await testApp.db.licenseKey.update({ where: { id: key.id }, data: { paymentId: null, userId: owner.id } })
    await owner.browser.trpc.payment.transferSubscription.mutate({
      subscriptionId: plan.subscription_id,
      organizationId,
    })
    expect(await customersOf(owner, { organizationId })).toEqual([])
    expect(await customersOf(owner)).toEqual([customerId])
  })

  it('is refused for an owner who is demoted during the call', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const other = await createMember(testApp, owner, 'owner')
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const plan = subscription({ customer: customer(owner.email, customerId), metadata })
    const { subscription_id: subscriptionId } = plan
    await deliver(testApp, 'subscription.active', plan)
    const demote = `
      with held as (select 1 from "Organization" where id = $2 for no key update)
      update "Member" set role = 'admin' where id = $1 and exists (select from held)`
    const answer = await withRowLock(testApp, demote, [other.memberId, organizationId], async (release) => {
      const sent = other.browser.trpc.payment.transferSubscription.mutate({ subscriptionId }).then(
        () => 'moved',
        (error: Error) => error.message,
      )
      await Promise.race([untilWaiting(testApp, 1), sent])
      await release()
      return sent
    })
    expect(answer).toBe('You are not allowed to manage billing')
    expect(await owner.browser.trpc.payment.subscriptions.query({ organizationId })).toMatchObject([
      { id: subscriptionId },
    ])
  })

  it('leaves an organization’s customer with it, even through a user', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const { body } = await owner.browser.post('/organization/create', { name: 'Next', slug: newSlug() })
    const { customerId, metadata } = await checkout(owner, { organizationId })
    const plan = subscription({ customer: customer(owner.email, customerId), metadata })
    const { subscription_id: subscriptionId } = plan
    await deliver(testApp, 'subscription.active', plan)
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId })
    await owner.browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId: body.id })
    expect(await customersOf(owner, { organizationId })).toEqual([customerId])
    expect(await customersOf(owner, { organizationId: body.id })).toEqual([])
  })
})

describe('a purchase without a customer', () => {
  it('is assigned with the payments and keys of its subscription', async () => {
    const [admin, person] = [await createAdministrator(testApp), await createUser(testApp)]
    const plan = subscription({ customer: null })
    const charges = [1, 2].map(() => payment({ customer: null, subscription_id: plan.subscription_id }))
    const key = licenseKey({ customer_id: `cus_${newEventId()}`, payment_id: charges[0]?.payment_id })
    const { id: eventId } = await deliver(testApp, 'subscription.active', plan)
    for (const charge of charges) await deliver(testApp, 'payment.succeeded', charge)
    await deliver(testApp, 'license_key.created', key)
    await admin.browser.trpc.admin.assign.mutate({ eventId, email: person.email })
    expect((await paymentsOf(person)).toSorted()).toEqual(charges.map(({ payment_id }) => payment_id).toSorted())
    expect(await keysOf(person)).toEqual([key.id])
  })

  it('is corrected with its payments and keys, even after its owner was deleted', async () => {
    const [admin, wrong, right] = [
      await createAdministrator(testApp),
      await createUser(testApp),
      await createUser(testApp),
    ]
    const plan = subscription({ customer: null })
    const charge = payment({ customer: null, subscription_id: plan.subscription_id })
    const key = licenseKey({ customer_id: `cus_${newEventId()}`, payment_id: charge.payment_id })
    const { id: eventId } = await deliver(testApp, 'subscription.active', plan)
    await deliver(testApp, 'payment.succeeded', charge)
    await deliver(testApp, 'license_key.created', key)
    await admin.browser.trpc.admin.assign.mutate({ eventId, email: wrong.email })
    expect([await paymentsOf(wrong), await keysOf(wrong)]).toEqual([[charge.payment_id], [key.id]])
    await admin.browser.trpc.admin.assign.mutate({ eventId, email: right.email })
    expect([await paymentsOf(wrong), await keysOf(wrong)]).toEqual([[], []])
    expect([await paymentsOf(right), await keysOf(right)]).toEqual([[charge.payment_id], [key.id]])
    // The row names an owner that has been deleted.
    const gone = { userId: newEventId() }
    await testApp.db.subscription.updateMany({ where: { subscriptionId: plan.subscription_id }, data: gone })
    await testApp.db.payment.updateMany({ where: { paymentId: charge.payment_id }, data: gone })
    await testApp.db.licenseKey.updateMany({ where: { id: key.id }, data: gone })
    await testApp.db.paymentEvent.update({ where: { id: eventId }, data: { state: 'unassigned', appliedAt: null } })
    await admin.browser.trpc.admin.assign.mutate({ eventId, email: wrong.email })
    expect([await paymentsOf(wrong), await keysOf(wrong)]).toEqual([[charge.payment_id], [key.id]])
  })

  it('with an owner cannot be assigned to another owner', async () => {
    const [admin, owner, other] = [
      await createAdministrator(testApp),
      await createUser(testApp),
      await createUser(testApp),
    ]
    const { customerId, metadata } = await checkout(owner)
    const bought = payment({ customer: customer(owner.email, customerId), metadata })
    await deliver(testApp, 'payment.succeeded', bought)
    const { id: eventId } = await deliver(testApp, 'dispute.opened', {
      dispute_id: newEventId(),
      payment_id: bought.payment_id,
      amount: '1999',
      currency: 'EUR',
      dispute_stage: 'dispute',
      dispute_status: 'dispute_opened',
      created_at: '2026-11-02T10:00:00Z',
    })
    await testApp.db.payment.update({ where: { paymentId: bought.payment_id }, data: { customerId: '' } })
    await testApp.db.paymentEvent.update({ where: { id: eventId }, data: { state: 'unassigned', appliedAt: null } })
    await expect(admin.browser.trpc.admin.assign.mutate({ eventId, email: other.email })).rejects.toThrow(
      'The purchase is already assigned, or its event has not been received yet',
    )
    expect(await paymentsOf(owner)).toEqual([bought.payment_id])
  })
})

describe('a customer with an unverified email address', () => {
  it('is not created: the provider receives the verified address', async () => {
    const [owner, { email }] = [await createOrganizationOwner(testApp), newUserData()]
    await owner.browser.post('/change-email', { newEmail: email })
    await owner.browser.get(await emailedLink(testApp, owner.email, 'confirmEmailChange'))
    await checkout(owner, { organizationId: owner.organization.id })
    await checkout(owner)
    const made = provider.asked.filter(({ method, path }) => method === 'POST' && path === '/customers').slice(-2)
    expect(made.map(({ body }) => body.email)).toEqual([owner.email, owner.email])
  })

  it('gets no guest purchase, and its portal is closed', async () => {
    const loose = await createTestApp({ ...shopSettings(provider.url), EMAIL_VERIFICATION: 'optional' })
    const [person, next] = [await createUnverifiedUser(loose), await createUnverifiedUser(loose)]
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
      // The provider attaches the mailbox owner's purchase through a public link to the newest customer with that email
      // address.
      await deliver(loose, 'payment.succeeded', payment({ customer: buyer }))
      expect(await paymentsOf({ browser }, of)).toEqual([own.payment_id])
      expect(await customersOf({ browser }, of)).toEqual([])
    }
    // The user who has verified the email address gets it.
    await person.browser.get(await emailedLink(loose, person.email))
    expect(await customersOf(person)).toHaveLength(1)
  })

  it('leaves the mailbox owner’s purchases to that owner, who takes over the account or its address', async () => {
    const loose = await createTestApp({ ...shopSettings(provider.url), EMAIL_VERIFICATION: 'optional' })
    for (const isClaimed of [true, false]) {
      const squatter = await createUnverifiedUser(loose)
      const slug = newSlug()
      const { body } = await squatter.browser.post('/organization/create', { name: 'Next', slug })
      const of = { organizationId: String(body.id) }
      const partner = await createUser(loose)
      await partner.browser.get(await emailedLink(loose, partner.email))
      const { body: invitation } = await squatter.browser.post('/organization/invite-member', {
        ...of,
        email: partner.email,
        role: 'owner',
      })
      await partner.browser.post('/organization/accept-invitation', { invitationId: invitation.id })
      const { customerId } = await checkout(squatter, of)
      const buyer = customer(squatter.email, customerId)
      const plan = subscription({ customer: buyer })
      await deliver(loose, 'subscription.active', plan)
      const browser = loose.browser()
      const claim = async () => {
        const token = new URL(await emailedLink(loose, squatter.email, 'verifyEmail')).searchParams.get('token')
        return browser.post('/verify-email/claim', { token, name: 'Ada', password })
      }
      const reset = async () => {
        await browser.post('/request-password-reset', { email: squatter.email })
        const link = new URL(await emailedLink(loose, squatter.email, 'resetPassword'))
        const token = link.pathname.split('/').at(-1)
        await browser.post('/reset-password', { token, newPassword: password })
        return browser.post('/sign-in/email', { email: squatter.email, password })
      }
      expect((await (isClaimed ? claim() : reset())).status).toBe(200)
      await deliver(loose, 'subscription.renewed', plan, { at: new Date(Date.now() + 1000) })
      expect(await browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: plan.subscription_id }])
      expect(await partner.browser.trpc.payment.subscriptions.query(of)).toEqual([])
      expect(await customersOf(partner, of)).toEqual([])
    }
  })

  it('gets no such purchase through another address either, and its next checkout uses another customer', async () => {
    const loose = await createTestApp({ ...shopSettings(provider.url), EMAIL_VERIFICATION: 'optional' })
    const squatter = await createUnverifiedUser(loose)
    const { customerId } = await checkout(squatter)
    const plan = subscription({ customer: customer(squatter.email, customerId) })
    const { id } = await deliver(loose, 'subscription.active', plan)
    const next = newUserData().email
    await squatter.browser.post('/change-email', { newEmail: next })
    await squatter.browser.get(await emailedLink(loose, next))
    expect((await squatter.browser.get('/get-session')).body.user).toMatchObject({ email: next, emailVerified: true })
    const calls = provider.countOf(`PATCH /customers/${customerId}`)
    await updateCustomers(loose.app)
    expect(provider.countOf(`PATCH /customers/${customerId}`)).toBe(calls)
    const renewed = { ...plan, customer: customer(next, customerId) }
    const later = await deliver(loose, 'subscription.renewed', renewed, { at: new Date(Date.now() + 1000) })
    expect(await squatter.browser.trpc.payment.subscriptions.query()).toEqual([])
    expect(await customersOf(squatter)).toEqual([])
    const states = await loose.db.paymentEvent.findMany({ where: { id: { in: [id, later.id] } } })
    expect(states.map(({ state }) => state)).toEqual(['unassigned', 'unassigned'])
    expect((await checkout(squatter)).customerId).not.toBe(customerId)
  })

  it('is not assigned as a whole: an administrator assigns only the purchase of its event', async () => {
    const [admin, owner, other] = [
      await createAdministrator(testApp),
      await createOrganizationOwner(testApp),
      await createUser(testApp),
    ]
    const { customerId, metadata } = await checkout(owner)
    const buyer = customer(owner.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    await deliver(testApp, 'subscription.active', plan)
    await testApp.db.customer.update({ where: { customerId }, data: { isEmailUnverified: true } })
    await testApp.db.customer.update({ where: { customerId }, data: { email: newUserData().email } })
    const bought = payment({ customer: { ...buyer, email: '' } })
    const { id: eventId } = await deliver(testApp, 'payment.succeeded', bought)
    expect(await stateOf(eventId)).toBe('unassigned')
    await admin.browser.trpc.admin.assign.mutate({ eventId, email: other.email })
    expect(await paymentsOf(other)).toEqual([bought.payment_id])
    expect(await other.browser.trpc.payment.subscriptions.query()).toEqual([])
    expect(await owner.browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: plan.subscription_id }])
    expect(await stateOf(eventId)).toBe('applied')
    // A correction moves only that purchase again, and nothing of the customer's owner.
    const right = await createUser(testApp)
    for (const { email, browser } of [right, other, owner]) {
      await admin.browser.trpc.admin.assign.mutate({ eventId, email })
      expect(await paymentsOf({ browser })).toEqual([bought.payment_id])
      expect(await owner.browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: plan.subscription_id }])
    }
  })

  it('a key without a purchase is assigned separately', async () => {
    const [admin, owner, other] = [
      await createAdministrator(testApp),
      await createOrganizationOwner(testApp),
      await createUser(testApp),
    ]
    const { customerId, metadata } = await checkout(owner)
    const bought = payment({ customer: customer(owner.email, customerId), metadata })
    await deliver(testApp, 'payment.succeeded', bought)
    await testApp.db.customer.update({
      where: { customerId },
      data: { isEmailUnverified: true, lastSentEmail: null },
    })
    await testApp.db.customer.update({ where: { customerId }, data: { email: newUserData().email } })
    const key = licenseKey({ customer_id: customerId })
    const { id: eventId } = await deliver(testApp, 'license_key.created', key)
    expect(await stateOf(eventId)).toBe('unassigned')
    await admin.browser.trpc.admin.assign.mutate({ eventId, email: other.email })
    expect(await keysOf(other)).toEqual([key.id])
    expect(await paymentsOf(owner)).toEqual([bought.payment_id])
    expect(await stateOf(eventId)).toBe('applied')
  })
})

describe('an account taken over by the mailbox owner', () => {
  it('leaves its subscription to an administrator, who assigns it', async () => {
    const loose = await createTestApp({ ...shopSettings(provider.url), EMAIL_VERIFICATION: 'optional' })
    const [admin, person] = [await createAdministrator(loose), await createUnverifiedUser(loose)]
    const { customerId, metadata } = await checkout(person)
    const buyer = customer(person.email, customerId)
    const plan = subscription({ customer: buyer, metadata })
    await deliver(loose, 'subscription.active', plan)
    const token = new URL(await emailedLink(loose, person.email)).searchParams.get('token')
    const browser = loose.browser()
    expect((await browser.post('/verify-email/claim', { token, name: 'Ada', password })).status).toBe(200)
    const events = await admin.browser.trpc.admin.openPaymentEvents.query({ limit: 100 })
    const waiting = events.find(({ subjectId }) => subjectId === plan.subscription_id)
    expect(waiting).toMatchObject({ type: 'subscription.updated' })
    await admin.browser.trpc.admin.assign.mutate({ eventId: waiting?.id ?? '', email: person.email })
    expect(await browser.trpc.payment.subscriptions.query()).toMatchObject([{ id: plan.subscription_id }])
  })
})

describe('a takeover of an account while its subscription arrives', () => {
  it('waits for the event, and leaves the subscription to an administrator', async () => {
    const loose = await createTestApp({ ...shopSettings(provider.url), EMAIL_VERIFICATION: 'optional' })
    const [admin, person] = [await createAdministrator(loose), await createUnverifiedUser(loose)]
    const { customerId, metadata } = await checkout(person)
    const plan = subscription({ customer: customer(person.email, customerId), metadata })
    await deliver(loose, 'subscription.pending', { ...plan, status: 'pending' })
    const token = new URL(await emailedLink(loose, person.email)).searchParams.get('token')
    // An event that locks its owner until it has committed.
    const hold = `
      with held as (select 1 from "User" where id = $2 for key share)
      update "Subscription" set status = 'active' where "subscriptionId" = $1 and exists (select from held)`
    const claimed = await withRowLock(loose, hold, [plan.subscription_id, person.id], async (release) => {
      const sent = loose.browser().post('/verify-email/claim', { token, name: 'Ada', password })
      await untilWaiting(loose, 1)
      await release()
      return sent
    })
    expect(claimed.status).toBe(200)
    const events = await admin.browser.trpc.admin.openPaymentEvents.query({ limit: 100 })
    expect(events.some(({ subjectId }) => subjectId === plan.subscription_id)).toBe(true)
  })
})

describe('the receipts of an organization', () => {
  it('are no longer sent to a former member, even after a change of address or the deletion of the account', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const admin = await createMember(testApp, owner, 'admin')
    const { customerId } = await checkout(admin, { organizationId })
    const path = `/customers/${customerId}`
    provider.answers.set(`PATCH ${path}`, { body: { customer_id: customerId } })
    await changeEmail(testApp, admin)
    await admin.browser.trpc.organization.leave.mutate({ organizationId })
    await updateCustomers(testApp.app)
    expect(provider.asked.findLast(({ path: asked }) => asked === path)?.body).toEqual({
      email: owner.email,
      name: 'Acme',
    })
    // An email address that was set in the portal stays.
    const own = customer('books@acme.example', customerId)
    await deliver(testApp, 'payment.succeeded', payment({ customer: own }), { at: new Date(Date.now() + 1000) })
    const calls = provider.countOf(`PATCH ${path}`)
    await updateCustomers(testApp.app)
    expect(provider.countOf(`PATCH ${path}`)).toBe(calls)
    expect(await testApp.db.customer.findUnique({ where: { customerId } })).toMatchObject({ email: own.email })
  })

  it('are no longer sent to a member who no longer manages its billing', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const admin = await createMember(testApp, owner, 'admin')
    const { customerId } = await checkout(admin, { organizationId })
    const path = `/customers/${customerId}`
    provider.answers.set(`PATCH ${path}`, { body: { customer_id: customerId } })
    const role = { organizationId, memberId: admin.memberId, role: 'member' }
    expect((await owner.browser.post('/organization/update-member-role', role)).status).toBe(200)
    await updateCustomers(testApp.app)
    expect(provider.asked.findLast(({ path: asked }) => asked === path)?.body).toEqual({
      email: owner.email,
      name: 'Acme',
    })
  })
})

import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Client } from 'pg'
import { describe, expect, it, vi } from 'vitest'
import type { Prisma } from '../../prisma/client/client.ts'
import { acquireLease, findLease } from '../foundation/leases.ts'
import { NoServerError } from '../foundation/postgres-servers.ts'
import { countWaiting, untilWaiting } from '../testing/locks.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import {
  customer,
  deliver,
  newEventId,
  startProvider,
  payment,
  subscription,
  shopSettings,
} from '../testing/payments.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { type TestUser, createUser, newUserData } from '../testing/test-users.ts'
import { applyReceivedEvents } from './events/receive-webhook.ts'

const provider = await startProvider()
const admin = newUserData()
const settings = { ...shopSettings(provider.url), ADMIN_EMAILS: admin.email }
const testApp = await createTestApp(settings)
const administrator = testApp.browser()
await administrator.post('/sign-up/email', admin)
await administrator.get(await emailedLink(testApp, admin.email))

const eventOf = (id: string) => testApp.db.paymentEvent.findUniqueOrThrow({ where: { id } })
const paymentsOf = async ({ browser }: Pick<TestUser, 'browser'>) =>
  (await browser.trpc.payment.payments.query({})).map(({ id }) => id)

/** Holds the lock of a customer, in a session of its own, until the returned function is called. */
async function lockCustomer(customerId: string): Promise<() => Promise<void>> {
  const other = new Client({ connectionString: testApp.databaseUrl })
  await other.connect()
  await other.query('select pg_advisory_lock(hashtextextended($1, 0))', [`Customer:${customerId}`])
  return () => other.end()
}

/** Delivers a payment of a new user that waits for the lock of its customer, until `meanwhile` has run. */
async function deliverLocked(meanwhile: (event: { where: { id: string } }) => Promise<unknown>) {
  const buyer = customer((await createUser(testApp)).email)
  const bought = payment({ customer: buyer })
  const id = newEventId()
  const send = () => deliver(testApp, 'payment.succeeded', bought, { id })
  const outcome = async (status: number) => ({
    status,
    payments: await testApp.db.payment.count({ where: { paymentId: bought.payment_id } }),
  })
  const unlock = await lockCustomer(buyer.customer_id)
  try {
    const delivered = send()
    await untilWaiting(testApp, 1)
    await meanwhile({ where: { id } })
    await unlock()
    const first = await outcome((await delivered).status)
    return { id, first, again: async () => outcome((await send()).status) }
  } finally {
    await unlock()
  }
}

/** Ends the sessions that wait for an advisory lock, as the loss of their server does. */
const endWaitingSessions = () =>
  testApp.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`)

describe('a delivery', () => {
  it('is acknowledged if its locks are busy, and applied by the job', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const bought = payment({ customer: buyer })
    const unlock = await lockCustomer(buyer.customer_id)
    const { id, status } = await deliver(testApp, 'payment.succeeded', bought)
    expect([status, (await eventOf(id)).state]).toEqual([200, 'received'])
    await unlock()
    testApp.advanceClock(60)
    await applyReceivedEvents(testApp.app)
    expect((await eventOf(id)).state).toBe('applied')
    expect(await paymentsOf(person)).toEqual([bought.payment_id])
  })

  it('does not delay others if its locks stay busy', async () => {
    const person = await createUser(testApp)
    const held = customer(person.email)
    const other = new Client({ connectionString: testApp.databaseUrl })
    await other.connect()
    const lock = (verb: string) =>
      other.query(`select pg_advisory_${verb}(hashtextextended($1, 0))`, [`Customer:${held.customer_id}`])
    const sent = []
    for (const buyer of [held, customer(person.email)]) {
      // Both events are stored and not applied, as after a process has ended unexpectedly.
      await lock('lock')
      const bought = payment({ customer: buyer })
      const { id } = await deliver(testApp, 'payment.succeeded', bought)
      await testApp.db.paymentEvent.update({ where: { id }, data: { state: 'received' } })
      sent.push(id)
    }
    testApp.advanceClock(60)
    await applyReceivedEvents(testApp.app)
    const states = await Promise.all(sent.map(async (id) => (await eventOf(id)).state))
    await other.end()
    expect(states).toEqual(['received', 'applied'])
  })

  it('is acknowledged while all connections of deliveries wait for the locks of another customer', async () => {
    const person = await createUser(testApp)
    const held = customer(person.email)
    const unlock = await lockCustomer(held.customer_id)
    // More than three connections can try, each for three seconds, before a delivery gives up waiting for one.
    const waiting = Array.from({ length: 15 }, () => deliver(testApp, 'payment.succeeded', payment({ customer: held })))
    await untilWaiting(testApp, 3)
    const others = await Promise.all(
      Array.from({ length: 3 }, () =>
        deliver(testApp, 'payment.succeeded', payment({ customer: customer(person.email) })),
      ),
    )
    const sent = [...(await Promise.all(waiting)), ...others]
    await unlock()
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
    testApp.advanceClock(60)
    await applyReceivedEvents(testApp.app)
    const states = await Promise.all(sent.map(async ({ id }) => (await eventOf(id)).state))
    expect(states).toEqual(sent.map(() => 'applied'))
  })

  it('is acknowledged while all connections of other calls wait', async () => {
    const person = await createUser(testApp)
    const held = await Promise.all(Array.from({ length: testApp.pool.options.max }, () => testApp.pool.connect()))
    try {
      const { id, status } = await deliver(testApp, 'payment.succeeded', payment({ customer: customer(person.email) }))
      expect(status).toBe(200)
      for (const connection of held.splice(0)) connection.release()
      expect((await eventOf(id)).state).toBe('applied')
    } finally {
      for (const connection of held) connection.release()
    }
  })

  it('has one effect if the job applies it while it waits for its locks', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const failed = payment({ customer: buyer, status: 'failed', subscription_id: `sub_${newEventId()}` })
    await deliver(testApp, 'subscription.active', subscription({ ...failed, status: 'active' }))
    const unlock = await lockCustomer(buyer.customer_id)
    const delivered = deliver(testApp, 'payment.failed', failed)
    await untilWaiting(testApp, 1)
    testApp.advanceClock(60)
    const applied = applyReceivedEvents(testApp.app)
    await untilWaiting(testApp, 2)
    await unlock()
    const [{ id, status }] = await Promise.all([delivered, applied])
    expect([status, (await eventOf(id)).state]).toEqual([200, 'applied'])
    expect(await testApp.db.payment.count({ where: { paymentId: failed.payment_id } })).toBe(1)
    expect((await testApp.mails(person.email)).filter(({ kind }) => kind === 'paymentFailed').length).toBe(1)
  })

  it('has no effect if another process applied it while it waited for its locks', async () => {
    const isApplied = (event: { where: { id: string } }) =>
      testApp.db.paymentEvent.update({ ...event, data: { state: 'applied' } })
    expect((await deliverLocked(isApplied)).first).toEqual({ status: 200, payments: 0 })
  })

  // During a failover, the connections that store events and those that apply them can lead to different servers.
  it('is refused if the server that applies it does not have it, and has its effect when it is repeated', async () => {
    const isMissing = (event: { where: { id: string } }) => testApp.db.paymentEvent.delete(event)
    const { first, again } = await deliverLocked(isMissing)
    expect(first).toEqual({ status: 503, payments: 0 })
    expect(await again()).toEqual({ status: 200, payments: 1 })
  })

  it('is refused if it is lost together with the connection that applies it', async () => {
    const { first, again } = await deliverLocked(async (event) => {
      await testApp.db.paymentEvent.delete(event)
      await endWaitingSessions()
    })
    expect(first).toEqual({ status: 503, payments: 0 })
    expect(await again()).toEqual({ status: 200, payments: 1 })
  })

  it('is acknowledged if only the connection that applies it is lost', async () => {
    const { id, first, again } = await deliverLocked(endWaitingSessions)
    expect(first).toEqual({ status: 200, payments: 0 })
    expect(await again()).toEqual({ status: 200, payments: 0 })
    testApp.advanceClock(60)
    await applyReceivedEvents(testApp.app)
    expect((await eventOf(id)).state).toBe('applied')
    expect(await again()).toEqual({ status: 200, payments: 1 })
  })

  it('is refused if no server can apply it', async () => {
    const { paymentApplyPool } = testApp.app
    const connect = paymentApplyPool.connect.bind(paymentApplyPool)
    const buyer = customer((await createUser(testApp)).email)
    paymentApplyPool.connect = () => Promise.reject(new NoServerError('another server has become the primary'))
    try {
      expect((await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))).status).toBe(503)
    } finally {
      paymentApplyPool.connect = connect
    }
  })

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED', 'ECONNREFUSED'])(
    'is refused with 503 if the database cannot be reached (%s)',
    async (code) => {
      const { paymentStorePool } = testApp.app
      const query = paymentStorePool.query.bind(paymentStorePool)
      const buyer = customer((await createUser(testApp)).email)
      Object.assign(paymentStorePool, { query: () => Promise.reject(Object.assign(new Error(code), { code })) })
      try {
        expect((await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))).status).toBe(503)
      } finally {
        Object.assign(paymentStorePool, { query })
      }
    },
  )

  it('is kept for the job if no connection can be made to apply it, for whatever reason', async () => {
    const { paymentApplyPool } = testApp.app
    const connect = paymentApplyPool.connect.bind(paymentApplyPool)
    const buyer = customer((await createUser(testApp)).email)
    const error = Object.assign(new Error('unable to verify the first certificate'), { code: 'SOME_CODE' })
    paymentApplyPool.connect = () => Promise.reject(error)
    try {
      const { id, status } = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
      expect([status, (await eventOf(id)).state]).toEqual([200, 'received'])
      testApp.advanceClock(2 * 86_400)
      await applyReceivedEvents(testApp.app)
      expect((await eventOf(id)).state).toBe('received')
      testApp.advanceClock(86_400)
      await applyReceivedEvents(testApp.app)
      expect((await eventOf(id)).state).toBe('failed')
    } finally {
      paymentApplyPool.connect = connect
    }
  })

  it('that the job cannot apply for a day is left to an administrator', async () => {
    const buyer = customer((await createUser(testApp)).email)
    const unlock = await lockCustomer(buyer.customer_id)
    try {
      const { id } = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
      testApp.advanceClock(86_000)
      await applyReceivedEvents(testApp.app)
      expect((await eventOf(id)).state).toBe('received')
      testApp.advanceClock(1_000)
      await applyReceivedEvents(testApp.app)
      const { state, stateReason } = await eventOf(id)
      expect([state, stateReason]).toEqual(['failed', 'canceling statement due to lock timeout'])
      await unlock()
      expect(await administrator.trpc.admin.processAgain.mutate({ eventId: id })).toEqual({ isAssigned: true })
    } finally {
      await unlock()
    }
  })

  it('is left to the run of the job that is still at work', async () => {
    const buyer = customer((await createUser(testApp)).email)
    const { id } = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
    await testApp.db.paymentEvent.update({ where: { id }, data: { state: 'received', appliedAt: null } })
    const unlock = await lockCustomer(buyer.customer_id)
    try {
      testApp.advanceClock(60)
      const first = applyReceivedEvents(testApp.app)
      await untilWaiting(testApp, 1)
      await applyReceivedEvents(testApp.app)
      // The first run is still at work: the second one has not waited for the same lock.
      expect(await countWaiting(testApp)).toBe(1)
      await unlock()
      await first
      expect((await eventOf(id)).state).toBe('applied')
    } finally {
      await unlock()
    }
  })

  it('is not applied by a run of the job that has lost its lease, which is renewed between events', async () => {
    const buyer = customer((await createUser(testApp)).email)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))).id)
    await testApp.db.paymentEvent.updateMany({
      where: { id: { in: ids } },
      data: { state: 'received', appliedAt: null },
    })
    const expiry = async () => (await findLease(testApp.db, 'applyReceivedEvents'))?.expiresAt
    const unlock = await lockCustomer(buyer.customer_id)
    try {
      testApp.advanceClock(60)
      const run = applyReceivedEvents(testApp.app)
      await untilWaiting(testApp, 1)
      const taken = await expiry()
      testApp.advanceClock(31)
      // The first event gives up on its lock.
      await vi.waitFor(async () => expect(await expiry()).not.toEqual(taken), { timeout: 60_000, interval: 20 })
      await untilWaiting(testApp, 1)
      testApp.advanceClock(121)
      await unlock()
      await run
      const states = await Promise.all(ids.map(async (id) => (await eventOf(id)).state))
      expect(states.toSorted()).toEqual(['applied', 'received', 'received'])
    } finally {
      await unlock()
    }
  })

  it('is applied two minutes after a process died that was applying events', async () => {
    const { id } = await deliver(testApp, 'payment.succeeded', payment())
    await testApp.db.paymentEvent.update({ where: { id }, data: { state: 'received', appliedAt: null } })
    testApp.advanceClock(60)
    const lease = { key: 'applyReceivedEvents', seconds: 120, clock: testApp.app.clock }
    expect(await acquireLease(testApp.db, lease)).toBeDefined()
    await applyReceivedEvents(testApp.app)
    expect((await eventOf(id)).state).toBe('received')
    testApp.advanceClock(121)
    await applyReceivedEvents(testApp.app)
    expect((await eventOf(id)).state).toBe('unassigned')
  })

  it('that was made from a response of the provider sends no email, whoever applies it', async () => {
    const person = await createUser(testApp)
    const failed = payment({
      customer: customer(person.email),
      status: 'failed',
      subscription_id: `sub_${newEventId()}`,
    })
    await deliver(testApp, 'subscription.active', subscription({ ...failed, status: 'active' }))
    const receivedAt = testApp.app.clock()
    const envelope = { type: 'payment.failed', timestamp: receivedAt.toISOString(), data: failed }
    const payload: Prisma.InputJsonObject = JSON.parse(JSON.stringify(envelope))
    const id = `reconciled-${newEventId()}`
    await testApp.db.paymentEvent.create({
      data: { id, type: envelope.type, payload, occurredAt: receivedAt, receivedAt },
    })
    testApp.advanceClock(60)
    await applyReceivedEvents(testApp.app)
    expect((await eventOf(id)).state).toBe('applied')
    expect((await testApp.mails(person.email)).map(({ kind }) => kind)).not.toContain('paymentFailed')
  })

  it('that is lost before the job applies it does not delay others', async () => {
    const buyers = await Promise.all(Array.from({ length: 6 }, async () => customer((await createUser(testApp)).email)))
    const [lost] = buyers
    const received = { state: 'received' as const, appliedAt: null }
    const sent: string[] = []
    for (const buyer of buyers) {
      const { id } = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
      await testApp.db.paymentEvent.update({ where: { id }, data: received })
      sent.push(id)
    }
    const unlock = await lockCustomer(lost?.customer_id ?? '')
    testApp.advanceClock(60)
    const applied = applyReceivedEvents(testApp.app)
    await untilWaiting(testApp, 1)
    await testApp.db.paymentEvent.delete({ where: { id: sent[0] ?? '' } })
    await unlock()
    await applied
    const others = await Promise.all(sent.slice(1).map(async (id) => (await eventOf(id)).state))
    expect(others).toEqual(others.map(() => 'applied'))
  })

  it('uses its own connections, and leaves the others free', async () => {
    const person = await createUser(testApp)
    const held = await Promise.all(Array.from({ length: 3 }, () => testApp.app.paymentApplyPool.connect()))
    const bought = payment({ customer: customer(person.email) })
    const delivered = deliver(testApp, 'payment.succeeded', bought)
    expect((await person.browser.get('/get-session')).body.user.email).toBe(person.email)
    expect(await paymentsOf(person)).toEqual([])
    for (const connection of held) connection.release()
    expect((await delivered).status).toBe(200)
    expect(await paymentsOf(person)).toEqual([bought.payment_id])
  })

  it('concurrent with assignments of its customer causes no deadlock, and each purchase gets one owner', async () => {
    const [one, other] = [await createUser(testApp), await createUser(testApp)]
    const buyer = customer('nobody-yet@example.test')
    const first = await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
    const plan = subscription({ customer: buyer })
    const purchases = Array.from({ length: 30 }, (_, n) =>
      payment({ customer: buyer, ...(n % 2 === 0 && { subscription_id: plan.subscription_id }) }),
    )
    const refundOf = (payment_id: string) => ({ refund_id: newEventId(), payment_id, status: 'succeeded' })
    const results = await Promise.all([
      deliver(testApp, 'subscription.active', plan).then(({ status }) => status),
      ...purchases.flatMap((bought, n) => [
        deliver(testApp, 'payment.succeeded', bought).then(({ status }) => status),
        deliver(testApp, 'refund.succeeded', refundOf(bought.payment_id)).then(({ status }) => status),
        ...(n % 3 === 0
          ? [
              administrator.trpc.admin.assign
                .mutate({ eventId: first.id, email: (n % 2 === 0 ? one : other).email })
                .then(() => 200),
            ]
          : []),
      ]),
    ])
    expect(new Set(results)).toEqual(new Set([200]))
    await administrator.trpc.admin.assign.mutate({ eventId: first.id, email: one.email })
    testApp.advanceClock(60)
    await applyReceivedEvents(testApp.app)
    expect(await paymentsOf(one)).toHaveLength(31)
    expect(await paymentsOf(other)).toEqual([])
  })
})

describe('decisions of administrators', () => {
  it('an event that is dismissed while it waits for its locks is not applied', async () => {
    const email = newUserData().email
    const buyer = customer(email)
    const bought = payment({ customer: buyer })
    const { id } = await deliver(testApp, 'payment.succeeded', bought)
    expect((await eventOf(id)).state).toBe('unassigned')
    await createUser(testApp, { email })
    const unlock = await lockCustomer(buyer.customer_id)
    const before = await testApp.db.payment.findUniqueOrThrow({ where: { paymentId: bought.payment_id } })
    const processed = administrator.trpc.admin.processAgain
      .mutate({ eventId: id })
      .catch((error: unknown) => String(error))
    await untilWaiting(testApp, 1)
    await testApp.db.paymentEvent.update({ where: { id }, data: { state: 'dismissed', stateReason: 'a test' } })
    await unlock()
    expect(await processed).toContain('Event not found')
    expect((await eventOf(id)).state).toBe('dismissed')
    expect(await testApp.db.payment.findUniqueOrThrow({ where: { paymentId: bought.payment_id } })).toEqual(before)
    expect(before.userId).toBeNull()
  })

  it('an event that still cannot be applied is refused with its reason, and can be dismissed', async () => {
    const { id } = await deliver(testApp, 'payment.succeeded', { status: 'succeeded' })
    await expect(administrator.trpc.admin.processAgain.mutate({ eventId: id })).rejects.toThrow('cannot be applied')
    const failed = await eventOf(id)
    const reason = 'payment_id: Invalid input: expected string, received undefined'
    expect([failed.state, failed.stateReason]).toEqual(['failed', reason])
    const person = await createUser(testApp)
    await expect(person.browser.trpc.admin.dismiss.mutate({ eventId: id, reason: 'x' })).rejects.toThrow(
      'You are not an administrator',
    )
    await administrator.trpc.admin.dismiss.mutate({ eventId: id, reason: 'A test of the provider' })
    expect(await eventOf(id)).toMatchObject({ state: 'dismissed', stateReason: 'A test of the provider' })
    const waiting = await administrator.trpc.admin.openPaymentEvents.query({ limit: 100 })
    expect(waiting.some((event) => event.id === id)).toBe(false)
    await expect(administrator.trpc.admin.dismiss.mutate({ eventId: id, reason: 'again' })).rejects.toThrow(
      'Event not found',
    )
  })

  it('a refund of an unknown payment can be dismissed', async () => {
    const refund = { refund_id: newEventId(), payment_id: `pay_${newEventId()}`, status: 'succeeded' }
    const { id } = await deliver(testApp, 'refund.succeeded', refund)
    expect((await eventOf(id)).state).toBe('unassigned')
    await administrator.trpc.admin.dismiss.mutate({ eventId: id, reason: 'Not ours' })
    expect((await eventOf(id)).state).toBe('dismissed')
  })

  it('an organization is found by its slug in any case', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { id } = await deliver(testApp, 'payment.succeeded', payment({ customer: customer('x@example.test') }))
    await administrator.trpc.admin.assign.mutate({ eventId: id, slug: owner.organization.slug.toUpperCase() })
    const organizationId = owner.organization.id
    expect(await owner.browser.trpc.payment.payments.query({ organizationId })).toHaveLength(1)
  })
})

describe('lists', () => {
  it('return all rows without a limit', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    for (let n = 0; n < 30; n++) await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
    expect(await paymentsOf(person)).toHaveLength(30)
    expect((await person.browser.get(`${testApp.origin}/api/payments`)).body).toHaveLength(30)
  })
})

describe('a subscription that is past due', () => {
  it('grants access until its end, and its owner is notified once', async () => {
    const person = await createUser(testApp)
    const plan = subscription({ customer: customer(person.email) })
    await deliver(testApp, 'subscription.active', plan, { at: new Date(Date.now() - 60_000) })
    const past_due_ends_at = new Date(testApp.app.clock().getTime() + 86_400_000).toISOString()
    const late = { ...plan, status: 'past_due', past_due_ends_at }
    await deliver(testApp, 'subscription.past_due', late)
    await deliver(testApp, 'subscription.updated', { ...late, past_due_ends_at: undefined })
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([
      { status: 'past_due', isEntitled: true, pastDueEndsAt: past_due_ends_at },
    ])
    testApp.advanceClock(2 * 86_400)
    expect(await person.browser.trpc.payment.subscriptions.query()).toMatchObject([{ isEntitled: false }])
    const kinds = (await testApp.mails(person.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'subscriptionPastDue')).toHaveLength(1)
  })
})

describe('a slow or malfunctioning provider', () => {
  it('a hanging checkout is attempted once for three clicks, and ends at the deadline', async () => {
    const person = await createUser(testApp)
    const before = provider.countOf('POST /checkouts')
    provider.answers.set('POST /checkouts', { body: { checkout_url: 'https://checkout.test/x' }, stallMs: 60_000 })
    const click = () => person.browser.trpc.payment.createCheckout.mutate({ product_id: 'pdt_slow' })
    // The deadline must hold regardless of garbage collection.
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    const collecting = setInterval(() => typeof collect === 'function' && collect(), 100)
    const early = [click(), click()]
    while (provider.countOf('POST /checkouts') === before) await wait(10)
    const clicks = await Promise.allSettled([...early, click()])
    clearInterval(collecting)
    expect(clicks.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(provider.countOf('POST /checkouts') - before).toBe(1)
  })

  it.each([[null], [{}], [{ checkout_url: 'javascript:alert(1)' }], ['text'], [[]]])(
    'the response %j is 502',
    async (body) => {
      const person = await createUser(testApp)
      provider.answers.set('POST /checkouts', { body })
      const click = person.browser.request(`${testApp.origin}/api/payments/checkout`, {
        method: 'POST',
        body: JSON.stringify({ product_id: 'pdt_odd' }),
        headers: { 'content-type': 'application/json' },
      })
      const answer = await click
      expect([answer.status, answer.body.code]).toEqual([502, 'PAYMENT_PROVIDER_INVALID_RESPONSE'])
    },
  )

  it('twenty concurrent reads of the products make one call, and an outdated list is used if it fails', async () => {
    const shop = await startProvider()
    const own = await createTestApp({ ...settings, DODO_PAYMENTS_BASE_URL: shop.url })
    const person = await createUser(own)
    const list = () => person.browser.get(`${own.origin}/api/payments/products`)
    for (const body of [null, { items: [{}] }, 'text']) {
      shop.answers.set('GET /products', { body })
      expect((await list()).status).toBe(502)
    }
    const before = shop.countOf('GET /products')
    const items = [{ product_id: 'pdt_1', name: 'One', metadata: { features: 'sso, audit' }, is_recurring: true }]
    shop.answers.set('GET /products', { body: { items }, afterMs: 200 })
    const lists = await Promise.all(Array.from({ length: 20 }, list))
    expect(new Set(lists.map(({ text }) => text)).size).toBe(1)
    expect(lists[0]?.body).toMatchObject([{ id: 'pdt_1', features: ['sso', 'audit'] }])
    expect(shop.countOf('GET /products') - before).toBe(1)
    own.advanceClock(600)
    shop.answers.set('GET /products', { status: 500, body: {} })
    expect((await list()).body).toMatchObject([{ id: 'pdt_1' }])
  })
})

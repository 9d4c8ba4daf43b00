import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOrganizationOwner } from '../testing/organizations.ts'
import {
  customer,
  deliver,
  deliverText,
  formerKey,
  newEventId,
  payment,
  subscription,
  webhookKey,
} from '../testing/payments.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser } from '../testing/test-users.ts'
import { ownerMetadata } from './attribution/signed-metadata.ts'

const settings = { DODO_PAYMENTS_API_KEY: 'test', DODO_PAYMENTS_WEBHOOK_KEY: `${webhookKey},${formerKey}` }
const testApp = await createTestApp(settings)
const off = await createTestApp()

/** A checkout through a static link, which is valid for the first customer that pays. */
const linkCheckout = () => ({ checkoutId: newEventId(), customerId: undefined })

const received = { status: 200, body: { received: true } }
const eventOf = (id: string) => testApp.db.paymentEvent.findUnique({ where: { id } })

describe('the signature', () => {
  it('is checked over the raw bytes, with each key', async () => {
    const text =
      '{ "type":"payment.succeeded",\n  "timestamp" : "2026-11-20T10:00:00Z", "data": {"payment_id":"pay_raw", "total_amount": 1.0, "x":"\\u00e9"} }'
    expect(await deliverText(testApp, text)).toMatchObject(received)
    expect(await deliverText(testApp, text, { key: formerKey })).toMatchObject(received)
  })

  it('refuses with the specified messages, and stores nothing', async () => {
    const text = JSON.stringify({ type: 'payment.succeeded', timestamp: new Date().toISOString(), data: payment() })
    const before = await testApp.db.paymentEvent.count()
    const refused = async (sending: Parameters<typeof deliverText>[2], message: string) => {
      const { status, body } = await deliverText(testApp, text, sending)
      expect([status, body.message]).toEqual([400, message])
      expect(body.code).toBe(message.toUpperCase().replaceAll(' ', '_'))
    }
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await refused({ headers: { [name]: undefined } }, 'Missing required headers')
    }
    await refused({ headers: { 'webhook-timestamp': 'soon' } }, 'Invalid Signature Headers')
    await refused({ at: new Date(Date.now() - 310_000) }, 'Message timestamp too old')
    await refused({ at: new Date(Date.now() + 310_000) }, 'Message timestamp too new')
    const none = 'No matching signature found'
    await refused({ key: `whsec_${Buffer.from('another key, of nobody we know!!').toString('base64')}` }, none)
    await refused({ headers: { 'webhook-signature': 'v2,abc' } }, none)
    await refused({ headers: { 'webhook-signature': 'nonsense' } }, none)
    await refused({ headers: { 'webhook-id': newEventId() } }, none)
    expect((await deliverText(testApp, text, { id: 'm'.repeat(300) })).status).toBe(400)
    // A delivered event cannot be replayed under a new webhook-id by sending the signed id as svix-id.
    const own = newEventId()
    const first = await deliverText(testApp, text, { id: own })
    expect(first.status).toBe(200)
    await refused({ id: own, headers: { 'svix-id': own, 'webhook-id': newEventId() } }, none)
    expect(await testApp.db.paymentEvent.count()).toBe(before + 1)
  })

  it('one valid signature of several is enough', async () => {
    const id = newEventId()
    const text = JSON.stringify({ type: 'payment.processing', timestamp: new Date().toISOString(), data: payment() })
    const { Webhook } = await import('standardwebhooks')
    const at = new Date()
    const good = new Webhook(webhookKey).sign(id, at, text)
    const both = `v1,aGVsbG8= ${good}`
    expect(await deliverText(testApp, text, { id, at, headers: { 'webhook-signature': both } })).toMatchObject(received)
  })

  it('a signed but invalid body is 400, an oversized one 413, and without keys it is 503', async () => {
    for (const text of [
      'not json',
      '[]',
      '"x"',
      '{}',
      '{"type":"x"}',
      '{"type":"x","timestamp":"yesterday"}',
      '{"type":7,"timestamp":"2026-11-20T10:00:00Z"}',
    ]) {
      expect([text, (await deliverText(testApp, text)).status]).toEqual([text, 400])
    }
    expect(
      (await deliverText(testApp, `{"type":"x","timestamp":"2026-11-20T10:00:00Z","data":"${'x'.repeat(1_100_000)}"}`))
        .status,
    ).toBe(413)
    expect((await deliver(off, 'payment.succeeded', payment())).status).toBe(503)
  })
})

describe('a delivery', () => {
  it('is applied once, regardless of repetitions, and keeps its first content', async () => {
    const person = await createUser(testApp)
    const bought = payment({ customer: customer(person.email) })
    const id = newEventId()
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => deliver(testApp, 'payment.succeeded', bought, { id })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(
      await deliver(testApp, 'payment.failed', { ...bought, status: 'failed', total_amount: 1 }, { id }),
    ).toMatchObject(received)
    // A repeat that cannot be read has no effect either.
    expect(await deliver(testApp, 'payment.succeeded', { status: 'succeeded' }, { id })).toMatchObject(received)
    expect((await testApp.db.paymentEvent.findUniqueOrThrow({ where: { id } })).state).toBe('applied')
    const unknown = payment({ customer: customer('nobody@example.test') })
    const unassigned = await deliver(testApp, 'payment.succeeded', unknown)
    await deliver(testApp, 'payment.succeeded', { status: 'succeeded' }, { id: unassigned.id })
    const waiting = await testApp.db.paymentEvent.findUniqueOrThrow({ where: { id: unassigned.id } })
    expect(waiting).toMatchObject({ state: 'unassigned', stateReason: null })
    const rows = await testApp.db.payment.findMany({ where: { paymentId: bought.payment_id } })
    expect(rows).toMatchObject([{ status: 'succeeded', totalAmount: 1999n, userId: person.id }])
    expect(await testApp.db.paymentEvent.count({ where: { id } })).toBe(1)
  })

  it('of every type is stored; the newest state wins, taken from the data and not from the type', async () => {
    const bought = subscription({ status: 'cancelled', customer: customer('nobody@example.test') })
    await deliver(testApp, 'subscription.active', bought)
    expect(
      await testApp.db.subscription.findUnique({ where: { subscriptionId: bought.subscription_id } }),
    ).toMatchObject({ status: 'cancelled' })
    for (const type of [
      'payout.success',
      'credit.added',
      'entitlement_grant.created',
      'something.new',
      'dunning.started',
    ]) {
      const { id, status } = await deliver(testApp, type, { whatever: [1, { two: null }] })
      expect([type, status]).toEqual([type, 200])
      expect((await eventOf(id))?.appliedAt).not.toBeNull()
    }
    const types = ['processing', 'succeeded', 'failed', 'cancelled'].map((name) => `payment.${name}`)
    for (const type of types)
      expect((await deliver(testApp, type, payment({ status: type.split('.')[1] }))).status).toBe(200)
    for (const name of [
      'active',
      'on_hold',
      'renewed',
      'paused',
      'plan_changed',
      'cancelled',
      'failed',
      'expired',
      'updated',
      'unpaused',
    ]) {
      expect((await deliver(testApp, `subscription.${name}`, subscription())).status).toBe(200)
    }
    for (const name of ['opened', 'expired', 'accepted', 'cancelled', 'challenged', 'won', 'lost']) {
      const data = {
        dispute_id: newEventId(),
        payment_id: 'pay_x',
        amount: '19.99',
        currency: 'EUR',
        dispute_stage: 'dispute',
        dispute_status: `dispute_${name}`,
        remarks: null,
        created_at: '2026-11-01T10:00:00Z',
      }
      expect((await deliver(testApp, `dispute.${name}`, data)).status).toBe(200)
    }
  })

  it('with unexpected content is kept, not refused', async () => {
    const odd: object[] = [
      payment({ status: 'requires_something_new' }),
      payment({ status: null, total_amount: null, currency: null, customer: null, metadata: null }),
      payment({ total_amount: 9_007_199_254_740_991, currency: 'IDR' }),
      payment({ total_amount: 12.5, created_at: 'yesterday' }),
      payment({ customer: { customer_id: `cus\u0000${newEventId()}`, email: 'a\u0000@b.test', name: 'N\u0000UL' } }),
      payment({ error_message: '\ud800 alone', brand_new: { deep: [{ er: '\udfff' }] } }),
      payment({ total_amount: '1999', subscription_id: 7, metadata: ['x'] }),
      subscription({ quantity: 1e12, next_billing_date: null, recurring_pre_tax_amount: 5e12 }),
      subscription({ cancel_at_next_billing_date: 'yes', customer: 'nobody' }),
    ]
    for (const data of odd) {
      const type = 'payment_id' in data ? 'payment.succeeded' : 'subscription.active'
      const { id, status } = await deliver(testApp, type, data)
      expect(status).toBe(200)
      expect((await eventOf(id))?.stateReason).toBeNull()
    }
    const big = await testApp.db.payment.findFirst({ where: { currency: 'IDR' } })
    expect(big?.totalAmount).toBe(9_007_199_254_740_991n)
    const { id, status } = await deliver(testApp, 'payment.succeeded', { status: 'succeeded' })
    expect(status).toBe(200)
    expect((await eventOf(id))?.stateReason).not.toBeNull()
  })

  it.each([
    ['without payments', {}, '0'],
    ['whose webhook key is malformed', { DODO_PAYMENTS_WEBHOOK_KEY: 'not base64!' }, '1'],
    ['whose webhook key is missing', { DODO_PAYMENTS_API_KEY: 'key' }, '1'],
  ])('is 503 in an installation %s, and only counted if payments are set up', async (_title, settings, expected) => {
    const disabled = await createTestApp({ ...settings, METRICS_PORT: '1' })
    expect((await deliver(disabled, 'payment.succeeded', payment())).status).toBe(503)
    const text = await disabled.app.metrics?.registry.getSingleMetricAsString('foyer_payment_events_total')
    expect(/outcome="refused"\} (\d+)/.exec(text ?? '')?.[1]).toBe(expected)
  })

  it('is answered 503 while the database is unavailable, and applied afterwards', async () => {
    const bought = payment()
    const id = newEventId()
    await testApp.admin.query(`alter database ${testApp.databaseName} allow_connections false`)
    await testApp.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      testApp.databaseName,
    ])
    const away = await deliver(testApp, 'payment.succeeded', bought, { id })
    await testApp.admin.query(`alter database ${testApp.databaseName} allow_connections true`)
    expect(away.status).toBe(503)
    // The provider repeats it; a lost connection may only be noticed by the next delivery.
    let again = await deliver(testApp, 'payment.succeeded', bought, { id })
    while (again.status === 503) again = await deliver(testApp, 'payment.succeeded', bought, { id })
    expect(again).toMatchObject(received)
    expect(await testApp.db.payment.count({ where: { paymentId: bought.payment_id } })).toBe(1)
  })

  it('a refund, dispute or license key may arrive before its payment', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const bought = payment({ customer: buyer })
    const refund = {
      refund_id: newEventId(),
      payment_id: bought.payment_id,
      amount: null,
      currency: null,
      is_partial: false,
      reason: null,
      status: 'succeeded',
      created_at: '2026-11-02T10:00:00Z',
    }
    const early = await deliver(testApp, 'refund.succeeded', refund)
    const key = {
      id: newEventId(),
      key: 'AAAA-BBBB',
      status: 'active',
      product_id: 'pdt',
      customer_id: buyer.customer_id,
      payment_id: bought.payment_id,
      expires_at: null,
      created_at: '2026-11-02T10:00:00Z',
    }
    const licensed = await deliver(testApp, 'license_key.created', key)
    expect((await eventOf(early.id))?.appliedAt).toBeNull()
    expect((await eventOf(licensed.id))?.appliedAt).toBeNull()
    await deliver(testApp, 'payment.succeeded', bought)
    expect((await eventOf(early.id))?.appliedAt).not.toBeNull()
    expect((await eventOf(licensed.id))?.appliedAt).not.toBeNull()
    const payments = await person.browser.get(`${testApp.origin}/api/payments`)
    expect(payments.body).toMatchObject([
      { id: bought.payment_id, amount: 1999, refunded: 1999, refunds: [{ status: 'succeeded' }] },
    ])
    expect(await person.browser.trpc.payment.licenseKeys.query()).toMatchObject([{ key: 'AAAA-BBBB' }])
  })

  it('is assigned by our checkout’s metadata, else by verified address, else unassigned', async () => {
    const owner = await createOrganizationOwner(testApp)
    const other = await createUser(testApp)
    // Only metadata signed by our checkout counts; metadata that a payer adds to a link is ignored.
    const signed = (of: Parameters<typeof ownerMetadata>[1]) => ownerMetadata(testApp.app.keys.purchases, of)
    const organization_id = owner.organization.id
    const { foyer_proof, foyer_checkout = '' } = signed({ owner: { userId: other.id }, ...linkCheckout() })
    const foyer_owner = `organization:${organization_id}`
    for (const metadata of [{ organization_id }, { foyer_owner, foyer_checkout, foyer_proof }]) {
      await deliver(testApp, 'payment.succeeded', payment({ customer: customer(other.email), metadata }))
    }
    expect(await owner.browser.trpc.payment.payments.query({ organizationId: organization_id })).toEqual([])
    expect(await other.browser.trpc.payment.payments.query()).toHaveLength(2)
    const metadata = signed({ owner: { organizationId: organization_id }, ...linkCheckout() })
    const theirs = subscription({ customer: customer(other.email), metadata })
    await deliver(testApp, 'subscription.active', theirs)
    const { organization } = owner
    expect(await owner.browser.trpc.payment.subscriptions.query({ organizationId: organization.id })).toMatchObject([
      { id: theirs.subscription_id, isEntitled: true },
    ])
    expect(await other.browser.trpc.payment.subscriptions.query()).toEqual([])
    await expect(other.browser.trpc.payment.subscriptions.query({ organizationId: organization.id })).rejects.toThrow(
      'manage billing',
    )
    const nobody = await deliver(
      testApp,
      'subscription.active',
      subscription({ customer: customer('unknown@example.test') }),
    )
    expect((await eventOf(nobody.id))?.appliedAt).toBeNull()
  })
})

describe('two buyers with one customer id', () => {
  it('unsigned metadata links no customer: no user sees another user’s purchases or keys', async () => {
    const victim = await createUser(testApp)
    const thief = await createUser(testApp)
    const buyer = customer('guest@example.test')
    const bought = payment({ customer: buyer })
    const key = {
      id: newEventId(),
      key: 'GUEST-KEY',
      status: 'active',
      customer_id: buyer.customer_id,
      payment_id: bought.payment_id,
      created_at: '2026-11-02T10:00:00Z',
    }
    await deliver(testApp, 'payment.succeeded', bought)
    await deliver(testApp, 'license_key.created', key)
    const metadata = ownerMetadata(testApp.app.keys.purchases, { owner: { userId: thief.id }, ...linkCheckout() })
    await deliver(testApp, 'payment.succeeded', payment({ customer: buyer, metadata }))
    expect(await thief.browser.trpc.payment.payments.query()).toHaveLength(1)
    expect(await thief.browser.trpc.payment.licenseKeys.query()).toEqual([])
    expect(await victim.browser.trpc.payment.payments.query()).toEqual([])
  })

  it.each(['person first', 'organization first', 'key first', 'key last but one'])(
    '%s: each purchase and its key belongs to its buyer',
    async (order) => {
      const owner = await createOrganizationOwner(testApp)
      const buyer = customer(owner.email)
      const sign = (of: Parameters<typeof ownerMetadata>[1]) => ownerMetadata(testApp.app.keys.purchases, of)
      const own = payment({ customer: buyer, metadata: sign({ owner: { userId: owner.id }, ...linkCheckout() }) })
      const team = payment({
        customer: buyer,
        metadata: sign({ owner: { organizationId: owner.organization.id }, ...linkCheckout() }),
      })
      const keyOf = (of: { payment_id: string }, text: string) => ({
        id: newEventId(),
        key: text,
        status: 'active',
        customer_id: buyer.customer_id,
        payment_id: of.payment_id,
        created_at: '2026-11-02T10:00:00Z',
      })
      const events: [string, object][] = [
        ['payment.succeeded', own],
        ['license_key.created', keyOf(own, 'OWN-KEY')],
        ['payment.succeeded', team],
        ['license_key.created', keyOf(team, 'TEAM-KEY')],
      ]
      const sequence =
        order === 'person first'
          ? [0, 1, 2, 3]
          : order === 'organization first'
            ? [2, 3, 0, 1]
            : order === 'key first'
              ? [3, 1, 2, 0]
              : [0, 3, 1, 2]
      for (const n of sequence) await deliver(testApp, ...(events[n] ?? ['', {}]))
      const { organization } = owner
      const keys = async (of: object) => (await owner.browser.trpc.payment.licenseKeys.query(of)).map(({ key }) => key)
      expect(await keys({ organizationId: organization.id })).toEqual(['TEAM-KEY'])
      expect(await keys({})).toEqual(['OWN-KEY'])
    },
  )

  it('thirty concurrent pairs of payment and refund leave no unassigned event', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const pairs = Array.from({ length: 30 }, () => payment({ customer: buyer }))
    const refundOf = ({ payment_id }: { payment_id: string }) => ({
      refund_id: newEventId(),
      payment_id,
      amount: 1,
      currency: 'EUR',
      is_partial: true,
      status: 'succeeded',
      created_at: '2026-11-02T10:00:00Z',
    })
    const sent = await Promise.all(
      pairs.flatMap((one) => [
        deliver(testApp, 'refund.succeeded', refundOf(one)),
        deliver(testApp, 'payment.succeeded', one),
      ]),
    )
    expect(sent.every(({ status }) => status === 200)).toBe(true)
    expect(
      await testApp.db.paymentEvent.count({ where: { id: { in: sent.map(({ id }) => id) }, appliedAt: null } }),
    ).toBe(0)
  })
})

describe('emails', () => {
  it('report a failed payment, a hold and the end, once each', async () => {
    const person = await createUser(testApp)
    const buyer = customer(person.email)
    const plan = subscription({ customer: buyer })
    const minute = (n: number) => new Date(Date.UTC(2026, 10, 10, 10, n))
    await deliver(testApp, 'subscription.active', plan, { at: minute(0) })
    await deliver(
      testApp,
      'payment.failed',
      payment({ customer: buyer, status: 'failed', subscription_id: plan.subscription_id }),
      { at: minute(1) },
    )
    await deliver(testApp, 'subscription.on_hold', { ...plan, status: 'on_hold' }, { at: minute(2) })
    await deliver(testApp, 'subscription.updated', { ...plan, status: 'on_hold' }, { at: minute(3) })
    // A cancelled subscription does not end before its paid period. The end is notified once.
    await deliver(
      testApp,
      'subscription.cancelled',
      { ...plan, status: 'cancelled', cancel_at_next_billing_date: true },
      { at: minute(4) },
    )
    await deliver(testApp, 'subscription.expired', { ...plan, status: 'expired' }, { at: minute(5) })
    await deliver(testApp, 'subscription.on_hold', { ...plan, status: 'on_hold' }, { at: minute(1) })
    const kinds = (await testApp.mails(person.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind.startsWith('payment') || kind.startsWith('subscription')).toSorted()).toEqual([
      'paymentFailed',
      'subscriptionEnded',
      'subscriptionOnHold',
    ])
  })
})

describe('the lifecycle of a subscription', () => {
  it('ends in the same state in any order, with any repetition', async () => {
    const statuses = ['pending', 'active', 'on_hold', 'paused', 'active', 'cancelled', 'expired']
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            status: fc.constantFrom(...statuses),
            minute: fc.integer({ min: 0, max: 3 }),
            quantity: fc.integer({ min: 1, max: 9 }),
          }),
          { minLength: 2, maxLength: 6 },
        ),
        fc.infiniteStream(fc.nat()),
        async (life, chances) => {
          const base = subscription({ customer: customer(`life.${newEventId()}@example.test`) })
          const events = life.map(({ status, minute, quantity }) => ({
            id: newEventId(),
            at: new Date(Date.UTC(2026, 10, 10, 10, minute)),
            data: { ...base, status, quantity },
          }))
          const run = async (prefix: string, order: typeof events) => {
            const subscription_id = `${prefix}${base.subscription_id}`
            for (const { id, at, data } of order) {
              await deliver(testApp, 'subscription.updated', { ...data, subscription_id }, { id: `${prefix}${id}`, at })
            }
            const row = await testApp.db.subscription.findUniqueOrThrow({ where: { subscriptionId: subscription_id } })
            return [row.status, row.quantity, row.eventAt.toISOString(), row.eventId.slice(prefix.length)]
          }
          const next = () => chances.next().value
          const shuffled = [...events, ...events.filter(() => next() % 2 === 0)].map((event) => ({
            event,
            rank: next(),
          }))
          const disordered = shuffled.toSorted((a, b) => a.rank - b.rank).map(({ event }) => event)
          const straight = await run('a', events)
          expect(await run('b', disordered)).toEqual(straight)
        },
      ),
      { numRuns: 25 },
    )
  })
})

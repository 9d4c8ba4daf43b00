import { expect, it } from 'vitest'
import { deliver, startProvider, shopSettings } from '../testing/payments.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { assignVerifiedPurchases } from './attribution/assign-verified-purchases.ts'
import { ownerMetadata } from './attribution/signed-metadata.ts'
import { applyReceivedEvents } from './events/receive-webhook.ts'
import { reconcile } from './reconciliation/reconcile.ts'

/*
 * Simulates a year of a shop: 200 owners who subscribe, upgrade, fail to pay, are refunded, cancel and are deleted,
 * with deliveries that are reordered, duplicated and lost, and with nightly reconciliations. At the end our rows equal
 * the provider's, and every purchase has exactly its owner. Runs are reproducible by seed; SIMULATION_SEED selects
 * another one.
 */
const seed = Number(process.env['SIMULATION_SEED'] ?? 1)
const ownerCount = 200
const months = 12

/** A small seeded generator (mulberry32). */
function createRandom(start: number) {
  let state = start
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const chance = (share: number) => next() < share
  const shuffled = <Item>(items: Item[]) =>
    items
      .map((item) => ({ item, rank: next() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ item }) => item)
  return { next, chance, shuffled }
}

type Owner = { userId: string } | { organizationId: string }
type Buyer = { owner: Owner; customerId: string; email: string; isDeleted: boolean }
type Plan = ReturnType<typeof newPlan>
type Paid = { payment_id: string; status: string; total_amount: number; subscription_id: string; buyer: Buyer }
type Refunded = { refund_id: string; payment_id: string; amount: number; status: string }
type Delivery = { type: string; data: object; at: Date }

let count = 0
const newId = (prefix: string) => `${prefix}_${seed}_${count++}`

function newPlan(buyer: Buyer, metadata: Record<string, string>, at: Date) {
  return {
    buyer,
    subscription_id: newId('sub'),
    product_id: 'pdt_1',
    quantity: 1,
    status: 'active',
    currency: 'EUR',
    recurring_pre_tax_amount: 1000,
    payment_frequency_count: 1,
    payment_frequency_interval: 'Month',
    next_billing_date: new Date(at.getTime() + 30 * 86_400_000).toISOString(),
    cancel_at_next_billing_date: false,
    metadata,
    created_at: at.toISOString(),
  }
}

/** Inserts owners: half of them users, half organizations, each with its own customer, as after a first checkout. */
async function insertBuyers(testApp: TestApp): Promise<Buyer[]> {
  const buyers: Buyer[] = []
  const now = testApp.app.clock()
  for (let n = 0; n < ownerCount; n++) {
    const id = newId('owner')
    const email = `${id}@example.test`
    const owner: Owner = n % 2 === 0 ? { userId: id } : { organizationId: id }
    if ('userId' in owner) {
      const times = { createdAt: now, updatedAt: now }
      const user = { id, email, name: id, emailVerified: true, language: 0, role: 'user' as const, ...times }
      await testApp.db.user.create({ data: user })
    } else
      await testApp.db.organization.create({ data: { id, name: id, slug: id.replaceAll('_', '-'), createdAt: now } })
    const customerId = newId('cus')
    await testApp.db.customer.create({
      data: { customerId, email, name: id, ...owner, createdAt: now, updatedAt: now },
    })
    buyers.push({ owner, customerId, email, isDeleted: false })
  }
  return buyers
}

it('a year of purchases ends with our rows equal to the provider’s, each with its owner', async () => {
  const { next, chance, shuffled } = createRandom(seed)
  const provider = await startProvider()
  const testApp = await createTestApp({
    ...shopSettings(provider.url),
  })
  const buyers = await insertBuyers(testApp)
  const plans: Plan[] = []
  const payments: Paid[] = []
  const refunds: Refunded[] = []
  const start = Date.now() - months * 30 * 86_400_000
  let queue: Delivery[] = []
  let step = 0

  const customerOf = ({ customerId, email }: Buyer) => ({ customer_id: customerId, email, name: 'Buyer' })
  const planData = ({ buyer, ...plan }: Plan) => ({ ...plan, customer: customerOf(buyer) })
  const paymentData = ({ buyer, ...paid }: Paid) => ({
    ...paid,
    currency: 'EUR',
    customer: customerOf(buyer),
    metadata: {},
    created_at: new Date(start).toISOString(),
  })
  /** Every change has its own time, one second after the previous one. */
  const emit = (type: string, data: object) =>
    queue.push({ type, data: structuredClone(data), at: new Date(start + step++ * 1_000) })

  function pay(plan: Plan, status: string): void {
    const paid = {
      payment_id: newId('pay'),
      status,
      total_amount: plan.recurring_pre_tax_amount * plan.quantity,
      subscription_id: plan.subscription_id,
      buyer: plan.buyer,
    }
    payments.push(paid)
    // Renewals have no metadata.
    emit(`payment.${status}`, paymentData(paid))
    if (status === 'succeeded' && chance(0.1)) {
      const refund = { refund_id: newId('ref'), payment_id: paid.payment_id, amount: 500, status: 'succeeded' }
      refunds.push(refund)
      emit('refund.succeeded', { ...refund, is_partial: true, currency: 'EUR' })
    }
  }

  for (let month = 0; month < months; month++) {
    for (const buyer of buyers) {
      const own = plans.filter((plan) => plan.buyer === buyer)
      const living = own.filter(({ status }) => status === 'active' || status === 'on_hold')
      if (!buyer.isDeleted && living.length === 0 && chance(0.5)) {
        const signed = ownerMetadata(testApp.app.keys.purchases, {
          owner: buyer.owner,
          checkoutId: newId('checkout'),
          customerId: buyer.customerId,
        })
        const plan = newPlan(buyer, chance(0.8) ? signed : {}, new Date(start))
        plans.push(plan)
        emit('subscription.active', planData(plan))
        pay(plan, 'succeeded')
        continue
      }
      for (const plan of living) {
        const event = next()
        if (event < 0.1) {
          plan.status = 'on_hold'
          emit('subscription.on_hold', planData(plan))
          pay(plan, 'failed')
        } else if (event < 0.2) {
          plan.status = 'active'
          plan.quantity = 1 + Math.floor(next() * 9)
          emit('subscription.plan_changed', planData(plan))
          pay(plan, 'succeeded')
        } else if (event < 0.3) {
          plan.status = 'cancelled'
          emit('subscription.cancelled', planData(plan))
        } else {
          plan.status = 'active'
          emit('subscription.renewed', planData(plan))
          pay(plan, 'succeeded')
        }
      }
      // An owner without an active subscription may be deleted. Later objects of that owner have no owner.
      if (
        month > 6 &&
        !buyer.isDeleted &&
        chance(0.02) &&
        plans.every((plan) => plan.buyer !== buyer || plan.status === 'cancelled')
      ) {
        buyer.isDeleted = true
      }
    }
    // One delivery in twenty is lost, one in ten arrives twice, and those of a month arrive in random order.
    const sent = shuffled(queue.flatMap((one) => (chance(0.05) ? [] : chance(0.1) ? [one, one] : [one])))
    queue = []
    const ids = new Map(sent.map((one) => [one, newId('msg')]))
    for (let from = 0; from < sent.length; from += 20) {
      const answers = await Promise.all(
        sent
          .slice(from, from + 20)
          .map((one) => deliver(testApp, one.type, one.data, { at: one.at, id: ids.get(one) ?? '' })),
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
    }
    for (const { owner, isDeleted } of buyers) {
      if (!isDeleted) continue
      if ('userId' in owner) await testApp.db.user.deleteMany({ where: { id: owner.userId } })
      else await testApp.db.organization.deleteMany({ where: { id: owner.organizationId } })
    }
    testApp.advanceClock(30 * 86_400)
    await applyReceivedEvents(testApp.app)
    await assignVerifiedPurchases(testApp.app)
    if (month % 4 === 3) await night()
  }

  /** The provider answers with its own state, at the time of its latest change. */
  async function night(): Promise<void> {
    const date = new Date(start + (step + 1) * 1_000).toUTCString()
    const headers = { date }
    const pages = (items: object[]) => ({ body: { items } })
    for (const plan of plans) {
      provider.answers.set(`GET /subscriptions/${plan.subscription_id}`, { body: planData(plan), headers })
    }
    for (const paid of payments) {
      provider.answers.set(`GET /payments/${paid.payment_id}`, { body: paymentData(paid), headers })
    }
    for (const refund of refunds) {
      const body = { ...refund, is_partial: true, currency: 'EUR' }
      provider.answers.set(`GET /refunds/${refund.refund_id}`, { body, headers })
    }
    provider.answers.set('GET /refunds', pages(refunds.map(({ refund_id, status }) => ({ refund_id, status }))))
    provider.answers.set('GET /subscriptions', pages(plans.map(({ subscription_id }) => ({ subscription_id }))))
    provider.answers.set('GET /payments', pages(payments.map(({ payment_id, status }) => ({ payment_id, status }))))
    await reconcile(testApp.app)
  }

  await night()
  await assignVerifiedPurchases(testApp.app)

  const ownerOf = ({ owner, isDeleted }: Buyer) => ({
    userId: 'userId' in owner ? owner.userId : null,
    organizationId: 'organizationId' in owner ? owner.organizationId : null,
    isDeleted,
  })
  const rows = new Map((await testApp.db.subscription.findMany()).map((row) => [row.subscriptionId, row]))
  const wrongPlans = plans.filter((plan) => {
    const row = rows.get(plan.subscription_id)
    const { userId, organizationId, isDeleted } = ownerOf(plan.buyer)
    const isRight = row?.status === plan.status && row.quantity === plan.quantity
    // Events of a deleted owner have no owner, or still name it. They never belong to another owner.
    const isOwned = row?.userId === userId && row.organizationId === organizationId
    const isUnowned = isDeleted && row?.userId === null && row.organizationId === null
    return !isRight || !(isOwned || isUnowned)
  })
  expect(wrongPlans).toEqual([])
  expect([...rows.keys()].filter((id) => !plans.some((plan) => plan.subscription_id === id))).toEqual([])

  const paidRows = new Map((await testApp.db.payment.findMany()).map((row) => [row.paymentId, row]))
  const wrongPayments = payments.filter((paid) => {
    const row = paidRows.get(paid.payment_id)
    const { userId, organizationId, isDeleted } = ownerOf(paid.buyer)
    const isRight = row?.status === paid.status && Number(row.totalAmount) === paid.total_amount
    const isOwned = row?.userId === userId && row.organizationId === organizationId
    return !isRight || !(isOwned || (isDeleted && row?.userId === null && row.organizationId === null))
  })
  expect(wrongPayments).toEqual([])
  expect(paidRows.size).toBe(payments.length)

  const refundRows = await testApp.db.refund.findMany()
  const sums = (rowsOf: { amount: number; paymentId: string }[]) =>
    rowsOf.map(({ amount, paymentId }) => `${paymentId} ${amount}`).toSorted()
  expect(sums(refundRows.map(({ amount, paymentId }) => ({ amount: Number(amount), paymentId })))).toEqual(
    sums(refunds.map(({ amount, payment_id: paymentId }) => ({ amount, paymentId }))),
  )
  expect(await testApp.db.paymentEvent.count({ where: { state: { in: ['received', 'failed'] } } })).toBe(0)
})

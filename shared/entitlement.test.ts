import { expect, it } from 'vitest'
import { featureAccessOf, hasFeature } from './entitlement.ts'
import { subscriptionStatuses } from './payment.ts'

const now = new Date('2026-11-20T12:00:00Z')
const [past, future] = ['2026-11-19T00:00:00Z', '2026-12-01T00:00:00Z']
const features = new Map([
  ['pdt_pro', ['sso', 'audit']],
  ['pdt_team', ['audit', 'teams']],
])
const plan = (changes: object) => ({
  productId: 'pdt_pro',
  quantity: 1,
  status: 'active',
  nextBillingDate: future,
  cancelAtNextBillingDate: false,
  since: past,
  pastDueEndsAt: null,
  ...changes,
})

it.each([
  [{ status: 'pending' }, 0, false],
  [{ status: 'active' }, 0, true],
  [{ status: 'active', cancelAtNextBillingDate: true }, 0, true],
  [{ status: 'past_due' }, 0, true],
  [{ status: 'past_due', pastDueEndsAt: future }, 0, true],
  [{ status: 'past_due', pastDueEndsAt: past }, 0, false],
  [{ status: 'on_hold' }, 0, false],
  [{ status: 'on_hold' }, 7 * 86_400, true],
  [{ status: 'on_hold' }, 3_600, false],
  [{ status: 'paused' }, 7 * 86_400, false],
  [{ status: 'cancelled' }, 0, false],
  [{ status: 'cancelled', cancelAtNextBillingDate: true }, 0, true],
  [{ status: 'cancelled', cancelAtNextBillingDate: true, nextBillingDate: past }, 0, false],
  [{ status: 'expired' }, 7 * 86_400, false],
  [{ status: 'failed' }, 7 * 86_400, false],
  [{ status: 'of_tomorrow' }, 7 * 86_400, false],
  [{ status: null }, 7 * 86_400, false],
])('%j with a grace of %d s grants its features: %s', (changes, graceSeconds, expected) => {
  expect(hasFeature(featureAccessOf([plan(changes)], features, { now, graceSeconds }), 'sso')).toBe(expected)
})

it('every status is in the table above', () => {
  expect(subscriptionStatuses).toEqual([
    'pending',
    'active',
    'past_due',
    'on_hold',
    'paused',
    'cancelled',
    'expired',
    'failed',
  ])
})

it('joins the features of several plans, each once; a product without features grants none', () => {
  const plans = [plan({}), plan({ productId: 'pdt_team', quantity: 12 }), plan({ productId: 'pdt_unknown' })]
  expect(featureAccessOf(plans, features, { now, graceSeconds: 0 })).toEqual({
    features: ['audit', 'sso', 'teams'],
    plans: [
      { productId: 'pdt_pro', quantity: 1, status: 'active' },
      { productId: 'pdt_team', quantity: 12, status: 'active' },
      { productId: 'pdt_unknown', quantity: 1, status: 'active' },
    ],
  })
})

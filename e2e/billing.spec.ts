import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { en } from '../client/language/en.ts'
import {
  checkAccessibility,
  expect,
  fill,
  linkTo,
  newUser,
  password,
  signUpAndVerify,
  test,
  webhookKey,
} from './fixtures.ts'

let count = 0

/** Delivers a signed webhook event like the payment provider. */
async function deliver(page: Page, type: string, data: object) {
  const id = `msg_${Date.now()}_${process.pid}_${count++}`
  const at = new Date()
  const text = JSON.stringify({ business_id: 'bus', type, timestamp: at.toISOString(), data })
  const answer = await page.request.post('/api/webhooks/payments', {
    data: text,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(webhookKey).sign(id, at, text),
    },
  })
  expect(answer.status()).toBe(200)
}

const buyer = (email: string) => ({ customer_id: `cus_${email}`, email, name: 'Ada' })

test('a user buys a subscription, returns from the checkout and sees the payment', async ({ page }) => {
  const { email } = await signUpAndVerify(page)
  await page.getByRole('link', { name: en.billing.mine }).click()
  await expect(page.getByText(en.billing.noSubscriptions)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: fill(en.billing.subscribeOf, { name: 'Foyer Pro' }) }).click()
  await expect(page.getByRole('heading', { name: 'pay', exact: true })).toBeVisible()

  await page.goto('/billing/return?status=succeeded&payment_id=anybody_can_type_this')
  await expect(page.getByText(en.billing.waiting)).toBeVisible()
  await checkAccessibility(page)
  const subscription_id = `sub_${email}`
  const plan = {
    subscription_id,
    product_id: 'pdt_pro',
    quantity: 1,
    status: 'active',
    currency: 'EUR',
    recurring_pre_tax_amount: 1900,
    payment_frequency_interval: 'Month',
    next_billing_date: '2027-01-15T00:00:00Z',
    cancel_at_next_billing_date: false,
    customer: buyer(email),
    metadata: {},
    created_at: new Date().toISOString(),
  }
  const payment = {
    payment_id: `pay_${email}`,
    status: 'succeeded',
    total_amount: 1900,
    currency: 'EUR',
    customer: buyer(email),
    metadata: {},
    card_last_four: '4242',
    subscription_id,
    created_at: new Date().toISOString(),
  }
  await deliver(page, 'subscription.active', plan)
  await deliver(page, 'payment.succeeded', payment)
  await expect(page.getByText(en.billing.arrived)).toBeVisible()
  await page.getByRole('link', { name: en.billing.toBilling }).click()
  await expect(page.getByText(`${en.billing.nextPayment}January 15, 2027`)).toBeVisible()
  const card = fill(en.billing.card, { digits: '4242' })
  await expect(page.getByRole('definition').filter({ hasText: card })).toBeVisible()
  await expect(page.getByRole('cell', { name: card })).toBeVisible()
  await expect(page.getByRole('heading', { name: en.billing.byMonth })).toBeVisible()

  await manageSubscription(page)

  await deliver(page, 'refund.succeeded', {
    refund_id: `ref_${email}`,
    payment_id: payment.payment_id,
    amount: 500,
    currency: 'EUR',
    is_partial: true,
    status: 'succeeded',
    created_at: new Date().toISOString(),
  })
  await deliver(page, 'license_key.created', {
    id: `lic_${email}`,
    key: 'AAAA-BBBB-CCCC-7777',
    status: 'active',
    product_id: 'pdt_pro',
    customer_id: buyer(email).customer_id,
    payment_id: payment.payment_id,
    created_at: new Date().toISOString(),
  })
  await deliver(page, 'subscription.on_hold', { ...plan, status: 'on_hold' })
  await page.reload()
  await expect(page.getByText(fill(en.billing.refunded, { amount: '€5.00' }))).toBeVisible()
  await expect(page.getByText('•••• 7777')).toBeVisible()
  await expect(page.getByText('AAAA-BBBB')).toBeHidden()
  const banner = page.getByRole('alert').filter({ hasText: fill(en.billing.onHoldBanner, { plan: 'Foyer Pro' }) })
  await expect(banner).toBeVisible()
  await checkAccessibility(page)
  await expect(banner.getByRole('button', { name: en.billing.updatePayment })).toBeVisible()
  // A failure does not move the button, on a narrow screen neither.
  const portal = page.getByRole('button', { name: en.billing.portal })
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 800 })
  await portal.scrollIntoViewIfNeeded()
  const before = await portal.boundingBox()
  await page.route(/payment\.portal/, (route) => route.abort())
  await portal.click()
  await expect(page.getByRole('alert').filter({ hasText: fill(en.failure.server, { product: 'Foyer' }) })).toBeVisible()
  await expect.poll(() => portal.boundingBox()).toEqual(before)
  await page.unrouteAll({ behavior: 'wait' })
  if (size) await page.setViewportSize(size)
  await portal.click()
  await expect(page.getByRole('heading', { name: 'portal' })).toBeVisible()
})

/** Cancels and resumes the subscription to Foyer Pro, and previews another plan. */
async function manageSubscription(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: fill(en.billing.manage, { name: 'Foyer Pro' }) })
  const choose = async (item: string) => {
    await menu.click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose(en.billing.cancel)
  await checkAccessibility(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.billing.reason).selectOption({ label: en.billing.reasons.unused })
  await dialog.getByRole('button', { name: en.billing.cancel }).click()
  await expect(page.getByText(`${en.billing.ends}January 15, 2027`)).toBeVisible()
  await choose(en.billing.resume)
  await expect(page.getByText(`${en.billing.nextPayment}January 15, 2027`)).toBeVisible()
  await page.keyboard.press('Escape')
  await choose(en.billing.changePlan)
  await dialog.getByLabel(en.billing.quantity).fill('2')
  await expect(dialog.getByText(fill(en.billing.dueNow, { amount: '€12.34' }))).toBeVisible()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.common.cancel }).click()
  await choose(en.billing.transfer)
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.common.cancel }).click()
  await page.getByRole('button', { name: `Foyer Pro: ${en.billing.options}` }).click()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.common.cancel }).click()
}

test('an administrator assigns an unassigned payment to a user', async ({ page, browser }) => {
  const owner = await signUpAndVerify(page)
  const buyerEmail = newUser().email
  await deliver(page, 'payment.succeeded', {
    payment_id: `pay_${buyerEmail}`,
    status: 'succeeded',
    total_amount: 2450,
    currency: 'EUR',
    customer: buyer(buyerEmail),
    metadata: {},
    created_at: new Date().toISOString(),
  })
  const context = await browser.newContext()
  const admin = await context.newPage()
  await admin.goto('/sign-up')
  await admin.getByLabel(en.field.name, { exact: true }).fill('Administrator')
  await admin.getByLabel(en.field.email).fill('admin@example.test')
  await admin.getByLabel(en.field.password, { exact: true }).fill(password)
  await admin.getByRole('button', { name: en.signUp.submit }).click()
  await admin.goto(await linkTo(admin, 'admin@example.test'))
  await admin.getByRole('link', { name: en.verified.continue }).click()
  await admin.getByRole('link', { name: en.common.administration }).click()
  await admin.getByRole('link', { name: en.installation.payments }).click()
  const sectionOf = (title: string) =>
    admin.locator('section').filter({ has: admin.getByRole('heading', { name: title, exact: true }) })
  const row = sectionOf(en.admin.openEvents).locator('li').filter({ hasText: buyerEmail })
  await expect(row).toBeVisible()
  await checkAccessibility(admin)
  await row.getByRole('button', { name: en.admin.retry }).click()
  await expect(admin.getByText(en.admin.stillUnassigned)).toBeVisible()
  await row.getByRole('button', { name: en.admin.assign }).click()
  await checkAccessibility(admin)
  await admin.getByRole('dialog').getByRole('textbox').fill(owner.email)
  await admin.getByRole('dialog').getByRole('button', { name: en.admin.assign }).click()
  await expect(row).toBeHidden()

  await deliver(page, 'subscription.active', { product_id: 'without an id', customer: buyer(buyerEmail) })
  await admin.reload()
  await row.getByRole('button', { name: en.admin.dismiss }).click()
  await checkAccessibility(admin)
  await admin.getByRole('dialog').getByLabel(en.admin.dismissReason).fill('A test')
  await admin.getByRole('dialog').getByRole('button', { name: en.admin.dismiss }).click()
  await expect(row).toBeHidden()
  await admin.getByRole('searchbox').fill(buyerEmail)
  await admin.getByRole('button', { name: fill(en.common.actions, { name: `pay_${buyerEmail}` }) }).click()
  await admin.getByRole('menuitem', { name: en.admin.refund }).click()
  await checkAccessibility(admin)
  await admin.getByRole('dialog').getByRole('button', { name: en.admin.refund }).click()
  await expect(admin.getByText(en.admin.refundStarted)).toBeVisible()
  await admin.getByRole('link', { name: `pay_${buyerEmail}` }).click()
  await expect(admin.getByRole('heading', { level: 1, name: '€24.50' })).toBeVisible()
  await expect(admin.getByText(en.admin.refundPending)).toBeVisible()
  await expect(admin.getByRole('button', { name: en.admin.refund })).toBeHidden()
  await checkAccessibility(admin)
  await context.close()

  await page.goto('/billing')
  await expect(page.getByRole('table', { name: en.billing.payments }).getByText('€24.50')).toBeVisible()
  await page.getByLabel(en.billing.search).fill('24,50')
  await expect(page).toHaveURL(/q=24/)
  await expect(page.getByRole('table', { name: en.billing.payments }).getByText('€24.50')).toBeVisible()
  await page.getByLabel(en.common.status, { exact: true }).selectOption('failed')
  await expect(page.getByText(en.common.nothingFound)).toBeVisible()
  await expect(page.getByText(en.billing.noPayments)).toBeHidden()
  await expect(page.getByRole('table', { name: en.billing.payments }).getByText('€24.50')).toBeHidden()
  await checkAccessibility(page)
  await page.goto('/admin/payments')
  await expect(page.getByRole('heading', { name: en.failure.noAccess })).toBeVisible()
})

import type { BrowserContext, Page } from '@playwright/test'
import { en } from '../client/language/en.ts'
import { expect, password, signUpAndVerify, test } from './fixtures.ts'

const asked = (page: Page) => page.getByRole('dialog', { name: en.reauthenticate.title })

const keysOf = async (context: BrowserContext) => (await context.request.get('/api/auth/api-key/list')).json()

/** The first response reports a stale session, instead of waiting a day for a real one. */
async function refuseOnce(page: Page, isHeldBack?: Promise<void>): Promise<void> {
  let isFirst = true
  await page.route('**/api/trpc/apiKey.create*', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    await isHeldBack
    const data = { reason: 'SESSION_IS_NOT_FRESH', httpStatus: 403, code: 'FORBIDDEN' }
    await route.fulfill({ status: 403, json: { error: { message: 'Session is not fresh', code: -32_003, data } } })
  })
}

async function createKey(page: Page): Promise<void> {
  await page.goto('/settings/api-keys')
  await page.getByRole('button', { name: en.apiKeys.create }).first().click()
  await page.getByLabel(en.apiKeys.name, { exact: true }).fill('Deployment')
  await page.getByRole('dialog').getByRole('button', { name: en.apiKeys.create }).click()
}

async function confirm(page: Page): Promise<void> {
  await asked(page).getByLabel(en.common.currentPassword, { exact: true }).fill(password)
  await asked(page).getByRole('button', { name: en.common.continue }).click()
}

test('a confirmed call is sent once more', async ({ page, context }) => {
  await signUpAndVerify(page)
  let calls = 0
  page.on('request', (request) => void (request.url().includes('apiKey.create') && calls++))
  await refuseOnce(page)
  await createKey(page)
  await confirm(page)
  await expect(page.getByText(en.apiKeys.createdDescription)).toBeVisible()
  expect([calls, (await keysOf(context)).length]).toEqual([2, 1])
})

test('a confirmation by another user, who has signed in meanwhile, does not continue a call', async ({
  page,
  context,
  browser,
}) => {
  const elsewhere = await browser.newContext()
  const other = await signUpAndVerify(await elsewhere.newPage())
  await elsewhere.close()
  await signUpAndVerify(page)
  await refuseOnce(page)
  await createKey(page)
  // Loaded completely: otherwise its own calls would be refused, and lead to the other user before it is answered.
  await expect(asked(page).getByLabel(en.common.currentPassword, { exact: true })).toBeVisible()
  // Without a page of this browser, which would notify this one.
  const signedIn = await context.request.post('/api/auth/sign-in/email', {
    data: { email: other.email, password },
    headers: { origin: new URL(page.url()).origin },
  })
  expect(signedIn.status()).toBe(200)
  await confirm(page)
  // The page is reloaded for the other user.
  await expect(asked(page)).toHaveCount(0)
  await expect(page.getByText(en.apiKeys.empty)).toBeVisible()
  expect(await keysOf(context)).toEqual([])
})

test('a change names the user of its screen, also after a sign-in on a page that was loaded for a target', async ({
  page,
}) => {
  const person = await signUpAndVerify(page)
  await page.goto('/sign-out')
  await page.getByRole('button', { name: en.common.signOut }).click()
  await expect(page.getByRole('heading', { name: en.signIn.title })).toBeVisible()
  await page.goto('/sign-in?next=/settings/api-keys')
  await page.getByLabel(en.field.emailOrUsername).fill(person.email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.common.signIn, exact: true }).click()
  await page.getByRole('button', { name: en.apiKeys.create }).first().click()
  await page.getByLabel(en.apiKeys.name, { exact: true }).fill('Deployment')
  const sent = page.waitForRequest('**/api/trpc/apiKey.create*')
  await page.getByRole('dialog').getByRole('button', { name: en.apiKeys.create }).click()
  const { user } = await (await page.request.get('/api/auth/get-session')).json()
  expect((await sent).headers()['x-foyer-user']).toBe(user.id)
  expect(await page.evaluate(() => localStorage.getItem('foyer.user'))).toBe(user.id)
})

test('a call that is refused after its screen was left asks for nothing', async ({ page, context }) => {
  await signUpAndVerify(page)
  let release = () => {}
  await refuseOnce(page, new Promise((resolve) => (release = resolve)))
  await createKey(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: en.settings.profile, exact: true }).click()
  await expect(page).toHaveURL(/\/settings$/)
  const refused = page.waitForResponse('**/api/trpc/apiKey.create*')
  release()
  await refused
  await page.getByRole('link', { name: en.sessions.title, exact: true }).click()
  await expect(page).toHaveURL(/\/settings\/sessions$/)
  await expect(asked(page)).toHaveCount(0)
  expect(await keysOf(context)).toEqual([])
})

test('a dialog that cannot be loaded shows the refusal, and keeps the screen', async ({ page }) => {
  await signUpAndVerify(page)
  // What is loaded after the refusal is the dialog.
  let isRefused = false
  page.on('response', (response) => void (isRefused ||= response.url().includes('/apiKey.create')))
  await page.route('**/assets/*.js', (route) => (isRefused ? route.abort() : route.fallback()))
  await refuseOnce(page)
  await createKey(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText(en.refusal.SESSION_IS_NOT_FRESH)
  await expect(dialog.getByLabel(en.apiKeys.name, { exact: true })).toHaveValue('Deployment')
})

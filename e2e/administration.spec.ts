import type { Page } from '@playwright/test'
import { en } from '../client/language/en.ts'
import {
  checkAccessibility,
  createOrganization,
  expect,
  fill,
  linkTo,
  password,
  signUpAndVerify,
  test,
} from './fixtures.ts'

/** Signs up with an address out of ADMIN_EMAILS. */
async function signInAsOperator(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel(en.field.name, { exact: true }).fill('Grace Hopper')
  await page.getByLabel(en.field.email).fill(email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.signUp.submit }).click()
  await page.goto(await linkTo(page, email))
  await page.getByRole('link', { name: en.verified.continue }).click()
}

test('an administrator finds a user, acts as the user, suspends and deletes the account', async ({ page, browser }) => {
  const context = await browser.newContext()
  const theirs = await context.newPage()
  const person = await signUpAndVerify(theirs)
  const organization = await createOrganization(theirs)
  await signInAsOperator(page, `operator${test.info().retry}@example.test`)

  await page.getByRole('link', { name: en.users.title }).click()
  await checkAccessibility(page)
  await page.getByRole('searchbox', { name: en.members.search }).fill(person.email)
  await page.getByRole('link', { name: person.email }).click()
  await expect(page.getByRole('heading', { name: person.name })).toBeVisible()
  await expect(page.getByText(organization.slug)).toBeVisible()
  await checkAccessibility(page)

  await page.getByRole('button', { name: en.users.impersonate }).click()
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.users.impersonate }).click()
  const bar = page.getByRole('complementary', { name: en.users.impersonation })
  await expect(bar).toContainText(fill(en.users.actingAs, { administrator: 'Grace Hopper', user: person.name }))
  await checkAccessibility(page)
  await page.goto('/settings/security')
  await expect(bar).toBeVisible()
  await bar.getByRole('button', { name: en.users.stop }).click()
  await expect(page).toHaveURL('/admin/users')

  await page.getByRole('searchbox', { name: en.members.search }).fill(person.email)
  await page.getByRole('link', { name: person.email }).click()
  const actions = page.getByRole('button', { name: fill(en.members.actions, { name: person.name }) })
  await actions.click()
  await page.getByRole('menuitem', { name: en.users.suspend }).click()
  await page.getByLabel(en.users.reason).fill('Sends spam')
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.users.suspend }).click()
  await expect(page.getByText(fill(en.users.suspendedToast, { name: person.name }))).toBeVisible()
  await expect(page.getByText('Sends spam').first()).toBeVisible()
  // Signed out at once, and told why at the next sign-in.
  expect((await theirs.request.get('/api/auth/list-sessions')).status()).toBe(401)
  await theirs.goto('/sign-in')
  await theirs.getByLabel(en.field.email).fill(person.email)
  await theirs.getByLabel(en.field.password, { exact: true }).fill(password)
  await theirs.getByRole('button', { name: en.signIn.submit }).click()
  await expect(theirs.getByText(en.refusal.BANNED_USER)).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: en.users.lift }).click()
  await expect(page.getByText(fill(en.users.lifted, { name: person.name }))).toBeVisible()

  await actions.click()
  await page.getByRole('menuitem', { name: en.users.setPassword }).click()
  await page.getByLabel(en.password.next).fill('a phrase that was set for you')
  await page.getByRole('dialog').getByRole('button', { name: en.users.setPassword }).click()
  await expect(page.getByText(fill(en.users.passwordSet, { name: person.name }))).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: en.users.delete }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.users.delete }).click()
  await expect(page).toHaveURL('/admin/users')
  await page.getByRole('searchbox', { name: en.members.search }).fill(person.email)
  await expect(page.getByText(en.users.empty)).toBeVisible()
  await context.close()

  await page.getByRole('button', { name: en.users.create }).click()
  await page.getByLabel(en.field.name, { exact: true }).fill('Alan Turing')
  await page.getByRole('dialog').getByLabel(en.field.email, { exact: true }).fill(`alan.${Date.now()}@example.test`)
  await page.getByLabel(en.field.password, { exact: true }).fill('a phrase that was set for you')
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.users.create }).click()
  await expect(page.getByRole('heading', { name: 'Alan Turing' })).toBeVisible()
})

test('an administrator adds an application, and sees its secret once', async ({ page }) => {
  await signInAsOperator(page, `keeper${test.info().retry}@example.test`)
  await page.getByRole('link', { name: en.clients.title }).click()
  await expect(page.getByRole('heading', { name: en.clients.title })).toBeVisible()
  await page.getByRole('button', { name: en.clients.create }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.field.name, { exact: true }).fill('Shop')
  await dialog.getByLabel(en.clients.redirectUris).fill('shop.example.com/callback')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.clients.create }).click()
  await expect(dialog.getByText(en.refusal.CLIENT_URI_IS_INVALID)).toBeVisible()
  await dialog.getByLabel(en.clients.redirectUris).fill('https://shop.example.com/callback')
  await dialog.getByRole('button', { name: en.clients.create }).click()
  await expect(dialog.getByLabel(en.clients.secret)).toHaveValue(/^[\w-]{43}$/)
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.common.done }).click()
  await expect(page.getByText('https://shop.example.com/callback')).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: fill(en.members.actions, { name: 'Shop' }) }).click()
  await page.getByRole('menuitem', { name: en.clients.delete }).click()
  await dialog.getByRole('button', { name: en.clients.delete }).click()
  await expect(page.getByText(en.clients.empty)).toBeVisible()
})

test('an administrator adds a webhook, sends a test, and sees what became of it', async ({ page }) => {
  const url = `https://hooks${test.info().retry}.invalid/foyer`
  await signInAsOperator(page, `sender${test.info().retry}@example.test`)
  await page.getByRole('link', { name: en.webhooks.title }).click()
  await page.getByRole('button', { name: en.webhooks.create }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.webhooks.url, { exact: true }).fill('https://127.0.0.1/hook')
  await dialog.getByRole('combobox', { name: en.webhooks.types }).fill('member.role_changed')
  await page.getByRole('option', { name: /member.role_changed/ }).click()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.webhooks.create }).click()
  await expect(dialog.getByText(en.refusal.ENDPOINT_URL_IS_NOT_ALLOWED)).toBeVisible()
  await dialog.getByLabel(en.webhooks.url, { exact: true }).fill(url)
  await dialog.getByRole('button', { name: en.webhooks.create }).click()
  await expect(dialog.getByLabel(en.webhooks.secret)).toHaveValue(/^whsec_/)
  await dialog.getByRole('button', { name: en.common.done }).click()
  await page.getByRole('link', { name: url }).click()
  await expect(page.getByText('member.role_changed')).toBeVisible()
  await expect(page.getByText(en.webhooks.noDeliveries)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.webhooks.sendTest }).click()
  const row = page.getByRole('row', { name: 'webhook.test' })
  // The name does not exist.
  await expect(row).toContainText(new RegExp(`${en.webhooks.UNREACHABLE}|${en.webhooks.TIMEOUT}`), { timeout: 60_000 })
  await expect(row).toContainText(en.webhooks.pending)
  await checkAccessibility(page)
  const actions = page.getByRole('button', { name: fill(en.members.actions, { name: url }) })
  await actions.click()
  await page.getByRole('menuitem', { name: en.webhooks.disable }).click()
  await expect(page.getByText(en.webhooks.disabled, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: en.webhooks.enable }).click()
  await actions.click()
  await page.getByRole('menuitem', { name: en.webhooks.delete }).click()
  await dialog.getByRole('button', { name: en.webhooks.delete }).click()
  await expect(page.getByText(en.webhooks.empty)).toBeVisible()
})

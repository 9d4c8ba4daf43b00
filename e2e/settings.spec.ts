import type { Page } from '@playwright/test'
import { en } from '../client/language/en.ts'
import { comeIn, expect, inspect, linkTo, mailsTo, password, stranger, test } from './house.ts'

const next = 'an entirely different sentence'

function section(page: Page, name: string) {
  return page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
}

async function signIn(page: Page, email: string, secret: string) {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('somebody forgets the password and sets a new one by mail', async ({ page }) => {
  const person = await comeIn(page)
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email)
  await inspect(page)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('a link is on its way')).toBeVisible()
  const link = await linkTo(page, person.email)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Your new password' })).toBeVisible()
  expect(page.url()).not.toContain('token')
  await page.getByLabel('New password', { exact: true }).fill('password')
  await expect(page.getByText('Guessed at once')).toBeVisible()
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('Others would guess this password at once')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill(next)
  await expect(page.getByText('Strong')).toBeVisible()
  await inspect(page)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await signIn(page, person.email, next)
  await expect(page.getByRole('heading', { name: `Hello, ${person.name}` })).toBeVisible()

  await page.context().clearCookies()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
  await inspect(page)
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
})

test('the profile is changed, undone, and speaks another language', async ({ page }) => {
  const taken = `taken_${Date.now()}`
  const other = { ...stranger(), username: taken, password }
  expect((await page.request.post('/api/auth/sign-up/email', { data: other })).status()).toBe(200)
  const person = await comeIn(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await inspect(page)
  const profile = section(page, 'Profile')
  await profile.getByLabel('Username').fill('a!')
  await expect(profile.getByText('at least 3 characters')).toBeVisible()
  await profile.getByLabel('Username').fill(taken.toUpperCase())
  await expect(profile.getByText('This username is taken.')).toBeVisible()
  const username = `ada_${Date.now()}`.slice(0, 30)
  await profile.getByLabel('Username').fill(username)
  await profile.getByLabel('Name', { exact: true }).fill('Augusta')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(profile.getByText('Saved.')).toBeVisible()
  await profile.getByRole('button', { name: 'Undo' }).click()
  await expect(profile.getByLabel('Name', { exact: true })).toHaveValue(person.name)
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail or username').fill(username.toUpperCase())
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText(/Username and password do not belong together/)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${person.name}` })).toBeVisible()
  await page.goto('/settings')
  await profile.getByLabel('Language').selectOption('Deutsch')
  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible()
})

test('the address changes in its two steps', async ({ page }) => {
  const person = await comeIn(page)
  await page.goto('/settings')
  const { email } = stranger()
  const address = section(page, 'E-mail address')
  await address.getByLabel('New address').fill(person.email)
  await address.getByRole('button', { name: 'Change the address' }).click()
  await expect(address.getByText('This is your address already.')).toBeVisible()
  await address.getByLabel('New address').fill(email)
  await address.getByRole('button', { name: 'Change the address' }).click()
  await expect(address.getByText(`A link is on its way to ${person.email}`)).toBeVisible()
  const agreed = await linkTo(page, person.email)
  await page.goto(agreed.replace(/token=[^&]*/, 'token=broken'))
  await expect(page.getByRole('alert')).toHaveText(/This link does not work/)
  await page.goto(agreed)
  await expect(section(page, 'E-mail address').getByText(email)).toBeVisible()
  expect((await mailsTo(page, person.email))[0]?.kind).toBe('emailChanged')
  await page.goto(await linkTo(page, email))
  await page.goto('/')
  await expect(page.getByText('Proven', { exact: true })).toBeVisible()
})

test('sessions are seen and ended, the password is changed', async ({ page, browser }) => {
  const person = await comeIn(page)
  const phone = await browser.newContext({
    locale: 'en-GB',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  })
  const other = await phone.newPage()
  await signIn(other, person.email, password)
  await expect(other.getByRole('heading', { name: `Hello, ${person.name}` })).toBeVisible()
  await page.goto('/settings')
  const sessions = section(page, 'Sessions')
  await expect(sessions.getByText('This device')).toBeVisible()
  await sessions.getByRole('button', { name: 'End the session of Safari on iOS' }).click()
  await expect(sessions.getByText('Ended.')).toBeVisible()
  await expect(sessions.getByText('Safari on iOS')).toBeHidden()
  await phone.close()

  const change = section(page, 'Password')
  await change.getByLabel('Current password', { exact: true }).fill('wrong')
  await change.getByLabel('New password', { exact: true }).fill(next)
  await change.getByRole('button', { name: 'Change the password' }).click()
  await expect(change.getByText('This is not your current password.')).toBeVisible()
  await change.getByLabel('Current password', { exact: true }).fill(password)
  await change.getByRole('button', { name: 'Change the password' }).click()
  await expect(change.getByText('Your password is changed.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('the account is deleted after its address is typed, with the password', async ({ page }) => {
  const person = await comeIn(page)
  await page.goto('/settings')
  const danger = section(page, 'Delete the account')
  await expect(danger.getByRole('button', { name: 'Delete my account' })).toBeDisabled()
  await danger.getByLabel(/Type .* to confirm/).fill(person.email)
  await danger.getByLabel('Current password', { exact: true }).fill(password)
  await danger.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await signIn(page, person.email, password)
  await expect(page.getByRole('alert')).toHaveText(/do not belong together/)
})

test('a session that is not fresh asks for the password in place and finishes what was begun', async ({ page }) => {
  const person = await comeIn(page)
  await page.goto('/settings')
  // The server is told once that the session is too old: a day's wait is no journey.
  let isFirst = true
  await page.route('**/api/trpc/account.delete*', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const error = {
      message: 'Session expired.',
      code: -32_600,
      data: { reason: 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION', httpStatus: 400, code: 'BAD_REQUEST' },
    }
    await route.fulfill({ status: 400, json: { error } })
  })
  const danger = section(page, 'Delete the account')
  await danger.getByLabel(/Type .* to confirm/).fill(person.email)
  await danger.getByRole('button', { name: 'Confirm by mail instead' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Is it you?')).toBeVisible()
  await inspect(page)
  await dialog.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await expect(danger.getByText(`A link is on its way to ${person.email}`)).toBeVisible()
  await page.goto(await linkTo(page, person.email))
  await expect(page.getByText(en.deletion.lead.replace('{{email}}', person.email))).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await inspect(page)
  await page.getByRole('button', { name: en.deletion.submit }).click()
  await expect(page.getByRole('heading', { name: en.deletion.doneTitle })).toBeVisible()
  expect((await mailsTo(page, person.email))[0]?.kind).toBe('deleted')
})

test('what happened in the account is listed, and can be filtered', async ({ page }) => {
  await comeIn(page)
  await page.goto('/settings')
  await page.getByRole('link', { name: en.activity.open }).click()
  const table = page.getByRole('table')
  await expect(table.getByText(en.event.user_signed_in)).toBeVisible()
  await expect(table.getByText(en.event.user_email_verified)).toBeVisible()
  await inspect(page)
  await page.getByLabel(en.activity.filter).selectOption(en.activity.team)
  await expect(page.getByText(en.activity.empty)).toBeVisible()
  await expect(page).toHaveURL(/group=team/)
})

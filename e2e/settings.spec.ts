import type { Page } from '@playwright/test'
import { de } from '../client/language/de.ts'
import { en } from '../client/language/en.ts'
import {
  signUpAndVerify,
  expect,
  fill,
  checkAccessibility,
  linkTo,
  mailsTo,
  password,
  newUser,
  test,
} from './fixtures.ts'

const next = 'an entirely different sentence'

function section(page: Page, name: string) {
  return page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
}

async function signIn(page: Page, email: string, secret: string) {
  await page.goto('/sign-in')
  await page.getByLabel(en.field.email).fill(email)
  await page.getByLabel(en.field.password, { exact: true }).fill(secret)
  await page.getByRole('button', { name: en.common.signIn }).click()
}

test('a user resets a forgotten password by email', async ({ page }) => {
  const person = await signUpAndVerify(page)
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByLabel(en.field.email).fill(person.email)
  await page.getByRole('link', { name: en.signIn.forgotPassword }).click()
  await expect(page.getByLabel(en.field.email)).toHaveValue(person.email)
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.forgot.submit }).click()
  await expect(page.getByText(fill(en.forgot.sent, { email: person.email }))).toBeVisible()
  const link = await linkTo(page, person.email)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: en.reset.title })).toBeVisible()
  expect(page.url()).not.toContain('token')
  await page.getByLabel(en.common.newPassword, { exact: true }).fill('password')
  await expect(page.getByText(en.strength.s0)).toBeVisible()
  await page.getByRole('button', { name: en.reset.submit }).click()
  await expect(page.getByText(en.refusal.PASSWORD_TOO_COMMON)).toBeVisible()
  await page.getByLabel(en.common.newPassword, { exact: true }).fill(next)
  await expect(page.getByText(en.strength.s4)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.reset.submit }).click()
  await expect(page.getByRole('heading', { name: en.reset.doneTitle })).toBeVisible()
  await signIn(page, person.email, next)
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()

  await page.context().clearCookies()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: en.reset.invalidTitle })).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('link', { name: en.reset.request }).click()
  await expect(page.getByRole('button', { name: en.forgot.submit })).toBeVisible()
})

test('profile changes can be saved and undone, and the language changes', async ({ page }) => {
  const taken = `taken_${Date.now()}`
  const other = { ...newUser(), username: taken, password }
  expect((await page.request.post('/api/auth/sign-up/email', { data: other })).status()).toBe(200)
  const person = await signUpAndVerify(page)
  await page.getByRole('link', { name: en.common.mySettings }).click()
  await expect(page.getByRole('heading', { name: en.common.mySettings })).toBeVisible()
  await checkAccessibility(page)
  const profile = section(page, en.settings.profile)
  await profile.getByLabel(en.common.username).fill('a!')
  await expect(profile.getByText(en.refusal.USERNAME_IS_TOO_SHORT)).toBeVisible()
  await profile.getByLabel(en.common.username).fill(taken.toUpperCase())
  await expect(profile.getByText(en.refusal.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER)).toBeVisible()
  const username = `ada_${Date.now()}`.slice(0, 30)
  await profile.getByLabel(en.common.username).fill(username)
  await profile.getByLabel(en.field.name, { exact: true }).fill('Augusta')
  await profile.getByRole('button', { name: en.common.save }).click()
  await expect(page.getByText(en.common.saved)).toBeVisible()
  await page.getByRole('button', { name: en.toast.undo }).click()
  await expect(profile.getByLabel(en.field.name, { exact: true })).toHaveValue(person.name)
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await page.getByLabel(en.field.emailOrUsername).fill(username.toUpperCase())
  await page.getByLabel(en.field.password, { exact: true }).fill('not the password')
  await page.getByRole('button', { name: en.common.signIn }).click()
  await expect(page.getByRole('alert')).toContainText(en.refusal.INVALID_USERNAME_OR_PASSWORD)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.common.signIn }).click()
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()
  await page.goto('/settings')
  await profile.getByLabel(en.common.language).selectOption('Deutsch')
  await profile.getByRole('button', { name: en.common.save }).click()
  await expect(page.getByRole('heading', { name: de.common.mySettings })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: de.common.mySettings })).toBeVisible()
})

test('a verified email address changes in two steps', async ({ page }) => {
  const person = await signUpAndVerify(page)
  await page.goto('/settings')
  const { email } = newUser()
  await section(page, en.email.title).getByRole('button', { name: en.email.submit }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.email.next).fill(person.email)
  await dialog.getByRole('button', { name: en.email.submit }).click()
  await expect(dialog.getByText(en.refusal.EMAIL_IS_THE_SAME)).toBeVisible()
  await checkAccessibility(page)
  await dialog.getByLabel(en.email.next).fill(email)
  await dialog.getByRole('button', { name: en.email.submit }).click()
  await expect(dialog.getByText(fill(en.email.confirmSent, { email: person.email }))).toBeVisible()
  await dialog.getByRole('button', { name: en.checkMail.resend }).click()
  await expect.poll(async () => (await mailsTo(page, person.email)).length).toBe(3)
  const agreed = await linkTo(page, person.email)
  await page.goto(agreed.replace(/token=[^&]*/, 'token=broken'))
  await expect(page.getByRole('alert')).toContainText(en.refusal.LINK_INVALID_TOKEN)
  await page.goto(agreed)
  await expect(section(page, en.email.title).getByText(email, { exact: true })).toBeVisible()
  await expect(page.getByText(fill(en.email.verifySent, { email }))).toBeVisible()
  expect((await mailsTo(page, person.email))[0]?.kind).toBe('emailChanged')
  await expect(section(page, en.email.title).getByText(en.email.unverified, { exact: true })).toBeVisible()
  await page.goto('/')
  await expect(page.getByText(en.home.verify)).toBeVisible()
  await checkAccessibility(page)
  await page.goto(await linkTo(page, email))
  await expect(page.getByText(fill(en.email.changed, { email }))).toBeVisible()
  await expect(section(page, en.email.title).getByText(en.email.verified, { exact: true })).toBeVisible()
})

test('sessions are listed and revoked, and the password is changed', async ({ page, browser }) => {
  const person = await signUpAndVerify(page)
  const phone = await browser.newContext({
    locale: 'en-GB',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  })
  const other = await phone.newPage()
  await signIn(other, person.email, password)
  await expect(other.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()
  await page.goto('/settings/sessions')
  const sessions = section(page, en.sessions.title)
  await expect(sessions.getByText(en.sessions.current)).toBeVisible()
  await sessions.getByRole('button', { name: fill(en.sessions.revokeOf, { device: 'Safari on iOS' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.sessions.revoke, exact: true }).click()
  await expect(page.getByText(en.sessions.revoked)).toBeVisible()
  await checkAccessibility(page)
  await expect(sessions.getByText('Safari on iOS')).toBeHidden()
  await phone.close()

  await page.goto('/settings/security')
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.password.submit }).click()
  const change = page.getByRole('dialog')
  await change.getByLabel(en.common.currentPassword, { exact: true }).fill('wrong')
  await change.getByLabel(en.common.newPassword, { exact: true }).fill(next)
  await change.getByRole('button', { name: en.password.submit }).click()
  await expect(change.getByText(en.refusal.INVALID_PASSWORD)).toBeVisible()
  await change.getByLabel(en.common.currentPassword, { exact: true }).fill(password)
  await change.getByRole('button', { name: en.password.submit }).click()
  await expect(page.getByText(en.password.done)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: en.common.mySettings })).toBeVisible()
})

test('the account is deleted after its email address is entered, with the password', async ({ page }) => {
  const person = await signUpAndVerify(page)
  await page.goto('/settings/delete')
  await page.getByRole('button', { name: en.deleteAccount.submit }).click()
  const danger = page.getByRole('dialog')
  await expect(danger.getByRole('button', { name: en.deleteAccount.submit })).toBeDisabled()
  await checkAccessibility(page)
  await danger.getByLabel(fill(en.deleteAccount.type, { email: person.email })).fill(person.email)
  await danger.getByLabel(en.common.currentPassword, { exact: true }).fill(password)
  await danger.getByRole('button', { name: en.deleteAccount.submit }).click()
  await expect(page.getByRole('heading', { name: en.signIn.title })).toBeVisible()
  await signIn(page, person.email, password)
  await expect(page.getByRole('alert')).toContainText(en.refusal.INVALID_EMAIL_OR_PASSWORD)
})

test('a session that is not fresh asks for the password in place and completes the action', async ({ page }) => {
  const person = await signUpAndVerify(page)
  await page.goto('/settings/delete')
  // The first response reports a stale session, instead of waiting a day for a real one.
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
  await page.getByRole('button', { name: en.deleteAccount.submit }).click()
  // The dialog that is refused is hidden meanwhile, and keeps what was typed.
  const dialog = page.getByRole('dialog')
  const typed = dialog.getByLabel(fill(en.deleteAccount.type, { email: person.email }))
  await typed.fill(person.email)
  await dialog.getByRole('button', { name: en.deleteAccount.byMail }).click()
  await expect(dialog.getByText(en.reauthenticate.title)).toBeVisible()
  await expect(dialog).toHaveCount(1)
  await checkAccessibility(page)
  await dialog.getByLabel(en.common.currentPassword, { exact: true }).fill(password)
  await dialog.getByRole('button', { name: en.common.continue }).click()
  await expect(dialog.getByText(fill(en.deleteAccount.mailSent, { email: person.email }))).toBeVisible()
  await expect(typed).toHaveValue(person.email)
  await page.goto(await linkTo(page, person.email))
  await expect(page.getByText(en.deletion.description.replace('{{email}}', person.email))).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.deletion.submit }).click()
  await expect(page.getByRole('heading', { name: en.deletion.doneTitle })).toBeVisible()
  expect((await mailsTo(page, person.email))[0]?.kind).toBe('deleted')
})

test('the account activity is listed and can be filtered', async ({ page }) => {
  await signUpAndVerify(page)
  await page.goto('/settings')
  await page.getByRole('link', { name: en.common.activity }).click()
  const table = page.getByRole('table')
  await expect(table.getByText(en.event.user_signed_in)).toBeVisible()
  await expect(table.getByText(en.event.user_email_verified)).toBeVisible()
  await checkAccessibility(page)
  const filter = page.getByRole('combobox', { name: en.activity.filter })
  await filter.click()
  await checkAccessibility(page)
  await page.getByRole('option', { name: en.activity.team, exact: true }).click()
  await expect(page.getByText(en.common.nothingFound)).toBeVisible()
  await expect(page).toHaveURL(/group=team/)
  await page.getByRole('button', { name: en.table.clearFilters }).click()
  await expect(page).not.toHaveURL(/group=/)
  // The list without the filter: before that, the field is still to be emptied.
  await expect(table.getByText(en.event.user_signed_in)).toBeVisible()
  // One type: what is typed is chosen by Enter.
  await filter.click()
  await expect(page.getByRole('option', { name: en.activity.team, exact: true })).toBeVisible()
  await filter.fill(en.event.user_email_verified)
  const first = page.getByRole('option', { name: en.event.user_email_verified })
  await expect(first).toHaveAttribute('data-combobox-selected')
  await filter.press('Enter')
  await expect(page).toHaveURL(/type=user.email_verified/)
  await expect(table.getByText(en.event.user_email_verified)).toBeVisible()
  await expect(table.getByText(en.event.user_signed_in)).toBeHidden()
})

test('a profile picture is chosen, cropped, uploaded and removed', async ({ page }) => {
  await signUpAndVerify(page)
  await page.goto('/settings')
  const profile = section(page, en.settings.profile)
  await profile.getByRole('button', { name: en.picture.upload }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(en.picture.types)).toBeVisible()
  await checkAccessibility(page)
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
  await dialog.locator('input[type=file]').setInputFiles(file('a.gif', 'image/gif', Buffer.from('GIF89a')))
  await expect(dialog.getByRole('alert')).toContainText(en.refusal.PICTURE_IS_INVALID)
  const photo = await page.screenshot({ type: 'png' })
  await dialog.locator('input[type=file]').setInputFiles(file('a.png', 'image/png', photo))
  await expect(dialog.getByText(en.picture.zoom)).toBeVisible()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.picture.use }).click()
  await expect(dialog).toBeHidden()
  await profile.getByRole('button', { name: en.common.save }).click()
  await expect(page.getByText(en.common.saved)).toBeVisible()
  const address = await page.getByRole('banner').locator('img').getAttribute('src')
  expect(address).toMatch(/\/api\/pictures\/[\w-]{43}$/)
  const answer = await page.request.get(address ?? '')
  expect(answer.headers()['content-type']).toMatch(/image\/(?:webp|jpeg)/)
  await profile.getByRole('button', { name: en.picture.remove }).click()
  await profile.getByRole('button', { name: en.common.save }).click()
  await expect(page.getByRole('banner').locator('img')).toHaveCount(0)
})

test('unsaved changes ask before they are left, and a sign-out reaches every tab', async ({ page, context }) => {
  await signUpAndVerify(page)
  await page.goto('/settings')
  const name = page.getByLabel(en.field.name, { exact: true })
  await name.fill('Not saved')
  await page.getByRole('link', { name: en.settings.security }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(en.unsaved.description)).toBeVisible()
  await dialog.getByRole('button', { name: en.common.cancel }).click()
  await expect(name).toHaveValue('Not saved')
  await page.getByRole('link', { name: en.settings.security }).click()
  await dialog.getByRole('button', { name: en.unsaved.leave }).click()
  await expect(page).toHaveURL('/settings/security')

  const other = await context.newPage()
  await other.goto('/settings/sessions')
  await expect(other.getByRole('heading', { name: en.common.mySettings })).toBeVisible()
  await page.getByRole('button', { name: en.menu.person }).click()
  await page.getByRole('menuitem', { name: en.common.signOut }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(other).toHaveURL('/sign-in?next=%2Fsettings%2Fsessions')
})

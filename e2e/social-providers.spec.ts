import { en } from '../client/language/en.ts'
import {
  checkAccessibility,
  expect,
  fill,
  holdScript,
  linkTo,
  mailsTo,
  newUser,
  signUpAndVerify,
  test,
} from './fixtures.ts'

test('a user signs in with a provider, signs out and signs in again', async ({ page }) => {
  const { email } = newUser()
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) })
  await expect(button).toBeVisible()
  await checkAccessibility(page)
  await button.click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText(en.callback.access_denied)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('link', { name: en.error.toSignIn }).click()
  await expect(page.getByText(en.social.lastUsed)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) }).click()
  await page.getByLabel('Account', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: 'Grace of GitLab' }) })).toBeVisible()
  // A user without a password is asked to set one up as a second sign-in method.
  await expect(page.getByText(en.home.setPassword)).toBeVisible()

  await page.getByRole('link', { name: en.common.mySettings }).click()
  await expect(page.getByText(en.email.verified, { exact: true })).toBeVisible()
  await page.getByRole('link', { name: en.settings.security }).click()
  await expect(page.getByText(fill(en.accounts.readsAs, { scopes: 'read_user' }))).toBeVisible()
  // The only sign-in method cannot be removed.
  await expect(page.getByRole('button', { name: fill(en.accounts.unlinkOf, { provider: 'GitLab' }) })).toHaveCount(0)
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.menu.person }).click()
  await page.getByRole('menuitem', { name: en.common.signOut }).click()
  await page.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) }).click()
  await page.getByLabel('Account', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: 'Grace of GitLab' }) })).toBeVisible()
})

test('a click on a provider counts before the script runs, and the last of several clicks', async ({ browser }) => {
  const page = await browser.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const button = page.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) })
  const open = async () => {
    const release = await holdScript(page)
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await expect(page.locator('#root:not([data-started])')).toBeVisible()
    return release
  }
  const release = await open()
  await button.click()
  release()
  await expect(page.getByRole('heading', { name: 'Authorize Foyer' })).toBeVisible()

  await page.unrouteAll({ behavior: 'wait' })
  const releaseAgain = await open()
  requests.length = 0
  await page.getByLabel(en.field.password, { exact: true }).press('Enter')
  await button.click()
  await page.getByRole('button', { name: en.reauthenticate.byCode }).click()
  releaseAgain()
  await expect(page.getByRole('heading', { name: en.emailCode.title })).toBeVisible()
  expect(requests.filter((url) => /signInSocial|signInEmail/.test(url))).toEqual([])
  await page.close()
})

test('a provider is linked and unlinked in the settings; one linked to another user is refused', async ({
  page,
  browser,
}) => {
  const account = newUser().email
  await signUpAndVerify(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: fill(en.accounts.link, { provider: 'GitLab' }) }).click()
  await page.getByLabel('Account', { exact: true }).fill(account)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('button', { name: fill(en.accounts.unlinkOf, { provider: 'GitLab' }) })).toBeVisible()

  const context = await browser.newContext()
  const otherPage = await context.newPage()
  await signUpAndVerify(otherPage)
  await otherPage.goto('/settings/security')
  await otherPage.getByRole('button', { name: fill(en.accounts.link, { provider: 'GitLab' }) }).click()
  await otherPage.getByLabel('Account', { exact: true }).fill(account)
  await otherPage.getByRole('button', { name: 'Authorize' }).click()
  await expect(otherPage.getByText(en.callback.account_already_linked_to_different_user)).toBeVisible()
  await otherPage.getByRole('link', { name: en.common.mySettings }).click()
  await expect(otherPage.getByRole('heading', { name: en.accounts.title })).toBeVisible()
  await context.close()

  // Neither is removed by a single click.
  await page.getByRole('button', { name: en.accounts.removePassword }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(en.accounts.removePasswordDescription)).toBeVisible()
  await dialog.getByRole('button', { name: en.common.cancel }).click()
  await expect(page.getByRole('button', { name: en.accounts.removePassword })).toBeFocused()
  await page.getByRole('button', { name: fill(en.accounts.unlinkOf, { provider: 'GitLab' }) }).click()
  await expect(dialog.getByText(fill(en.accounts.unlinkDescription, { provider: 'GitLab' }))).toBeVisible()
  await dialog.getByRole('button', { name: en.accounts.unlink }).click()
  await expect(page.getByRole('button', { name: fill(en.accounts.unlinkOf, { provider: 'GitLab' }) })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a verified email address from a provider signs in to the existing account', async ({ page }) => {
  const person = await signUpAndVerify(page)
  await page.context().clearCookies()
  // Both email addresses are verified, so the provider is linked to the existing account.
  await page.goto('/sign-in')
  await page.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) }).click()
  await page.getByLabel('Account', { exact: true }).fill(person.email)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()
  await page.context().clearCookies()
  await page.goto('/error?error=account_not_linked')
  await expect(page.getByText(en.callback.account_not_linked)).toBeVisible()
})

test('a user without a password re-authenticates with an emailed code or at the provider', async ({ page }) => {
  const { email } = newUser()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) }).click()
  await page.getByLabel('Account', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByRole('link', { name: en.common.mySettings }).click()
  await page.getByRole('link', { name: en.deleteAccount.title }).click()
  // The first two responses report a stale session, instead of waiting a day for a real one.
  let stale = 2
  await page.route('**/api/trpc/account.delete*', async (route) => {
    if (stale-- <= 0) return route.continue()
    const data = {
      reason: 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION',
      httpStatus: 400,
      code: 'BAD_REQUEST',
    }
    await route.fulfill({ status: 400, json: { error: { message: 'Session expired.', code: -32_600, data } } })
  })
  await page.getByRole('button', { name: en.deleteAccount.submit }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(fill(en.deleteAccount.type, { email })).fill(email)
  await dialog.getByRole('button', { name: en.deleteAccount.submit }).click()
  await expect(dialog.getByText(en.reauthenticate.descriptionNoPassword)).toBeVisible()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.reauthenticate.byCode }).click()
  await expect(dialog.getByText(en.reauthenticate.codeSent.replace('{{email}}', email))).toBeVisible()
  const [mail] = await mailsTo(page, email)
  await dialog.getByLabel(en.reauthenticate.code).fill(/\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '')
  await dialog.getByRole('button', { name: en.reauthenticate.confirm }).click()
  // The retry is refused once more; a new dialog opens, and the action completes after the popup closes.
  await expect(dialog.getByRole('button', { name: en.reauthenticate.byCode })).toBeVisible()
  const popup = page.waitForEvent('popup')
  await dialog.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) }).click()
  const window = await popup
  await window.getByLabel('Account', { exact: true }).fill(email)
  await window.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByText(en.deleteAccount.mailSent.replace('{{email}}', email))).toBeVisible()
})

test('an invited user joins by signing in with a provider', async ({ page, browser }) => {
  const owner = await signUpAndVerify(page)
  const { email } = newUser()
  await page.goto('/organizations/new')
  await page.getByLabel(en.field.name, { exact: true }).fill(`Guild ${Date.now()}`)
  await page.getByRole('button', { name: en.create.submit }).click()
  await page.getByRole('link', { name: en.invite.title }).click()
  await page.getByRole('main').getByRole('button', { name: en.members.invite }).first().click()
  await page.getByRole('dialog').getByLabel(en.invite.emails).fill(email)
  await page.getByRole('dialog').getByRole('button', { name: en.invite.submit }).click()
  await expect(page.getByText(en.invite.sent.replace('{{email}}', email))).toBeVisible()
  const elsewhere = await browser.newContext({ locale: 'en-GB' })
  const other = await elsewhere.newPage()
  await other.goto(await linkTo(page, email))
  await checkAccessibility(other)
  await other.getByRole('button', { name: fill(en.social.with, { provider: 'GitLab' }) }).click()
  await other.getByLabel('Account', { exact: true }).fill(email)
  await other.getByRole('button', { name: 'Authorize' }).click()
  await other.getByRole('button', { name: en.invitation.accept, exact: true }).click()
  await expect(other.getByRole('heading', { name: en.members.title, exact: true })).toBeVisible()
  await expect(other.getByText(owner.email)).toBeVisible()
  await elsewhere.close()
})

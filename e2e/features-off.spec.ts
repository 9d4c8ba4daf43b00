import { en } from '../client/language/en.ts'
import { expect, mailsTo, newUser, test } from './fixtures.ts'
import { startServer } from './own-server.ts'

test('screens offer nothing that the operator has switched off', async ({ browser }) => {
  const server = await startServer({
    EMAIL_PASSWORD: 'off',
    CHANGE_EMAIL: 'off',
    DELETE_USER: 'off',
    ORGANIZATION_CREATION: 'off',
  })
  const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    const password = page.getByLabel(en.field.password, { exact: true })
    const byCode = page.getByRole('button', { name: en.reauthenticate.byCode })
    // The screen that the build has rendered has a password field, and is not sent.
    expect(await (await page.request.get('/sign-in')).text()).not.toContain('type="password"')
    await page.goto('/forgot-password')
    await expect(page).toHaveURL('/sign-in')
    await expect(byCode).toBeVisible()
    await expect(password).toHaveCount(0)
    await page.goto('/sign-up')
    await expect(byCode).toBeVisible()
    await expect(password).toHaveCount(0)

    const { email } = newUser()
    await byCode.click()
    await page.getByLabel(en.field.email).fill(email)
    await page.getByRole('button', { name: en.reauthenticate.byCode }).click()
    await expect(page.getByLabel(en.reauthenticate.code)).toBeVisible()
    const [mail] = await mailsTo(page, email)
    await page.goto(mail?.link ?? '')
    await expect(page.getByText(en.overview.emptyInvited)).toBeVisible()
    await expect(page.getByRole('link', { name: en.create.submit })).toHaveCount(0)
    await page.getByRole('button', { name: en.switcher.label }).click()
    await expect(page.getByPlaceholder(en.switcher.search)).toBeVisible()
    await expect(page.getByRole('option', { name: en.create.submit })).toHaveCount(0)
    await page.goto('/settings')
    await expect(page.getByText(email).first()).toBeVisible()
    await expect(page.getByRole('button', { name: en.email.submit })).toHaveCount(0)
    await expect(page.getByRole('link', { name: en.deleteAccount.title })).toHaveCount(0)
    await page.goto('/settings/security')
    await expect(page.getByRole('heading', { name: en.accounts.title })).toBeVisible()
    await expect(page.getByRole('button', { name: en.forgot.submit })).toHaveCount(0)
  } finally {
    await context.close()
    await server.stop()
  }
})

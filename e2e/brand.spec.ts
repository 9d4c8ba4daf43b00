import type { Page } from '@playwright/test'
import { de } from '../client/language/de.ts'
import { en } from '../client/language/en.ts'
import { checkAccessibility, expect, fill, mailsTo, newUser, password, test } from './fixtures.ts'
import { startServer } from './own-server.ts'

const product = 'Acme & Söhne'
const supportEmail = 'help@acme.example'
const accent = '#7a1fa2'

/** Checks all text of a page: title, content, and the labels of images. */
async function expectNoFoyer(page: Page): Promise<void> {
  await expect(page).toHaveTitle(/Acme & Söhne$/)
  const names = await page
    .locator('[aria-label], [alt], [title]')
    .evaluateAll((all) =>
      all.flatMap((one) => ['aria-label', 'alt', 'title'].map((name) => one.getAttribute(name) ?? '')),
    )
  expect(`${await page.locator('body').innerText()} ${names.join(' ')}`).not.toMatch(/foyer/i)
}

test('with a brand, no screen and no email mentions Foyer, and both color schemes are readable', async ({
  browser,
}) => {
  const settings = {
    PRODUCT_NAME: product,
    ACCENT_COLOR: accent,
    SUPPORT_EMAIL: supportEmail,
    ADMIN_EMAILS: 'boss@acme.example',
    ADMIN_SECOND_FACTOR: 'off',
  }
  const server = await startServer({ ...settings, WEBHOOKS_ALLOW_PRIVATE: 'on' })
  const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    for (const path of ['/sign-in', '/sign-up', '/forgot-password', '/nowhere']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoFoyer(page)
      await checkAccessibility(page)
    }
    await page.goto('/sign-in')
    await expect(page.getByText(fill(en.signIn.question, { product }))).toBeVisible()
    await expect(page.getByRole('link', { name: en.common.support })).toHaveAttribute('href', `mailto:${supportEmail}`)
    await page.emulateMedia({ colorScheme: 'light' })
    const submit = page.getByRole('button', { name: en.common.signIn, exact: true })
    await expect(submit).toHaveCSS('background-color', 'rgb(122, 31, 162)')

    // The content painted before any script has loaded.
    const bare = await browser.newContext({ baseURL: server.origin, locale: 'de-DE', javaScriptEnabled: false })
    const silent = await bare.newPage()
    await silent.goto('/sign-in')
    await expect(silent).toHaveTitle(`${de.signIn.title} · ${product}`)
    await expect(silent.getByText(fill(de.signIn.question, { product }))).toBeVisible()
    expect(await silent.locator('body').innerText()).not.toMatch(/foyer/i)
    await bare.close()

    const person = { ...newUser(), email: 'boss@acme.example' }
    await page.goto('/sign-up')
    await page.getByLabel(en.field.name, { exact: true }).fill(person.name)
    await page.getByLabel(en.field.email).fill(person.email)
    await page.getByLabel(en.field.password, { exact: true }).fill(password)
    await page.getByRole('button', { name: en.signUp.submit }).click()
    await expect(page.getByRole('heading', { name: en.checkMail.title })).toBeVisible()
    await expectNoFoyer(page)
    const [mail] = await mailsTo(page, person.email)
    expect(mail?.text).toContain(`— ${product}`)
    expect(mail?.text).toContain(supportEmail)
    expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/foyer/i)
    await page.goto(mail?.link ?? '')
    await page.getByRole('link', { name: en.verified.continue }).click()
    for (const path of [
      '/',
      '/settings',
      '/settings/security',
      '/organizations/new',
      '/admin',
      '/admin/organizations',
      '/admin/events',
      '/admin/mails',
      '/admin/system',
      '/admin/payments',
      '/admin/users',
      '/admin/webhooks',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // Includes the content of tables, which load later.
      await page.waitForLoadState('networkidle')
      await expectNoFoyer(page)
    }
    await checkAccessibility(page)
    await page.goto('/dev/mail')
    await expectNoFoyer(page)
    const manifest = await page.request.get('/site.webmanifest')
    expect(await manifest.json()).toMatchObject({ name: product, icons: [{ src: '/favicon.svg' }] })
    expect(await (await page.request.get('/favicon.svg')).text()).toContain(accent)
  } finally {
    await context.close()
    await server.stop()
  }
})

test('a logo replaces mark and name', async ({ browser }) => {
  const logo =
    'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20width=%2290%22%20height=%2228%22/%3E'
  const server = await startServer({ PRODUCT_NAME: product, LOGO_URL: logo })
  try {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ baseURL: server.origin, javaScriptEnabled })
      const page = await context.newPage()
      await page.goto('/sign-in')
      await expect(page.getByRole('img', { name: product }).first()).toHaveAttribute('src', logo)
      await context.close()
    }
  } finally {
    await server.stop()
  }
})

import { statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { screenStates } from '../client/api/screen-state.ts'
import { de } from '../client/language/de.ts'
import { enSignIn } from '../client/language/en-sign-in.ts'
import { en } from '../client/language/en.ts'
import { fr } from '../client/language/fr.ts'
import { ru } from '../client/language/ru.ts'
import { uk } from '../client/language/uk.ts'
import { languages } from '../shared/language.ts'
import {
  checkAccessibility,
  createOrganization,
  expect,
  expectNoOverflow,
  signInAsOperator,
  signUpAndVerify,
  test,
  waitForAnimations,
  holdScript,
} from './fixtures.ts'

test('unknown pages and error pages offer a way forward', async ({ page, baseURL }) => {
  // A misspelled API path is reported as such.
  for (const path of ['//api/health', '/API/health', '/Oauth/token'])
    expect((await page.request.get(`${baseURL}${path}`)).status()).toBe(404)
  await page.goto('/nowhere/at/all')
  await expect(page.getByRole('heading', { name: en.notFound.title })).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('link', { name: en.common.toHome }).click()
  await expect(page.getByRole('heading', { name: en.signIn.title })).toBeVisible()

  await page.goto('/error?error=state_not_found')
  await expect(page.getByText('state_not_found')).toBeVisible()
  await checkAccessibility(page)
  await page.goto('/error?error=%3Cscript%3Ealert(1)%3C/script%3E')
  await expect(page.getByText('Unknown')).toBeVisible()
  await page.goto('/?error=token_expired')
  await expect(page.getByRole('heading', { name: en.verified.expiredTitle })).toBeVisible()
})

test('every language can be chosen, applies to all screens and persists', async ({ page }) => {
  const titles = new Set<string>()
  for (const { code, name } of languages) {
    await page.goto('/sign-in')
    await page.locator('footer select').first().selectOption(name)
    await expect(page.locator('html')).toHaveAttribute('lang', code)
    titles.add((await page.getByRole('heading', { level: 1 }).textContent()) ?? '')
    await expectNoOverflow(page)
    await page.goto('/sign-up')
    await expect(page.locator('html')).toHaveAttribute('lang', code)
    await expectNoOverflow(page)
    await page.goto('/check-mail?email=ada@example.test&reason=unverified')
    await expect(page.getByText('ada@example.test')).toBeVisible()
    await expectNoOverflow(page)
  }
  expect(titles.size).toBe(languages.length)
})

test('the initial language is the browser’s', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'uk-UA' })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { name: uk.signIn.title })).toBeVisible()
  await context.close()
})

test('the color scheme follows the system, and a choice persists', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/sign-in')
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await checkAccessibility(page)
  await page.getByLabel(en.common.theme).selectOption(en.common.light)
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
  await page.reload()
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
})

test('on a phone the navigation is in a drawer', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signUpAndVerify(page)
  await page.getByRole('button', { name: en.menu.open }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: en.menu.home })).toBeVisible()
  await checkAccessibility(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await checkAccessibility(page)
  await expect(page.getByRole('button', { name: en.menu.open })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('link', { name: en.common.mySettings }).click()
  await expect(page.getByRole('heading', { name: en.common.mySettings })).toBeFocused()
})

test('a lost connection is shown immediately on every screen, and typed text stays', async ({ page, context }) => {
  await signUpAndVerify(page)
  await page.goto('/settings')
  const name = page.getByLabel(en.field.name, { exact: true })
  await name.fill('Ada, Countess of Lovelace')
  const notice = page.getByRole('status').getByText(en.failure.offlineNotice)
  await context.setOffline(true)
  await expect(notice).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.common.save }).first().click()
  await expect(page.getByRole('alert').getByText(en.failure.offline)).toBeVisible()
  await expect(name).toHaveValue('Ada, Countess of Lovelace')
  await context.setOffline(false)
  await expect(notice).toBeHidden()
  await page.getByRole('button', { name: en.common.save }).first().click()
  await expect(page.getByText(en.common.saved).first()).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('Ada, Countess of Lovelace')
})

test('screens whose files could not be loaded offline look right once they are', async ({ browser, page, context }) => {
  await signUpAndVerify(page)
  // Without files in its cache.
  const fresh = await browser.newContext({ storageState: await context.storageState() })
  const there = await fresh.newPage()
  await there.goto('/settings')
  await expect(there.getByLabel(en.field.name, { exact: true })).toBeVisible()
  await fresh.setOffline(true)
  await there.getByRole('link', { name: en.billing.mine }).click()
  await expect(there.getByRole('alert').getByText(en.failure.offline)).toBeVisible()
  await there.getByRole('link', { name: en.common.mySettings }).click()
  await there.getByRole('link', { name: en.common.activity }).click()
  await expect(there.getByRole('alert').getByText(en.failure.offline)).toBeVisible()
  await fresh.setOffline(false)
  const cell = there.getByRole('table').getByRole('cell').first()
  await expect(cell).toBeVisible()
  await expect(cell).not.toHaveCSS('padding-top', '1px')
  await fresh.close()
})

test('the command palette is left with Escape', async ({ page }) => {
  await signUpAndVerify(page)
  await page.keyboard.press('ControlOrMeta+K')
  const palette = page.getByRole('dialog', { name: en.menu.find })
  await palette.getByRole('textbox').fill(en.common.activity)
  await expect(palette.getByRole('option', { name: en.common.activity })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
})

test('the page contains the texts of the first visit in its language', async ({ request }) => {
  for (const { code } of languages) {
    const html = await (await request.get('/sign-in', { headers: { 'accept-language': code } })).text()
    const [, language, json = ''] =
      /<script type="application\/json" id="texts" data-language="(\w+)">(.*?)<\/script>/.exec(html) ?? []
    expect(language).toBe(code)
    expect(Object.keys(JSON.parse(json)).toSorted()).toEqual(Object.keys(enSignIn).toSorted())
    expect(json).not.toContain('<')
  }
})

test('the first visit takes a few small files, in every language', async ({ browser }) => {
  const assets = fileURLToPath(new URL('../dist/client', import.meta.url))
  for (const [locale, texts] of [
    ['en-US', en],
    ['ru-RU', ru],
  ] as const) {
    const context = await browser.newContext({ locale })
    const page = await context.newPage()
    const files: string[] = []
    page.on('request', (request) => files.push(new URL(request.url()).pathname))
    await page.goto('/sign-in')
    await expect(page.getByLabel(texts.field.password, { exact: true })).toBeVisible()
    // The form that was painted first has been replaced: the script has run.
    await expect(page.locator('form[method="dialog"]')).toHaveCount(0)
    expect(files.length).toBeLessThanOrEqual(10)
    const sizes = files.filter((path) => /\.(?:js|css)$/.test(path))
    expect(sizes.length).toBeGreaterThanOrEqual(3)
    const bytes = sizes.reduce((sum, path) => sum + statSync(join(assets, `${path}.br`)).size, 0)
    // docs/decisions/0012 describes their content.
    expect(bytes).toBeLessThan(150_000)
    await context.close()
  }
})

test('the first screen appears before the script runs, in the browser’s language, and keeps typed text', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  const release = await holdScript(page)
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await expect(page).toHaveTitle(`${de.signIn.title} · Foyer`)
  await expect(page.getByRole('heading', { name: de.signIn.title })).toBeVisible()
  await expect(page.locator('form[method=dialog]')).toHaveCount(1)
  const email = page.getByLabel(de.field.emailOrUsername)
  await email.fill('nobody@example.test')
  await page.getByLabel(de.field.password, { exact: true }).fill('not a password')
  await page.getByLabel(de.signIn.remember).uncheck()
  // Without the script, a form would be submitted to its own URL, with the password in it. It is submitted later
  // instead.
  await page.getByLabel(de.field.password, { exact: true }).press('Enter')
  expect(new URL(page.url()).search).toBe('')
  await expectNoOverflow(page)
  release()
  await expect(page.locator('form[method=dialog]')).toHaveCount(0)
  await expect(email).toHaveValue('nobody@example.test')
  await expect(page.getByLabel(de.signIn.remember)).not.toBeChecked()
  await expect(page.getByRole('alert')).toContainText(de.refusal.INVALID_EMAIL_OR_PASSWORD)
  await expect(page.getByLabel(de.field.password, { exact: true })).toBeFocused()
  expect(problems.filter((text) => !/status of 401/.test(text))).toEqual([])
  await context.close()
})

test('the first screen looks the same before and after the script runs', async ({ browser }) => {
  const looks = async (page: Page) => {
    // The focus comes at its own time, and colors the border with a transition.
    await waitForAnimations(page)
    await page.evaluate(async () => {
      await document.fonts.ready
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
    await waitForAnimations(page)
    return page.evaluate(() =>
      [...document.querySelectorAll('#root :is(h1, label, input, button, a, select, p)')].map((element) => {
        const { color, backgroundColor, borderTopColor, fontSize, fontWeight } = getComputedStyle(element)
        const { width, height } = element.getBoundingClientRect()
        const box = `${Math.round(width)} x ${Math.round(height)}`
        return [element.tagName, element.textContent, color, backgroundColor, borderTopColor, fontSize, fontWeight, box]
      }),
    )
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' })
    for (const path of ['/sign-in', '/sign-up', '/forgot-password']) {
      const page = await context.newPage()
      const release = await holdScript(page)
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.locator('form[method=dialog]')).toHaveCount(1)
      await page.waitForFunction(() => {
        const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
        return document.readyState !== 'loading' && links.length > 0 && links.every(({ sheet }) => sheet !== null)
      })
      const before = await looks(page)
      expect(before.length).toBeGreaterThan(5)
      release()
      await expect(page.locator('form[method=dialog]')).toHaveCount(0)
      await expect.poll(() => looks(page)).toEqual(before)
      await page.close()
    }
    await context.close()
  }
})

test('every page is sent with a strict policy, and its files permanently', async ({ page }) => {
  const answer = await page.goto('/sign-in')
  const headers = answer?.headers() ?? {}
  expect(headers['content-security-policy']).toMatch(/script-src 'self';.*object-src 'none'.*frame-ancestors 'none'/)
  expect(headers['content-security-policy']).not.toMatch(/unsafe|http:/)
  expect(headers['cache-control']).toBe('no-store')
  const nonces = await Promise.all(
    [1, 2].map(async () => (await page.request.get('/sign-in')).headers()['content-security-policy']),
  )
  expect(nonces[0]).not.toBe(nonces[1])
  const script = await page.locator('script[type=module]').last().getAttribute('src')
  const file = await page.request.get(script ?? '')
  expect(file.headers()['cache-control']).toContain('immutable')
  for (const [encoding, sent] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { headers: given } = await requestFile(new URL(script ?? '', page.url()), encoding)
    expect([given['content-encoding'], given['vary']?.includes('Accept-Encoding')]).toEqual([sent, true])
    expect(given['content-type']).toMatch(/javascript/)
    expect(given['cache-control']).toContain('immutable')
  }
  const hostile = [
    '/assets/../server.js',
    '/assets/%2e%2e/server.js',
    '/..%2fpackage.json',
    '/.env',
    '/assets/.env',
    '/server.js',
    '/assets/x.js.map',
    '/%',
    '/%c0%ae',
    `${script ?? ''}.br`,
    '/assets/%00',
  ]
  for (const path of hostile) {
    const response = await page.request.get(path)
    expect([path, response.status() >= 400 && response.status() < 500]).toEqual([path, true])
  }
})

test('the gallery shows every screen while it loads, fails, is offline and is empty', async ({ page, context }) => {
  await signUpAndVerify(page)
  await createOrganization(page)
  await page.goto('/dev/screens')
  await expect(page.getByRole('table')).toBeVisible()
  await checkAccessibility(page)
  const paths = await page.getByRole('rowheader').allTextContents()
  const inside = paths.filter((path) => /^\/(?:$|settings|billing$|o\/)/.test(path))
  expect(inside.length).toBeGreaterThan(6)
  for (const state of screenStates) {
    const shown = await context.newPage()
    await shown.addInitScript((name) => {
      window.name = name
    }, `screen-${state}`)
    for (const path of inside) {
      await shown.goto(path)
      // A screen that needs no data beyond its organization has no loading state.
      await expect(shown.getByRole('heading', { level: 1 })).toBeAttached()
      // Offline, the screens differ from failed ones only in their text.
      if (state === 'offline') await expectNoOverflow(shown)
      else await checkAccessibility(shown)
    }
    await shown.close()
  }
})

test('every screen fits a phone in the languages with the longest words, and the administration is accessible', async ({
  page,
  baseURL,
}) => {
  await signInAsOperator(page, `reader${test.info().retry}@example.test`)
  await page.goto('/')
  await createOrganization(page)
  await page.goto('/dev/screens')
  await expect(page.getByRole('table')).toBeVisible()
  // Excludes the screens that show only a state of their own: of an invitation, a consent, a webhook endpoint.
  const paths = (await page.getByRole('rowheader').allTextContents()).filter((path) => !path.includes('none'))
  expect(paths.filter((path) => path.startsWith('/admin')).length).toBeGreaterThan(10)
  for (const { id, code } of languages.filter(({ code }) => ['de', 'ru', 'tr'].includes(code))) {
    const headers = { origin: baseURL ?? '' }
    const chosen = await page.request.post('/api/auth/update-user', { data: { language: id }, headers })
    expect(chosen.status()).toBe(200)
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      if (path.startsWith('/admin') && code === 'ru') await checkAccessibility(page)
      else await expectNoOverflow(page)
    }
    await expect(page.locator('html')).toHaveAttribute('lang', code)
  }
})

/** Requests a file with its own Accept-Encoding: Playwright's client always sends the browser's. */
function requestFile(url: URL, encoding: string): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      response.resume()
      response.once('end', () => done(response))
    }).once('error', fail)
  })
}

test('a page whose script does not load is reloaded once, then shows a message', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  let asked = 0
  await page.route('**/assets/*.js', (route) => {
    asked++
    return route.abort()
  })
  await page.goto('/settings')
  await expect(page.getByRole('alert')).toContainText(de.starting.unloaded)
  expect(asked).toBeGreaterThan(1)
  await expectNoOverflow(page)
  await page.unrouteAll()
  await page.getByRole('link', { name: de.common.tryAgain }).click()
  await expect(page.getByRole('heading', { name: de.signIn.title })).toBeVisible()
  await context.close()
})

test('without scripts, the page shows a message in the browser’s language', async ({ request }) => {
  for (const path of ['/sign-in', '/settings']) {
    const html = await (await request.get(path, { headers: { 'accept-language': 'fr' } })).text()
    expect(html).toContain('<html lang="fr"')
    expect(html).toMatch(new RegExp(`<noscript><p[^>]*>${fr.starting.scriptsOff}</p></noscript>`))
  }
})

test('header and navigation are there while a screen is slow', async ({ page }) => {
  await signUpAndVerify(page)
  const { slug } = await createOrganization(page)
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route(/organization\.members/, async (route) => {
    await held
    await route.continue()
  })
  await page.route(/organization\.get\b/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/o/${slug}`)
  await expect(page.getByRole('navigation', { name: en.menu.sections })).toBeVisible()
  await expect(page.getByRole('status', { name: en.common.loading })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: en.members.title, exact: true })).toBeVisible()
})

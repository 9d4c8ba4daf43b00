import { expect, type Page, test as base } from '@playwright/test'
import axe, { type RunOnly } from 'axe-core'
import { en } from '../client/language/en.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

export { expect } from '@playwright/test'
export { webhookKey } from './keys.ts'

/** Fails the test on console errors, uncaught exceptions and CSP violations. */
export const test = base.extend({
  page: async ({ page }, use) => {
    const problems: string[] = []
    page.on('console', (message) => {
      // Chromium also logs 4xx responses, and requests that the test aborted or cut off, as errors.
      if (message.type() === 'error' && !/status of 4\d\d|ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(message.text()))
        problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    // Keys pressed before the client has started have no effect. A form that is submitted before is submitted again
    // afterwards.
    const goto = page.goto.bind(page)
    page.goto = async (...to) => {
      const answer = await goto(...to)
      await page.waitForFunction(() => !document.querySelector('form[method=dialog]'))
      return answer
    }
    await use(page)
    expect(problems).toEqual([])
  },
})

/** Interpolates the values of a catalogue text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}

export const password = 'correct horse battery staple'

let count = 0

/** A new user with a long email address, so that every check at 360 px covers wrapping. */
export function newUser(name = 'Ada Lovelace') {
  return { name, email: `ada.${Date.now()}.${process.pid}.${count++}@analytical-engines.department.example.test` }
}

/** The emails to an address in the development mailbox, newest first. */
export async function mailsTo(
  page: Page,
  address: string,
): Promise<{ kind: string; subject: string; text: string; link: string }[]> {
  const answer = await page.request.get(`/dev/mail?to=${encodeURIComponent(address)}`, {
    headers: { accept: 'application/json' },
  })
  return answer.json()
}

/** The link in the newest email. */
export async function linkTo(page: Page, address: string): Promise<string> {
  await expect.poll(async () => (await mailsTo(page, address)).length).toBeGreaterThan(0)
  return (await mailsTo(page, address))[0]?.link ?? ''
}

/** Signs up through the UI, up to the "Check your email" screen. */
export async function signUp(page: Page, person = newUser()) {
  await page.goto('/sign-up')
  await page.getByLabel(en.field.name, { exact: true }).fill(person.name)
  await page.getByLabel(en.field.email).fill(person.email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.signUp.submit }).click()
  await expect(page.getByRole('heading', { name: en.checkMail.title })).toBeVisible()
  return person
}

/** Signs up through the UI, verifies the email address and ends on the start page. */
export async function signUpAndVerify(page: Page, person = newUser()) {
  await signUp(page, person)
  await page.goto(await linkTo(page, person.email))
  await page.getByRole('link', { name: en.verified.continue }).click()
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()
  return person
}

/** Signs up with an email address from ADMIN_EMAILS. */
export async function signInAsOperator(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel(en.field.name, { exact: true }).fill('Grace Hopper')
  await page.getByLabel(en.field.email).fill(email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.signUp.submit }).click()
  await page.goto(await linkTo(page, email))
  await page.getByRole('link', { name: en.verified.continue }).click()
  await page.getByRole('link', { name: en.common.administration }).click()
}

/** Creates an organization through the UI; the slug is derived from the name. */
export async function createOrganization(page: Page, name = `Acme ${Date.now()} ${process.pid} ${count++}`) {
  await page.getByRole('link', { name: en.create.submit }).click()
  await page.getByLabel(en.field.name, { exact: true }).fill(name)
  await expect(page.getByText(en.create.slugFree)).toBeVisible()
  await page.getByRole('button', { name: en.create.submit }).click()
  await expect(page.getByRole('heading', { name: en.members.title, exact: true })).toBeVisible()
  return { name, slug: new URL(page.url()).pathname.split('/')[2] ?? '' }
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Checks axe's WCAG 2.2 AA rules in both color schemes, and that nothing overflows at 360 px. */
export async function checkAccessibility(page: Page): Promise<void> {
  const size = page.viewportSize()
  // The mark that is shown until a screen can be.
  await expect(page.locator('.starting')).toHaveCount(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The page's script follows the system, unless another scheme was chosen.
    await page.waitForFunction((wanted) => {
      const { mantineColorScheme: current } = document.documentElement.dataset
      const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
      return current === undefined || current === wanted || chosen !== 'auto'
    }, colorScheme)
    await waitForAnimations(page)
    const violations = await runAxe(page, colorScheme === 'light' ? { type: 'tag', values: tags } : colorRules)
    expect({ colorScheme, violations }).toEqual({ colorScheme, violations: [] })
  }
  await expectNoOverflow(page)
  if (size) await page.setViewportSize(size)
}

/** The scheme changes colors only, so all other rules run once. */
const colorRules: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Runs axe-core on a page without frames, and returns one line for each violated rule. The official wrapper for
 * Playwright injects the script again for each run, which takes twice as long as the checks themselves.
 */
async function runAxe(page: Page, runOnly: RunOnly): Promise<string[]> {
  const isInjected = await page.evaluate(() => 'axe' in window)
  if (!isInjected) await page.evaluate(axe.source)
  return page.evaluate(async (only) => {
    const { violations } = await window.axe.run({ runOnly: only, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => {
      // What is wrong, and the element, such as a contrast with its two colors.
      return `${id}: ${nodes.map(({ html, any }) => [html, ...any.map(({ message }) => message)].join(' ')).join(' ')}`
    })
  }, runOnly)
}

/** Waits for transitions to finish: colors cannot be measured while they are animating. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    await frame()
    await frame()
    // Infinite animations, such as loaders, and paused ones never finish.
    const finite = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finite.map((animation) => animation.finished))
    await frame()
  })
}

/** Holds the client's script back, so that the page stays as it was sent until the returned function is called. */
export async function holdScript(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((done) => (release = done))
  await page.route(/\/assets\/(?:index|first-visit)-[^/]*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** Expects no horizontal overflow at 360 px. */
export async function expectNoOverflow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 })
  // Polled, because an animation may overflow by a pixel until it has finished.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
}

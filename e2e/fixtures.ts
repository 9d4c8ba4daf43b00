import { en } from '../client/language/en.ts'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test as base, type Page } from '@playwright/test'

export { expect } from '@playwright/test'
export { webhookKey } from './keys.ts'

/** A page on which nothing may go wrong unseen: console errors, exceptions and refused styles end the journey. */
export const test = base.extend({
  page: async ({ page }, use) => {
    const problems: string[] = []
    page.on('console', (message) => {
      // Refusals and the requests that a journey breaks off itself are reported by Chromium as errors.
      if (message.type() === 'error' && !/status of 4\d\d|ERR_FAILED/.test(message.text()))
        problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    await use(page)
    expect(problems).toEqual([])
  },
})

/** A text of the catalogue with its values filled in, as the screens show it. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}

export const password = 'correct horse battery staple'

let count = 0

/** Whose address is as long as those of some universities, so that each look at a narrow screen tries it. */
export function stranger(name = 'Ada Lovelace') {
  return { name, email: `ada.${Date.now()}.${process.pid}.${count++}@analytical-engines.department.example.test` }
}

/** The mails to an address as the development mailbox has them, newest first. */
export async function mailsTo(
  page: Page,
  address: string,
): Promise<{ kind: string; subject: string; text: string; link: string }[]> {
  const answer = await page.request.get(`/dev/mail?to=${encodeURIComponent(address)}`, {
    headers: { accept: 'application/json' },
  })
  return answer.json()
}

/** The link of the newest mail. */
export async function linkTo(page: Page, address: string): Promise<string> {
  await expect.poll(async () => (await mailsTo(page, address)).length).toBeGreaterThan(0)
  return (await mailsTo(page, address))[0]?.link ?? ''
}

/** Signs up by the screen, up to the sight of "look into your mail". */
export async function signUp(page: Page, person = stranger()) {
  await page.goto('/sign-up')
  await page.getByLabel(en.field.name).fill(person.name)
  await page.getByLabel(en.field.email).fill(person.email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.signUp.submit }).click()
  await expect(page.getByRole('heading', { name: en.checkMail.title })).toBeVisible()
  return person
}

/** Somebody who has signed up, verified the address and is inside. */
export async function signUpAndVerify(page: Page, person = stranger()) {
  await signUp(page, person)
  await page.goto(await linkTo(page, person.email))
  await page.getByRole('link', { name: en.verified.continue }).click()
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()
  return person
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Accessible by axe's rules of WCAG 2.2 AA, in both schemes, and nothing sticks out at 360 pixels. */
export async function inspect(page: Page): Promise<void> {
  const size = page.viewportSize()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settle(page)
    // Without frames of other origins there is no need for axe's second tab (its legacy mode).
    const axe = new AxeBuilder({ page }).setLegacyMode(true)
    // The scheme changes colours alone, so that everything else is looked at once.
    if (colorScheme === 'light') axe.withTags(tags)
    else axe.withRules(['color-contrast', 'link-in-text-block'])
    const { violations } = await axe.analyze()
    expect(
      violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    ).toEqual([])
  }
  await fitsPhone(page)
  if (size) await page.setViewportSize(size)
}

/** Waits until the new look has arrived: colours that are still on their way have no contrast to measure. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    await frame()
    await frame()
    const ended = Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
    // What spins for ever has no end to wait for.
    await Promise.race([ended, new Promise((done) => setTimeout(done, 500))])
    await frame()
  })
}

/** Nothing sticks out at 360 pixels. */
export async function fitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 })
  // Polled: what moves in at the new width may overshoot by a pixel on its way.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
}

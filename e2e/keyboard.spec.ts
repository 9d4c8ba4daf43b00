import type { Page } from '@playwright/test'
import { en } from '../client/language/en.ts'
import { createOrganization, expect, fill, password, signUpAndVerify, test } from './fixtures.ts'

/** Presses Tab until an element with this accessible name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    if ((await focused.count()) === 0) continue
    const own = await focused.evaluate((element) => {
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined
      return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim()
    })
    if (own === name) {
      // The focused element is visible: no sticky bar covers it (WCAG 2.2, 2.4.11).
      const isCovered = await focused.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const at = document.elementFromPoint(left + width / 2, top + height / 2)
        return at !== null && !element.contains(at) && !at.contains(element)
      })
      expect([name, isCovered]).toEqual([name, false])
      return
    }
  }
  throw new Error(`The focus never reaches ${name}`)
}

/** Makes the requests that this pattern matches fail, as long as `during` runs. */
async function whileFailing(page: Page, pattern: RegExp, during: () => Promise<void>): Promise<void> {
  await page.route(pattern, (route) => route.abort())
  await during()
  await page.unroute(pattern)
}

test('the focus stays on the screen when the element that had it disappears', async ({ page }) => {
  await signUpAndVerify(page)
  const { slug } = await createOrganization(page)

  // A retry button.
  await page.goto(`/o/${slug}/teams`)
  await whileFailing(page, /invitation\.search/, async () => {
    await page.getByRole('link', { name: en.invite.title }).click()
    await expect(page.getByRole('button', { name: en.common.tryAgain })).toBeVisible()
  })
  await page.getByRole('button', { name: en.common.tryAgain }).press('Enter')
  await expect(page.getByRole('button', { name: en.common.tryAgain })).toBeHidden()
  await expect(page.locator('main :focus')).toHaveCount(1)

  // The palette gives the focus back, and the first letters are not lost.
  await page.getByRole('link', { name: en.members.title }).focus()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
  await page.keyboard.type('teams')
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue('teams')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('link', { name: en.members.title })).toBeFocused()

  // Undo, by its button and by the shortcut.
  await page.goto('/settings')
  const name = page.getByLabel(en.field.name, { exact: true })
  for (const undo of [
    () => page.getByRole('button', { name: en.toast.undo }).press('Enter'),
    () => page.keyboard.press('Control+z'),
  ]) {
    const former = await name.inputValue()
    await name.fill('Ada of the keyboard')
    await page.getByRole('button', { name: en.common.save }).press('Enter')
    await expect(page.getByRole('button', { name: en.toast.undo })).toBeVisible()
    await page.getByRole('heading', { level: 1 }).focus()
    await undo()
    await expect(name).toHaveValue(former)
    await expect(page.locator('main :focus')).toHaveCount(1)
  }
})

test('a user signs in, invites, changes the name and signs out with the keyboard alone', async ({ page }) => {
  const person = await signUpAndVerify(page)
  const organization = await createOrganization(page)
  await page.context().clearCookies()

  // The email field has the focus.
  await page.goto('/sign-in')
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()

  // The palette finds the organization.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.type(organization.name)
  await expect(page.getByRole('option').first()).toContainText(organization.name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: en.members.title, exact: true })).toBeVisible()

  // A dialog takes the focus and gives it back.
  await tabTo(page, en.members.invite)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.type('grace@example.test')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator(':focus')).toHaveCount(1)

  // A form appears with its changes and is saved.
  await page.goto('/settings')
  await tabTo(page, en.field.name)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Ada of the keyboard')
  await page.keyboard.press('Enter')
  await expect
    .poll(
      async () => (await (await page.request.get('/api/auth/get-session?disableCookieCache=true')).json()).user.name,
    )
    .toBe('Ada of the keyboard')

  // A screen starts at its heading, past the navigation.
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await tabTo(page, en.menu.person)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  for (let n = 0; n < 10; n++) {
    await page.keyboard.press('ArrowDown')
    if ((await page.locator(':focus').textContent())?.includes(en.common.signOut)) break
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: en.signIn.title })).toBeVisible()
})

import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { en } from '../client/language/en.ts'
import {
  checkAccessibility,
  createOrganization,
  expect,
  fill,
  mailsTo,
  password,
  signUpAndVerify,
  test,
} from './fixtures.ts'
import { startServer } from './own-server.ts'

/** The heading of the home screen, whoever is signed in. */
const welcome = new RegExp(`^${en.home.title.split('{{')[0] ?? ''}`)

/**
 * A platform authenticator, which its user unlocks (Chrome DevTools Protocol, WebAuthn). Until `setPresent` is called,
 * the passkey that the browser offers in the email field is not used.
 */
async function plugInAuthenticator(page: Page): Promise<{ setPresent: (isPresent: boolean) => Promise<void> }> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setPresent(enabled) {
      await devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/sign-out')
  await page.getByRole('button', { name: en.common.signOut }).click()
  await expect(page.getByRole('heading', { name: en.signIn.title })).toBeVisible()
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel(en.field.emailOrUsername).fill(email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.common.signIn, exact: true }).click()
}

/** Sets up an authenticator app on the security screen. Returns the recovery codes. */
async function setUpApp(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: en.twoFactor.setUp }).click()
  await page.getByLabel(en.common.currentPassword).fill(password)
  await page.getByRole('button', { name: en.common.continue }).click()
  await expect(page.getByRole('img', { name: en.twoFactor.qr })).toBeVisible()
  await checkAccessibility(page)
  await page.getByText(en.twoFactor.cannotScan).click()
  const secret = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel(en.twoFactor.code).fill('000000')
  await page.getByRole('button', { name: en.twoFactor.confirm }).click()
  await expect(page.getByRole('alert')).toContainText(en.refusal.INVALID_TOTP_CODE)
  await page.getByLabel(en.twoFactor.code).fill(generateSync({ secret }))
  await page.getByRole('button', { name: en.twoFactor.confirm }).click()
  await expect(page.getByRole('heading', { name: en.twoFactor.codesTitle })).toBeVisible()
  await checkAccessibility(page)
  const codes = await page.getByRole('dialog').locator('li code').allTextContents()
  expect(codes.length).toBe(10)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: en.twoFactor.download }).click()
  expect((await download).suggestedFilename()).toBe('foyer-recovery-codes.txt')
  await page.getByLabel(en.twoFactor.kept).check()
  await page.getByRole('button', { name: en.common.done }).click()
  return codes
}

test('two-step verification is set up, required at sign-in, survives a lost phone and is turned off', async ({
  page,
}) => {
  const person = await signUpAndVerify(page)
  await page.goto('/settings/security')
  const codes = await setUpApp(page)
  await expect(page.getByText(fill(en.twoFactor.left, { count: 10 }))).toBeVisible()
  await checkAccessibility(page)

  await signOut(page)
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { name: en.twoFactor.stepTitle })).toBeVisible()
  await checkAccessibility(page)
  // The code that was confirmed is used up, and the phone is lost.
  await page.getByRole('button', { name: en.twoFactor.useRecovery }).click()
  await page.getByLabel(en.twoFactor.recoveryCode, { exact: true }).fill(codes[0] ?? '')
  await page.getByLabel(en.twoFactor.trust).check()
  await page.getByRole('button', { name: en.common.signIn, exact: true }).click()
  await expect(page.getByRole('heading', { name: welcome })).toBeVisible()
  // This browser is now trusted.
  await signOut(page)
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { name: welcome })).toBeVisible()

  await page.goto('/settings/security')
  await expect(page.getByText(fill(en.twoFactor.left, { count: 9 }))).toBeVisible()
  await page.getByRole('button', { name: en.twoFactor.turnOff }).click()
  await page.getByLabel(en.common.currentPassword).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: en.twoFactor.turnOff }).click()
  await expect(page.getByText(en.twoFactor.off)).toBeVisible()
})

test('a passkey is added, signs in without a user name, is renamed and removed', async ({ page }) => {
  await plugInAuthenticator(page)
  await signUpAndVerify(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: en.passkeys.add }).click()
  await expect(page.getByText(en.passkeys.thisDevice)).toBeVisible()
  await checkAccessibility(page)
  await signOut(page)
  // The first key press on the page makes the browser offer passkeys in the field. It asks for a challenge, as the
  // button does, and this browser has only the one that arrives last: the second must not be asked for before the
  // first has arrived.
  let letGo = () => {}
  const clicked = new Promise<void>((resolve) => (letGo = resolve))
  const asked: string[] = []
  await page.route(/passkey\.authenticateOptions/, async (route) => {
    asked.push('asked')
    await clicked
    await route.fulfill({ response: await route.fetch() })
    asked.push('arrived')
  })
  // Repeated, because nothing listens before the script has loaded.
  const pressAndRead = async () => {
    await page.keyboard.press('Tab')
    return asked
  }
  await expect.poll(pressAndRead).toEqual(['asked'])
  await page.getByRole('button', { name: en.passkeys.use }).click()
  letGo()
  await expect(page.getByRole('heading', { name: welcome })).toBeVisible()
  expect(asked).toEqual(['asked', 'arrived', 'asked', 'arrived'])
  await page.unrouteAll({ behavior: 'wait' })

  await page.goto('/settings/security')
  await page.getByRole('button', { name: fill(en.common.actions, { name: en.passkeys.thisDevice }) }).click()
  await page.getByRole('menuitem', { name: en.passkeys.rename }).click()
  await page.getByRole('dialog').getByLabel(en.field.name).fill('Laptop')
  await page.getByRole('button', { name: en.common.save }).click()
  await expect(page.getByText('Laptop')).toBeVisible()
  await page.getByRole('button', { name: fill(en.common.actions, { name: 'Laptop' }) }).click()
  await page.getByRole('menuitem', { name: en.passkeys.remove }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.passkeys.remove }).click()
  await expect(page.getByText('Laptop', { exact: true })).toBeHidden()
})

test('an emailed code signs in and signs up', async ({ page }) => {
  const email = `code.${Date.now()}.${test.info().retry}@example.test`
  // On the prerendered page, and once the script has replaced it.
  await page.goto('/sign-in')
  await expect(page.getByLabel(en.signIn.remember)).toBeChecked()
  await page.waitForLoadState('networkidle')
  await expect(page.getByLabel(en.signIn.remember)).toBeChecked()
  await page.getByLabel(en.field.emailOrUsername).fill(email)
  await page.getByRole('button', { name: en.reauthenticate.byCode }).click()
  await expect(page.getByRole('heading', { name: en.emailCode.title })).toBeVisible()
  await expect(page.getByLabel(en.field.email)).toHaveValue(email)
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.reauthenticate.byCode }).click()
  await expect(page.getByText(fill(en.emailCode.sent, { email }))).toBeVisible()
  await checkAccessibility(page)
  const headers = { accept: 'application/json' }
  const [mail] = await (await page.request.get(`/dev/mail?to=${encodeURIComponent(email)}`, { headers })).json()
  const code = /: (\d{6})\b/.exec(JSON.stringify(mail))?.[1] ?? ''
  await page.getByLabel(en.reauthenticate.code).fill(code === '000000' ? '111111' : '000000')
  await page.getByRole('button', { name: en.common.signIn, exact: true }).click()
  await expect(page.getByRole('alert')).toContainText(en.refusal.INVALID_OTP)
  await page.getByLabel(en.reauthenticate.code).fill(code)
  await page.getByRole('button', { name: en.common.signIn, exact: true }).click()
  await expect(page.getByRole('heading', { name: welcome })).toBeVisible()
})

test('an organization that requires a second factor is accessible with a passkey or a code', async ({ page }) => {
  const { setPresent } = await plugInAuthenticator(page)
  const person = await signUpAndVerify(page)
  const { slug } = await createOrganization(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: en.passkeys.add }).click()
  await expect(page.getByText(en.passkeys.thisDevice)).toBeVisible()
  await page.goto(`/o/${slug}/settings/security`)
  await page.getByLabel(en.policy.label).selectOption({ label: en.policy.now })
  const since = new RegExp(`^${fill(en.policy.since, { day: '' })}`)
  await expect(page.getByText(since).filter({ visible: true })).toBeVisible()

  await signOut(page)
  await setPresent(false)
  await enterPassword(page, person.email)
  await expect(page.getByRole('heading', { name: welcome })).toBeVisible()
  await page.goto(`/o/${slug}`)
  await expect(page.getByRole('heading', { name: en.twoFactor.confirmTitle })).toBeVisible()
  await checkAccessibility(page)
  await setPresent(true)
  await page.getByRole('button', { name: en.passkeys.use }).click()
  await expect(page.getByRole('heading', { name: en.members.title, exact: true })).toBeVisible()

  await page.goto('/settings/security')
  const codes = await setUpApp(page)
  await signOut(page)
  await setPresent(false)
  await enterPassword(page, person.email)
  // A code from the mailbox signs in, but does not count as a second factor for the organization.
  await page.getByRole('button', { name: en.twoFactor.byMail }).click()
  await expect(page.getByRole('heading', { name: en.twoFactor.mailTitle })).toBeVisible()
  await checkAccessibility(page)
  const mails = await mailsTo(page, person.email)
  const code = /\b\d{6}\b/.exec(mails.find(({ kind }) => kind === 'secondStepCode')?.text ?? '')?.[0] ?? ''
  await page.getByLabel(en.twoFactor.code).fill(code)
  await page.getByRole('button', { name: en.common.signIn, exact: true }).click()
  await expect(page.getByRole('heading', { name: welcome })).toBeVisible()
  await page.goto(`/o/${slug}`)
  await page.getByLabel(en.twoFactor.code).fill('abcdef')
  await page.getByRole('button', { name: en.twoFactor.confirm }).click()
  await expect(page.getByRole('alert')).toContainText(en.refusal.INVALID_TOTP_CODE)
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.twoFactor.useRecovery }).click()
  await page.getByLabel(en.twoFactor.recoveryCode, { exact: true }).fill(codes[0] ?? '')
  await page.getByRole('button', { name: en.twoFactor.confirm }).click()
  await expect(page.getByRole('heading', { name: en.members.title, exact: true })).toBeVisible()
})

test('administrators must set up a second factor, and confirm it after a sign-in without one', async ({ browser }) => {
  const server = await startServer({ ADMIN_EMAILS: 'boss@acme.example' })
  const context = await browser.newContext({ baseURL: server.origin, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    const { setPresent } = await plugInAuthenticator(page)
    const boss = await signUpAndVerify(page, { name: 'Boss', email: 'boss@acme.example' })
    await page.goto('/admin/users')
    await expect(page.getByRole('heading', { name: en.twoFactor.requiredTitle })).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('link', { name: en.twoFactor.toSecurity }).click()
    await page.getByRole('button', { name: en.passkeys.add }).click()
    await expect(page.getByText(en.passkeys.thisDevice)).toBeVisible()
    await page.goto('/admin/users')
    await expect(page.getByText(boss.email).first()).toBeVisible()
    await signOut(page)
    await setPresent(false)
    await enterPassword(page, boss.email)
    await expect(page.getByRole('heading', { name: welcome })).toBeVisible()
    await page.goto('/admin/users')
    await setPresent(true)
    await page.getByRole('button', { name: en.passkeys.use }).click()
    await expect(page.getByText(boss.email).first()).toBeVisible()
  } finally {
    await context.close()
    await server.stop()
  }
})

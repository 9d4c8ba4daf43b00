import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import * as openid from 'openid-client'
import { z } from 'zod'
import { en } from '../client/language/en.ts'
import { projectFolder } from '../server/config.ts'
import {
  checkAccessibility,
  createOrganization,
  expect,
  fill,
  linkTo,
  newUser,
  password,
  signUpAndVerify,
  test,
} from './fixtures.ts'

const app = 'https://app.example.com'
const Created = z.object({ client_id: z.string(), client_secret: z.string().optional() })

/** A client of the issuer, created with the operator's command. */
async function createClient(baseURL = '', ...options: string[]) {
  const [port = ''] = (process.env['JOURNEY_PORTS'] ?? '').split(' ')
  const output = execFileSync(process.execPath, ['server/start.mjs', 'client', 'create', ...options, '--json'], {
    cwd: projectFolder,
    env: { ...process.env, PORT: port, DATA_DIR: process.env['JOURNEY_DATA'], DATABASE_URL: '', SMTP_URL: '' },
  })
  const made = Created.parse(JSON.parse(output.toString().trim().split('\n').at(-1) ?? ''))
  const auth = made.client_secret === undefined ? openid.None() : openid.ClientSecretBasic(made.client_secret)
  return openid.discovery(new URL(baseURL), made.client_id, undefined, auth, {
    execute: [openid.allowInsecureRequests],
  })
}

/** The product on another origin: every URL of it is a page that contains this URL. */
async function serveApplication(page: Page): Promise<void> {
  await page.route(`${app}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>App</title><h1>The application</h1>` }),
  )
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel(en.field.email).fill(email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.common.signIn }).click()
}

test('a user signs in for a product on another origin, returns to it, and signs out from there', async ({ page }) => {
  const person = await signUpAndVerify(page)
  await page.context().clearCookies()
  await serveApplication(page)
  await page.goto(`/sign-in?next=${encodeURIComponent(`${app}/x?a=1`)}`)
  await signIn(page, person.email)
  await expect(page).toHaveURL(`${app}/x?a=1`)
  // Already signed in: redirected immediately.
  await page.goto(`/sign-in?next=${encodeURIComponent(`${app}/y`)}`)
  await expect(page).toHaveURL(`${app}/y`)
  await page.goto(`/settings?next=${encodeURIComponent(`${app}/z`)}`)
  await page.getByRole('link', { name: en.settings.security }).click()
  await expect(page.getByRole('link', { name: fill(en.settings.backTo, { host: 'app.example.com' }) })).toHaveAttribute(
    'href',
    `${app}/z`,
  )
  await page.goto(`/sign-out?next=${encodeURIComponent(`${app}/bye`)}`)
  await expect(page.getByRole('heading', { name: en.signOut.title })).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.common.signOut }).click()
  await expect(page).toHaveURL(`${app}/bye`)
  // Other URLs are not followed.
  await page.goto(`/sign-in?next=${encodeURIComponent('https://evil.example/')}`)
  await signIn(page, person.email)
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: person.name }) })).toBeVisible()
})

test('a sign-up with a return URL ends at that URL', async ({ page }) => {
  await serveApplication(page)
  const person = newUser()
  await page.goto(`/sign-up?next=${encodeURIComponent(`${app}/start`)}`)
  await page.getByLabel(en.field.name, { exact: true }).fill(person.name)
  await page.getByLabel(en.field.email).fill(person.email)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.signUp.submit }).click()
  await expect(page.getByRole('heading', { name: en.checkMail.title })).toBeVisible()
  // Choosing another email address keeps the target.
  const otherAddress = page.getByRole('link', { name: en.checkMail.otherEmail })
  await expect(otherAddress).toHaveAttribute('href', /\/sign-up\?next=.*start/)
  const answer = await page.request.get(`/dev/mail?to=${encodeURIComponent(person.email)}`, {
    headers: { accept: 'application/json' },
  })
  const [{ link }] = await answer.json()
  await page.goto(link)
  await expect(page).toHaveURL(`${app}/start`)
})

test('a third-party application asks for consent once, and is removed in the settings', async ({ page, baseURL }) => {
  // A real server, because Playwright does not route redirects.
  const [, , paymentPort = ''] = (process.env['JOURNEY_PORTS'] ?? '').split(' ')
  const callback = `http://localhost:${paymentPort}/`
  const client = await createClient(baseURL, '--name', 'Foreign Analytics', '--redirect-uri', callback)
  const person = await signUpAndVerify(page)
  await page.context().clearCookies()
  const verifier = openid.randomPKCECodeVerifier()
  const { href } = openid.buildAuthorizationUrl(client, {
    redirect_uri: callback,
    scope: 'openid profile email',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    login_hint: person.email,
    ui_locales: 'en',
  })
  await page.goto(href)
  await expect(page.getByLabel(en.field.email)).toHaveValue(person.email)
  await signIn(page, person.email)
  await expect(page.getByRole('heading', { name: fill(en.consent.title, { app: 'Foreign Analytics' }) })).toBeVisible()
  await expect(page.getByText(en.scope.email)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.consent.allow }).click()
  await page.waitForURL(`${callback}?**`)
  const tokens = await openid.authorizationCodeGrant(client, new URL(page.url()), { pkceCodeVerifier: verifier })
  expect(tokens.claims()?.['email']).toBe(person.email)

  await page.goto('/settings/connected-apps')
  await page.getByRole('button', { name: fill(en.connectedApps.removeOf, { app: 'Foreign Analytics' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.connectedApps.remove }).click()
  await expect(page.getByText(en.connectedApps.empty)).toBeVisible()
  await checkAccessibility(page)
  await page.goto(href)
  await page.getByRole('button', { name: en.consent.deny }).click()
  await page.waitForURL(`${callback}?**`)
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
})

test('a device is connected with its code', async ({ page, baseURL }) => {
  const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
  const client = await createClient(baseURL, '--name', 'Deploy CLI', '--public', '--grant', deviceGrant)
  await signUpAndVerify(page)
  const request = await openid.initiateDeviceAuthorization(client, { scope: 'openid email' })
  await page.goto('/device')
  await checkAccessibility(page)
  await page.getByLabel(en.device.code).fill('WRONG-CODE')
  await page.getByRole('button', { name: en.common.continue }).click()
  await expect(page.getByText(en.refusal.USER_CODE_NOT_FOUND)).toBeVisible()
  await page.goto(request.verification_uri_complete ?? '')
  await expect(page.getByLabel(en.device.code)).toHaveValue(request.user_code)
  await page.getByRole('button', { name: en.common.continue }).click()
  await expect(page.getByRole('heading', { name: fill(en.device.allowTitle, { app: 'Deploy CLI' }) })).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.consent.allow }).click()
  await expect(page.getByRole('heading', { name: en.device.doneTitle })).toBeVisible()
  const tokens = await openid.genericGrantRequest(client, deviceGrant, { device_code: request.device_code })
  expect(tokens.access_token).toEqual(expect.any(String))
})

test('an API key is created, shown once, disabled and deleted', async ({ page, baseURL }) => {
  await signUpAndVerify(page)
  await page.goto('/settings/api-keys')
  await expect(page.getByText(en.apiKeys.empty)).toBeVisible()
  await page.getByRole('button', { name: en.apiKeys.create }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.apiKeys.name).fill('Deployment')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.apiKeys.create }).click()
  const shown = dialog.getByLabel(en.apiKeys.key, { exact: true })
  await expect(shown).toHaveValue(/^foyer_/)
  const key = await shown.inputValue()
  // It is shown only once, so neither a key nor a click beside the dialog closes it.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(shown).toHaveValue(key)
  const statusOf = async () =>
    (await fetch(`${baseURL}/api/auth/organization/list`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await statusOf()).toBe(200)
  await dialog.getByRole('button', { name: en.common.done }).click()
  await expect(page.getByText('Deployment')).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('checkbox', { name: fill(en.apiKeys.enabledOf, { name: 'Deployment' }) }).click()
  await expect.poll(statusOf).toBe(401)
  await page.getByRole('button', { name: fill(en.apiKeys.deleteOf, { name: 'Deployment' }) }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.apiKeys.delete }).click()
  await expect(page.getByText(en.apiKeys.empty)).toBeVisible()
})

test('an API key of an organization is limited to the selected permissions', async ({ page, baseURL }) => {
  await signUpAndVerify(page)
  const { slug } = await createOrganization(page)
  await page.goto(`/o/${slug}/settings/api-keys`)
  await page.getByRole('button', { name: en.apiKeys.create }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.apiKeys.name).fill('Directory')
  await dialog.getByLabel(en.apiKeys.access).selectOption(en.apiKeys.accessOf.some)
  await dialog.getByLabel(en.apiKeys.may.team_create).check()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: en.apiKeys.create }).click()
  const key = await dialog.getByLabel(en.apiKeys.key, { exact: true }).inputValue()
  await dialog.getByRole('button', { name: en.common.done }).click()
  await expect(page.getByText(en.apiKeys.accessOf.some)).toBeVisible()
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method: 'POST', body: JSON.stringify(body), headers }
    return (await fetch(`${baseURL}/api/auth/organization/${path}`, init)).status
  }
  const list: unknown = await (await page.request.get('/api/auth/organization/list')).json()
  const [organization] = z.array(z.object({ id: z.string() })).parse(list)
  const organizationId = organization?.id
  expect(await call('create-team', { organizationId, name: 'Directory' })).toBe(200)
  expect(await call('update', { organizationId, data: { name: 'Changed' } })).toBe(403)
})

test('an invitation with a return URL ends at that URL', async ({ page, baseURL }) => {
  await signUpAndVerify(page)
  await createOrganization(page)
  const guest = newUser('Grace Hopper')
  const invited = await page.request.post('/api/auth/organization/invite-member', {
    data: { email: guest.email, role: 'member' },
    headers: { origin: String(baseURL) },
  })
  expect(invited.status()).toBe(200)
  const link = await linkTo(page, guest.email)
  await page.context().clearCookies()
  await serveApplication(page)
  await page.goto(`${link}&next=${encodeURIComponent(`${app}/welcome`)}`)
  await page.getByLabel(en.field.name, { exact: true }).fill(guest.name)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${app}/welcome`)
})

import { randomBytes } from 'node:crypto'
import type { Browser } from './browser.ts'
import { emailedLink, type TestApp } from './test-app.ts'

export const password = 'correct horse battery staple'

export type TestUser = { email: string; name: string; password: string; browser: Browser; id: string }

/** Data of a new user. Every test creates its own users, so that all tests can run in parallel. */
export function newUserData(overrides: Partial<{ name: string; email: string; password: string }> = {}) {
  const tag = randomBytes(6).toString('hex')
  return { email: `ada.${tag}@example.test`, name: 'Ada Lovelace', password, ...overrides }
}

/** A user who has signed up but not verified the email address. */
export async function createUnverifiedUser(testApp: TestApp, more: Record<string, string> = {}): Promise<TestUser> {
  const person = newUserData()
  const browser = testApp.browser()
  const { status, body } = await browser.post('/sign-up/email', { ...person, ...more })
  if (status !== 200) throw new Error(`Sign-up was refused: ${JSON.stringify(body)}`)
  return { ...person, ...more, browser, id: body.user.id }
}

/** A user who has verified the email address in the browser of the sign-up, and is signed in there. */
export async function createUser(testApp: TestApp, more: Record<string, string> = {}): Promise<TestUser> {
  const person = await createUnverifiedUser(testApp, more)
  if (!person.browser.jar.has('foyer.session_token')) await person.browser.get(await emailedLink(testApp, person.email))
  return person
}

/** Signs the same user in with another browser. */
export async function signInElsewhere(
  testApp: TestApp,
  { email, password }: TestUser,
  more: object = {},
): Promise<Browser> {
  const browser = testApp.browser()
  const { status, body } = await browser.post('/sign-in/email', { email, password, ...more })
  if (status !== 200) throw new Error(`Sign-in was refused: ${JSON.stringify(body)}`)
  return browser
}

/** Changes the email address of a signed-in user in both confirmed steps. Returns the new one. */
export async function changeEmail(testApp: TestApp, { browser, email: former }: Pick<TestUser, 'browser' | 'email'>) {
  const { email } = newUserData()
  await browser.post('/change-email', { newEmail: email })
  await browser.get(await emailedLink(testApp, former, 'confirmEmailChange'))
  await browser.get(await emailedLink(testApp, email, 'verifyEmail'))
  return email
}

/** A new user with an email address that another user has given up, verified and signed in. */
export async function signUpWithFormerEmail(testApp: TestApp, email: string): Promise<Browser> {
  const browser = testApp.browser()
  await browser.post('/sign-up/email', { ...newUserData(), email })
  await browser.get(await emailedLink(testApp, email, 'verifyEmail'))
  return browser
}

/** A signed-in administrator of the installation. */
export async function createAdministrator(testApp: TestApp): Promise<TestUser> {
  const person = await createUser(testApp)
  await testApp.db.user.update({ where: { id: person.id }, data: { role: 'admin' } })
  return person
}

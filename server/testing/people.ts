import { randomBytes } from 'node:crypto'
import type { Browser } from './browser.ts'
import { linkTo, type World } from './world.ts'

export const password = 'correct horse battery staple'

export type Person = { email: string; name: string; password: string; browser: Browser; id: string }

/** Data of a new user. Every test creates its own users, so that all tests can run in parallel. */
export function stranger(overrides: Partial<{ name: string; email: string; password: string }> = {}) {
  const tag = randomBytes(6).toString('hex')
  return { email: `ada.${tag}@example.test`, name: 'Ada Lovelace', password, ...overrides }
}

/** A user who has signed up but not verified the email address. */
export async function signedUp(world: World, more: Record<string, string> = {}): Promise<Person> {
  const person = stranger()
  const browser = world.browser()
  const { status, body } = await browser.post('/sign-up/email', { ...person, ...more })
  if (status !== 200) throw new Error(`Sign-up was refused: ${JSON.stringify(body)}`)
  return { ...person, ...more, browser, id: body.user.id }
}

/** A user who has verified the email address in the browser of the sign-up, and is signed in there. */
export async function signedIn(world: World, more: Record<string, string> = {}): Promise<Person> {
  const person = await signedUp(world, more)
  if (!person.browser.jar.has('foyer.session_token')) await person.browser.get(await linkTo(world, person.email))
  return person
}

/** Signs the same user in with another browser. */
export async function signInElsewhere(world: World, { email, password }: Person, more: object = {}): Promise<Browser> {
  const browser = world.browser()
  const { status, body } = await browser.post('/sign-in/email', { email, password, ...more })
  if (status !== 200) throw new Error(`Sign-in was refused: ${JSON.stringify(body)}`)
  return browser
}

/** Changes the email address of a signed-in user in both confirmed steps. Returns the new one. */
export async function moveAddress(world: World, { browser, email: former }: Pick<Person, 'browser' | 'email'>) {
  const { email } = stranger()
  await browser.post('/change-email', { newEmail: email })
  await browser.get(await linkTo(world, former, 'confirmEmailChange'))
  await browser.get(await linkTo(world, email, 'verifyEmail'))
  return email
}

/** A new user with an email address that another user has given up, verified and signed in. */
export async function nextHolder(world: World, email: string): Promise<Browser> {
  const browser = world.browser()
  await browser.post('/sign-up/email', { ...stranger(), email })
  await browser.get(await linkTo(world, email, 'verifyEmail'))
  return browser
}

/** A signed-in administrator of the installation. */
export async function administrator(world: World): Promise<Person> {
  const person = await signedIn(world)
  await world.db.user.update({ where: { id: person.id }, data: { role: 'admin' } })
  return person
}

import { en } from '../client/language/en.ts'
import {
  checkAccessibility,
  createOrganization,
  expect,
  fill,
  linkTo,
  password,
  signUpAndVerify,
  test,
} from './fixtures.ts'

test('an administrator finds a user, acts as the user, suspends and deletes the account', async ({ page, browser }) => {
  const context = await browser.newContext()
  const theirs = await context.newPage()
  const person = await signUpAndVerify(theirs)
  const organization = await createOrganization(theirs)
  const operator = 'operator@example.test'
  await page.goto('/sign-up')
  await page.getByLabel(en.field.name, { exact: true }).fill('Grace Hopper')
  await page.getByLabel(en.field.email).fill(operator)
  await page.getByLabel(en.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: en.signUp.submit }).click()
  await page.goto(await linkTo(page, operator))
  await page.getByRole('link', { name: en.verified.continue }).click()

  await page.getByRole('link', { name: en.users.title }).click()
  await checkAccessibility(page)
  await page.getByRole('searchbox', { name: en.members.search }).fill(person.email)
  await page.getByRole('link', { name: fill(en.users.openOf, { name: person.name }) }).click()
  await expect(page.getByRole('heading', { name: person.name })).toBeVisible()
  await expect(page.getByText(organization.slug)).toBeVisible()
  await checkAccessibility(page)

  await page.getByRole('button', { name: en.users.impersonate }).click()
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.users.impersonate }).click()
  const bar = page.getByRole('complementary', { name: en.users.impersonation })
  await expect(bar).toContainText(fill(en.users.actingAs, { administrator: 'Grace Hopper', user: person.name }))
  await checkAccessibility(page)
  await page.goto('/settings/security')
  await expect(bar).toBeVisible()
  await bar.getByRole('button', { name: en.users.stop }).click()
  await expect(page).toHaveURL('/admin/users')

  await page.getByRole('searchbox', { name: en.members.search }).fill(person.email)
  await page.getByRole('link', { name: fill(en.users.openOf, { name: person.name }) }).click()
  const actions = page.getByRole('button', { name: fill(en.members.actions, { name: person.name }) })
  await actions.click()
  await page.getByRole('menuitem', { name: en.users.suspend }).click()
  await page.getByLabel(en.users.reason).fill('Sends spam')
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.users.suspend }).click()
  await expect(page.getByText('Sends spam').first()).toBeVisible()
  // Signed out at once, and told why at the next sign-in.
  expect((await theirs.request.get('/api/auth/list-sessions')).status()).toBe(401)
  await theirs.goto('/sign-in')
  await theirs.getByLabel(en.field.email).fill(person.email)
  await theirs.getByLabel(en.field.password, { exact: true }).fill(password)
  await theirs.getByRole('button', { name: en.signIn.submit }).click()
  await expect(theirs.getByText(en.refusal.BANNED_USER)).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: en.users.lift }).click()
  await expect(page.getByText(fill(en.users.lifted, { name: person.name }))).toBeVisible()

  await actions.click()
  await page.getByRole('menuitem', { name: en.users.setPassword }).click()
  await page.getByLabel(en.password.next).fill('a phrase that was set for you')
  await page.getByRole('dialog').getByRole('button', { name: en.users.setPassword }).click()
  await expect(page.getByText(fill(en.users.passwordSet, { name: person.name }))).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: en.users.delete }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.users.delete }).click()
  await expect(page).toHaveURL('/admin/users')
  await page.getByRole('searchbox', { name: en.members.search }).fill(person.email)
  await expect(page.getByText(en.users.empty)).toBeVisible()
  await context.close()

  await page.getByRole('button', { name: en.users.create }).click()
  await page.getByLabel(en.field.name, { exact: true }).fill('Alan Turing')
  await page.getByRole('dialog').getByLabel(en.field.email, { exact: true }).fill(`alan.${Date.now()}@example.test`)
  await page.getByLabel(en.field.password, { exact: true }).fill('a phrase that was set for you')
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.users.create }).click()
  await expect(page.getByRole('heading', { name: 'Alan Turing' })).toBeVisible()
})

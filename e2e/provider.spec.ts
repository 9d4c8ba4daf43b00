import { comeIn, expect, inspect, stranger, test } from './house.ts'

test('somebody comes in through a provider, leaves, and comes back', async ({ page }) => {
  const { email } = stranger()
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: 'Go on with GitLab' })
  await expect(button).toBeVisible()
  await inspect(page)
  await button.click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('You said no at the provider')).toBeVisible()
  await inspect(page)
  await page.getByRole('link', { name: 'To the sign-in' }).click()
  await expect(page.getByText('Last used')).toBeVisible()
  await inspect(page)
  await page.getByRole('button', { name: 'Go on with GitLab' }).click()
  await page.getByLabel('Account').fill(email)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Grace of GitLab' })).toBeVisible()
  await expect(page.getByText('Proven')).toBeVisible()

  await page.getByRole('link', { name: 'My settings' }).click()
  await expect(page.getByText('may read: read_user')).toBeVisible()
  await expect(page.getByText('This is your only way to sign in.')).toBeVisible()
  await inspect(page)
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Go on with GitLab' }).click()
  await page.getByLabel('Account').fill(email)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Grace of GitLab' })).toBeVisible()
})

test('a provider is linked and unlinked in the settings; one that belongs to somebody else is refused', async ({
  page,
  browser,
}) => {
  const account = stranger().email
  await comeIn(page)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Link GitLab' }).click()
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('button', { name: 'Unlink GitLab' })).toBeVisible()

  const context = await browser.newContext()
  const theirs = await context.newPage()
  await comeIn(theirs)
  await theirs.goto('/settings')
  await theirs.getByRole('button', { name: 'Link GitLab' }).click()
  await theirs.getByLabel('Account').fill(account)
  await theirs.getByRole('button', { name: 'Authorize' }).click()
  await expect(theirs.getByText('belongs to another user here')).toBeVisible()
  await theirs.getByRole('link', { name: 'My settings' }).click()
  await expect(theirs.getByRole('heading', { name: 'Ways to sign in' })).toBeVisible()
  await context.close()

  await page.getByRole('button', { name: 'Unlink GitLab' }).click()
  await expect(page.getByRole('button', { name: 'Unlink GitLab' })).toBeHidden()
})

test('an address that has an account is led to the old way in', async ({ page }) => {
  const person = await comeIn(page)
  await page.context().clearCookies()
  // The provider's address is proven, and so is ours: it is the same person.
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Go on with GitLab' }).click()
  await page.getByLabel('Account').fill(person.email)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${person.name}` })).toBeVisible()
  await page.context().clearCookies()
  await page.goto('/error?error=account_not_linked')
  await expect(page.getByText('There is an account with this address already.')).toBeVisible()
})

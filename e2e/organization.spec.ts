import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { en } from '../client/language/en.ts'
import {
  createOrganization,
  signUpAndVerify,
  expect,
  fill,
  checkAccessibility,
  linkTo,
  mailsTo,
  password,
  newUser,
  test,
} from './fixtures.ts'

/** Fills the invite dialog, which is opened first unless it is open. */
async function invite(page: Page, emails: string[], { role = en.role.member, isOpen = false } = {}) {
  if (!isOpen) await page.getByRole('main').getByRole('button', { name: en.members.invite }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.invite.emails).fill(emails.join(', '))
  await dialog.getByRole('radio', { name: role, exact: true }).check()
  await dialog.getByRole('button', { name: en.invite.submit }).click()
}

async function createTeam(page: Page, name: string) {
  await page.getByRole('button', { name: en.teams.new }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(en.field.title, { exact: true }).fill(name)
  await dialog.getByRole('button', { name: en.teams.submit }).click()
  await expect(page.getByRole('table').getByText(name)).toBeVisible()
}

/** Chooses an item of the menu of a row. */
async function choose(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: fill(en.common.actions, { name }) }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a user creates an organization and finds it in the switcher', async ({ page }) => {
  await signUpAndVerify(page)
  await expect(page.getByText(en.overview.empty)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('link', { name: en.create.submit }).click()
  await page.getByLabel(en.field.name, { exact: true }).fill('Größe & Söhne')
  await expect(page.getByLabel(en.create.slug)).toHaveValue('grosse-sohne')
  await page.getByLabel(en.create.slug).fill('a b')
  await page.getByRole('button', { name: en.create.submit }).click()
  await expect(page.getByText(en.field.invalid)).toBeVisible()
  const slug = `groesse-${Date.now()}`
  await page.getByLabel(en.create.slug).fill(slug)
  await expect(page.getByText(en.create.slugFree)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: en.create.submit }).click()
  await expect(page).toHaveURL(`/o/${slug}`)
  await checkAccessibility(page)

  await page.goto('/organizations/new')
  await page.getByLabel(en.field.name, { exact: true }).fill('Again')
  await page.getByLabel(en.create.slug).fill(slug)
  await expect(page.getByText(en.refusal.SLUG_IS_TAKEN)).toBeVisible()

  // The palette finds it, and Enter takes the first result. So does the switcher.
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('textbox').fill('größe')
  await expect(page.getByRole('option', { name: /Größe & Söhne/ })).toHaveAttribute('data-combobox-selected')
  await checkAccessibility(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/o/${slug}`)
  await page.goto('/')
  // The navigation keeps leading to the organization that was opened last.
  await page.getByRole('button', { name: fill(en.switcher.current, { name: 'Größe & Söhne' }) }).click()
  await page.getByLabel(en.switcher.search).fill('größe')
  await expect(page.getByRole('option', { name: /Größe & Söhne/ })).toHaveAttribute('data-combobox-selected')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/o/${slug}`)
  await expect(page.getByRole('button', { name: fill(en.switcher.current, { name: 'Größe & Söhne' }) })).toBeVisible()
})

test('a new user signs up and joins through an emailed invitation in one step', async ({ page, browser }) => {
  await signUpAndVerify(page)
  const { name, slug } = await createOrganization(page)
  await page.getByRole('link', { name: en.members.invite }).click()
  const guest = newUser('Grace Hopper')
  await invite(page, [guest.email, 'not-an-address', guest.email], { role: en.role.admin, isOpen: true })
  await expect(page.getByText(fill(en.invite.sent, { email: guest.email }))).toBeVisible()
  await expect(page.getByText(fill(en.invite.notAnEmail, { text: 'not-an-address' }))).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: fill(en.invite.removeEmail, { email: 'not-an-address' }) }).click()
  await page.getByRole('dialog').getByLabel(en.invite.emails).fill(guest.email)
  await page.getByRole('dialog').getByRole('button', { name: en.invite.submit }).click()
  await expect(page.getByText(en.refusal.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION)).toBeVisible()

  const context = await browser.newContext()
  const guestPage = await context.newPage()
  await guestPage.goto(await linkTo(page, guest.email))
  await expect(
    guestPage.getByRole('heading', { name: fill(en.invitation.title, { organization: name }) }),
  ).toBeVisible()
  await expect(guestPage).not.toHaveURL(/secret/)
  await expect(guestPage.getByLabel(en.field.email)).toHaveValue(guest.email)
  await checkAccessibility(guestPage)
  // The secret has been removed from the URL and survives a reload.
  await guestPage.reload()
  await guestPage.getByLabel(en.field.name, { exact: true }).fill(guest.name)
  await guestPage.getByLabel(en.field.password, { exact: true }).fill('short')
  await guestPage.getByRole('button', { name: en.invitation.signUpSubmit }).click()
  await expect(guestPage.getByText(en.refusal.PASSWORD_TOO_SHORT)).toBeVisible()
  await guestPage.getByLabel(en.field.password, { exact: true }).fill(password)
  await guestPage.getByRole('button', { name: en.invitation.signUpSubmit }).click()
  await expect(guestPage).toHaveURL(`/o/${slug}`)
  await expect(guestPage.getByText(guest.name)).toBeVisible()

  // Opening the link again: the invitation has been used.
  await guestPage.goto(await linkTo(page, guest.email))
  await expect(guestPage.getByRole('heading', { name: en.invitation.usedTitle })).toBeVisible()
  await guestPage.getByRole('link', { name: en.overview.open }).click()
  await expect(guestPage).toHaveURL(`/o/${slug}`)
  await context.close()
})

test('a user with an account joins by signing in on the invitation page, or declines', async ({ page, browser }) => {
  const guest = await signUpAndVerify(page)
  await page.context().clearCookies()
  await page.goto('/')
  await signUpAndVerify(page)
  const first = await createOrganization(page)
  await page.goto(`/o/${first.slug}/invitations`)
  await invite(page, [guest.email])
  await expect(page.getByText(fill(en.invite.sent, { email: guest.email }))).toBeVisible()
  const link = (await mailsTo(page, guest.email))[0]?.link ?? ''

  // The inviter opens the link: it is addressed to another user.
  await page.goto(link)
  await expect(page.getByRole('heading', { name: en.invitation.otherTitle })).toBeVisible()
  await checkAccessibility(page)

  const context = await browser.newContext()
  const guestPage = await context.newPage()
  await guestPage.goto(link)
  await expect(guestPage.getByText(fill(en.invitation.signInAs, { email: guest.email }))).toBeVisible()
  await checkAccessibility(guestPage)
  await guestPage.getByLabel(en.field.password, { exact: true }).fill('not the password')
  await guestPage.getByRole('button', { name: en.invitation.accept }).click()
  await expect(guestPage.getByRole('alert')).toBeVisible()
  await guestPage.getByLabel(en.field.password, { exact: true }).fill(password)
  await guestPage.getByRole('button', { name: en.invitation.accept }).click()
  await expect(guestPage).toHaveURL(`/o/${first.slug}`)

  // The invitation of a second organization appears on the start page.
  await page.goto('/')
  const second = await createOrganization(page)
  await page.goto(`/o/${second.slug}/invitations`)
  await invite(page, [guest.email])
  await expect(page.getByText(fill(en.invite.sent, { email: guest.email }))).toBeVisible()
  await guestPage.goto('/')
  const task = guestPage.getByText(fill(en.invitation.title, { organization: second.name }))
  await expect(task).toBeVisible()
  await checkAccessibility(guestPage)
  await guestPage.getByRole('button', { name: `${en.invitation.decline}: ${second.name}` }).click()
  await guestPage.getByRole('dialog').getByRole('button', { name: en.invitation.decline }).click()
  await expect(task).toBeHidden()
  await page.reload()
  await page.getByRole('link', { name: en.invite.rejected }).click()
  await expect(page.getByText(guest.email)).toBeVisible()
  await context.close()
})

test('a copied link asks to sign in; cancelled and resent invitations are reported as such', async ({
  page,
  browser,
}) => {
  const owner = await signUpAndVerify(page)
  const { slug, name } = await createOrganization(page)
  const guest = newUser('Mary')
  await page.goto(`/o/${slug}/invitations`)
  await invite(page, [guest.email])
  await expect(page.getByText(fill(en.invite.sent, { email: guest.email }))).toBeVisible()
  const former = await linkTo(page, guest.email)
  const actions = page.getByRole('button', { name: fill(en.common.actions, { name: guest.email }) })
  await actions.click()
  await expect(page.getByRole('menuitem', { name: en.invite.cancel })).toBeVisible()
  // The table scrolls, but does not clip the menu of its last row.
  for (const item of await page.getByRole('menuitem').all()) await expect(item).toBeInViewport({ ratio: 1 })
  await checkAccessibility(page)
  await page.getByRole('menuitem', { name: en.invite.resend }).click()
  await expect(page.getByText(fill(en.invite.resent, { email: guest.email }))).toBeVisible()

  const context = await browser.newContext()
  const guestPage = await context.newPage()
  // A copied link has no secret, and the secret of the earlier email is void: both lead to the same screen.
  await guestPage.goto(former)
  await expect(guestPage.getByRole('heading', { name: en.invitation.needTitle })).toBeVisible()
  await checkAccessibility(guestPage)
  const newest = await linkTo(page, guest.email)
  await guestPage.goto(newest)
  await expect(
    guestPage.getByRole('heading', { name: fill(en.invitation.title, { organization: name }) }),
  ).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: en.invite.cancel }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.invite.cancel }).click()
  await expect(page.getByText(fill(en.invite.canceledFor, { email: guest.email }))).toBeVisible()
  // Exactly one tab is the current one, with its count.
  await page.getByRole('link', { name: new RegExp(`^${en.invite.canceled}`) }).click()
  await expect(page.getByRole('table').getByText(guest.email)).toBeVisible()
  const current = page.getByRole('navigation', { name: en.invite.list }).locator('[aria-current="page"]')
  await expect(current).toHaveText(`${en.invite.canceled}1`)
  await guestPage.goto(newest)
  await expect(guestPage.getByRole('heading', { name: en.invitation.canceledTitle })).toBeVisible()
  await expect(guestPage.getByText(fill(en.invitation.requestNew, { inviter: owner.name }))).toBeVisible()
  await checkAccessibility(guestPage)
  await context.close()
})

test('members can be searched, change role and team, and lose access immediately when removed', async ({
  page,
  browser,
}) => {
  await signUpAndVerify(page)
  const { slug, name } = await createOrganization(page)
  await page.goto(`/o/${slug}/teams`)
  await expect(page.getByText(en.teams.yours)).toBeVisible()
  await createTeam(page, 'Ice cream')
  await checkAccessibility(page)
  await choose(page, 'Ice cream', en.teams.rename)
  await checkAccessibility(page)
  await page.getByRole('dialog').getByLabel(en.field.name, { exact: true }).fill('Sorbet')
  await page.getByRole('dialog').getByRole('button', { name: en.common.save }).click()
  await expect(page.getByRole('table').getByText('Sorbet')).toBeVisible()
  // The focus returns to the menu of the row.
  await expect(page.getByRole('button', { name: fill(en.common.actions, { name: 'Sorbet' }) })).toBeFocused()

  await page.goto(`/o/${slug}/invitations`)
  const guest = newUser('Grace Hopper')
  await invite(page, [guest.email])
  const context = await browser.newContext()
  const guestPage = await context.newPage()
  await guestPage.goto(await linkTo(page, guest.email))
  await guestPage.getByLabel(en.field.name, { exact: true }).fill(guest.name)
  await guestPage.getByLabel(en.field.password, { exact: true }).fill(password)
  await guestPage.getByRole('button', { name: en.invitation.signUpSubmit }).click()
  await expect(guestPage).toHaveURL(`/o/${slug}`)
  // A plain member has read-only access.
  await expect(guestPage.getByRole('button', { name: new RegExp(fill(en.common.actions, { name: '' })) })).toHaveCount(
    0,
  )
  await guestPage.goto(`/o/${slug}/settings`)
  await expect(guestPage.getByText(en.organization.readOnly)).toBeVisible()
  await checkAccessibility(guestPage)

  await page.goto(`/o/${slug}`)
  await page.getByLabel(en.common.search).fill('GRACE')
  await expect(page.getByText(guest.email)).toBeVisible()
  await expect(page.getByRole('table').getByText(en.members.you, { exact: true })).toBeHidden()
  await expect(page).toHaveURL(/q=GRACE/)
  await choose(page, guest.name, en.members.change)
  await expect(page.getByText(en.roleHint.admin)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('radio', { name: en.role.admin }).check()
  await page.getByRole('dialog').getByLabel(en.common.team).selectOption('Sorbet')
  await page.getByRole('button', { name: en.common.save }).click()
  const changed = fill(en.members.roleSaved, { name: guest.name, role: en.role.admin })
  await expect(page.getByText(changed)).toBeVisible()
  await expect(page.getByRole('table').getByText('Sorbet')).toBeVisible()
  await page.goto(`/o/${slug}/teams`)
  await choose(page, 'Sorbet', en.teams.members)
  await expect(page.getByRole('dialog').getByText(guest.email)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('button', { name: fill(en.teams.takeOut, { name: guest.name }) }).click()
  await expect(page.getByText(en.teams.empty)).toBeVisible()
  await page.getByRole('button', { name: en.toast.undo }).click()
  await expect(page.getByRole('dialog').getByText(guest.email)).toBeVisible()
  await page.goto(`/o/${slug}?q=${guest.email}`)
  await guestPage.goto(`/o/${slug}`)
  await expect(guestPage.getByRole('link', { name: en.members.invite })).toBeVisible()

  await choose(page, guest.name, en.common.remove)
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.common.remove }).click()
  await expect(page.getByText(fill(en.members.removed, { name: guest.name }))).toBeVisible()
  await guestPage.goto(`/o/${slug}`)
  await expect(guestPage.getByRole('heading', { name: en.organization.foreignTitle })).toBeVisible()
  await checkAccessibility(guestPage)
  await guestPage.getByRole('link', { name: en.common.toHome }).click()
  await expect(guestPage.getByText(name)).toBeHidden()
  await context.close()
})

test('several members are removed at once; what was done before a failure is told', async ({
  page,
  playwright,
  baseURL,
}) => {
  await signUpAndVerify(page)
  const { slug } = await createOrganization(page)
  const headers = { origin: baseURL ?? '' }
  const guests = ['Ann One', 'Ben Two', 'Cem Three'].map((name) => newUser(name))
  for (const { name, email } of guests) {
    const invited = await page.request.post('/api/auth/organization/invite-member', {
      data: { email, role: 'member' },
      headers,
    })
    const { id } = await invited.json()
    const secret = new URL(await linkTo(page, email)).searchParams.get('secret')
    const other = await playwright.request.newContext({ baseURL: baseURL ?? '', extraHTTPHeaders: headers })
    const joined = await other.post('/api/trpc/invitation.joinByLink', {
      data: { invitationId: id, secret, name, password },
    })
    expect(joined.status()).toBe(200)
    await other.dispose()
  }
  await page.goto(`/o/${slug}?sort=name`)
  for (const { name } of guests) await page.getByRole('checkbox', { name: new RegExp(name) }).check()
  await expect(page.getByText(fill(en.table.selected, { count: '3' }))).toBeVisible()
  await page.getByRole('button', { name: en.members.changeRole }).click()
  await page.getByRole('radio', { name: en.role.admin }).check()
  await page.getByRole('dialog').getByRole('button', { name: en.common.save }).click()
  await expect(page.getByText(fill(en.members.severalDone, { count: '3' }))).toBeVisible()
  const administrators = page.getByRole('table').getByText(en.role.admin, { exact: true })
  await expect(administrators).toHaveCount(3)
  await page.getByRole('button', { name: en.toast.undo }).click()
  await expect(administrators).toHaveCount(0)
  for (const { name } of guests) await page.getByRole('checkbox', { name: new RegExp(name) }).check()
  // The connection is lost after the first one.
  let calls = 0
  await page.route(/organization\.removeMember/, (route) => (calls++ === 0 ? route.continue() : route.abort()))
  const bar = page.getByRole('button', { name: en.common.remove, exact: true })
  await bar.click()
  await page.getByRole('dialog').getByRole('button', { name: en.common.remove }).click()
  await expect(page.getByText(fill(en.table.severalLeft, { done: '1', total: '3' }))).toBeVisible()
  await checkAccessibility(page)
  await page.unroute(/organization\.removeMember/)
  await page.getByRole('dialog').getByRole('button', { name: en.common.remove }).click()
  await expect(page.getByText(fill(en.members.severalRemoved, { count: '2' }))).toBeVisible()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
})

test('several invitations are resent and canceled at once', async ({ page }) => {
  await signUpAndVerify(page)
  const { slug } = await createOrganization(page)
  const guests = [newUser('Ann One'), newUser('Ben Two')]
  for (const { email } of guests) {
    await page.request.post('/api/auth/organization/invite-member', {
      data: { email, role: 'member' },
      headers: { origin: new URL(page.url()).origin },
    })
  }
  await page.goto(`/o/${slug}/invitations`)
  const all = page.getByRole('checkbox', { name: en.table.selectAll })
  await all.check()
  await page.getByRole('button', { name: en.invite.resend }).click()
  await expect(page.getByText(fill(en.invite.severalResent, { count: '2' }))).toBeVisible()
  for (const { email } of guests) expect(await mailsTo(page, email)).toHaveLength(2)
  await all.check()
  await page.getByRole('button', { name: en.invite.cancelSeveralSubmit }).click()
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.invite.cancelSeveralSubmit }).click()
  await expect(page.getByText(fill(en.invite.severalCanceled, { count: '2' }))).toBeVisible()
  await expect(page.getByText(en.invite.emptyDescription)).toBeVisible()
})

test('settings can be changed, ownership transferred, and the organization deleted', async ({ page, browser }) => {
  const owner = await signUpAndVerify(page)
  const { slug, name } = await createOrganization(page)
  await page.getByRole('link', { name: en.menu.settings, exact: true }).click()
  await checkAccessibility(page)
  await page.getByRole('link', { name: en.organization.danger }).click()
  await expect(page.getByText(en.organization.soleOwner)).toBeVisible()
  await expect(page.getByText(en.organization.noCandidates)).toBeVisible()
  await checkAccessibility(page)
  await page.getByRole('link', { name: en.organization.general }).click()
  const next = `ajax-${Date.now()}`
  await page.getByLabel(en.field.name, { exact: true }).fill('Ajax')
  await page.getByLabel(en.create.slug, { exact: true }).fill(next)
  await page.getByRole('button', { name: en.common.save }).click()
  await expect(page).toHaveURL(`/o/${next}/settings`)
  await expect(page.getByRole('button', { name: fill(en.switcher.current, { name: 'Ajax' }) })).toBeVisible()

  await page.goto(`/o/${next}/invitations`)
  const guest = newUser('Grace Hopper')
  await invite(page, [guest.email])
  const context = await browser.newContext()
  const guestPage = await context.newPage()
  await guestPage.goto(await linkTo(page, guest.email))
  await guestPage.getByLabel(en.field.name, { exact: true }).fill(guest.name)
  await guestPage.getByLabel(en.field.password, { exact: true }).fill(password)
  await guestPage.getByRole('button', { name: en.invitation.signUpSubmit }).click()
  await expect(guestPage).toHaveURL(`/o/${next}`)

  await page.goto(`/o/${next}/settings/danger`)
  await page.getByRole('button', { name: en.organization.transfer }).click()
  await page.getByRole('combobox', { name: en.organization.newOwner }).fill('grace')
  await page.getByRole('option', { name: guest.email }).click()
  await checkAccessibility(page)
  await page.getByRole('dialog').getByRole('button', { name: en.organization.transfer }).click()
  await expect(page.getByRole('button', { name: fill(en.members.leave, { organization: 'Ajax' }) })).toBeVisible()
  await expect(page.getByRole('button', { name: en.organization.delete })).toBeHidden()
  expect((await mailsTo(page, guest.email))[0]?.kind).toBe('ownershipReceived')
  await page.getByRole('button', { name: fill(en.members.leave, { organization: 'Ajax' }) }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: fill(en.members.leave, { organization: 'Ajax' }) })
    .click()
  await expect(page.getByRole('heading', { name: fill(en.home.title, { name: owner.name }) })).toBeVisible()
  await expect(page.getByText(en.overview.empty)).toBeVisible()
  await expect(page.getByText(fill(en.members.left, { organization: 'Ajax' }))).toBeVisible()
  // The navigation no longer leads to it.
  await expect(page.getByRole('link', { name: en.members.title })).toHaveCount(0)
  expect(name).not.toBe('Ajax')
  expect(slug).not.toBe(next)

  await guestPage.goto(`/o/${next}/settings/danger`)
  await guestPage.getByRole('button', { name: en.organization.delete }).click()
  await guestPage.getByLabel(fill(en.deleteAccount.type, { email: next })).fill(next)
  await guestPage.getByRole('dialog').getByRole('button', { name: en.organization.delete }).click()
  await expect(guestPage.getByRole('heading', { name: fill(en.home.title, { name: guest.name }) })).toBeVisible()
  await expect(guestPage.getByText(en.overview.empty)).toBeVisible()
  await expect(guestPage.getByText(fill(en.organization.deleted, { organization: 'Ajax' }))).toBeVisible()
  await expect(guestPage.getByRole('link', { name: en.members.title })).toHaveCount(0)
  await context.close()
})

test('two tabs with different organizations do not interfere', async ({ page }) => {
  await signUpAndVerify(page)
  const one = await createOrganization(page)
  await page.goto('/')
  const two = await createOrganization(page)
  const other = await page.context().newPage()
  await other.goto(`/o/${one.slug}/teams`)
  await createTeam(other, 'Of the first')
  await page.getByRole('link', { name: en.teams.title }).click()
  await createTeam(page, 'Of the second')
  await expect(page.getByText('Of the first')).toBeHidden()
  await expect(page).toHaveURL(`/o/${two.slug}/teams`)
  await other.reload()
  await expect(other.getByText('Of the second')).toBeHidden()
  await other.close()
})

test('owners read the audit log of an organization, filter it, and save it as a file', async ({ page }) => {
  const owner = await signUpAndVerify(page)
  const { slug } = await createOrganization(page)
  await page.goto(`/o/${slug}/teams`)
  await createTeam(page, 'Blue')
  await page.goto('/')
  await page.goto(`/o/${slug}`)
  await page.getByRole('link', { name: en.activity.auditTitle }).click()
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.nth(1)).toContainText(en.event.team_created)
  await expect(rows.nth(2)).toContainText(en.event.organization_created)
  await checkAccessibility(page)
  // By person: the server searches among the members.
  await page.getByRole('combobox', { name: en.activity.who }).fill(owner.name)
  await page.getByRole('option', { name: owner.email }).click()
  await expect(page).toHaveURL(/actor=/)
  await expect(rows.nth(2)).toContainText(en.event.organization_created)
  // By day, in the browser's time zone.
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel(en.activity.to, { exact: true }).fill(dayAfter(-2))
  await expect(page.getByText(en.common.nothingFound)).toBeVisible()
  await page.getByLabel(en.activity.to, { exact: true }).fill(dayAfter(2))
  await expect(rows.nth(1)).toContainText(en.event.team_created)
  await page.reload()
  await expect(page.getByRole('combobox', { name: en.activity.who })).toHaveValue(new RegExp(owner.name))
  await expect(rows.nth(1)).toContainText(en.event.team_created)
  await checkAccessibility(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: en.activity.export }).click()
  const lines = (await readFile((await (await saved).path()) ?? '', 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['team.created', 'organization.created'])
})

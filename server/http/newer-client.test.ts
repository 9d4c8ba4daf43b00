import { describe, expect, it } from 'vitest'
import { startEmulator, providerSettings, providerUser } from '../testing/emulator.ts'
import { createOrganizationOwner, createInvitation, createMember } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createAdministrator, createUser } from '../testing/test-users.ts'

const emulator = await startEmulator()
const testApp = await createTestApp()

describe('calls that the client of better-auth 1.7 renames or adds', () => {
  it('request-password-reset is forget-password', async () => {
    const person = await createUser(testApp)
    const { status, body } = await testApp.browser().post('/request-password-reset', { email: person.email })
    expect([status, body]).toEqual([200, { status: true }])
    expect((await testApp.mails(person.email))[0]?.kind).toBe('resetPassword')
  })

  it('list-members pages, sorts and is for members only', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const path = `/organization/list-members?organizationId=${owner.organization.id}`
    const { body } = await member.browser.get(path)
    expect(body).toMatchObject({
      total: 2,
      members: [{ userId: owner.id, user: { email: owner.email } }, { userId: member.id }],
    })
    const { body: last } = await owner.browser.get(`/organization/list-members?limit=1&offset=0&sortDirection=desc`)
    expect(last).toMatchObject({ total: 2, members: [{ userId: member.id }] })
    expect((await (await createUser(testApp)).browser.get(path)).status).toBe(403)
    expect((await owner.browser.get(`${path}&limit=0`)).status).toBe(400)
  })

  it('get-active-member-role returns a role', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const path = '/organization/get-active-member-role'
    expect((await member.browser.get(path)).body).toEqual({ role: 'member' })
    expect((await member.browser.get(`${path}?userId=${owner.id}`)).body).toEqual({ role: 'owner' })
    expect((await member.browser.get(`${path}?userId=nobody`)).body.code).toBe('MEMBER_NOT_FOUND')
    const stranger = await createUser(testApp)
    expect((await stranger.browser.get(`${path}?organizationId=${owner.organization.id}`)).status).toBe(403)
  })

  it('list-user-invitations lists open invitations of the caller', async () => {
    const owner = await createOrganizationOwner(testApp)
    const person = await createUser(testApp)
    const id = await createInvitation(owner, person.email)
    expect((await person.browser.get('/organization/list-user-invitations')).body).toMatchObject([
      { id, organizationName: owner.organization.name, status: 'pending' },
    ])
  })

  it('account-info is the current profile at the provider', async () => {
    const social = await createTestApp(providerSettings)
    const person = await createUser(social)
    const profile = providerUser()
    emulator.install()
    try {
      const link = await person.browser.post('/link-social', { provider: 'gitlab', callbackURL: '/' })
      await person.browser.get(emulator.consent(link.body.url, profile).callback.href)
      const { body: accounts } = await person.browser.get('/list-accounts')
      const { accountId } = accounts.find(({ provider }: { provider: string }) => provider === 'gitlab')
      const path = `/account-info?accountId=${accountId}`
      const { status, body } = await person.browser.get(path)
      expect([status, body.user]).toEqual([200, expect.objectContaining({ id: accountId, email: profile.email })])
      const other = await createUser(social)
      expect((await other.browser.get(path)).body.code).toBe('ACCOUNT_NOT_FOUND')
      expect((await person.browser.get('/account-info')).status).toBe(400)
      expect((await social.browser().get(path)).status).toBe(401)
    } finally {
      emulator.uninstall()
    }
  })

  it('admin/get-user takes the id under both names', async () => {
    const admin = await createAdministrator(testApp)
    const person = await createUser(testApp)
    for (const name of ['userId', 'id'])
      expect((await admin.browser.get(`/admin/get-user?${name}=${person.id}`)).body).toMatchObject({ id: person.id })
    expect((await admin.browser.get('/admin/get-user')).status).toBe(400)
  })

  it('get-access-token is for linked identities', async () => {
    const person = await createUser(testApp)
    const { body } = await person.browser.post('/get-access-token', { providerId: 'github' })
    expect(body.code).toBe('ACCOUNT_NOT_FOUND')
  })
})

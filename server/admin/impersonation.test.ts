import { adminClient } from 'better-auth/client/plugins'
import { describe, expect, it } from 'vitest'
import { proceduresOf } from '../http/procedures.ts'
import { appRouter } from '../router.ts'
import { authorizationOf, follow, registerApplication } from '../testing/applications.ts'
import { clientWith } from '../testing/better-auth.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import { createAdministrator, password, type TestUser, createUser, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()
const clientOf = (person: Pick<TestUser, 'browser'>, own = testApp) => clientWith(adminClient(), person, own)

const eventsAbout = (id: string, type: string) =>
  testApp.db.event.findMany({ where: { subjectId: id, type }, orderBy: { id: 'asc' } })

describe('impersonation', () => {
  const begin = async (more: { admin?: TestUser; person?: TestUser } = {}) => {
    const admin = more.admin ?? (await createAdministrator(testApp))
    const person = more.person ?? (await createUser(testApp))
    const own = admin.browser.copy()
    const { data, error } = await clientOf(admin).admin.impersonateUser({ userId: person.id })
    expect(error).toBeNull()
    return { admin, person, own, data }
  }

  it('acts as the user, and restores the administrator’s session', async () => {
    const { admin, person, data } = await begin()
    expect(data).toMatchObject({ user: { id: person.id }, session: { userId: person.id, impersonatedBy: admin.id } })
    expect(Date.parse(data.session.expiresAt) - Date.parse(data.session.createdAt)).toBeLessThanOrEqual(3_600_000)
    const current = (await admin.browser.get('/get-session')).body
    expect([current.user.id, current.session.impersonatedBy]).toEqual([person.id, admin.id])
    // The user does not see this session in the device list.
    expect((await person.browser.get('/list-sessions')).body.length).toBe(1)
    const { trpc } = admin.browser
    expect(await trpc.admin.impersonation.query()).toEqual({
      administrator: { id: admin.id, name: admin.name, email: admin.email },
      sessionId: undefined,
    })
    const { data: stopped } = await clientOf(admin).admin.stopImpersonating()
    expect(stopped).toMatchObject({ user: { id: admin.id }, session: { userId: admin.id } })
    expect((await admin.browser.get('/get-session')).body.user.id).toBe(admin.id)
    expect(admin.browser.jar.has('foyer.admin_session')).toBe(false)
    const again = await clientOf(admin).admin.stopImpersonating()
    expect(again.error).toMatchObject({ status: 400, code: 'YOU_ARE_NOT_IMPERSONATING_ANYONE' })
    const [started] = await eventsAbout(person.id, 'user.impersonation_started')
    expect(started).toMatchObject({ actorId: admin.id })
    expect((await eventsAbout(person.id, 'user.impersonation_ended')).length).toBe(1)
  })

  it('names both people in its events', async () => {
    const person = await createOrganizationOwner(testApp)
    const { admin } = await begin({ person })
    await admin.browser.post('/organization/update', { organizationId: person.organization.id, data: { name: 'Made' } })
    const where = { organizationId: person.organization.id, type: 'organization.updated' }
    const event = await testApp.db.event.findFirst({ where })
    expect(event).toMatchObject({ actorId: person.id, data: { impersonatorId: admin.id } })
    const { events } = (await person.browser.get('/list-activity')).body
    const shown = events.find(({ type }: { type: string }) => type === 'organization.updated')
    expect(shown ?? { impersonatorName: admin.name }).toMatchObject({ impersonatorName: admin.name })
    const { token } = (await admin.browser.get('/token')).body
    expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toMatchObject({
      sub: person.id,
      act: { sub: admin.id },
    })
  })

  it('refuses calls with lasting effects', async () => {
    const { admin, person } = await begin()
    const { browser } = admin
    const attempts: [string, object][] = [
      ['/change-password', { currentPassword: password, newPassword: 'another long phrase here' }],
      ['/change-email', { newEmail: newUserData().email }],
      ['/update-user', { name: 'Mallory' }],
      ['/update-user', { username: 'mallory' }],
      ['/delete-user', {}],
      ['/delete-user', { password }],
      ['/link-social', { provider: 'github', callbackURL: '/' }],
      ['/unlink-account', { providerId: 'credential' }],
      ['/api-key/create', { name: 'lasting' }],
      ['/revoke-sessions', {}],
      ['/revoke-other-sessions', {}],
      ['/refresh-token', { providerId: 'github' }],
      ['/get-access-token', { providerId: 'github' }],
      ['/organization/create', { name: 'Lasting', slug: `lasting-${Date.now()}` }],
      ['/organization/cancel-invitation', { invitationId: 'x' }],
      ['/organization/remove-team', { teamId: 'x' }],
    ]
    for (const [path, body] of attempts) {
      const { status, body: answer } = await browser.post(path, body)
      expect([path, status, answer.code]).toEqual([path, 403, 'NOT_WHILE_IMPERSONATING'])
    }
    const link = await browser.get('/delete-user/callback?token=x', { accept: 'application/json' })
    expect(link.status).toBeGreaterThanOrEqual(400)
    await expect(browser.trpc.session.reauthenticate.mutate({ password })).rejects.toThrow('impersonating')
    expect(await testApp.db.user.findUnique({ where: { id: person.id } })).toMatchObject({
      email: person.email,
      name: person.name,
    })
    expect(await testApp.db.apiKey.count({ where: { userId: person.id } })).toBe(0)
    // It has no access to the administration either.
    expect((await browser.post('/admin/impersonate-user', { userId: admin.id })).status).toBe(403)
  })

  it('is refused for administrators, banned users and unknown users', async () => {
    const admin = await createAdministrator(testApp)
    const client = clientOf(admin)
    const impersonate = async (userId: string) => (await client.admin.impersonateUser({ userId })).error
    const other = await createAdministrator(testApp)
    expect(await impersonate(other.id)).toMatchObject({ status: 403, code: 'YOU_CANNOT_IMPERSONATE_ADMINS' })
    expect(await impersonate(admin.id)).toMatchObject({ status: 403, code: 'YOU_CANNOT_IMPERSONATE_ADMINS' })
    expect(await impersonate('nobody')).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    const banned = await createUser(testApp)
    await client.admin.banUser({ userId: banned.id })
    expect(await impersonate(banned.id)).toMatchObject({ status: 403, code: 'BANNED_USER' })
  })

  const endings: [
    string,
    (own: TestApp, admin: TestUser & { own: TestUser['browser'] }, person: TestUser) => Promise<unknown>,
  ][] = [
    ['after an hour', async (own) => own.advanceClock(3_601)],
    ['when the administrator signs out elsewhere', (_own, admin) => admin.own.post('/sign-out')],
    [
      'when the administrator is banned',
      async (own, admin) => (await createAdministrator(own)).browser.post('/admin/ban-user', { userId: admin.id }),
    ],
    [
      'when the administrator is banned in the database',
      (own, admin) => own.db.user.update({ where: { id: admin.id }, data: { bannedAt: new Date() } }),
    ],
    [
      'when the administrator is demoted',
      async (own, admin) =>
        (await createAdministrator(own)).browser.post('/admin/set-role', { userId: admin.id, role: 'user' }),
    ],
    [
      'when the administrator is removed',
      async (own, admin) => (await createAdministrator(own)).browser.post('/admin/remove-user', { userId: admin.id }),
    ],
    [
      'when the user becomes an administrator',
      async (own, _admin, person) =>
        (await createAdministrator(own)).browser.post('/admin/set-role', { userId: person.id, role: 'admin' }),
    ],
    ['when the user ends all sessions', (_own, _admin, person) => person.browser.post('/revoke-sessions')],
  ]
  it.each(endings)('ends %s', async (_name, end) => {
    const own = await createTestApp()
    const admin = await createAdministrator(own)
    const person = await createUser(own)
    const before = admin.browser.copy()
    expect((await admin.browser.post('/admin/impersonate-user', { userId: person.id })).status).toBe(200)
    expect((await admin.browser.get('/organization/list')).status).toBe(200)
    await end(own, { ...admin, own: before }, person)
    expect((await admin.browser.get('/organization/list')).status).toBe(401)
  })

  it('does not restore another administrator’s session, nor one that has ended', async () => {
    const first = await begin()
    const second = await begin()
    // The cookie of another administrator, and an altered cookie.
    first.admin.browser.jar.set('foyer.admin_session', second.admin.browser.jar.get('foyer.admin_session') ?? '')
    expect((await first.admin.browser.post('/admin/stop-impersonating')).status).toBe(401)
    expect((await first.admin.browser.get('/get-session')).body).toBeNull()
    second.admin.browser.jar.set('foyer.admin_session', 'x'.repeat(43))
    expect((await second.admin.browser.post('/admin/stop-impersonating')).status).toBe(401)
  })

  it('allows only the listed mutations', async () => {
    const { admin } = await begin()
    const open: string[] = []
    for (const { name, isQuery, meta } of proceduresOf(appRouter)) {
      if (isQuery || name === 'session.signOut') continue
      // Pictures are uploaded over REST only.
      const path = meta.bodyType ? meta.rest?.split(' ')[1] : `/api/trpc/${name}`
      const { status, body } = await admin.browser.request(path ?? '', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
      const reason = status === 200 ? '' : (body.error?.data.reason ?? body.code)
      if (reason !== 'NOT_WHILE_IMPERSONATING' && !/^YOU_ARE_NOT_(?:ALLOWED_TO_\w+_USERS|AN_ADM)/.test(reason))
        open.push(name)
      // Some of the calls end the impersonation.
      if ((await admin.browser.get('/get-session')).body?.session.impersonatedBy !== admin.id) {
        const again = await createAdministrator(testApp)
        admin.browser.jar.clear()
        for (const [key, value] of again.browser.jar) admin.browser.jar.set(key, value)
        admin.id = again.id
        const { id } = await createUser(testApp)
        await admin.browser.post('/admin/impersonate-user', { userId: id })
      }
    }
    // In addition to calls without a session, and those that refuse once a code was given: everyday work in an
    // organization, and calls without lasting effects.
    const withoutSession =
      /^session\.(?:signIn|readMagicLink|sendEmail|verifyEmail|forgetPasswordCode|resetPasswordCode)|^twoFactor\.(?:sendOtp|verify)|^passkey\.authenticate|^account\.(?:signUp|claim|reject|resetPassword|forgetPassword|sendVerification|readVerification)|^payment\.\w+License$|^invitation\.\w+ByLink$/
    expect(open.filter((name) => !withoutSession.test(name))).toEqual([
      'organization.checkSlug',
      'organization.update',
      'organization.setActive',
      'organization.hasPermission',
      'team.create',
      'team.update',
      'picture.upload',
      'admin.stopImpersonating',
      'admin.hasPermission',
    ])
  })

  it('does not follow an emailed link that changes the email address', async () => {
    const admin = await createAdministrator(testApp)
    const person = await createUser(testApp)
    await person.browser.post('/change-email', { newEmail: newUserData().email })
    const link = await emailedLink(testApp, person.email, 'confirmEmailChange')
    await begin({ admin, person })
    await admin.browser.get(link)
    expect(await testApp.db.user.findUnique({ where: { id: person.id } })).toMatchObject({ email: person.email })
    await person.browser.get(link)
    expect((await testApp.db.user.findUnique({ where: { id: person.id } }))?.email).not.toBe(person.email)
  })

  it('ends with a sign-in in this browser, together with the administrator’s session', async () => {
    const { admin, own } = await begin()
    const other = await createUser(testApp)
    await admin.browser.post('/sign-in/email', { email: other.email, password })
    expect(admin.browser.jar.has('foyer.admin_session')).toBe(false)
    expect((await own.get('/list-sessions')).status).toBe(401)
  })

  it('ended by the user, restores the administrator’s session on request', async () => {
    const { admin, person } = await begin()
    await person.browser.post('/revoke-other-sessions')
    expect((await admin.browser.post('/organization/create', { name: 'X', slug: `x-${Date.now()}` })).status).toBe(401)
    expect((await admin.browser.get('/get-session')).body).toBeNull()
    const { body } = await admin.browser.post('/admin/stop-impersonating')
    expect(body.user.id).toBe(admin.id)
    expect((await admin.browser.get('/admin/list-users')).status).toBe(200)
  })

  it('reveals the administrator’s IP address to no one', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { admin } = await begin({ person: owner })
    const { id: organizationId } = owner.organization
    await admin.browser.post('/organization/update', { data: { name: 'Renamed' }, organizationId })
    const log = await owner.browser.trpc.organization.activity.query({ organizationId })
    const event = log.events.find(({ type }) => type === 'organization.updated')
    expect(event).toMatchObject({ impersonatorName: admin.name, ipAddress: '', browser: null })
    await admin.browser.post('/sign-out', {}, { 'x-api-key': 'anything' })
    expect((await eventsAbout(owner.id, 'user.impersonation_ended')).length).toBe(1)
    const [left] = await eventsAbout(owner.id, 'user.signed_out')
    expect(left).toMatchObject({ data: { impersonatorId: admin.id } })
  })

  it('is not stopped with an API key, nor from a page of another site', async () => {
    const { admin, person } = await begin()
    const { browser } = admin
    const withKey = await browser.post('/admin/stop-impersonating', {}, { 'x-api-key': 'anything' })
    expect([withKey.status, withKey.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    // A form from another site is sent without cookies, and must not clear them.
    const form = await testApp.browser().request('/api/auth/admin/stop-impersonating', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    })
    expect([form.status, form.cookies]).toEqual([403, []])
    expect((await browser.get('/get-session')).body.user.id).toBe(person.id)
  })

  it('stopped by two concurrent requests, ends once and keeps the administrator’s session', async () => {
    const { admin, person, own } = await begin()
    const tabs = [admin.browser.copy(), admin.browser.copy()]
    const answers = await Promise.all(tabs.map((tab) => tab.post('/admin/stop-impersonating')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await own.get('/list-sessions')).status).toBe(200)
    expect((await eventsAbout(person.id, 'user.impersonation_ended')).length).toBe(1)
  })

  it('grants nothing to applications', async () => {
    const { admin, own } = await begin()
    const application = await registerApplication(testApp)
    const { url } = await authorizationOf(application)
    const { at } = await follow(admin.browser, url, testApp.origin)
    expect([at.origin, at.pathname, at.search]).toEqual([testApp.origin, '/error', '?error=impersonating'])
    // In the administrator's own session, the request continues.
    expect((await follow(own, url, testApp.origin)).at.searchParams.get('code')).toEqual(expect.any(String))
  })

  it('ends both sessions on sign-out', async () => {
    const { admin, own } = await begin()
    await admin.browser.post('/sign-out')
    expect((await admin.browser.get('/get-session')).body).toBeNull()
    expect((await own.get('/list-sessions')).status).toBe(401)
  })

  it('signs out completely or not at all, so that the end of an impersonation is always recorded', async () => {
    const broken = await createTestApp()
    const admin = await createAdministrator(broken)
    const person = await createUser(broken)
    await clientOf(admin, broken).admin.impersonateUser({ userId: person.id })
    await broken.pool.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fail before insert on "Event" for each row when (new.type = 'user.impersonation_ended')
      execute function fail()`)
    expect((await admin.browser.post('/sign-out')).status).toBe(500)
    expect((await admin.browser.get('/get-session')).body.user.id).toBe(person.id)
    await broken.pool.query('drop function fail cascade')
    expect((await admin.browser.post('/sign-out')).status).toBe(200)
    const events = await broken.db.event.findMany({
      where: { type: { in: ['user.signed_out', 'user.impersonation_ended'] } },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ type, actorId, subjectId }) => [type, actorId, subjectId])).toEqual([
      ['user.signed_out', person.id, person.id],
      ['user.impersonation_ended', admin.id, person.id],
      ['user.signed_out', admin.id, admin.id],
    ])
  })
})

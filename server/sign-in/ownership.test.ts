import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdminCommand } from '../admin/command.ts'
import { sweep } from '../maintenance/sweep.ts'
import type { Browser } from '../testing/browser.ts'
import { startEmulator, providerSettings, providerUser } from '../testing/emulator.ts'
import { createOrganizationOwner, createInvitation, secretFor } from '../testing/organizations.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import { password, createUser, createUnverifiedUser, signInElsewhere, newUserData } from '../testing/test-users.ts'

/** Interactions of two features: neither may be used to bypass the other. */
const emulator = await startEmulator()
beforeAll(() => emulator.install())
afterAll(() => emulator.uninstall())

const testApp = await createTestApp(providerSettings)
const boss = 'boss@example.test'
const own = 'a sentence that only the owner knows'

async function signInByProvider(instance: TestApp, email: string, browser = instance.browser()) {
  const who = { ...providerUser(), email, verified: true }
  const { body } = await browser.post('/sign-in/social', {
    provider: 'gitlab',
    callbackURL: '/',
    errorCallbackURL: '/',
  })
  const { location } = await browser.get(emulator.consent(body.url, who).callback.href)
  return { browser, location, who }
}

async function verified(instance: TestApp, email: string): Promise<Browser> {
  const browser = instance.browser()
  await browser.post('/sign-up/email', { name: 'Boss', email, password })
  await browser.get(await emailedLink(instance, email, 'verifyEmail'))
  return browser
}

const tokenFor = async (instance: TestApp, email: string, kind = 'verifyEmail') =>
  new URL(await emailedLink(instance, email, kind)).searchParams.get('token') ?? ''

/** A user with a pending change of email address. */
async function withPendingEmailChange(instance: TestApp) {
  const person = await createUser(instance)
  const { email } = newUserData()
  await person.browser.post('/change-email', { newEmail: email })
  await person.browser.get(await emailedLink(instance, person.email, 'confirmEmailChange'))
  return { person, email }
}

describe('administrators and providers', () => {
  it('a provider neither makes an administrator nor gives access to an administrator’s account', async () => {
    const instance = await createTestApp({
      ...providerSettings,
      ADMIN_EMAILS: boss,
      SOCIAL_TRUSTED_PROVIDERS: 'gitlab',
    })
    const { browser } = await signInByProvider(instance, boss)
    expect(await instance.db.user.count({ where: { role: 'admin' } })).toBe(0)
    // Resetting the password and signing in with it does not promote the user either.
    await browser.post('/forget-password', { email: boss })
    const token = new URL(await emailedLink(instance, boss, 'resetPassword')).pathname.split('/').at(-1)
    await instance.browser().post('/reset-password', { token, newPassword: own })
    const row = await instance.db.user.findUniqueOrThrow({ where: { email: boss } })
    await instance.browser().post('/sign-in/email', { email: boss, password: own })
    const promoted = await instance.db.user.findUniqueOrThrow({ where: { email: boss } })
    // The email address was verified by a provider only, so no sign-in promotes the user.
    expect([row.emailSource, promoted.role]).toEqual(['provider', 'user'])

    const second = await createTestApp({ ...providerSettings, ADMIN_EMAILS: boss, SOCIAL_TRUSTED_PROVIDERS: 'gitlab' })
    await verified(second, boss)
    const { location } = await signInByProvider(second, boss)
    expect(location).toContain('account_not_linked')
    expect(await second.db.account.count({ where: { providerId: 'gitlab' } })).toBe(0)
  })

  it('a banned user is not promoted', async () => {
    const instance = await createTestApp({ ADMIN_EMAILS: boss })
    await instance.browser().post('/sign-up/email', { name: 'Boss', email: boss, password })
    await instance.db.user.updateMany({ data: { emailVerified: true, bannedAt: new Date() } })
    expect((await instance.browser().post('/sign-in/email', { email: boss, password })).status).toBe(403)
    expect((await instance.db.user.findUniqueOrThrow({ where: { email: boss } })).role).toBe('user')
  })

  it('a grant requires a verified address, and a revocation survives re-registration', async () => {
    const instance = await createTestApp({ ADMIN_EMAILS: boss })
    const other = await createUnverifiedUser(instance)
    expect(await runAdminCommand(instance.app, ['grant', other.email])).toEqual({
      lines: [`${other.email} is not verified: the user has to follow the emailed link first.`],
      status: 1,
    })
    const browser = await verified(instance, boss)
    await runAdminCommand(instance.app, ['revoke', boss])
    await browser.post('/delete-user', { password })
    await verified(instance, boss)
    await instance.browser().post('/sign-in/email', { email: boss, password })
    expect((await instance.db.user.findUniqueOrThrow({ where: { email: boss } })).role).toBe('user')
    expect((await runAdminCommand(instance.app, ['grant', boss])).lines).toEqual([`${boss} is now an administrator.`])
  })

  it('a revocation applies to every address of the administrator', async () => {
    const instance = await createTestApp({ ADMIN_EMAILS: boss })
    const browser = await verified(instance, boss)
    const { email } = newUserData()
    await browser.post('/change-email', { newEmail: email })
    await browser.get(await emailedLink(instance, boss, 'confirmEmailChange'))
    await browser.get(await emailedLink(instance, email, 'verifyEmail'))
    expect((await runAdminCommand(instance.app, ['revoke', email])).lines).toEqual([
      `${email} is now not an administrator.`,
    ])
    await verified(instance, boss)
    expect(await instance.db.user.count({ where: { role: 'admin' } })).toBe(0)
    expect(await instance.db.user.count({ where: { email: boss, emailVerified: true } })).toBe(1)
  })

  it('of two administrators who revoke each other concurrently, one remains', async () => {
    const second = 'second@example.test'
    for (let round = 0; round < 3; round++) {
      const instance = await createTestApp({ ADMIN_EMAILS: `${boss},${second}` })
      const browsers = [await verified(instance, boss), await verified(instance, second)]
      const ids = await Promise.all(
        [second, boss].map(async (email) => (await instance.db.user.findUniqueOrThrow({ where: { email } })).id),
      )
      await Promise.allSettled(
        browsers.map((browser, n) => browser.trpc.admin.setRole.mutate({ userId: ids[n] ?? '', role: 'user' })),
      )
      expect(await instance.db.user.count({ where: { role: 'admin' } })).toBe(1)
    }
  })
})

describe('the last verified address during a change of address', () => {
  it('cannot be taken by sign-up, provider, another change or invitation', async () => {
    const { person } = await withPendingEmailChange(testApp)
    const { email } = person
    expect((await testApp.browser().post('/sign-up/email', { ...newUserData(), email })).body.token).toBeNull()
    const { location } = await signInByProvider(testApp, email)
    expect(location).toContain('error=')
    const thief = await createUnverifiedUser(testApp)
    const change = await thief.browser.post('/change-email', { newEmail: email })
    expect(change.status).not.toBe(200)
    const owner = await createOrganizationOwner(testApp)
    const invitationId = await createInvitation(owner, email)
    const secret = await secretFor(testApp, email)
    const join = testApp.browser().trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'X', password: own })
    await expect(join).rejects.toThrow(/\S/)
    expect(await testApp.db.user.count({ where: { email } })).toBe(0)
    expect(await testApp.db.user.findMany({ where: { previousEmail: email } })).toMatchObject([{ id: person.id }])
  })

  it('is restored immediately, and while a change is pending it confirms every other one', async () => {
    const { person, email } = await withPendingEmailChange(testApp)
    const third = newUserData().email
    await person.browser.post('/change-email', { newEmail: third })
    const stored = () => testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })
    // A stolen session cannot detach the account from its verified email address.
    expect(await stored()).toMatchObject({ email, previousEmail: person.email })
    expect((await testApp.mails(person.email))[0]).toMatchObject({ kind: 'confirmEmailChange' })
    expect((await person.browser.post('/change-email', { newEmail: person.email })).status).toBe(200)
    expect(await stored()).toMatchObject({ email: person.email, emailVerified: true, previousEmail: null })
    const old = await tokenFor(testApp, email)
    expect((await testApp.browser().post('/verify-email/read', { token: old })).status).not.toBe(200)
  })

  it('receives the account’s notifications; the unverified one receives none', async () => {
    const { person, email } = await withPendingEmailChange(testApp)
    await person.browser.post('/change-password', { currentPassword: password, newPassword: own })
    expect((await testApp.mails(person.email))[0]?.kind).toBe('passwordChanged')
    expect((await testApp.mails(email)).map(({ kind }) => kind)).toEqual(['verifyEmail'])
  })
})

describe('an address requested before another account reserves it', () => {
  it('is not assigned by the earlier confirmation', async () => {
    const person = await createUser(testApp)
    const wanted = newUserData()
    await person.browser.post('/change-email', { newEmail: wanted.email })
    const confirmation = await emailedLink(testApp, person.email, 'confirmEmailChange')
    const owner = testApp.browser()
    await owner.post('/sign-up/email', wanted)
    await owner.get(await emailedLink(testApp, wanted.email, 'verifyEmail'))
    await owner.post('/change-email', { newEmail: newUserData().email })
    await owner.get(await emailedLink(testApp, wanted.email, 'confirmEmailChange'))
    expect((await person.browser.get(confirmation)).location ?? '').not.toContain('status')
    const row = await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })
    expect(row).toMatchObject({ email: person.email, emailVerified: true })
    expect((await owner.post('/change-email', { newEmail: wanted.email })).status).toBe(200)
    expect(await testApp.db.user.findUnique({ where: { email: wanted.email } })).toMatchObject({ previousEmail: null })
  })
})

describe('a link that another site opens', () => {
  it('asks before it verifies a change, and the signed-in owner confirms it there', async () => {
    const { person, email } = await withPendingEmailChange(testApp)
    const link = await emailedLink(testApp, email, 'verifyEmail')
    // A page of ours may also be the referrer, through the `next` parameter of the sign-in.
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      const headers = { 'sec-fetch-site': site, accept: 'text/html' }
      const lured = await person.browser.request(link, { headers })
      expect([site, lured.location]).toEqual([site, expect.stringMatching(/^\/verify\?token=/)])
    }
    const stored = () => testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })
    expect(await stored()).toMatchObject({ email, emailVerified: false })
    const token = await tokenFor(testApp, email)
    expect((await person.browser.post('/verify-email/read', { token })).body).toMatchObject({ isMine: true })
    const other = await createUser(testApp)
    expect((await other.browser.post('/verify-email/confirm', { token })).body.code).toBe('UNAUTHORIZED')
    expect((await person.browser.post('/verify-email/confirm', { token })).status).toBe(200)
    expect(await stored()).toMatchObject({ email, emailVerified: true, previousEmail: null })
  })

  it('changes nothing as the picture of another user, and is not accepted as one', async () => {
    const { person, email } = await withPendingEmailChange(testApp)
    const link = await emailedLink(testApp, email, 'verifyEmail')
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
    const loaded = await person.browser.request(link, { headers: { ...headers, accept: 'image/avif,*/*;q=0.8' } })
    expect(loaded.location).toMatch(/^\/verify\?token=/)
    expect(await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({
      emailVerified: false,
    })
    const attacker = await createOrganizationOwner(testApp)
    const { id: organizationId } = attacker.organization
    const answers = [
      await attacker.browser.post('/organization/update', { organizationId, data: { logo: link } }),
      await attacker.browser.post('/update-user', { image: link }),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'VALIDATION_ERROR'],
      [400, 'VALIDATION_ERROR'],
    ])
  })
})

describe('an invitation to an address that a user is about to change to', () => {
  it('does not confirm the change, because its secret comes from the inviter', async () => {
    const { person, email } = await withPendingEmailChange(testApp)
    const attacker = await createOrganizationOwner(testApp)
    const invitationId = await createInvitation(attacker, email)
    const secret = await secretFor(testApp, email)
    const accepted = await person.browser.post('/organization/accept-invitation', { invitationId, secret })
    expect([accepted.status, accepted.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
    const row = await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })
    expect(row).toMatchObject({ email, emailVerified: false, previousEmail: person.email })
    // The link to the new email address, which asks first, confirms the change; then the invitation can be accepted.
    await person.browser.get(await emailedLink(testApp, email, 'verifyEmail'))
    expect((await person.browser.post('/organization/accept-invitation', { invitationId })).status).toBe(200)
  })
})

describe('a password reset by the mailbox owner', () => {
  it('in another browser than the one that signed up, keeps nothing of the stranger’s account', async () => {
    const thief = await createUnverifiedUser(testApp, { username: `thief_${Date.now()}` })
    const owner = testApp.browser()
    await owner.post('/forget-password', { email: thief.email })
    const token = new URL(await emailedLink(testApp, thief.email, 'resetPassword')).pathname.split('/').at(-1)
    expect((await owner.post('/reset-password', { token, newPassword: own })).status).toBe(200)
    const user = await testApp.db.user.findUniqueOrThrow({ where: { email: thief.email } })
    expect(user).toMatchObject({ emailVerified: true, username: null })
    expect(user.id).not.toBe(thief.id)
  })

  it('keeps an account in use, without the sessions and identities of its unverified user', async () => {
    const optional = await createTestApp({ ...providerSettings, EMAIL_VERIFICATION: 'optional' })
    const person = await createUnverifiedUser(optional)
    const { body } = await person.browser.post('/link-social', { provider: 'gitlab', callbackURL: '/' })
    await person.browser.get(emulator.consent(body.url, providerUser()).callback.href)
    const made = await person.browser.post('/organization/create', { name: 'Acme', slug: `acme-${Date.now()}` })
    await optional.browser().post('/forget-password', { email: person.email })
    const token = new URL(await emailedLink(optional, person.email, 'resetPassword')).pathname.split('/').at(-1)
    await optional.browser().post('/reset-password', { token, newPassword: own })
    const elsewhere = await signInElsewhere(optional, { ...person, password: own })
    expect((await elsewhere.get('/organization/list')).body).toMatchObject([{ id: made.body.id }])
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await elsewhere.get('/list-accounts')).body).toMatchObject([{ provider: 'credential' }])
  })

  it('in the browser that signed up, keeps the account', async () => {
    const person = await createUnverifiedUser(testApp)
    await person.browser.post('/forget-password', { email: person.email })
    const token = new URL(await emailedLink(testApp, person.email, 'resetPassword')).pathname.split('/').at(-1)
    await person.browser.post('/reset-password', { token, newPassword: own })
    const user = await testApp.db.user.findUniqueOrThrow({ where: { email: person.email } })
    expect(user).toMatchObject({ id: person.id, emailVerified: true })
  })
})

describe('a session that ends during an operation', () => {
  it('links no provider that was requested before', async () => {
    const person = await createUser(testApp)
    const { body } = await person.browser.post('/link-social', { provider: 'gitlab', callbackURL: '/settings' })
    const back = emulator.consent(body.url, providerUser())
    const elsewhere = await signInElsewhere(testApp, person)
    await elsewhere.post('/revoke-other-sessions')
    await person.browser.get(back.callback.href)
    expect(await testApp.db.account.findMany({ where: { userId: person.id } })).toMatchObject([
      { providerId: 'credential' },
    ])
  })

  it('a sign-in concurrent with a password change leaves no session with the old password', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await createUser(testApp)
      const attempts = Array.from({ length: 6 }, () =>
        testApp.browser().post('/sign-in/email', { email: person.email, password }),
      )
      const change = { currentPassword: password, newPassword: own, revokeOtherSessions: true }
      const [changed] = await Promise.all([person.browser.post('/change-password', change), ...attempts])
      expect(changed.status).toBe(200)
      const sessions = await testApp.db.session.findMany({ where: { userId: person.id } })
      expect(sessions).toHaveLength(1)
    }
  })
})

describe('a known device', () => {
  const limited = () => createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
  const from = (n: number) => ({ 'x-forwarded-for': `198.51.${Math.floor(n / 250)}.${n % 250}` })

  /** More than a hundred wrong passwords from everywhere: only known devices may still try. */
  async function exceedPasswordLimit(instance: TestApp, email: string): Promise<void> {
    for (let n = 0; n < 101; n++) {
      await instance.browser().post('/sign-in/email', { email, password: 'not the password' }, from(n))
    }
  }

  it('has its own counter, which a copy on another device cannot use up', async () => {
    const instance = await limited()
    const person = await createUser(instance)
    await exceedPasswordLimit(instance, person.email)
    const { email } = person
    expect((await instance.browser().post('/sign-in/email', { email, password }, from(600))).status).toBe(429)
    expect((await person.browser.post('/sign-in/email', { email, password }, from(601))).status).toBe(200)
  })

  it('is no longer known after a new password', async () => {
    const instance = await limited()
    const person = await createUser(instance)
    const stolen = person.browser.copy()
    await person.browser.post('/change-password', { currentPassword: password, newPassword: own })
    await exceedPasswordLimit(instance, person.email)
    const { email } = person
    expect((await stolen.post('/sign-in/email', { email, password: own }, from(600))).status).toBe(429)
    expect((await person.browser.post('/sign-in/email', { email, password: own }, from(601))).status).toBe(200)
  })

  it('one /64 does not use up the limit of its /48', async () => {
    const instance = await limited()
    const person = await createUser(instance)
    const attempt = (address: string) =>
      instance
        .browser()
        .post('/sign-in/email', { email: person.email, password: 'wrong' }, { 'x-forwarded-for': address })
    for (let n = 0; n < 60; n++) await attempt('2001:db8:7:1::1')
    expect((await attempt('2001:db8:7:2::1')).status).toBe(401)
  })
})

describe('unused accounts', () => {
  it('an unverified, unused account is deleted after a month; a used one is kept', async () => {
    const instance = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const used = await createUnverifiedUser(instance)
    const plain = await createTestApp()
    const waiting = await createUnverifiedUser(plain)
    const person = await createUser(plain)
    for (const one of [instance, plain]) {
      one.advanceClock(29 * 86_400)
      await sweep(one.app)
    }
    expect(await plain.db.user.count()).toBe(2)
    for (const one of [instance, plain]) {
      one.advanceClock(2 * 86_400)
      await sweep(one.app)
    }
    expect(await plain.db.user.findMany({ select: { id: true } })).toEqual([{ id: person.id }])
    expect(await instance.db.user.findMany({ select: { id: true } })).toEqual([{ id: used.id }])
    const events = await plain.db.event.findMany({ where: { type: 'user.deleted' } })
    expect(events).toMatchObject([{ subjectId: waiting.id, actorId: null }])
  })
})

describe('events', () => {
  it('reveal a stranger’s location to no one', async () => {
    const owner = await createOrganizationOwner(testApp)
    const guest = await createUser(testApp)
    const organizationId = owner.organization.id
    const invitationId = await createInvitation(owner, guest.email)
    await guest.browser.post('/organization/reject-invitation', { invitationId })
    const { events } = (await owner.browser.get(`/organization/list-activity?organizationId=${organizationId}`)).body
    const rejected = events.find(({ type }: { type: string }) => type === 'invitation.rejected')
    expect(rejected).toMatchObject({ actorId: guest.id, ipAddress: '', browser: null, system: null })
    const invitation = events.find(({ type }: { type: string }) => type === 'invitation.created')
    expect(invitation.ipAddress).not.toBe('')
  })
})

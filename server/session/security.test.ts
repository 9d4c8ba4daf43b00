import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decrypt, deriveKeys } from '../foundation/crypto.ts'
import { reencryptStored } from '../maintenance/reencrypt.ts'
import { startEmulator, providerSettings, providerUser } from '../testing/emulator.ts'
import { createOrganizationOwner, newSlug } from '../testing/organizations.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import { password, createUser, newUserData } from '../testing/test-users.ts'

const emulator = await startEmulator()
beforeAll(() => emulator.install())
afterAll(() => emulator.uninstall())

const day = 86_400

describe('guessing passwords (SEC-114, SEC-123)', () => {
  const limited = () => createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })

  const attemptIn = (testApp: TestApp, name: string, by: 'email' | 'username') => (address: string) =>
    testApp
      .browser()
      .post(`/sign-in/${by}`, { [by]: name, password: 'not the password' }, { 'x-forwarded-for': address })

  it('counts one user under all names and from all networks', async () => {
    const testApp = await limited()
    const person = await createUser(testApp, { username: `ada_${Date.now()}` })
    const username = `ada_${Date.now()}`
    await person.browser.post('/update-user', { username })
    const [byEmail, byName] = [attemptIn(testApp, person.email, 'email'), attemptIn(testApp, username, 'username')]
    const statuses: number[] = []
    for (let n = 0; n < 130; n++) {
      const attempt = n % 2 === 0 ? byEmail : byName
      statuses.push((await attempt(`198.51.${Math.floor(n / 250)}.${n % 250}`)).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(100)
    expect(statuses.slice(100)).toEqual(Array(30).fill(429))
  })

  it('an IPv6 /48 has ten times the limit of a /64, and no more', async () => {
    const testApp = await limited()
    const person = await createUser(testApp)
    const attempt = attemptIn(testApp, person.email, 'email')
    for (let n = 0; n < 30; n++) {
      expect((await attempt(`2001:db8:1:${n.toString(16)}::1`)).status).toBe(401)
    }
    // Limits: 3 in ten seconds per /64, 30 per /48.
    expect((await attempt('2001:db8:1:ffff::1')).status).toBe(429)
    expect((await attempt('2001:db8:2::1')).status).toBe(401)
  })

  it('a forwarded address with a port, brackets or a zone counts for its network', async () => {
    const testApp = await limited()
    const person = await createUser(testApp)
    const attempt = attemptIn(testApp, person.email, 'email')
    const forms = ['203.0.113.9:4711', '203.0.113.9:4712', '203.0.113.9']
    for (const form of forms) expect((await attempt(form)).status).toBe(401)
    expect((await attempt('203.0.113.9:9')).status).toBe(429)
    const six = ['[2001:db8::1]:443', '2001:db8::2%eth0', '2001:DB8:0:0::3']
    for (const form of six) expect((await attempt(form)).status).toBe(401)
    expect((await attempt('[2001:db8::4]')).status).toBe(429)
    const [session] = await testApp.db.event.findMany({ where: { ipAddress: '2001:db8::1' } })
    expect(session).toBeDefined()
  })

  it('an invalid forwarded address counts for the proxy', async () => {
    const testApp = await limited()
    const person = await createUser(testApp)
    const attempt = attemptIn(testApp, person.email, 'email')
    const statuses = []
    for (const form of ['unknown', '_hidden', 'x'.repeat(500), "'; drop table"]) {
      statuses.push((await attempt(form)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

describe('emails by class (SEC-115)', () => {
  it('sign-ups and invitations do not use up the budget of password resets', async () => {
    const testApp = await createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
    const victim = await createUser(testApp)
    const owners = []
    for (let n = 0; n < 6; n++) owners.push(await founderFrom(testApp))
    let client = 0
    const from = () => ({ 'x-forwarded-for': `198.51.100.${client++}` })
    for (let n = 0; n < 7; n++) {
      await testApp.browser().post('/sign-up/email', { ...newUserData(), email: victim.email }, from())
      await testApp.browser().post('/send-verification-email', { email: victim.email }, from())
    }
    for (const { browser, organization } of owners) {
      const invitation = { email: victim.email, role: 'member', organizationId: organization.id }
      await browser.post('/organization/invite-member', invitation, from())
    }
    const kinds = async () => (await testApp.mails(victim.email)).map(({ kind }) => kind)
    expect((await kinds()).filter((kind) => kind === 'signUpAttempt')).toHaveLength(5)
    expect((await kinds()).filter((kind) => kind === 'invitation')).toHaveLength(5)
    await testApp.browser().post('/forget-password', { email: victim.email }, from())
    expect((await kinds())[0]).toBe('resetPassword')
  })

  it('only the signed-in user is notified that no email could be sent', async () => {
    const testApp = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUser(testApp)
    const ask = async () => {
      testApp.advanceClock(20)
      return (await person.browser.post('/delete-user', {})).status
    }
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push(await ask())
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const forget = []
    for (let n = 0; n < 7; n++) {
      testApp.advanceClock(70)
      forget.push((await testApp.browser().post('/forget-password', { email: person.email })).status)
    }
    expect(forget).toEqual(Array(7).fill(200))
  })

  async function founderFrom(testApp: TestApp) {
    const browser = testApp.browser()
    const person = newUserData()
    const from = { 'x-forwarded-for': `203.0.113.${await testApp.db.user.count()}` }
    await browser.post('/sign-up/email', person, from)
    await browser.request(await emailedLink(testApp, person.email), { headers: from })
    const { body } = await browser.post('/organization/create', { name: 'Acme', slug: newSlug() }, from)
    return { browser, organization: body }
  }
})

describe('a stale session (SEC-113)', () => {
  it('links no provider; a fresh one does, and the owner is notified of linking and unlinking', async () => {
    const testApp = await createTestApp(providerSettings)
    const person = await createUser(testApp)
    testApp.advanceClock(day)
    const link = () => person.browser.post('/link-social', { provider: 'gitlab', callbackURL: '/settings' })
    expect((await link()).body).toEqual({ code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' })
    await person.browser.post('/reauthenticate', { password })
    const { body } = await link()
    const back = emulator.consent(body.url, providerUser())
    await person.browser.get(back.callback.href)
    const mails = await testApp.mails(person.email)
    expect(mails[0]).toMatchObject({ kind: 'accountLinked', subject: 'GitLab was linked to your account' })
    await person.browser.post('/unlink-account', { providerId: 'gitlab' })
    expect((await testApp.mails(person.email))[0]).toMatchObject({ kind: 'accountUnlinked' })
  })

  it('a username change is reported by email', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    const username = `new_${Date.now()}`
    await person.browser.post('/update-user', { username })
    const [mail] = await testApp.mails(person.email)
    expect(mail).toMatchObject({ kind: 'usernameChanged' })
    expect(mail?.text).toContain(username)
  })
})

describe('a change from the screen of one user', () => {
  it('is refused once another one has signed in in the same browser, and stores nothing', async () => {
    const testApp = await createTestApp()
    const [first, second] = [await createUser(testApp), await createUser(testApp)]
    const rename = (asUser: string) =>
      second.browser.post('/update-user', { name: 'Renamed' }, { 'x-foyer-user': asUser })
    const refused = await rename(first.id)
    expect([refused.status, refused.body.code]).toEqual([409, 'USER_CHANGED'])
    expect((await second.browser.get('/get-session')).body.user.name).not.toBe('Renamed')
    expect((await rename(second.id)).status).toBe(200)
  })
})

describe('a user without a password', () => {
  async function social(testApp: TestApp) {
    const browser = testApp.browser()
    const who = { ...providerUser(), verified: true }
    const { body } = await browser.post('/sign-in/social', { provider: 'gitlab', callbackURL: '/' })
    await browser.get(emulator.consent(body.url, who).callback.href)
    return { browser, who, email: who.email ?? '' }
  }

  it('re-authenticates with an emailed code: once, in this session, within five attempts', async () => {
    const testApp = await createTestApp(providerSettings)
    const { browser, email } = await social(testApp)
    testApp.advanceClock(day)
    expect((await browser.post('/delete-user', {})).status).toBe(400)
    expect((await browser.post('/reauthenticate/send-code')).body).toEqual({ status: true })
    const code = async () => /\b\d{6}\b/.exec((await testApp.mails(email))[0]?.text ?? '')?.[0] ?? ''
    const right = await code()
    const wrong = right === '000000' ? '000001' : '000000'
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => browser.copy().post('/reauthenticate', { code: wrong })),
    )
    expect(guesses.every(({ body }) => body.code === 'INVALID_CODE')).toBe(true)
    expect((await browser.post('/reauthenticate', { code: right })).body.code).toBe('INVALID_CODE')

    await browser.post('/reauthenticate/send-code')
    const next = await code()
    const winners = await Promise.all(
      Array.from({ length: 10 }, () => browser.copy().post('/reauthenticate', { code: next })),
    )
    expect(winners.filter(({ status }) => status === 200)).toHaveLength(1)

    const again = await social(testApp)
    testApp.advanceClock(day)
    await again.browser.post('/reauthenticate/send-code')
    const [mail] = await testApp.mails(again.email)
    const own = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
    expect((await browser.post('/reauthenticate', { code: own })).status).not.toBe(200)
    expect((await again.browser.post('/reauthenticate', { code: own })).status).toBe(200)
    expect((await again.browser.post('/delete-user', {})).body.message).toBe('Verification email sent')
  })

  it('a code expires after ten minutes, and is stored neither in the database nor in the log', async () => {
    const testApp = await createTestApp(providerSettings)
    const { browser, email } = await social(testApp)
    await browser.post('/reauthenticate/send-code')
    const code = /\b\d{6}\b/.exec((await testApp.mails(email))[0]?.text ?? '')?.[0] ?? ''
    const rows = await testApp.pool.query('select value from "Verification"')
    expect(JSON.stringify(rows.rows)).not.toContain(code)
    expect(JSON.stringify((await testApp.pool.query('select data from "Mail"')).rows)).not.toContain(code)
    testApp.advanceClock(601)
    expect((await browser.post('/reauthenticate', { code })).body.code).toBe('INVALID_CODE')
  })

  it('re-authenticates with the linked provider, and not with another identity', async () => {
    const testApp = await createTestApp(providerSettings)
    const { browser, who } = await social(testApp)
    testApp.advanceClock(day)
    const start = async () => {
      const input = { provider: 'gitlab', callbackURL: '/settings', errorCallbackURL: '/failed' }
      return String((await browser.post('/reauthenticate/social', input)).body.url)
    }
    const foreign = await browser.get(
      emulator.consent(await start(), { ...providerUser(), verified: true }).callback.href,
    )
    expect(foreign.location).toBe('/failed?error=identity_mismatch')
    expect((await browser.post('/unlink-account', { providerId: 'gitlab' })).body.code).toBe('SESSION_IS_NOT_FRESH')
    const back = await browser.get(emulator.consent(await start(), who).callback.href)
    expect(back.location).toBe('/settings')
    expect((await browser.post('/unlink-account', { providerId: 'gitlab' })).body.code).toBe(
      'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT',
    )
  })

  it('the active organization survives re-authentication', async () => {
    const testApp = await createTestApp()
    const owner = await createOrganizationOwner(testApp)
    await owner.browser.post('/reauthenticate', { password })
    const { session } = (await owner.browser.get('/get-session')).body
    expect(session.activeOrganizationId).toBe(owner.organization.id)
    expect((await owner.browser.post('/reauthenticate', { password: 'wrong' })).body.code).toBe('INVALID_PASSWORD')
  })
})

describe('the absolute lifetime of a session (SEC-118)', () => {
  it('ends a session that is used every day', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    for (let days = 1; days < 30; days++) {
      testApp.advanceClock(day)
      expect((await person.browser.get('/get-session?disableCookieCache=true')).body).not.toBeNull()
    }
    testApp.advanceClock(day)
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
  })

  it('0 disables it', async () => {
    const testApp = await createTestApp({ SESSION_ABSOLUTE_LIFETIME: '0' })
    const person = await createUser(testApp)
    for (let days = 0; days < 40; days++) {
      testApp.advanceClock(day)
      expect((await person.browser.get('/get-session?disableCookieCache=true')).body).not.toBeNull()
    }
  })
})

describe('a list of secrets (SEC-125)', () => {
  const former = 'the former secret of this application'
  const current = 'the current secret of this application'

  it('keeps earlier signatures and encrypted data valid, and a job re-encrypts the data', async () => {
    const old = await createTestApp({ ...providerSettings, AUTH_SECRET: former })
    const person = await createUser(old)
    const link = await person.browser.post('/link-social', { provider: 'gitlab', callbackURL: '/settings' })
    await person.browser.get(emulator.consent(link.body.url, providerUser()).callback.href)
    const cookies = person.browser.copy()
    const newcomer = newUserData()
    const there = old.browser()
    await there.post('/sign-up/email', newcomer)

    // Second start: same database, both secrets.
    const keys = deriveKeys([current, former])
    Object.assign(old.app.keys, keys)
    expect((await cookies.get('/get-session')).body.user.id).toBe(person.id)
    await there.get(await emailedLink(old, newcomer.email))
    expect((await there.get('/get-session')).body.user).toMatchObject({ emailVerified: true })
    const before = await old.db.account.findFirstOrThrow({ where: { providerId: 'gitlab' } })
    await reencryptStored(old.app)
    const after = await old.db.account.findFirstOrThrow({ where: { providerId: 'gitlab' } })
    expect(after.accessToken).not.toBe(before.accessToken)

    // Third start: without the previous secret.
    Object.assign(old.app.keys, deriveKeys([current]))
    expect((await person.browser.post('/refresh-token', { providerId: 'gitlab' })).status).toBe(200)
    const mail = await old.db.mail.findFirstOrThrow({ where: { to: newcomer.email } })
    const sealed = z.object({ sealed: z.string() }).parse(mail.data)
    expect(decrypt(old.app.keys.storage, sealed.sealed, mail.id)).toContain('/verify-email?')
  })
})

describe('development pages (SEC-112)', () => {
  it('are served to this machine only', async () => {
    const testApp = await createTestApp()
    const get = (headers: Record<string, string>) => testApp.browser().request('/dev/mail', { headers })
    expect((await get({})).status).toBe(200)
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']) {
      expect((await get({ [name]: '203.0.113.9' })).status).toBe(404)
    }
    // DNS rebinding: an attacker's host name resolves to this machine. A raw request, because fetch forbids setting
    // Host.
    const statusAt = (host: string) =>
      new Promise((done, fail) => {
        const asked = request(`${testApp.origin}/dev/mail`, { headers: { host } }, (answer) => {
          answer.resume()
          done(answer.statusCode)
        })
        asked.on('error', fail).end()
      })
    expect(await statusAt('localhost')).toBe(200)
    for (const host of ['127.attacker.example', 'localhost.attacker.example']) {
      expect(await statusAt(host)).toBeGreaterThanOrEqual(400)
    }
  })

  it('do not exist if APP_URL is not a loopback address', async () => {
    const testApp = await createTestApp({ APP_URL: 'http://foyer.example' })
    expect((await testApp.browser().request('/dev/mail')).status).toBe(404)
    const { body } = await testApp.browser().request('/api/trpc/session.options')
    expect(body.result.data.hasDevMailbox).toBe(false)
  })
})

describe('lists (SEC-124)', () => {
  it('never exceed a megabyte, and continue from the last row', async () => {
    const testApp = await createTestApp({ ORGANIZATION_LIMIT: '10000' })
    const person = await createUser(testApp)
    await testApp.pool.query(
      `with made as (
         insert into "Organization" (id, name, slug, metadata, "createdAt")
         select 'o' || n, 'Acme', 'acme-' || n, jsonb_build_object('text', repeat('x', 16000)), now() + n * interval '1 ms'
         from generate_series(1, 3000) n returning id, "createdAt")
       insert into "Member" (id, "organizationId", "userId", role, "createdAt") select 'm' || id, id, $1, 'owner', "createdAt" from made`,
      [person.id],
    )
    const first = await person.browser.get('/organization/list')
    expect(Buffer.byteLength(first.text)).toBeLessThan(1_000_000)
    expect(first.body.length).toBeGreaterThan(50)
    const last = first.body.at(-1).id
    const next = await person.browser.get(`/organization/list?cursor=${last}`)
    expect(next.body[0].id).toBe(`o${first.body.length + 1}`)
    await testApp.pool.query(`update "Organization" set metadata = null`)
    expect((await person.browser.get('/organization/list')).body).toHaveLength(1000)
    expect((await person.browser.get('/organization/list?limit=7')).body).toHaveLength(7)
  })

  it('one user creates at most a hundred organizations, even concurrently', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    const create = () => person.browser.post('/organization/create', { name: 'Acme', slug: newSlug() })
    for (let n = 0; n < 8; n++) await Promise.all(Array.from({ length: 12 }, create))
    const last = await Promise.all(Array.from({ length: 12 }, create))
    expect(last.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(last.filter(({ status }) => status === 403)).toHaveLength(8)
  })
})

describe('a verified account of a provider', () => {
  it('does not make an administrator, for any provider (SEC-111)', async () => {
    const boss = 'boss@example.test'
    const testApp = await createTestApp({ ...providerSettings, ADMIN_EMAILS: boss })
    const { browser } = await (async () => {
      const browser = testApp.browser()
      const { body } = await browser.post('/sign-in/social', { provider: 'gitlab', callbackURL: '/' })
      const who = { ...providerUser(), email: boss, verified: true }
      await browser.get(emulator.consent(body.url, who).callback.href)
      return { browser }
    })()
    expect((await browser.get('/get-session')).body.user).toMatchObject({
      email: boss,
      emailVerified: true,
      role: 'user',
    })
  })

  it('does not sign in to an administrator’s account', async () => {
    const boss = 'boss@example.test'
    const testApp = await createTestApp({ ...providerSettings, ADMIN_EMAILS: boss })
    const owner = testApp.browser()
    await owner.post('/sign-up/email', { name: 'Boss', email: boss, password })
    await owner.get(await emailedLink(testApp, boss))
    const thief = testApp.browser()
    const input = { provider: 'gitlab', callbackURL: '/', errorCallbackURL: '/failed' }
    const { body } = await thief.post('/sign-in/social', input)
    const who = { ...providerUser(), email: boss, verified: true }
    const { location } = await thief.get(emulator.consent(body.url, who).callback.href)
    expect(location).toBe('/failed?error=account_not_linked')
  })

  it('is notified of a sign-in with a new device', async () => {
    const testApp = await createTestApp(providerSettings)
    const who = { ...providerUser(), verified: true }
    const signIn = async (userAgent: string) => {
      const browser = testApp.browser()
      const headers = { 'user-agent': userAgent }
      const { body } = await browser.post('/sign-in/social', { provider: 'gitlab', callbackURL: '/' }, headers)
      await browser.request(emulator.consent(body.url, who).callback.href, { headers })
    }
    await signIn('first')
    testApp.advanceClock(2 * 3600)
    await signIn('second')
    expect((await testApp.mails(who.email ?? '')).map(({ kind }) => kind)).toEqual(['newDevice'])
  })
})

describe('deleting with the emailed link', () => {
  it('opens a page in a browser, signed in or not, and deletes nothing without confirmation', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    await person.browser.post('/delete-user', { callbackURL: '/bye' })
    const link = await emailedLink(testApp, person.email, 'confirmDeletion')
    const page = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-mode': 'navigate' }
    for (const browser of [person.browser, testApp.browser()]) {
      const { status, location } = await browser.request(link, { headers: page })
      expect([status, new URL(location ?? '', testApp.origin).pathname]).toEqual([302, '/delete-account'])
    }
    expect(await testApp.db.user.count()).toBe(1)
    const token = new URL(link).searchParams.get('token')
    expect((await person.browser.post('/delete-user', { token })).body.message).toBe('User deleted')
    expect(await testApp.db.user.count()).toBe(0)
  })

  it('lists the organizations that are deleted, and those that block the deletion', async () => {
    const testApp = await createTestApp()
    const owner = await createOrganizationOwner(testApp)
    const shared = (await owner.browser.post('/organization/create', { name: 'Shared', slug: newSlug() })).body
    const other = await createUser(testApp)
    const invitation = { email: other.email, role: 'member', organizationId: shared.id }
    const { body } = await owner.browser.post('/organization/invite-member', invitation)
    await other.browser.post('/organization/accept-invitation', { invitationId: body.id })
    const preview = await owner.browser.get('/delete-user/preview')
    expect(preview.body).toEqual({
      email: owner.email,
      memberships: 2,
      deletedOrganizations: [{ name: owner.organization.name, slug: owner.organization.slug }],
      subscriptions: [],
      organizationsWithoutOtherOwner: [{ name: 'Shared', slug: shared.slug }],
    })
    expect((await owner.browser.post('/delete-user', { password })).body.code).toBe(
      'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
    )
    await owner.browser.post('/organization/delete', { organizationId: shared.id })
    expect((await owner.browser.post('/delete-user', { password })).status).toBe(200)
    expect(await testApp.db.organization.count()).toBe(0)
  })
})

import { twoFactorClient } from 'better-auth/client/plugins'
import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { describe, expect, it } from 'vitest'
import { runAdminCommand } from '../admin/command.ts'
import { sweep } from '../maintenance/sweep.ts'
import { notifyPolicy } from '../organization/notify-policy.ts'
import { authorizationOf, callback, follow, registerApplication, signInTo } from '../testing/applications.ts'
import { createAuthenticator } from '../testing/authenticator.ts'
import { clientWith } from '../testing/better-auth.ts'
import type { Browser } from '../testing/browser.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { createAdministrator, password, type TestUser, createUser, signInElsewhere } from '../testing/test-users.ts'
import { codeOf, createTwoFactorUser, secretOf } from '../testing/two-factor.ts'

const testApp = await createTestApp({
  ADMIN_SECOND_FACTOR: 'on',
  TWO_FACTOR_EMAIL: 'on',
  TRUSTED_ORIGINS: 'https://app.example.com',
})
const { origin } = testApp

async function addPasskey({ browser }: Pick<TestUser, 'browser'>, at: TestApp = testApp) {
  const authenticator = createAuthenticator(at.origin)
  const options = (await browser.get('/passkey/generate-register-options')).body
  const response = authenticator.create(options)
  return { authenticator, added: await browser.post('/passkey/verify-registration', { response, name: 'Phone' }) }
}

async function withPasskey(at: TestApp, person: TestUser): Promise<TestUser> {
  await addPasskey(person, at)
  return person
}

async function usePasskey(browser: Browser, authenticator: ReturnType<typeof createAuthenticator>) {
  const options = (await browser.post('/passkey/generate-authenticate-options')).body
  return browser.post('/passkey/verify-authentication', { response: authenticator.get(options) })
}

const required = { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED', message: 'Second factor required' } }

describe('administrators', () => {
  const list = ({ browser }: Pick<TestUser, 'browser'>) => browser.get('/admin/list-users?limit=1')

  it('need a second factor for every call of the administration, and for nothing else', async () => {
    const admin = await createAdministrator(testApp)
    expect(await list(admin)).toMatchObject(required)
    const { body } = await admin.browser.post('/admin/set-role', { userId: admin.id, role: 'user' })
    expect(body.code).toBe('SECOND_FACTOR_REQUIRED')
    await expect(admin.browser.trpc.admin.overview.query()).rejects.toMatchObject({
      data: { reason: 'SECOND_FACTOR_REQUIRED' },
    })
    await expect(admin.browser.trpc.webhook.endpoints.query()).rejects.toMatchObject({
      data: { reason: 'SECOND_FACTOR_REQUIRED' },
    })
    expect((await admin.browser.get('/organization/list')).status).toBe(200)
    expect(await admin.browser.trpc.twoFactor.status.query()).toMatchObject({ isRequired: true, isConfirmed: false })
    // Other users cannot see whether a factor is missing.
    expect((await list(await createUser(testApp))).body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_LIST_USERS')
    await createTwoFactorUser(testApp, admin)
    expect((await list(admin)).status).toBe(200)
    expect(await admin.browser.trpc.twoFactor.status.query()).toMatchObject({ isConfirmed: true })
  })

  it('who have added a passkey have verified a factor; a session with only the password has to', async () => {
    const admin = await createAdministrator(testApp)
    const { authenticator, added } = await addPasskey(admin)
    expect(added.status).toBe(200)
    expect((await list(admin)).status).toBe(200)
    const browser = await signInElsewhere(testApp, admin)
    expect(await list({ browser })).toMatchObject(required)
    // A person who knows only the password cannot add another factor.
    expect((await browser.get('/passkey/generate-register-options')).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await browser.post('/two-factor/enable', { password })).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const removal = await browser.post('/passkey/delete-passkey', { id: added.body.id })
    expect(removal.body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await usePasskey(browser, authenticator)).status).toBe(200)
    expect((await list({ browser })).status).toBe(200)
    expect((await addPasskey({ browser })).added.status).toBe(200)
  })

  it('lose access gained with only the password, even if two browsers add a factor concurrently', async () => {
    const admin = await createAdministrator(testApp)
    const other = await signInElsewhere(testApp, admin)
    const options = (await other.get('/passkey/generate-register-options')).body
    expect((await addPasskey(admin)).added.status).toBe(200)
    const late = await other.post('/passkey/verify-registration', {
      response: createAuthenticator(origin).create(options),
    })
    expect(late.body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('use their API keys as long as they have a factor', async () => {
    const admin = await createAdministrator(testApp)
    const keyOf = async () => (await admin.browser.post('/api-key/create', { name: 'program' })).body.key as string
    const read = (key: string) =>
      testApp.browser().get(`/admin/get-user-metadata?userId=${admin.id}`, { 'x-api-key': key })
    const weak = await keyOf()
    expect(await read(weak)).toMatchObject(required)
    await addPasskey(admin)
    // Created with the password alone, so anyone who knew it may have created it.
    expect(await read(weak)).toMatchObject(required)
    const strong = await keyOf()
    expect((await read(strong)).status).toBe(200)
    await testApp.db.passkey.deleteMany({ where: { userId: admin.id } })
    expect(await read(strong)).toMatchObject(required)
  })
})

describe('an enrollment started by another person', () => {
  it('a pending app is invalid once there is another factor, or after an hour', async () => {
    const admin = await createAdministrator(testApp)
    const thief = await signInElsewhere(testApp, admin)
    const planted = secretOf((await thief.post('/two-factor/enable', { password })).body.totpURI)
    const { authenticator } = await addPasskey(admin)
    const enableApp = () => thief.post('/two-factor/verify-totp', { code: codeOf(testApp, planted) })
    expect((await enableApp()).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const person = await createUser(testApp)
    const { body } = await person.browser.post('/two-factor/enable', { password })
    testApp.advanceClock(3601)
    const late = await person.browser.post('/two-factor/verify-totp', { code: codeOf(testApp, secretOf(body.totpURI)) })
    expect(late.body.code).toBe('INVALID_CODE')
    expect((await usePasskey(admin.browser, authenticator)).status).toBe(200)
  })

  it('a person with only the password cannot leave the organization that protects the other factors, through either call', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner, 'admin')
    await addPasskey(member)
    await createTwoFactorUser(testApp, owner)
    const organizationId = owner.organization.id
    await owner.browser.post('/organization/set-second-factor', { organizationId, graceDays: 30 })
    const thief = await signInElsewhere(testApp, member)
    const remove = { organizationId, memberIdOrEmail: member.memberId }
    for (const [path, body] of [
      ['/organization/leave', { organizationId }],
      ['/organization/remove-member', remove],
      ['/organization/remove-member', { ...remove, memberIdOrEmail: member.email }],
    ] as const)
      expect((await thief.post(path, body)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await member.browser.post('/organization/remove-member', remove)).status).toBe(200)
    // An owner without a second factor cannot delete it either.
    const weak = await signInElsewhere(testApp, await withPasskey(testApp, await createMember(testApp, owner, 'owner')))
    expect((await weak.post('/organization/delete', { organizationId })).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await owner.browser.post('/organization/delete', { organizationId })).status).toBe(200)
  })

  it('a key created with a second factor can also remove its user', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner, 'admin')
    await addPasskey(member)
    await createTwoFactorUser(testApp, owner)
    const organizationId = owner.organization.id
    await owner.browser.post('/organization/set-second-factor', { organizationId, graceDays: 30 })
    const { key } = (await member.browser.post('/api-key/create', { name: 'program' })).body
    const remove = { organizationId, memberIdOrEmail: member.memberId }
    const headers = { 'x-api-key': key as string, origin: 'none' }
    expect((await testApp.browser().post('/organization/remove-member', remove, headers)).status).toBe(200)
  })

  it('a passkey added with only the password does not satisfy an organization’s policy', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await addPasskey(member)
    await createTwoFactorUser(testApp, owner)
    const organizationId = owner.organization.id
    await owner.browser.post('/organization/set-second-factor', { organizationId, graceDays: 0 })
    const thief = await signInElsewhere(testApp, member)
    expect((await addPasskey({ browser: thief })).added.body.code).toBe('CHALLENGE_NOT_FOUND')
    expect((await thief.post('/two-factor/enable', { password })).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const leaving = await thief.post('/organization/leave', { organizationId })
    expect(leaving.body.code).toBe('SECOND_FACTOR_REQUIRED')
    const { key } = (await thief.post('/api-key/create', { name: 'program' })).body
    const read = await testApp
      .browser()
      .get(`/organization/list-members?organizationId=${organizationId}`, { 'x-api-key': key as string })
    expect(read).toMatchObject(required)
  })
})

describe('guesses', () => {
  it('of an app stop after ten, without rate limits, but not in a browser known to the user', async () => {
    const person = await createTwoFactorUser(testApp)
    const guess = async () => {
      const browser = testApp.browser()
      await browser.post('/sign-in/email', { email: person.email, password })
      const tries = Array.from({ length: 4 }, () => browser.post('/two-factor/verify-totp', { code: '12345' }))
      return Promise.all(tries)
    }
    const answers = [...(await guess()), ...(await guess()), ...(await guess()), ...(await guess())]
    expect(answers.filter(({ status }) => status === 401).length).toBe(10)
    expect(answers.filter(({ status }) => status === 429).length).toBe(6)
    const stranger = testApp.browser()
    await stranger.post('/sign-in/email', { email: person.email, password })
    expect((await stranger.post('/two-factor/verify-totp', { code: person.next() })).status).toBe(429)
    await person.browser.post('/sign-out')
    await person.browser.post('/sign-in/email', { email: person.email, password })
    expect((await person.browser.post('/two-factor/verify-totp', { code: person.next() })).status).toBe(200)
    testApp.advanceClock(601)
    await stranger.post('/sign-in/email', { email: person.email, password })
    expect((await stranger.post('/two-factor/verify-totp', { code: person.next() })).status).toBe(200)
  })

  it('about another user’s address do not count', async () => {
    const person = await createUser(testApp)
    const thief = testApp.browser()
    await thief.post('/email-otp/send-verification-otp', { email: 'thief@example.test', type: 'sign-in' })
    for (let n = 0; n < 25; n++) await thief.post('/sign-in/email-otp', { email: person.email, otp: '000000' })
    const browser = testApp.browser()
    await browser.post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
    const otp = /\b\d{6}\b/.exec((await testApp.mails(person.email))[0]?.text ?? '')?.[0]
    expect((await browser.post('/sign-in/email-otp', { email: person.email, otp })).status).toBe(200)
  })
})

describe('a lost passkey', () => {
  it('is removed by another administrator after a day, unless it is used', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const person = await createUser(testApp)
    const { authenticator } = await addPasskey(person)
    const remove = () => admin.browser.post('/admin/remove-two-factor', { userId: person.id })
    expect((await remove()).status).toBe(200)
    expect((await usePasskey(testApp.browser(), authenticator)).status).toBe(200)
    testApp.advanceClock(86_401)
    await sweep(testApp.app)
    expect(await testApp.db.passkey.count({ where: { userId: person.id } })).toBe(1)
    const again = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    expect((await again.browser.post('/admin/remove-two-factor', { userId: person.id })).status).toBe(200)
    testApp.advanceClock(86_401)
    await sweep(testApp.app)
    expect(await testApp.db.passkey.count({ where: { userId: person.id } })).toBe(0)
  })

  it('is not kept by disabling an authenticator app that does not exist', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const person = await createUser(testApp)
    const { added } = await addPasskey(person)
    await admin.browser.post('/admin/remove-two-factor', { userId: person.id })
    const disabled = await person.browser.post('/two-factor/disable', { password })
    expect([disabled.status, disabled.body.code]).toEqual([400, 'TWO_FACTOR_ISNT_ENABLED'])
    expect((await person.browser.trpc.twoFactor.status.query()).removalAt).not.toBeNull()
    // Without a factor, there is nothing left to remove.
    expect((await person.browser.post('/passkey/delete-passkey', { id: added.body.id })).status).toBe(200)
    expect((await person.browser.trpc.twoFactor.status.query()).removalAt).toBeNull()
  })

  it('is kept when its user disables only the lost app, or adds a passkey', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const disabling = await createTwoFactorUser(testApp)
    await addPasskey(disabling)
    await admin.browser.post('/admin/remove-two-factor', { userId: disabling.id })
    expect((await disabling.browser.post('/two-factor/disable', { password })).status).toBe(200)
    const adding = await createTwoFactorUser(testApp)
    await admin.browser.post('/admin/remove-two-factor', { userId: adding.id })
    expect((await addPasskey(adding)).added.status).toBe(200)
    testApp.advanceClock(86_401)
    await sweep(testApp.app)
    for (const { id } of [disabling, adding]) expect(await testApp.db.passkey.count({ where: { userId: id } })).toBe(1)
  })

  it('stays if the administrator who started the removal no longer is one', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const person = await createTwoFactorUser(testApp)
    await admin.browser.post('/admin/remove-two-factor', { userId: person.id })
    await testApp.db.user.update({ where: { id: admin.id }, data: { role: 'user' } })
    testApp.advanceClock(86_401)
    await sweep(testApp.app)
    expect((await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })).twoFactorEnabled).toBe(true)
  })

  it('is removed immediately by the server’s operator', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const run = (...words: string[]) => runAdminCommand(testApp.app, words)
    expect((await run('remove-factors', admin.email)).lines).toEqual([
      `The second factors of ${admin.email} have been removed.`,
    ])
    expect((await testApp.db.user.findUniqueOrThrow({ where: { id: admin.id } })).twoFactorEnabled).toBe(false)
    expect((await run('remove-factors', admin.email)).lines).toEqual([`${admin.email} has no second factor.`])
    expect((await testApp.mails(admin.email))[0]?.kind).toBe('twoFactorDisabled')
  })
})

describe('an organization that requires a second factor', () => {
  async function strict(graceDays: number | null = 0) {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await createTwoFactorUser(testApp, owner)
    const organizationId = owner.organization.id
    const set = (days: number | null) =>
      owner.browser.post('/organization/set-second-factor', { organizationId, graceDays: days })
    expect((await set(graceDays)).status).toBe(200)
    return { owner, member, organizationId, set }
  }

  it('refuses members who have signed in without one, in every call', async () => {
    const { member, organizationId } = await strict()
    const { browser } = member
    const query = `organizationId=${organizationId}`
    for (const path of [
      `/organization/get-full-organization?${query}`,
      `/organization/list-members?${query}`,
      `/organization/list-teams?${query}`,
    ])
      expect(await browser.get(path)).toMatchObject(required)
    expect(await browser.post('/organization/set-active', { organizationId })).toMatchObject(required)
    await expect(browser.trpc.payment.entitlements.query({ organizationId })).rejects.toMatchObject({
      data: { reason: 'SECOND_FACTOR_REQUIRED' },
    })
    // The organization is still listed and can be left.
    expect((await browser.get('/organization/list')).body).toMatchObject([{ id: organizationId, metadata: null }])
    await createTwoFactorUser(testApp, member)
    expect((await browser.get(`/organization/list-members?${query}`)).body.total).toBe(2)
    expect((await browser.post('/organization/leave', { organizationId })).status).toBe(200)
  })

  it('is omitted from tokens and from forward authentication', async () => {
    const { member, owner, organizationId, set } = await strict(null)
    await member.browser.post('/organization/set-active', { organizationId })
    const claim = async ({ browser }: Pick<TestUser, 'browser'>) =>
      decodeJwt((await browser.get('/token')).body.token)['org']
    const groups = async ({ browser }: Pick<TestUser, 'browser'>) =>
      (await browser.request('/api/forward-auth')).headers.get('remote-groups')
    expect(await claim(member)).toMatchObject({ id: organizationId })
    expect(await groups(member)).toBe(`${owner.organization.slug}:member`)
    await set(0)
    expect(await claim(member)).toBeUndefined()
    expect(await groups(member)).toBe('')
    expect(await claim(owner)).toMatchObject({ id: organizationId })
    expect(await groups(owner)).toBe(`${owner.organization.slug}:owner`)
  })

  it('gives its members some days, and lists members without one', async () => {
    const { owner, member, organizationId, set } = await strict(3)
    const { slug } = owner.organization
    const from = (await member.browser.trpc.organization.get.query({ slug })).secondFactorFrom
    expect(Date.parse(from ?? '') - testApp.app.clock().getTime()).toBeGreaterThan(2.9 * 86_400_000)
    const without = () => owner.browser.get(`/organization/list-members-without-second-factor`)
    expect((await without()).body).toMatchObject({ total: 1, members: [{ userId: member.id }] })
    const denied = await member.browser.get(
      `/organization/list-members-without-second-factor?organizationId=${organizationId}`,
    )
    expect(denied.status).toBe(403)
    testApp.advanceClock(3 * 86_400)
    await expect(member.browser.trpc.organization.get.query({ slug })).rejects.toMatchObject({
      data: { reason: 'SECOND_FACTOR_REQUIRED' },
    })
    const late = await set(null)
    expect(late.body.code).toBe('SESSION_IS_NOT_FRESH')
    const again = testApp.browser()
    await again.post('/sign-in/email', { email: owner.email, password })
    await again.post('/two-factor/verify-backup-code', { code: (await codesOf(owner)) ?? '' })
    expect((await again.post('/organization/set-second-factor', { organizationId, graceDays: null })).body).toEqual({
      secondFactorFrom: null,
    })
    expect((await member.browser.trpc.organization.get.query({ slug })).secondFactorFrom).toBeNull()
    const types = await testApp.db.event.findMany({
      where: { organizationId, type: { startsWith: 'organization.second_factor' } },
      orderBy: { at: 'asc' },
    })
    expect(types.map(({ type }) => type)).toEqual([
      'organization.second_factor_required',
      'organization.second_factor_optional',
    ])
  })

  it('is reported by email to members without one, once each, unless it has changed again', async () => {
    const { owner, member, organizationId, set } = await strict(7)
    const other = await createMember(testApp, owner)
    const others = await Promise.all(Array.from({ length: 26 }, () => createUser(testApp)))
    const members = others.map(({ id }) => ({ id: crypto.randomUUID(), userId: id, organizationId, role: 'member' }))
    await testApp.db.member.createMany({ data: members.map((row) => ({ ...row, createdAt: testApp.app.clock() })) })
    await addPasskey(other)
    const mailsOf = async ({ email }: TestUser) =>
      (await testApp.mails(email)).filter(({ kind }) => kind === 'secondFactorRequired')
    /** Runs the job as the engine does, until nothing is scheduled. Returns the number of runs. */
    const work = async (): Promise<number> => {
      const [job] = await testApp.db.$queryRaw<{ payload: unknown }[]>`
        with done as (
          delete from graphile_worker._private_jobs where key = ${`policy:${organizationId}`} returning payload)
        select payload from done`
      if (!job) return 0
      await notifyPolicy(testApp.app, job.payload)
      return 1 + (await work())
    }
    await set(0)
    await set(30)
    const stale = { organizationId, from: new Date(0).toISOString(), after: '' }
    await notifyPolicy(testApp.app, stale)
    expect(await mailsOf(member)).toEqual([])
    expect(await work()).toBe(2)
    for (const person of [member, ...others]) expect(await mailsOf(person)).toHaveLength(1)
    for (const person of [owner, other]) expect(await mailsOf(person)).toEqual([])
    const [mail] = await mailsOf(member)
    expect(mail?.text).toContain(`${origin}/settings/security`)
    await set(1)
    await set(null)
    await work()
    expect(await mailsOf(member)).toHaveLength(1)
  })

  it('is reported an hour later to members who have reached their email limit', async () => {
    const testApp = await createTestApp({ RATE_LIMIT: 'on' })
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await createTwoFactorUser(testApp, owner)
    const organizationId = owner.organization.id
    const count = async () =>
      (await testApp.mails(member.email)).filter(({ kind }) => kind === 'secondFactorRequired').length
    const jobs = () => testApp.db.$queryRaw<{ key: string; payload: unknown }[]>`
      delete from graphile_worker._private_jobs where key like ${`policy:${organizationId}%`} returning key, payload`
    const work = async () => {
      for (const { payload } of await jobs()) await notifyPolicy(testApp.app, payload)
    }
    for (let days = 1; days <= 6; days++) {
      await owner.browser.post('/organization/set-second-factor', { organizationId, graceDays: days })
      await work()
    }
    expect(await count()).toBe(5)
    testApp.advanceClock(3601)
    await work()
    expect(await count()).toBe(6)
    expect(await jobs()).toEqual([])
  })

  it('cannot be set by an owner without a second factor, by members, or by programs', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const input = { organizationId: owner.organization.id, graceDays: 0 }
    const path = '/organization/set-second-factor'
    expect((await owner.browser.post(path, input)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await member.browser.post(path, input)).body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION')
    expect((await (await createUser(testApp)).browser.post(path, input)).body.code).toBe(
      'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
    )
    const { body } = await owner.browser.post('/api-key/create', { name: 'program' })
    const key = { 'x-api-key': body.key as string }
    expect((await testApp.browser().post(path, input, key)).body.code).toBe('INSUFFICIENT_SCOPE')
    for (const graceDays of [-1, 91, 0.5, 'x'])
      expect((await owner.browser.post(path, { ...input, graceDays })).status).toBe(400)
  })
})

/** The first of a set of new recovery codes, created in another session of the user. */
async function codesOf(owner: TestUser): Promise<string | undefined> {
  const { body } = await owner.browser.post('/two-factor/generate-backup-codes', { password })
  return body.backupCodes?.[0]
}

describe('an emailed code for the second step', () => {
  async function waiting({ email }: TestUser) {
    const browser = testApp.browser()
    await browser.post('/sign-in/email', { email, password })
    return browser
  }
  const codeIn = async (email: string) => {
    const [mail] = await testApp.mails(email)
    expect(mail?.kind).toBe('secondStepCode')
    return /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? ''
  }

  it('finishes a sign-in, with the unmodified client of better-auth', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    const client = clientWith(twoFactorClient(), { browser }, testApp)
    expect((await client.twoFactor.sendOtp()).data).toEqual({ status: true })
    const code = await codeIn(person.email)
    expect((await client.twoFactor.verifyOtp({ code: '000000' === code ? '000001' : '000000' })).error).toMatchObject({
      status: 401,
      code: 'INVALID_CODE',
    })
    const { data } = await client.twoFactor.verifyOtp({ code })
    expect(data).toMatchObject({ token: expect.any(String), user: { email: person.email } })
    // The mailbox also resets the password, so both are the same factor.
    expect(decodeJwt((await browser.get('/token')).body.token)).toMatchObject({ amr: ['pwd', 'otp'], acr: 'aal1' })
  })

  it('is valid only in its browser, for its step, ten minutes, and five attempts', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    const other = await waiting(person)
    expect((await browser.post('/two-factor/send-otp', {})).status).toBe(200)
    const code = await codeIn(person.email)
    expect((await other.post('/two-factor/verify-otp', { code })).body.code).toBe('INVALID_CODE')
    testApp.advanceClock(601)
    expect((await browser.post('/two-factor/verify-otp', { code })).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    const again = await waiting(person)
    await again.post('/two-factor/send-otp', {})
    const wrong = async () => (await again.post('/two-factor/verify-otp', { code: 'abc' })).status
    expect([await wrong(), await wrong(), await wrong(), await wrong(), await wrong()]).toEqual(Array(5).fill(401))
    expect((await again.post('/two-factor/verify-otp', { code: await codeAt(person.email) })).status).toBe(401)
    expect((await testApp.mails(person.email))[0]?.kind).toBe('secondStepFailed')
  })
  const codeAt = async (email: string) =>
    /\b\d{6}\b/.exec((await testApp.mails(email)).find(({ kind }) => kind === 'secondStepCode')?.text ?? '')?.[0] ?? ''

  it('expires before the step does', async () => {
    const person = await createTwoFactorUser(testApp)
    const first = await waiting(person)
    await first.post('/two-factor/send-otp', {})
    const code = await codeIn(person.email)
    testApp.advanceClock(400)
    await first.post('/sign-in/email', { email: person.email, password })
    testApp.advanceClock(300)
    expect((await first.post('/two-factor/verify-otp', { code })).body.code).toBe('OTP_HAS_EXPIRED')
  })

  it('is not available to administrators, after sign-ins by email, without a step, or where it is off', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const step = await waiting(admin)
    expect((await step.post('/two-factor/send-otp', {})).body).toEqual({
      code: 'OTP_ISNT_CONFIGURED',
      message: "otp isn't configured",
    })
    expect((await step.post('/two-factor/verify-otp', { code: '000000' })).body.code).toBe('OTP_ISNT_CONFIGURED')
    expect((await step.trpc.twoFactor.pending.query())?.mayMail).toBe(false)
    const person = await createTwoFactorUser(testApp)
    const byMail = testApp.browser()
    await byMail.post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
    const otp = /\b\d{6}\b/.exec((await testApp.mails(person.email))[0]?.text ?? '')?.[0]
    expect((await byMail.post('/sign-in/email-otp', { email: person.email, otp })).body).toEqual({
      twoFactorRedirect: true,
    })
    expect((await byMail.post('/two-factor/send-otp', {})).body.code).toBe('OTP_ISNT_CONFIGURED')
    expect((await testApp.browser().post('/two-factor/send-otp', {})).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    const off = await createTestApp()
    const other = await createTwoFactorUser(off)
    const browser = off.browser()
    await browser.post('/sign-in/email', { email: other.email, password })
    expect((await browser.post('/two-factor/send-otp', {})).body.code).toBe('OTP_ISNT_CONFIGURED')
  })

  it('does not cancel the removal of a factor; its user in a session does', async () => {
    const person = await createTwoFactorUser(testApp)
    await begunRemoval(testApp, person.id)
    const browser = await waiting(person)
    await browser.post('/two-factor/send-otp', {})
    expect((await browser.post('/two-factor/verify-otp', { code: await codeIn(person.email) })).status).toBe(200)
    expect((await browser.trpc.twoFactor.status.query()).removalAt).not.toBeNull()
    expect(await browser.trpc.twoFactor.cancelRemoval.mutate()).toEqual({ status: true })
    expect((await browser.trpc.twoFactor.status.query()).removalAt).toBeNull()
    await expect(browser.trpc.twoFactor.cancelRemoval.mutate()).rejects.toMatchObject({
      data: { reason: 'FACTOR_REMOVAL_NOT_PENDING' },
    })
  })
})

async function begunRemoval(at: TestApp, userId: string): Promise<void> {
  const admin = await createTwoFactorUser(at, await createAdministrator(at))
  expect((await admin.browser.post('/admin/remove-two-factor', { userId })).status).toBe(200)
}

// The clock of the issuer's package cannot be changed.
describe('step-up (RFC 9470)', async () => {
  const testApp = await createTestApp({ TRUSTED_ORIGINS: 'https://app.example.com' })
  const { origin } = testApp

  it('reports the actual level in acr when only one factor was used', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const claims = (await signInTo(application, person.browser, origin)).claims()
    expect(claims?.['acr'] ?? 'aal1').toBe('aal1')
    await createTwoFactorUser(testApp, person)
    const strong = await signInTo(application, person.browser, origin, { acr_values: 'aal2' })
    expect(strong.claims()).toMatchObject({ acr: 'aal2', amr: ['otp', 'mfa'] })
  })

  it('grants of a session before its second factor stay weak, because a copy of its cookie may have created them', async () => {
    const application = await registerApplication(testApp)
    const owner = await createOrganizationOwner(testApp)
    const scope = 'openid offline_access'
    const before = await signInTo(application, owner.browser, origin, { scope, resource: origin })
    const organization = { id: owner.organization.id }
    await testApp.db.organization.update({ where: organization, data: { secondFactorFrom: testApp.app.clock() } })
    await createTwoFactorUser(testApp, owner)
    const list = (token: string) =>
      testApp.browser().get(`/organization/list-members?organizationId=${organization.id}`, {
        authorization: `Bearer ${token}`,
      })
    const refreshed = await openid.refreshTokenGrant(application.config, before.refresh_token ?? '')
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ acr: 'aal1' })
    expect(decodeJwt(refreshed.access_token)['org']).toBeUndefined()
    expect(await list(refreshed.access_token)).toMatchObject(required)
    // The application asks again, in the session as it is now.
    const after = await signInTo(application, owner.browser, origin, { scope, resource: origin })
    const renewed = await openid.refreshTokenGrant(application.config, after.refresh_token ?? '')
    for (const { access_token: token } of [after, renewed]) {
      expect(decodeJwt(token)).toMatchObject({ acr: 'aal2', org: organization })
      expect((await list(token)).status).toBe(200)
    }
    // The first application does not gain the second factor, and ends with the session like the other.
    const again = await openid.refreshTokenGrant(application.config, refreshed.refresh_token ?? '')
    expect(await list(again.access_token)).toMatchObject(required)
    await owner.browser.post('/sign-out')
    for (const { refresh_token: token = '' } of [again, renewed])
      await expect(openid.refreshTokenGrant(application.config, token)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
  })

  it('a later passkey in the same browser does not strengthen an earlier grant', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const scope = 'openid offline_access'
    const before = await signInTo(application, person.browser, origin, { scope, resource: origin })
    const { authenticator } = await addPasskey(person, testApp)
    expect((await usePasskey(person.browser, authenticator)).status).toBe(200)
    const refreshed = await openid.refreshTokenGrant(application.config, before.refresh_token ?? '')
    const { acr, amr } = decodeJwt(refreshed.access_token)
    expect(acr).toBe('aal1')
    expect(amr).not.toContain('mfa')
    const after = await signInTo(application, person.browser, origin, { resource: origin })
    expect(decodeJwt(after.access_token)).toMatchObject({ acr: 'aal2', amr: expect.arrayContaining(['mfa']) })
  })

  it('refuses a user who has no second factor, and asks one who has', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application, { acr_values: 'aal2' })
    const refused = await follow(person.browser, url, origin)
    expect(refused.at.href.startsWith(callback)).toBe(true)
    expect(refused.at.searchParams.get('error')).toBe('unmet_authentication_requirements')
    const { authenticator } = await addPasskey(person, testApp)
    const browser = await signInElsewhere(testApp, person)
    const { url: next, verifier, state } = await authorizationOf(application, { acr_values: 'aal2' })
    const asked = await follow(browser, next, origin)
    expect([asked.at.pathname, asked.at.searchParams.get('again')]).toEqual(['/sign-in', 'true'])
    const continued = asked.at.searchParams.get('next') ?? ''
    // Entering the password again is not sufficient.
    await browser.post('/sign-in/email', { email: person.email, password })
    expect((await follow(browser, continued, origin)).at.searchParams.get('error')).toBe(
      'unmet_authentication_requirements',
    )
    expect([verifier, state].every(Boolean)).toBe(true)
    expect((await usePasskey(browser, authenticator)).status).toBe(200)
    const tokens = await signInTo(application, browser, origin, { acr_values: 'aal2' })
    expect(tokens.claims()).toMatchObject({ acr: 'aal2' })
    await expect(openid.fetchUserInfo(application.config, tokens.access_token, person.id)).resolves.toBeTruthy()
  })

  it('is required by Foyer itself of the tokens of an application', async () => {
    const application = await registerApplication(testApp)
    const owner = await createOrganizationOwner(testApp)
    const tokens = await signInTo(application, owner.browser, origin, { resource: origin })
    const list = () =>
      testApp.browser().get(`/organization/list-members?organizationId=${owner.organization.id}`, {
        authorization: `Bearer ${tokens.access_token}`,
      })
    expect((await list()).status).toBe(200)
    await testApp.db.organization.update({
      where: { id: owner.organization.id },
      data: { secondFactorFrom: testApp.app.clock() },
    })
    const refused = await list()
    expect(refused).toMatchObject(required)
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", acr_values="aal2"',
    )
  })
})

describe('pending codes', () => {
  it('become invalid with a new password', async () => {
    const person = await createUser(testApp)
    const thief = testApp.browser()
    await thief.post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
    const otp = /\b\d{6}\b/.exec((await testApp.mails(person.email))[0]?.text ?? '')?.[0]
    await person.browser.post('/change-password', { currentPassword: password, newPassword: 'another long sentence' })
    expect((await thief.post('/sign-in/email-otp', { email: person.email, otp })).body.code).toBe('INVALID_OTP')
  })

  it('can still be requested by a browser known to the user, when others have used up the count', async () => {
    const own = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUser(own)
    const known = person.browser
    await known.post('/sign-out')
    const ask = async (browser: Browser) => {
      own.advanceClock(61)
      await browser.post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
    }
    for (let n = 0; n < 7; n++) await ask(own.browser())
    const count = async () => (await own.mails(person.email)).filter(({ kind }) => kind === 'signInCode').length
    expect(await count()).toBe(5)
    await ask(known)
    expect(await count()).toBe(6)
  })
})

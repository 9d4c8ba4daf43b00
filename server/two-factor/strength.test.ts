import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { runAdminCommand } from '../admin/command.ts'
import { removeAuthenticatorApp } from '../factor/authenticator-apps.ts'
import { removeAllFactors } from '../factor/factors.ts'
import { removeOnePasskey } from '../factor/passkeys.ts'
import { sha256 } from '../foundation/crypto.ts'
import type { Tx } from '../foundation/database.ts'
import { transaction } from '../foundation/transactions.ts'
import { sweep } from '../maintenance/sweep.ts'
import { createAuthenticator } from '../testing/authenticator.ts'
import type { Answer, Browser } from '../testing/browser.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createAdministrator, password, type TestUser, createUser } from '../testing/test-users.ts'
import { codeOf, type TwoFactorUser, createTwoFactorUser } from '../testing/two-factor.ts'

const testApp = await createTestApp({ ADMIN_SECOND_FACTOR: 'on', TWO_FACTOR_EMAIL: 'on' })

async function addPasskey(browser: Browser, name?: string) {
  const authenticator = createAuthenticator(testApp.origin)
  const options = (await browser.get('/passkey/generate-register-options')).body
  const response = authenticator.create(options)
  const added = await browser.post('/passkey/verify-registration', { response, name })
  expect(added.status).toBe(200)
  return { authenticator, id: added.body.id as string }
}

async function usePasskey(browser: Browser, authenticator: ReturnType<typeof createAuthenticator>) {
  const options = (await browser.post('/passkey/generate-authenticate-options')).body
  return browser.post('/passkey/verify-authentication', { response: authenticator.get(options) })
}

const signIn = async (browser: Browser, { email }: Pick<TestUser, 'email'>) =>
  (await browser.post('/sign-in/email', { email, password })).body

/** Completes the second step with an emailed code, in a browser where the password was correct. */
async function stepByMail(browser: Browser, { email }: TestUser, more: object = {}) {
  await browser.post('/two-factor/send-otp', {})
  const code = /\b\d{6}\b/.exec((await testApp.mails(email))[0]?.text ?? '')?.[0]
  return browser.post('/two-factor/verify-otp', { code, ...more })
}

/** A session of the user that began with an emailed code, which is not a second factor. */
async function weakSession(person: TestUser): Promise<Browser> {
  const browser = testApp.browser()
  await signIn(browser, person)
  expect((await stepByMail(browser, person)).status).toBe(200)
  return browser
}

const isConfirmed = async (browser: Browser) => (await browser.trpc.twoFactor.status.query()).isConfirmed
const acrOf = async (browser: Browser) => decodeJwt((await browser.get('/token')).body.token)['acr']
const kindsTo = async ({ email }: Pick<TestUser, 'email'>) => (await testApp.mails(email)).map(({ kind }) => kind)
const eventsOf = ({ id }: Pick<TestUser, 'id'>, type: string) =>
  testApp.db.event.count({ where: { subjectId: id, type } })

/**
 * Makes the call wait for the user's row or session, makes the change under the same locks, and returns the call's
 * response.
 */
async function meanwhile(person: TestUser, call: () => Promise<Answer>, change: (tx: Tx) => Promise<unknown>) {
  const { answer } = await transaction(
    testApp,
    async (tx) => {
      await tx.$queryRaw`select 1 from "User" where id = ${person.id} for update`
      await tx.$queryRaw`select 1 from "Session" where "userId" = ${person.id} for update`
      const pending = call()
      await vi.waitFor(
        async () => {
          const waiting = await testApp.db.$queryRaw<unknown[]>`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          expect(waiting).not.toHaveLength(0)
        },
        { timeout: 20_000, interval: 50 },
      )
      await change(tx)
      return { answer: pending }
    },
    { timeout: 30_000 },
  )
  return answer
}

describe('an emailed code', () => {
  it('makes no browser trusted: the next sign-in there asks again', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = testApp.browser()
    await signIn(browser, person)
    expect((await stepByMail(browser, person, { trustDevice: true })).status).toBe(200)
    await browser.post('/sign-out')
    expect(await signIn(browser, person)).toEqual({ twoFactorRedirect: true })
  })
})

describe('guesses of the app’s code', () => {
  it('stop after three hundred, regardless of changes of password and browser', async () => {
    const person = await createTwoFactorUser(testApp)
    const statuses: number[] = []
    for (let round = 0; round < 31; round++) {
      // A new password resets the counts of browsers.
      await testApp.db.user.update({ where: { id: person.id }, data: { passwordVersion: { increment: 1 } } })
      const tries = Array.from({ length: 10 }, () => person.browser.post('/two-factor/verify-totp', { code: '12345' }))
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(300)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    const verify = () => person.browser.post('/two-factor/verify-totp', { code: person.next() })
    expect((await verify()).status).toBe(429)
    // The user has other methods, and each of them cancels it.
    const recovered = await person.browser.post('/two-factor/verify-backup-code', { code: person.codes[0] })
    expect(recovered.status).toBe(200)
    expect((await verify()).status).toBe(200)
  })

  it('are not reset by an emailed code, but by the removal of the app', async () => {
    const person = await createTwoFactorUser(testApp)
    const key = `second-factor:${person.id}`
    const expiresAt = new Date(testApp.app.clock().getTime() + 86_400_000)
    await testApp.db.rateLimitCounter.create({ data: { key, count: 300, expiresAt } })
    await weakSession(person)
    expect(await testApp.db.rateLimitCounter.count({ where: { key } })).toBe(1)
    await runAdminCommand(testApp.app, ['remove-factors', person.email])
    await signIn(person.browser, person)
    await createTwoFactorUser(testApp, person)
  })

  it('in a session are recorded', async () => {
    const person = await createTwoFactorUser(testApp)
    await person.browser.post('/two-factor/verify-totp', { code: '12345' })
    await person.browser.post('/two-factor/verify-backup-code', { code: 'abcde-fghij' })
    expect(await eventsOf(person, 'user.sign_in_failed')).toBe(2)
  })
})

describe('a session that is confirmed with a second factor', () => {
  const copyOf = (browser: Browser) => {
    const copy = testApp.browser()
    for (const [name, value] of browser.jar) copy.jar.set(name, value)
    return copy
  }

  it.each([
    [
      'a code',
      async (browser: Browser, { next }: TwoFactorUser) => browser.post('/two-factor/verify-totp', { code: next() }),
    ],
    [
      'a recovery code',
      async (browser: Browser, { codes }: TwoFactorUser) =>
        browser.post('/two-factor/verify-backup-code', { code: codes[0] }),
    ],
  ])('with %s gets a new token, so that a copy of the former cookie is useless', async (_name, confirm) => {
    const person = await createTwoFactorUser(testApp)
    const browser = await weakSession(person)
    const copy = copyOf(browser)
    expect(await isConfirmed(browser)).toBe(false)
    const sessions = await testApp.db.session.count({ where: { userId: person.id } })
    expect((await confirm(browser, person)).status).toBe(200)
    expect([await isConfirmed(browser), await acrOf(browser)]).toEqual([true, 'aal2'])
    expect((await copy.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect(await testApp.db.session.count({ where: { userId: person.id } })).toBe(sessions)
    expect(await eventsOf(person, 'user.second_factor_confirmed')).toBe(1)
    // A session that already has a second factor is unchanged.
    const token = browser.jar.get('foyer.session_token')
    expect((await browser.post('/two-factor/verify-totp', { code: person.next() })).status).toBe(200)
    expect(browser.jar.get('foyer.session_token')).toBe(token)
  })

  it('with its first passkey gets one too', async () => {
    const person = await createUser(testApp)
    const copy = copyOf(person.browser)
    await addPasskey(person.browser)
    expect(await isConfirmed(person.browser)).toBe(true)
    expect((await copy.get('/get-session?disableCookieCache=true')).body).toBeNull()
  })

  it('is confirmed even if another user’s sign-in is pending in the same browser', async () => {
    const person = await createTwoFactorUser(testApp)
    const other = await createTwoFactorUser(testApp)
    const browser = await weakSession(person)
    await browser.post('/sign-in/email', { email: other.email, password })
    const code = person.next()
    expect((await browser.post('/two-factor/verify-totp', { code })).status).toBe(401)
    testApp.advanceClock(30)
    const again = codeOf(testApp, person.secret)
    expect((await browser.post('/two-factor/verify-totp', { code: again, inSession: true })).status).toBe(200)
    expect(await isConfirmed(browser)).toBe(true)
  })
})

describe('removing a factor', () => {
  it('weakens the sessions that began with it', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createTwoFactorUser(testApp, await createMember(testApp, owner))
    await createTwoFactorUser(testApp, owner)
    const organizationId = owner.organization.id
    await owner.browser.post('/organization/set-second-factor', { organizationId, graceDays: 0 })
    const read = () => member.browser.get(`/organization/list-members?organizationId=${organizationId}`)
    expect((await read()).status).toBe(200)
    await member.browser.post('/two-factor/disable', { password })
    expect((await read()).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const { id } = await addPasskey(member.browser)
    expect((await read()).status).toBe(200)
    expect((await member.browser.post('/passkey/delete-passkey', { id })).status).toBe(200)
    expect((await read()).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  it('weakens the API keys that may have been created with it, but not older ones', async () => {
    const person = await createTwoFactorUser(testApp)
    const strong = async () => {
      const keys = await testApp.db.apiKey.findMany({
        where: { userId: person.id, createdWithSecondFactor: true },
        orderBy: { createdAt: 'asc' },
      })
      return keys.map(({ name }) => name)
    }
    const create = async (name: string) => {
      testApp.advanceClock(1)
      expect((await person.browser.post('/api-key/create', { name })).status).toBe(200)
    }
    await create('older')
    testApp.advanceClock(1)
    const { id } = await addPasskey(person.browser)
    await create('newer')
    expect(await strong()).toEqual(['older', 'newer'])
    await person.browser.post('/passkey/delete-passkey', { id })
    expect(await strong()).toEqual(['older'])
    await person.browser.post('/two-factor/disable', { password })
    expect(await strong()).toEqual([])
  })

  it('by replacing the app also weakens keys, because its finder may have created them', async () => {
    const person = await createTwoFactorUser(testApp)
    testApp.advanceClock(1)
    expect((await person.browser.post('/api-key/create', { name: 'program' })).status).toBe(200)
    await createTwoFactorUser(testApp, person)
    expect(await testApp.db.apiKey.count({ where: { userId: person.id, createdWithSecondFactor: true } })).toBe(0)
    testApp.advanceClock(1)
    expect((await person.browser.post('/api-key/create', { name: 'next' })).status).toBe(200)
    expect(await testApp.db.apiKey.count({ where: { userId: person.id, createdWithSecondFactor: true } })).toBe(1)
  })

  it('that is lost, by an administrator, ends the sessions', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const [one, other] = [await createTwoFactorUser(testApp), await createUser(testApp)]
    await addPasskey(other.browser)
    for (const { browser } of [one, other])
      expect((await browser.post('/api-key/create', { name: 'program' })).status).toBe(200)
    expect(
      await testApp.db.apiKey.count({ where: { userId: { in: [one.id, other.id] }, createdWithSecondFactor: true } }),
    ).toBe(2)
    await admin.browser.post('/admin/remove-two-factor', { userId: one.id })
    testApp.advanceClock(86_401)
    await sweep(testApp.app)
    await runAdminCommand(testApp.app, ['remove-factors', other.email])
    for (const { browser } of [one, other])
      expect((await browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect(
      await testApp.db.apiKey.count({ where: { userId: { in: [one.id, other.id] }, createdWithSecondFactor: true } }),
    ).toBe(0)
  })
})

describe('the owner is notified', () => {
  it('when a removal is canceled, in any way', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const person = await createTwoFactorUser(testApp)
    const { authenticator } = await addPasskey(person.browser)
    const ways = [
      () => person.browser.trpc.twoFactor.cancelRemoval.mutate(),
      () => person.browser.post('/two-factor/verify-totp', { code: person.next() }),
      () => usePasskey(person.browser, authenticator),
    ]
    for (const [index, cancel] of ways.entries()) {
      await admin.browser.post('/admin/remove-two-factor', { userId: person.id })
      await cancel()
      expect((await kindsTo(person)).filter((kind) => kind === 'twoFactorRemovalCanceled')).toHaveLength(index + 1)
    }
  })

  it('when a passkey may have been copied', async () => {
    const person = await createUser(testApp)
    const { authenticator } = await addPasskey(person.browser, 'Key of steel')
    await testApp.db.passkey.updateMany({ where: { userId: person.id }, data: { counter: 100 } })
    expect((await usePasskey(testApp.browser(), authenticator)).status).toBe(400)
    const [mail] = await testApp.mails(person.email)
    expect(mail?.kind).toBe('passkeyRefused')
    expect(mail?.text).toContain('Key of steel')
  })

  it('when factors added before the verification of the address are removed, regardless of earlier emails', async () => {
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const squatter = await createUser(own)
    await own.db.user.update({ where: { id: squatter.id }, data: { emailVerified: false } })
    await createTwoFactorUser(own, squatter)
    await own.db.$executeRaw`
      insert into "RateLimitCounter" (key, count, "expiresAt")
      values (${`mail-budget:notice:${squatter.email}`}, 1000, ${new Date(own.app.clock().getTime() + 3_600_000)})
      on conflict (key) do update set count = 1000`
    await own.browser().post('/forget-password', { email: squatter.email })
    const text = (await own.mails(squatter.email)).find(({ kind }) => kind === 'resetPassword')?.text ?? ''
    const token = /reset-password\/([\w.-]+)/.exec(text)?.[1]
    const reset = await own.browser().post('/reset-password', { token, newPassword: 'the sentence of the owner' })
    expect(reset.status).toBe(200)
    expect((await own.mails(squatter.email)).map(({ kind }) => kind)).toContain('unverifiedFactorsRemoved')
  })
})

describe('a new administrator', () => {
  it('is asked again in browsers that were trusted before', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const person = await createTwoFactorUser(testApp)
    const browser = testApp.browser()
    await signIn(browser, person)
    const code = person.next()
    expect((await browser.post('/two-factor/verify-totp', { code, trustDevice: true })).status).toBe(200)
    expect((await admin.browser.post('/admin/set-role', { userId: person.id, role: 'admin' })).status).toBe(200)
    expect(await signIn(browser, person)).toEqual({ twoFactorRedirect: true })
  })

  it('through ADMIN_EMAILS is asked again in the same sign-in', async () => {
    const email = 'listed@example.test'
    const own = await createTestApp({ ADMIN_SECOND_FACTOR: 'on', ADMIN_EMAILS: email })
    const person = await createTwoFactorUser(own, await createUser(own, { email }))
    // As before the setting contained the email address.
    await own.db.user.update({ where: { id: person.id }, data: { role: 'user' } })
    const browser = own.browser()
    await signIn(browser, person)
    await own.db.user.update({ where: { id: person.id }, data: { role: 'user' } })
    const verify = (more: object) => browser.post('/two-factor/verify-totp', { code: person.next(), ...more })
    expect((await verify({ trustDevice: true })).status).toBe(200)
    await own.db.user.update({ where: { id: person.id }, data: { role: 'user' } })
    await browser.post('/sign-out')
    // Also in the second of two concurrent requests.
    const answers = await Promise.all([signIn(browser, person), signIn(browser, person)])
    expect(answers).toEqual([{ twoFactorRedirect: true }, { twoFactorRedirect: true }])
    expect((await own.db.user.findUniqueOrThrow({ where: { id: person.id } })).role).toBe('admin')
    expect((await verify({})).status).toBe(200)
    expect((await browser.get('/admin/list-users?limit=1')).status).toBe(200)
  })

  it('is notified of the number and dates of existing passkeys', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    const [none, some] = [await createUser(testApp), await createUser(testApp)]
    await addPasskey(some.browser)
    await addPasskey(some.browser, 'Phone, 0')
    const day = testApp.app.clock().toISOString().slice(0, 10)
    for (const { id } of [none, some]) await admin.browser.post('/admin/set-role', { userId: id, role: 'admin' })
    const textOf = async ({ email }: TestUser) =>
      (await testApp.mails(email)).find(({ kind }) => kind === 'administratorGranted')?.text ?? ''
    expect(await textOf(none)).toContain('Passkeys on your account: 0.')
    expect(await textOf(some)).toContain(`Passkeys on your account: 2 (— ${day}; “Phone, 0” ${day}).`)
  })
})

describe('a factor that is removed during a call', () => {
  it.each([
    ['/reauthenticate', { password }],
    [
      '/change-password',
      { currentPassword: password, newPassword: 'another sentence of words', revokeOtherSessions: true },
    ],
    ['/api-key/create', { name: 'program' }],
  ])('strengthens nothing: %s', async (path, body) => {
    const person = await createTwoFactorUser(testApp)
    const answer = await meanwhile(
      person,
      () => person.browser.post(path, body),
      (tx) => removeAllFactors(tx, person.id),
    )
    expect(answer.status).toBe(200)
    expect(await isConfirmed(person.browser)).toBe(false)
    expect(await testApp.db.apiKey.count({ where: { userId: person.id, createdWithSecondFactor: true } })).toBe(0)
  })

  it('ends the session that began with it, and a confirmed password does not restore it', async () => {
    const person = await createUser(testApp)
    const { id } = await addPasskey(person.browser, 'One')
    await addPasskey(person.browser, 'Other')
    const answer = await meanwhile(
      person,
      () => person.browser.post('/reauthenticate', { password }),
      (tx) => removeOnePasskey(tx, { userId: person.id, id, keptSessionId: '' }),
    )
    expect(answer.status).toBe(401)
    expect(await testApp.db.session.count({ where: { userId: person.id } })).toBe(0)
  })

  it('does not let a session without one change the other factors', async () => {
    const admin = await createTwoFactorUser(testApp, await createAdministrator(testApp))
    await addPasskey(admin.browser, 'One')
    const options = (await admin.browser.get('/passkey/generate-register-options')).body
    const response = createAuthenticator(testApp.origin).create(options)
    const answer = await meanwhile(
      admin,
      () => admin.browser.post('/passkey/verify-registration', { response, name: 'Two' }),
      (tx) => removeAuthenticatorApp(tx, admin.id),
    )
    expect(answer.body.code).toBe('SECOND_FACTOR_REQUIRED')
  })
})

describe('a request with the former cookie', () => {
  it('keeps the new one in the browser', async () => {
    const person = await createTwoFactorUser(testApp)
    const { browser } = person
    // Old enough to be extended by the request.
    testApp.advanceClock(2 * 86_400)
    const { status, cookies } = await meanwhile(
      person,
      () => browser.copy().get('/list-sessions'),
      (tx) => tx.session.updateMany({ where: { userId: person.id }, data: { tokenHash: sha256('another token') } }),
    )
    expect(status).toBe(401)
    expect(cookies.filter((cookie) => cookie.includes('session_token'))).toEqual([])
  })
})

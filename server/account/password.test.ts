import { describe, expect, it } from 'vitest'
import { transaction } from '../foundation/transactions.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import { type TestUser, createUser, createUnverifiedUser, signInElsewhere, newUserData } from '../testing/test-users.ts'
import { setPassword } from './credentials.ts'

const testApp = await createTestApp()
const next = 'an entirely different sentence'

/** The token in the newest reset email to a user. */
async function resetToken(own: TestApp, { email }: Pick<TestUser, 'email'>): Promise<string> {
  await own.browser().post('/forget-password', { email })
  return new URL(await emailedLink(own, email, 'resetPassword')).pathname.split('/').at(-1) ?? ''
}

describe('POST /forget-password and GET /reset-password/{token}', () => {
  it('gives the same response for every email address, and emails only existing users', async () => {
    const person = await createUser(testApp)
    const nobody = newUserData()
    const answers = await Promise.all(
      [person.email.toUpperCase(), nobody.email].map((email) => testApp.browser().post('/forget-password', { email })),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, '{"status":true}']))
    expect((await testApp.mails(person.email))[0]?.kind).toBe('resetPassword')
    expect(await testApp.mails(nobody.email)).toEqual([])
  })

  it('the link redirects to the page with the token, without consuming it', async () => {
    const person = await createUser(testApp)
    await testApp.browser().post('/forget-password', { email: person.email, redirectTo: '/new?x=1' })
    const link = await emailedLink(testApp, person.email, 'resetPassword')
    const token = new URL(link).pathname.split('/').at(-1) ?? ''
    expect(token).toMatch(/^[A-Za-z0-9]{24}$/)
    for (let look = 0; look < 2; look++) {
      const { status, location } = await testApp.browser().get(link)
      expect([status, location]).toEqual([302, `${testApp.origin}/new?x=1&token=${token}`])
    }
    expect((await testApp.browser().get('/reset-password/unknown?callbackURL=/new')).location).toBe(
      '/new?error=INVALID_TOKEN',
    )
    expect((await testApp.browser().get('/reset-password/unknown?callbackURL=')).location).toBe(
      '/api/auth/error?error=INVALID_TOKEN',
    )
    expect((await testApp.browser().get('/reset-password/unknown')).body).toEqual({
      code: 'CALLBACKURL_IS_REQUIRED',
      message: 'callbackURL is required',
    })
    expect((await testApp.browser().get('/reset-password/unknown?callbackURL=//evil.test')).status).toBe(403)
  })

  it('an expired link redirects with INVALID_TOKEN', async () => {
    const own = await createTestApp({ RESET_TOKEN_LIFETIME: '100' })
    const person = await createUser(own)
    const token = await resetToken(own, person)
    own.advanceClock(101)
    expect((await own.browser().get(`/reset-password/${token}?callbackURL=/new`)).location).toBe(
      '/new?error=INVALID_TOKEN',
    )
    const { status, body } = await own.browser().post('/reset-password', { token, newPassword: next })
    expect([status, body]).toEqual([400, { code: 'INVALID_TOKEN', message: 'invalid token' }])
  })

  it('RESET_PASSWORD=off refuses with its own message', async () => {
    const closed = await createTestApp({ RESET_PASSWORD: 'off' })
    expect((await closed.browser().post('/forget-password', { email: 'a@b.test' })).body).toEqual({
      code: 'RESET_PASSWORD_ISNT_ENABLED',
      message: "Reset password isn't enabled",
    })
  })
})

describe('POST /reset-password', () => {
  it('sets the password, ends every session and notifies the user', async () => {
    const person = await createUser(testApp)
    const elsewhere = await signInElsewhere(testApp, person)
    const token = await resetToken(testApp, person)
    const { status, body, cookies } = await testApp.browser().post('/reset-password', { newPassword: next, token })
    expect([status, body]).toEqual([200, { status: true }])
    // The browser is now a known device, but not signed in.
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['foyer.known_devices'])
    expect((await elsewhere.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await testApp.browser().post('/sign-in/email', person)).status).toBe(401)
    await signInElsewhere(testApp, { ...person, password: next })
    expect((await testApp.mails(person.email))[0]?.kind).toBe('passwordChanged')
  })

  it('accepts the token in the query too, and refuses in the specified order', async () => {
    const person = await createUser(testApp)
    const reset = (query: string, body: object) => testApp.browser().post(`/reset-password${query}`, body)
    expect((await reset('', { newPassword: 'x' })).body.code).toBe('INVALID_TOKEN')
    expect((await reset('?token=unknown', { newPassword: 'x' })).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await reset('?token=unknown', { newPassword: next })).body.code).toBe('INVALID_TOKEN')
    const token = await resetToken(testApp, person)
    expect((await reset(`?token=${token}`, { newPassword: 'password' })).body.code).toBe('PASSWORD_TOO_COMMON')
    expect((await reset(`?token=${token}`, { newPassword: next })).body).toEqual({ status: true })
    expect((await reset(`?token=${token}`, { newPassword: next })).body.code).toBe('INVALID_TOKEN')
  })

  it('of thirty concurrent uses of one token, one succeeds', async () => {
    const person = await createUser(testApp)
    const token = await resetToken(testApp, person)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        testApp.browser().post('/reset-password', { token, newPassword: `${next} ${n}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'INVALID_TOKEN')).toHaveLength(29)
    const winner = answers.findIndex(({ status }) => status === 200)
    await signInElsewhere(testApp, { ...person, password: `${next} ${winner}` })
  })

  it('a password reset by the mailbox owner deletes everything that an unverified owner left behind (SEC-13)', async () => {
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const attacker = await createUnverifiedUser(own)
    await own.db.account.create({
      data: {
        id: 'linked',
        providerId: 'github',
        accountId: '7',
        userId: attacker.id,
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    })
    const token = await resetToken(own, attacker)
    await own.browser().post('/reset-password', { token, newPassword: next })
    expect((await attacker.browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await own.browser().post('/sign-in/email', attacker)).status).toBe(401)
    const [owner, ...more] = await own.db.user.findMany({ include: { accounts: true } })
    expect(more).toEqual([])
    expect(owner).toMatchObject({
      email: attacker.email,
      emailVerified: true,
      accounts: [{ providerId: 'credential' }],
    })
    // The account has been used, so it may be the owner's: a password reset must not delete it.
    expect(owner?.id).toBe(attacker.id)
  })

  it('in the browser of the sign-up, keeps the account and verifies it', async () => {
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const person = await createUnverifiedUser(own)
    const token = await resetToken(own, person)
    await person.browser.post('/reset-password', { token, newPassword: next })
    expect(await own.db.user.findUniqueOrThrow({ where: { id: person.id } })).toMatchObject({ emailVerified: true })
  })

  it('invalidates the user’s other links, and a concurrent sign-in starts no session', async () => {
    const person = await createUser(testApp)
    const first = await resetToken(testApp, person)
    const second = await resetToken(testApp, person)
    const [reset, ...signIns] = await Promise.all([
      testApp.browser().post('/reset-password', { token: second, newPassword: next }),
      ...Array.from({ length: 10 }, () => testApp.browser().post('/sign-in/email', person)),
    ])
    expect(reset?.status).toBe(200)
    expect(signIns.every(({ status }) => status === 200 || status === 401)).toBe(true)
    expect(await testApp.db.session.count({ where: { userId: person.id } })).toBe(0)
    expect((await testApp.browser().post('/reset-password', { token: first, newPassword: next })).body.code).toBe(
      'INVALID_TOKEN',
    )
  })

  it('creates a password for a user without one', async () => {
    const person = await createUser(testApp)
    await testApp.db.account.deleteMany({ where: { userId: person.id } })
    const token = await resetToken(testApp, person)
    expect((await testApp.browser().post('/reset-password', { token, newPassword: next })).status).toBe(200)
    await signInElsewhere(testApp, { ...person, password: next })
  })
})

describe('POST /change-password', () => {
  it('renews the token, keeps the handle and the other sessions, and notifies the owner', async () => {
    const person = await createUser(testApp)
    const elsewhere = await signInElsewhere(testApp, person)
    const before = (await person.browser.get('/get-session?disableCookieCache=true')).body.session
    const thief = person.browser.copy()
    const { status, body } = await person.browser.post('/change-password', {
      currentPassword: person.password,
      newPassword: next,
    })
    expect([status, body.token, body.user.id]).toEqual([200, null, person.id])
    expect((await thief.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body.session.token).toBe(before.token)
    expect((await elsewhere.get('/get-session?disableCookieCache=true')).body.user.id).toBe(person.id)
    expect((await testApp.mails(person.email))[0]?.kind).toBe('passwordChanged')
    await signInElsewhere(testApp, { ...person, password: next })
  })

  it('with revokeOtherSessions ends all sessions and starts a new one', async () => {
    const person = await createUser(testApp)
    const elsewhere = await signInElsewhere(testApp, person)
    const { body } = await person.browser.post('/change-password', {
      currentPassword: person.password,
      newPassword: next,
      revokeOtherSessions: true,
    })
    expect((await elsewhere.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body.session.token).toBe(body.token)
    expect(await testApp.db.session.count({ where: { userId: person.id } })).toBe(1)
  })

  it('refuses in the specified order and changes nothing', async () => {
    const person = await createUser(testApp)
    const change = (body: object) => person.browser.post('/change-password', body)
    expect((await change({ currentPassword: 'wrong', newPassword: 'x' })).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await change({ currentPassword: 'wrong', newPassword: 'x'.repeat(129) })).body.code).toBe(
      'PASSWORD_TOO_LONG',
    )
    const wrong = await change({ currentPassword: 'wrong', newPassword: next })
    expect([wrong.status, wrong.body]).toEqual([400, { code: 'INVALID_PASSWORD', message: 'Invalid password' }])
    expect((await testApp.browser().post('/change-password', {})).status).toBe(401)
    await signInElsewhere(testApp, person)
    await testApp.db.account.deleteMany({ where: { userId: person.id } })
    expect((await change({ currentPassword: 'any', newPassword: next })).body).toEqual({
      code: 'CREDENTIAL_ACCOUNT_NOT_FOUND',
      message: 'Credential account not found',
    })
  })

  it('of ten concurrent changes, one succeeds, and open reset links become invalid', async () => {
    const person = await createUser(testApp)
    const token = await resetToken(testApp, person)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        person.browser
          .copy()
          .post('/change-password', { currentPassword: person.password, newPassword: `${next} ${n}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 400, 401].includes(status))).toBe(true)
    expect((await testApp.browser().post('/reset-password', { token, newPassword: next })).body.code).toBe(
      'INVALID_TOKEN',
    )
  })
})

describe('set-password', () => {
  it('is callable only by the server, and sets a first password once', async () => {
    const person = await createUser(testApp)
    expect((await person.browser.post('/set-password', { newPassword: next })).status).toBe(404)
    const change = { userId: person.id, passwordHash: await testApp.app.hasher.hash(next), now: new Date() }
    await expect(transaction(testApp, (tx) => setPassword(tx, change))).rejects.toMatchObject({
      key: 'USER_ALREADY_HAS_A_PASSWORD',
      message: 'user already has a password',
    })
    await testApp.db.account.deleteMany({ where: { userId: person.id } })
    await transaction(testApp, (tx) => setPassword(tx, change))
    await signInElsewhere(testApp, { ...person, password: next })
  })
})

import { describe, expect, it } from 'vitest'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, signInElsewhere, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()
const day = 86_400

describe('POST /update-user', () => {
  it('updates the given fields, and the cookie cache in the same response', async () => {
    const person = await createUser(testApp)
    const username = `Ada_${Math.random().toString(36).slice(2, 8)}`
    const changes = { name: 'Augusta', image: 'https://example.test/a.png', username, language: 6 }
    const { status, body } = await person.browser.post('/update-user', {
      ...changes,
      role: 'admin',
      emailVerified: false,
      id: 'x',
    })
    expect([status, body]).toEqual([200, { status: true }])
    expect((await person.browser.get('/get-session')).body.user).toMatchObject({
      id: person.id,
      name: 'Augusta',
      image: 'https://example.test/a.png',
      username: username.toLowerCase(),
      displayUsername: username,
      language: 6,
      role: 'user',
      emailVerified: true,
    })
    expect(
      (await person.browser.post('/update-user', { image: null, username, displayUsername: 'Ada L' })).status,
    ).toBe(200)
    expect((await person.browser.get('/get-session')).body.user).toMatchObject({
      image: null,
      displayUsername: 'Ada L',
    })
    expect((await person.browser.post('/update-user', {})).body).toEqual({ status: true })
  })

  it('refuses an email address, invalid usernames, and taken usernames; checks the session first', async () => {
    const person = await createUser(testApp)
    const other = await createUser(testApp, { username: `grace_${Math.random().toString(36).slice(2, 8)}` })
    const update = (body: object) => person.browser.post('/update-user', body)
    expect((await update({ email: 'x@y.test' })).body).toEqual({
      code: 'EMAIL_CAN_NOT_BE_UPDATED',
      message: 'Email can not be updated',
    })
    expect((await update({ username: 'ab' })).body.code).toBe('USERNAME_IS_TOO_SHORT')
    const taken = await testApp.db.user.findUniqueOrThrow({ where: { id: other.id } })
    const { status, body } = await update({ username: taken.username?.toUpperCase() })
    expect([status, body.code]).toEqual([422, 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER'])
    for (const wrong of [
      { name: '' },
      { image: 'javascript:x' },
      { language: 2 },
      { name: 7 },
      { displayUsername: '<b>' },
    ]) {
      expect((await update(wrong)).status).toBeGreaterThanOrEqual(400)
    }
    expect((await testApp.browser().post('/update-user', { username: 'ab' })).status).toBe(401)
  })

  it('of twenty concurrent requests for one username, one succeeds', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => createUser(testApp)))
    const username = `only_${Math.random().toString(36).slice(2, 8)}`
    const answers = await Promise.all(people.map(({ browser }) => browser.post('/update-user', { username })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19)
  })
})

describe('POST /sign-in/username', () => {
  it('signs in with the username in any case', async () => {
    const username = `Ada.${Math.random().toString(36).slice(2, 8)}`
    const person = await createUser(testApp, { username })
    const { status, body } = await testApp
      .browser()
      .post('/sign-in/username', { username: username.toUpperCase(), password: person.password })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ id: person.id, username: username.toLowerCase() })
    expect(body.user).not.toHaveProperty('displayUsername')
    expect(body).not.toHaveProperty('redirect')
  })

  it('refuses with the messages of the REST contract', async () => {
    const username = `u${Math.random().toString(36).slice(2, 8)}`
    const person = await createUnverifiedUser(testApp, { username })
    const attempt = async (body: object) => {
      const answer = await testApp.browser().post('/sign-in/username', body)
      return [answer.status, answer.body.code, answer.body.message]
    }
    const wrong = [401, 'INVALID_USERNAME_OR_PASSWORD', 'invalid username or password']
    expect(await attempt({ username: '', password: 'x' })).toEqual(wrong)
    expect(await attempt({ username, password: '' })).toEqual(wrong)
    expect(await attempt({ username, password: 'wrong' })).toEqual(wrong)
    expect(await attempt({ username: `${username}x`, password: 'wrong' })).toEqual(wrong)
    expect(await attempt({ username: 'ab', password: 'x' })).toEqual([
      422,
      'USERNAME_IS_TOO_SHORT',
      'username is too short',
    ])
    expect(await attempt({ username: 'a'.repeat(31), password: 'x' })).toEqual([
      422,
      'USERNAME_IS_TOO_LONG',
      'username is too long',
    ])
    expect(await attempt({ username: 'a b c', password: 'x' })).toEqual([
      422,
      'USERNAME_IS_INVALID',
      'username is invalid',
    ])
    expect(await attempt({ username })).toEqual([400, 'VALIDATION_ERROR', 'Invalid body parameters'])
    expect(await attempt({ username, password: person.password })).toEqual([
      403,
      'EMAIL_NOT_VERIFIED',
      'email not verified',
    ])
    expect(await testApp.mails(person.email)).toHaveLength(2)
  })

  it('an internal fault is reported as an unexpected error', async () => {
    const broken = await createTestApp()
    await createUser(broken, { username: 'countess' })
    await broken.pool.query('alter table "Account" rename column password to gone')
    const { status, body } = await broken.browser().post('/sign-in/username', { username: 'countess', password: 'x' })
    expect([status, body]).toEqual([500, { code: 'UNEXPECTED_ERROR', message: 'unexpected error' }])
  })
})

describe('sessions of one user', () => {
  it('are listed with handles that give no access, oldest first, in pages on request', async () => {
    const person = await createUser(testApp)
    for (let n = 0; n < 3; n++) await signInElsewhere(testApp, person)
    const { body } = await person.browser.get('/list-sessions')
    expect(body).toHaveLength(4)
    const own = (await person.browser.get('/get-session')).body.session
    expect(body[0]).toEqual(own)
    for (const { token } of body) {
      const browser = testApp.browser()
      browser.jar.set('foyer.session_token', token)
      expect((await browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    }
    const first = (await person.browser.get('/list-sessions?limit=3')).body
    const rest = (await person.browser.get(`/list-sessions?limit=3&cursor=${first.at(-1).id}`)).body
    expect([...first, ...rest]).toEqual(body)
    expect((await person.browser.get('/list-sessions?limit=0')).status).toBe(400)
    expect(await person.browser.trpc.session.list.query()).toEqual(body)
  })

  it('can be revoked individually, all others, or all', async () => {
    const person = await createUser(testApp)
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => signInElsewhere(testApp, person)))
    const tokenOf = async (browser = person.browser) => (await browser.get('/get-session')).body.session.token
    const lives = async (browser = person.browser) =>
      (await browser.get('/get-session?disableCookieCache=true')).body !== null
    const stranger = await createUser(testApp)
    const foreign = await stranger.browser.post('/revoke-session', { token: await tokenOf(one) })
    const unknown = await stranger.browser.post('/revoke-session', { token: 'unknown' })
    expect([foreign.status, foreign.body]).toEqual([400, { code: 'SESSION_NOT_FOUND', message: 'Session not found' }])
    expect(unknown.text).toBe(foreign.text)
    expect((await person.browser.post('/revoke-session', { token: await tokenOf(one) })).body).toEqual({ status: true })
    expect([await lives(one), await lives(two)]).toEqual([false, true])
    expect((await person.browser.post('/revoke-other-sessions')).body).toEqual({ status: true })
    expect([await lives(two), await lives(three), await lives()]).toEqual([false, false, true])
    const last = await person.browser.post('/revoke-sessions')
    expect([last.body, await lives()]).toEqual([{ status: true }, false])
    expect(last.cookies.every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
  })

  it('a new sign-in in the same browser replaces its session', async () => {
    const person = await createUser(testApp)
    await person.browser.post('/sign-in/email', { email: person.email, password: person.password })
    expect((await person.browser.get('/list-sessions')).body).toHaveLength(1)
  })

  it('are limited to 250: a new session ends the oldest', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    await own.pool.query(
      `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
       select 's' || n, 's' || n, 's' || n, $1, now() + interval '1 day', now() - n * interval '1 minute', now(), true, '', '' from generate_series(1, 300) n`,
      [person.id],
    )
    await signInElsewhere(own, person)
    expect(await own.db.session.count({ where: { userId: person.id } })).toBe(250)
  })

  it('a sign-in with an unknown device notifies the user; one with a known device does not', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    own.advanceClock(2 * 3600)
    const newDevices = async () => (await own.mails(person.email)).filter(({ kind }) => kind === 'newDevice').length
    await person.browser.post('/sign-in/email', { email: person.email, password: person.password })
    expect(await newDevices()).toBe(0)
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    const browser = own.browser()
    await browser.post('/sign-in/email', { email: person.email, password: person.password }, firefox)
    expect(await newDevices()).toBe(1)
    await browser.post('/sign-out', {}, firefox)
    await browser.post('/sign-in/email', { email: person.email, password: person.password }, firefox)
    expect(await newDevices()).toBe(1)
  })
})

describe('POST /change-email', () => {
  const fresh = () => newUserData().email

  it('an unverified address changes immediately', async () => {
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const person = await createUnverifiedUser(own)
    const email = fresh()
    expect((await person.browser.post('/change-email', { newEmail: email.toUpperCase() })).body).toEqual({
      status: true,
    })
    expect((await person.browser.get('/get-session')).body.user).toMatchObject({ email, emailVerified: false })
    await person.browser.get(await emailedLink(own, email))
    expect((await person.browser.get('/get-session')).body.user).toMatchObject({ email, emailVerified: true })
    const oldLink = await emailedLink(own, person.email, 'verifyEmail')
    expect((await person.browser.get(oldLink)).location).toBe('/?error=invalid_token')
  })

  it('an address that was never verified is changed by a fresh session alone, because no link confirms it', async () => {
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const person = await createUnverifiedUser(own)
    own.advanceClock(2 * 86_400)
    const change = () => person.browser.post('/change-email', { newEmail: fresh() })
    const late = await change()
    expect([late.status, late.body.code]).toEqual([403, 'SESSION_IS_NOT_FRESH'])
    expect((await person.browser.get('/get-session')).body.user.email).toBe(person.email)
    await person.browser.post('/reauthenticate', { password: person.password })
    expect((await change()).status).toBe(200)
  })

  it('a verified address changes after its owner has confirmed, is then unverified, and both addresses are notified', async () => {
    const person = await createUser(testApp)
    const email = fresh()
    await person.browser.post('/change-email', { newEmail: email, callbackURL: '/settings?a=1' })
    expect((await person.browser.get('/get-session')).body.user.email).toBe(person.email)
    expect(await testApp.mails(email)).toEqual([])
    const pending = () => person.browser.trpc.account.pendingEmail.query()
    expect(await pending()).toEqual({ email, expiresAt: expect.any(String) })
    const link = await emailedLink(testApp, person.email, 'confirmEmailChange')
    expect((await testApp.browser().get(link)).location).toBe('/settings?a=1&error=unauthorized')
    const other = await createUser(testApp)
    expect((await other.browser.get(link)).location).toBe('/settings?a=1&error=unauthorized')
    expect((await person.browser.get(link)).location).toBe('/settings?a=1')
    expect((await person.browser.get('/get-session')).body.user).toMatchObject({
      id: person.id,
      email,
      emailVerified: false,
    })
    expect(await pending()).toBeNull()
    expect((await testApp.mails(person.email))[0]?.kind).toBe('emailChanged')
    expect((await person.browser.get(link)).location).toBe('/settings?a=1&error=invalid_token')
    await person.browser.get(await emailedLink(testApp, email, 'verifyEmail'))
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body.user.emailVerified).toBe(true)
  })

  it('responds with JSON without a callbackURL', async () => {
    const person = await createUser(testApp)
    const email = fresh()
    await person.browser.post('/change-email', { newEmail: email })
    const token = new URL(await emailedLink(testApp, person.email, 'confirmEmailChange')).searchParams.get('token')
    const signedOut = await testApp.browser().get(`/verify-email?token=${token}`)
    expect([signedOut.status, signedOut.body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'unauthorized' }])
    const { status, body } = await person.browser.get(`/verify-email?token=${token}`)
    expect([status, body]).toMatchObject([200, { status: true, user: { id: person.id, email, emailVerified: false } }])
  })

  it('refuses the same address, taken addresses and invalid addresses', async () => {
    const person = await createUser(testApp)
    const other = await createUser(testApp)
    const change = async (newEmail: unknown) => (await person.browser.post('/change-email', { newEmail })).body
    expect(await change(person.email.toUpperCase())).toEqual({
      code: 'EMAIL_IS_THE_SAME',
      message: 'Email is the same',
    })
    expect(await change(other.email)).toEqual({
      code: 'COULDNT_UPDATE_YOUR_EMAIL',
      message: "Couldn't update your email",
    })
    expect((await change('ada')).code).toBe('VALIDATION_ERROR')
    const closed = await createTestApp({ CHANGE_EMAIL: 'off' })
    const there = await createUser(closed)
    expect((await there.browser.post('/change-email', { newEmail: fresh() })).body).toEqual({
      code: 'CHANGE_EMAIL_IS_DISABLED',
      message: 'Change email is disabled',
    })
  })

  it('a link is void after a new password, with another change, and when the new address is taken meanwhile', async () => {
    const next = 'an entirely different sentence'
    const ask = async () => {
      const person = await createUser(testApp)
      const email = fresh()
      await person.browser.post('/change-email', { newEmail: email })
      return { person, email, link: await emailedLink(testApp, person.email, 'confirmEmailChange') }
    }
    const one = await ask()
    await one.person.browser.post('/change-password', { currentPassword: one.person.password, newPassword: next })
    expect((await one.person.browser.get(one.link)).location).toBe('/?error=invalid_token')
    const two = await ask()
    await testApp.browser().post('/sign-up/email', newUserData({ email: two.email }))
    expect((await two.person.browser.get(two.link)).location).toBe('/?error=invalid_token')
    const three = await ask()
    const answers = await Promise.all(Array.from({ length: 30 }, () => three.person.browser.copy().get(three.link)))
    expect(answers.filter(({ location }) => location === '/')).toHaveLength(1)
    expect((await testApp.mails(three.email)).filter(({ kind }) => kind === 'verifyEmail')).toHaveLength(1)
  })
})

describe('POST /delete-user and GET /delete-user/callback', () => {
  it('with the password deletes immediately, in all sessions, and sends a final email', async () => {
    const person = await createUser(testApp)
    const elsewhere = await signInElsewhere(testApp, person)
    expect((await person.browser.post('/delete-user', { password: 'wrong' })).body.code).toBe('INVALID_PASSWORD')
    const { body, cookies } = await person.browser.post('/delete-user', { password: person.password })
    expect(body).toEqual({ success: true, message: 'User deleted' })
    expect(cookies.every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
    expect((await elsewhere.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await elsewhere.post('/update-user', { name: 'x' })).status).toBe(401)
    expect(await testApp.db.user.findUnique({ where: { id: person.id } })).toBeNull()
    expect((await testApp.mails(person.email))[0]?.kind).toBe('deleted')
    expect((await testApp.browser().post('/sign-in/email', person)).status).toBe(401)
  })

  it('with the emailed token deletes once, only for its owner in a fresh session', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    const other = await createUser(own)
    expect((await person.browser.post('/delete-user', {})).body).toEqual({
      success: true,
      message: 'Verification email sent',
    })
    const link = await emailedLink(own, person.email, 'confirmDeletion')
    expect(new URL(link).searchParams.get('token')).toMatch(/^[a-z0-9]{32}$/)
    const signedOut = await own.browser().get(link)
    expect([signedOut.status, signedOut.body]).toEqual([
      404,
      { code: 'FAILED_TO_GET_USER_INFO', message: 'Failed to get user info' },
    ])
    const foreign = await other.browser.get(link)
    expect([foreign.status, foreign.body]).toEqual([404, { code: 'INVALID_TOKEN', message: 'invalid token' }])
    own.advanceClock(day - 60)
    const late = person.browser.copy()
    own.advanceClock(120)
    await own.pool.query(`update "Verification" set "expiresAt" = "expiresAt" + interval '2 days'`)
    expect((await late.get(link)).body).toEqual({
      code: 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION',
      message: 'Session expired. Re-authenticate to perform this action.',
    })
    const again = await signInElsewhere(own, person)
    expect((await again.get(link)).location).toBe('/')
    expect(await own.db.user.findUnique({ where: { id: person.id } })).toBeNull()
    expect((await again.get(link)).status).toBe(404)
  })

  it('a stale session needs the password or an emailed token', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    own.advanceClock(day + 1)
    expect((await person.browser.post('/delete-user', {})).body.code).toBe(
      'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION',
    )
    expect((await person.browser.post('/delete-user', { password: person.password })).body.message).toBe('User deleted')
  })

  it('accepts only the emailed token, and deletes once under concurrency', async () => {
    const person = await createUser(testApp)
    await person.browser.post('/delete-user', {})
    const token = new URL(await emailedLink(testApp, person.email, 'confirmDeletion')).searchParams.get('token')
    const wrong = await person.browser.post('/delete-user', { token: 'unknown' })
    expect([wrong.status, wrong.body]).toEqual([404, { code: 'INVALID_TOKEN', message: 'invalid token' }])
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => person.browser.copy().post('/delete-user', { token })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
  })

  it('with DELETE_USER=off the routes do not exist', async () => {
    const closed = await createTestApp({ DELETE_USER: 'off' })
    const person = await createUser(closed)
    expect((await person.browser.post('/delete-user', { password: person.password })).status).toBe(404)
    expect((await person.browser.get('/delete-user/callback?token=x')).status).toBe(404)
  })

  it('a sole owner with other members is refused; an organization without others is deleted too', async () => {
    const [owner, member] = [await createUser(testApp), await createUser(testApp)]
    const now = new Date()
    const organization = async (id: string, members: [string, string][]) => {
      await testApp.db.organization.create({ data: { id, name: id, slug: id, createdAt: now } })
      for (const [userId, role] of members) {
        await testApp.db.member.create({
          data: { id: `${id}-${userId}`, organizationId: id, userId, role, createdAt: now },
        })
      }
    }
    await organization('alone', [[owner.id, 'owner']])
    await organization('shared', [
      [owner.id, 'owner,admin'],
      [member.id, 'member'],
    ])
    const { status, body } = await owner.browser.post('/delete-user', { password: owner.password })
    expect([status, body.code]).toEqual([400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'])
    expect(await testApp.db.organization.count()).toBe(2)
    await testApp.db.member.updateMany({ where: { userId: member.id }, data: { role: 'admin,owner' } })
    expect((await owner.browser.post('/delete-user', { password: owner.password })).status).toBe(200)
    expect((await testApp.db.organization.findMany()).map(({ id }) => id)).toEqual(['shared'])
    expect(await testApp.db.member.count()).toBe(1)
  })
})

describe('GET /list-accounts and POST /unlink-account', () => {
  it('lists sign-in methods without secrets, and unlinks all but the last', async () => {
    const person = await createUser(testApp)
    const now = new Date()
    await testApp.db.account.create({
      data: {
        id: `g-${person.id}`,
        providerId: 'github',
        accountId: `7${person.id}`,
        userId: person.id,
        scope: 'read:user,user:email',
        accessToken: 'secret',
        createdAt: now,
        updatedAt: now,
      },
    })
    const { body } = await person.browser.get('/list-accounts')
    expect(body).toEqual([
      {
        id: expect.any(String),
        provider: 'credential',
        accountId: person.id,
        scopes: [],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      {
        id: `g-${person.id}`,
        provider: 'github',
        accountId: `7${person.id}`,
        scopes: ['read:user', 'user:email'],
        createdAt: now.toISOString(),
        updatedAt: now.toISOString(),
      },
    ])
    const unlink = (providerId: string, accountId?: string) =>
      person.browser.copy().post('/unlink-account', { providerId, accountId })
    expect((await unlink('google')).body).toEqual({ code: 'ACCOUNT_NOT_FOUND', message: 'Account not found' })
    expect((await unlink('github', 'another')).body.code).toBe('ACCOUNT_NOT_FOUND')
    const both = await Promise.all([unlink('github'), unlink('credential')])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await unlink('github')).body).toEqual({
      code: 'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT',
      message: "You can't unlink your last account",
    })
    const open = await createTestApp({ ALLOW_UNLINK_LAST_ACCOUNT: 'on' })
    const there = await createUser(open)
    expect((await there.browser.post('/unlink-account', { providerId: 'credential' })).body).toEqual({ status: true })
  })

  it('needs a fresh session', async () => {
    const own = await createTestApp({ FRESH_AGE: '100' })
    const person = await createUser(own)
    own.advanceClock(101)
    const { status, body } = await person.browser.post('/unlink-account', { providerId: 'credential' })
    expect([status, body]).toEqual([403, { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' }])
    const unchecked = await createTestApp({ FRESH_AGE: '0' })
    const other = await createUser(unchecked)
    unchecked.advanceClock(6 * day)
    expect((await other.browser.post('/unlink-account', { providerId: 'x' })).body.code).toBe(
      'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT',
    )
  })
})

describe('tokens are bound to their purpose (SEC-52)', () => {
  it('a reset token deletes nothing, a deletion token resets nothing', async () => {
    const person = await createUser(testApp)
    await testApp.browser().post('/forget-password', { email: person.email })
    await person.browser.post('/delete-user', {})
    const reset = new URL(await emailedLink(testApp, person.email, 'resetPassword')).pathname.split('/').at(-1)
    const deletion = new URL(await emailedLink(testApp, person.email, 'confirmDeletion')).searchParams.get('token')
    expect((await person.browser.post('/delete-user', { token: reset })).status).toBe(404)
    expect((await person.browser.get(`/delete-user/callback?token=${reset}`)).status).toBe(404)
    expect(
      (await testApp.browser().post('/reset-password', { token: deletion, newPassword: 'an entirely new one' })).status,
    ).toBe(400)
    expect((await testApp.browser().get(`/verify-email?token=${deletion}`)).body.code).toBe('INVALID_TOKEN')
  })
})

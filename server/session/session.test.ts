import { describe, expect, it } from 'vitest'
import { createHasher } from '../foundation/password-hashing.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, signInElsewhere, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()
const secretCookie = 'foyer.session_token'
const cacheCookie = 'foyer.session_data'
const day = 86_400

describe('POST /sign-in/email', () => {
  it('returns the user and the session handle, and sets the cookies', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    const { status, body, cookies } = await browser.post('/sign-in/email', {
      email: person.email.toUpperCase(),
      password: person.password,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      redirect: false,
      url: null,
      token: expect.any(String),
      user: {
        id: person.id,
        email: person.email,
        name: person.name,
        image: null,
        emailVerified: true,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    expect(cookies.find((cookie) => cookie.startsWith(secretCookie))).toMatch(
      /^foyer\.session_token=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(cookies.find((cookie) => cookie.startsWith(cacheCookie))).toMatch(
      /; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(body.token).not.toBe(browser.jar.get(secretCookie))
  })

  it('redirects to the callbackURL where one is given', async () => {
    const person = await createUser(testApp)
    const { body } = await testApp
      .browser()
      .post('/sign-in/email', { ...person, browser: undefined, callbackURL: '/home?a=1' })
    expect(body).toMatchObject({ redirect: true, url: '/home?a=1' })
  })

  it('answers unknown users, wrong passwords and users without a password with the same bytes', async () => {
    const known = await createUser(testApp)
    const unverified = await createUnverifiedUser(testApp)
    const social = await createUser(testApp)
    await testApp.db.account.deleteMany({ where: { userId: social.id } })
    const answers = await Promise.all(
      [known.email, unverified.email, social.email, newUserData().email].map((email) =>
        testApp.browser().post('/sign-in/email', { email, password: 'not the password' }),
      ),
    )
    const comparable = answers.map(({ status, text, headers }) => {
      const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
      return JSON.stringify([status, text, kept])
    })
    expect(new Set(comparable).size).toBe(1)
    expect(answers[0]).toMatchObject({
      status: 401,
      body: { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' },
      cookies: [],
    })
  })

  it('refuses an unverified address only after the correct password, and emails the verification again', async () => {
    const person = await createUnverifiedUser(testApp)
    const { status, body, cookies } = await testApp
      .browser()
      .post('/sign-in/email', { email: person.email, password: person.password })
    expect([status, body]).toEqual([403, { code: 'EMAIL_NOT_VERIFIED', message: 'Email not verified' }])
    // This browser knows the password, so it may complete the verification; it has no session yet.
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['foyer.sign_up'])
    expect(await testApp.mails(person.email)).toHaveLength(2)
  })

  it('refuses an invalid address with Invalid email, and other malformed input with 400', async () => {
    const { status, body } = await testApp.browser().post('/sign-in/email', { email: 'ada', password: 'x' })
    expect([status, body.message]).toEqual([400, 'Invalid email'])
    for (const wrong of [
      { email: 'a@b.test' },
      { email: 'a@b.test', password: '' },
      { email: 'a@b.test', password: 7 },
      { email: 'a@b.test', password: 'x', rememberMe: 'yes' },
      { email: 'a@b.test', password: 'x', callbackURL: {} },
      { email: 'a@b.test', password: 'x\u0000' },
      { email: 'a@b.test', password: '\udc00' },
    ]) {
      const answer = await testApp.browser().post('/sign-in/email', wrong)
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('replaces an outdated hash at the next sign-in', async () => {
    const testApp = await createTestApp({}, { hasher: createHasher({ concurrency: 2 }) })
    const person = await createUser(testApp)
    const { hash } = await import('@node-rs/argon2')
    const old = await hash(person.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await testApp.db.account.updateMany({ where: { userId: person.id }, data: { password: old } })
    await signInElsewhere(testApp, person)
    const { password } = await testApp.db.account.findFirstOrThrow({ where: { userId: person.id } })
    expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await signInElsewhere(testApp, person)
  })

  it('a session that cannot be stored is refused as Failed to create session', async () => {
    const broken = await createTestApp()
    const person = await createUser(broken)
    await broken.pool.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fail before insert on "Session" for each row execute function fail()`)
    const { status, body } = await broken
      .browser()
      .post('/sign-in/email', { email: person.email, password: person.password })
    expect([status, body]).toEqual([500, { code: 'FAILED_TO_CREATE_SESSION', message: 'Failed to create session' }])
  })
})

describe('GET /get-session', () => {
  it('returns session and user, or null without a session', async () => {
    const nobody = await testApp.browser().get('/get-session')
    expect([nobody.status, nobody.body, nobody.cookies]).toEqual([200, null, []])
    const person = await createUser(testApp)
    const { body } = await person.browser.get('/get-session?disableCookieCache=true', { 'accept-language': 'de' })
    expect(body).toEqual({
      session: {
        id: expect.any(String),
        token: expect.any(String),
        userId: person.id,
        expiresAt: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        ipAddress: '127.0.0.1',
        userAgent: 'node',
        activeOrganizationId: null,
      },
      user: {
        id: person.id,
        email: person.email,
        name: person.name,
        image: null,
        emailVerified: true,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        username: null,
        displayUsername: null,
        metadata: {},
        twoFactorEnabled: false,
        language: 3,
        role: 'user',
      },
    })
  })

  it('answers the same over tRPC', async () => {
    const person = await createUser(testApp)
    const rest = await person.browser.get('/get-session?disableCookieCache=true')
    expect(await person.browser.trpc.session.get.query({ disableCookieCache: true })).toEqual(rest.body)
    expect(await person.browser.trpc.session.get.query()).toEqual(rest.body)
    expect(await testApp.browser().trpc.session.get.query()).toBeNull()
  })

  it('answers from the cache for a minute, and from the database on request', async () => {
    const person = await createUser(testApp)
    await testApp.db.user.update({ where: { id: person.id }, data: { name: 'Grace' } })
    expect((await person.browser.get('/get-session')).body.user.name).toBe(person.name)
    expect((await person.browser.get('/get-session?disableCookieCache=1')).body.user.name).toBe(person.name)
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body.user.name).toBe('Grace')
    expect((await person.browser.get('/get-session')).body.user.name).toBe('Grace')
    await testApp.db.user.update({ where: { id: person.id }, data: { name: 'Joan' } })
    testApp.advanceClock(61)
    expect((await person.browser.get('/get-session')).body.user.name).toBe('Joan')
  })

  it('ignores a cache that was altered, belongs to another session, or comes without one', async () => {
    const person = await createUser(testApp)
    const other = await createUser(testApp)
    const own = person.browser.jar.get(cacheCookie) ?? ''
    const [until = '', , signature = ''] = own.split('.')
    const forgedBody = Buffer.from(JSON.stringify({ session: {}, user: { id: other.id } })).toString('base64url')
    const forged = [
      `${until}.${forgedBody}.${signature}`,
      other.browser.jar.get(cacheCookie) ?? '',
      'x',
      '..',
      `${own}x`,
      own.slice(1),
    ]
    for (const text of forged) {
      const browser = person.browser.copy()
      browser.jar.set(cacheCookie, text)
      expect((await browser.get('/get-session')).body.user.id).toBe(person.id)
    }
    const withoutSession = testApp.browser()
    withoutSession.jar.set(cacheCookie, own)
    expect((await withoutSession.get('/get-session')).body).toBeNull()
  })

  it.each([
    'x',
    'é'.repeat(43),
    'A'.repeat(43),
    'A'.repeat(42),
    '%00',
    '"quoted"',
    'a.b.c',
    "' or 1=1 --",
    'undefined',
    'A'.repeat(4000),
  ])('treats the cookie %# as signed out', async (value) => {
    const browser = testApp.browser()
    const { status, body } = await browser.get('/get-session', { cookie: `${secretCookie}=${encodeURI(value)}` })
    expect([status, body]).toEqual([200, null])
  })

  it('clears a cookie without a session', async () => {
    const browser = testApp.browser()
    browser.jar.set(secretCookie, 'A'.repeat(43))
    const { cookies } = await browser.get('/get-session')
    expect(cookies.map((cookie) => cookie.split(';').slice(0, 2).join(';')).toSorted()).toEqual([
      'foyer.dont_remember=; Max-Age=0',
      'foyer.session_data=; Max-Age=0',
      'foyer.session_token=; Max-Age=0',
    ])
  })

  it('a late response to a former session leaves the cookies of the next one alone', async () => {
    const person = await createUser(testApp)
    const late = person.browser.copy()
    await person.browser.post('/sign-in/email', { email: person.email, password: person.password })
    const { status, cookies } = await late.get('/list-sessions')
    expect(status).toBe(401)
    // The cache may be cleared: the next response sets it again.
    expect(cookies.map((cookie) => cookie.split(';')[0])).toEqual([`${cacheCookie}=`])
    person.browser.keep(cookies)
    expect((await person.browser.get('/get-session')).body.user.id).toBe(person.id)
  })

  it('never reads a session from the query', async () => {
    const person = await createUser(testApp)
    const secret = person.browser.jar.get(secretCookie)
    expect((await testApp.browser().get(`/get-session?${secretCookie}=${secret}&token=${secret}`)).body).toBeNull()
  })

  it('is extended a day after the last extension, by any call that needs it', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    const first = (await person.browser.get('/get-session')).body.session
    own.advanceClock(day - 60)
    expect((await person.browser.get('/get-session')).body.session.expiresAt).toBe(first.expiresAt)
    own.advanceClock(120)
    const unextended = await person.browser.get('/get-session?disableRefresh=true')
    expect(unextended.body.session.expiresAt).toBe(first.expiresAt)
    const { body, cookies } = await person.browser.get('/get-session?disableCookieCache=true')
    expect(Date.parse(body.session.expiresAt) - Date.parse(first.expiresAt)).toBeGreaterThan(day * 1000 - 60_000)
    expect(body.session.updatedAt).not.toBe(first.updatedAt)
    expect(body.session.token).toBe(first.token)
    expect(cookies.some((cookie) => cookie.startsWith(secretCookie) && cookie.includes('Max-Age=604800'))).toBe(true)
  })

  it('ends after its lifetime: the row is deleted and the cookies are cleared', async () => {
    const own = await createTestApp({ SESSION_LIFETIME: '1000', SESSION_UPDATE_AGE: '900' })
    const person = await createUser(own)
    own.advanceClock(1001)
    const { body, cookies } = await person.browser.get('/get-session')
    expect(body).toBeNull()
    expect(cookies).toHaveLength(3)
    expect(await own.db.session.count({ where: { userId: person.id } })).toBe(0)
  })

  it('SESSION_REFRESH=off never extends', async () => {
    const own = await createTestApp({ SESSION_REFRESH: 'off' })
    const person = await createUser(own)
    const first = (await person.browser.get('/get-session')).body.session
    own.advanceClock(3 * day)
    expect((await person.browser.get('/get-session')).body.session.expiresAt).toBe(first.expiresAt)
  })

  it('COOKIE_CACHE=off sets no cache and always reads the database', async () => {
    const own = await createTestApp({ COOKIE_CACHE: 'off' })
    const person = await createUser(own)
    expect(person.browser.jar.has(cacheCookie)).toBe(false)
    await own.db.user.update({ where: { id: person.id }, data: { name: 'Grace' } })
    expect((await person.browser.get('/get-session')).body.user.name).toBe('Grace')
    expect(person.browser.jar.has(cacheCookie)).toBe(false)
  })

  it('sets no cache that exceeds the cookie size limit', async () => {
    const person = await createUser(testApp)
    const image = `https://example.test/${'x'.repeat(2000)}`
    await testApp.db.user.update({ where: { id: person.id }, data: { image, name: 'é'.repeat(500) } })
    const { body } = await person.browser.get('/get-session?disableCookieCache=true')
    expect(body.user.image).toBe(image)
    expect(person.browser.jar.has(cacheCookie)).toBe(false)
    expect((await person.browser.get('/get-session')).body.user.image).toBe(image)
  })

  it('a failed statement is Failed to get session', async () => {
    const broken = await createTestApp({ COOKIE_CACHE: 'off' })
    const person = await createUser(broken)
    await broken.pool.query('alter table "Session" rename column "ipAddress" to gone')
    const { status, body } = await person.browser.get('/get-session')
    expect([status, body]).toEqual([500, { code: 'FAILED_TO_GET_SESSION', message: 'Failed to get session' }])
  })
})

describe('rememberMe', () => {
  it('false: the session ends after a day, is never extended, and its cookies end with the browser', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    const browser = await signInElsewhere(own, person, { rememberMe: false })
    const { body, cookies } = await browser.get('/get-session?disableCookieCache=true')
    expect(Date.parse(body.session.expiresAt) - Date.parse(body.session.createdAt)).toBe(day * 1000)
    expect(cookies.join()).not.toContain('Max-Age')
    expect(browser.jar.has('foyer.dont_remember')).toBe(true)
    own.advanceClock(day - 10)
    expect((await browser.get('/get-session')).body.session.expiresAt).toBe(body.session.expiresAt)
    own.advanceClock(20)
    expect((await browser.get('/get-session')).body).toBeNull()
  })

  it('a later sign-in with rememberMe clears the flag', async () => {
    const person = await createUser(testApp)
    const browser = await signInElsewhere(testApp, person, { rememberMe: false })
    const { cookies } = await browser.post('/sign-in/email', { email: person.email, password: person.password })
    expect(browser.jar.has('foyer.dont_remember')).toBe(false)
    expect(cookies.some((cookie) => cookie.includes('Max-Age=604800'))).toBe(true)
  })
})

describe('POST /sign-out', () => {
  it('ends the session immediately, also for a copy of its cookie', async () => {
    const person = await createUser(testApp)
    const copy = person.browser.copy()
    const { status, body, cookies } = await person.browser.post('/sign-out')
    expect([status, body]).toEqual([200, { success: true }])
    expect(cookies.every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
    expect((await copy.get('/get-session?disableCookieCache=true')).body).toBeNull()
  })

  it('answers the same without a session, and without a body', async () => {
    const { status, body } = await testApp.browser().post('/sign-out')
    expect([status, body]).toEqual([200, { success: true }])
    const empty = await testApp.browser().request('/api/auth/sign-out', { method: 'POST' })
    expect([empty.status, empty.body]).toEqual([200, { success: true }])
  })

  it('is final despite twenty concurrent refreshes', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    own.advanceClock(2 * day)
    const copies = Array.from({ length: 20 }, () => person.browser.copy())
    const answers = await Promise.all([
      ...copies.map((copy) => copy.get('/get-session?disableCookieCache=true')),
      person.browser.post('/sign-out'),
    ])
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await own.db.session.count({ where: { userId: person.id } })).toBe(0)
    for (const copy of copies) expect((await copy.get('/get-session?disableCookieCache=true')).body).toBeNull()
  })
})

describe('over tRPC', () => {
  it('sign-up, sign-in and sign-out work as over REST', async () => {
    const person = newUserData()
    const browser = testApp.browser()
    const { token, user } = await browser.trpc.account.signUpEmail.mutate(person)
    expect([token, user.email]).toEqual([null, person.email])
    await testApp.db.user.update({ where: { id: user.id }, data: { emailVerified: true } })
    const signedInAs = await browser.trpc.session.signInEmail.mutate(person)
    expect(signedInAs).toMatchObject({ user: { id: user.id } })
    expect((await browser.trpc.session.get.query())?.user.email).toBe(person.email)
    expect(await browser.trpc.session.signOut.mutate()).toEqual({ success: true })
    expect(await browser.trpc.session.get.query()).toBeNull()
  })

  it('a call without input may have no body, as the React hooks send it', async () => {
    const person = await createUser(testApp)
    const headers = { 'content-type': 'application/json' }
    const answer = await person.browser.request('/api/trpc/session.signOut', { method: 'POST', headers })
    expect([answer.status, answer.body]).toEqual([200, { result: { data: { success: true } } }])
  })

  it('a refusal carries the key of the catalogue', async () => {
    const error = await testApp
      .browser()
      .trpc.session.signInEmail.mutate({ email: newUserData().email, password: 'wrong' })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      message: 'Invalid email or password',
      data: { reason: 'INVALID_EMAIL_OR_PASSWORD', httpStatus: 401 },
    })
    expect(JSON.stringify(error)).not.toContain('stack')
  })
})

describe('secrets at rest', () => {
  it('the cookie cache contains the response of get-session and nothing else', async () => {
    const person = await createUser(testApp)
    const kept = () =>
      Buffer.from((person.browser.jar.get(cacheCookie) ?? '').split('.')[1] ?? '', 'base64url').toString()
    const atSignIn = JSON.parse(kept())
    const { body } = await person.browser.get('/get-session?disableCookieCache=true')
    expect(atSignIn).toEqual(body)
    expect(JSON.parse(kept())).toEqual(body)
  })

  it('neither the password nor the secret of a session or a link is in the database', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    const secret = person.browser.jar.get(secretCookie) ?? ''
    const { rows } = await own.pool.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    )
    const dumps = await Promise.all(
      rows.map(async ({ name }) => JSON.stringify((await own.pool.query(`select t::text from ${name} t`)).rows)),
    )
    const everything = dumps.join()
    expect(everything).toContain(person.email)
    expect(everything).not.toContain(secret)
    expect(everything).not.toContain(person.password)
    expect(everything).not.toContain('verify-email?token')
  })

  it('nor are they in the log', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    await signInElsewhere(own, person)
    await own.browser().post('/sign-in/email', { email: person.email, password: 'a wrong password' })
    const log = own.lines.join('')
    expect(log).toContain('"event":"user.signed_in"')
    expect(log).toContain('"event":"user.sign_in_failed"')
    expect(log).toContain('"event":"user.email_verified"')
    for (const secret of [person.password, 'a wrong password', person.browser.jar.get(secretCookie) ?? '', 'token=']) {
      expect(log).not.toContain(secret)
    }
  })
})

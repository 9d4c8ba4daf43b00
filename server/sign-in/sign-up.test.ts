import { describe, expect, it } from 'vitest'
import { createHasher } from '../foundation/password-hashing.ts'
import { uk } from '../mail/texts/uk.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, signInElsewhere, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()
const optionalWorld = await createTestApp({ EMAIL_VERIFICATION: 'optional' })

describe('POST /sign-up/email', () => {
  it('creates an unverified account and sends the verification email', async () => {
    const person = newUserData()
    const { status, body, headers } = await testApp
      .browser()
      .post('/sign-up/email', { ...person, email: ` ${person.email.toUpperCase()} ` })
    expect(status).toBe(200)
    expect(body).toEqual({
      token: null,
      user: {
        id: expect.any(String),
        email: person.email,
        name: 'Ada Lovelace',
        image: null,
        emailVerified: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    const [mail] = await testApp.mails(person.email)
    expect(mail?.kind).toBe('verifyEmail')
    expect(mail?.text).toContain(`${testApp.origin}/api/auth/verify-email?token=`)
    const stored = await testApp.db.account.findFirstOrThrow({ where: { userId: body.user.id } })
    expect(stored).toMatchObject({ providerId: 'credential', accountId: body.user.id })
    expect(stored.password).toMatch(/^\$argon2id\$v=19\$/)
  })

  it('stores the password with OWASP’s parameters of argon2id (SEC-03)', async () => {
    const real = await createTestApp({}, { hasher: createHasher({ concurrency: 2 }) })
    await createUnverifiedUser(real)
    const { password } = await real.db.account.findFirstOrThrow()
    expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('answers an existing address like a new one, changes nothing and notifies the owner', async () => {
    const owner = await createUser(testApp)
    const fresh = await testApp.browser().post('/sign-up/email', newUserData())
    const again = await testApp
      .browser()
      .post('/sign-up/email', { ...owner, browser: undefined, name: 'Mallory', password: 'another long password' })
    expect(again.status).toBe(fresh.status)
    const shape = (answer: typeof fresh) => ({
      keys: Object.keys(answer.body.user),
      headers: [...answer.headers.keys()].toSorted(),
      cookies: answer.cookies.map((cookie) => cookie.replace(/=[^;]*/, `=${cookie.length}`)),
    })
    expect(shape(again)).toEqual(shape(fresh))
    expect(again.body.user).toMatchObject({ name: 'Mallory', email: owner.email, emailVerified: false })
    const stored = await testApp.db.user.findUniqueOrThrow({
      where: { email: owner.email },
      include: { accounts: true },
    })
    expect(stored.name).toBe('Ada Lovelace')
    expect(stored.accounts).toHaveLength(1)
    expect((await testApp.mails(owner.email))[0]?.kind).toBe('signUpAttempt')
    await signInElsewhere(testApp, owner)
  })

  it('reports that the user exists where sign-up signs in immediately, and sends the verification there too', async () => {
    const person = await createUnverifiedUser(optionalWorld)
    expect(person.browser.jar.has('foyer.session_token')).toBe(true)
    expect((await person.browser.get('/get-session')).body.user.email).toBe(person.email)
    expect((await optionalWorld.mails(person.email))[0]?.kind).toBe('verifyEmail')
    const again = await optionalWorld.browser().post('/sign-up/email', newUserData({ email: person.email }))
    expect(again).toMatchObject({ status: 422, body: { code: 'USER_ALREADY_EXISTS', message: 'User already exists' } })
  })

  it('stores username and displayUsername, and refuses a taken name in any letter case', async () => {
    const tag = Math.random().toString(36).slice(2, 8)
    const { id } = await createUnverifiedUser(testApp, { username: `Ada.${tag}` })
    expect(await testApp.db.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
      username: `ada.${tag}`,
      displayUsername: `Ada.${tag}`,
    })
    const taken = await testApp.browser().post('/sign-up/email', { ...newUserData(), username: `ADA.${tag}` })
    expect(taken).toMatchObject({
      status: 422,
      body: {
        code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
        message: 'username is already taken. please try another.',
      },
    })
  })

  it('gives the same response for a taken username whether the address exists or not', async () => {
    const username = `taken_${Math.random().toString(36).slice(2, 8)}`
    const owner = await createUnverifiedUser(testApp, { username })
    const answers = await Promise.all(
      [owner.email, newUserData().email].map((email) =>
        testApp.browser().post('/sign-up/email', { ...newUserData({ email }), username }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([422, 422])
    expect(answers[0]?.text).toBe(answers[1]?.text)
  })

  it('accepts long names with any characters, but none without a visible one', async () => {
    const person = await createUnverifiedUser(testApp, { name: `x${'😀'.repeat(45)}` })
    expect((await testApp.mails(person.email))[0]?.title).toContain('😀')
    for (const name of ['\u200f\u200e', '\u200b\u200b', 'a\u061c']) {
      expect((await testApp.browser().post('/sign-up/email', { ...newUserData(), name })).status).toBe(400)
    }
  })

  it('refused sign-ups do not use up the email limit of an address', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const person = newUserData()
    const username = 'somebody.else'
    await createUnverifiedUser(counted, { username })
    for (let n = 0; n < 8; n++) {
      counted.advanceClock(11)
      expect((await counted.browser().post('/sign-up/email', { ...person, username })).status).toBe(422)
    }
    counted.advanceClock(11)
    expect((await counted.browser().post('/sign-up/email', person)).status).toBe(200)
    expect(await counted.mails(person.email)).toHaveLength(1)
  })

  it.each([
    ['ab', 'USERNAME_IS_TOO_SHORT'],
    ['a'.repeat(31), 'USERNAME_IS_TOO_LONG'],
    ['ada lovelace', 'USERNAME_IS_INVALID'],
    ['ada\n', 'USERNAME_IS_INVALID'],
    ['\u212Aelvin', 'USERNAME_IS_INVALID'],
    ['ad\u0131a', 'USERNAME_IS_INVALID'],
    ['\uFF41da', 'USERNAME_IS_INVALID'],
    ['\u0430da', 'USERNAME_IS_INVALID'],
    ['ada\u200B', 'USERNAME_IS_INVALID'],
    ['ada\u202E', 'USERNAME_IS_INVALID'],
  ])('refuses the username %j', async (username, code) => {
    const { status, body } = await testApp.browser().post('/sign-up/email', { ...newUserData(), username })
    expect([status, body.code]).toEqual([422, code])
  })

  it.each([
    'ada',
    'ada@example',
    'ada@@example.test',
    'a@b.test,c@d.test',
    'ada @example.test',
    '"ada"@example.test',
    'Ada <ada@example.test>',
    'ada\u212A@example.test',
    'ada\uFF20example.test',
    'ada@example.test\r\nBcc: eve@example.test',
    `${'a'.repeat(250)}@example.test`,
    ['a@b.test', 'c@d.test'],
    { contains: '' },
    7,
    null,
  ])('refuses the address %j', async (email) => {
    const { status, body } = await testApp.browser().post('/sign-up/email', { ...newUserData(), email })
    expect([status, body.code]).toEqual([400, 'INVALID_EMAIL'])
    expect(body.message).toBe('Invalid email')
  })

  it.each([
    ['seven77', 'PASSWORD_TOO_SHORT'],
    ['é'.repeat(7), 'PASSWORD_TOO_SHORT'],
    ['x'.repeat(129), 'PASSWORD_TOO_LONG'],
    ['x'.repeat(90_000), 'PASSWORD_TOO_LONG'],
    ['password', 'PASSWORD_TOO_COMMON'],
    ['PassWord', 'PASSWORD_TOO_COMMON'],
    ['12345678', 'PASSWORD_TOO_COMMON'],
    ['qwertyuiop', 'PASSWORD_TOO_COMMON'],
    ['Foyer2026!', 'PASSWORD_TOO_COMMON'],
    ['lovelace99', 'PASSWORD_TOO_COMMON'],
  ])('refuses the password %#', async (password, code) => {
    const { status, body } = await testApp.browser().post('/sign-up/email', { ...newUserData(), password })
    expect([status, body.code]).toEqual([400, code])
  })

  it('refuses a word of the product’s name as a password', async () => {
    const branded = await createTestApp({ PRODUCT_NAME: 'Acme Cloud' })
    for (const password of ['Acme2026!', 'acmecloud1', 'CLOUD-2026']) {
      const { body } = await branded.browser().post('/sign-up/email', { ...newUserData(), password })
      expect([password, body.code]).toEqual([password, 'PASSWORD_TOO_COMMON'])
    }
    expect((await branded.browser().post('/sign-up/email', { ...newUserData(), password: 'Foyer2026!' })).status).toBe(
      200,
    )
  })

  it('refuses the username and the local part of the address as a password, even with digits', async () => {
    const tag = `user_1985${Math.random().toString().slice(2, 8)}`
    const person = newUserData({ email: `${tag}@example.test`, password: tag })
    expect((await testApp.browser().post('/sign-up/email', person)).body.code).toBe('PASSWORD_TOO_COMMON')
    const named = { ...newUserData({ password: tag.toUpperCase() }), username: tag }
    expect((await testApp.browser().post('/sign-up/email', named)).body.code).toBe('PASSWORD_TOO_COMMON')
  })

  it('refuses one’s own address as a password', async () => {
    const person = newUserData()
    const { body } = await testApp.browser().post('/sign-up/email', { ...person, password: person.email.toUpperCase() })
    expect(body).toEqual({ code: 'PASSWORD_TOO_COMMON', message: 'Password too common' })
  })

  it.each(['8 chars!', 'x'.repeat(64), 'y'.repeat(128), '😀'.repeat(128), ' spaces around '])(
    'accepts the password %#, with all its characters',
    async (password) => {
      const person = await createUser(testApp, { password })
      const wrong = await testApp
        .browser()
        .post('/sign-in/email', { email: person.email, password: `${[...password].slice(0, -1).join('')}?` })
      expect(wrong.status).toBe(401)
      await signInElsewhere(testApp, person)
    },
  )

  it('refuses invalid sign-ups with 400 and stores nothing', async () => {
    const before = await testApp.db.user.count()
    const person = newUserData()
    for (const wrong of [
      { ...person, name: '' },
      { ...person, name: undefined },
      { ...person, name: 'x'.repeat(101) },
      { ...person, name: 'Ada\u0000' },
      { ...person, name: 'Ada\ud800' },
      { ...person, name: 'Ada\u202Eevil' },
      { ...person, password: undefined },
      { ...person, password: 12_345_678 },
      { ...person, password: ['a', 'b'] },
      { ...person, image: 'javascript:alert(1)' },
      { ...person, image: 'data:image/svg+xml,<svg/>' },
      { ...person, image: 'file:///etc/passwd' },
      { ...person, image: 'http://elsewhere.test/a.png' },
      { ...person, image: `https://a.test/${'x'.repeat(2048)}` },
      { ...person, callbackURL: ['/a'] },
      [],
      'text',
    ]) {
      const { status, body } = await testApp.browser().post('/sign-up/email', wrong)
      expect([JSON.stringify(wrong)?.slice(0, 80), status, body.code]).toEqual([
        expect.anything(),
        400,
        'VALIDATION_ERROR',
      ])
    }
    expect(await testApp.db.user.findUnique({ where: { email: person.email } })).toBeNull()
    expect(await testApp.db.user.count()).toBe(before)
  })

  it('accepts only the listed fields from the body', async () => {
    const { id } = await createUnverifiedUser(testApp, {
      id: 'chosen',
      role: 'admin',
      emailVerified: 'true',
      createdAt: '2001-01-01T00:00:00.000Z',
    })
    expect(id).not.toBe('chosen')
    expect(await testApp.db.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
      role: 'user',
      emailVerified: false,
    })
  })

  it('of twenty simultaneous sign-ups of an address, one succeeds completely', async () => {
    const person = newUserData()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => optionalWorld.browser().post('/sign-up/email', person)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'USER_ALREADY_EXISTS')).toHaveLength(19)
    const user = await optionalWorld.db.user.findUniqueOrThrow({
      where: { email: person.email },
      include: { accounts: true },
    })
    expect(user.accounts).toHaveLength(1)
  })

  it('stores the language of the browser for emails', async () => {
    const person = newUserData()
    await testApp.browser().post('/sign-up/email', person, { 'accept-language': 'xx, uk;q=0.9, de;q=0.4' })
    const [mail] = await testApp.mails(person.email)
    expect(mail?.language).toBe(1)
    expect(mail?.subject).toBe(uk.mails.verifyEmail.subject)
  })

  it.each([
    'हिन्दी.com/login',
    'exemplé.com'.normalize('NFD'),
    'i❤️.ws',
    'evil。com',
    'evil．com',
    'evil｡com',
    'a.evil.com',
  ])('breaks the domain of a name in the email: %s', async (name) => {
    const person = await createUnverifiedUser(testApp, { name })
    const [mail] = await testApp.mails(person.email)
    const greeting = mail?.text.split('\n').find((line) => /login|exempl|ws|com/.test(line)) ?? ''
    expect(greeting).toMatch(/\. (?:com|ws)/)
    expect(greeting).not.toMatch(/\S[.。．｡](?:com|ws|evil)/)
  })

  it('keeps mark-up and URLs of a name harmless in the email', async () => {
    const person = await createUnverifiedUser(testApp, { name: '<b>http://evil.test</b> & co.uk' })
    const [mail] = await testApp.mails(person.email)
    expect(mail?.html).not.toContain('<b>http')
    expect(mail?.text).not.toContain('http://evil.test')
    expect(mail?.subject).not.toMatch(/[\r\n]/)
  })
})

describe('feature settings', () => {
  it('EMAIL_PASSWORD=off disables sign-up and sign-in', async () => {
    const closed = await createTestApp({ EMAIL_PASSWORD: 'off' })
    const up = await closed.browser().post('/sign-up/email', newUserData())
    expect(up.body).toEqual({
      code: 'EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED',
      message: 'Email and password sign up is not enabled',
    })
    const into = await closed.browser().post('/sign-in/email', { email: 'x', password: '' })
    expect(into).toMatchObject({
      status: 400,
      body: { code: 'EMAIL_AND_PASSWORD_IS_NOT_ENABLED', message: 'Email and password is not enabled' },
    })
  })

  it('are told to the client, so that screens offer nothing that is refused', async () => {
    const none = await createTestApp({
      EMAIL_PASSWORD: 'off',
      EMAIL_CODE: 'off',
      RESET_PASSWORD: 'off',
      VERIFICATION_EMAIL: 'off',
      EMAIL_VERIFICATION: 'optional',
      CHANGE_EMAIL: 'off',
      DELETE_USER: 'off',
      ORGANIZATION_CREATION: 'off',
    })
    const offered = async (one: typeof testApp) => {
      const options = await one.browser().trpc.session.options.query()
      return Object.entries(options).flatMap(([name, value]) => (value === true || value === 'on' ? [name] : []))
    }
    expect(await offered(none)).toEqual(['hasDevMailbox'])
    expect(await offered(testApp)).toEqual([
      'emailPassword',
      'emailCode',
      'passwordReset',
      'verificationEmail',
      'emailChange',
      'userDeletion',
      'organizationCreation',
      'hasDevMailbox',
    ])
  })

  it('PASSWORD_MIN and PASSWORD_MAX set the bounds', async () => {
    const strict = await createTestApp({ PASSWORD_MIN: '15', PASSWORD_MAX: '64' })
    const short = await strict.browser().post('/sign-up/email', newUserData({ password: 'fourteen chars' }))
    const long = await strict.browser().post('/sign-up/email', newUserData({ password: 'x'.repeat(65) }))
    expect([short.body.code, long.body.code]).toEqual(['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG'])
  })

  it('VERIFICATION_EMAIL=off sends no email and refuses with its own message', async () => {
    const quiet = await createTestApp({ VERIFICATION_EMAIL: 'off', EMAIL_VERIFICATION: 'optional' })
    const person = await createUnverifiedUser(quiet)
    expect(await quiet.mails(person.email)).toEqual([])
    const { status, body } = await quiet.browser().post('/send-verification-email', { email: person.email })
    expect([status, body]).toEqual([
      400,
      { code: 'VERIFICATION_EMAIL_ISNT_ENABLED', message: "Verification email isn't enabled" },
    ])
  })
})

describe('faults', () => {
  it('a failed insert is refused as Failed to create user, and leaves no partial data', async () => {
    const broken = await createTestApp()
    await broken.pool.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger fail before insert on "Account" for each row execute function fail()`)
    const person = newUserData()
    const { status, body } = await broken.browser().post('/sign-up/email', person)
    expect([status, body]).toEqual([422, { code: 'FAILED_TO_CREATE_USER', message: 'Failed to create user' }])
    expect(await broken.db.user.count()).toBe(0)
    expect(await broken.db.mail.count()).toBe(0)
  })
})

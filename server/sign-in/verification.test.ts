import { describe, expect, it } from 'vitest'
import { deriveKeys } from '../foundation/crypto.ts'
import { signLinkToken } from '../foundation/link-tokens.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()

describe('GET /verify-email', () => {
  it('verifies the address and signs in, in the browser that signed up', async () => {
    const person = await createUnverifiedUser(testApp, { callbackURL: '/welcome?from=mail' })
    const answer = await person.browser.get(await emailedLink(testApp, person.email))
    expect([answer.status, answer.location, answer.text]).toEqual([302, '/welcome?from=mail', ''])
    expect((await person.browser.get('/get-session')).body.user).toMatchObject({ id: person.id, emailVerified: true })
  })

  it('changes nothing in any other browser, and leads to the page that asks (SEC-110)', async () => {
    const person = await createUnverifiedUser(testApp, { callbackURL: '/welcome' })
    const other = testApp.browser()
    const link = await emailedLink(testApp, person.email)
    const answer = await other.get(link)
    expect([answer.status, answer.cookies]).toEqual([302, []])
    const page = new URL(answer.location ?? '', testApp.origin)
    expect(page.pathname).toBe('/verify')
    expect(page.searchParams.get('callbackURL')).toBe('/welcome')
    expect(page.searchParams.get('token')).toBe(new URL(link).searchParams.get('token'))
    expect((await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })).emailVerified).toBe(false)
    expect((await other.request(link, { method: 'HEAD' })).status).toBe(404)
  })

  it('a browser in which the password was entered can complete it, and is signed in', async () => {
    const person = await createUnverifiedUser(testApp)
    const other = testApp.browser()
    const { email, password } = person
    expect((await other.post('/sign-in/email', { email, password })).status).toBe(403)
    const answer = await other.get(await emailedLink(testApp, email))
    expect([answer.status, answer.location]).toEqual([302, '/'])
    expect((await other.get('/get-session')).body.user).toMatchObject({ id: person.id, emailVerified: true })
  })

  it('a later use redirects to the page, without a session and without an error', async () => {
    const person = await createUser(testApp)
    const link = await emailedLink(testApp, person.email, 'verifyEmail')
    const again = await person.browser.copy().get(link)
    expect([again.status, again.location, again.cookies]).toEqual([302, '/', []])
  })

  it('signs in once for thirty concurrent requests', async () => {
    const person = await createUnverifiedUser(testApp)
    const link = await emailedLink(testApp, person.email)
    const answers = await Promise.all(Array.from({ length: 30 }, () => person.browser.copy().get(link)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]))
    expect(
      answers.filter(({ cookies }) => cookies.some((cookie) => cookie.startsWith('foyer.session_token'))),
    ).toHaveLength(1)
    expect(await testApp.db.session.count({ where: { userId: person.id } })).toBe(1)
  })

  it('does not sign in after another sign-up attempt with the address', async () => {
    const person = await createUnverifiedUser(testApp)
    const other = testApp.browser()
    await other.post('/sign-up/email', newUserData({ email: person.email }))
    await other.get(await emailedLink(testApp, person.email, 'verifyEmail'))
    expect(other.jar.has('foyer.session_token')).toBe(false)
  })

  it('does not sign in more than an hour after the sign-up', async () => {
    const late = await createTestApp({ VERIFICATION_TOKEN_LIFETIME: '7200' })
    const person = await createUnverifiedUser(late)
    late.advanceClock(3601)
    const { location } = await person.browser.get(await emailedLink(late, person.email))
    expect(location).toMatch(/^\/verify\?token=/)
    expect(person.browser.jar.has('foyer.session_token')).toBe(false)
  })

  it('responds with JSON without a callbackURL', async () => {
    const person = await createUnverifiedUser(testApp)
    const token = new URL(await emailedLink(testApp, person.email)).searchParams.get('token') ?? ''
    const answer = await person.browser.get(`/verify-email?token=${token}`)
    expect([answer.status, answer.body]).toEqual([200, { status: true, user: null }])
  })

  it('an expired link redirects with token_expired, or responds with 401', async () => {
    const short = await createTestApp({ VERIFICATION_TOKEN_LIFETIME: '60' })
    const person = await createUnverifiedUser(short, { callbackURL: '/verify?x=1' })
    const link = await emailedLink(short, person.email)
    short.advanceClock(61)
    expect((await person.browser.get(link)).location).toBe('/verify?x=1&error=token_expired')
    const token = new URL(link).searchParams.get('token') ?? ''
    const answer = await person.browser.get(`/verify-email?token=${token}`)
    expect([answer.status, answer.body]).toEqual([401, { code: 'TOKEN_EXPIRED', message: 'token_expired' }])
    expect((await short.db.user.findUniqueOrThrow({ where: { id: person.id } })).emailVerified).toBe(false)
  })

  it('forged links, links for another purpose and links to a former address are invalid_token', async () => {
    const person = await createUnverifiedUser(testApp)
    const link = await emailedLink(testApp, person.email)
    const token = new URL(link).searchParams.get('token') ?? ''
    const [head = '', claims = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const at = { now: new Date(), lifetimeSeconds: 3600 }
    const about = { userId: person.id, email: person.email }
    const otherPurpose = await signLinkToken(testApp.app.keys.links, { ...about, purpose: 'change-email' }, at)
    const otherKey = await signLinkToken(
      deriveKeys(['another secret']).links,
      { ...about, purpose: 'verify-email' },
      at,
    )
    const otherAddress = await signLinkToken(
      testApp.app.keys.links,
      { ...about, email: 'old@example.test', purpose: 'verify-email' },
      at,
    )
    const forged = [
      `${none}.${claims}.`,
      `${head}.${claims}.`,
      `${head}.${claims}.${signature.slice(1)}A`,
      'x',
      '....',
      token.slice(0, -2),
    ]
    for (const text of [...forged, otherPurpose, otherKey, otherAddress]) {
      const answer = await testApp.browser().get(`/verify-email?token=${encodeURIComponent(text)}&callbackURL=/v`)
      expect([text, answer.status, answer.location]).toEqual([text, 302, '/v?error=invalid_token'])
      const bare = await testApp.browser().get(`/verify-email?token=${encodeURIComponent(text)}`)
      expect([bare.status, bare.body]).toEqual([401, { code: 'INVALID_TOKEN', message: 'invalid_token' }])
    }
    expect((await testApp.db.user.findUniqueOrThrow({ where: { id: person.id } })).emailVerified).toBe(false)
  })

  it('the link of a deleted user is user_not_found', async () => {
    const person = await createUnverifiedUser(testApp)
    const link = await emailedLink(testApp, person.email)
    await testApp.db.user.delete({ where: { id: person.id } })
    expect((await testApp.browser().get(link)).location).toBe('/?error=user_not_found')
  })

  it('a missing or repeated token is 400', async () => {
    for (const path of ['/verify-email', '/verify-email?token=', '/verify-email?token=a&token=b']) {
      const answer = await testApp.browser().get(path)
      expect([answer.status, answer.body]).toEqual([
        400,
        { code: 'VALIDATION_ERROR', message: 'Invalid query parameters' },
      ])
    }
  })
})

describe('POST /send-verification-email', () => {
  it('answers the same for unknown, unverified and verified addresses, and emails only unverified ones', async () => {
    const unverified = await createUnverifiedUser(testApp)
    const verified = await createUser(testApp)
    const answers = await Promise.all(
      [unverified.email, verified.email, newUserData().email].map((email) =>
        testApp.browser().post('/send-verification-email', { email: email.toUpperCase(), callbackURL: '/verified' }),
      ),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, '{"status":true}']))
    expect(await testApp.mails(unverified.email)).toHaveLength(2)
    expect(await emailedLink(testApp, unverified.email)).toContain('callbackURL=%2Fverified')
    expect(await testApp.mails(verified.email)).toHaveLength(1)
  })

  it.each(['ada', '', null, ['a@b.test'], 'a@b.test\r\nBcc: c@d.test'])('refuses the address %j', async (email) => {
    const { status, body } = await testApp.browser().post('/send-verification-email', { email })
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('sends at most five emails of one kind in an hour, and the response stays the same (SEC-27)', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUnverifiedUser(counted)
    for (let hour = 0; hour < 2; hour++) {
      for (let minute = 0; minute < 8; minute++) {
        const { status, text } = await counted.browser().post('/send-verification-email', { email: person.email })
        expect([status, text]).toEqual([200, '{"status":true}'])
        counted.advanceClock(61)
      }
      expect(await counted.db.mail.count({ where: { to: person.email } })).toBe(5 * (hour + 1))
      counted.advanceClock(3600)
    }
  })
})

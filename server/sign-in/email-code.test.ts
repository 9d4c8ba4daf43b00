import { setImmediate } from 'node:timers/promises'
import { emailOTPClient, magicLinkClient, twoFactorClient } from 'better-auth/client/plugins'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { verifySignature } from '../foundation/crypto.ts'
import { createBetterAuthClient } from '../testing/better-auth.ts'
import type { Browser } from '../testing/browser.ts'
import { emailedLink, createTestApp, type TestApp } from '../testing/test-app.ts'
import { password, createUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'
import { codeOf, createTwoFactorUser, secretOf } from '../testing/two-factor.ts'

const testApp = await createTestApp()

/** The code in the newest email of a kind. */
async function codeIn(email: string, kind = 'signInCode', at: TestApp = testApp): Promise<string> {
  const mail = (await at.mails(email)).find((one) => one.kind === kind)
  return /: (\d{6,10})\b/.exec(mail?.text ?? '')?.[1] ?? ''
}

const send = (browser: Browser, email: string, type = 'sign-in') =>
  browser.post('/email-otp/send-verification-otp', { email, type })
const signIn = (browser: Browser, email: string, otp: string) => browser.post('/sign-in/email-otp', { email, otp })

describe('an emailed code', () => {
  it('signs in the browser that requested it, once', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    expect((await send(browser, person.email.toUpperCase())).body).toEqual({ success: true })
    const code = await codeIn(person.email)
    expect(code).toMatch(/^\d{6}$/)
    const other = testApp.browser()
    await send(other, newUserData().email)
    for (const elsewhere of [testApp.browser(), other])
      expect((await signIn(elsewhere, person.email, code)).body).toEqual({
        code: 'INVALID_OTP',
        message: 'Invalid OTP',
      })
    const { status, body } = await signIn(browser, person.email, code)
    expect([status, body.user.id]).toEqual([200, person.id])
    expect((await browser.get('/get-session')).body.user.id).toBe(person.id)
    expect(decodeJwt((await browser.get('/token')).body.token)['amr']).toEqual(['otp'])
    expect((await signIn(browser, person.email, code)).body.code).toBe('INVALID_OTP')
  })

  it('is accepted once by twenty concurrent requests', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    await send(browser, person.email)
    const code = await codeIn(person.email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(browser.copy(), person.email, code)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  })

  it('has five attempts and ten minutes, without rate limits', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    await send(browser, person.email)
    const code = await codeIn(person.email)
    const wrong = code === '000000' ? '111111' : '000000'
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(browser, person.email, wrong)))
    expect(answers.filter(({ body }) => body.code === 'INVALID_OTP').length).toBe(5)
    expect((await signIn(browser, person.email, code)).body).toEqual({
      code: 'TOO_MANY_ATTEMPTS',
      message: 'Too many attempts',
    })
    await send(browser, person.email)
    testApp.advanceClock(601)
    expect((await signIn(browser, person.email, await codeIn(person.email))).body.code).toBe('OTP_EXPIRED')
  })

  it('cannot be guessed with other browsers, nor once no more emails are sent', async () => {
    const own = await createTestApp({ RATE_LIMIT: 'on' })
    const { email } = newUserData()
    for (let n = 0; n < 6; n++) {
      own.advanceClock(61)
      expect((await send(own.browser(), email)).status).toBe(200)
    }
    expect((await own.mails(email)).length).toBe(5)
    // A code that was not emailed matches none of the six-digit numbers.
    const rows = await own.db.verification.findMany({
      where: { identifier: { startsWith: 'mail-code:' } },
      orderBy: { createdAt: 'asc' },
    })
    const fits = (row: (typeof rows)[number] | undefined, code: string) =>
      verifySignature(own.app.keys.links, `${row?.identifier} ${email} ${code}`, JSON.parse(row?.value ?? '{}').code)
    expect(fits(rows[4], await codeIn(email, 'signInCode', own))).toBe(true)
    let found = 0
    for (let n = 0; n < 1_000_000; n++) {
      if (fits(rows[5], String(n).padStart(6, '0'))) found++
      if (n % 10_000 === 0) await setImmediate()
    }
    expect([rows.length, found]).toEqual([6, 0])
    const person = await createUser(testApp)
    const answers: string[] = []
    for (let n = 0; n < 5; n++) {
      const browser = testApp.browser()
      await send(browser, person.email)
      for (let tries = 0; tries < 5; tries++) answers.push((await signIn(browser, person.email, '000000')).body.code)
    }
    expect(answers.filter((code) => code === 'INVALID_OTP').length).toBe(20)
    expect(answers.at(-1)).toBe('TOO_MANY_ATTEMPTS')
    testApp.advanceClock(3601)
    const browser = testApp.browser()
    await send(browser, person.email)
    expect((await signIn(browser, person.email, await codeIn(person.email))).status).toBe(200)
  })

  it('is longer after a hundred wrong ones in a month, so that strangers lock no one out', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    for (let hour = 0; hour < 5; hour++) {
      for (let n = 0; n < 4; n++) {
        const browser = own.browser()
        await send(browser, person.email)
        for (let tries = 0; tries < 5; tries++) await signIn(browser, person.email, 'wrong')
      }
      own.advanceClock(3601)
    }
    own.advanceClock(20 * 86_400)
    const owner = own.browser()
    await send(owner, person.email)
    const code = await codeIn(person.email, 'signInCode', own)
    expect(code).toMatch(/^\d{10}$/)
    for (let tries = 0; tries < 4; tries++)
      expect((await signIn(owner, person.email, '0000000000')).body.code).toBe('INVALID_OTP')
    expect((await signIn(owner, person.email, code)).status).toBe(200)
  })

  it.each(['sign-in', 'email-verification', 'forget-password'])(
    'has the same responses for every address: %s',
    async (type) => {
      const own = await createTestApp({ EMAIL_CODE: 'sign-in' })
      const person = await createUser(own)
      const unverified = await createUnverifiedUser(own)
      const path = { 'sign-in': '/sign-in/email-otp', 'email-verification': '/email-otp/verify-email' }[type]
      const guess = async (email: string) => {
        const browser = own.browser()
        const texts = [(await send(browser, email, type)).text]
        const input = { email, otp: '000000', password: 'the sentence that is new' }
        for (let n = 0; n < 7; n++) texts.push((await browser.post(path ?? '/email-otp/reset-password', input)).text)
        own.advanceClock(601)
        texts.push((await browser.post(path ?? '/email-otp/reset-password', input)).text)
        return texts
      }
      const unknown = await guess(newUserData().email)
      expect(await guess(person.email)).toEqual(unknown)
      expect(await guess(unverified.email)).toEqual(unknown)
      expect(unknown.at(-1)).toContain('OTP_EXPIRED')
    },
  )

  it('for an address that another user is changing to rejects that change', async () => {
    const mover = await createUser(testApp)
    const { email } = newUserData()
    await testApp.db.user.update({
      where: { id: mover.id },
      data: { email, emailVerified: false, previousEmail: mover.email },
    })
    const owner = testApp.browser()
    await send(owner, email)
    const { status, body } = await signIn(owner, email, await codeIn(email))
    expect([status, body.user.email]).toEqual([200, email])
    expect((await testApp.db.user.findUnique({ where: { id: mover.id } }))?.email).toBe(mover.email)
    // Two browsers with codes for one new email address: both sign in to the same account.
    const fresh = newUserData().email
    const browsers = [testApp.browser(), testApp.browser()]
    const codes: string[] = []
    for (const browser of browsers) {
      await send(browser, fresh)
      codes.push(await codeIn(fresh))
    }
    const both = await Promise.all(browsers.map((browser, n) => signIn(browser, fresh, codes[n] ?? '')))
    expect(both.map((one) => one.status)).toEqual([200, 200])
  })

  it('is valid only for its address and its use', async () => {
    const person = await createUser(testApp)
    const victim = await createUser(testApp)
    const browser = testApp.browser()
    await send(browser, person.email)
    expect((await signIn(browser, victim.email, await codeIn(person.email))).body.code).toBe('INVALID_OTP')
    await send(browser, person.email, 'forget-password')
    const code = await codeIn(person.email, 'resetCode')
    expect((await signIn(browser, person.email, code)).body.code).toBe('INVALID_OTP')
    expect(
      (await browser.post('/email-otp/send-verification-otp', { email: person.email, type: 'delete' })).status,
    ).toBe(400)
    expect((await send(browser, 'no address')).status).toBe(400)
  })

  it('signs up a new address, unless only existing users may use it', async () => {
    const { email } = newUserData()
    const browser = testApp.browser()
    await send(browser, email)
    const { body } = await signIn(browser, email, await codeIn(email))
    expect(body.user).toMatchObject({ email, emailVerified: true, name: email.split('@')[0] })
    const own = await createTestApp({ EMAIL_CODE: 'sign-in' })
    const someone = own.browser()
    expect((await send(someone, email)).body).toEqual({ success: true })
    expect(await own.mails(email)).toEqual([])
    expect((await signIn(someone, email, '000000')).body.code).toBe('INVALID_OTP')
    const off = await createTestApp({ EMAIL_CODE: 'off' })
    for (const [path, input] of [
      ['/email-otp/send-verification-otp', { email, type: 'sign-in' }],
      ['/sign-in/email-otp', { email, otp: '000000' }],
      ['/sign-in/magic-link', { email }],
    ] as const)
      expect((await off.browser().post(path, input)).status).toBe(404)
    expect((await off.browser().get('/magic-link/verify?token=x&callbackURL=/')).location).toBe('/?error=INVALID_TOKEN')
    expect((await off.browser().trpc.session.options.query()).emailCode).toBe('off')
  })

  it('does not give access to an account that another person has signed up, and removes that person’s access', async () => {
    const squatter = await createUnverifiedUser(testApp)
    const owner = testApp.browser()
    await send(owner, squatter.email)
    const { body } = await signIn(owner, squatter.email, await codeIn(squatter.email))
    expect(body.user.id).not.toBe(squatter.id)
    expect((await testApp.browser().post('/sign-in/email', { email: squatter.email, password })).status).toBe(401)
    // The account was used before it was verified: it is kept, but without its password and sessions.
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const user = await createUnverifiedUser(own)
    await createTwoFactorUser(own, user)
    const reader = own.browser()
    await send(reader, user.email)
    const kept = await signIn(reader, user.email, await codeIn(user.email, 'signInCode', own))
    expect(kept.body.user).toMatchObject({ id: user.id, emailVerified: true })
    expect((await user.browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await own.browser().post('/sign-in/email', { email: user.email, password })).status).toBe(401)
  })

  it('is a first factor: the second one is still required', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = testApp.browser()
    await send(browser, person.email)
    const { body } = await signIn(browser, person.email, await codeIn(person.email))
    expect(body).toEqual({ twoFactorRedirect: true })
    expect((await browser.post('/two-factor/verify-totp', { code: person.next() })).status).toBe(200)
    await browser.post('/sign-out')
    await browser.post('/sign-in/magic-link', { email: person.email, callbackURL: '/settings' })
    expect((await browser.get(await emailedLink(testApp, person.email, 'signInLink'))).location).toBe(
      '/two-factor?next=%2Fsettings',
    )
    expect((await browser.get('/get-session')).body).toBeNull()
  })

  it('refuses a banned user', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    await send(browser, person.email)
    await testApp.db.user.update({ where: { id: person.id }, data: { bannedAt: testApp.app.clock() } })
    expect((await signIn(browser, person.email, await codeIn(person.email))).body.code).toBe('BANNED_USER')
    await browser.post('/sign-in/magic-link', { email: person.email, callbackURL: '/' })
    const followed = await browser.get(await emailedLink(testApp, person.email, 'signInLink'), { accept: 'text/html' })
    expect([followed.status, followed.location]).toEqual([302, '/api/auth/error?error=banned'])
    expect((await browser.get('/get-session')).body).toBeNull()
  })

  it('verifies the address only for the browser that signed up', async () => {
    const person = await createUnverifiedUser(testApp)
    const verify = async (browser: Browser) => {
      await send(browser, person.email, 'email-verification')
      const otp = await codeIn(person.email, 'verificationCode')
      return browser.post('/email-otp/verify-email', { email: person.email, otp })
    }
    expect((await verify(testApp.browser())).body.code).toBe('USER_NOT_FOUND')
    const { body } = await verify(person.browser)
    expect(body).toMatchObject({
      status: true,
      token: expect.any(String),
      user: { id: person.id, emailVerified: true },
    })
    // No more of these emails are sent after verification.
    const before = (await testApp.mails(person.email)).length
    await send(person.browser, person.email, 'email-verification')
    expect((await testApp.mails(person.email)).length).toBe(before)
  })

  it('sets a new password, and reveals nothing about an address', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    // The name of better-auth 1.7.
    expect((await browser.post('/email-otp/request-password-reset', { email: newUserData().email })).body).toEqual({
      success: true,
    })
    expect((await browser.post('/forget-password/email-otp', { email: person.email })).body).toEqual({ success: true })
    const otp = await codeIn(person.email, 'resetCode')
    const reset = (newPassword: string) =>
      browser.post('/email-otp/reset-password', { email: person.email, otp, password: newPassword })
    expect((await reset('short')).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await reset('password1')).body.code).toBe('PASSWORD_TOO_COMMON')
    expect((await reset('x'.repeat(200))).body.code).toBe('PASSWORD_TOO_LONG')
    expect((await reset('the sentence that is new')).body).toEqual({ success: true })
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body).toBeNull()
    const { status } = await browser.post('/sign-in/email', {
      email: person.email,
      password: 'the sentence that is new',
    })
    expect(status).toBe(200)
    expect((await reset('another new sentence')).body.code).toBe('INVALID_OTP')
  })
})

describe('an emailed link', () => {
  it('signs in the browser that requested it, and redirects to the callback', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    expect((await browser.post('/sign-in/magic-link', { email: person.email, callbackURL: '/o/acme' })).body).toEqual({
      status: true,
    })
    const link = await emailedLink(testApp, person.email, 'signInLink')
    expect((await browser.get(link)).location).toBe('/o/acme')
    expect((await browser.get('/get-session')).body.user.id).toBe(person.id)
    // A used link leads to the page that asks, which has no account to confirm any longer.
    expect((await browser.get(link)).location).toMatch(/^\/magic-link\?token=/)
    expect(
      (await browser.post('/sign-in/magic-link', { email: person.email, callbackURL: 'https://evil.test' })).status,
    ).toBe(403)
  })

  it('opened in another browser shows the code and is not used up', async () => {
    const { email } = newUserData()
    const browser = testApp.browser()
    await browser.post('/sign-in/magic-link', { email, name: 'Grace' })
    const link = await emailedLink(testApp, email, 'signInLink')
    const scanner = testApp.browser()
    const { location } = await scanner.get(link)
    const token = new URL(location ?? '', testApp.origin).searchParams.get('token') ?? ''
    expect((await scanner.get('/get-session')).body).toBeNull()
    const shown = await scanner.trpc.session.readMagicLink.mutate({ token })
    expect(shown).toEqual({ email, code: await codeIn(email, 'signInLink') })
    const { body } = await signIn(browser, email, shown?.code ?? '')
    expect(body.user).toMatchObject({ email, name: 'Grace', emailVerified: true })
    expect(await scanner.trpc.session.readMagicLink.mutate({ token: 'x'.repeat(32) })).toBeNull()
  })

  it('expires after ten minutes', async () => {
    const person = await createUser(testApp)
    const browser = testApp.browser()
    await browser.post('/sign-in/magic-link', { email: person.email })
    const link = await emailedLink(testApp, person.email, 'signInLink')
    testApp.advanceClock(601)
    expect((await browser.get(link)).location).toBe('/?error=EXPIRED_TOKEN')
    expect((await browser.get('/magic-link/verify?token=unknown&callbackURL=/x')).location).toBe(
      '/x?error=INVALID_TOKEN',
    )
  })
})

describe('the clients of better-auth 1.2.7', () => {
  const createClient = () => createBetterAuthClient(testApp, [twoFactorClient(), emailOTPClient(), magicLinkClient()])

  it('enroll an app, sign in with it and with a backup code', async () => {
    const person = await createUser(testApp)
    const { client } = createClient()
    await client.signIn.email({ email: person.email, password })
    const enabled = await client.twoFactor.enable({ password })
    const secret = secretOf(enabled.data.totpURI)
    expect((await client.twoFactor.verifyTotp({ code: '000000' })).error).toMatchObject({
      status: 401,
      code: 'INVALID_CODE',
    })
    expect((await client.twoFactor.verifyTotp({ code: codeOf(testApp, secret) })).data.user.id).toBe(person.id)
    await client.signOut()
    expect((await client.signIn.email({ email: person.email, password })).data).toEqual({ twoFactorRedirect: true })
    const [code] = enabled.data.backupCodes
    const verified = await client.twoFactor.verifyBackupCode({ code, trustDevice: true })
    expect(verified.data).toMatchObject({ token: expect.any(String), user: { email: person.email } })
    await client.signOut()
    expect((await client.signIn.email({ email: person.email, password })).data.user.id).toBe(person.id)
    expect((await client.twoFactor.generateBackupCodes({ password })).data.backupCodes.length).toBe(10)
    expect((await client.twoFactor.getTotpUri({ password })).data.totpURI).toContain(secret)
    expect((await client.twoFactor.disable({ password })).data).toEqual({ status: true })
  })

  it('sign in with a code and with a link', async () => {
    const { email } = newUserData()
    const { client, browser } = createClient()
    expect((await client.emailOtp.sendVerificationOtp({ email, type: 'sign-in' })).data).toEqual({ success: true })
    const signedInByCode = await client.signIn.emailOtp({ email, otp: await codeIn(email) })
    expect(signedInByCode.data.user.email).toBe(email)
    expect((await client.getSession()).data.user.email).toBe(email)
    await client.signOut()
    expect((await client.signIn.magicLink({ email, callbackURL: '/done' })).data).toEqual({ status: true })
    expect((await browser.get(await emailedLink(testApp, email, 'signInLink'))).location).toBe('/done')
    expect((await client.forgetPassword.emailOtp({ email })).data).toEqual({ success: true })
    const otp = await codeIn(email, 'resetCode')
    const reset = await client.emailOtp.resetPassword({ email, otp, password: 'a sentence by code' })
    expect(reset.data).toEqual({ success: true })
  })
})

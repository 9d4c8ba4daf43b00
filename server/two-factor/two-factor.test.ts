import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { sweep } from '../maintenance/sweep.ts'
import type { Browser } from '../testing/browser.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import {
  createAdministrator,
  password,
  type TestUser,
  createUser,
  createUnverifiedUser,
  signInElsewhere,
} from '../testing/test-users.ts'
import { codeOf, createTwoFactorUser, secretOf } from '../testing/two-factor.ts'

const testApp = await createTestApp()

/** A browser in which the password was correct and the second step is pending. */
async function waiting({ email }: TestUser, browser: Browser = testApp.browser()): Promise<Browser> {
  const { status, body } = await browser.post('/sign-in/email', { email, password })
  expect([status, body]).toEqual([200, { twoFactorRedirect: true }])
  expect((await browser.get('/get-session')).body).toBeNull()
  return browser
}

const verify = (browser: Browser, code: string, more: object = {}) =>
  browser.post('/two-factor/verify-totp', { code, ...more })

describe('enrollment', () => {
  it('requires the password, and is active after a first code', async () => {
    const person = await createUser(testApp)
    const wrong = await person.browser.post('/two-factor/enable', { password: 'not this one' })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD'])
    expect((await person.browser.post('/two-factor/enable', {})).body.code).toBe('INVALID_PASSWORD')
    const { body } = await person.browser.post('/two-factor/enable', { password, issuer: 'Acme' })
    expect(body.totpURI).toMatch(/^otpauth:\/\/totp\/Acme:/)
    expect(new URL(body.totpURI).searchParams.get('issuer')).toBe('Acme')
    expect(new Set(body.backupCodes).size).toBe(10)
    expect(body.backupCodes.every((code: string) => /^[\w]{5}-[\w]{5}$/.test(code))).toBe(true)
    // Not active yet: signing in still needs only the password.
    await signInElsewhere(testApp, person)
    const secret = secretOf(body.totpURI)
    const invalid = await verify(person.browser, '000000')
    expect([invalid.status, invalid.body]).toEqual([401, { code: 'INVALID_CODE', message: 'Invalid code' }])
    const former = person.browser.jar.get('foyer.session_token')
    const right = await verify(person.browser, codeOf(testApp, secret))
    expect(right.body).toMatchObject({ token: expect.any(String), user: { id: person.id, email: person.email } })
    expect(person.browser.jar.get('foyer.session_token')).not.toBe(former)
    const session = await person.browser.get('/get-session?disableCookieCache=true')
    expect(session.body.user.twoFactorEnabled).toBe(true)
    const stored = JSON.stringify([await testApp.db.twoFactor.findMany(), await testApp.db.recoveryCode.findMany()])
    expect(stored).not.toContain(secret)
    expect(body.backupCodes.some((code: string) => stored.includes(code))).toBe(false)
    expect((await testApp.mails(person.email)).map(({ kind }) => kind)).toContain('twoFactorEnabled')
    const events = await testApp.db.event.findMany({ where: { subjectId: person.id, type: 'user.two_factor_enabled' } })
    expect(events.length).toBe(1)
    expect(decodeJwt((await person.browser.get('/token')).body.token)['amr']).toEqual(['otp', 'mfa'])
  })

  it('ends the sessions that began without it', async () => {
    const person = await createUser(testApp)
    const other = await signInElsewhere(testApp, person)
    await createTwoFactorUser(testApp, person)
    expect((await other.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body.user.id).toBe(person.id)
  })

  it('of another app keeps the current one active until the first code', async () => {
    const person = await createTwoFactorUser(testApp)
    const { body } = await person.browser.post('/two-factor/enable', { password })
    const browser = await waiting(person)
    // Neither the new app nor its recovery codes are active yet.
    expect((await verify(browser, codeOf(testApp, secretOf(body.totpURI)))).status).toBe(401)
    expect((await browser.post('/two-factor/verify-backup-code', { code: body.backupCodes[0] })).status).toBe(401)
    expect((await verify(browser, person.next())).status).toBe(200)
    testApp.advanceClock(60)
    expect((await verify(person.browser, codeOf(testApp, secretOf(body.totpURI)))).status).toBe(200)
    const again = await waiting(person)
    expect((await verify(again, person.next())).status).toBe(401)
    expect((await again.post('/two-factor/verify-backup-code', { code: person.codes[0] })).body.code).toBe(
      'INVALID_BACKUP_CODE',
    )
    expect((await again.post('/two-factor/verify-backup-code', { code: body.backupCodes[0] })).status).toBe(200)
  })

  it('is not available to tokens, keys, strangers, or impersonating administrators', async () => {
    const person = await createUser(testApp)
    for (const path of ['enable', 'disable', 'get-totp-uri', 'generate-backup-codes'])
      expect((await testApp.browser().post(`/two-factor/${path}`, { password })).status).toBe(401)
    const { body } = await person.browser.post('/api-key/create', { name: 'program' })
    const key = { 'x-api-key': body.key as string }
    expect((await testApp.browser().post('/two-factor/enable', { password }, key)).body.code).toBe('INSUFFICIENT_SCOPE')
    const admin = await createAdministrator(testApp)
    await admin.browser.post('/admin/impersonate-user', { userId: person.id })
    expect((await admin.browser.post('/two-factor/enable', { password })).body.code).toBe('NOT_WHILE_IMPERSONATING')
    expect((await verify(admin.browser, '000000')).body.code).toBe('NOT_WHILE_IMPERSONATING')
  })

  it('with an unverified address is removed when its owner verifies it', async () => {
    const own = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
    const squatter = await createUnverifiedUser(own)
    await createTwoFactorUser(own, squatter)
    await own.browser().post('/forget-password', { email: squatter.email })
    const token = new URL(await emailedLink(own, squatter.email, 'resetPassword')).pathname.split('/').at(-1)
    const owner = own.browser()
    expect((await owner.post('/reset-password', { token, newPassword: 'the sentence of the owner' })).status).toBe(200)
    const { body } = await owner.post('/sign-in/email', {
      email: squatter.email,
      password: 'the sentence of the owner',
    })
    expect(body.user.email).toBe(squatter.email)
    expect(await own.db.twoFactor.count()).toBe(0)
  })
})

describe('the second step', () => {
  it('follows every first factor, and no call works before it', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    expect((await browser.get('/list-sessions')).status).toBe(401)
    const pending = await browser.trpc.twoFactor.pending.query()
    expect(pending).toMatchObject({ email: person.email, attemptsLeft: 5 })
    expect(await testApp.browser().trpc.twoFactor.pending.query()).toBeNull()
    const { body } = await verify(browser, person.next())
    expect(body).toMatchObject({ token: expect.any(String), user: { id: person.id } })
    expect((await browser.get('/get-session')).body.user.id).toBe(person.id)
    expect(decodeJwt((await browser.get('/token')).body.token)['amr']).toEqual(['pwd', 'otp', 'mfa'])
    expect(await browser.trpc.twoFactor.pending.query()).toBeNull()
    const signIn = await testApp.db.event.findFirst({
      where: { subjectId: person.id, type: 'user.signed_in' },
      orderBy: { id: 'desc' },
    })
    expect(signIn?.data).toMatchObject({ method: 'password', secondFactor: 'totp' })
  })

  it('belongs to the browser of the first one', async () => {
    const person = await createTwoFactorUser(testApp)
    const code = person.next()
    await waiting(person)
    for (const browser of [testApp.browser(), (await createUser(testApp)).browser]) {
      const { status } = await verify(browser, code)
      expect([400, 401]).toContain(status)
    }
    expect((await verify(testApp.browser(), code)).body).toEqual({
      code: 'INVALID_TWO_FACTOR_COOKIE',
      message: 'Invalid two factor cookie',
    })
  })

  it('accepts a time step once over all browsers, even for twenty concurrent requests, and one step of drift', async () => {
    const person = await createTwoFactorUser(testApp)
    const browsers = await Promise.all(Array.from({ length: 20 }, () => waiting(person)))
    const code = person.next()
    const answers = await Promise.all(browsers.map((browser) => verify(browser, code)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    const other = await waiting(person)
    testApp.advanceClock(60)
    // To the beginning of a step: the codes below are for the same one, on however slow a machine.
    testApp.advanceClock(30 - ((testApp.app.clock().getTime() / 1000) % 30))
    // The time step before the current one, but not one that was used, nor one two steps away.
    expect((await verify(other, codeOf(testApp, person.secret, -2))).status).toBe(401)
    expect((await verify(other, codeOf(testApp, person.secret, 2))).status).toBe(401)
    expect((await verify(other, codeOf(testApp, person.secret, -1))).status).toBe(200)
    const late = await waiting(person)
    expect((await verify(late, codeOf(testApp, person.secret, -1))).status).toBe(401)
    expect((await verify(late, codeOf(testApp, person.secret, 1))).status).toBe(200)
  })

  it('ends after five wrong codes, without rate limits, even concurrently', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    const wrong = await Promise.all(Array.from({ length: 12 }, () => verify(browser, '000000')))
    expect(wrong.every(({ status }) => status === 401)).toBe(true)
    expect(wrong.filter(({ body }) => body.code === 'INVALID_CODE').length).toBe(5)
    expect((await verify(browser, person.next())).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    const failed = await testApp.db.event.count({ where: { subjectId: person.id, type: 'user.sign_in_failed' } })
    expect(failed).toBe(5)
  })

  it('ends after ten minutes, and with a new password', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    testApp.advanceClock(601)
    expect((await verify(browser, person.next())).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
    const again = await waiting(person)
    await person.browser.post('/change-password', { currentPassword: password, newPassword: 'another long sentence' })
    expect((await verify(again, person.next())).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
  })

  it('limits the codes of one user over all sign-ins', async () => {
    const own = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUser(own)
    const { next } = await createTwoFactorUser(own, person)
    const answers: number[] = []
    for (let n = 0; n < 3; n++) {
      const browser = own.browser()
      await browser.post('/sign-in/email', { email: person.email, password })
      for (let attempt = 0; attempt < 5; attempt++) {
        // The limit of an IP address is another one.
        own.advanceClock(11)
        answers.push((await verify(browser, '000000')).status)
      }
    }
    expect(answers.filter((status) => status === 401)).toHaveLength(10)
    expect(answers.at(-1)).toBe(429)
    own.advanceClock(601)
    const browser = own.browser()
    await browser.post('/sign-in/email', { email: person.email, password })
    expect((await verify(browser, next())).status).toBe(200)
  })

  it('is not skipped by a password reset', async () => {
    const person = await createTwoFactorUser(testApp)
    await testApp.browser().post('/forget-password', { email: person.email })
    const token = new URL(await emailedLink(testApp, person.email, 'resetPassword')).pathname.split('/').at(-1)
    const browser = testApp.browser()
    await browser.post('/reset-password', { token, newPassword: 'a sentence of a thief' })
    const { body } = await browser.post('/sign-in/email', { email: person.email, password: 'a sentence of a thief' })
    expect(body).toEqual({ twoFactorRedirect: true })
    expect((await browser.get('/get-session')).body).toBeNull()
  })

  it('does not reveal its existence without the password', async () => {
    const person = await createTwoFactorUser(testApp)
    const without = await createUser(testApp)
    const answers = await Promise.all(
      [person, without].map(({ email }) => testApp.browser().post('/sign-in/email', { email, password: 'wrong' })),
    )
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect([...(answers[0]?.headers.keys() ?? [])]).toEqual([...(answers[1]?.headers.keys() ?? [])])
  })

  it('is required after a username too, and stays done when the session is confirmed or the password is changed', async () => {
    const person = await createTwoFactorUser(testApp, await createUser(testApp, { username: `ada_${Date.now()}` }))
    const { body } = await person.browser.get('/get-session?disableCookieCache=true')
    const browser = testApp.browser()
    const { username } = body.user
    expect((await browser.post('/sign-in/username', { username, password })).body).toEqual({ twoFactorRedirect: true })
    expect((await verify(browser, person.next())).status).toBe(200)
    expect((await browser.post('/reauthenticate', { password })).status).toBe(200)
    const changed = await browser.post('/change-password', {
      currentPassword: password,
      newPassword: 'another long sentence',
      revokeOtherSessions: true,
    })
    expect(changed.body.token).toEqual(expect.any(String))
    expect((await browser.get('/get-session')).body.user.id).toBe(person.id)
  })

  it('refuses a banned user after a correct code', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    await testApp.db.user.update({ where: { id: person.id }, data: { bannedAt: testApp.app.clock() } })
    expect((await verify(browser, person.next())).body.code).toBe('BANNED_USER')
  })
})

describe('recovery codes', () => {
  it('work once, even for twenty concurrent requests, and report how many remain', async () => {
    const person = await createTwoFactorUser(testApp)
    const browsers = await Promise.all(Array.from({ length: 20 }, () => waiting(person)))
    const [code = '', another = ''] = person.codes
    const answers = await Promise.all(
      browsers.map((browser) => browser.post('/two-factor/verify-backup-code', { code })),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    const [mail] = await testApp.mails(person.email)
    expect(mail?.kind).toBe('recoveryCodeUsed')
    expect(JSON.stringify(mail)).toContain('9')
    const spent = await (
      await waiting(person)
    ).post('/two-factor/verify-backup-code', { code: another, disableSession: true })
    expect(spent.body).toMatchObject({ token: null, user: { id: person.id } })
    expect((await person.browser.trpc.twoFactor.status.query()).recoveryCodes).toBe(8)
  })

  it('are replaced with the password', async () => {
    const person = await createTwoFactorUser(testApp)
    const path = '/two-factor/generate-backup-codes'
    expect((await person.browser.post(path, { password: 'wrong' })).body.code).toBe('INVALID_PASSWORD')
    const { body } = await person.browser.post(path, { password })
    expect(body).toMatchObject({ status: true, backupCodes: expect.any(Array) })
    const browser = await waiting(person)
    expect((await browser.post('/two-factor/verify-backup-code', { code: person.codes[0] })).status).toBe(401)
    expect((await browser.post('/two-factor/verify-backup-code', { code: body.backupCodes[9] })).status).toBe(200)
    const plain = await createUser(testApp)
    expect((await plain.browser.post(path, { password })).body.code).toBe('TWO_FACTOR_ISNT_ENABLED')
    expect((await plain.browser.post('/two-factor/verify-backup-code', { code: 'x' })).body.code).toBe(
      'BACKUP_CODES_ARENT_ENABLED',
    )
    expect((await verify(plain.browser, '000000')).body.code).toBe('TOTP_NOT_ENABLED')
  })
})

describe('a trusted browser', () => {
  it('is not asked for thirty days, until the password or the app changes', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    expect((await verify(browser, person.next(), { trustDevice: true })).status).toBe(200)
    const signIn = async (secret = password) => {
      await browser.post('/sign-out')
      return (await browser.post('/sign-in/email', { email: person.email, password: secret })).body
    }
    expect((await signIn()).user.id).toBe(person.id)
    expect(decodeJwt((await browser.get('/token')).body.token)['amr']).toEqual(['pwd', 'mfa'])
    // Another user of this browser is asked for a second factor.
    const other = await createTwoFactorUser(testApp)
    await browser.post('/sign-out')
    await waiting(other, browser)
    testApp.advanceClock(29 * 86_400)
    expect((await signIn()).user.id).toBe(person.id)
    testApp.advanceClock(31 * 86_400)
    expect(await signIn()).toEqual({ twoFactorRedirect: true })
    await verify(browser, person.next(), { trustDevice: true })
    await browser.post('/change-password', { currentPassword: password, newPassword: 'another long sentence' })
    expect(await signIn('another long sentence')).toEqual({ twoFactorRedirect: true })
  })

  it.each(['revoke-user-sessions', 'ban-user'])('is asked again after an administrator did %s', async (call) => {
    const admin = await createAdministrator(testApp)
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    await verify(browser, person.next(), { trustDevice: true })
    expect((await admin.browser.post(`/admin/${call}`, { userId: person.id })).status).toBe(200)
    if (call === 'ban-user') await admin.browser.post('/admin/unban-user', { userId: person.id })
    expect((await browser.post('/sign-in/email', { email: person.email, password })).body.twoFactorRedirect).toBe(true)
  })

  it('is asked again after the app was replaced', async () => {
    const person = await createTwoFactorUser(testApp)
    const browser = await waiting(person)
    await verify(browser, person.next(), { trustDevice: true })
    testApp.advanceClock(60)
    await createTwoFactorUser(testApp, { ...person, browser })
    await browser.post('/sign-out')
    expect((await browser.post('/sign-in/email', { email: person.email, password })).body.twoFactorRedirect).toBe(true)
  })
})

describe('turning it off', () => {
  it('requires the password, removes everything and is reported', async () => {
    const person = await createTwoFactorUser(testApp)
    expect((await person.browser.post('/two-factor/disable', { password: 'wrong' })).body.code).toBe('INVALID_PASSWORD')
    const uri = await person.browser.post('/two-factor/get-totp-uri', { password })
    expect(secretOf(uri.body.totpURI)).toBe(person.secret)
    expect((await person.browser.post('/two-factor/disable', { password })).body).toEqual({ status: true })
    expect((await person.browser.get('/get-session')).body.user.twoFactorEnabled).toBe(false)
    await signInElsewhere(testApp, person)
    expect(await testApp.db.recoveryCode.count({ where: { userId: person.id } })).toBe(0)
    expect((await testApp.mails(person.email)).map(({ kind }) => kind)).toContain('twoFactorDisabled')
    expect((await person.browser.post('/two-factor/disable', { password })).body.code).toBe('TWO_FACTOR_ISNT_ENABLED')
    expect((await person.browser.post('/two-factor/get-totp-uri', { password })).body.code).toBe('TOTP_NOT_ENABLED')
  })
})

describe('a lost second factor', () => {
  const remove = (admin: TestUser, userId: string) => admin.browser.post('/admin/remove-two-factor', { userId })

  it('is removed by an administrator after a day, with an immediate email', async () => {
    const admin = await createAdministrator(testApp)
    const person = await createTwoFactorUser(testApp)
    expect((await remove(person, admin.id)).status).toBe(403)
    expect((await remove(admin, admin.id)).body.code).toBe('ANOTHER_ADMINISTRATOR_IS_NEEDED')
    expect((await remove(admin, (await createUser(testApp)).id)).body.code).toBe('TWO_FACTOR_ISNT_ENABLED')
    expect((await remove(admin, 'nobody')).status).toBe(404)
    const { body } = await remove(admin, person.id)
    expect(Date.parse(body.removalAt) - testApp.app.clock().getTime()).toBeGreaterThan(86_390_000)
    expect((await testApp.mails(person.email))[0]?.kind).toBe('twoFactorRemoval')
    await sweep(testApp.app)
    await waiting(person)
    expect((await admin.browser.trpc.admin.userDetails.query({ userId: person.id })).twoFactorRemovalAt).not.toBeNull()
    testApp.advanceClock(86_401)
    await sweep(testApp.app)
    await signInElsewhere(testApp, person)
    expect((await testApp.mails(person.email))[1]?.kind).toBe('twoFactorDisabled')
  })

  it.each(['user', 'administrator'])('is kept by a sign-in with it, or by an administrator: %s', async (by) => {
    const admin = await createAdministrator(testApp)
    const person = await createTwoFactorUser(testApp)
    await remove(admin, person.id)
    const keep = () => admin.browser.post('/admin/cancel-two-factor-removal', { userId: person.id })
    const signIn = async () => verify(await waiting(person), person.next())
    expect((await (by === 'user' ? signIn() : keep())).status).toBe(200)
    expect((await keep()).body.code).toBe('FACTOR_REMOVAL_NOT_PENDING')
    const where = { subjectId: person.id, type: 'user.two_factor_removal_canceled' }
    expect(await testApp.db.event.count({ where })).toBe(1)
    testApp.advanceClock(86_401)
    await sweep(testApp.app)
    await waiting(person)
  })
})

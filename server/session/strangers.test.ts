import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'

const testApp = await createTestApp()

describe('effects that strangers can cause', () => {
  it('no text of an anonymous client appears in the emails that it causes: a device has one of the known names', async () => {
    const person = await createUser(testApp)
    const hostile = 'ACCOUNT LOCKED. Sign in at https://evil.test/unlock/1 (x)'
    for (const [path, body] of [
      ['/forget-password', { email: person.email }],
      ['/sign-up/email', { ...newUserData(), email: person.email }],
    ] as const) {
      await testApp.browser().post(path, body, { 'user-agent': hostile })
    }
    const mails = await testApp.mails(person.email)
    expect(mails.length).toBeGreaterThan(1)
    for (const { html, text } of mails) expect(`${html}${text}`).not.toMatch(/evil\.test|LOCKED/)
    await testApp.browser().post('/sign-in/email', { ...person, password: 'wrong' }, { 'user-agent': hostile })
    expect((await person.browser.get('/list-activity')).text).not.toContain('evil.test')
  })

  it('a page of another site does not use up the limits of its visitors', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUnverifiedUser(counted)
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    for (const path of ['/sign-in/email', '/forget-password', '/send-verification-email']) {
      for (let n = 0; n < 5; n++) {
        const { status } = await counted.browser().post(path, { email: person.email, password: 'x' }, foreign)
        expect([path, status]).toEqual([path, 403])
      }
    }
    // EMAIL_VERIFICATION refuses the sign-in; the limit would answer 429.
    expect((await counted.browser().post('/sign-in/email', person)).status).toBe(403)
    expect((await counted.browser().post('/forget-password', { email: person.email })).status).toBe(200)
  })

  it('reads with a limit are closed to images of other pages, and open to links and clients', async () => {
    const person = await createUser(testApp)
    const read = async (path: string, headers: Record<string, string>) =>
      (await person.browser.request(`${testApp.origin}/api/payments/${path}`, { headers })).status
    // Without a payment provider, an allowed read ends with its own refusal.
    for (const path of ['discount?code=HALF', 'invoice?paymentId=pay_1']) {
      expect([path, await read(path, { 'sec-fetch-site': 'cross-site' })]).toEqual([path, 403])
      expect([path, await read(path, { 'sec-fetch-site': 'cross-site', accept: 'text/html' })]).toEqual([path, 400])
      expect([path, await read(path, {})]).toEqual([path, 400])
    }
  })

  it('requests for links to an unused address do not use up the budget of a later sign-up', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
    const person = newUserData()
    for (let n = 0; n < 6; n++) {
      const from = { 'x-forwarded-for': `198.51.100.${n}` }
      await counted.browser().post('/send-verification-email', { email: person.email }, from)
    }
    await counted.browser().post('/sign-up/email', person, { 'x-forwarded-for': '198.51.100.99' })
    expect((await counted.mails(person.email)).map(({ kind }) => kind)).toEqual(['verifyEmail'])
  })

  it('reports about an account cannot fill a mailbox', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on', EMAIL_VERIFICATION: 'optional', TRUST_PROXY: '1' })
    const person = await createUnverifiedUser(counted)
    for (let n = 0; n < 30; n++) {
      const from = { 'x-forwarded-for': `198.51.100.${n}` }
      const username = `name_${n}`
      const sent = await person.browser.post('/update-user', { username, displayUsername: username }, from)
      expect(sent.status).toBe(200)
    }
    const kinds = (await counted.mails(person.email)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'usernameChanged')).toHaveLength(5)
  })
})

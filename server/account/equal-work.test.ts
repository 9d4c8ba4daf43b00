import { Client } from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'

/**
 * Requests for known and unknown email addresses cost the same (SEC-120). The tests compare work (statements, hashes,
 * emails) and not elapsed time, so that a busy machine cannot make them fail.
 */
const testApp = await createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
const query = vi.spyOn(Client.prototype, 'query')
const hash = vi.spyOn(testApp.app.hasher, 'hash')
const verify = vi.spyOn(testApp.app.hasher, 'verify')
afterEach(() => vi.clearAllMocks())
const verified = await createUser(testApp)
const waiting = await createUnverifiedUser(testApp)

let clients = 0

/** Sends a request from a new IP address and returns the work it caused. */
async function workOf(path: string, body: object) {
  const headers = { 'x-forwarded-for': `198.51.100.${clients++}` }
  vi.clearAllMocks()
  const { status } = await testApp.browser().post(path, body, headers)
  // Other test applications in the same process may be working in the background.
  const own = query.mock.contexts.map((client) => Reflect.get(Object(client), 'database') === testApp.databaseName)
  const texts = query.mock.calls.flatMap(([statement], n) => (own[n] ? [textOf(statement)] : []))
  return {
    status,
    hashes: hash.mock.calls.length,
    verified: verify.mock.calls.length,
    statements: texts.filter((text) => !/^(begin|commit|rollback)/i.test(text)).length,
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement
  const text: unknown = typeof statement === 'object' && statement !== null ? Reflect.get(statement, 'text') : ''
  return String(text)
}

it('a sign-up hashes once and sends the same number of queries for a new, an unverified and a verified address', async () => {
  // Warm-up: the very first request may cause additional work.
  await workOf('/sign-up/email', newUserData())
  const fresh = await workOf('/sign-up/email', newUserData())
  expect(fresh).toMatchObject({ status: 200, hashes: 1 })
  expect(await workOf('/sign-up/email', newUserData({ email: verified.email }))).toEqual(fresh)
  expect(await workOf('/sign-up/email', newUserData({ email: waiting.email }))).toEqual(fresh)
})

it.each(['/forget-password', '/send-verification-email'])(
  '%s sends the same number of queries for a known and an unknown account',
  async (path) => {
    await workOf(path, { email: newUserData().email })
    const unknown = await workOf(path, { email: newUserData().email })
    expect(unknown.status).toBe(200)
    expect(await workOf(path, { email: verified.email })).toEqual(unknown)
    expect(await workOf(path, { email: waiting.email })).toEqual(unknown)
  },
)

it('/forget-password sends the same number of queries when the budget of an address is used up', async () => {
  const { email } = newUserData()
  const [known, unknown] = [await createUser(testApp), { email }]
  for (let n = 0; n < 6; n++) {
    await workOf('/forget-password', { email: known.email })
    await workOf('/forget-password', { email: unknown.email })
  }
  expect(await workOf('/forget-password', { email: known.email })).toEqual(
    await workOf('/forget-password', { email: unknown.email }),
  )
})

it('a wrong password causes the same number of queries for a known and an unknown account', async () => {
  await workOf('/sign-in/email', { email: newUserData().email, password: 'wrong' })
  const unknown = await workOf('/sign-in/email', { email: newUserData().email, password: 'wrong' })
  expect(unknown).toMatchObject({ status: 401, verified: 1 })
  expect(await workOf('/sign-in/email', { email: verified.email, password: 'wrong' })).toEqual(unknown)
  expect(await workOf('/sign-in/email', { email: waiting.email, password: 'wrong' })).toEqual(unknown)
})

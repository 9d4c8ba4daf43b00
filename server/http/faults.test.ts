import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { normalizeIpAddress, networksOf } from '../foundation/ip-address.ts'
import { createHasher } from '../foundation/password-hashing.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { createUser, newUserData } from '../testing/test-users.ts'

/** Simulates a database outage: refuses new connections and terminates existing ones. */
async function takeDatabaseAway({ admin, databaseName }: TestApp): Promise<void> {
  await admin.query(`alter database ${databaseName} allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [databaseName])
}

describe('a database outage and recovery (REL-03)', () => {
  it('answers 503 with Retry-After during it, and normally afterwards, without a restart', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    await takeDatabaseAway(testApp)
    const calls = () =>
      Promise.all([
        person.browser.get('/get-session?disableCookieCache=true'),
        testApp.browser().post('/sign-in/email', { email: person.email, password: person.password }),
        testApp.browser().post('/sign-up/email', newUserData()),
        person.browser.copy().post('/sign-out'),
        testApp.browser().post('/send-verification-email', { email: person.email }),
        testApp.browser().request('/api/health'),
      ])
    const down = await calls()
    expect(down.map(({ status }) => status)).toEqual(Array(6).fill(503))
    for (const { headers } of down) expect(headers.get('retry-after')).toBe('5')
    expect(down[0]?.body).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      message: 'Service unavailable. Please try again later.',
    })
    expect((await testApp.browser().get('/ok')).status).toBe(200)
    expect((await person.browser.get('/get-session')).body.user.id).toBe(person.id)

    await testApp.admin.query(`alter database ${testApp.databaseName} allow_connections true`)
    // Through PgBouncer, it depends on the time after which that connects again (docs/operations.md).
    const isHealthy = async () => (await testApp.browser().request('/api/health')).status === 200
    if (inject('pooledUrl') !== '') while (!(await isHealthy())) await wait(100)
    const up = await calls()
    expect(up.map(({ status }) => status)).toEqual(Array(6).fill(200))
  })
})

describe('the database hangs (REL-08)', () => {
  it('requests end with 503 within ten seconds, and the next call is served', async () => {
    const testApp = await createTestApp({ COOKIE_CACHE: 'off' })
    const person = await createUser(testApp)
    const holder = await testApp.pool.connect()
    await holder.query('begin; lock table "Session", "User" in access exclusive mode')
    const waiting = await Promise.all(Array.from({ length: 8 }, () => person.browser.get('/get-session')))
    expect(waiting.map(({ status }) => status)).toEqual(Array(8).fill(503))
    await holder.query('rollback')
    holder.release()
    expect((await person.browser.get('/get-session')).status).toBe(200)
  })
})

describe('the database is read-only (REL-09)', () => {
  it('writes answer 503, reads still succeed', async () => {
    const testApp = await createTestApp({ COOKIE_CACHE: 'off' })
    const person = await createUser(testApp)
    await testApp.admin.query(`alter database ${testApp.databaseName} set default_transaction_read_only = on`)
    await testApp.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      testApp.databaseName,
    ])
    expect((await testApp.browser().post('/sign-up/email', newUserData())).status).toBe(503)
    expect((await person.browser.get('/get-session')).body.user.id).toBe(person.id)
    testApp.advanceClock(2 * 86_400)
    expect((await person.browser.get('/get-session')).body.user.id).toBe(person.id)
    testApp.advanceClock(30 * 86_400)
    expect((await person.browser.get('/get-session')).body).toBeNull()
  })
})

describe('a flood of sign-ins (SEC-04, SEC-81)', () => {
  it('keeps the health check answering, and each sign-in gets a response', async () => {
    // Uses hashes of the real cost: the flood is still being processed when the health check is answered.
    const testApp = await createTestApp({}, { hasher: createHasher({ concurrency: 1 }) })
    const person = await createUser(testApp)
    const flood = Array.from({ length: 60 }, () =>
      testApp.browser().post('/sign-in/email', { email: person.email, password: 'wrong password' }),
    )
    let answered = 0
    for (const sent of flood) void sent.then(() => answered++)
    const health = await testApp.browser().request('/api/health')
    expect(health.status).toBe(200)
    expect(answered).toBeLessThan(flood.length)
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(60).fill(401))
  })

  it('beyond the queue, the response is 503 with Retry-After, and nothing is stored', async () => {
    const testApp = await createTestApp({}, { hasher: createHasher({ concurrency: 1, maxWaiting: 5 }) })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => testApp.browser().post('/sign-up/email', newUserData())),
    )
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.filter(({ status }) => status === 200).length).toBe(40 - refused.length)
    expect(refused[0]?.headers.get('retry-after')).toBe('2')
    expect(await testApp.db.user.count()).toBe(40 - refused.length)
  })
})

describe('IP addresses', () => {
  it.each([
    ['2001:db8::1', '2001:db8::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::192.0.2.1', '::/64'],
    ['::ffff:010.1.1.1', ''],
    ['0x7f.1', ''],
    ['', ''],
  ])('%s is counted as %s', (address, network) =>
    expect(networksOf(normalizeIpAddress(address) ?? '')[0]).toBe(network),
  )
})

describe('an internal error (SEC-91)', () => {
  it('answers 500 without details, and logs the cause with the request id', async () => {
    const testApp = await createTestApp()
    const person = await createUser(testApp)
    await testApp.pool.query('alter table "Account" rename to "Missing"')
    const { status, body, headers, text } = await person.browser.get('/list-accounts')
    expect([status, body]).toEqual([500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' }])
    expect(text).not.toMatch(/Account|relation|at /)
    const line = testApp.lines.find((one) => one.includes(headers.get('x-request-id') ?? 'none'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', reason: 'INTERNAL_SERVER_ERROR' })
  })
})

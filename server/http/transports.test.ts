import { get } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { appRouter } from '../router.ts'
import { insertMembers, createOrganizationOwner } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, newUserData } from '../testing/test-users.ts'
import { proceduresOf } from './procedures.ts'

const trusted = 'https://app.example.com,*.wild.test,https://*.deep.test,myapp://,other://callback'
const testApp = await createTestApp({ TRUSTED_ORIGINS: trusted })

const rest = proceduresOf(appRouter).flatMap(({ meta }) =>
  [meta.rest, meta.alias].flatMap((path) => (path ? [path.split(' ')] : [])),
)

describe('redirect targets (SEC-30)', () => {
  const accepted = [
    // A return address of the greatest length, in the query of a screen.
    `/verified?email=a%40b.test&next=${encodeURIComponent(`https://app.example.com/${'%20'.repeat(670)}`)}`,
    '/',
    '/a/b-c.d+e',
    '/a?x=1&y=%20',
    '/a_b?c',
    'https://app.example.com/x?y=1',
    'https://a.wild.test',
    'http://a.b.wild.test/x',
    'https://one.deep.test/x',
    'myapp://anything',
    'other://callback/x',
  ]
  const refused = [
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/%2fevil.test',
    '/%5cevil.test',
    '/%2Fevil.test',
    '/a//b',
    '/./a',
    '/../a',
    '/a/..',
    '/a#h',
    '/a b',
    '/a%20b',
    '/@x',
    '/a?u=http://x',
    'dashboard',
    ' /a',
    '/a\n',
    '/a\r\nx: y',
    '/a\t',
    '/.//evil.test',
    '/a/./b',
    'https://evil.test',
    'http://localhost',
    'https://app.example.com.evil.test',
    'https://app.example.com@evil.test',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://user:pw@app.example.com/',
    'https:app.example.com',
    'https:/app.example.com',
    '//app.example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'JaVaScRiPt:alert(1)',
    'ftp://a.wild.test',
    'https://wild.test',
    'https://evilwild.test',
    'http://one.deep.test',
    'https://deep.test',
    'myapp:evil',
    'other://callback.evil',
    'other://',
    'https://app.example.com\\@evil.test',
    'https://app.example.com/\u0416',
    'https://app.example.com/\u00e9',
    'https://app.example.com//evil.test',
    'https://app.example.com/../x',
    'https://app.example.com/%2fevil',
    'https://evil.test#https://app.example.com',
    '\u0000/a',
    'https://app.example.com\u0009.evil.test',
    'http://[::1]',
    'http://127.0.0.1',
    `/${'a'.repeat(2048)}`,
    '/é',
    '/\u202E',
  ]
  const browser = testApp.browser()
  const sinks = [
    ['/sign-in/email', 'callbackURL', 'INVALID_CALLBACKURL'],
    ['/sign-up/email', 'callbackURL', 'INVALID_CALLBACKURL'],
    ['/send-verification-email', 'callbackURL', 'INVALID_CALLBACKURL'],
    ['/change-email', 'callbackURL', 'INVALID_CALLBACKURL'],
    ['/delete-user', 'callbackURL', 'INVALID_CALLBACKURL'],
    ['/forget-password', 'redirectTo', 'INVALID_REDIRECTURL'],
    ['/sign-out', 'errorCallbackURL', 'INVALID_ERRORCALLBACKURL'],
    ['/sign-out', 'newUserCallbackURL', 'INVALID_NEWUSERCALLBACKURL'],
  ]

  it.each(sinks)('%s refuses each hostile %s with %s', async (path, field, code) => {
    for (const target of refused) {
      const { status, body } = await browser.post(path, { [field]: target })
      const expected = target.includes('\u0000') ? [target, 400, 'VALIDATION_ERROR'] : [target, 403, code]
      expect([target, status, body.code]).toEqual(expected)
    }
  })

  it('the messages are those of the REST contract', async () => {
    const messages = await Promise.all(sinks.map(([path = '', field = '']) => browser.post(path, { [field]: '//x' })))
    expect([...new Set(messages.map(({ body }) => body.message))]).toEqual([
      'Invalid callbackURL',
      'Invalid redirectURL',
      'Invalid errorCallbackURL',
      'Invalid newUserCallbackURL',
    ])
  })

  it('the query of a POST and of a link is checked too', async () => {
    for (const target of refused.filter((text) => text.isWellFormed() && !text.includes('\u0000'))) {
      const query = `callbackURL=${encodeURIComponent(target)}`
      const answers = [
        await browser.post(`/sign-in/email?${query}`, {}),
        await browser.get(`/verify-email?token=x&${query}`),
        await browser.get(`/reset-password/x?${query}`),
        await browser.get(`/delete-user/callback?token=x&${query}`),
      ]
      for (const { status, body, location } of answers)
        expect([target, status, body.code, location]).toEqual([target, 403, 'INVALID_CALLBACKURL', null])
    }
  })

  it('tRPC refuses them too', async () => {
    const error = await browser.trpc.session.signInEmail
      .mutate({ email: 'a@b.test', password: 'x', callbackURL: '//evil.test' })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ data: { reason: 'INVALID_CALLBACKURL', httpStatus: 403 } })
  })

  it.each(accepted)('accepts %s', async (target) => {
    const { body } = await browser.post('/sign-in/email', {
      email: newUserData().email,
      password: 'x',
      callbackURL: target,
    })
    expect(body.code).toBe('INVALID_EMAIL_OR_PASSWORD')
    const { location } = await browser.get(`/verify-email?token=x&callbackURL=${encodeURIComponent(target)}`)
    expect(location).toBe(`${target}${target.includes('?') ? '&' : '?'}error=invalid_token`)
  })
})

describe('origins (SEC-34, SEC-36, SEC-37)', () => {
  const foreign = [
    'https://evil.test',
    'null',
    'http://localhost',
    `${testApp.origin}.evil.test`,
    'https://app.example.com.evil.test',
  ]

  it('a POST with cookies requires a trusted origin', async () => {
    const person = await createUser(testApp)
    for (const origin of foreign) {
      const { status, body } = await person.browser.post('/sign-out', {}, { origin })
      expect([origin, status, body]).toEqual([origin, 403, { code: 'INVALID_ORIGIN', message: 'Invalid origin' }])
    }
    const referred = await person.browser.post('/sign-out', {}, { origin: 'none', referer: 'https://evil.test/page' })
    const unsaid = await person.browser.post('/sign-out', {}, { origin: 'none' })
    const crossSite = await person.browser.post('/sign-out', {}, { origin: 'none', 'sec-fetch-site': 'cross-site' })
    expect([referred.status, unsaid.status, crossSite.status]).toEqual([403, 403, 403])
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body.user.id).toBe(person.id)

    for (const headers of [
      { origin: 'none', referer: `${testApp.origin}/settings` },
      { origin: 'none', 'sec-fetch-site': 'same-origin' },
      { origin: 'https://app.example.com' },
      { origin: testApp.origin },
    ]) {
      expect((await person.browser.copy().post('/sign-out', {}, headers)).status).toBe(200)
    }
  })

  it('starting a session from an untrusted page is refused, even without cookies', async () => {
    for (const path of ['/sign-in/email', '/sign-up/email']) {
      for (const origin of foreign) expect((await testApp.browser().post(path, {}, { origin })).status).toBe(403)
      const crossSite = await testApp.browser().post(path, {}, { origin: 'none', 'sec-fetch-site': 'cross-site' })
      expect(crossSite.body.code).toBe('INVALID_ORIGIN')
      // A non-browser client, without Origin and Sec-Fetch headers, may sign in.
      expect((await testApp.browser().post(path, {}, { origin: 'none' })).status).toBe(400)
    }
  })

  it('the same check applies to tRPC', async () => {
    const person = await createUser(testApp)
    const call = (path: string, headers: Record<string, string>) =>
      person.browser.request(`/api/trpc/${path}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      })
    expect((await call('session.signOut', { origin: 'https://evil.test' })).status).toBe(403)
    expect((await call('session.signOut', { origin: 'none' })).status).toBe(403)
    expect((await call('session.signInEmail', { origin: 'https://evil.test', cookie: '' })).status).toBe(403)
    expect((await call('session.signOut', {})).status).toBe(200)
  })

  it('a trusted origin may call from its own pages; others may not', async () => {
    const ask = (origin: string) =>
      testApp.browser().request('/api/auth/sign-in/email', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const granted = await ask('https://app.example.com')
    expect(granted.status).toBe(204)
    expect(granted.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(granted.headers.get('access-control-allow-credentials')).toBe('true')
    expect(granted.headers.get('access-control-allow-methods')).toBe('GET, POST')
    expect(granted.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining([
        'content-type',
        'authorization',
        'trpc-accept',
        'x-trpc-source',
        'x-request-id',
        'traceparent',
      ]),
    )
    expect(granted.headers.get('access-control-max-age')).toBe('600')
    for (const origin of foreign) {
      const { status, headers } = await ask(origin)
      expect([status, headers.get('access-control-allow-origin')]).toEqual([404, null])
    }
    // Origins are compared as text. Forms that browsers never send do not match.
    expect((await ask('https://app.example.com/')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask('https://APP.example.com')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('pages of every origin may ask for public documents, whether or not the path ends in a slash', async () => {
    const headers = { origin: 'https://anywhere.example', 'access-control-request-method': 'GET' }
    for (const path of ['/oauth/jwks', '/oauth/jwks/', '/api/auth/jwks', '/api/auth/jwks/']) {
      const { status, headers: answered } = await testApp.browser().request(path, { method: 'OPTIONS', headers })
      expect([path, status, answered.get('access-control-allow-origin')]).toEqual([path, 204, '*'])
    }
  })

  it('the trusted origin can read answers and refusals, and Vary announces that they differ by origin', async () => {
    const origin = 'https://app.example.com'
    for (const path of [
      '/api/auth/get-session',
      '/api/auth/list-sessions',
      '/api/nothing',
      '/api',
      '/api/auth',
      '/api/health',
      '/api/trpc/x',
    ]) {
      const { headers } = await testApp.browser().request(path, { headers: { origin } })
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, origin])
      expect(headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-Id')
      expect(headers.get('vary')).toContain('Origin')
      const plain = await testApp.browser().request(path)
      expect([plain.headers.get('access-control-allow-origin'), plain.headers.get('vary')]).toEqual([
        null,
        expect.stringContaining('Origin'),
      ])
    }
  })
})

describe('methods, bodies and paths', () => {
  it('every POST path is 404 with GET and every GET path is 404 with POST (SEC-35)', async () => {
    for (const [method, path = ''] of rest) {
      const browser = testApp.browser()
      const answer = method === 'POST' ? await browser.get(path) : await browser.post(path)
      expect([path, answer.status, answer.body]).toEqual([path, 404, { code: 'NOT_FOUND', message: 'Not found' }])
    }
  })

  it.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is 404 everywhere below the base path', async (method) => {
    for (const path of ['/ok', '/get-session', '/sign-out', '/verify-email?token=x', '/nothing']) {
      const { status } = await testApp
        .browser()
        .request(`/api/auth${path}`, { method, headers: { 'x-http-method-override': 'GET' } })
      expect([path, status]).toEqual([path, 404])
    }
  })

  it('unknown paths, double slashes, wrong case and server-only functions are 404; a trailing slash is tolerated', async () => {
    for (const path of [
      '/nothing',
      '//ok',
      '/OK',
      '/set-password',
      '/organization/add-member',
      '/ok/ok',
      '/__proto__',
      '/constructor',
    ]) {
      expect([path, (await testApp.browser().get(path)).status]).toEqual([path, 404])
    }
    expect((await testApp.browser().get('/ok/')).body).toEqual({ ok: true })
    expect((await testApp.browser().get('/ok//')).status).toBe(404)
    expect((await testApp.browser().get('/%')).status).toBe(404)
  })

  it('a malformed query is refused, and without a session that of a call that requires one is UNAUTHORIZED', async () => {
    const malformed = `input=${encodeURIComponent(JSON.stringify({ disableRefresh: 'a\0b' }))}`
    const anonymous = testApp.browser()
    const open = await anonymous.request(`/api/trpc/session.get?${malformed}`)
    expect([open.status, open.body.error.data.reason]).toEqual([400, 'INVALID_QUERY'])
    const closed = await anonymous.request(`/api/trpc/session.list?${malformed}`)
    expect([closed.status, closed.body.error.data.reason]).toEqual([401, 'UNAUTHORIZED'])
    const { browser } = await createUser(testApp)
    const own = await browser.request(`/api/trpc/session.list?${malformed}`)
    expect([own.status, own.body.error.data.reason]).toEqual([400, 'INVALID_QUERY'])
    expect((await browser.get('/list-sessions?limit=1%00')).status).toBe(400)
  })

  it('accepts only JSON (SEC-38)', async () => {
    const body = JSON.stringify({ email: 'a@b.test', password: 'x' })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      '',
    ]) {
      const headers = { 'content-type': type }
      expect(
        (await testApp.browser().request('/api/auth/sign-in/email', { method: 'POST', body, headers })).status,
      ).toBe(415)
      expect(
        (await testApp.browser().request('/api/trpc/session.signInEmail', { method: 'POST', body, headers })).status,
      ).toBe(415)
    }
    const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect(
      (await testApp.browser().request('/api/auth/sign-in/email', { method: 'POST', body, headers: zipped })).status,
    ).toBe(415)
    const withCharset = await testApp
      .browser()
      .post(
        '/sign-in/email',
        { email: 'a@b.test', password: 'x' },
        { 'content-type': 'application/json; charset=utf-8' },
      )
    expect(withCharset.status).toBe(401)
  })

  it.each(['{', '{"a":', 'null', '7', '"text"', '[', '{"a":1}}', '\u0000', '{"email":"\\ud800"}', 'é', ''])(
    'the body %j is 400',
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      for (const path of ['/api/auth/sign-in/email', '/api/trpc/session.signInEmail']) {
        const answer = await testApp.browser().request(path, { method: 'POST', body, headers })
        expect([path, answer.status]).toEqual([path, 400])
        expect(answer.text).not.toMatch(/SyntaxError|node_modules|stack/)
      }
    },
  )

  it('refuses bodies over 100 kB with 413, deep nesting with 400, and ignores a key __proto__', async () => {
    const large = { email: 'a@b.test', password: 'x', more: 'x'.repeat(102_400) }
    expect((await testApp.browser().post('/sign-in/email', large)).body).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'Payload too large',
    })
    const deep = `{"email":"a@b.test","password":"x","a":${'['.repeat(2000)}${']'.repeat(2000)}}`
    const headers = { 'content-type': 'application/json' }
    const answer = await testApp.browser().request('/api/auth/sign-in/email', { method: 'POST', body: deep, headers })
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    const polluted = `{"email":"a@b.test","password":"x","__proto__":{"polluted":1}}`
    await testApp.browser().request('/api/auth/sign-in/email', { method: 'POST', body: polluted, headers })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('a tRPC batch has at most twenty calls (SEC-82)', async () => {
    const paths = (count: number) => Array.from({ length: count }, () => 'session.get').join(',')
    expect((await testApp.browser().request(`/api/trpc/${paths(20)}?batch=1&input={}`)).status).toBe(200)
    const many = await testApp.browser().request(`/api/trpc/${paths(400)}?batch=1&input={}`)
    expect(many.status).toBe(400)
  })

  it('responses are never streamed, even on request', async () => {
    for (const name of ['trpc-accept', 'accept'])
      for (const path of ['session.get?batch=1&input={}', 'session.unknown?batch=1&input={}']) {
        const headers = { [name]: 'application/jsonl' }
        const answer = await testApp.browser().request(`/api/trpc/${path}`, { headers })
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
        expect(answer.body).toHaveLength(1)
      }
  })

  it('malformed tRPC input is a 4xx without a stack trace', async () => {
    for (const path of [
      'session.get?input={',
      'session.get?input=%00',
      'nothing.here',
      'session.get?batch=1&input=[]',
      'session.signOut',
      '%',
      '',
    ]) {
      const { status, text } = await testApp.browser().request(`/api/trpc/${path}`)
      expect([path, status >= 200 && status < 500]).toEqual([path, true])
      expect(text).not.toMatch(/node_modules|"stack"/)
    }
  })
})

describe('headers', () => {
  it('every response has a request id and security headers (SEC-100 to SEC-104)', async () => {
    const numbers = new Set<string | null>()
    for (const path of [
      '/api/auth/ok',
      '/api/auth/error?error=x',
      '/api/auth/nothing',
      '/api/health',
      '/api/trpc/session.get',
      '/api/nothing',
      '/nowhere',
      '/oauth/nothing',
      '/.well-known/nothing',
      '/metrics',
      '/dev/mail',
    ]) {
      const { headers } = await testApp.browser().request(path)
      numbers.add(headers.get('x-request-id'))
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('content-type')).toMatch(/charset=utf-8|^application\/json$/)
    }
    expect(numbers.size).toBe(11)
  })

  it('pages have the headers that only pages need', async () => {
    for (const path of ['/api/auth/error', '/dev/mail']) {
      const { headers } = await testApp.browser().request(path, { headers: { accept: 'text/html' } })
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('x-frame-options')).toBe('DENY')
    }
  })

  it('with an https APP_URL cookies are Secure with __Host-, and HSTS is sent (SEC-60)', async () => {
    const secure = await createTestApp({
      APP_URL: 'https://app.test',
      NODE_ENV: 'production',
      EMAIL_VERIFICATION: 'optional',
    })
    const { cookies, headers } = await secure
      .browser()
      .post('/sign-up/email', newUserData(), { origin: 'https://app.test' })
    expect(cookies.length).toBeGreaterThan(1)
    for (const cookie of cookies)
      expect(cookie).toMatch(/^__Host-foyer\.[a-z_]+=[^;]*;( Max-Age=\d+;)? Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    expect(headers.get('strict-transport-security')).toMatch(/max-age=63072000/)
  })

  it('with COOKIE_DOMAIN cookies are set on the parent domain, with __Secure-, and cleared there', async () => {
    const app = 'https://id.example.com'
    const shared = await createTestApp({
      APP_URL: app,
      NODE_ENV: 'production',
      EMAIL_VERIFICATION: 'optional',
      COOKIE_DOMAIN: 'example.com',
    })
    const browser = shared.browser()
    const signUp = await browser.post('/sign-up/email', newUserData(), { origin: app })
    const signOut = await browser.post('/sign-out', {}, { origin: app })
    for (const { cookies } of [signUp, signOut]) {
      expect(cookies.length).toBeGreaterThan(1)
      for (const cookie of cookies)
        expect(cookie).toMatch(
          /^__Secure-foyer\.[a-z_]+=[^;]*;.* Domain=example\.com; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        )
    }
    expect(signOut.cookies.every((cookie) => cookie.includes('Max-Age=0'))).toBe(true)
    expect(() =>
      readConfig({ APP_URL: 'https://id.example.com', NODE_ENV: 'production', COOKIE_DOMAIN: 'ample.com' }),
    ).toThrow('COOKIE_DOMAIN')
  })
})

describe('pages of the base path', () => {
  it('/ok is JSON', async () => {
    expect((await testApp.browser().get('/ok')).text).toBe('{"ok":true}')
  })

  it('pages of the server are in the language of the browser', async () => {
    const inGerman = { headers: { 'accept-language': 'de-AT,en;q=0.5' } }
    const failed = await testApp.browser().request('/api/auth/error?error=state_not_found', inGerman)
    expect(failed.text).toMatch(/<html lang="de">.*<h1>Etwas ist schiefgelaufen<\/h1>/s)
    expect(failed.text).toContain('Return to Application')
    const invalid = await testApp.browser().request('/oauth/authorize?client_id=unknown', inGerman)
    expect(invalid.text).toMatch(/<html lang="de">.*Diese Anfrage ist ungültig.*Zu Foyer/s)
  })

  it('/error shows the code as text and a link back', async () => {
    const { status, text, headers } = await testApp.browser().get('/error?error=state_not_found')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('state_not_found')
    expect(text).toContain('<a href="/">Return to Application</a>')
    expect((await testApp.browser().get('/error')).text).toContain('Unknown')
  })

  it.each(['<script>alert(1)</script>', '"onload=x', 'a'.repeat(65), '%3Csvg%3E', '{{7*7}}', '\u202E', '&lt;'])(
    '/error does not show %j',
    async (code) => {
      const query = `error=${encodeURIComponent(code)}&error_description=${encodeURIComponent('<b>described</b>')}`
      const { status, text } = await testApp.browser().get(`/error?${query}`)
      expect(status).toBe(200)
      expect(text).toContain('Unknown')
      expect(text).not.toContain(code)
      expect(text).not.toContain('described')
    },
  )
})

describe('limits (SEC-25, SEC-26)', () => {
  it('at most three sign-ins in ten seconds from one IP address, then 429 with Retry-After', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const attempt = (headers: Record<string, string> = {}, path = '/sign-in/email') =>
      counted.browser().post(path, { email: newUserData().email, password: 'x' }, headers)
    for (let n = 0; n < 3; n++) expect((await attempt()).status).toBe(401)
    const { status, body, headers } = await attempt()
    expect([status, body]).toEqual([
      429,
      { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Please try again later.' },
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('x-retry-after')).toBe(headers.get('retry-after'))
    expect((await attempt({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(429)
    expect((await attempt({}, '/sign-in/email/')).status).toBe(429)
    counted.advanceClock(10)
    expect((await attempt()).status).toBe(401)
  })

  it('every sign-in of a batch is counted, on both transports', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const { trpc } = counted.browser()
    const tries = Array.from({ length: 5 }, () =>
      trpc.session.signInEmail.mutate({ email: newUserData().email, password: 'x' }),
    )
    const reasons = (await Promise.allSettled(tries)).map((result) =>
      result.status === 'rejected' ? result.reason.data.reason : '',
    )
    expect(reasons.toSorted()).toEqual([
      ...Array(3).fill('INVALID_EMAIL_OR_PASSWORD'),
      'TOO_MANY_REQUESTS',
      'TOO_MANY_REQUESTS',
    ])
    expect((await counted.browser().post('/sign-in/email', { email: 'a@b.test', password: 'x' })).status).toBe(429)
  })

  it('fifty concurrent requests are all counted', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        counted.browser().post('/sign-in/email', { email: newUserData().email, password: 'x' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(47)
  })

  it('one account can be tried ten times from one network, and its owner can still sign in from another', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
    const person = await createUser(counted)
    const attempt = (password: string, address: string) =>
      counted
        .browser()
        .post('/sign-in/email', { email: person.email, password }, { 'x-forwarded-for': `198.51.100.7, ${address}` })
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) {
      statuses.push((await attempt('wrong', '203.0.113.1')).status)
      counted.advanceClock(4)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect((await attempt(person.password, '203.0.113.1')).status).toBe(429)
    expect((await attempt(person.password, '203.0.113.2')).status).toBe(200)
    counted.advanceClock(600)
    expect((await attempt(person.password, '203.0.113.1')).status).toBe(200)
  })

  it('after a hundred wrong passwords from everywhere only known devices may sign in; the owner’s browser always works (SEC-114)', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
    const person = await createUser(counted)
    const attempt = (password: string, address: string) =>
      counted.browser().post('/sign-in/email', { email: person.email, password }, { 'x-forwarded-for': address })
    for (let n = 0; n < 130; n++) {
      await attempt('wrong', `203.0.113.${n % 13}`)
      counted.advanceClock(1)
    }
    const credentials = { email: person.email, password: person.password }
    expect((await attempt(person.password, '198.51.100.20')).status).toBe(429)
    await person.browser.post('/sign-out')
    expect((await person.browser.post('/sign-in/email', credentials)).status).toBe(200)
    counted.advanceClock(3600)
    expect((await attempt(person.password, '198.51.100.20')).status).toBe(200)
  })

  it('the correct password resets the counter', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUser(counted)
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 8; n++) {
        counted.advanceClock(4)
        const { status } = await counted
          .browser()
          .post('/sign-in/email', { email: person.email, password: n === 7 ? person.password : 'wrong' })
        expect(status).toBe(n === 7 ? 200 : 401)
      }
    }
  })

  it('IPv6 addresses of one network count as one', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
    const attempt = (address: string) =>
      counted
        .browser()
        .post('/sign-in/email', { email: newUserData().email, password: 'x' }, { 'x-forwarded-for': address })
    const statuses: number[] = []
    for (const address of [
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff::9',
      '2001:0db8:0001:0002::3',
      '2001:db8:1:2:3:4:5:6',
      '2001:db8:1:3::1',
    ]) {
      statuses.push((await attempt(address)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429, 401])
    for (const address of ['203.0.113.5', '::ffff:203.0.113.5', '203.0.113.5', '::FFFF:203.0.113.5'])
      statuses.push((await attempt(address)).status)
    expect(statuses.slice(5)).toEqual([401, 401, 401, 429])
  })

  it('at most a hundred calls of one kind in ten seconds from one IP address', async () => {
    const counted = await createTestApp({ RATE_LIMIT: 'on' })
    const statuses = await Promise.all(
      Array.from({ length: 110 }, async () => (await counted.browser().get('/get-session')).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect((await counted.browser().get('/ok')).status).toBe(200)
  })
})

describe('raw sockets (SEC-87, SEC-88)', () => {
  const { hostname, port } = new URL(testApp.origin)
  const send = (text: string, breakOff = false) =>
    new Promise<string>((done) => {
      const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname)
      let answer = ''
      socket
        .on('data', (chunk) => (answer += chunk))
        .on('close', () => done(answer))
        .on('error', () => done(answer))
      socket.write(text, () => breakOff && socket.destroy())
    })

  it.each([
    'POST /api/auth/sign-out HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    'POST /api/auth/sign-out HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'GET /api/auth/ok HTTP/1.1\r\nHost: x\r\nX: a\nb\r\n\r\n',
    'TRACE /api/auth/ok HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET foreign://host/api/auth HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET foreign://host/api/auth?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST foreign://host/api/auth/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    'GET foreign://host/api HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET foreign://host/oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ])('request %# is a 4xx', async (text) => {
    expect(await send(text)).toMatch(/^HTTP\/1\.1 4\d\d /)
  })

  it('a target with a fragment, or a backslash in its path, matches no route (RFC 9112, 3.2)', async () => {
    for (const target of [
      String.raw`/api\health#`,
      String.raw`/api\trpc/session.get#`,
      String.raw`/api/auth\ok#`,
      String.raw`/api\auth\get-session`,
      '/api/auth/ok#x',
      '/api/auth/ok?at=#x',
      '//a@b/api/auth/ok?#',
    ])
      expect(await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
    const text = String.raw`GET /api/auth/ok?at=a\b HTTP/1.1`
    expect(await send(`${text}\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('forty aborted uploads do not affect the server', async () => {
    const head =
      'POST /api/auth/sign-up/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"email"'
    await Promise.all(Array.from({ length: 40 }, () => send(head, true)))
    expect((await testApp.browser().get('/ok')).status).toBe(200)
  })

  it('links in emails and redirects are built from APP_URL, regardless of the Host header (SEC-31)', async () => {
    const person = newUserData()
    const body = JSON.stringify(person)
    const headers =
      'Host: evil.test\r\nX-Forwarded-Host: evil.test\r\nForwarded: host=evil.test\r\nContent-Type: application/json\r\nConnection: close'
    const answer = await send(
      `POST /api/auth/sign-up/email HTTP/1.1\r\n${headers}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    const [mail] = await testApp.mails(person.email)
    expect(mail?.action?.link).toContain(`${testApp.origin}/api/auth/verify-email`)
    expect(mail?.html).not.toContain('evil.test')
  })
})

describe('responses that are already JSON text', () => {
  it('match their schema, on both transports', async () => {
    const owner = await createOrganizationOwner(testApp)
    const text = proceduresOf(appRouter).flatMap(({ name: path, meta }) =>
      meta.jsonOutput ? [{ path, schema: meta.jsonOutput, rest: meta.rest?.split(' ')[1] ?? '' }] : [],
    )
    expect(text.map(({ path }) => path).toSorted()).toEqual([
      'organization.getFull',
      'organization.list',
      'session.get',
    ])
    for (const { path, schema, rest } of text) {
      const byRest = (await owner.browser.get(rest)).body
      const byTrpc = (await owner.browser.request(`/api/trpc/${path}`)).body.result.data
      // The answer is parsed and serialized again: it has exactly the fields of the schema.
      expect([path, JSON.parse(JSON.stringify(schema.parse(byRest)))]).toEqual([path, byRest])
      expect([path, JSON.parse(JSON.stringify(schema.parse(byTrpc)))]).toEqual([path, byTrpc])
    }
  })
})

describe('compression', () => {
  /** Response headers as sent. `fetch` would decompress the body. */
  const headersOf = (path: string, cookie: string, encoding: string) =>
    new Promise<Record<string, unknown>>((done, fail) => {
      const url = new URL(path, testApp.origin)
      get(url, { headers: { cookie, 'accept-encoding': encoding } }, (answer) => {
        answer.resume()
        answer.once('end', () => done(answer.headers))
      }).once('error', fail)
    })

  it('applies to large responses for clients that accept it, over REST and tRPC', async () => {
    const owner = await createOrganizationOwner(testApp)
    await insertMembers(testApp, owner.organization.id, 30)
    const cookie = [...owner.browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const input = encodeURIComponent(JSON.stringify({ organizationId: owner.organization.id }))
    for (const large of [
      '/api/auth/organization/get-full-organization',
      `/api/trpc/organization.members?input=${input}`,
    ]) {
      expect(await headersOf(large, cookie, 'gzip')).toMatchObject({ 'content-encoding': 'gzip' })
      expect(await headersOf(large, cookie, 'identity')).not.toHaveProperty('content-encoding')
    }
    expect(await headersOf('/api/auth/get-session', cookie, 'gzip')).not.toHaveProperty('content-encoding')
  })
})

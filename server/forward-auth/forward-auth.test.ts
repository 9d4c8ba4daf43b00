import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, inject } from 'vitest'
import { projectFolder } from '../config.ts'
import { afterTestFile } from '../testing/after-test-file.ts'
import { createBrowser, type Browser } from '../testing/browser.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { freePorts } from '../testing/ports.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, signInElsewhere, newUserData } from '../testing/test-users.ts'

const app = 'https://app.example.com'
const testApp = await createTestApp({ TRUSTED_ORIGINS: `${app}, https://other.example.com` })
const { origin } = testApp

/** The headers that a proxy sends when a browser requests a page. */
const page = (host = 'app.example.com', uri = '/page?a=1') => ({
  'x-forwarded-proto': 'https',
  'x-forwarded-host': host,
  'x-forwarded-uri': uri,
  'x-forwarded-method': 'GET',
  accept: 'text/html,application/xhtml+xml',
})

const ask = (browser: Browser, headers: Record<string, string>, query = '') =>
  browser.request(`/api/forward-auth${query}`, { headers })

/** Follows all redirects from a protected URL to a proxy session, as a browser does. */
async function proxySessionOf(browser: Browser, host = 'app.example.com') {
  const visitor = createBrowser(origin, '/api/auth')
  const first = await ask(visitor, page(host))
  const start = await browser.request(first.location ?? '')
  const callback = new URL(start.location ?? '', origin)
  const opened = await visitor.request(`${callback.pathname}${callback.search}`, { headers: page(host) })
  return { visitor, first, start, callback, opened }
}

describe('forward authentication', () => {
  it('recognizes the protected host with its scheme’s default port and in capitals', async () => {
    const { browser } = await createUser(testApp)
    for (const host of ['app.example.com:443', 'App.Example.COM']) {
      const { visitor, callback, opened } = await proxySessionOf(browser, host)
      expect([callback.origin, opened.location]).toEqual([app, `${app}/page?a=1`])
      expect((await ask(visitor, page(host))).status).toBe(200)
      expect((await ask(visitor, page())).status).toBe(200)
    }
    for (const host of ['app.example.com:80', 'app.example.com:x', 'app.example.com@evil.example', 'app.example.com/x'])
      expect([host, (await ask(testApp.browser(), page(host))).body.code]).toEqual([host, 'INVALID_ORIGIN'])
  })

  it('sends a proxy the signed-in user, with a proxy session of the protected host', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { visitor, first, start, callback, opened } = await proxySessionOf(owner.browser)
    expect([first.status, new URL(first.location ?? '').origin]).toEqual([302, origin])
    expect([start.status, callback.origin, callback.pathname]).toEqual([302, app, '/.foyer/callback'])
    expect([opened.status, opened.location]).toEqual([302, `${app}/page?a=1`])
    expect(opened.cookies[0]).toMatch(
      /^__Host-foyer\.pass=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    const { status, headers } = await ask(visitor, page())
    expect(status).toBe(200)
    expect(
      Object.fromEntries(['user', 'email', 'name', 'groups'].map((name) => [name, headers.get(`remote-${name}`)])),
    ).toEqual({
      user: owner.id,
      email: owner.email,
      name: owner.name,
      groups: `${owner.organization.slug}:owner`,
    })
    expect(headers.get('cache-control')).toBe('no-store')
    // Signing out of Foyer ends the proxy session.
    await owner.browser.post('/sign-out')
    expect((await ask(visitor, page())).status).toBe(302)
  })

  it('sends no email address that its user has not verified', async () => {
    const { browser, email, id } = await createUser(testApp)
    const host = new URL(origin).host
    const own = { ...page(host), 'x-forwarded-proto': new URL(origin).protocol.slice(0, -1) }
    const address = async () => (await ask(browser, own)).headers.get('remote-email')
    expect(await address()).toBe(email)
    const victim = newUserData().email
    await testApp.db.user.update({
      where: { id },
      data: { email: victim, emailVerified: false, previousEmail: email },
    })
    // The address before the change still belongs to the user.
    expect(await address()).toBe(email)
    await testApp.db.user.update({ where: { id }, data: { previousEmail: null } })
    expect(await address()).toBe('')
  })

  it('a proxy session ends with the token of its session, because a copy of the former cookie may have obtained it', async () => {
    const { browser, password } = await createUser(testApp)
    const copy = createBrowser(origin, '/api/auth')
    for (const [name, value] of browser.jar) copy.jar.set(name, value)
    const { visitor: thief } = await proxySessionOf(copy)
    // A code that has not been used yet is invalid too.
    const late = createBrowser(origin, '/api/auth')
    const asked = await ask(late, page())
    const begun = await copy.request(asked.location ?? '')
    expect((await ask(thief, page())).status).toBe(200)
    const changed = await browser.post('/change-password', {
      currentPassword: password,
      newPassword: 'a new long sentence',
    })
    expect(changed.status).toBe(200)
    expect((await ask(thief, page())).status).toBe(302)
    const open = new URL(begun.location ?? '')
    await late.request(`${open.pathname}${open.search}`, { headers: page() })
    expect((await ask(late, page())).status).toBe(302)
    // The user's own browser gets a new proxy session through redirects, without interaction.
    const { visitor } = await proxySessionOf(browser)
    expect((await ask(visitor, page())).status).toBe(200)
  })

  it('always sends all four headers, in ASCII', async () => {
    const person = await createUser(testApp, { name: 'Ада Лавлейс' })
    const { visitor } = await proxySessionOf(person.browser)
    const { headers } = await ask(visitor, page())
    expect([headers.get('remote-name'), headers.get('remote-groups')]).toEqual([encodeURIComponent('Ада Лавлейс'), ''])
  })

  it('a proxy session is valid only for its host and session, and is not a session cookie', async () => {
    const person = await createUser(testApp)
    const { visitor } = await proxySessionOf(person.browser)
    const pass = visitor.jar.get('__Host-foyer.pass') ?? ''
    expect((await ask(visitor, page('other.example.com'))).status).toBe(302)
    const cookie = `foyer.session_token=${pass}`
    expect((await testApp.browser().get('/list-sessions', { cookie })).status).toBe(401)
    // The session cookie is not a proxy session, and gives no access to another host.
    expect((await ask(person.browser, page())).status).toBe(302)
    const forged = `__Host-foyer.pass=${pass.slice(0, -2)}xx`
    expect((await ask(testApp.browser(), { ...page(), cookie: forged })).status).toBe(302)
  })

  it('two concurrent tabs both get a proxy session', async () => {
    const person = await createUser(testApp)
    const visitor = createBrowser(origin, '/api/auth')
    const tabs = [
      await ask(visitor, page('app.example.com', '/a?q=*')),
      await ask(visitor, page('app.example.com', '/b')),
    ]
    for (const { location } of tabs) {
      const { location: back } = await person.browser.request(location ?? '')
      const { search } = new URL(back ?? '')
      const opened = await visitor.request(`/.foyer/callback${search}`, { headers: page() })
      expect(opened.status).toBe(302)
    }
  })

  it('a proxy session of a session that is not remembered ends with the browser', async () => {
    const person = await createUser(testApp)
    const browser = await signInElsewhere(testApp, person, { rememberMe: false })
    const { opened } = await proxySessionOf(browser)
    expect(opened.cookies[0]).toMatch(/^__Host-foyer\.pass=[^;]+; Path=/)
  })

  it('a response to another origin is never a 2xx', async () => {
    const answer = await testApp.browser().request('/api/forward-auth', {
      method: 'OPTIONS',
      headers: { ...page(), origin: app, 'access-control-request-method': 'GET' },
    })
    expect(answer.status).toBe(302)
  })

  it('a code is valid once, for a minute, on its host, in the browser that requested it', async () => {
    const person = await createUser(testApp)
    const used = await proxySessionOf(person.browser)
    const again = await used.visitor.request(`/.foyer/callback${used.callback.search}`, { headers: page() })
    expect([again.status, again.body.code]).toEqual([400, 'INVALID_CODE'])
    const begin = async () => {
      const visitor = createBrowser(origin, '/api/auth')
      const { location } = await ask(visitor, page())
      const { location: back } = await person.browser.request(location ?? '')
      return { visitor, search: new URL(back ?? '').search }
    }
    const elsewhere = await begin()
    const other = createBrowser(origin, '/api/auth')
    await ask(other, page())
    const stolen = await other.request(`/.foyer/callback${elsewhere.search}`, { headers: page() })
    expect(stolen.status).toBe(400)
    const wrongHost = await begin()
    const moved = await wrongHost.visitor.request(`/.foyer/callback${wrongHost.search}`, {
      headers: page('other.example.com'),
    })
    expect(moved.status).toBe(400)
    const late = await begin()
    testApp.advanceClock(61)
    expect((await late.visitor.request(`/.foyer/callback${late.search}`, { headers: page() })).status).toBe(400)
  })

  it('redirects signed-out browsers to the sign-in page and back, and programs nowhere', async () => {
    const visitor = createBrowser(origin, '/api/auth')
    const { location } = await ask(visitor, page())
    const start = await testApp.browser().request(location ?? '')
    const next = new URL(start.location ?? '', origin)
    expect([next.pathname, next.searchParams.get('next')]).toEqual(['/sign-in', location?.slice(origin.length)])
    for (const headers of [
      { ...page(), accept: 'application/json' },
      { ...page(), 'x-forwarded-method': 'POST' },
      { 'x-forwarded-host': 'app.example.com', 'x-forwarded-proto': 'https', accept: 'text/html' },
    ]) {
      const answer = await ask(testApp.browser(), headers)
      expect([answer.status, answer.location]).toEqual([401, null])
    }
    const off = await ask(testApp.browser(), page(), '?redirect=off')
    expect([off.status, off.cookies.length]).toEqual([401, 1])
    expect(off.location).toContain('/api/forward-auth/start?')
  })

  it('trusts only listed hosts, signed in or not', async () => {
    const person = await createUser(testApp)
    const { visitor } = await proxySessionOf(person.browser)
    for (const [proto, host] of [
      ['https', 'evil.example'],
      ['http', 'app.example.com'],
      ['https', 'app.example.com:8443'],
      ['https', 'app.example.com, evil.example'],
      ['https', 'evil.example/app.example.com'],
      ['javascript', 'app.example.com'],
    ] as const) {
      for (const browser of [visitor, person.browser]) {
        const answer = await ask(browser, { ...page(host), 'x-forwarded-proto': proto })
        expect([host, answer.status, answer.location]).toEqual([host, 403, null])
      }
    }
    const start = await person.browser.request(
      `/api/forward-auth/start?to=https://evil.example/&challenge=${'x'.repeat(43)}`,
    )
    expect([start.status, start.location]).toEqual([403, null])
    const odd = await ask(testApp.browser(), page('app.example.com', '//evil.example'))
    expect(new URL(odd.location ?? '').searchParams.get('to')).toBe(`${app}//evil.example`)
  })

  it('on the host of APP_URL, uses the session', async () => {
    const person = await createUser(testApp)
    const { status, headers } = await ask(person.browser, { accept: 'text/html' })
    expect([status, headers.get('remote-user')]).toEqual([200, person.id])
    expect((await ask(testApp.browser(), {})).status).toBe(401)
    const headersOfOwn = { ...page(new URL(origin).host, '/tool'), 'x-forwarded-proto': 'http' }
    const out = await ask(testApp.browser(), headersOfOwn)
    expect(out.location).toBe(`${origin}/sign-in?next=%2Ftool`)
  })

  it('finds the organization of a rule among more than a hundred', async () => {
    const owner = await createOrganizationOwner(testApp)
    await testApp.pool.query(
      `with o as (insert into "Organization" (id, name, slug, "createdAt")
         select 'many-' || n, 'Many', 'many-' || n, now() from generate_series(1, 105) n returning id)
       insert into "Member" (id, "organizationId", "userId", role, "createdAt")
         select id, id, $1, 'member', now() + row_number() over () * interval '1 second' from o`,
      [owner.id],
    )
    const { visitor } = await proxySessionOf(owner.browser)
    expect((await ask(visitor, page(), '?organization=many-105')).status).toBe(200)
    expect((await ask(visitor, page(), '?organization=many-105&role=admin')).status).toBe(403)
    expect((await ask(visitor, page())).headers.get('remote-groups')?.split(',')).toHaveLength(100)
  })

  it('admits only the members, roles and entitlements of the rule', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const { slug } = owner.organization
    const sessions = { owner: await proxySessionOf(owner.browser), member: await proxySessionOf(member.browser) }
    const statusOf = async (who: 'owner' | 'member', query: string) =>
      (await ask(sessions[who].visitor, page(), query)).status
    expect(await statusOf('member', `?organization=${slug}`)).toBe(200)
    expect(await statusOf('member', '?organization=nothing')).toBe(403)
    expect(await statusOf('member', `?organization=${slug}&role=admin`)).toBe(403)
    expect(await statusOf('owner', `?organization=${slug}&role=admin`)).toBe(200)
    expect(await statusOf('owner', '?role=member')).toBe(200)
    expect(await statusOf('owner', '?entitlement=pdt_pro')).toBe(403)
    // The id stays the same when the slug changes and another organization takes the slug.
    const { id } = owner.organization
    expect(await statusOf('member', `?organization=${id}`)).toBe(200)
    expect(await statusOf('member', `?organization=${id}&role=admin`)).toBe(403)
    const { headers } = await ask(sessions.member.visitor, page(), '?groups=id')
    expect(headers.get('remote-groups')).toBe(`${id}:member`)
    const impostor = await createOrganizationOwner(testApp, { slug: id })
    const { visitor } = await proxySessionOf(impostor.browser)
    expect((await ask(visitor, page(), `?organization=${id}`)).status).toBe(403)
    // Access is refused after that organization has been deleted, too.
    expect((await owner.browser.post('/organization/delete', { organizationId: id })).status).toBe(200)
    expect((await ask(visitor, page(), `?organization=${id}`)).status).toBe(403)
    // An imported id may have the form of a slug.
    const imported = await createOrganizationOwner(testApp)
    const former = `Vb7XcQ2mN4kLpR9s${Date.now()}`
    await testApp.db.organization.update({ where: { id: imported.organization.id }, data: { id: former } })
    await imported.browser.post('/organization/update', { organizationId: former, data: { name: 'Renamed' } })
    const squatter = await createOrganizationOwner(testApp, { slug: former.toLowerCase() })
    const outsider = await proxySessionOf(squatter.browser)
    expect((await ask(outsider.visitor, page(), `?organization=${former}`)).status).toBe(403)
    expect((await imported.browser.post('/organization/delete', { organizationId: former })).status).toBe(200)
    expect((await ask(outsider.visitor, page(), `?organization=${former}`)).status).toBe(403)
    expect((await ask(outsider.visitor, page(), `?organization=${former.toLowerCase()}`)).status).toBe(200)
    expect(await statusOf('owner', '?unknown=x')).toBe(200)
    for (const query of [
      '?role=',
      '?role=boss',
      '?organization=',
      '?role=admin&role=member',
      '?entitlement=',
      '?groups=x',
    ]) {
      expect([query, await statusOf('owner', query)]).toEqual([query, 400])
    }
  })
})

const hasNginx = isInstalled('nginx')
const hasCaddy = isInstalled('caddy')

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('the examples of docs/forward-auth', () => {
  let proxied: Awaited<ReturnType<typeof createTestApp>>
  const seen: IncomingHttpHeaders[] = []
  const application = createServer((request, response) => {
    seen.push(request.headers)
    response.end('the application')
  })
  const { key, cert } = inject('receiver')
  const certificates = mkdtempSync(join(tmpdir(), 'foyer-certificates-'))
  let nginxPort = 0
  let caddyPort = 0
  beforeAll(async () => {
    await new Promise<void>((done) => application.listen(0, '127.0.0.1', done))
    ;[nginxPort = 0, caddyPort = 0] = (await freePorts(2)).map(Number)
    proxied = await createTestApp({ TRUSTED_ORIGINS: `https://localhost:${nginxPort}, https://localhost:${caddyPort}` })
    writeFileSync(join(certificates, 'localhost.crt'), cert)
    writeFileSync(join(certificates, 'localhost.key'), key)
  })
  afterTestFile(() => application.close())

  /** The example configuration with the host name, port and certificate of this test. */
  function example(file: string, port: number): string {
    const { port: applicationPort } = application.address() as AddressInfo
    return readFileSync(join(projectFolder, 'docs', 'forward-auth', file), 'utf8')
      .replaceAll('127.0.0.1:3000', proxied.origin.replace('http://localhost', '127.0.0.1'))
      .replaceAll('127.0.0.1:5000', `127.0.0.1:${applicationPort}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('server_name app.example.com', 'server_name localhost')
      .replaceAll('/etc/nginx/app.example.com', join(certificates, 'localhost'))
      .replace(
        '\napp.example.com {',
        `\nlocalhost:${port} {\n\ttls ${certificates}/localhost.crt ${certificates}/localhost.key`,
      )
  }

  /** Runs a proxy until the test ends, and waits until it answers. */
  async function run(program: string, args: string[], port: number, end: (stop: () => void) => void): Promise<void> {
    const child = spawn(program, args, { stdio: 'ignore' })
    end(() => child.kill('SIGTERM'))
    for (;;) {
      if (await fetch(`https://localhost:${port}/.foyer/x`).catch(() => undefined)) return
      await new Promise((done) => setTimeout(done, 50))
    }
  }

  async function checkProxy(port: number): Promise<void> {
    const url = `https://localhost:${port}`
    const html = { accept: 'text/html' }
    const visitor = createBrowser(url, '')
    const owner = await createOrganizationOwner(proxied)
    // Signed out: programs are refused; browsers are redirected to the sign-in page.
    expect((await visitor.request('/data', { headers: { accept: 'application/json' } })).status).toBe(401)
    const first = await visitor.request('/page?a=1', { headers: html })
    expect([first.status, first.location?.startsWith(`${proxied.origin}/api/forward-auth/start?`)]).toEqual([302, true])
    const signIn = await proxied.browser().request(first.location ?? '')
    expect(signIn.location).toMatch(/^\/sign-in\?next=/)
    // Signed in: redirects without interaction, then the application receives the caller's identity, whatever headers
    // the caller sent.
    const { location } = await owner.browser.request(first.location ?? '')
    const opened = await visitor.request(location ?? '', { headers: html })
    expect(opened.location).toBe(`${url}/page?a=1`)
    const answer = await visitor.request(opened.location ?? '', {
      headers: { ...html, 'remote-user': 'root', 'remote-groups': 'evil:owner' },
    })
    expect([answer.status, answer.text]).toEqual([200, 'the application'])
    expect(seen.at(-1)).toMatchObject({
      'remote-user': owner.id,
      'remote-email': owner.email,
      'remote-groups': `${owner.organization.slug}:owner`,
    })
    const before = seen.length
    await owner.browser.post('/sign-out')
    expect((await visitor.request('/page', { headers: html })).status).toBe(302)
    expect(seen).toHaveLength(before)
  }

  it.skipIf(!hasNginx)(
    `protect with nginx${hasNginx ? '' : ' (skipped: nginx is not installed)'}`,
    async ({ onTestFinished }) => {
      const folder = mkdtempSync(join(tmpdir(), 'foyer-nginx-'))
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(' ')
      const file = join(folder, 'nginx.conf')
      writeFileSync(
        file,
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off; ${temporary}\n${example('nginx.conf', nginxPort)}}`,
      )
      await run('nginx', ['-c', file, '-p', folder], nginxPort, onTestFinished)
      await expect(checkProxy(nginxPort)).resolves.toBeUndefined()
    },
  )

  it.skipIf(!hasCaddy)(
    `protect with Caddy${hasCaddy ? '' : ' (skipped: Caddy is not installed)'}`,
    async ({ onTestFinished }) => {
      const folder = mkdtempSync(join(tmpdir(), 'foyer-caddy-'))
      const file = join(folder, 'Caddyfile')
      writeFileSync(
        file,
        `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${folder}\n}\n${example('Caddyfile', caddyPort)}`,
      )
      await run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], caddyPort, onTestFinished)
      await expect(checkProxy(caddyPort)).resolves.toBeUndefined()
    },
  )
})

import { exportPKCS8, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { providerIds, type ProviderId } from '../../shared/provider.ts'
import type { Browser } from '../testing/browser.ts'
import { startEmulator, providerSettings, providerUser, type Fault, type ProviderUser } from '../testing/emulator.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { createUser, createUnverifiedUser, signInElsewhere } from '../testing/test-users.ts'

const emulator = await startEmulator()
const testApp = await createTestApp(providerSettings)
const explicit = await createTestApp({ ...providerSettings, SOCIAL_SIGN_UP: 'explicit' })
const closed = await createTestApp({
  ...providerSettings,
  SOCIAL_SIGN_UP: 'disabled',
  SOCIAL_TRUSTED_PROVIDERS: 'kick',
})
const timed = await createTestApp(providerSettings)
const few = await createTestApp({
  GITHUB_CLIENT_ID: 'github-client',
  GITHUB_CLIENT_SECRET: 'github-secret',
  GOOGLE_CLIENT_ID: 'half',
})

beforeAll(() => emulator.install())
afterAll(() => emulator.uninstall())

const mailless: ProviderId[] = ['tiktok', 'reddit', 'roblox']
const withMail = providerIds.filter((id) => !new Set(mailless).has(id))
/** Providers whose email claim never counts as verified. */
const neverVerified = new Set<ProviderId>(['facebook', 'spotify', 'kick', 'vk'])

const targets = { callbackURL: '/inside', newUserCallbackURL: '/welcome', errorCallbackURL: '/failed?from=social' }

async function start(browser: Browser, provider: ProviderId, more: object = {}) {
  const { status, body } = await browser.post('/sign-in/social', { provider, ...targets, ...more })
  expect([status, body.redirect]).toEqual([200, true])
  return String(body.url)
}

/** Sends the provider's callback: a form POST for Apple, a GET for all others. */
async function comeBack(browser: Browser, { callback, form }: ReturnType<typeof emulator.consent>) {
  if (!callback.pathname.endsWith('/apple')) return browser.get(callback.href)
  const posted = await browser.request(callback.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com', cookie: '' },
    body: new URLSearchParams(form).toString(),
  })
  expect(posted.status).toBe(302)
  return browser.get(new URL(posted.location ?? '', callback).href)
}

async function signInAt(
  place: TestApp,
  provider: ProviderId,
  who: ProviderUser,
  more: object = {},
  browser = place.browser(),
) {
  const url = await start(browser, provider, more)
  const { location, status } = await comeBack(browser, emulator.consent(url, who))
  return { browser, location, status }
}

const userOf = async (browser: Browser) => (await browser.get('/get-session?disableCookieCache=true')).body?.user

describe('each provider', () => {
  it.each(withMail)('%s: signs up, signs in again, and stores no token in plain text', async (provider) => {
    const who = providerUser()
    const first = await signInAt(testApp, provider, who)
    expect([first.status, first.location]).toEqual([302, '/welcome'])
    const user = await userOf(first.browser)
    const isVerified = !neverVerified.has(provider)
    expect(user).toMatchObject({ email: who.email, emailVerified: isVerified })
    expect(user.name).toBe(who.name)
    const accounts = await first.browser.get('/list-accounts')
    expect(accounts.body).toMatchObject([{ provider, accountId: who.id }])
    expect(accounts.text).not.toMatch(/access-|refresh-|oken/)
    const row = await testApp.db.account.findFirstOrThrow({ where: { userId: user.id } })
    expect(row.accessToken).toMatch(/^1\./)
    expect(JSON.stringify(row)).not.toMatch(/access-|refresh-/)
    expect(row.idToken).toBeNull()
    expect((await testApp.mails(who.email ?? '')).filter(({ kind }) => kind === 'verifyEmail')).toHaveLength(
      isVerified ? 0 : 1,
    )

    const again = await signInAt(testApp, provider, { ...who, email: 'moved@example.test', name: 'Renamed' })
    expect(again.location).toBe('/inside')
    expect(await userOf(again.browser)).toMatchObject({ id: user.id, email: who.email, name: who.name })
  })

  it.each(mailless)('%s has no email address: no sign-up, but a link and then a sign-in', async (provider) => {
    const who = providerUser()
    const refused = await signInAt(testApp, provider, who)
    expect(refused.location).toBe('/failed?from=social&error=email_not_found')
    const person = await createUser(testApp)
    const linked = await link(person.browser, provider, who)
    expect(linked).toBe('/settings')
    const back = await signInAt(testApp, provider, who)
    expect(back.location).toBe('/inside')
    expect((await userOf(back.browser)).id).toBe(person.id)
  })

  it.each(providerIds)('%s: linked, linked elsewhere, linked again, unlinked', async (provider) => {
    const who = providerUser()
    const one = await createUser(testApp)
    expect(await link(one.browser, provider, who)).toBe('/settings')
    expect(await link(one.browser, provider, who)).toBe('/settings')
    const other = await createUser(testApp)
    expect(await link(other.browser, provider, who)).toBe('/failed?error=account_already_linked_to_different_user')
    const list = await one.browser.get('/list-accounts')
    expect(list.body.map((row: { provider: string }) => row.provider)).toEqual(['credential', provider])
    // Every session started with this identity ends with it.
    const thief = (await signInAt(testApp, provider, who)).browser
    expect((await userOf(thief)).id).toBe(one.id)
    const unlinked = await one.browser.post('/unlink-account', { providerId: provider, accountId: who.id })
    expect(unlinked.body).toEqual({ status: true })
    expect((await thief.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await userOf(one.browser)).id).toBe(one.id)
    expect((await one.browser.post('/unlink-account', { providerId: 'credential' })).body.code).toBe(
      'YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT',
    )
    expect(await link(other.browser, provider, who)).toBe('/settings')
  })

  it('unlinking the password ends sessions started with it, and none of a provider', async () => {
    const who = providerUser()
    const owner = await createUser(testApp)
    await link(owner.browser, 'gitlab', who)
    const phone = (await signInAt(testApp, 'gitlab', who)).browser
    const attacker = await signInElsewhere(testApp, owner)
    expect((await owner.browser.post('/unlink-account', { providerId: 'credential' })).status).toBe(200)
    expect((await userOf(phone)).id).toBe(owner.id)
    expect(await userOf(attacker)).toBeUndefined()
  })

  it.each(providerIds.filter((id) => id !== 'facebook' && id !== 'linkedin'))(
    '%s: refreshes its token, even for ten concurrent requests',
    async (provider) => {
      const person = await createUser(testApp)
      await link(person.browser, provider, providerUser())
      const refresh = () => person.browser.post('/refresh-token', { providerId: provider, userId: 'somebody else' })
      const first = await refresh()
      expect(first.status).toBe(200)
      expect(first.body.accessToken).toMatch(new RegExp(`^access-${provider}-`))
      // A provider that sends no new refresh token keeps the old one valid.
      expect(first.body.refreshToken).toMatch(new RegExp(`^refresh-${provider}-`))
      expect((await refresh()).status).toBe(200)
      const many = await Promise.all(Array.from({ length: 10 }, refresh))
      expect(many.map(({ status }) => status)).toEqual(Array(10).fill(200))
    },
  )

  it.each(providerIds)('%s: every fault results in an error code', async (provider) => {
    const faults: [Fault, string][] = [
      ['status', 'invalid_code'],
      ['garbage', 'invalid_code'],
      ['redirect', 'invalid_code'],
      ['flood', 'invalid_code'],
      ['no token', 'invalid_code'],
      ['error in 200', 'invalid_code'],
    ]
    for (const [fault, code] of faults) {
      emulator.faults.set(`${provider} token`, fault)
      const { location } = await signInAt(testApp, provider, providerUser())
      emulator.faults.delete(`${provider} token`)
      expect([fault, location]).toEqual([fault, `/failed?from=social&error=${code}`])
    }
    // Providers whose profile is in the id_token get no profile request.
    if (['apple', 'google', 'microsoft', 'twitch'].includes(provider)) return
    for (const fault of ['status', 'garbage', 'redirect', 'flood', 'odd profile'] as Fault[]) {
      emulator.faults.set(`${provider} profile`, fault)
      const { location } = await signInAt(testApp, provider, providerUser())
      emulator.faults.delete(`${provider} profile`)
      expect([fault, location]).toEqual([fault, '/failed?from=social&error=unable_to_get_user_info'])
    }
  })
})

async function link(browser: Browser, provider: ProviderId, who: ProviderUser) {
  const { body } = await browser.post('/link-social', {
    provider,
    callbackURL: '/settings',
    errorCallbackURL: '/failed',
  })
  expect(body.redirect).toBe(true)
  return (await comeBack(browser, emulator.consent(body.url, who))).location
}

describe('starting', () => {
  it('returns the redirect URL, with the requested parameters and no secret', async () => {
    const browser = testApp.browser()
    const { body } = await browser.post('/sign-in/social', {
      provider: 'google',
      scopes: ['https://www.googleapis.com/auth/calendar', 'email'],
      loginHint: 'ada@example.test',
      disableRedirect: true,
    })
    expect(body.redirect).toBe(false)
    const url = new URL(body.url)
    expect(url.searchParams.get('scope')).toBe('openid email profile https://www.googleapis.com/auth/calendar')
    expect(url.searchParams.get('login_hint')).toBe('ada@example.test')
    expect(url.searchParams.get('redirect_uri')).toBe(`${testApp.origin}/api/auth/callback/google`)
    expect(url.searchParams.get('state')?.length).toBeGreaterThanOrEqual(32)
    expect(body.url).not.toContain('secret')
    const stored = await testApp.db.verification.findMany({ where: { identifier: { startsWith: 'social-state:' } } })
    expect(JSON.stringify(stored)).not.toContain(url.searchParams.get('state'))
  })

  it('refuses disabled and unknown providers, untrusted redirects and malformed input', async () => {
    const browser = few.browser()
    const ask = (body: object, headers?: Record<string, string>) => browser.post('/sign-in/social', body, headers)
    expect(await ask({ provider: 'apple' })).toMatchObject({ status: 404, body: { message: 'Provider not found' } })
    expect(await ask({ provider: 'google' })).toMatchObject({ status: 404 })
    expect(await ask({ provider: 'nothing' })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    for (const [field, code] of [
      ['callbackURL', 'INVALID_CALLBACKURL'],
      ['newUserCallbackURL', 'INVALID_NEWUSERCALLBACKURL'],
      ['errorCallbackURL', 'INVALID_ERRORCALLBACKURL'],
    ]) {
      const answer = await ask({ provider: 'github', [field ?? '']: 'https://evil.test/' })
      expect(answer).toMatchObject({ status: 403, body: { code } })
    }
    expect(await ask({ provider: 'github' }, { origin: 'https://evil.test' })).toMatchObject({ status: 403 })
    expect(await ask({ provider: 'github', scopes: ['a b'] })).toMatchObject({ status: 400 })
    expect(await browser.post('/link-social', { provider: 'github' })).toMatchObject({ status: 401 })
    const person = await createUser(few)
    expect(await person.browser.post('/link-social', { provider: 'apple' })).toMatchObject({ status: 404 })
    expect((await few.browser().trpc.session.options.query()).providers).toEqual(['github'])
    expect(few.config.warnings).toContain('google is disabled: GOOGLE_CLIENT_SECRET is missing')
  })

  it('lists the providers in the order of the operator, then the others', async () => {
    const ordered = await createTestApp({ ...providerSettings, SOCIAL_PROVIDERS: 'zoom,google' })
    const { providers } = await ordered.browser().trpc.session.options.query()
    expect(providers.slice(0, 3)).toEqual(['zoom', 'google', 'apple'])
    expect(providers.toSorted()).toEqual([...new Set(providers)].toSorted())
    await expect(createTestApp({ SOCIAL_PROVIDERS: 'zoom,nobody' })).rejects.toThrow('SOCIAL_PROVIDERS')
  })

  it('reports a state that cannot be stored', async () => {
    await timed.pool.query('alter table "Verification" rename to "Elsewhere"')
    try {
      expect(await timed.browser().post('/sign-in/social', { provider: 'github' })).toMatchObject({
        status: 500,
        body: { code: 'UNABLE_TO_CREATE_VERIFICATION', message: 'Unable to create verification' },
      })
    } finally {
      await timed.pool.query('alter table "Elsewhere" rename to "Verification"')
    }
  })

  it('keeps five pending states per browser', async () => {
    const browser = testApp.browser()
    for (let n = 0; n < 8; n++) await start(browser, 'github')
    expect([...browser.jar.keys()].filter((name) => name.startsWith('foyer.state.'))).toHaveLength(5)
  })
})

describe('the callback', () => {
  const errorPage = '/api/auth/error?error='

  it('refuses in the specified order', async () => {
    const browser = testApp.browser()
    const get = async (query: string, id = 'github') => (await browser.get(`/callback/${id}?${query}`)).location
    expect(await get('code=a&code=b')).toBe(`${errorPage}invalid_callback_request`)
    expect(await get('error=access_denied')).toBe(`${errorPage}access_denied`)
    expect(await get('code=a')).toBe(`${errorPage}state_not_found`)
    expect(await get('code=a&state=unknown')).toBe(`${errorPage}please_restart_the_process`)
    const stateOf = async (provider: ProviderId = 'github') =>
      new URL(await start(browser, provider)).searchParams.get('state') ?? ''
    expect(await get(`state=${await stateOf()}`)).toBe('/failed?from=social&error=no_code')
    expect(await get(`code=a&state=${await stateOf()}`, 'myspace')).toBe(
      '/failed?from=social&error=oauth_provider_not_found',
    )
    const calls = emulator.calls.length
    expect(await get(`code=a&state=${await stateOf('google')}`)).toBe(`${errorPage}please_restart_the_process`)
    expect(emulator.calls).toHaveLength(calls)
    expect(await get(`code=wrong&state=${await stateOf()}`)).toBe('/failed?from=social&error=invalid_code')
  })

  it('forwards the provider’s error to the errorCallbackURL as plain text', async () => {
    const browser = testApp.browser()
    const state = new URL(await start(browser, 'github')).searchParams.get('state')
    const query = `state=${state}&error=access_denied&error_description=${encodeURIComponent('no & <b>never</b>')}`
    const { location } = await browser.get(`/callback/github?${query}`)
    expect(location).toBe('/failed?from=social&error=access_denied&error_description=no+%26+%3Cb%3Enever%3C%2Fb%3E')
    const odd = await browser.get(`/callback/github?error=${encodeURIComponent('<script>')}`)
    expect(odd.location).toBe(`${errorPage}invalid_callback_request`)
  })

  it('works once, in the browser that began, within ten minutes', async () => {
    const browser = testApp.browser()
    const back = emulator.consent(await start(browser, 'github'), providerUser())
    const elsewhere = await testApp.browser().get(back.callback.href)
    expect(elsewhere.location).toBe(`${errorPage}please_restart_the_process`)
    const all = await Promise.all(Array.from({ length: 10 }, () => browser.copy().get(back.callback.href)))
    expect(all.filter(({ location }) => location === '/welcome')).toHaveLength(1)
    expect(new Set(all.map(({ location }) => location))).toEqual(
      new Set(['/welcome', `${errorPage}please_restart_the_process`]),
    )
    const late = timed.browser()
    const slow = emulator.consent(await start(late, 'github'), providerUser())
    timed.advanceClock(601)
    expect((await late.get(slow.callback.href)).location).toBe(`${errorPage}please_restart_the_process`)
  })

  it('a callback from another browser signs no user in and links nothing', async () => {
    const attacker = await createUser(testApp)
    const { body } = await attacker.browser.post('/link-social', { provider: 'github', callbackURL: '/' })
    const victim = await createUser(testApp)
    const back = emulator.consent(body.url, providerUser())
    expect((await victim.browser.get(back.callback.href)).location).toBe(`${errorPage}please_restart_the_process`)
    // Even with a planted state cookie, the callback requires the user who started the flow.
    for (const [name, value] of attacker.browser.jar)
      if (name.startsWith('foyer.state')) victim.browser.jar.set(name, value)
    expect((await victim.browser.get(back.callback.href)).location).toBe(`${errorPage}please_restart_the_process`)
    expect((await victim.browser.get('/list-accounts')).body).toHaveLength(1)
  })

  it('answers without a target page', async () => {
    const browser = testApp.browser()
    const back = emulator.consent(await start(browser, 'github'), providerUser())
    await testApp.pool.query(`update "Verification" set value = (value::jsonb - 'callbackURL')::text
      where identifier like 'social-state:%' and value like '%from=social%'`)
    expect((await browser.get(back.callback.href)).location).toBe('/failed?from=social&error=no_callback_url')
  })

  it('does not redirect to a target that is no longer trusted', async () => {
    const browser = testApp.browser()
    const back = emulator.consent(await start(browser, 'github'), providerUser())
    await testApp.pool.query(`update "Verification" set value = replace(value, '/welcome', 'https://evil.test/')
      where identifier like 'social-state:%'`)
    expect((await browser.get(back.callback.href)).location).toBe('/')
  })

  it('a provider that does not respond times out after ten seconds', async () => {
    emulator.faults.set('zoom token', 'silence')
    const { location } = await signInAt(testApp, 'zoom', providerUser())
    emulator.faults.delete('zoom token')
    expect(location).toBe('/failed?from=social&error=invalid_code')
  })

  it('reports internal faults as such', async () => {
    const fault = async (table: string, code: string) => {
      const browser = timed.browser()
      const back = emulator.consent(await start(browser, 'github'), providerUser())
      await timed.pool.query(`alter table "${table}" rename to "Away"`)
      try {
        expect((await browser.get(back.callback.href)).location).toBe(`/failed?from=social&error=${code}`)
      } finally {
        await timed.pool.query(`alter table "Away" rename to "${table}"`)
      }
    }
    await fault('Account', 'unable_to_create_user')
    await fault('Session', 'unable_to_create_session')
    const token = await emulator.idToken('google', providerUser())
    await timed.pool.query('alter table "Session" rename to "Away"')
    const handed = await timed.browser().post('/sign-in/social', { provider: 'google', idToken: { token } })
    await timed.pool.query('alter table "Away" rename to "Session"')
    expect(handed).toMatchObject({ status: 401, body: { message: 'unable to create session' } })
    // An id_token from the page has the same outcomes, as refusals.
    const refusalWhileAway = async (who: ProviderUser) => {
      const idToken = { token: await emulator.idToken('google', who) }
      await timed.pool
        .query(`create function away() returns trigger as $$ begin raise exception 'away'; end $$ language plpgsql;
        create trigger away before insert on "Account" for each row execute function away()`)
      try {
        return (await timed.browser().post('/sign-in/social', { provider: 'google', idToken })).body.code
      } finally {
        await timed.pool.query('drop function away cascade')
      }
    }
    expect(await refusalWhileAway(providerUser())).toBe('UNABLE_TO_CREATE_USER')
    const known = await createUser(timed)
    expect(await refusalWhileAway({ ...providerUser(), email: known.email, verified: true })).toBe(
      'UNABLE_TO_LINK_ACCOUNT',
    )
    const person = await createUser(timed)
    const { body } = await person.browser.post('/link-social', {
      provider: 'github',
      callbackURL: '/',
      errorCallbackURL: '/failed',
    })
    const back = emulator.consent(body.url, providerUser())
    await timed.pool.query('alter table "Account" rename to "Away"')
    expect((await person.browser.get(back.callback.href)).location).toBe('/failed?error=unable_to_link_account')
    await timed.pool.query('alter table "Away" rename to "Account"')
  })
})

describe('account resolution', () => {
  it('an address verified on both sides is linked to the existing user', async () => {
    const person = await createUser(testApp)
    const { browser, location } = await signInAt(testApp, 'github', providerUser({ email: person.email.toUpperCase() }))
    expect(location).toBe('/inside')
    expect((await userOf(browser)).id).toBe(person.id)
  })

  it('an address unverified on either side is not linked', async () => {
    const verified = await createUser(testApp)
    const unverified = await createUnverifiedUser(testApp)
    const refused = '/failed?from=social&error=account_not_linked'
    expect((await signInAt(testApp, 'github', providerUser({ email: verified.email, verified: false }))).location).toBe(
      refused,
    )
    expect((await signInAt(testApp, 'facebook', providerUser({ email: verified.email }))).location).toBe(refused)
    expect(
      (await signInAt(testApp, 'microsoft', providerUser({ email: verified.email, verified: false }))).location,
    ).toBe(refused)
    expect((await signInAt(testApp, 'github', providerUser({ email: unverified.email }))).location).toBe(refused)
    expect(await testApp.db.account.count({ where: { userId: { in: [verified.id, unverified.id] } } })).toBe(2)
  })

  it('a trusted provider verifies addresses; with sign-up disabled no user is created', async () => {
    const person = await createUser(closed)
    const known = await signInAt(closed, 'kick', providerUser({ email: person.email }))
    expect((await userOf(known.browser)).id).toBe(person.id)
    expect((await signInAt(closed, 'github', providerUser())).location).toBe(
      '/failed?from=social&error=signup_disabled',
    )
  })

  it('with explicit sign-up, requestSignUp is required', async () => {
    expect((await signInAt(explicit, 'github', providerUser())).location).toBe(
      '/failed?from=social&error=signup_disabled',
    )
    expect((await signInAt(explicit, 'github', providerUser(), { requestSignUp: true })).location).toBe('/welcome')
  })

  it('equal ids at two providers are two users', async () => {
    const who = providerUser()
    const one = await signInAt(testApp, 'github', who)
    const two = await signInAt(testApp, 'gitlab', { ...who, email: providerUser().email })
    expect((await userOf(one.browser)).id).not.toBe((await userOf(two.browser)).id)
  })

  it('ten concurrent first sign-ins create one user', async () => {
    const who = providerUser()
    const done = await Promise.all(Array.from({ length: 10 }, () => signInAt(testApp, 'github', who)))
    expect(done.every(({ location }) => location === '/welcome' || location === '/inside')).toBe(true)
    expect(await testApp.db.user.count({ where: { email: who.email ?? '' } })).toBe(1)
    expect(await testApp.db.account.count({ where: { accountId: who.id } })).toBe(1)
  })

  it('names with control characters, and missing names, are replaced', async () => {
    const who = providerUser({ name: 'A\u202Eb\u0000c' })
    const { browser } = await signInAt(testApp, 'dropbox', who)
    expect((await userOf(browser)).name).toBe('A b c')
    const nameless = providerUser({ name: '' })
    expect((await userOf((await signInAt(testApp, 'linkedin', nameless)).browser)).name).toBe(
      nameless.email?.split('@')[0],
    )
  })

  it.each(['blocked', 'locked'] as Fault[])('a %s GitLab account is refused', async (state) => {
    emulator.faults.set('gitlab user', state)
    const { location } = await signInAt(testApp, 'gitlab', providerUser())
    emulator.faults.delete('gitlab user')
    expect(location).toBe('/failed?from=social&error=unable_to_get_user_info')
  })

  it.each(['apple', 'google', 'microsoft', 'twitch'] as ProviderId[])(
    '%s: an id_token of the code flow for another client, from another issuer or from an earlier time is refused',
    async (provider) => {
      for (const lie of ['wrong nonce', 'wrong audience', 'wrong issuer', 'expired id_token'] as Fault[]) {
        emulator.faults.set(`${provider} id_token`, lie)
        const { location } = await signInAt(testApp, provider, providerUser())
        emulator.faults.delete(`${provider} id_token`)
        expect([lie, location]).toEqual([lie, '/failed?from=social&error=unable_to_get_user_info'])
      }
    },
  )

  it('a different address verified by the provider verifies nothing', async () => {
    const who = providerUser({ verified: false })
    const { browser } = await signInAt(testApp, 'discord', who)
    expect((await userOf(browser)).emailVerified).toBe(false)
    await signInAt(testApp, 'discord', { ...who, email: providerUser().email, verified: true })
    expect((await userOf(browser)).emailVerified).toBe(false)
    await signInAt(testApp, 'discord', { ...who, verified: true })
    expect((await userOf(browser)).emailVerified).toBe(true)
  })

  it('concurrent first sign-ins with two providers create one user without a fault', async () => {
    for (let round = 0; round < 4; round++) {
      const who = providerUser()
      const turns = Array.from({ length: 8 }, (_, n) => signInAt(testApp, n % 4 ? 'gitlab' : 'github', who))
      const places = (await Promise.all(turns)).map(({ location }) => location)
      expect(places.every((place) => place === '/welcome' || place === '/inside')).toBe(true)
      expect(await testApp.db.user.count({ where: { email: who.email ?? '' } })).toBe(1)
    }
  })

  it('Apple receives a signed client secret', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const pem = (await exportPKCS8(privateKey)).replaceAll('\n', String.raw`\n`)
    const { APPLE_CLIENT_SECRET: _none, ...others } = providerSettings
    const own = { APPLE_TEAM_ID: 'team-7', APPLE_KEY_ID: 'key-7', APPLE_PRIVATE_KEY: pem }
    const place = await createTestApp({ ...others, ...own })
    expect((await signInAt(place, 'apple', providerUser())).location).toBe('/welcome')
  })

  it('a Microsoft tenant admits its own users only, configured by its id', async () => {
    const tenant = '9188040D-6c67-4c5b-b112-36a304b66dad'
    const place = await createTestApp({ ...providerSettings, MICROSOFT_TENANT_ID: tenant })
    expect((await signInAt(place, 'microsoft', providerUser())).location).toBe('/welcome')
    const foreign = '11111111-2222-4333-8444-555555555555'
    const claims = { tid: foreign, iss: `https://login.microsoftonline.com/${foreign}/v2.0` }
    const token = await emulator.idToken('microsoft', providerUser(), claims)
    expect((await place.browser().post('/sign-in/social', { provider: 'microsoft', idToken: { token } })).status).toBe(
      401,
    )
    const named = await createTestApp({ ...providerSettings, MICROSOFT_TENANT_ID: 'contoso.onmicrosoft.com' })
    expect((await named.browser().post('/sign-in/social', { provider: 'microsoft' })).status).toBe(404)
    expect(named.config.warnings.join()).toContain('MICROSOFT_TENANT_ID')
  })
})

describe('an id_token sent by the client', () => {
  const supported: ProviderId[] = ['google', 'apple', 'microsoft', 'facebook']
  const hand = (provider: ProviderId, token: string, more: object = {}, place = testApp, browser = place.browser()) =>
    browser.post('/sign-in/social', { provider, idToken: { token, ...more } })
  const invalid = { status: 401, body: { code: 'INVALID_TOKEN', message: 'invalid token' } }

  it.each(supported)('%s: signs up and in', async (provider) => {
    const who = providerUser()
    const browser = testApp.browser()
    const first = await hand(provider, await emulator.idToken(provider, who), {}, testApp, browser)
    expect(first.body).toMatchObject({ redirect: false, url: null, user: { email: who.email } })
    expect(first.body.user.emailVerified).toBe(provider !== 'facebook')
    expect((await userOf(browser)).email).toBe(who.email)
    const again = await hand(provider, await emulator.idToken(provider, who))
    expect(again.body.user.id).toBe(first.body.user.id)
  })

  it.each(supported)('%s: forged ones are refused', async (provider) => {
    const who = providerUser()
    const seconds = Math.floor(Date.now() / 1000)
    const forged = {
      'another key': await emulator.idToken(provider, who, {}, await emulator.generateUntrustedKey()),
      'another audience': await emulator.idToken(provider, who, { aud: 'somebody-else' }),
      'another issuer': await emulator.idToken(provider, who, { iss: 'https://evil.test' }),
      expired: await emulator.idToken(provider, who, { iat: seconds - 900, exp: seconds - 300 }),
      'too old': await emulator.idToken(provider, who, { iat: seconds - 7200 }),
      'from the future': await emulator.idToken(provider, who, { iat: seconds + 900 }),
      'no subject': await emulator.idToken(provider, who, { sub: undefined }),
      unsigned: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ sub: who.id })).toString('base64url')}.`,
      'no token': 'nonsense',
      altered: (await emulator.idToken(provider, who)).replace(
        /\.(.)/,
        (_, letter: string) => `.${letter === 'e' ? 'f' : 'e'}`,
      ),
    }
    for (const [name, token] of Object.entries(forged)) {
      expect([name, await hand(provider, token)]).toMatchObject([name, invalid])
    }
    const good = await emulator.idToken(provider, who, { nonce: 'once' })
    expect(await hand(provider, good, { nonce: 'twice' })).toMatchObject(invalid)
    expect(await hand(provider, await emulator.idToken(provider, who), { nonce: 'once' })).toMatchObject(invalid)
    expect((await hand(provider, good, { nonce: 'once' })).status).toBe(200)
  })

  it('is refused where the provider has none, the address is missing, or the linking rules refuse it', async () => {
    const who = providerUser()
    expect(await hand('github', 'x')).toMatchObject({ status: 404, body: { message: 'id_token not supported' } })
    expect(await hand('twitch', await emulator.idToken('twitch', who))).toMatchObject({ status: 404 })
    const mailless = await emulator.idToken('google', providerUser({ email: undefined }))
    expect(await hand('google', mailless)).toMatchObject({ status: 401, body: { message: 'User email not found' } })
    const taken = await createUnverifiedUser(testApp)
    const meets = await emulator.idToken('google', providerUser({ email: taken.email }))
    expect(await hand('google', meets)).toMatchObject({ status: 401, body: { message: 'account not linked' } })
    const token = await emulator.idToken('google', who)
    expect(await hand('google', token, {}, closed)).toMatchObject({ status: 401, body: { message: 'signup disabled' } })
    expect(await hand('apple', 'x', {}, few)).toMatchObject({ status: 404, body: { message: 'Provider not found' } })
  })
})

describe('refreshing', () => {
  it('refuses in the specified order', async () => {
    const person = await createUser(testApp)
    const ask = (body: object) => person.browser.post('/refresh-token', body)
    expect(await testApp.browser().post('/refresh-token', { providerId: 'github' })).toMatchObject({ status: 401 })
    expect(await ask({ providerId: 'github' })).toMatchObject({ status: 400, body: { message: 'Account not found' } })
    expect(await ask({ providerId: 'credential' })).toMatchObject({
      status: 400,
      body: { code: 'PROVIDER_CREDENTIAL_NOT_FOUND', message: 'Provider credential not found.' },
    })
    await link(person.browser, 'facebook', providerUser())
    expect(await ask({ providerId: 'facebook' })).toMatchObject({
      status: 400,
      body: { message: 'Provider facebook does not support token refreshing.' },
    })
    const failed = {
      status: 400,
      body: { code: 'FAILED_TO_REFRESH_ACCESS_TOKEN', message: 'Failed to refresh access token' },
    }
    await link(person.browser, 'linkedin', providerUser())
    expect(await ask({ providerId: 'linkedin' })).toMatchObject(failed)
    const who = providerUser()
    await link(person.browser, 'github', who)
    expect((await ask({ providerId: 'github', accountId: who.id })).status).toBe(200)
    const other = await createUser(testApp)
    expect((await other.browser.post('/refresh-token', { providerId: 'github', accountId: who.id })).body.code).toBe(
      'ACCOUNT_NOT_FOUND',
    )
    emulator.faults.set('github token', 'status')
    const calls = emulator.calls.length
    const all = await Promise.all(Array.from({ length: 5 }, () => ask({ providerId: 'github' })))
    // An explicit refresh reports the failure; a concurrent waiter may get the token refreshed just before.
    expect(all.some(({ status }) => status === 400)).toBe(true)
    expect(all.every(({ status, body }) => status === 200 || body.code === failed.body.code)).toBe(true)
    expect(emulator.calls.length - calls).toBeLessThanOrEqual(5)
    emulator.faults.delete('github token')
    // A token that cannot be decrypted counts as missing.
    await testApp.pool.query(`update "Account" set "refreshToken" = '1.aaaa.bbbb' where "accountId" = $1`, [who.id])
    expect(await ask({ providerId: 'github' })).toMatchObject(failed)
  })
})

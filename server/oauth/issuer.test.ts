import { executionAsyncId } from 'node:async_hooks'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { describe, expect, it } from 'vitest'
import { afterTestFile } from '../testing/after-test-file.ts'
import { authorizationOf, callback, follow, registerApplication, signInTo } from '../testing/applications.ts'
import { createOrganizationOwner, createInvitation, createMember } from '../testing/organizations.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { createUser, signInElsewhere } from '../testing/test-users.ts'
import { sendLogouts } from './send-logouts.ts'

const api = 'https://api.example.com'
const testApp = await createTestApp({ TOKEN_AUDIENCES: api, WEBHOOKS_ALLOW_PRIVATE: 'on' })
const { origin } = testApp

const keys = () => createRemoteJWKSet(new URL(`${origin}/oauth/jwks`))

describe('discovery', () => {
  it.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/oauth/jwks',
    '/api/auth/jwks',
  ])('is public, also for pages of other origins with custom headers: %s', async (path) => {
    const browser = testApp.browser()
    const head = await browser.request(path, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const asked = { origin: 'https://anywhere.example', 'access-control-request-method': 'GET' }
    const preflight = await browser.request(path, {
      method: 'OPTIONS',
      headers: { ...asked, 'access-control-request-headers': 'x-of-a-library, authorization' },
    })
    expect(preflight.status).toBe(204)
    const allowed = ['origin', 'methods', 'headers'].map((name) =>
      preflight.headers.get(`access-control-allow-${name}`),
    )
    expect(allowed).toEqual(['*', 'GET, HEAD', '*, authorization'])
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const { headers } = await browser.request(path, { headers: { origin: 'https://anywhere.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('lists the endpoints and the supported features', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const { status, body, headers } = await testApp.browser().request(path)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        issuer: origin,
        authorization_endpoint: `${origin}/oauth/authorize`,
        token_endpoint: `${origin}/oauth/token`,
        jwks_uri: `${origin}/oauth/jwks`,
        userinfo_endpoint: `${origin}/oauth/userinfo`,
        introspection_endpoint: `${origin}/oauth/introspect`,
        revocation_endpoint: `${origin}/oauth/revoke`,
        pushed_authorization_request_endpoint: `${origin}/oauth/par`,
        device_authorization_endpoint: `${origin}/oauth/device`,
        end_session_endpoint: `${origin}/oauth/end-session`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        id_token_signing_alg_values_supported: ['ES256'],
        backchannel_logout_supported: true,
        authorization_response_iss_parameter_supported: true,
        ui_locales_supported: ['en', 'de', 'es', 'fr', 'pl', 'tr', 'uk', 'ru'],
      })
      expect(body).not.toHaveProperty('registration_endpoint')
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })
})

/** Whether Node.js follows every promise, which doubles their cost: each then continues under an id of its own. */
async function isFollowingPromises(): Promise<boolean> {
  const id = async () => {
    await Promise.resolve()
    return executionAsyncId()
  }
  const ids = await Promise.all([id(), id(), id()])
  return new Set(ids).size > 1
}

it('promises are not followed any longer once the last of several requests has been answered', async () => {
  const path = '/.well-known/openid-configuration'
  const answers = await Promise.all(Array.from({ length: 20 }, () => testApp.browser().request(path)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  await expect.poll(isFollowingPromises).toBe(false)
})

it('requests that end, fail or are aborted meanwhile leave the others their tokens', async () => {
  const application = await registerApplication(testApp)
  const { browser } = await createUser(testApp)
  const tokens = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const signIn = signInTo(application, browser, origin)
      const aborted = new AbortController()
      const others = ['/oauth/userinfo', '/.well-known/openid-configuration'].map((path) =>
        fetch(`${origin}${path}`, { signal: aborted.signal }).catch(() => undefined),
      )
      aborted.abort()
      await Promise.all([...others, fetch(`${origin}/oauth/token`, { method: 'POST' })])
      return (await signIn).access_token
    }),
  )
  expect(tokens.every((token) => typeof token === 'string' && token !== '')).toBe(true)
  await expect.poll(isFollowingPromises).toBe(false)
})

describe('authorization code with PKCE', () => {
  it('signs the user in to an application, and identifies the user', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin)
    const { session } = (await person.browser.get('/get-session')).body
    expect(tokens.claims()).toMatchObject({ iss: origin, aud: application.id, sub: person.id, email: person.email })
    const info = await openid.fetchUserInfo(application.config, tokens.access_token, person.id)
    expect(info).toMatchObject({ sub: person.id, email: person.email, email_verified: true, name: person.name })
    expect(tokens.refresh_token).toBeUndefined()
    expect(session.userId).toBe(person.id)
    // The issuer sets no session cookie of its own.
    expect([...person.browser.jar.keys()].filter((name) => name.includes('oauth'))).toEqual([])
  })

  it('a resource gets a JWT with the claims of a session', async () => {
    const application = await registerApplication(testApp)
    const owner = await createOrganizationOwner(testApp)
    const tokens = await signInTo(application, owner.browser, origin, { resource: api })
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, keys(), { issuer: origin, audience: api })
    expect(protectedHeader.typ).toBe('at+jwt')
    const { session } = (await owner.browser.get('/get-session')).body
    expect(payload).toMatchObject({
      sub: owner.id,
      client_id: application.id,
      sid: session.id,
      scope: 'openid profile email',
      email: owner.email,
      org: { id: owner.organization.id, role: 'owner' },
      entitlements: [],
      auth_time: expect.any(Number),
      jti: expect.any(String),
    })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300)
    const other = signInTo(application, owner.browser, origin, { resource: 'https://other.example' })
    await expect(other).rejects.toMatchObject({ error: 'invalid_target' })
  })

  it('a code is valid once: a second use revokes everything issued for it', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const { url, verifier, state } = await authorizationOf(application, { scope: 'openid offline_access' })
    const { at } = await follow(person.browser, url, origin)
    const use = () =>
      openid.authorizationCodeGrant(application.config, at, { pkceCodeVerifier: verifier, expectedState: state })
    const tokens = await use()
    await expect(use()).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(openid.fetchUserInfo(application.config, tokens.access_token, person.id)).rejects.toMatchObject({
      status: 401,
    })
  })

  it('of twenty concurrent uses of a code, at most one gets tokens, and a single use does', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const { url, verifier, state } = await authorizationOf(application)
    const { at } = await follow(person.browser, url, origin)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const uses = Array.from({ length: 20 }, () => openid.authorizationCodeGrant(application.config, at, checks))
    const settled = await Promise.allSettled(uses)
    expect(settled.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    const next = await authorizationOf(application)
    const { at: once } = await follow(person.browser, next.url, origin)
    const alone = { pkceCodeVerifier: next.verifier, expectedState: next.state }
    expect((await openid.authorizationCodeGrant(application.config, once, alone)).access_token).toBeTruthy()
  })

  it('refuses without PKCE, with another verifier, and with another redirect URI', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application)
    const plain = new URL(url)
    plain.searchParams.delete('code_challenge')
    plain.searchParams.delete('code_challenge_method')
    expect((await follow(person.browser, plain.href, origin)).at.searchParams.get('error')).toBe('invalid_request')
    const weak = new URL(url)
    weak.searchParams.set('code_challenge_method', 'plain')
    const { at: weakly } = await follow(person.browser, weak.href, origin)
    expect([weakly.searchParams.get('error'), weakly.searchParams.get('iss')]).toEqual(['invalid_request', origin])
    const { at } = await follow(person.browser, url, origin)
    await expect(
      openid.authorizationCodeGrant(application.config, at, {
        pkceCodeVerifier: openid.randomPKCECodeVerifier(),
        expectedState: at.searchParams.get('state') ?? '',
      }),
    ).rejects.toMatchObject({ error: 'invalid_grant' })
    for (const wrong of [
      `${callback}/`,
      `${callback}?x=1`,
      callback.toUpperCase(),
      'https://evil.example/callback',
      'https://app.example.com/callback/../evil',
      'https://app.example.com@evil.example/callback',
      'javascript:alert(1)',
    ]) {
      const bad = new URL(url)
      bad.searchParams.set('redirect_uri', wrong)
      const { status, at: end, location, text } = await follow(person.browser, bad.href, origin)
      expect([wrong, status, end.origin, location]).toEqual([wrong, 400, origin, null])
      expect(text).toContain('invalid_redirect_uri')
    }
  })

  it('a POST is equivalent to a GET', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application)
    const { pathname, searchParams } = new URL(url)
    const posted = await person.browser.request(pathname, {
      method: 'POST',
      body: searchParams.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://app.example.com' },
    })
    expect([posted.status, posted.headers.get('cache-control')]).toEqual([303, 'no-store'])
    expect((await follow(person.browser, posted.location ?? '', origin)).at.searchParams.get('code')).not.toBeNull()
  })

  it('accepts neither request objects nor request URIs of clients, and fetches none', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application)
    for (const [name, value] of [
      ['request', 'e30.e30.'],
      ['request_uri', 'http://127.0.0.1:1/object'],
    ] as const) {
      const bad = new URL(url)
      bad.searchParams.set(name, value)
      const { at, text } = await follow(person.browser, bad.href, origin)
      expect(`${at.searchParams.get('error')} ${text}`).toMatch(/_not_supported|invalid_request/)
      expect(at.searchParams.get('code')).toBeNull()
    }
  })

  it('pushed requests are usable once', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const verifier = openid.randomPKCECodeVerifier()
    const url = await openid.buildAuthorizationUrlWithPAR(application.config, {
      redirect_uri: callback,
      scope: 'openid email offline_access',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const { at } = await follow(person.browser, url.href, origin)
    const tokens = await openid.authorizationCodeGrant(application.config, at, { pkceCodeVerifier: verifier })
    expect(tokens.refresh_token).toEqual(expect.any(String))
    const again = await follow(person.browser, url.href, origin)
    expect(again.at.searchParams.get('code')).toBeNull()
  })
})

describe('refresh tokens', () => {
  it('rotate, and their reuse ends the grant', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const first = await signInTo(application, person.browser, origin, { scope: 'openid offline_access', resource: api })
    const second = await openid.refreshTokenGrant(application.config, first.refresh_token ?? '')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(decodeJwt(second.access_token)).toMatchObject({ aud: api, sub: person.id })
    await expect(openid.refreshTokenGrant(application.config, first.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(openid.refreshTokenGrant(application.config, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('are introspected and revoked only by their own client', async () => {
    const application = await registerApplication(testApp)
    const other = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { scope: 'openid offline_access' })
    const token = tokens.refresh_token ?? ''
    expect(await openid.tokenIntrospection(application.config, token)).toMatchObject({ active: true, sub: person.id })
    expect(await openid.tokenIntrospection(other.config, token)).toEqual({ active: false })
    await openid.tokenRevocation(other.config, token).catch(() => {})
    expect(await openid.tokenIntrospection(application.config, token)).toMatchObject({ active: true })
    await openid.tokenRevocation(application.config, token)
    expect(await openid.tokenIntrospection(application.config, token)).toEqual({ active: false })
  })

  it('that are JWTs are introspected by their own client until their session, grant or user ends', async () => {
    const application = await registerApplication(testApp)
    const other = await registerApplication(testApp)
    const ends: Record<string, (person: Awaited<ReturnType<typeof createUser>>, refresh: string) => Promise<unknown>> =
      {
        'signed out': ({ browser }) => browser.post('/sign-out'),
        banned: ({ id }) => testApp.db.user.update({ where: { id }, data: { bannedAt: new Date() } }),
        'grant revoked': (_person, refresh) => openid.tokenRevocation(application.config, refresh),
        // A copy of the cookie, which the change makes invalid, may have given the application access.
        'password changed': ({ browser, password: currentPassword }) =>
          browser.post('/change-password', { currentPassword, newPassword: 'another long phrase here' }),
        'application disconnected': ({ browser }) => browser.trpc.oauth.removeApp.mutate({ clientId: application.id }),
      }
    for (const resource of [api, origin])
      for (const [name, end] of Object.entries(ends)) {
        const person = await createUser(testApp)
        const scope = 'openid offline_access'
        const tokens = await signInTo(application, person.browser, origin, { scope, resource })
        const { access_token: token } = tokens
        const active = { active: true, sub: person.id, client_id: application.id, aud: resource, token_type: 'Bearer' }
        expect(await openid.tokenIntrospection(application.config, token)).toMatchObject(active)
        expect(await openid.tokenIntrospection(other.config, token)).toEqual({ active: false })
        await end(person, tokens.refresh_token ?? '')
        expect([name, await openid.tokenIntrospection(application.config, token)]).toEqual([name, { active: false }])
      }
  })

  it('that are JWTs stay ended when their application is signed in to once more, or has another grant', async () => {
    const application = await registerApplication(testApp)
    const owner = await createOrganizationOwner(testApp)
    const isActive = async ({ access_token: token }: { access_token: string }) =>
      (await openid.tokenIntrospection(application.config, token)).active
    const parameters = { scope: 'openid offline_access', resource: api }
    const signIn = (more: object = {}) => signInTo(application, owner.browser, origin, { ...parameters, ...more })
    const plain = await signIn()
    const named = await signIn({ organization: owner.organization.id })
    expect([await isActive(plain), await isActive(named)]).toEqual([true, true])
    await openid.tokenRevocation(application.config, named.refresh_token ?? '')
    expect([await isActive(plain), await isActive(named)]).toEqual([true, false])
    const later = await signIn({ organization: owner.organization.id })
    expect([await isActive(plain), await isActive(named), await isActive(later)]).toEqual([true, false, true])
  })

  it('that are JWTs of programs are introspected by them; forged and other JWTs are not active', async () => {
    const [program, other] = [
      await registerApplication(testApp, { grantTypes: ['client_credentials'], redirectUris: [] }),
      await registerApplication(testApp),
    ]
    const { access_token: token } = await openid.clientCredentialsGrant(program.config, { resource: api })
    expect(await openid.tokenIntrospection(program.config, token)).toMatchObject({ active: true, sub: program.id })
    expect(await openid.tokenIntrospection(other.config, token)).toEqual({ active: false })
    const [head = '', body = '', signature = ''] = token.split('.')
    const { id_token: idToken = '' } = await signInTo(other, (await createUser(testApp)).browser, origin)
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${body}.`
    for (const wrong of [`${head}.${body}.${signature.slice(0, -4)}AAAA`, none, idToken, `${head}.${body}`])
      for (const { config } of [program, other])
        expect(await openid.tokenIntrospection(config, wrong)).toEqual({ active: false })
    const anonymous = await fetch(`${origin}/oauth/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
    })
    expect([anonymous.status, await anonymous.json()]).toMatchObject([400, { error: 'invalid_request' }])
    await testApp.db.oAuthClient.delete({ where: { id: program.id } })
    const after = await openid.tokenIntrospection(program.config, token).catch((error: unknown) => error)
    expect(after).toMatchObject({ status: 401 })
  })

  it('are stored only as hashes', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { scope: 'openid offline_access' })
    const stored = JSON.stringify([await testApp.db.oAuthArtifact.findMany(), await testApp.db.oAuthClient.findMany()])
    for (const secret of [tokens.access_token, tokens.refresh_token, application.secret])
      expect(stored).not.toContain(secret)
  })
})

describe('the session behind a grant', () => {
  it('ends the grant with the session: signed out, revoked, expired, banned, deleted', async () => {
    const ends: Record<string, (person: Awaited<ReturnType<typeof createUser>>) => Promise<unknown>> = {
      'signed out': ({ browser }) => browser.post('/sign-out'),
      'revoked elsewhere': async (person) => (await signInElsewhere(testApp, person)).post('/revoke-other-sessions'),
      expired: ({ id }) =>
        testApp.db.session.updateMany({ where: { userId: id }, data: { expiresAt: new Date(Date.now() - 1000) } }),
      banned: ({ id }) => testApp.db.user.update({ where: { id }, data: { bannedAt: new Date() } }),
      deleted: ({ id }) => testApp.db.user.delete({ where: { id } }),
    }
    const application = await registerApplication(testApp)
    for (const [name, end] of Object.entries(ends)) {
      const person = await createUser(testApp)
      const tokens = await signInTo(application, person.browser, origin, { scope: 'openid offline_access' })
      await end(person)
      const token = tokens.refresh_token ?? ''
      expect([name, await openid.tokenIntrospection(application.config, token)]).toEqual([name, { active: false }])
      expect([name, await openid.tokenIntrospection(application.config, tokens.access_token)]).toEqual([
        name,
        { active: false },
      ])
      await expect(openid.refreshTokenGrant(application.config, token)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      await expect(openid.fetchUserInfo(application.config, tokens.access_token, person.id)).rejects.toMatchObject({
        status: 401,
      })
    }
  })

  it('after A signs out and B signs in, a request that A began is answered for B', async () => {
    const application = await registerApplication(testApp, { isFirstParty: false })
    const a = await createUser(testApp)
    const b = await createUser(testApp)
    const { url, verifier, state } = await authorizationOf(application)
    const begun = await follow(a.browser, url, origin)
    expect(begun.at.pathname).toMatch(/^\/consent\//)
    const uid = begun.at.pathname.split('/')[2] ?? ''
    await a.browser.post('/sign-out')
    await a.browser.post('/sign-in/email', { email: b.email, password: b.password })
    await expect(a.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })).rejects.toThrow('expired')
    // The request continues for B, who is asked for consent, and its tokens identify B.
    const again = await follow(a.browser, `/oauth/continue/${uid}`, origin)
    const asked = again.at.pathname.split('/')[2] ?? ''
    const { url: back } = await a.browser.trpc.oauth.decideConsent.mutate({ uid: asked, isAllowed: true })
    const { at } = await follow(a.browser, back, origin)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await openid.authorizationCodeGrant(application.config, at, checks)
    expect(tokens.claims()?.sub).toBe(b.id)
  })

  it('a request begun in another browser cannot be answered in this one', async () => {
    const application = await registerApplication(testApp)
    const victim = await createUser(testApp)
    const attacker = testApp.browser()
    const { url } = await authorizationOf(application)
    const begun = await follow(attacker, url, origin)
    expect(begun.at.pathname).toBe('/sign-in')
    const next = begun.at.searchParams.get('next') ?? ''
    const lured = await follow(victim.browser, next, origin)
    expect(lured.at.pathname).toBe('/error')
    const own = await follow(attacker, next, origin)
    expect(own.at.pathname).toBe('/sign-in')
  })

  it('an expired session is not revived by a new sign-in, nor are its grants', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { scope: 'openid offline_access' })
    const over = new Date(Date.now() - 1000)
    await testApp.db.session.updateMany({ where: { userId: person.id }, data: { expiresAt: over } })
    await person.browser.post('/sign-in/email', { email: person.email, password: person.password })
    await expect(openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('a user who signs out before the redirect back is sent to the sign-in page', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const browser = testApp.browser()
    const { url } = await authorizationOf(application)
    const { at } = await follow(browser, url, origin)
    await browser.post('/sign-in/email', { email: person.email, password: person.password })
    const next = at.searchParams.get('next') ?? ''
    const answered = await browser.request(next)
    expect(answered.location).toMatch(/^\/oauth\/authorize\//)
    await browser.post('/sign-out')
    const resumed = await follow(browser, answered.location ?? '', origin)
    expect(resumed.at.pathname).toBe('/sign-in')
  })

  it('survives re-authentication in the same browser', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { scope: 'openid offline_access' })
    await person.browser.post('/reauthenticate', { password: person.password })
    await person.browser.trpc.session.reauthenticate.mutate({ password: person.password })
    const next = await openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '')
    expect(next.refresh_token).toEqual(expect.any(String))
    // Its tokens identify the same session, and are valid for Foyer's API.
    const forApi = await signInTo(application, person.browser, origin, { resource: origin })
    expect(decodeJwt(forApi.access_token)['sid']).toBe(
      tokens.claims()?.['sid'] ?? decodeJwt(forApi.access_token)['sid'],
    )
    const authorization = `Bearer ${forApi.access_token}`
    expect((await testApp.browser().get('/organization/list', { authorization })).status).toBe(200)
  })
})

describe('signing in for a request', () => {
  it('returns to the request after the sign-in, with hint and language', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const browser = testApp.browser()
    const { url, verifier, state } = await authorizationOf(application, {
      login_hint: person.email,
      ui_locales: 'de en',
    })
    const { at } = await follow(browser, url, origin)
    expect(at.pathname).toBe('/sign-in')
    expect(Object.fromEntries(at.searchParams)).toMatchObject({ email: person.email, lang: 'de en' })
    await browser.post('/sign-in/email', { email: person.email, password: person.password })
    const back = await follow(browser, at.searchParams.get('next') ?? '', origin)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    expect((await openid.authorizationCodeGrant(application.config, back.at, checks)).claims()?.sub).toBe(person.id)
  })

  it('the consent screen is shown in the languages of the request, too', async () => {
    const application = await registerApplication(testApp, { isFirstParty: false })
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application, { ui_locales: 'de en' })
    const { at } = await follow(person.browser, url, origin)
    expect(at.pathname).toMatch(/^\/consent\//)
    expect(at.searchParams.get('lang')).toBe('de en')
  })

  it('prompt=none is answered from the session alone', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application, { prompt: 'none' })
    expect((await follow(testApp.browser(), url, origin)).at.searchParams.get('error')).toBe('login_required')
    expect((await follow(person.browser, url, origin)).at.searchParams.get('code')).toEqual(expect.any(String))
    const third = await registerApplication(testApp, { isFirstParty: false })
    const asked = await authorizationOf(third, { prompt: 'none' })
    expect((await follow(person.browser, asked.url, origin)).at.searchParams.get('error')).toBe('consent_required')
  })

  it('prompt=login and max_age require a session that is newer than the request', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    for (const parameters of [{ prompt: 'login' }, { max_age: '60' }]) {
      const before = new Date(Date.now() - 120_000)
      await testApp.db.session.updateMany({ where: { userId: person.id }, data: { createdAt: before } })
      const { url } = await authorizationOf(application, parameters)
      const { at } = await follow(person.browser, url, origin)
      expect([at.pathname, at.searchParams.get('again')]).toEqual(['/sign-in', 'true'])
      const next = at.searchParams.get('next') ?? ''
      expect((await follow(person.browser, next, origin)).at.pathname).toBe('/sign-in')
      await person.browser.post('/sign-in/email', { email: person.email, password: person.password })
      const back = await follow(person.browser, next, origin)
      expect(back.at.searchParams.get('code')).toEqual(expect.any(String))
    }
  })
})

describe('a request that another user has begun', () => {
  it.each([{ prompt: 'login' }, { max_age: '60' }])(
    'is not answered with a session that is older than it: %o',
    async (parameters) => {
      const application = await registerApplication(testApp)
      const person = await createUser(testApp)
      const other = await createUser(testApp)
      const before = new Date(Date.now() - 120_000)
      const users = { in: [person.id, other.id] }
      await testApp.db.session.updateMany({ where: { userId: users }, data: { createdAt: before } })
      for (const beginner of [testApp.browser(), other.browser]) {
        const { url } = await authorizationOf(application, parameters)
        const { at } = await follow(beginner, url, origin)
        const next = at.searchParams.get('next') ?? ''
        expect([at.pathname, next.startsWith('/oauth/continue/')]).toEqual(['/sign-in', true])
        // The request's cookies, together with a copied session.
        const thief = testApp.browser()
        for (const [name, value] of person.browser.jar) thief.jar.set(name, value)
        for (const [name, value] of beginner.jar) if (name.startsWith('foyer.interaction')) thief.jar.set(name, value)
        for (const [name, value] of beginner.jar) if (name.startsWith('foyer.resume')) thief.jar.set(name, value)
        expect((await follow(thief, next, origin)).at.pathname).toBe('/sign-in')
      }
    },
  )
})

describe('a program with a loopback redirect URI', () => {
  it('asks its user each time, because the client id does not identify it', async () => {
    const loopback = 'http://127.0.0.1:8123/callback'
    for (const isFirstParty of [true, false]) {
      const application = await registerApplication(testApp, { isPublic: true, isFirstParty, redirectUris: [loopback] })
      const person = await createUser(testApp)
      const parameters = { redirect_uri: loopback, scope: 'openid offline_access' }
      for (let n = 0; n < 2; n++) {
        const { url, verifier, state } = await authorizationOf(application, parameters)
        const { at } = await follow(person.browser, url, origin)
        expect(at.pathname).toMatch(/^\/consent\//)
        const uid = at.pathname.split('/')[2] ?? ''
        const decided = await person.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
        const back = await follow(person.browser, decided.url, origin)
        expect(back.at.href.startsWith(loopback)).toBe(true)
        const checks = { pkceCodeVerifier: verifier, expectedState: state }
        const tokens = await openid.authorizationCodeGrant(application.config, back.at, checks)
        expect(tokens.claims()?.sub).toBe(person.id)
      }
      const silent = await authorizationOf(application, { ...parameters, prompt: 'none' })
      const { at } = await follow(person.browser, silent.url, origin)
      expect(at.searchParams.get('error')).toBe('consent_required')
      const denied = await authorizationOf(application, parameters)
      const asked = await follow(person.browser, denied.url, origin)
      const uid = asked.at.pathname.split('/')[2] ?? ''
      const { url } = await person.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: false })
      expect((await follow(person.browser, url, origin)).at.searchParams.get('error')).toBe('access_denied')
    }
  })
})

describe('the organization of a grant', () => {
  it('is selected by slug or id by members, and refused to others', async () => {
    const application = await registerApplication(testApp)
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await member.browser.post('/organization/set-active', { organizationId: null })
    for (const organization of [owner.organization.slug, owner.organization.id]) {
      const tokens = await signInTo(application, member.browser, origin, { resource: api, organization })
      expect(decodeJwt(tokens.access_token)['org']).toMatchObject({ id: owner.organization.id, role: 'member' })
    }
    expect((await member.browser.get('/get-session')).body.session.activeOrganizationId).toBeNull()
    const stranger = await createUser(testApp)
    // A slug that looks like an id is not found.
    await stranger.browser.post('/organization/create', { name: 'Acme', slug: owner.organization.id })
    for (const organization of [owner.organization.slug, owner.organization.id, 'nothing']) {
      const { url } = await authorizationOf(application, { organization })
      const { at } = await follow(stranger.browser, url, origin)
      expect([organization, at.searchParams.get('error'), at.searchParams.get('code')]).toEqual([
        organization,
        'access_denied',
        null,
      ])
    }
  })
})

describe('third parties', () => {
  it('are allowed once by the user, then connected until removed', async () => {
    const application = await registerApplication(testApp, { isFirstParty: false })
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application)
    const { at } = await follow(person.browser, url, origin)
    const uid = at.pathname.split('/')[2] ?? ''
    expect(await person.browser.trpc.oauth.consent.query({ uid })).toEqual({
      app: { name: 'Shop', logo: null, isFirstParty: false },
      resources: [],
      organization: null,
      scopes: ['openid', 'profile', 'email'],
      email: person.email,
    })
    const { url: back } = await person.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
    expect((await follow(person.browser, back, origin)).at.searchParams.get('code')).toEqual(expect.any(String))
    const tokens = await signInTo(application, person.browser, origin)
    // The consent also applies in a later session.
    await signInTo(application, await signInElsewhere(testApp, person), origin)
    expect(await person.browser.trpc.oauth.connectedApps.query()).toMatchObject([
      { clientId: application.id, name: 'Shop', scopes: ['email', 'openid', 'profile'] },
    ])
    await person.browser.trpc.oauth.removeApp.mutate({ clientId: application.id })
    expect(await openid.tokenIntrospection(application.config, tokens.access_token)).toEqual({ active: false })
    expect(await person.browser.trpc.oauth.connectedApps.query()).toEqual([])
    expect((await follow(person.browser, url, origin)).at.pathname).toMatch(/^\/consent\//)
    await expect(person.browser.trpc.oauth.removeApp.mutate({ clientId: application.id })).rejects.toThrow('not found')
  })

  it('get no metadata of the user or the organization', async () => {
    const own = await registerApplication(testApp)
    const third = await registerApplication(testApp, { isFirstParty: false })
    const owner = await createOrganizationOwner(testApp, { metadata: { plan: 'gold' } })
    const member = await createMember(testApp, owner)
    const { organization } = owner
    const scope = 'openid organization'
    const parameters = { scope, resource: api, organization: organization.id }
    const ofOwn = await signInTo(own, member.browser, origin, parameters)
    expect(decodeJwt(ofOwn.access_token)['org']).toMatchObject({ metadata: { plan: 'gold' } })
    const { url, verifier, state } = await authorizationOf(third, parameters)
    const { at } = await follow(member.browser, url, origin)
    const uid = at.pathname.split('/')[2] ?? ''
    const decided = await member.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
    const back = await follow(member.browser, decided.url, origin)
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await openid.authorizationCodeGrant(third.config, back.at, checks)
    for (const token of [tokens.access_token, tokens.id_token ?? '']) {
      const { org, metadata } = decodeJwt(token)
      expect(metadata).toBeUndefined()
      expect(org).toEqual({ id: organization.id, slug: organization.slug, role: 'member', teams: expect.any(Array) })
    }
    const about = await signInTo(third, member.browser, origin, { scope, organization: organization.id })
    const told = await openid.fetchUserInfo(third.config, about.access_token, member.id)
    expect(told['org']).toEqual({
      id: organization.id,
      slug: organization.slug,
      role: 'member',
      teams: expect.any(Array),
    })
  })

  it('ask again for an API or an organization that their user has not consented to', async () => {
    const application = await registerApplication(testApp, { isFirstParty: false })
    const [owner, other] = [
      await createOrganizationOwner(testApp),
      await createOrganizationOwner(testApp, { name: 'Other' }),
    ]
    const { browser } = owner
    const invitationId = await createInvitation(other, owner.email)
    await browser.post('/organization/accept-invitation', { invitationId })
    const scope = 'openid organization'
    const begin = async (more: Record<string, string> = {}) => {
      const { at } = await follow(browser, (await authorizationOf(application, { scope, ...more })).url, origin)
      return at
    }
    const allow = async (at: URL) => {
      const uid = at.pathname.split('/')[2] ?? ''
      const asked = await browser.trpc.oauth.consent.query({ uid })
      const { url } = await browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
      expect((await follow(browser, url, origin)).at.searchParams.get('code')).toEqual(expect.any(String))
      return asked
    }
    const wanted = { resource: api, organization: other.organization.slug }
    expect(await allow(await begin())).toMatchObject({ resources: [], organization: null })
    expect(await allow(await begin({ resource: api }))).toMatchObject({ resources: [api], organization: null })
    expect(await allow(await begin(wanted))).toMatchObject({ resources: [api], organization: 'Other' })
    // All of it has been allowed, including in another session.
    const elsewhere = await signInElsewhere(testApp, owner)
    for (const more of [{}, { resource: api }, wanted]) {
      const { url } = await authorizationOf(application, { scope, ...more })
      expect((await follow(elsewhere, url, origin)).at.searchParams.get('code')).toEqual(expect.any(String))
    }
    // The user's other organization has not been allowed.
    const { url } = await authorizationOf(application, { scope, organization: owner.organization.id })
    expect((await follow(elsewhere, url, origin)).at.pathname).toMatch(/^\/consent\//)
  })

  it('are refused with access_denied, and get no token for Foyer itself', async () => {
    const application = await registerApplication(testApp, { isFirstParty: false })
    const person = await createUser(testApp)
    const { url } = await authorizationOf(application)
    const { at } = await follow(person.browser, url, origin)
    const uid = at.pathname.split('/')[2] ?? ''
    const { url: back } = await person.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: false })
    const denied = await follow(person.browser, back, origin)
    expect([denied.at.searchParams.get('error'), denied.at.searchParams.get('iss')]).toEqual(['access_denied', origin])
    const scoped = await authorizationOf(application, { scope: 'openid email', resource: api })
    const waiting = await follow(person.browser, scoped.url, origin)
    const asked = waiting.at.pathname.split('/')[2] ?? ''
    const { url: on } = await person.browser.trpc.oauth.decideConsent.mutate({ uid: asked, isAllowed: true })
    const ended = await follow(person.browser, on, origin)
    const checks = { pkceCodeVerifier: scoped.verifier, expectedState: scoped.state }
    const limited = decodeJwt((await openid.authorizationCodeGrant(application.config, ended.at, checks)).access_token)
    expect([limited['email'], limited['name'], limited['org']]).toEqual([person.email, undefined, undefined])
    const { url: forApi } = await authorizationOf(application, { resource: origin })
    expect((await follow(person.browser, forApi, origin)).at.searchParams.get('error')).toBe('invalid_target')
  })
})

describe('calls with an access token', () => {
  it('of a first-party application act on behalf of its user, without cookies and without an Origin check', async () => {
    const application = await registerApplication(testApp)
    const owner = await createOrganizationOwner(testApp)
    const tokens = await signInTo(application, owner.browser, origin, { resource: origin })
    const authorization = `Bearer ${tokens.access_token}`
    const outside = testApp.browser()
    const { body, cookies } = await outside.get('/get-session', { authorization })
    expect([body.user.email, cookies]).toEqual([owner.email, []])
    expect((await outside.get('/organization/list', { authorization })).body).toMatchObject([
      { id: owner.organization.id },
    ])
    const renamed = await outside.post('/update-user', { name: 'By token' }, { authorization, origin: 'none' })
    expect([renamed.status, renamed.cookies]).toEqual([200, []])
    // With cookies, the Origin is checked as usual.
    const beside = await owner.browser.post(
      '/update-user',
      { name: 'x' },
      { authorization, origin: 'https://evil.example' },
    )
    expect(beside.body.code).toBe('INVALID_ORIGIN')
    await owner.browser.post('/sign-out')
    const late = await outside.get('/organization/list', { authorization })
    expect([late.status, late.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  })

  it('are refused once the application is removed', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { resource: origin })
    const authorization = `Bearer ${tokens.access_token}`
    expect((await testApp.browser().get('/organization/list', { authorization })).status).toBe(200)
    await person.browser.trpc.oauth.removeApp.mutate({ clientId: application.id })
    expect((await testApp.browser().get('/organization/list', { authorization })).status).toBe(401)
  })

  it('end with their own grant, even if the same application has another one in the session', async () => {
    const application = await registerApplication(testApp)
    const owner = await createOrganizationOwner(testApp)
    const scope = 'openid offline_access'
    const [one, other] = [
      await signInTo(application, owner.browser, origin, { scope, resource: origin }),
      await signInTo(application, owner.browser, origin, {
        scope,
        resource: origin,
        organization: owner.organization.id,
      }),
    ]
    const list = async ({ access_token: token }: { access_token: string }) =>
      (await testApp.browser().get('/organization/list', { authorization: `Bearer ${token}` })).status
    expect([await list(one), await list(other)]).toEqual([200, 200])
    await openid.tokenRevocation(application.config, one.refresh_token ?? '')
    expect([await list(one), await list(other)]).toEqual([401, 200])
  })

  it('do not follow an emailed link for their user', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { resource: origin })
    await person.browser.post('/delete-user', {})
    const link = new URL(await emailedLink(testApp, person.email, 'confirmDeletion'))
    const token = link.searchParams.get('token') ?? ''
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    for (const path of ['/delete-user/callback', '/delete-user/callback/'])
      expect((await testApp.browser().get(`${path}?token=${token}`, headers)).status).toBeGreaterThanOrEqual(400)
    expect(await testApp.db.user.count({ where: { id: person.id } })).toBe(1)
  })

  it('cannot be exchanged for lasting access', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { resource: origin })
    const authorization = `Bearer ${tokens.access_token}`
    const outside = testApp.browser()
    for (const [path, body] of [
      ['/api-key/create', { name: 'x' }],
      ['/change-password', { currentPassword: person.password, newPassword: 'another long password' }],
      ['/change-email', { newEmail: 'x@example.test' }],
      ['/delete-user', { password: person.password }],
      ['/link-social', { provider: 'github' }],
      ['/update-user', { username: 'somebody_else' }],
    ] as const) {
      const { status, body: answer } = await outside.post(path, body, { authorization, origin: 'none' })
      expect([path, status, answer.code]).toEqual([path, 403, 'INSUFFICIENT_SCOPE'])
    }
    expect((await outside.get('/token', { authorization })).status).toBe(403)
    const decide = await outside.request('/api/trpc/oauth.decideDevice', {
      method: 'POST',
      body: JSON.stringify({ userCode: 'AAAA-BBBB', isAllowed: true }),
      headers: { authorization, 'content-type': 'application/json', origin: 'none' },
    })
    expect(decide.status).toBe(403)
  })

  it('are refused with other tokens signed by the same keys, and with tokens of programs', async () => {
    const application = await registerApplication(testApp)
    const person = await createUser(testApp)
    const tokens = await signInTo(application, person.browser, origin, { resource: api })
    const program = await registerApplication(testApp, { grantTypes: ['client_credentials'], redirectUris: [] })
    const own = await openid.clientCredentialsGrant(program.config, { resource: origin })
    const own2 = await openid.clientCredentialsGrant(program.config, { resource: api })
    expect(decodeJwt(own2.access_token)).toMatchObject({ sub: program.id, client_id: program.id, aud: api })
    const [head = '', body = '', signature = ''] = own.access_token.split('.')
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${body}.`
    for (const token of [
      tokens.access_token,
      tokens.id_token ?? '',
      own.access_token,
      own2.access_token,
      none,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      'a.b.c',
      'x',
    ]) {
      const { status } = await testApp.browser().get('/list-sessions', { authorization: `Bearer ${token}` })
      expect([token.slice(0, 20), status]).toEqual([token.slice(0, 20), 401])
    }
  })

  it('are limited by token, not by IP address', async () => {
    const limited = await createTestApp({ RATE_LIMIT: 'on' })
    const application = await registerApplication(limited)
    const person = await createUser(limited)
    const tokens = await signInTo(application, person.browser, limited.origin, { resource: limited.origin })
    const authorization = `Bearer ${tokens.access_token}`
    const statuses = new Set<number>()
    for (let n = 0; n < 150; n++)
      statuses.add((await limited.browser().get('/organization/list', { authorization })).status)
    expect([...statuses]).toEqual([200])
    const unknown: number[] = []
    for (let n = 0; n < 110; n++)
      unknown.push((await limited.browser().get('/organization/list', { authorization: 'Bearer a.b.c' })).status)
    expect(unknown.at(-1)).toBe(429)
  })
})

describe('devices', () => {
  it('are allowed by their user, after the requesting program was shown', async () => {
    const cli = await registerApplication(testApp, {
      isPublic: true,
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      redirectUris: [],
    })
    const person = await createUser(testApp)
    const request = await openid.initiateDeviceAuthorization(cli.config, {
      scope: 'openid offline_access',
      resource: api,
    })
    expect(request.verification_uri).toBe(`${origin}/device`)
    expect(request.user_code.replace('-', '')).toMatch(/^[A-Z0-9]{8,}$/)
    const poll = () =>
      openid.genericGrantRequest(cli.config, 'urn:ietf:params:oauth:grant-type:device_code', {
        device_code: request.device_code,
      })
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' })
    const typed = ` ${request.user_code.toLowerCase().replace('-', ' ')} `
    const { trpc } = person.browser
    expect((await trpc.oauth.device.mutate({ userCode: typed })).app.name).toBe('Shop')
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' })
    await trpc.oauth.decideDevice.mutate({ userCode: typed, isAllowed: true })
    const tokens = await poll()
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: person.id, aud: api })
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(trpc.oauth.decideDevice.mutate({ userCode: typed, isAllowed: true })).rejects.toThrow('not valid')
  })

  it('that require more than the session provides are refused, and receive its actual level', async () => {
    const cli = await registerApplication(testApp, {
      isPublic: true,
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
      redirectUris: [],
    })
    const person = await createUser(testApp)
    const before = new Date(Date.now() - 120_000)
    await testApp.db.session.updateMany({ where: { userId: person.id }, data: { createdAt: before } })
    const decide = async (parameters: Record<string, string>) => {
      const request = await openid.initiateDeviceAuthorization(cli.config, { scope: 'openid', ...parameters })
      const { decideDevice } = person.browser.trpc.oauth
      await decideDevice.mutate({ userCode: request.user_code, isAllowed: true })
      return openid.genericGrantRequest(cli.config, 'urn:ietf:params:oauth:grant-type:device_code', {
        device_code: request.device_code,
      })
    }
    await expect(decide({ acr_values: 'aal2' })).rejects.toMatchObject({ data: { reason: 'SECOND_FACTOR_REQUIRED' } })
    await expect(decide({ max_age: '0' })).rejects.toMatchObject({ data: { reason: 'SESSION_IS_NOT_FRESH' } })
    await expect(decide({ max_age: '60' })).rejects.toMatchObject({ data: { reason: 'SESSION_IS_NOT_FRESH' } })
    const tokens = await decide({ acr_values: 'aal1 aal2', max_age: '600' })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ acr: 'aal1' })
  })

  it('are refused by their user, and decided once by concurrent requests', async () => {
    const cli = await registerApplication(testApp, {
      isPublic: true,
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
      redirectUris: [],
    })
    const [a, b] = [await createUser(testApp), await createUser(testApp)]
    const request = await openid.initiateDeviceAuthorization(cli.config, { scope: 'openid' })
    const userCode = request.user_code
    const answers = await Promise.allSettled([
      a.browser.trpc.oauth.decideDevice.mutate({ userCode, isAllowed: false }),
      b.browser.trpc.oauth.decideDevice.mutate({ userCode, isAllowed: false }),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(
      openid.genericGrantRequest(cli.config, 'urn:ietf:params:oauth:grant-type:device_code', {
        device_code: request.device_code,
      }),
    ).rejects.toMatchObject({ error: 'access_denied' })
    await expect(a.browser.trpc.oauth.device.mutate({ userCode: 'WRONGCODE' })).rejects.toThrow('not valid')
  })
})

describe('logout', () => {
  const received: { body: URLSearchParams }[] = []
  const answers: number[] = []
  const application = createServer((request: IncomingMessage, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      received.push({ body: new URLSearchParams(text) })
      response.statusCode = answers.shift() ?? 200
      response.end()
    })
  })
  afterTestFile(() => application.close())

  it('requested by an application leads to the page that asks, then back', async () => {
    const home = 'https://app.example.com/bye'
    const shop = await registerApplication(testApp, { postLogoutRedirectUris: [home] })
    const person = await createUser(testApp)
    const tokens = await signInTo(shop, person.browser, origin)
    const url = openid.buildEndSessionUrl(shop.config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: home,
      state: 'abc',
    })
    const { at } = await follow(person.browser, url.href, origin)
    expect(at.pathname).toBe('/sign-out')
    expect((await person.browser.get('/get-session')).body).not.toBeNull()
    await person.browser.post('/sign-out')
    const done = await follow(person.browser, at.searchParams.get('next') ?? '', origin)
    expect(done.at.href).toBe(`${home}?state=abc`)
    // Without a session there is no question to ask.
    expect((await follow(testApp.browser(), url.href, origin)).at.href).toBe(`${home}?state=abc`)
    const evil = openid.buildEndSessionUrl(shop.config, { post_logout_redirect_uri: 'https://evil.example/' })
    expect((await follow(person.browser, evil.href, origin)).at.origin).toBe(origin)
    const forged = `/oauth/end-session/done?to=${Buffer.from('https://evil.example').toString('base64url')}&signature=x`
    expect((await person.browser.request(forged)).status).toBe(404)
    // A link that was signed before its URL was removed.
    await testApp.db.oAuthClient.update({ where: { id: shop.id }, data: { postLogoutRedirectUris: [] } })
    expect((await person.browser.request(at.searchParams.get('next') ?? '')).location).toBe('/sign-in')
    // The signed text cannot be divided in another way.
    const signed = new URL(at.searchParams.get('next') ?? '', origin)
    signed.searchParams.set('client', `${shop.id}:https`)
    signed.searchParams.set('to', Buffer.from('//app.example.com/bye').toString('base64url'))
    expect((await person.browser.request(signed.pathname + signed.search)).status).toBe(404)
  })

  it('notifies the applications of the session, and retries until they respond', async () => {
    await new Promise<void>((done) => application.listen(0, '127.0.0.1', done))
    const { port } = application.address() as AddressInfo
    const shop = await registerApplication(testApp, { backchannelLogoutUri: `http://127.0.0.1:${port}/logout` })
    const person = await createUser(testApp)
    const tokens = await signInTo(shop, person.browser, origin)
    const sid = tokens.claims()?.['sid']
    const { session } = (await person.browser.get('/get-session')).body
    expect(sid).toBe(session.id)
    answers.push(500)
    await person.browser.post('/sign-out')
    await sendLogouts(testApp.app)
    expect(received).toHaveLength(1)
    testApp.advanceClock(6)
    await Promise.all([sendLogouts(testApp.app), sendLogouts(testApp.app)])
    testApp.advanceClock(600)
    await sendLogouts(testApp.app)
    expect(received).toHaveLength(2)
    const token = received[1]?.body.get('logout_token') ?? ''
    const { payload, protectedHeader } = await jwtVerify(token, keys(), { issuer: origin, audience: shop.id })
    expect(protectedHeader.typ).toBe('logout+jwt')
    expect(payload).toMatchObject({
      sub: person.id,
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(await testApp.db.logoutNotice.count()).toBe(0)
  })
})

it('NUL in a parameter is refused: the database cannot store it', async () => {
  const application = await registerApplication(testApp)
  const person = await createUser(testApp)
  for (const name of ['login_hint', 'state', 'nonce', 'acr_values', 'organization']) {
    for (const browser of [testApp.browser(), person.browser]) {
      const { url } = await authorizationOf(application, { [name]: 'a\0b' })
      expect([name, (await browser.request(url)).status < 500]).toEqual([name, true])
    }
  }
})

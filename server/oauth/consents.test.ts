import * as openid from 'openid-client'
import { expect, it } from 'vitest'
import { sweep } from '../maintenance/sweep.ts'
import { authorizationOf, follow, registerApplication, signInTo, type Application } from '../testing/applications.ts'
import type { Browser } from '../testing/browser.ts'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import { createOrganizationOwner, newSlug } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { password, createUser, signInElsewhere } from '../testing/test-users.ts'

const [api, otherApi] = ['https://api.example.com', 'https://other.example.com']
const testApp = await createTestApp({ TOKEN_AUDIENCES: `${api},${otherApi}`, WEBHOOKS_ALLOW_PRIVATE: 'on' })
const { origin } = testApp

/** Where a request of an application ends: at its callback, or on the consent screen. */
async function request(browser: Browser, application: Application, ...parameters: [string, string][]): Promise<URL> {
  const url = new URL((await authorizationOf(application, { scope: 'openid' })).url)
  for (const [name] of parameters) url.searchParams.delete(name)
  for (const [name, value] of parameters) url.searchParams.append(name, value)
  return (await follow(browser, url.href, origin)).at
}

const uidOf = (at: URL) => at.pathname.split('/')[2] ?? ''
const isAsked = (at: URL) => at.pathname.startsWith('/consent/')
const hasCode = (at: URL) => at.searchParams.has('code')

async function allow(browser: Browser, at: URL): Promise<URL> {
  const { url } = await browser.trpc.oauth.decideConsent.mutate({ uid: uidOf(at), isAllowed: true })
  return (await follow(browser, url, origin)).at
}

/** Makes statements that update a column of the issuer's artifacts wait, until `during` releases them. */
async function whileWaiting<Result>(column: string, during: (release: () => Promise<void>) => Promise<Result>) {
  await testApp.pool.query(`
    create or replace function wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(42); return null; end $$;
    create or replace trigger wait_for_test before update of "${column}" on "OAuthArtifact"
      for each statement execute function wait_for_test()`)
  try {
    return await withRowLock(testApp, 'select pg_advisory_xact_lock(42)', [], during)
  } finally {
    await testApp.pool.query('drop trigger wait_for_test on "OAuthArtifact"')
  }
}

const countGrants = (userId: string) => testApp.db.oAuthArtifact.count({ where: { userId, kind: 'Grant' } })

it('scopes that were granted without an API, or with another, are not granted for an API', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser } = await createUser(testApp)
  await allow(browser, await request(browser, application, ['resource', api]))
  await allow(browser, await request(browser, application, ['scope', 'openid email']))
  expect(hasCode(await request(browser, application, ['scope', 'openid email']))).toBe(true)
  expect(hasCode(await request(browser, application, ['resource', api]))).toBe(true)
  const both = await request(browser, application, ['scope', 'openid email'], ['resource', api])
  expect(isAsked(both)).toBe(true)
  expect(hasCode(await allow(browser, both))).toBe(true)
  expect(hasCode(await request(browser, application, ['scope', 'openid email'], ['resource', api]))).toBe(true)
  // For two APIs, each of them is needed.
  expect(isAsked(await request(browser, application, ['resource', api], ['resource', otherApi]))).toBe(true)
})

it('a request under way gets no access when the application is removed', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const person = await createUser(testApp)
  await allow(person.browser, await request(person.browser, application))
  const elsewhere = await signInElsewhere(testApp, person)
  const before = await countGrants(person.id)
  const removal = `delete from "OAuthConsent" where "userId" = $1`
  const late = await withRowLock(testApp, removal, [person.id], async (release) => {
    const sent = request(elsewhere, application)
    await untilWaiting(testApp, 1)
    await release()
    return sent
  })
  expect(isAsked(late)).toBe(true)
  expect(await countGrants(person.id)).toBe(before)
  expect(await person.browser.trpc.oauth.connectedApps.query()).toEqual([])
})

it.each([true, false])(
  'a removal while a grant is being saved does not fail the request (first party: %s)',
  async (isFirstParty) => {
    const application = await registerApplication(testApp, { isFirstParty })
    const person = await createUser(testApp)
    const first = await request(person.browser, application)
    if (!isFirstParty) await allow(person.browser, first)
    const elsewhere = await signInElsewhere(testApp, person)
    // The new grant waits between its two statements.
    const late = await whileWaiting('organizationId', async (release) => {
      const sent = request(elsewhere, application)
      await untilWaiting(testApp, 1)
      await person.browser.trpc.oauth.removeApp.mutate({ clientId: application.id })
      await release()
      return sent
    })
    expect([isAsked(late), hasCode(late)]).toEqual([!isFirstParty, isFirstParty])
    expect(await countGrants(person.id)).toBe(isFirstParty ? 1 : 0)
  },
)

it('a session that has ended meanwhile allows nothing', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const person = await createUser(testApp)
  const uid = uidOf(await request(person.browser, application))
  const ending = 'delete from "Session" where "userId" = $1'
  const reason = await withRowLock(testApp, ending, [person.id], async (release) => {
    const sent = person.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true }).then(
      () => 'allowed',
      (error: { data?: { reason?: string } }) => error.data?.reason,
    )
    await Promise.race([untilWaiting(testApp, 1), sent])
    await release()
    return sent
  })
  expect(reason).toBe('UNAUTHORIZED')
  expect(await testApp.db.oAuthConsent.count({ where: { userId: person.id } })).toBe(0)
  expect(await countGrants(person.id)).toBe(0)
})

it.each([true, false])(
  'concurrent requests of a session keep the permissions of each other (first party: %s)',
  async (isFirstParty) => {
    const application = await registerApplication(testApp, { isFirstParty })
    const person = await createUser(testApp)
    if (!isFirstParty)
      for (const resource of [api, otherApi])
        await allow(person.browser, await request(person.browser, application, ['resource', resource]))
    if (!isFirstParty)
      await allow(person.browser, await request(person.browser, application, ['scope', 'openid email']))
    for (let round = 0; round < 8; round++) {
      const browser = await signInElsewhere(testApp, person)
      await request(browser, application)
      const wanted = [{ resource: api }, { resource: otherApi }, { scope: 'openid email' }]
      const requests = await Promise.all(
        wanted.map((more) => authorizationOf(application, { scope: 'openid', ...more })),
      )
      const tokens = await Promise.all(
        requests.map(async ({ url, verifier, state }) => {
          const { at } = await follow(browser, url, origin)
          return openid.authorizationCodeGrant(application.config, at, {
            pkceCodeVerifier: verifier,
            expectedState: state,
          })
        }),
      )
      expect(tokens.map(({ scope }) => scope)).toEqual(['openid', 'openid', 'openid email'])
    }
  },
)

it('an application is removed even if its consent has ended before', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser, id } = await createUser(testApp)
  await allow(browser, await request(browser, application))
  await testApp.db.oAuthConsent.deleteMany({ where: { userId: id } })
  await browser.trpc.oauth.removeApp.mutate({ clientId: application.id })
  expect(await countGrants(id)).toBe(0)
  await expect(browser.trpc.oauth.removeApp.mutate({ clientId: application.id })).rejects.toThrow('not found')
})

it('an answer allows what was asked, even if the application was removed meanwhile', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser, id } = await createUser(testApp)
  await allow(browser, await request(browser, application, ['resource', api]))
  const waiting = await request(browser, application, ['resource', api], ['prompt', 'consent'])
  await browser.trpc.oauth.removeApp.mutate({ clientId: application.id })
  await allow(browser, waiting)
  const consents = await testApp.db.oAuthConsent.findMany({ where: { userId: id }, select: { resource: true } })
  expect(consents).toEqual([{ resource: api }])
})

it('without the scope of organizations, a consent for any of them will do', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser, organization } = await createOrganizationOwner(testApp)
  await allow(browser, await request(browser, application, ['organization', organization.id]))
  expect(hasCode(await request(browser, application))).toBe(true)
  expect(isAsked(await request(browser, application, ['scope', 'openid organization']))).toBe(true)
})

it('a device may name an API twice', async () => {
  const grant = 'urn:ietf:params:oauth:grant-type:device_code'
  const program = await registerApplication(testApp, {
    isPublic: true,
    isFirstParty: false,
    grantTypes: [grant],
    redirectUris: [],
  })
  const { browser } = await createUser(testApp)
  const wanted = new URLSearchParams([
    ['scope', 'openid'],
    ['resource', api],
    ['resource', api],
  ])
  const begun = await openid.initiateDeviceAuthorization(program.config, wanted)
  await browser.trpc.oauth.decideDevice.mutate({ userCode: begun.user_code, isAllowed: true })
  const tokens = await openid.genericGrantRequest(program.config, grant, { device_code: begun.device_code })
  expect(tokens.access_token).toEqual(expect.any(String))
})

it('a grant that was revoked while it was extended stays revoked', async () => {
  const application = await registerApplication(testApp)
  const person = await createUser(testApp)
  const first = await signInTo(application, person.browser, origin, { scope: 'openid offline_access' })
  const late = await whileWaiting('payload', async (release) => {
    const sent = request(person.browser, application, ['resource', api])
    await untilWaiting(testApp, 1)
    await openid.tokenRevocation(application.config, first.refresh_token ?? '')
    await release()
    return sent
  })
  expect(hasCode(late)).toBe(true)
  expect(await countGrants(person.id)).toBe(1)
  const { active } = await openid.tokenIntrospection(application.config, first.access_token)
  expect(active).toBe(false)
})

it('the tokens of a grant that replaced a revoked one name the session that it came from', async () => {
  const application = await registerApplication(testApp, { backchannelLogoutUri: 'http://localhost:9/logout' })
  const { browser, email } = await createUser(testApp)
  const first = await signInTo(application, browser, origin, { scope: 'openid offline_access' })
  await browser.post('/sign-in/email', { email, password })
  const { session } = (await browser.get('/get-session')).body
  const { url, verifier, state } = await authorizationOf(application, { scope: 'openid email' })
  const { at } = await whileWaiting('payload', async (release) => {
    const sent = follow(browser, url, origin)
    await untilWaiting(testApp, 1)
    await openid.tokenRevocation(application.config, first.refresh_token ?? '')
    await release()
    return sent
  })
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await openid.authorizationCodeGrant(application.config, at, checks)
  expect(first.claims()?.['sid']).not.toBe(session.id)
  expect(tokens.claims()?.['sid']).toBe(session.id)
})

it('a grant that is being made is not limited as one without an organization', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser, organization } = await createOrganizationOwner(testApp)
  const { body: other } = await browser.post('/organization/create', { name: 'Globex', slug: newSlug() })
  const wanted = ['scope', 'openid organization'] as [string, string]
  await allow(browser, await request(browser, application, wanted, ['organization', organization.id]))
  await allow(browser, await request(browser, application, ['organization', other.id]))
  await testApp.db.oAuthArtifact.deleteMany({ where: { clientId: application.id } })
  await browser.post('/organization/delete', { organizationId: other.id })
  const late = await whileWaiting('sid', async (release) => {
    const sent = request(browser, application, wanted, ['organization', organization.id])
    await untilWaiting(testApp, 1)
    await sweep(testApp.app)
    await release()
    return sent
  })
  expect(hasCode(late)).toBe(true)
  const [grant] = await testApp.db.oAuthArtifact.findMany({ where: { clientId: application.id, kind: 'Grant' } })
  expect(grant?.payload).toMatchObject({ openid: { scope: 'openid organization' } })
})

it('a request that fails leaves the earlier access of its session alone', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser, id } = await createUser(testApp)
  const parameters = { scope: 'openid offline_access', prompt: 'consent' }
  const { url, verifier, state } = await authorizationOf(application, parameters)
  const at = await allow(browser, (await follow(browser, url, origin)).at)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await openid.authorizationCodeGrant(application.config, at, checks)
  await allow(browser, await request(browser, application, ['scope', 'openid email']))
  const held = 'select 1 from "OAuthConsent" where "userId" = $1 for update'
  // Longer than the database waits for a lock.
  const failed = await withRowLock(testApp, held, [id], () => request(browser, application, ['scope', 'openid email']))
  expect(hasCode(failed)).toBe(false)
  expect((await openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '')).access_token).toBeTruthy()
})

it('an application that was deleted while its user was asked is not allowed', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser } = await createUser(testApp)
  const uid = uidOf(await request(browser, application))
  await testApp.db.oAuthClient.delete({ where: { id: application.id } })
  const decided = browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
  await expect(decided).rejects.toMatchObject({ data: { reason: 'INTERACTION_EXPIRED' } })
})

it('a request without scopes is not answered by any consent', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser, id } = await createUser(testApp)
  await allow(browser, await request(browser, application, ['resource', api]))
  const before = await testApp.db.oAuthConsent.findMany({ where: { userId: id } })
  testApp.advanceClock(60)
  const at = await request(browser, application, ['scope', ''], ['resource', api])
  expect(hasCode(at)).toBe(false)
  expect(await testApp.db.oAuthConsent.findMany({ where: { userId: id } })).toEqual(before)
})

it('an answer to a request without scopes allows none', async () => {
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { browser, id } = await createUser(testApp)
  const asked = await request(browser, application, ['scope', ''], ['prompt', 'consent'], ['resource', api])
  expect(hasCode(await allow(browser, asked))).toBe(false)
  const consents = await testApp.db.oAuthConsent.findMany({ where: { userId: id }, select: { scopes: true } })
  expect(consents.flatMap(({ scopes }) => scopes)).toEqual([])
})

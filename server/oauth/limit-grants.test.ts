import { decodeJwt } from 'jose'
import * as openid from 'openid-client'
import { expect, it } from 'vitest'
import { transaction } from '../foundation/transactions.ts'
import { sweep } from '../maintenance/sweep.ts'
import { lockUser } from '../session/locks.ts'
import { authorizationOf, follow, registerApplication, signInTo, type Application } from '../testing/applications.ts'
import type { Browser } from '../testing/browser.ts'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import { createOrganizationOwner, newSlug } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { endConnections } from '../token/connections.ts'
import { restrictGrantsToConsents } from './limit-grants.ts'

const apis = ['https://api.example.com/one', 'https://api.example.com/two'] as const
const testApp = await createTestApp({ TOKEN_AUDIENCES: apis.join() })
const { origin } = testApp
const device = 'urn:ietf:params:oauth:grant-type:device_code'

/** A program on a device without a browser. */
const createProgram = () =>
  registerApplication(testApp, { isPublic: true, isFirstParty: false, grantTypes: [device], redirectUris: [] })

/** Sends a request of an application, and allows what its user is asked. Returns where it ended, and the exchange. */
async function request(browser: Browser, application: Application, parameters: Record<string, string>) {
  const { url, verifier, state } = await authorizationOf(application, parameters)
  let { at } = await follow(browser, url, origin)
  const isAsked = at.pathname.startsWith('/consent/')
  if (isAsked) {
    const uid = at.pathname.split('/')[2] ?? ''
    const decided = await browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
    at = (await follow(browser, decided.url, origin)).at
  }
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  return { isAsked, exchange: () => openid.authorizationCodeGrant(application.config, at, checks) }
}

/** The scopes and APIs of an application's grants, without an organization first. */
async function grantsOf({ id: clientId }: Application) {
  const { rows } = await testApp.pool.query<{ scope: string; resources: Record<string, string> }>(
    `select payload->'openid'->>'scope' as scope, coalesce(payload->'resources', '{}') as resources
     from "OAuthArtifact" where kind = 'Grant' and "clientId" = $1 order by "organizationId" nulls first`,
    [clientId],
  )
  return rows
}

async function deleteOrganization({ browser }: { browser: Browser }, organizationId: string): Promise<void> {
  expect((await browser.post('/organization/delete', { organizationId })).status).toBe(200)
}

it('a grant keeps what the remaining consents include, for each API', async () => {
  const owner = await createOrganizationOwner(testApp)
  const application = await registerApplication(testApp)
  const { id: organization } = owner.organization
  const all = 'openid email profile organization offline_access'
  const tokens = await signInTo(application, owner.browser, origin, { scope: all })
  for (const resource of apis) await signInTo(application, owner.browser, origin, { scope: all, resource })
  await signInTo(application, owner.browser, origin, { scope: 'openid', organization })
  // What was agreed to without an organization: no `email`, and one API with less.
  const where = { clientId: application.id, organizationId: '' }
  const less = ['offline_access', 'openid', 'profile']
  await testApp.db.oAuthConsent.updateMany({ where: { ...where, resource: '' }, data: { scopes: less } })
  await testApp.db.oAuthConsent.updateMany({ where: { ...where, resource: apis[0] }, data: { scopes: ['openid'] } })
  await testApp.db.oAuthConsent.deleteMany({ where: { ...where, resource: apis[1] } })
  await deleteOrganization(owner, organization)
  await sweep(testApp.app)
  const kept = 'openid profile offline_access'
  expect(await grantsOf(application)).toEqual([{ scope: kept, resources: { [apis[0]]: 'openid' } }])
  expect((await openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '')).scope).toBe(kept)
})

it('a grant for an organization that remains keeps what was agreed to for it', async () => {
  const owner = await createOrganizationOwner(testApp)
  const { body: remaining } = await owner.browser.post('/organization/create', { name: 'Globex', slug: newSlug() })
  const application = await registerApplication(testApp)
  const scope = 'openid email organization'
  await signInTo(application, owner.browser, origin, { scope })
  await signInTo(application, owner.browser, origin, { scope, organization: remaining.id })
  await signInTo(application, owner.browser, origin, { scope, organization: owner.organization.id })
  const data = { scopes: ['openid', 'organization'] }
  await testApp.db.oAuthConsent.updateMany({ where: { organizationId: remaining.id }, data })
  // What was agreed to for an organization does not count for the active one.
  await testApp.db.oAuthConsent.updateMany({
    where: { clientId: application.id, organizationId: '' },
    data: { scopes: ['openid', 'email'] },
  })
  await deleteOrganization(owner, owner.organization.id)
  await sweep(testApp.app)
  expect(await grantsOf(application)).toEqual([
    { scope: 'openid email', resources: {} },
    { scope: 'openid organization', resources: {} },
  ])
})

it('a grant of which nothing is left ends', async () => {
  const owner = await createOrganizationOwner(testApp)
  const application = await registerApplication(testApp)
  const { id: organization } = owner.organization
  const tokens = await signInTo(application, owner.browser, origin, { scope: 'openid email offline_access' })
  await signInTo(application, owner.browser, origin, { scope: 'openid', organization })
  const where = { clientId: application.id, organizationId: '' }
  await testApp.db.oAuthConsent.updateMany({ where, data: { scopes: ['email'] } })
  await deleteOrganization(owner, organization)
  await sweep(testApp.app)
  expect(await grantsOf(application)).toEqual([])
  const refreshed = openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '')
  await expect(refreshed).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('a code for an API that was only agreed to for a deleted organization gives no token', async () => {
  const owner = await createOrganizationOwner(testApp)
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { id: organization } = owner.organization
  const [resource] = apis
  await request(owner.browser, application, { scope: 'openid' })
  await request(owner.browser, application, { scope: 'openid email', resource, organization })
  const late = await request(owner.browser, application, { scope: 'openid email', resource })
  expect(late.isAsked).toBe(false)
  await deleteOrganization(owner, organization)
  await sweep(testApp.app)
  await expect(late.exchange()).rejects.toMatchObject({ error: 'invalid_grant' })
  const again = await request(owner.browser, application, { scope: 'openid email', resource })
  expect(again.isAsked).toBe(true)
  expect(decodeJwt((await again.exchange()).access_token)['scope']).toBe('openid email')
})

it('a refresh token stays valid for other APIs', async () => {
  const owner = await createOrganizationOwner(testApp)
  const application = await registerApplication(testApp)
  const { id: organization } = owner.organization
  await signInTo(application, owner.browser, origin, { scope: 'openid', organization })
  const { url, verifier, state } = await authorizationOf(application, {
    scope: 'openid offline_access',
    resource: apis[0],
  })
  const { at } = await follow(owner.browser, `${url}&resource=${encodeURIComponent(apis[1])}`, origin)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await openid.authorizationCodeGrant(application.config, at, checks, { resource: apis[0] })
  await testApp.db.oAuthConsent.deleteMany({ where: { clientId: application.id, resource: apis[0] } })
  await deleteOrganization(owner, organization)
  await sweep(testApp.app)
  const refresh = (resource: string) =>
    openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '', { resource })
  await expect(refresh(apis[0])).rejects.toMatchObject({ error: 'invalid_target' })
  const withoutApi = openid.refreshTokenGrant(application.config, tokens.refresh_token ?? '')
  await expect(withoutApi).rejects.toMatchObject({ error: 'invalid_target' })
  expect(decodeJwt((await refresh(apis[1])).access_token)['aud']).toBe(apis[1])
})

it('a request at the same time does not give a grant back what it has lost', async () => {
  const owner = await createOrganizationOwner(testApp)
  const application = await registerApplication(testApp, { isFirstParty: false })
  const { id: organization } = owner.organization
  await request(owner.browser, application, { scope: 'openid' })
  await request(owner.browser, application, { scope: 'openid email', organization })
  await deleteOrganization(owner, organization)
  const { url } = await authorizationOf(application, { scope: 'openid email' })
  let late: ReturnType<typeof follow> | undefined
  await transaction(testApp.app, async (tx) => {
    // As the sweep does.
    await lockUser(tx, owner.id)
    await tx.oAuthConsent.deleteMany({ where: { userId: owner.id, organizationId: organization } })
    await restrictGrantsToConsents(tx, { userId: owner.id, clientId: application.id }, testApp.app.clock())
    late = follow(owner.browser, url, origin)
    await untilWaiting(testApp, 1)
  })
  expect((await late)?.at.pathname).toMatch(/^\/consent\//)
  expect(await grantsOf(application)).toEqual([{ scope: 'openid', resources: {} }])
})

it.each([
  ['the application is removed', false],
  ['consents of the application end', true],
])('an answer while %s allows what was asked', async (_, isSwept) => {
  const owner = await createOrganizationOwner(testApp)
  const program = await createProgram()
  await testApp.pool.query(
    `insert into "OAuthConsent" ("userId", "clientId", "redirectUri", "organizationId", resource, scopes, "createdAt", "lastUsedAt")
     values ($1, $2, '', 'gone', '', '{openid}', now(), now())`,
    [owner.id, program.id],
  )
  const begun = await openid.initiateDeviceAuthorization(program.config, { scope: 'openid email' })
  let decided: Promise<unknown> | undefined
  await transaction(testApp.app, async (tx) => {
    // The answer waits for the user, after it has saved the grant.
    await tx.$queryRaw`select 1 from "User" where id = ${owner.id} for no key update`
    decided = owner.browser.trpc.oauth.decideDevice.mutate({ userCode: begun.user_code, isAllowed: true })
    await untilWaiting(testApp, 1)
    const connection = { userId: owner.id, clientId: program.id }
    if (isSwept) {
      await tx.oAuthConsent.deleteMany({ where: connection })
      await restrictGrantsToConsents(tx, connection, testApp.app.clock())
    } else await endConnections(tx, connection)
  })
  await decided
  const tokens = await openid.genericGrantRequest(program.config, device, { device_code: begun.device_code })
  expect(tokens.scope).toBe('openid email')
  // No access without a consent, which could not be removed.
  expect(await testApp.db.oAuthConsent.findMany({ where: { clientId: program.id }, select: { scopes: true } })).toEqual(
    [{ scopes: ['openid', 'email'] }],
  )
})

it('a request for an API without scopes does not prevent anything from ending', async () => {
  const owner = await createOrganizationOwner(testApp)
  const program = await createProgram()
  const [resource] = apis
  for (const wanted of [{ scope: 'openid', organization: owner.organization.id }, { resource }]) {
    const begun = await openid.initiateDeviceAuthorization(program.config, wanted)
    await owner.browser.trpc.oauth.decideDevice.mutate({ userCode: begun.user_code, isAllowed: true })
  }
  // As some were stored.
  await testApp.pool.query(
    `update "OAuthArtifact" set payload = jsonb_set(payload, '{resources}', jsonb_build_object($2::text, null))
     where kind = 'Grant' and "clientId" = $1 and "organizationId" is null`,
    [program.id, resource],
  )
  await deleteOrganization(owner, owner.organization.id)
  await sweep(testApp.app)
  expect(await testApp.db.oAuthConsent.count({ where: { clientId: program.id, organizationId: { not: '' } } })).toBe(0)
})

it('skips a locked grant without blocking the others', async () => {
  const people = [await createOrganizationOwner(testApp), await createOrganizationOwner(testApp)] as const
  const application = await registerApplication(testApp)
  for (const { browser, organization } of people) {
    await signInTo(application, browser, origin, { scope: 'openid offline_access', organization: organization.id })
  }
  for (const one of people) await deleteOrganization(one, one.organization.id)
  const held = `select 1 from "OAuthArtifact" where kind = 'RefreshToken' and "userId" = $1 for update`
  await withRowLock(testApp, held, [people[0].id], () => sweep(testApp.app))
  const left = await testApp.db.oAuthArtifact.findMany({
    where: { kind: 'Grant', clientId: application.id },
    select: { userId: true },
  })
  expect(left).toEqual([{ userId: people[0].id }])
  await sweep(testApp.app)
  expect(await grantsOf(application)).toEqual([])
})

import * as openid from 'openid-client'
import { describe, expect, it } from 'vitest'
import { runClientCommand } from '../oauth/command.ts'
import { authorizationOf, callback, follow, signInTo } from '../testing/applications.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createAdministrator, createUser } from '../testing/test-users.ts'

const testApp = await createTestApp()
const uri = callback
const moved = 'https://new.example.com/callback'

async function configured(id: string, secret: string) {
  const options = { execute: [openid.allowInsecureRequests] }
  const config = await openid.discovery(
    new URL(testApp.origin),
    id,
    undefined,
    openid.ClientSecretBasic(secret),
    options,
  )
  return { id, secret, config }
}

describe('clients of the issuer', () => {
  it('are created, sign users in, get a new secret, and are deleted with their grants', async () => {
    const admin = await createAdministrator(testApp)
    const { status, body } = await admin.browser.post('/admin/create-client', { name: ' Shop ', redirectUris: [uri] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Shop',
      redirectUris: [uri],
      isPublic: false,
      isFirstParty: false,
      grantTypes: ['authorization_code', 'refresh_token'],
      secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(body).not.toHaveProperty('secretHash')
    const { id } = body
    await testApp.db.oAuthClient.update({ where: { id }, data: { isFirstParty: true } })
    const listed = await admin.browser.get('/admin/list-clients')
    expect(listed.body).toContainEqual(expect.objectContaining({ id, name: 'Shop' }))
    expect(listed.text).not.toContain(body.secret)
    const application = await configured(id, body.secret)
    const person = await createUser(testApp)
    const parameters = { scope: 'openid offline_access' }
    const tokens = await signInTo(application, person.browser, testApp.origin, parameters)
    expect(tokens.claims()?.sub).toBe(person.id)
    const replaced = await admin.browser.post('/admin/replace-client-secret', { clientId: id })
    const refresh = tokens.refresh_token ?? ''
    await expect(openid.refreshTokenGrant(application.config, refresh)).rejects.toMatchObject({ status: 401 })
    const renewed = await configured(id, replaced.body.secret)
    const again = await openid.refreshTokenGrant(renewed.config, refresh)
    expect((await admin.browser.post('/admin/delete-client', { clientId: id })).body).toEqual({ status: true })
    await expect(openid.refreshTokenGrant(renewed.config, again.refresh_token ?? '')).rejects.toMatchObject({
      status: 401,
    })
    expect(await testApp.db.oAuthArtifact.count({ where: { clientId: id } })).toBe(0)
    for (const path of ['/admin/delete-client', '/admin/replace-client-secret'])
      expect((await admin.browser.post(path, { clientId: id })).body.code).toBe('CLIENT_NOT_FOUND')
    const types = await testApp.db.event.findMany({ where: { actorId: admin.id }, orderBy: { id: 'asc' } })
    const ofClients = types.map(({ type }) => type).filter((type) => type.startsWith('client.'))
    expect(ofClients).toEqual(['client.created', 'client.secret_replaced', 'client.deleted'])
  })

  it('that the command manages are recorded too', async () => {
    const options = ['create', '--name', 'By command', '--redirect-uri', uri]
    const created = await runClientCommand(testApp.app, options)
    const { client_id: id } = JSON.parse(created.lines[0] ?? '')
    expect(await runClientCommand(testApp.app, ['delete', id])).toMatchObject({ status: 0 })
    expect(await runClientCommand(testApp.app, ['delete', id])).toMatchObject({ status: 1 })
    const found = await testApp.db.event.findMany({ where: { userAgent: 'npm run client' }, orderBy: { id: 'asc' } })
    const data = { clientId: id, name: 'By command' }
    expect(found).toMatchObject([
      { type: 'client.created', actorId: null, data },
      { type: 'client.deleted', actorId: null, data },
    ])
  })

  it('are changed by administrators, but first-party ones by the command only', async () => {
    const { browser, id: actorId } = await createAdministrator(testApp)
    const backchannelLogoutUri = 'https://shop.example.com/logout'
    const { body } = await browser.post('/admin/create-client', {
      name: 'Shop',
      redirectUris: [uri],
      backchannelLogoutUri,
    })
    const changes = { clientId: body.id, name: 'New shop', redirectUris: [moved] }
    const update = (more: object = {}) => browser.post('/admin/update-client', { ...changes, ...more })
    const { secret: _secret, ...created } = body
    // Fields that are missing stay as they are.
    expect((await update()).body).toEqual({ ...created, name: 'New shop', redirectUris: [moved] })
    expect((await update({ redirectUris: undefined, logo: 'https://cdn.example.com/x.png' })).body).toMatchObject({
      redirectUris: [moved],
      logo: 'https://cdn.example.com/x.png',
      backchannelLogoutUri,
    })
    for (const [wrong, code] of [
      [{ redirectUris: [] }, 'CLIENT_GRANTS_ARE_INVALID'],
      [{ redirectUris: ['http://app.example.com/'] }, 'CLIENT_URI_IS_INVALID'],
      [{ backchannelLogoutUri: 'http://169.254.169.254/' }, 'CLIENT_URI_IS_INVALID'],
      [{ clientId: 'unknown' }, 'CLIENT_NOT_FOUND'],
      [{ name: '' }, 'VALIDATION_ERROR'],
    ] as const)
      expect((await update(wrong)).body.code).toBe(code)
    // Its creator could act as all users, and so could anyone who changes its redirect URIs.
    await testApp.db.oAuthClient.update({ where: { id: body.id }, data: { isFirstParty: true } })
    expect((await update({ redirectUris: [uri] })).body.code).toBe('CLIENT_NOT_FOUND')
    const person = await createUser(testApp)
    expect((await person.browser.post('/admin/update-client', changes)).body.code).toBe('YOU_ARE_NOT_AN_ADMINISTRATOR')
    const stored = () => testApp.db.oAuthClient.findUniqueOrThrow({ where: { id: body.id } })
    expect(await stored()).toMatchObject({ name: 'New shop', redirectUris: [moved] })
    const command = (...args: string[]) => runClientCommand(testApp.app, ['update', body.id, ...args])
    expect(await command('--name', 'Own', '--redirect-uri', uri)).toMatchObject({ status: 0 })
    expect(await command('--redirect-uri', 'http://app.example.com/')).toMatchObject({ status: 2 })
    expect(await command('--first-party')).toMatchObject({ status: 2 })
    expect(await runClientCommand(testApp.app, ['update', 'unknown', '--name', 'x'])).toMatchObject({ status: 1 })
    expect(await stored()).toMatchObject({
      name: 'Own',
      redirectUris: [uri],
      backchannelLogoutUri,
      isFirstParty: true,
    })
    const where = { type: 'client.updated', data: { path: ['clientId'], equals: body.id } }
    expect(await testApp.db.event.findMany({ where, orderBy: { id: 'asc' } })).toMatchObject([
      { actorId, data: { fields: ['name', 'redirectUris'], redirectUris: [moved] } },
      { actorId, data: { fields: ['logo'], redirectUris: [moved] } },
      { actorId: null, userAgent: 'npm run client', data: { fields: ['name', 'redirectUris'], redirectUris: [uri] } },
    ])
  })

  it('that get another redirect URI ask their users once more before they use it, and send nothing to a former one', async () => {
    const { browser } = await createAdministrator(testApp)
    const { body } = await browser.post('/admin/create-client', { name: 'Shop', redirectUris: [uri] })
    const application = await configured(body.id, body.secret)
    const person = await createUser(testApp)
    const { trpc } = person.browser
    const uidOf = (at: URL) => at.pathname.split('/')[2] ?? ''
    /** A request for a redirect URI: where it leads to, and the verifier of its code. */
    const request = async (redirectUri: string) => {
      const { url, verifier } = await authorizationOf(application)
      const target = new URL(url)
      target.searchParams.set('redirect_uri', redirectUri)
      return { ...(await follow(person.browser, target.href, testApp.origin)), verifier }
    }
    const isSentTo = ({ at }: { at: URL }, redirectUri: string) =>
      at.origin + at.pathname === redirectUri && at.searchParams.has('code')
    const change = async (redirectUris: string[]) => {
      const changed = await browser.post('/admin/update-client', { clientId: body.id, redirectUris })
      expect(changed.status).toBe(200)
    }
    const allow = async (at: URL) => {
      const { url } = await trpc.oauth.decideConsent.mutate({ uid: uidOf(at), isAllowed: true })
      return follow(person.browser, url, testApp.origin)
    }
    expect(isSentTo(await allow((await request(uri)).at), uri)).toBe(true)
    expect(isSentTo(await request(uri), uri)).toBe(true)

    await change([uri, moved])
    expect(isSentTo(await request(uri), uri)).toBe(true)
    const asked = await request(moved)
    expect(asked.at.pathname).toMatch(/^\/consent\//)
    expect(isSentTo(await allow(asked.at), moved)).toBe(true)
    expect(isSentTo(await request(moved), moved)).toBe(true)

    // A request that waits for its user, and a code that was not exchanged yet.
    await trpc.oauth.removeApp.mutate({ clientId: body.id })
    const waiting = await request(uri)
    const denied = await request(uri)
    await change([moved])
    const { url: back } = await trpc.oauth.decideConsent.mutate({ uid: uidOf(waiting.at), isAllowed: true })
    expect((await follow(person.browser, back, testApp.origin)).at.pathname).toBe('/error')
    const refusal = await trpc.oauth.decideConsent.mutate({ uid: uidOf(denied.at), isAllowed: false })
    expect((await follow(person.browser, refusal.url, testApp.origin)).at.pathname).toBe('/error')
    await change([uri, moved])
    const sent = await request(uri)
    expect(isSentTo(sent, uri)).toBe(true)
    const code = sent.at.searchParams.get('code') ?? ''
    await change([moved])
    const exchange = openid.genericGrantRequest(application.config, 'authorization_code', { code, redirect_uri: uri })
    await expect(exchange).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('get at one redirect URI only what their users have agreed to there', async () => {
    const { browser } = await createAdministrator(testApp)
    const { body } = await browser.post('/admin/create-client', { name: 'Shop', redirectUris: [uri, moved] })
    const application = await configured(body.id, body.secret)
    const person = await createUser(testApp)
    const request = async (redirectUri: string, scope: string) => {
      const { url } = await authorizationOf(application, { scope })
      const target = new URL(url)
      target.searchParams.set('redirect_uri', redirectUri)
      return (await follow(person.browser, target.href, testApp.origin)).at
    }
    const allow = async (at: URL) => {
      expect(at.pathname).toMatch(/^\/consent\//)
      const uid = at.pathname.split('/')[2] ?? ''
      const { url } = await person.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
      return (await follow(person.browser, url, testApp.origin)).at
    }
    const wide = 'openid profile email organization'
    await allow(await request(uri, wide))
    await allow(await request(moved, 'openid'))
    // The permissions at one URI stay when those at the other are agreed to, and the list of applications has all.
    expect((await request(uri, wide)).searchParams.has('code')).toBe(true)
    expect((await request(moved, 'openid')).searchParams.has('code')).toBe(true)
    expect(await person.browser.trpc.oauth.connectedApps.query()).toMatchObject([
      { clientId: body.id, scopes: wide.split(' ').toSorted() },
    ])
    expect((await request(moved, wide)).pathname).toMatch(/^\/consent\//)
    await allow(await request(moved, wide))
    for (const one of [uri, moved]) expect((await request(one, wide)).searchParams.has('code')).toBe(true)
    const where = { type: 'user.app_connected', actorId: person.id }
    expect(await testApp.db.event.count({ where })).toBe(1)
    await person.browser.trpc.oauth.removeApp.mutate({ clientId: body.id })
    for (const one of [uri, moved]) expect((await request(one, 'openid')).pathname).toMatch(/^\/consent\//)
  })

  it('ask once as a device and once with codes, however often both are used', async () => {
    const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
    const { browser } = await createAdministrator(testApp)
    const { body } = await browser.post('/admin/create-client', {
      name: 'Shop',
      redirectUris: [uri],
      grantTypes: ['authorization_code', deviceGrant],
    })
    const application = await configured(body.id, body.secret)
    const person = await createUser(testApp)
    const { trpc } = person.browser
    const withCode = async () => {
      const { url } = await authorizationOf(application, { scope: 'openid email' })
      return (await follow(person.browser, url, testApp.origin)).at
    }
    const asDevice = async () => {
      const { user_code: userCode } = await openid.initiateDeviceAuthorization(application.config, { scope: 'openid' })
      await trpc.oauth.decideDevice.mutate({ userCode, isAllowed: true })
    }
    await asDevice()
    const asked = await withCode()
    expect(asked.pathname).toMatch(/^\/consent\//)
    const uid = asked.pathname.split('/')[2] ?? ''
    await trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
    await asDevice()
    expect((await withCode()).searchParams.has('code')).toBe(true)
    expect(await trpc.oauth.connectedApps.query()).toMatchObject([{ scopes: ['email', 'openid'] }])
  })

  it('get the active organization only if their users have agreed to that, not for a named one', async () => {
    const { browser } = await createAdministrator(testApp)
    const { body } = await browser.post('/admin/create-client', { name: 'Shop', redirectUris: [uri] })
    const application = await configured(body.id, body.secret)
    const owner = await createOrganizationOwner(testApp)
    const request = async (more: Record<string, string>) => {
      const { url } = await authorizationOf(application, { scope: 'openid organization', ...more })
      return (await follow(owner.browser, url, testApp.origin)).at
    }
    const allow = async (at: URL) => {
      const uid = at.pathname.split('/')[2] ?? ''
      await owner.browser.trpc.oauth.decideConsent.mutate({ uid, isAllowed: true })
    }
    const named = { organization: owner.organization.id }
    await allow(await request(named))
    expect((await request(named)).searchParams.has('code')).toBe(true)
    const asked = await request({})
    expect(asked.pathname).toMatch(/^\/consent\//)
    await allow(asked)
    for (const one of [{}, named]) expect((await request(one)).searchParams.has('code')).toBe(true)
  })

  it('without a secret cannot have it replaced', async () => {
    const { browser } = await createAdministrator(testApp)
    const client = { name: 'Phone', redirectUris: [uri], isPublic: true }
    const { body } = await browser.post('/admin/create-client', client)
    expect(body).toMatchObject({ isPublic: true, secret: null })
    expect((await browser.post('/admin/replace-client-secret', { clientId: body.id })).body.code).toBe(
      'CLIENT_NOT_FOUND',
    )
  })

  it('have a logo, which is shown on the consent screen', async () => {
    const { browser } = await createAdministrator(testApp)
    const logo = 'https://cdn.example.com/shop.svg'
    const { body } = await browser.post('/admin/create-client', { name: 'Shop', logo, redirectUris: [uri] })
    expect(body).toMatchObject({ logo })
    const person = await createUser(testApp)
    const application = await configured(body.id, body.secret)
    const { url } = await authorizationOf(application)
    const { at } = await follow(person.browser, url, testApp.origin)
    const asked = await person.browser.trpc.oauth.consent.query({ uid: at.pathname.split('/')[2] ?? '' })
    expect(asked.app).toEqual({ name: 'Shop', logo, isFirstParty: false })
  })

  it('are refused with invalid URIs and grants', async () => {
    const { browser } = await createAdministrator(testApp)
    const before = await testApp.db.oAuthClient.count()
    const create = async (more: object) =>
      (await browser.post('/admin/create-client', { name: 'Shop', redirectUris: [uri], ...more })).body.code
    for (const wrong of [
      '/callback',
      'http://app.example.com/',
      'https://a.example/#x',
      'https://*.example/',
      'https://a.example/zurück',
      'javascript:alert(1)',
    ])
      expect(await create({ redirectUris: [uri, wrong] })).toBe('CLIENT_URI_IS_INVALID')
    expect(await create({ postLogoutRedirectUris: ['x'] })).toBe('CLIENT_URI_IS_INVALID')
    expect(await create({ backchannelLogoutUri: 'http://169.254.169.254/' })).toBe('CLIENT_URI_IS_INVALID')
    for (const logo of ['javascript:alert(1)', 'http://cdn.example.com/logo.svg', '/logo.svg'])
      expect(await create({ logo })).toBe('CLIENT_URI_IS_INVALID')
    expect(await create({ redirectUris: [] })).toBe('CLIENT_GRANTS_ARE_INVALID')
    const device = 'urn:ietf:params:oauth:grant-type:device_code'
    expect(await create({ redirectUris: [], grantTypes: ['authorization_code', device] })).toBe(
      'CLIENT_GRANTS_ARE_INVALID',
    )
    expect(await create({ grantTypes: ['refresh_token', 'refresh_token'] })).toBe('CLIENT_GRANTS_ARE_INVALID')
    expect(await create({ grantTypes: ['refresh_token'] })).toBe('CLIENT_GRANTS_ARE_INVALID')
    expect(await create({ isPublic: true, grantTypes: ['client_credentials'] })).toBe('CLIENT_GRANTS_ARE_INVALID')
    expect(await create({ grantTypes: ['password'] })).toBe('VALIDATION_ERROR')
    expect(await create({ name: ' ' })).toBe('VALIDATION_ERROR')
    expect(await testApp.db.oAuthClient.count()).toBe(before)
  })

  it('are for administrators in a fresh session', async () => {
    const person = await createUser(testApp)
    expect((await testApp.browser().get('/admin/list-clients')).status).toBe(401)
    expect((await person.browser.get('/admin/list-clients')).body.code).toBe('YOU_ARE_NOT_AN_ADMINISTRATOR')
    const refused = await person.browser.post('/admin/create-client', { name: 'Shop', redirectUris: [uri] })
    expect(refused.body.code).toBe('YOU_ARE_NOT_AN_ADMINISTRATOR')
    const own = await createTestApp()
    const admin = await createAdministrator(own)
    own.advanceClock(25 * 3600)
    expect((await admin.browser.get('/admin/list-clients')).status).toBe(200)
    const late = await admin.browser.post('/admin/create-client', { name: 'Shop', redirectUris: [uri] })
    expect(late.body.code).toBe('SESSION_IS_NOT_FRESH')
  })
})

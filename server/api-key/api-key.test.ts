import { apiKeyClient } from 'better-auth/client/plugins'
import { describe, expect, it } from 'vitest'
import { clientWith } from '../testing/better-auth.ts'
import type { UntypedJson } from '../testing/browser.ts'
import { createOrganizationOwner, createMember, newSlug } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { type TestUser, createUser } from '../testing/test-users.ts'

const testApp = await createTestApp()

const clientOf = (person: Pick<TestUser, 'browser'>) => clientWith(apiKeyClient(), person, testApp)

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe('API keys, with the unmodified client', () => {
  it('are created, read, listed, updated and deleted', async () => {
    const person = await createUser(testApp)
    const client = clientOf(person)
    const { data: created } = await client.apiKey.create({ name: 'Build', expiresIn: 7 * 86_400, metadata: { a: 1 } })
    expect(created).toMatchObject({
      name: 'Build',
      enabled: true,
      userId: person.id,
      metadata: { a: 1 },
      permissions: null,
      remaining: null,
      requestCount: 0,
      rateLimitEnabled: true,
    })
    expect(created.key).toMatch(/^foyer_[\w-]{43}$/)
    expect(created.key.startsWith(created.start)).toBe(true)
    const { data: read } = await client.apiKey.get({ query: { id: created.id } })
    expect(read).toEqual({ ...created, key: undefined })
    const { data: listed } = await client.apiKey.list()
    expect(listed).toEqual([read])
    const { data: updated } = await client.apiKey.update({ keyId: created.id, name: 'Deploy', enabled: false })
    expect(updated).toMatchObject({ name: 'Deploy', enabled: false })
    expect((await testApp.browser().get('/organization/list', bearer(created.key))).status).toBe(401)
    expect((await client.apiKey.delete({ keyId: created.id })).data).toEqual({ success: true })
    expect((await client.apiKey.list()).data).toEqual([])
    expect((await testApp.mails(person.email))[0]).toMatchObject({ kind: 'apiKeyCreated' })
  })

  it('are refused where better-auth refuses them', async () => {
    const person = await createUser(testApp)
    const client = clientOf(person)
    const { data: own } = await client.apiKey.create({ name: 'x' })
    const errorOf = async (call: Promise<UntypedJson>) => {
      const { error } = await call
      return [error.status, error.message]
    }
    const { apiKey } = client
    expect(await errorOf(apiKey.create({ expiresIn: 60 }))).toEqual([
      400,
      'The expiresIn is smaller than the predefined minimum value.',
    ])
    expect(await errorOf(apiKey.create({ expiresIn: 366 * 86_400 }))).toEqual([
      400,
      'The expiresIn is larger than the predefined maximum value.',
    ])
    expect(await errorOf(apiKey.create({ name: 'x'.repeat(33) }))).toEqual([
      400,
      'The name length is either too large or too small.',
    ])
    expect(await errorOf(apiKey.create({ prefix: 'x'.repeat(33) }))).toEqual([
      400,
      'The prefix length is either too large or too small.',
    ])
    expect(await errorOf(apiKey.create({ metadata: 'text' }))).toEqual([400, 'metadata must be an object or undefined'])
    for (const more of [{ rateLimitMax: 1 }, { remaining: 5 }, { refillAmount: 1 }, { permissions: { a: ['b'] } }]) {
      expect((await errorOf(apiKey.create(more)))[1]).toContain('can only be set from the server')
    }
    expect(await errorOf(apiKey.update({ keyId: own.id }))).toEqual([400, 'No values to update.'])
    expect(await errorOf(apiKey.update({ keyId: own.id, name: '' }))).toEqual([
      400,
      'The name length is either too large or too small.',
    ])
    const stranger = clientOf(await createUser(testApp))
    for (const call of [
      stranger.apiKey.get({ query: { id: own.id } }),
      stranger.apiKey.update({ keyId: own.id, name: 'mine' }),
      stranger.apiKey.delete({ keyId: own.id }),
    ])
      expect(await errorOf(call)).toEqual([404, 'API Key not found'])
    expect((await errorOf(clientOf({ browser: testApp.browser() }).apiKey.create({})))[0]).toBe(401)
  })
})

describe('restrictions of an API key', () => {
  it('a key with permissions can do nothing else, even if its user can', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const organizationId = owner.organization.id
    const permissions = { team: ['create'] }
    for (const unknown of [{ nothing: ['x'] }, { team: ['create', 'bogus'] }]) {
      const refused = await owner.browser.post('/api-key/create', { organizationId, permissions: unknown })
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    const { key } = (await owner.browser.post('/api-key/create', { organizationId, permissions })).body
    const outside = testApp.browser()
    const headers = { ...bearer(key), origin: 'none' }
    const team = { name: 'By key', organizationId }
    expect((await outside.post('/organization/create-team', team, headers)).status).toBe(200)
    for (const [path, body] of [
      ['/organization/update', { data: { name: 'x' }, organizationId }],
      ['/organization/update-member-role', { memberId: member.memberId, role: 'owner', organizationId }],
      ['/organization/remove-member', { memberIdOrEmail: member.memberId, organizationId }],
      ['/organization/leave', { organizationId }],
      ['/organization/delete', { organizationId }],
    ] as const) {
      const { status, body: answer } = await outside.post(path, body, headers)
      expect([path, status, answer.code]).toEqual([path, 403, 'INSUFFICIENT_SCOPE'])
    }
    for (const call of ['cancel', 'resume', 'change-plan', 'update-payment-method']) {
      const { status } = await outside.request(`/api/payments/subscriptions/${call}`, {
        method: 'POST',
        body: JSON.stringify({ subscriptionId: 'sub_of_others', productId: 'x', quantity: 1, organizationId }),
        headers: { ...headers, 'content-type': 'application/json' },
      })
      expect([call, status]).toEqual([call, 403])
    }
    const reads = ['', '/subscriptions', '/license-keys', '/customers']
    // With the permission, a key reads those of its organization.
    const permitting = { organizationId, permissions: { organization: ['update'] } }
    const permitted = bearer((await owner.browser.post('/api-key/create', permitting)).body.key)
    for (const path of reads) {
      const read = await outside.request(`/api/payments${path}?organizationId=${organizationId}`, {
        headers: permitted,
      })
      expect([path, read.status]).toEqual([path, 200])
    }
    for (const path of reads) {
      const read = await outside.request(`/api/payments${path}?organizationId=${organizationId}`, {
        headers: bearer(key),
      })
      expect([path, read.status]).toEqual([path, 403])
    }
    // It cannot make anyone an owner either, which would circumvent the restriction. Its own organization by default or
    // by its slug; no other one.
    const full = async (query: string) =>
      outside.get(`/organization/get-full-organization${query}`, { authorization: `Bearer ${key}` })
    for (const query of ['', `?organizationSlug=${owner.organization.slug}`])
      expect((await full(query)).body).toMatchObject({ id: organizationId })
    const { body: other } = await owner.browser.post('/organization/create', { name: 'Other', slug: newSlug() })
    // Neither does it tell whether its user belongs to another one.
    const { organization: foreign } = await createOrganizationOwner(testApp)
    for (const query of [
      `?organizationSlug=${other.slug}`,
      `?organizationId=${other.id}`,
      `?organizationSlug=${foreign.slug}`,
      `?organizationId=${foreign.id}`,
      '?organizationSlug=nobody-has-this',
    ])
      expect((await full(query)).body.code).toBe('INSUFFICIENT_SCOPE')
    const inviting = { organizationId, permissions: { invitation: ['create'], member: ['update'] } }
    const inviter = { ...bearer((await owner.browser.post('/api-key/create', inviting)).body.key), origin: 'none' }
    for (const [role, wanted] of [
      ['owner', 403],
      ['member,admin', 403],
      [['member', 'owner'], 403],
      ['member', 200],
    ] as const) {
      const invitation = { email: `a${Date.now()}.${String(role)}@b.test`.replace(',', ''), role, organizationId }
      expect([role, (await outside.post('/organization/invite-member', invitation, inviter)).status]).toEqual([
        role,
        wanted,
      ])
    }
    const raise = { memberId: member.memberId, role: 'owner', organizationId }
    expect((await outside.post('/organization/update-member-role', raise, inviter)).status).toBe(403)
    const invoice = await outside.request('/api/payments/invoice?paymentId=pay_1', { headers: bearer(key) })
    expect(invoice.status).toBe(403)
    const picture = { ...bearer(key), 'content-type': 'image/png' }
    expect((await outside.request('/api/pictures', { method: 'POST', body: 'x', headers: picture })).status).toBe(403)
  })

  it('a key does not lift the limits of public calls, nor of unknown keys', async () => {
    const limited = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUser(limited)
    const { key } = (await person.browser.post('/api-key/create', {})).body
    const tries: number[] = []
    for (let n = 0; n < 6; n++) {
      const body = { email: `nobody${n}@example.test`, password: 'not the password' }
      tries.push((await limited.browser().post('/sign-in/email', body, { ...bearer(key), origin: 'none' })).status)
    }
    expect(tries).toEqual([401, 401, 401, 429, 429, 429])
    const unknown: number[] = []
    for (let n = 0; n < 105; n++)
      unknown.push((await limited.browser().get('/organization/list', bearer(`foyer_${n}`))).status)
    expect([unknown[0], unknown[50], unknown.at(-1)]).toEqual([401, 401, 429])
    // A valid key from the same IP address is not locked out by guesses from there.
    expect((await limited.browser().get('/organization/list', bearer(key))).status).toBe(200)
  })
})

it('the calls with a key are counted, and written at most once a minute', async () => {
  const own = await createTestApp()
  const person = await createUser(own)
  const { key, id } = (await person.browser.post('/api-key/create', { name: 'x' })).body
  const call = async () => expect((await own.browser().get('/organization/list', bearer(key))).status).toBe(200)
  const counted = async () => (await person.browser.get(`/api-key/get?id=${id}`)).body.requestCount
  await call()
  await call()
  await call()
  expect(await counted()).toBe(1)
  own.advanceClock(61)
  await call()
  expect(await counted()).toBe(4)
})

describe('calls with a key', () => {
  it('act on behalf of the user where programs may, and change no account', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { key } = (await owner.browser.post('/api-key/create', { name: 'x' })).body
    const outside = testApp.browser()
    for (const headers of [bearer(key), { 'x-api-key': key }]) {
      const { status, body, cookies } = await outside.get('/organization/list', headers)
      expect([status, body[0].id, cookies]).toEqual([200, owner.organization.id, []])
    }
    const invitation = { email: 'new@example.test', role: 'member', organizationId: owner.organization.id }
    expect(
      (await outside.post('/organization/invite-member', invitation, { ...bearer(key), origin: 'none' })).status,
    ).toBe(200)
    for (const [path, body] of [
      ['/update-user', { name: 'x' }],
      ['/change-password', { currentPassword: owner.password, newPassword: 'another long password' }],
      ['/api-key/create', { name: 'more' }],
      ['/delete-user', {}],
      ['/revoke-sessions', {}],
    ] as const) {
      const { status, body: answer } = await outside.post(path, body, { ...bearer(key), origin: 'none' })
      expect([path, status, answer.code]).toEqual([path, 403, 'INSUFFICIENT_SCOPE'])
    }
    for (const path of ['/list-sessions', '/list-accounts', '/token', '/api-key/list'])
      expect([path, (await outside.get(path, bearer(key))).status]).toEqual([path, 403])
    expect(await testApp.db.apiKey.findFirst({ where: { userId: owner.id } })).toMatchObject({
      lastUsedAt: expect.any(Date),
    })
    expect(JSON.stringify(await testApp.db.apiKey.findMany())).not.toContain(key)
  })

  it('fail after the end of the key, its expiry, its user or its membership', async () => {
    const own = await createTestApp()
    const owner = await createOrganizationOwner(own)
    const member = await createMember(own, owner, 'admin')
    const organizationId = owner.organization.id
    const create = async (more: object = {}) =>
      (await member.browser.post('/api-key/create', { name: 'x', ...more })).body.key
    const [limited, expiring, plain] = [
      await create({ organizationId }),
      await create({ expiresIn: 86_400 }),
      await create(),
    ]
    const statusOf = async (key: string) =>
      (await own.browser().get(`/organization/get-full-organization?organizationId=${organizationId}`, bearer(key)))
        .status
    expect([await statusOf(limited), await statusOf(expiring), await statusOf(plain)]).toEqual([200, 200, 200])
    own.advanceClock(86_401)
    expect([await statusOf(expiring), await statusOf(plain)]).toEqual([401, 200])
    await owner.browser.post('/sign-in/email', { email: owner.email, password: owner.password })
    await owner.browser.post('/organization/remove-member', { memberIdOrEmail: member.email, organizationId })
    expect(await statusOf(limited)).toBe(401)
    expect(await own.db.apiKey.count({ where: { organizationId } })).toBe(0)
    await own.db.user.update({ where: { id: member.id }, data: { bannedAt: own.app.clock() } })
    expect(await statusOf(plain)).toBe(401)
  })

  it('with an organization’s key reach no other organization, and only what its permissions allow', async () => {
    const owner = await createOrganizationOwner(testApp)
    const other = (await owner.browser.post('/organization/create', { name: 'Other', slug: `o-${Date.now()}` })).body
    const organizationId = owner.organization.id
    const { key } = (
      await owner.browser.post('/api-key/create', { organizationId, permissions: { invitation: ['create'] } })
    ).body
    const outside = testApp.browser()
    const headers = { ...bearer(key), origin: 'none' }
    const invite = (organization: string) =>
      outside.post(
        '/organization/invite-member',
        { email: `a${Date.now()}@b.test`, role: 'member', organizationId: organization },
        headers,
      )
    expect((await invite(organizationId)).status).toBe(200)
    expect((await invite(other.id)).status).toBeGreaterThanOrEqual(400)
    for (const path of [
      '/organization/list',
      `/organization/get-full-organization?organizationId=${other.id}`,
      `/organization/get-full-organization?organizationId=${organizationId}&organizationSlug=${other.slug}`,
      `/organization/list-invitations?organizationId=${other.id}`,
      '/organization/list-user-invitations',
    ])
      expect([path, (await outside.get(path, bearer(key))).status >= 400]).toEqual([path, true])
    for (const query of ['', `?organizationId=${other.id}`])
      expect((await outside.request(`/api/payments${query}`, { headers: bearer(key) })).status).toBe(403)
    const allowed = await outside.request(`/api/payments/entitlements?organizationId=${organizationId}`, {
      headers: bearer(key),
    })
    expect(allowed.status).toBe(200)
    // The account of the key's creator is not readable either.
    const { status, body } = await outside.get('/get-session', bearer(key))
    expect([status, body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    const canceling = (
      await owner.browser.post('/api-key/create', { organizationId, permissions: { invitation: ['cancel'] } })
    ).body
    const cancel = (invitationId: string) =>
      outside.post('/organization/cancel-invitation', { invitationId }, { ...bearer(canceling.key), origin: 'none' })
    const invitedTo = async (organization: string) => {
      const invitation = { email: `c${Date.now()}@b.test`, role: 'member', organizationId: organization }
      return (await owner.browser.post('/organization/invite-member', invitation)).body.id as string
    }
    expect((await cancel(await invitedTo(organizationId))).status).toBe(200)
    expect((await cancel(await invitedTo(other.id))).status).toBe(400)
    const renamed = await outside.post('/organization/update', { data: { name: 'x' }, organizationId }, headers)
    expect(renamed.body.code).toBe('INSUFFICIENT_SCOPE')
    const member = await createMember(testApp, owner)
    expect((await member.browser.post('/api-key/create', { organizationId })).status).toBe(403)
    expect((await member.browser.get(`/api-key/list?organizationId=${organizationId}`)).status).toBe(403)
    expect((await owner.browser.get(`/api-key/list?organizationId=${organizationId}`)).body).toHaveLength(2)
  })

  it('are counted by key, not by IP address', async () => {
    const limited = await createTestApp({ RATE_LIMIT: 'on' })
    const person = await createUser(limited)
    const { key, id } = (await person.browser.post('/api-key/create', { name: 'x' })).body
    const statuses = new Set<number>()
    for (let n = 0; n < 200; n++) statuses.add((await limited.browser().get('/organization/list', bearer(key))).status)
    expect([...statuses]).toEqual([200])
    await limited.db.apiKey.update({ where: { id }, data: { rateLimitMax: 1 } })
    expect((await limited.browser().get('/organization/list', bearer(key))).status).toBe(429)
  })

  it('a user may have a hundred keys, and creating one needs a fresh session', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    await own.pool.query(
      `insert into "ApiKey" (id, "keyHash", start, "userId", "rateLimitMax", "rateLimitWindowMs", "createdAt", "updatedAt")
       select 'k' || n, 'k' || n, 'x', $1, 1, 1, now(), now() from generate_series(1, 99) n`,
      [person.id],
    )
    const many = await Promise.all(Array.from({ length: 5 }, () => person.browser.post('/api-key/create', {})))
    expect(many.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403])
    expect(many.find(({ status }) => status === 403)?.body.code).toBe('API_KEY_LIMIT_REACHED')
    own.advanceClock(2 * 86_400)
    expect((await person.browser.post('/api-key/create', {})).body.code).toBe('SESSION_IS_NOT_FRESH')
  })
})

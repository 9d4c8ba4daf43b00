import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createAdministrator, createUser, signInElsewhere } from '../testing/test-users.ts'

const testApp = await createTestApp()
const admin = await createAdministrator(testApp)

async function keyOf(browser: typeof admin.browser) {
  const { body } = await browser.post('/api-key/create', { name: 'back end' })
  return { 'x-api-key': body.key as string }
}

describe('metadata of a user', () => {
  it('are public in session and token, and private to administrators', async () => {
    const person = await createUser(testApp)
    expect((await person.browser.get('/get-session')).body.user.metadata).toEqual({})
    const fields = { metadata: { plan: 'gold', seats: [1, { of: null }] }, privateMetadata: { risk: 0.5 } }
    const { status, body } = await admin.browser.post('/admin/set-user-metadata', { userId: person.id, ...fields })
    expect([status, body]).toEqual([200, fields])
    expect((await admin.browser.get(`/admin/get-user-metadata?userId=${person.id}`)).body).toEqual(fields)

    const session = await person.browser.get('/get-session?disableCookieCache=true')
    expect(session.body.user.metadata).toEqual(fields.metadata)
    expect(decodeJwt((await person.browser.get('/token')).body.token)['metadata']).toEqual(fields.metadata)
    const elsewhere = await signInElsewhere(testApp, person)
    expect((await elsewhere.get('/get-session')).body.user.metadata).toEqual(fields.metadata)
    // Nothing the user can read contains private fields, even after a change that renews the cookies.
    const answers = [
      session,
      await person.browser.post('/update-user', { name: 'Grace' }),
      await elsewhere.get('/get-session'),
    ]
    answers.push(await person.browser.get('/get-session'))
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('risk')
    expect(
      [...person.browser.jar.values()].map((text) => Buffer.from(text, 'base64url').toString()).join(),
    ).not.toContain('risk')
    expect(
      (
        await testApp.db.event.findFirst({
          where: { subjectId: person.id, type: 'user.updated' },
          orderBy: { id: 'asc' },
        })
      )?.data,
    ).toEqual({
      fields: ['metadata', 'privateMetadata'],
    })
    await admin.browser.post('/admin/set-user-metadata', { userId: person.id, ...fields, privateMetadata: { risk: 1 } })
    const latest = await testApp.db.event.findFirst({
      where: { subjectId: person.id, type: 'user.updated' },
      orderBy: { id: 'desc' },
    })
    expect(latest?.data).toEqual({ fields: ['privateMetadata'] })
  })

  it('cannot be changed or read by the user', async () => {
    const person = await createUser(testApp)
    await person.browser.post('/update-user', { name: 'Grace', metadata: { plan: 'gold' }, privateMetadata: { a: 1 } })
    expect((await admin.browser.get(`/admin/get-user-metadata?userId=${person.id}`)).body).toEqual({
      metadata: {},
      privateMetadata: {},
    })
    const body = { userId: person.id, metadata: { plan: 'gold' } }
    expect((await person.browser.post('/admin/set-user-metadata', body)).status).toBe(403)
    expect((await person.browser.get(`/admin/get-user-metadata?userId=${person.id}`)).status).toBe(403)
    expect((await testApp.browser().post('/admin/set-user-metadata', body)).status).toBe(401)
    expect((await testApp.browser().post('/admin/set-user-metadata', body, await keyOf(person.browser))).status).toBe(
      403,
    )
  })

  it('are read and written with the API key of an administrator, each as a whole', async () => {
    const person = await createUser(testApp)
    const headers = await keyOf(admin.browser)
    const program = testApp.browser()
    const set = (fields: object) => program.post('/admin/set-user-metadata', { userId: person.id, ...fields }, headers)
    await set({ metadata: { a: 1, b: 2 }, privateMetadata: { c: 3 } })
    expect((await set({ metadata: { d: 4 } })).body).toEqual({ metadata: { d: 4 }, privateMetadata: { c: 3 } })
    expect((await set({})).body).toEqual({ metadata: { d: 4 }, privateMetadata: { c: 3 } })
    expect((await program.get(`/admin/get-user-metadata?userId=${person.id}`, headers)).body.metadata).toEqual({ d: 4 })
    // The key allows no other administrative call.
    expect((await program.get(`/admin/get-user?userId=${person.id}`, headers)).status).toBe(403)
  })

  const deep = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))
  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['nothing', null],
    ['more than 16 kB', { a: 'x'.repeat(16_400) }],
    ['a prototype', JSON.parse('{"a":[{"__proto__":{"role":"admin"}}]}')],
    ['a constructor', { a: { constructor: 1 } }],
    ['17 levels', deep(17)],
    ['1,000 levels', deep(1000)],
    ['a null character', { a: '\0' }],
    ['half a character', { a: { b: '\ud800' } }],
  ])('are refused as %s', async (_, metadata) => {
    const person = await createUser(testApp)
    for (const field of ['metadata', 'privateMetadata']) {
      const { status } = await admin.browser.post('/admin/set-user-metadata', { userId: person.id, [field]: metadata })
      expect(status).toBe(400)
    }
    expect((await admin.browser.get(`/admin/get-user-metadata?userId=${person.id}`)).body).toEqual({
      metadata: {},
      privateMetadata: {},
    })
  })

  it('that were stored under a larger limit can be read, and replaced one by one', async () => {
    const admin = await createAdministrator(testApp)
    const { id: userId } = await createUser(testApp)
    const large = { a: 'ю'.repeat(12_000) }
    await testApp.db.user.update({ where: { id: userId }, data: { privateMetadata: large } })
    const read = await admin.browser.get(`/admin/get-user-metadata?userId=${userId}`)
    expect([read.status, read.body.privateMetadata]).toEqual([200, large])
    const set = await admin.browser.post('/admin/set-user-metadata', { userId, metadata: { plan: 'gold' } })
    expect([set.status, set.body.metadata]).toEqual([200, { plan: 'gold' }])
  })

  it('at their maximum size keep the session readable', async () => {
    const person = await createUser(testApp)
    const metadata = { a: 'ü'.repeat(8_000), b: deep(14) }
    expect((await admin.browser.post('/admin/set-user-metadata', { userId: person.id, metadata })).status).toBe(200)
    expect((await person.browser.get('/get-session?disableCookieCache=true')).body.user.metadata).toEqual(metadata)
    // Too large for a cookie, so it is read from the database each time.
    for (let n = 0; n < 3; n++) expect((await person.browser.get('/get-session')).body.user.metadata).toEqual(metadata)
    expect((await signInElsewhere(testApp, person)).jar.has('foyer.session_data')).toBe(false)
  })

  it('of an unknown user are refused', async () => {
    const { status, body } = await admin.browser.post('/admin/set-user-metadata', { userId: 'nobody', metadata: {} })
    expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
    expect((await admin.browser.get('/admin/get-user-metadata?userId=nobody')).status).toBe(404)
  })
})

describe('metadata of an organization', () => {
  it('are public to its members and in their tokens, and private to administrators', async () => {
    const owner = await createOrganizationOwner(testApp, { metadata: { plan: 'free' } })
    const { id } = owner.organization
    const read = `/admin/get-organization-metadata?organizationId=${id}`
    expect((await admin.browser.get(read)).body).toEqual({ metadata: { plan: 'free' }, privateMetadata: {} })
    const fields = { metadata: { plan: 'gold' }, privateMetadata: { limit: 10 } }
    const set = (more: object) =>
      admin.browser.post('/admin/set-organization-metadata', { organizationId: id, ...more })
    expect((await set(fields)).body).toEqual(fields)
    const full = await owner.browser.get('/organization/get-full-organization')
    expect(full.body.metadata).toEqual(fields.metadata)
    expect(JSON.stringify([full.body, (await owner.browser.get('/organization/list')).body])).not.toContain('limit')
    expect(decodeJwt((await owner.browser.get('/token')).body.token)['org']).toMatchObject({
      metadata: fields.metadata,
    })
    expect((await set({ metadata: null })).body).toEqual({ ...fields, metadata: null })
    expect((await set({ metadata: { plan: 1 } })).status).toBe(400)
    expect((await owner.browser.get(read)).status).toBe(403)
    expect(
      (await owner.browser.post('/admin/set-organization-metadata', { organizationId: id, ...fields })).status,
    ).toBe(403)
    expect((await set({ organizationId: 'none', metadata: {} })).body.code).toBe('ORGANIZATION_NOT_FOUND')
    expect((await admin.browser.get('/admin/get-organization-metadata?organizationId=none')).status).toBe(400)
  })
})

import { adminClient } from 'better-auth/client/plugins'
import { describe, expect, it } from 'vitest'
import { clientWith } from '../testing/better-auth.ts'
import type { UntypedJson } from '../testing/browser.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import {
  createAdministrator,
  password,
  type TestUser,
  createUser,
  signInElsewhere,
  newUserData,
} from '../testing/test-users.ts'

const testApp = await createTestApp()
const clientOf = (person: Pick<TestUser, 'browser'>, own = testApp) => clientWith(adminClient(), person, own)

describe('the permissions of administrators', () => {
  const calls: [path: string, body: object | undefined, code: string][] = [
    ['/admin/list-users', undefined, 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'],
    ['/admin/get-user?userId=x', undefined, 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS'],
    [
      '/admin/create-user',
      { email: 'a@example.test', name: 'A', password, role: 'admin' },
      'YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS',
    ],
    ['/admin/set-role', { userId: 'x', role: 'admin' }, 'YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE'],
    ['/admin/ban-user', { userId: 'x' }, 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS'],
    ['/admin/unban-user', { userId: 'x' }, 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS'],
    ['/admin/list-user-sessions', { userId: 'x' }, 'YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS'],
    ['/admin/revoke-user-session', { sessionToken: 'x' }, 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS'],
    ['/admin/revoke-user-sessions', { userId: 'x' }, 'YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS'],
    ['/admin/impersonate-user', { userId: 'x' }, 'YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS'],
    ['/admin/remove-user', { userId: 'x' }, 'YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS'],
    ['/admin/set-user-password', { userId: 'x', newPassword: password }, 'YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD'],
  ]
  const call = (browser: TestUser['browser'], [path, body]: (typeof calls)[number], headers = {}) =>
    body ? browser.post(path, body, headers) : browser.get(path, headers)

  it.each(calls)('%s is for administrators only', async (...one) => {
    const person = await createUser(testApp)
    const refused = await call(person.browser, one)
    expect([refused.status, refused.body.code]).toEqual([403, one[2]])
    expect((await call(testApp.browser(), one)).status).toBe(401)
    // Neither a member's role nor an API key is a role of the installation.
    const owner = await createOrganizationOwner(testApp)
    expect((await call(owner.browser, one)).status).toBe(403)
    const admin = await createAdministrator(testApp)
    const key = (await admin.browser.post('/api-key/create', { name: 'ci' })).body.key
    expect((await call(testApp.browser(), one, { authorization: `Bearer ${key}` })).body.code).toBe(
      'INSUFFICIENT_SCOPE',
    )
    const allowed = await call(admin.browser, one)
    const unknownUser = JSON.stringify(one[1] ?? one[0]).includes('userId')
    const isList = one[0] === '/admin/list-user-sessions'
    expect(allowed.status).toBe(unknownUser && !isList ? 404 : 200)
  })

  it('match the permission table in has-permission', async () => {
    const admin = clientOf(await createAdministrator(testApp))
    const person = clientOf(await createUser(testApp))
    const ask = async (client: UntypedJson, permissions: object) =>
      (await client.admin.hasPermission({ permissions })).data.success
    for (const [resource, actions] of Object.entries({
      user: ['create', 'list', 'set-role', 'ban', 'impersonate', 'delete', 'set-password'],
      session: ['list', 'revoke', 'delete'],
    })) {
      for (const action of actions) {
        expect([action, await ask(admin, { [resource]: [action] })]).toEqual([action, true])
        expect([action, await ask(person, { [resource]: [action] })]).toEqual([action, false])
      }
    }
    expect(await ask(admin, { user: ['list', 'fly'] })).toBe(false)
    expect(await ask(admin, { user: ['list'], session: ['revoke'] })).toBe(true)
    expect(await ask(admin, { constructor: ['list'] })).toBe(false)
    expect((await admin.admin.hasPermission({ permission: { user: ['ban'] } })).data).toEqual({
      error: null,
      success: true,
    })
    const { browser } = await createUser(testApp)
    expect((await browser.post('/admin/has-permission', {})).status).toBe(400)
    expect(
      (await testApp.browser().post('/admin/has-permission', { role: 'admin', permissions: { user: ['ban'] } })).status,
    ).toBe(401)
  })

  it('need a fresh session for calls that give access to an account', async () => {
    const own = await createTestApp()
    const admin = await createAdministrator(own)
    const person = await createUser(own)
    own.advanceClock(25 * 3600)
    for (const [path, body] of [
      ['/admin/impersonate-user', { userId: person.id }],
      ['/admin/set-user-password', { userId: person.id, newPassword: password }],
      ['/admin/set-role', { userId: person.id, role: 'admin' }],
      ['/admin/remove-user', { userId: person.id }],
      ['/admin/unban-user', { userId: person.id }],
      ['/admin/create-user', { ...newUserData(), role: 'user' }],
    ] as const)
      expect((await admin.browser.post(path, body)).body.code).toBe('SESSION_IS_NOT_FRESH')
    expect((await admin.browser.post('/admin/ban-user', { userId: person.id })).status).toBe(200)
  })

  it('exclude one’s own account, and the password of another administrator', async () => {
    const admin = await createAdministrator(testApp)
    const other = await createAdministrator(testApp)
    const client = clientOf(admin)
    expect((await client.admin.banUser({ userId: admin.id })).error.code).toBe('YOU_CANNOT_BAN_YOURSELF')
    expect((await client.admin.removeUser({ userId: admin.id })).error.code).toBe('YOU_CANNOT_REMOVE_YOURSELF')
    expect(
      (await client.admin.setUserPassword({ userId: other.id, newPassword: 'another long phrase here' })).error.code,
    ).toBe('YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD')
    await signInElsewhere(testApp, other)
  })

  it('of two administrators who ban, demote or remove each other concurrently, one remains', async () => {
    const attempts: ((own: TestApp, a: TestUser, b: TestUser) => Promise<unknown>)[] = [
      (_own, a, b) => a.browser.post('/admin/ban-user', { userId: b.id }),
      (_own, a, b) => a.browser.post('/admin/set-role', { userId: b.id, role: 'user' }),
      (_own, a, b) => a.browser.post('/admin/remove-user', { userId: b.id }),
    ]
    for (const attempt of attempts) {
      const own = await createTestApp()
      const a = await createAdministrator(own)
      const b = await createAdministrator(own)
      await Promise.all([attempt(own, a, b), attempt(own, b, a)])
      expect(await own.db.user.count({ where: { role: 'admin', bannedAt: null } })).toBe(1)
    }
  })
})

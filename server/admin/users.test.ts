import { createAuthClient } from 'better-auth/client'
import { adminClient } from 'better-auth/client/plugins'
import { describe, expect, it } from 'vitest'
import { proceduresOf } from '../http/procedures.ts'
import { appRouter } from '../router.ts'
import { authorizationOf, follow, openApplication } from '../testing/applications.ts'
import type { UntypedJson } from '../testing/browser.ts'
import { founder, joined } from '../testing/organizations.ts'
import {
  administrator,
  nextHolder,
  password,
  type Person,
  signedIn,
  signedUp,
  signInElsewhere,
  stranger,
} from '../testing/people.ts'
import { linkTo, openWorld, type World } from '../testing/world.ts'

const world = await openWorld()

/** The unmodified better-auth 1.2.7 client with its admin plugin, in the browser of a person. */
function clientOf({ browser }: Pick<Person, 'browser'>, { origin } = world): UntypedJson {
  const plugins: UntypedJson = [adminClient()]
  return createAuthClient({
    baseURL: origin,
    plugins,
    fetchOptions: {
      async customFetchImpl(input, init) {
        const headers = Object.fromEntries(new Headers(init?.headers))
        const {
          status,
          text,
          headers: answered,
        } = await browser.request(String(input), {
          ...init,
          headers: { ...headers, origin },
        })
        return new Response(text, { status, headers: { 'content-type': answered.get('content-type') ?? '' } })
      },
    },
  })
}

const eventsAbout = (id: string, type: string) =>
  world.db.event.findMany({ where: { subjectId: id, type }, orderBy: { id: 'asc' } })

describe('users, by the unmodified client', () => {
  it('are created, found, changed and removed', async () => {
    const admin = await administrator(world)
    const client = clientOf(admin)
    const { email, name } = stranger()
    const { data: created } = await client.admin.createUser({
      email: email.toUpperCase(),
      name,
      password,
      role: 'user',
      data: { emailVerified: true, username: `u${Date.now()}` },
    })
    const { id } = created.user
    expect(created.user).toMatchObject({
      email,
      name,
      role: 'user',
      emailVerified: true,
      banned: false,
      banReason: null,
    })
    const taken = await client.admin.createUser({ email, name, password, role: 'user' })
    expect(taken.error).toMatchObject({ status: 400, code: 'USER_ALREADY_EXISTS', message: 'User already exists' })
    const person = { email, name, password, id, browser: world.browser() }
    const browser = await signInElsewhere(world, person)
    const { data: found } = await client.admin.listUsers({ query: { searchValue: email.slice(0, 12), limit: 10 } })
    expect(found).toEqual({ users: [expect.objectContaining({ id })], total: 1, limit: 10 })
    const { data: listed } = await client.admin.listUserSessions({ userId: id })
    expect(listed.sessions).toEqual([expect.objectContaining({ userId: id, token: expect.any(String) })])
    expect(JSON.stringify(listed)).not.toContain(browser.jar.get('foyer.session_token'))
    const { data: revoked } = await client.admin.revokeUserSession({ sessionToken: listed.sessions[0].token })
    expect(revoked).toEqual({ success: true })
    expect((await browser.get('/list-sessions')).status).toBe(401)
    await signInElsewhere(world, person)
    const again = await signInElsewhere(world, person)
    expect((await client.admin.revokeUserSessions({ userId: id })).data).toEqual({ success: true })
    expect((await again.get('/list-sessions')).status).toBe(401)
    const changed = await client.admin.setUserPassword({ userId: id, newPassword: 'another long phrase here' })
    expect(changed.data).toEqual({ status: true })
    expect((await world.browser().post('/sign-in/email', { email, password })).status).toBe(401)
    await signInElsewhere(world, { ...person, password: 'another long phrase here' })
    expect((await world.mails(email))[0]).toMatchObject({ kind: 'passwordChanged' })
    expect((await client.admin.removeUser({ userId: id })).data).toEqual({ success: true })
    expect(await world.db.user.findUnique({ where: { id } })).toBeNull()
    expect((await client.admin.removeUser({ userId: id })).error).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    const recorded = await world.db.event.findMany({
      where: { subjectId: id, actorId: admin.id },
      orderBy: { id: 'asc' },
    })
    expect(recorded.map(({ type }) => type)).toEqual([
      'user.signed_up',
      'user.session_revoked',
      'user.sessions_revoked',
      'user.password_changed',
      'user.sessions_revoked',
      'user.deleted',
    ])
  })

  it('are refused when the new account is not as at a sign-up', async () => {
    const client = clientOf(await administrator(world))
    const { email, name } = stranger()
    const create = async (more: object) =>
      (await client.admin.createUser({ email, name, password, role: 'user', ...more })).error
    expect(await create({ email: 'nobody' })).toMatchObject({ status: 400, code: 'INVALID_EMAIL' })
    expect(await create({ password: 'short' })).toMatchObject({ status: 400, code: 'PASSWORD_TOO_SHORT' })
    expect(await create({ password: 'x'.repeat(300) })).toMatchObject({ status: 400, code: 'PASSWORD_TOO_LONG' })
    expect(await create({ password: 'password123' })).toMatchObject({ status: 400, code: 'PASSWORD_TOO_COMMON' })
    expect(await create({ role: 'root' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(await create({ data: { username: 'a' } })).toMatchObject({ status: 422, code: 'USERNAME_IS_TOO_SHORT' })
    const username = `taken${Date.now()}`
    await signedIn(world, { username })
    expect(await create({ data: { username } })).toMatchObject({
      status: 422,
      code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
    })
    expect(await world.db.user.count({ where: { email } })).toBe(0)
  })

  it('are banned at every way in, at once, until the ban ends', async () => {
    const client = clientOf(await administrator(world))
    const person = await signedIn(world)
    const key = (await person.browser.post('/api-key/create', { name: 'ci' })).body.key
    const bearer = { authorization: `Bearer ${key}` }
    expect((await world.browser().get('/organization/list', bearer)).status).toBe(200)
    const { data } = await client.admin.banUser({ userId: person.id, banReason: 'Spam', banExpiresIn: 60 })
    expect(data.user).toMatchObject({ banned: true, banReason: 'Spam', banExpires: expect.any(Date) })
    expect((await person.browser.get('/list-sessions')).status).toBe(401)
    expect((await world.browser().get('/organization/list', bearer)).status).toBe(401)
    const refused = await world.browser().post('/sign-in/email', { email: person.email, password })
    expect([refused.status, refused.body.code]).toEqual([403, 'BANNED_USER'])
    const banned = await client.admin.listUsers({ query: { filterField: 'banned', filterValue: true } })
    expect(banned.data.users.map(({ id }: { id: string }) => id)).toContain(person.id)
    const { data: lifted } = await client.admin.unbanUser({ userId: person.id })
    expect(lifted.user).toMatchObject({ banned: false, banReason: null, banExpires: null })
    await signInElsewhere(world, person)
    // Without a reason and an end.
    const forever = (await client.admin.banUser({ userId: person.id })).data.user
    expect(forever).toMatchObject({ banned: true, banReason: 'No reason', banExpires: null })
    expect((await eventsAbout(person.id, 'user.banned')).length).toBe(2)
    expect((await eventsAbout(person.id, 'user.unbanned')).length).toBe(1)
  })

  it('become administrators by a verified address only, and lose the role', async () => {
    const admin = await administrator(world)
    const client = clientOf(admin)
    const other = await signedIn(world)
    const { data } = await client.admin.setRole({ userId: other.id, role: ['user', 'admin'] })
    expect(data.user).toMatchObject({ id: other.id, role: 'admin' })
    expect((await other.browser.get('/list-sessions')).status).toBe(401)
    expect((await world.mails(other.email))[0]).toMatchObject({ kind: 'administratorGranted' })
    expect((await world.mails(admin.email))[0]).toMatchObject({ kind: 'administratorAdded' })
    const [event] = await eventsAbout(other.id, 'user.role_changed')
    expect(event).toMatchObject({ actorId: admin.id, data: { from: 'user', to: 'admin', by: 'administrator' } })
    expect((await client.admin.setRole({ userId: other.id, role: 'user' })).data.user.role).toBe('user')
    expect((await client.admin.setRole({ userId: admin.id, role: 'user' })).error).toMatchObject({
      status: 400,
      code: 'YOU_CANNOT_REVOKE_YOURSELF',
    })
    const unverified = await signedUp(world)
    expect((await client.admin.setRole({ userId: unverified.id, role: 'admin' })).error).toMatchObject({
      status: 403,
      code: 'EMAIL_NOT_VERIFIED',
    })
    expect((await client.admin.setRole({ userId: unverified.id, role: 'root' })).error).toMatchObject({ status: 400 })
  })

  it('created as administrators are ones, but not for whoever gets the mailbox', async () => {
    const client = clientOf(await administrator(world))
    const { email, name } = stranger()
    const { data } = await client.admin.createUser({ email, name, password, role: 'admin' })
    expect(data.user).toMatchObject({ role: 'admin', emailVerified: false })
    const browser = world.browser()
    await browser.post('/sign-in/email', { email, password })
    // Used once, so that the account outlives the reset by another person.
    await world.db.event.create({
      data: {
        id: crypto.randomUUID(),
        type: 'user.signed_in',
        subjectId: data.user.id,
        at: new Date(),
        ipAddress: '',
        userAgent: '',
        requestId: '',
        data: {},
      },
    })
    const mailbox = world.browser()
    await mailbox.post('/forget-password', { email, redirectTo: '/reset-password' })
    const [mail] = await world.mails(email)
    const token = /reset-password\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect((await mailbox.post('/reset-password', { newPassword: 'quite another phrase', token })).status).toBe(200)
    expect(await world.db.user.findUnique({ where: { email } })).toMatchObject({ role: 'user' })
  })

  it('keep their organization and subscription: what stops them from leaving stops their removal', async () => {
    const client = clientOf(await administrator(world))
    const owner = await founder(world)
    await joined(world, owner)
    expect((await client.admin.removeUser({ userId: owner.id })).error).toMatchObject({
      code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
    })
    expect(await world.db.user.count({ where: { id: owner.id } })).toBe(1)
  })
})

describe('races with a sign-in', () => {
  /** Signs in again and again, four at a time, until the call has been answered. */
  async function signInsDuring(own: World, person: Person, call: () => Promise<{ status: number }>) {
    const over = new AbortController()
    const loop = async () => {
      while (!over.signal.aborted) await own.browser().post('/sign-in/email', { email: person.email, password })
    }
    const loops = [loop(), loop(), loop(), loop()]
    await new Promise((done) => setTimeout(done, 50))
    expect((await call()).status).toBe(200)
    over.abort()
    await Promise.all(loops)
  }

  it('no session by the former password outlives a new one', async () => {
    const own = await openWorld()
    const admin = await administrator(own)
    const person = await signedIn(own)
    for (let round = 0; round < 6; round++) {
      const set = (newPassword: string) =>
        admin.browser.post('/admin/set-user-password', { userId: person.id, newPassword })
      await signInsDuring(own, person, () => set('another long phrase here'))
      expect(await own.db.session.count({ where: { userId: person.id } })).toBe(0)
      await set(password)
    }
  })

  it('no session that began before a ban is valid after it', async () => {
    const own = await openWorld()
    const admin = await administrator(own)
    const person = await signedIn(own)
    for (let round = 0; round < 6; round++) {
      await signInsDuring(own, person, () => admin.browser.post('/admin/ban-user', { userId: person.id }))
      expect(await own.db.session.count({ where: { userId: person.id } })).toBe(0)
      await admin.browser.post('/admin/unban-user', { userId: person.id })
    }
  })
})

it('a removed administrator is not promoted again by the setting', async () => {
  const email = `chief.${Date.now()}@example.test`
  const own = await openWorld({ ADMIN_EMAILS: email })
  const admin = await administrator(own)
  const chief = await nextHolder(own, email)
  const { id } = (await chief.get('/get-session')).body.user
  expect((await own.db.user.findUnique({ where: { id } }))?.role).toBe('admin')
  expect((await admin.browser.post('/admin/remove-user', { userId: id })).status).toBe(200)
  await nextHolder(own, email)
  expect(await own.db.user.findUnique({ where: { email } })).toMatchObject({ role: 'user', emailVerified: true })
})

it('takes a number for an id, as the plugin does', async () => {
  const { browser } = await administrator(world)
  expect((await browser.post('/admin/set-role', { userId: 5, role: 'user' })).status).toBe(404)
  expect((await browser.post('/admin/list-user-sessions', { userId: 5 })).body).toEqual({ sessions: [] })
  expect((await browser.post('/admin/ban-user', { userId: {} })).status).toBe(400)
})

describe('the list of users', () => {
  it('searches, filters, sorts and pages', async () => {
    const own = await openWorld()
    const client = clientOf(await administrator(own), own)
    await own.pool.query(
      `insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role, username)
       select 'p' || n, 'person' || n || '@example.test', 'Person_' || n || '%', n % 2 = 0,
         timestamptz '2026-01-01' + n * interval '1 day', now(), 3, 'user', 'name' || n from generate_series(1, 40) n`,
    )
    const list = async (query: object) => (await client.admin.listUsers({ query })).data
    const ids = async (query: object) => (await list(query)).users.map(({ id }: { id: string }) => id)
    expect((await list({})).total).toBe(41)
    const page = await list({ sortBy: 'createdAt', sortDirection: 'asc', limit: 3, offset: 2 })
    expect(page).toMatchObject({ total: 41, limit: 3, offset: 2, users: [{ id: 'p3' }, { id: 'p4' }, { id: 'p5' }] })
    expect(await ids({ sortBy: 'email', sortDirection: 'desc', limit: 2 })).toEqual(['p9', 'p8'])
    expect(await ids({ searchValue: 'PERSON40@', searchOperator: 'starts_with' })).toEqual(['p40'])
    expect(await ids({ searchValue: 'on7@example.test', searchOperator: 'ends_with' })).toEqual(['p7'])
    expect(await ids({ searchField: 'name', searchValue: 'person_11' })).toEqual(['p11'])
    expect(await ids({ searchField: 'any', searchValue: 'son_12' })).toEqual(['p12'])
    // Signs with a meaning in patterns are what they are.
    expect((await list({ searchField: 'name', searchValue: '%' })).total).toBe(40)
    expect((await list({ searchField: 'name', searchValue: 'Person%1' })).total).toBe(0)
    expect((await list({ searchField: 'name', searchValue: '\\' })).total).toBe(0)
    expect((await list({ filterField: 'emailVerified', filterValue: false })).total).toBe(20)
    expect((await list({ filterField: 'emailVerified', filterValue: 'true', filterOperator: 'ne' })).total).toBe(20)
    expect((await list({ filterField: 'role', filterValue: 'admin' })).total).toBe(1)
    expect((await list({ filterField: 'role', filterValue: 'admin', filterOperator: 'ne' })).total).toBe(40)
    expect((await list({ filterField: 'banned', filterValue: 'false' })).total).toBe(41)
    expect(
      (await list({ filterField: 'createdAt', filterValue: '2026-01-11T00:00:00Z', filterOperator: 'lt' })).total,
    ).toBe(9)
    expect(await ids({ filterField: 'id', filterValue: 'p33' })).toEqual(['p33'])
    expect((await list({ filterField: 'username', filterValue: 'name1', filterOperator: 'ne' })).total).toBe(40)
    expect(await ids({ searchValue: 'person1', filterField: 'emailVerified', filterValue: true, limit: 2 })).toEqual([
      'p10',
      'p12',
    ])
    for (const wrong of [
      { filterField: 'createdAt', filterValue: '-005000-01-01T00:00:00Z' },
      { filterField: 'updatedAt', filterValue: '+012000-01-01T00:00:00Z' },
      { filterField: 'banned', filterValue: true, filterOperator: 'gt' },
      { sortBy: 'password' },
      { filterField: 'password', filterValue: 'x' },
      { filterField: 'role', filterValue: 'root' },
      { filterField: 'banned', filterValue: 'maybe' },
      { filterField: 'createdAt', filterValue: 'yesterday' },
      { limit: -1 },
      { offset: 'x' },
      { searchOperator: 'like', searchValue: 'x' },
    ])
      expect((await client.admin.listUsers({ query: wrong })).error).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
      })
  })

  it('counts a large installation once in a while, and a small one exactly', async () => {
    const own = await openWorld()
    const client = clientOf(await administrator(own), own)
    const add = (from: number, to: number) =>
      own.pool.query(
        `insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role)
         select 'p' || n, 'p' || n || '@example.test', 'P', true, now(), now(), 3, 'user' from generate_series($1::int, $2::int) n`,
        [from, to],
      )
    const total = async () => (await client.admin.listUsers({ query: { limit: 1 } })).data.total
    await add(1, 500)
    expect(await total()).toBe(501)
    await add(501, 999)
    expect(await total()).toBe(1_000)
    await add(1_000, 2_999)
    expect(await total()).toBe(3_000)
    await add(3_000, 3_000)
    own.travel(31)
    expect(await total()).toBe(3_001)
  })
})

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
  const call = (browser: Person['browser'], [path, body]: (typeof calls)[number], headers = {}) =>
    body ? browser.post(path, body, headers) : browser.get(path, headers)

  it.each(calls)('%s is for them', async (...one) => {
    const person = await signedIn(world)
    const refused = await call(person.browser, one)
    expect([refused.status, refused.body.code]).toEqual([403, one[2]])
    expect((await call(world.browser(), one)).status).toBe(401)
    // Neither a member's role nor a key is one of the installation.
    const owner = await founder(world)
    expect((await call(owner.browser, one)).status).toBe(403)
    const admin = await administrator(world)
    const key = (await admin.browser.post('/api-key/create', { name: 'ci' })).body.key
    expect((await call(world.browser(), one, { authorization: `Bearer ${key}` })).body.code).toBe('INSUFFICIENT_SCOPE')
    const allowed = await call(admin.browser, one)
    const unknownUser = JSON.stringify(one[1] ?? one[0]).includes('userId')
    const isList = one[0] === '/admin/list-user-sessions'
    expect(allowed.status).toBe(unknownUser && !isList ? 404 : 200)
  })

  it('are those of the table, asked for by has-permission', async () => {
    const admin = clientOf(await administrator(world))
    const person = clientOf(await signedIn(world))
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
    const { browser } = await signedIn(world)
    expect((await browser.post('/admin/has-permission', {})).status).toBe(400)
    expect(
      (await world.browser().post('/admin/has-permission', { role: 'admin', permissions: { user: ['ban'] } })).status,
    ).toBe(401)
  })

  it('need a fresh session where they give access to an account', async () => {
    const own = await openWorld()
    const admin = await administrator(own)
    const person = await signedIn(own)
    own.travel(25 * 3600)
    for (const [path, body] of [
      ['/admin/impersonate-user', { userId: person.id }],
      ['/admin/set-user-password', { userId: person.id, newPassword: password }],
      ['/admin/set-role', { userId: person.id, role: 'admin' }],
      ['/admin/remove-user', { userId: person.id }],
      ['/admin/unban-user', { userId: person.id }],
      ['/admin/create-user', { ...stranger(), role: 'user' }],
    ] as const)
      expect((await admin.browser.post(path, body)).body.code).toBe('SESSION_IS_NOT_FRESH')
    expect((await admin.browser.post('/admin/ban-user', { userId: person.id })).status).toBe(200)
  })

  it('do not reach oneself, nor the password of another administrator', async () => {
    const admin = await administrator(world)
    const other = await administrator(world)
    const client = clientOf(admin)
    expect((await client.admin.banUser({ userId: admin.id })).error.code).toBe('YOU_CANNOT_BAN_YOURSELF')
    expect((await client.admin.removeUser({ userId: admin.id })).error.code).toBe('YOU_CANNOT_REMOVE_YOURSELF')
    expect(
      (await client.admin.setUserPassword({ userId: other.id, newPassword: 'another long phrase here' })).error.code,
    ).toBe('YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD')
    await signInElsewhere(world, other)
  })

  it('of two administrators who ban, demote or remove each other at once, one stays', async () => {
    const attempts: ((own: World, a: Person, b: Person) => Promise<unknown>)[] = [
      (_own, a, b) => a.browser.post('/admin/ban-user', { userId: b.id }),
      (_own, a, b) => a.browser.post('/admin/set-role', { userId: b.id, role: 'user' }),
      (_own, a, b) => a.browser.post('/admin/remove-user', { userId: b.id }),
    ]
    for (const attempt of attempts) {
      const own = await openWorld()
      const a = await administrator(own)
      const b = await administrator(own)
      await Promise.all([attempt(own, a, b), attempt(own, b, a)])
      expect(await own.db.user.count({ where: { role: 'admin', bannedAt: null } })).toBe(1)
    }
  })
})

describe('impersonation', () => {
  const begin = async (more: { admin?: Person; person?: Person } = {}) => {
    const admin = more.admin ?? (await administrator(world))
    const person = more.person ?? (await signedIn(world))
    const own = admin.browser.copy()
    const { data, error } = await clientOf(admin).admin.impersonateUser({ userId: person.id })
    expect(error).toBeNull()
    return { admin, person, own, data }
  }

  it('acts as the user, and gives the own session back', async () => {
    const { admin, person, data } = await begin()
    expect(data).toMatchObject({ user: { id: person.id }, session: { userId: person.id, impersonatedBy: admin.id } })
    expect(Date.parse(data.session.expiresAt) - Date.parse(data.session.createdAt)).toBeLessThanOrEqual(3_600_000)
    const current = (await admin.browser.get('/get-session')).body
    expect([current.user.id, current.session.impersonatedBy]).toEqual([person.id, admin.id])
    // The user does not see it among the own devices.
    expect((await person.browser.get('/list-sessions')).body.length).toBe(1)
    const { trpc } = admin.browser
    expect(await trpc.admin.impersonation.query()).toEqual({
      administrator: { id: admin.id, name: admin.name, email: admin.email },
      sessionId: undefined,
    })
    const { data: stopped } = await clientOf(admin).admin.stopImpersonating()
    expect(stopped).toMatchObject({ user: { id: admin.id }, session: { userId: admin.id } })
    expect((await admin.browser.get('/get-session')).body.user.id).toBe(admin.id)
    expect(admin.browser.jar.has('foyer.admin_session')).toBe(false)
    const again = await clientOf(admin).admin.stopImpersonating()
    expect(again.error).toMatchObject({ status: 400, code: 'YOU_ARE_NOT_IMPERSONATING_ANYONE' })
    const [started] = await eventsAbout(person.id, 'user.impersonation_started')
    expect(started).toMatchObject({ actorId: admin.id })
    expect((await eventsAbout(person.id, 'user.impersonation_ended')).length).toBe(1)
  })

  it('names both in what happens meanwhile', async () => {
    const { admin, person } = await begin()
    await admin.browser.post('/organization/create', { name: 'Made', slug: `made-${Date.now()}` })
    const [event] = await eventsAbout(person.id, 'organization.created')
    expect(event).toMatchObject({ actorId: person.id, data: { impersonatorId: admin.id } })
    const { events } = (await person.browser.get('/list-activity')).body
    const shown = events.find(({ type }: { type: string }) => type === 'organization.created')
    expect(shown ?? { impersonatorName: admin.name }).toMatchObject({ impersonatorName: admin.name })
    const { token } = (await admin.browser.get('/token')).body
    expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toMatchObject({
      sub: person.id,
      act: { sub: admin.id },
    })
  })

  it('changes nothing that lasts', async () => {
    const { admin, person } = await begin()
    const { browser } = admin
    const attempts: [string, object][] = [
      ['/change-password', { currentPassword: password, newPassword: 'another long phrase here' }],
      ['/change-email', { newEmail: stranger().email }],
      ['/update-user', { name: 'Mallory' }],
      ['/update-user', { username: 'mallory' }],
      ['/delete-user', {}],
      ['/delete-user', { password }],
      ['/link-social', { provider: 'github', callbackURL: '/' }],
      ['/unlink-account', { providerId: 'credential' }],
      ['/api-key/create', { name: 'lasting' }],
      ['/revoke-sessions', {}],
      ['/revoke-other-sessions', {}],
      ['/refresh-token', { providerId: 'github' }],
      ['/get-access-token', { providerId: 'github' }],
    ]
    for (const [path, body] of attempts) {
      const { status, body: answer } = await browser.post(path, body)
      expect([path, status, answer.code]).toEqual([path, 403, 'NOT_WHILE_IMPERSONATING'])
    }
    const link = await browser.get('/delete-user/callback?token=x', { accept: 'application/json' })
    expect(link.status).toBeGreaterThanOrEqual(400)
    await expect(browser.trpc.session.reauthenticate.mutate({ password })).rejects.toThrow('impersonating')
    expect(await world.db.user.findUnique({ where: { id: person.id } })).toMatchObject({
      email: person.email,
      name: person.name,
    })
    expect(await world.db.apiKey.count({ where: { userId: person.id } })).toBe(0)
    // Nor is the administration open to it.
    expect((await browser.post('/admin/impersonate-user', { userId: admin.id })).status).toBe(403)
  })

  it('is never of an administrator, nor of somebody banned or unknown', async () => {
    const admin = await administrator(world)
    const client = clientOf(admin)
    const impersonate = async (userId: string) => (await client.admin.impersonateUser({ userId })).error
    const other = await administrator(world)
    expect(await impersonate(other.id)).toMatchObject({ status: 403, code: 'YOU_CANNOT_IMPERSONATE_ADMINS' })
    expect(await impersonate(admin.id)).toMatchObject({ status: 403, code: 'YOU_CANNOT_IMPERSONATE_ADMINS' })
    expect(await impersonate('nobody')).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    const banned = await signedIn(world)
    await client.admin.banUser({ userId: banned.id })
    expect(await impersonate(banned.id)).toMatchObject({ status: 403, code: 'BANNED_USER' })
  })

  const endings: [
    string,
    (own: World, admin: Person & { own: Person['browser'] }, person: Person) => Promise<unknown>,
  ][] = [
    ['after an hour', async (own) => own.travel(3_601)],
    ['when the administrator signs out elsewhere', (_own, admin) => admin.own.post('/sign-out')],
    [
      'when the administrator is banned',
      async (own, admin) => (await administrator(own)).browser.post('/admin/ban-user', { userId: admin.id }),
    ],
    [
      'when the administrator is banned in the database',
      (own, admin) => own.db.user.update({ where: { id: admin.id }, data: { bannedAt: new Date() } }),
    ],
    [
      'when the administrator is demoted',
      async (own, admin) =>
        (await administrator(own)).browser.post('/admin/set-role', { userId: admin.id, role: 'user' }),
    ],
    [
      'when the administrator is removed',
      async (own, admin) => (await administrator(own)).browser.post('/admin/remove-user', { userId: admin.id }),
    ],
    [
      'when the user becomes an administrator',
      async (own, _admin, person) =>
        (await administrator(own)).browser.post('/admin/set-role', { userId: person.id, role: 'admin' }),
    ],
    ['when the user ends all sessions', (_own, _admin, person) => person.browser.post('/revoke-sessions')],
  ]
  it.each(endings)('ends %s', async (_name, end) => {
    const own = await openWorld()
    const admin = await administrator(own)
    const person = await signedIn(own)
    const before = admin.browser.copy()
    expect((await admin.browser.post('/admin/impersonate-user', { userId: person.id })).status).toBe(200)
    expect((await admin.browser.get('/organization/list')).status).toBe(200)
    await end(own, { ...admin, own: before }, person)
    expect((await admin.browser.get('/organization/list')).status).toBe(401)
  })

  it('gives back nobody else’s session, nor one that has ended', async () => {
    const first = await begin()
    const second = await begin()
    // The cookie of another administrator, and an altered one.
    first.admin.browser.jar.set('foyer.admin_session', second.admin.browser.jar.get('foyer.admin_session') ?? '')
    expect((await first.admin.browser.post('/admin/stop-impersonating')).status).toBe(401)
    expect((await first.admin.browser.get('/get-session')).body).toBeNull()
    second.admin.browser.jar.set('foyer.admin_session', 'x'.repeat(43))
    expect((await second.admin.browser.post('/admin/stop-impersonating')).status).toBe(401)
  })

  it('opens no mutations but these', async () => {
    const { admin } = await begin()
    const open: string[] = []
    for (const { name, isQuery } of proceduresOf(appRouter)) {
      if (isQuery || name === 'session.signOut') continue
      const { status, body } = await admin.browser.request(`/api/trpc/${name}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
      const reason = status === 200 ? '' : body.error.data.reason
      if (reason !== 'NOT_WHILE_IMPERSONATING' && !/^YOU_ARE_NOT_(?:ALLOWED_TO_\w+_USERS|AN_ADM)/.test(reason))
        open.push(name)
      // Some of them have ended it.
      if ((await admin.browser.get('/get-session')).body?.session.impersonatedBy !== admin.id) {
        const again = await administrator(world)
        admin.browser.jar.clear()
        for (const [key, value] of again.browser.jar) admin.browser.jar.set(key, value)
        admin.id = again.id
        const { id } = await signedIn(world)
        await admin.browser.post('/admin/impersonate-user', { userId: id })
      }
    }
    // Beside calls without a session: what an organization does every day, and what has no effect that lasts.
    const withoutSession =
      /^session\.signIn|^account\.(?:signUp|claim|reject|resetPassword|forgetPassword|sendVerification|readVerification)|^payment\.\w+License$|^invitation\.(?:join|decline|read)/
    expect(open.filter((name) => !withoutSession.test(name))).toEqual([
      'organization.create',
      'organization.checkSlug',
      'organization.update',
      'organization.setActive',
      'organization.hasPermission',
      'team.create',
      'team.update',
      'team.remove',
      'team.assign',
      'invitation.cancel',
      'admin.stopImpersonating',
      'admin.hasPermission',
    ])
  })

  it('is not led by a mailed link to change the address', async () => {
    const admin = await administrator(world)
    const person = await signedIn(world)
    await person.browser.post('/change-email', { newEmail: stranger().email })
    const link = await linkTo(world, person.email, 'confirmEmailChange')
    await begin({ admin, person })
    await admin.browser.get(link)
    expect(await world.db.user.findUnique({ where: { id: person.id } })).toMatchObject({ email: person.email })
    await person.browser.get(link)
    expect((await world.db.user.findUnique({ where: { id: person.id } }))?.email).not.toBe(person.email)
  })

  it('leaves no session of the administrator behind: a sign-in in this browser ends it', async () => {
    const { admin, own } = await begin()
    const other = await signedIn(world)
    await admin.browser.post('/sign-in/email', { email: other.email, password })
    expect(admin.browser.jar.has('foyer.admin_session')).toBe(false)
    expect((await own.get('/list-sessions')).status).toBe(401)
  })

  it('ended by the user, gives the own session back when asked for it', async () => {
    const { admin, person } = await begin()
    await person.browser.post('/revoke-other-sessions')
    expect((await admin.browser.post('/organization/create', { name: 'X', slug: `x-${Date.now()}` })).status).toBe(401)
    expect((await admin.browser.get('/get-session')).body).toBeNull()
    const { body } = await admin.browser.post('/admin/stop-impersonating')
    expect(body.user.id).toBe(admin.id)
    expect((await admin.browser.get('/admin/list-users')).status).toBe(200)
  })

  it('shows the place of the administrator to nobody', async () => {
    const owner = await founder(world)
    const { admin } = await begin({ person: owner })
    const { id: organizationId } = owner.organization
    await admin.browser.post('/organization/update', { data: { name: 'Renamed' }, organizationId })
    const log = await owner.browser.trpc.organization.activity.query({ organizationId })
    const event = log.events.find(({ type }) => type === 'organization.updated')
    expect(event).toMatchObject({ impersonatorName: admin.name, ipAddress: '', browser: null })
    await admin.browser.post('/sign-out')
    const [left] = await eventsAbout(owner.id, 'user.signed_out')
    expect(left).toMatchObject({ data: { impersonatorId: admin.id } })
  })

  it('gives applications nothing', async () => {
    const { admin, own } = await begin()
    const application = await openApplication(world)
    const { url } = await authorizationOf(application)
    const { at } = await follow(admin.browser, url, world.origin)
    expect([at.origin, at.pathname, at.search]).toEqual([world.origin, '/error', '?error=impersonating'])
    // As oneself it goes on.
    expect((await follow(own, url, world.origin)).at.searchParams.get('code')).toEqual(expect.any(String))
  })

  it('sign-out ends both', async () => {
    const { admin, own } = await begin()
    await admin.browser.post('/sign-out')
    expect((await admin.browser.get('/get-session')).body).toBeNull()
    expect((await own.get('/list-sessions')).status).toBe(401)
  })
})

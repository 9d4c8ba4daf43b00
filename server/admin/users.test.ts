import { randomUUID } from 'node:crypto'
import { adminClient } from 'better-auth/client/plugins'
import { describe, expect, it } from 'vitest'
import { ListUsers, userSorts } from '../../shared/admin.ts'
import { clientWith } from '../testing/better-auth.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import {
  createAdministrator,
  signUpWithFormerEmail,
  password,
  type TestUser,
  createUser,
  createUnverifiedUser,
  signInElsewhere,
  newUserData,
} from '../testing/test-users.ts'
import { whereOf } from './user-search.ts'

const testApp = await createTestApp()

const clientOf = (person: Pick<TestUser, 'browser'>, own = testApp) => clientWith(adminClient(), person, own)

const eventsAbout = (id: string, type: string) =>
  testApp.db.event.findMany({ where: { subjectId: id, type }, orderBy: { id: 'asc' } })

describe('users, with the unmodified client', () => {
  it('are created, found, changed and removed', async () => {
    const admin = await createAdministrator(testApp)
    const client = clientOf(admin)
    const { email, name } = newUserData()
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
    const person = { email, name, password, id, browser: testApp.browser() }
    const browser = await signInElsewhere(testApp, person)
    const { data: found } = await client.admin.listUsers({ query: { searchValue: email.slice(0, 12), limit: 10 } })
    expect(found).toEqual({ users: [expect.objectContaining({ id })], total: 1, limit: 10 })
    const { data: listed } = await client.admin.listUserSessions({ userId: id })
    expect(listed.sessions).toEqual([expect.objectContaining({ userId: id, token: expect.any(String) })])
    expect(JSON.stringify(listed)).not.toContain(browser.jar.get('foyer.session_token'))
    const { data: revoked } = await client.admin.revokeUserSession({ sessionToken: listed.sessions[0].token })
    expect(revoked).toEqual({ success: true })
    expect((await browser.get('/list-sessions')).status).toBe(401)
    await signInElsewhere(testApp, person)
    const again = await signInElsewhere(testApp, person)
    expect((await client.admin.revokeUserSessions({ userId: id })).data).toEqual({ success: true })
    expect((await again.get('/list-sessions')).status).toBe(401)
    const changed = await client.admin.setUserPassword({ userId: id, newPassword: 'another long phrase here' })
    expect(changed.data).toEqual({ status: true })
    expect((await testApp.browser().post('/sign-in/email', { email, password })).status).toBe(401)
    await signInElsewhere(testApp, { ...person, password: 'another long phrase here' })
    expect((await testApp.mails(email))[0]).toMatchObject({ kind: 'passwordChanged' })
    expect((await client.admin.removeUser({ userId: id })).data).toEqual({ success: true })
    expect(await testApp.db.user.findUnique({ where: { id } })).toBeNull()
    expect((await client.admin.removeUser({ userId: id })).error).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    const recorded = await testApp.db.event.findMany({
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

  it('are refused if a sign-up would refuse them', async () => {
    const client = clientOf(await createAdministrator(testApp))
    const { email, name } = newUserData()
    const create = async (more: object) =>
      (await client.admin.createUser({ email, name, password, role: 'user', ...more })).error
    expect(await create({ email: 'nobody' })).toMatchObject({ status: 400, code: 'INVALID_EMAIL' })
    expect(await create({ password: 'short' })).toMatchObject({ status: 400, code: 'PASSWORD_TOO_SHORT' })
    expect(await create({ password: 'x'.repeat(300) })).toMatchObject({ status: 400, code: 'PASSWORD_TOO_LONG' })
    expect(await create({ password: 'password123' })).toMatchObject({ status: 400, code: 'PASSWORD_TOO_COMMON' })
    expect(await create({ role: 'root' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(await create({ data: { username: 'a' } })).toMatchObject({ status: 422, code: 'USERNAME_IS_TOO_SHORT' })
    const username = `taken${Date.now()}`
    await createUser(testApp, { username })
    expect(await create({ data: { username } })).toMatchObject({
      status: 422,
      code: 'USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER',
    })
    expect(await testApp.db.user.count({ where: { email } })).toBe(0)
  })

  it('are banned immediately for every sign-in method, until the ban ends', async () => {
    const client = clientOf(await createAdministrator(testApp))
    const person = await createUser(testApp)
    const key = (await person.browser.post('/api-key/create', { name: 'ci' })).body.key
    const bearer = { authorization: `Bearer ${key}` }
    expect((await testApp.browser().get('/organization/list', bearer)).status).toBe(200)
    const { data } = await client.admin.banUser({ userId: person.id, banReason: 'Spam', banExpiresIn: 60 })
    expect(data.user).toMatchObject({ banned: true, banReason: 'Spam', banExpires: expect.any(Date) })
    expect((await person.browser.get('/list-sessions')).status).toBe(401)
    expect((await testApp.browser().get('/organization/list', bearer)).status).toBe(401)
    const refused = await testApp.browser().post('/sign-in/email', { email: person.email, password })
    expect(refused.status).toBe(403)
    // Why, and until when: after the right password, to the user only.
    const { banExpires } = data.user
    expect(refused.body).toMatchObject({ code: 'BANNED_USER', banReason: 'Spam', banExpires: banExpires.toISOString() })
    const wrong = await testApp.browser().post('/sign-in/email', { email: person.email, password: 'not the password' })
    expect([wrong.status, wrong.body.banReason]).toEqual([401, undefined])
    const banned = await client.admin.listUsers({ query: { filterField: 'banned', filterValue: true } })
    expect(banned.data.users.map(({ id }: { id: string }) => id)).toContain(person.id)
    const { data: lifted } = await client.admin.unbanUser({ userId: person.id })
    expect(lifted.user).toMatchObject({ banned: false, banReason: null, banExpires: null })
    await signInElsewhere(testApp, person)
    // Without a reason and an expiry.
    const forever = (await client.admin.banUser({ userId: person.id })).data.user
    expect(forever).toMatchObject({ banned: true, banReason: 'No reason', banExpires: null })
    expect((await eventsAbout(person.id, 'user.banned')).length).toBe(2)
    expect((await eventsAbout(person.id, 'user.unbanned')).length).toBe(1)
  })

  it('become administrators only with a verified email address, and lose the role', async () => {
    const admin = await createAdministrator(testApp)
    const client = clientOf(admin)
    const other = await createUser(testApp)
    const passkey = { userId: other.id, publicKey: 'x', counter: 0n, deviceType: 'singleDevice', backedUp: false }
    for (const name of ['Phone', null])
      await testApp.db.passkey.create({
        data: { ...passkey, name, id: randomUUID(), credentialID: randomUUID(), createdAt: testApp.app.clock() },
      })
    const { data } = await client.admin.setRole({ userId: other.id, role: ['user', 'admin'] })
    expect(data.user).toMatchObject({ id: other.id, role: 'admin' })
    expect((await other.browser.get('/list-sessions')).status).toBe(401)
    const [granted] = await testApp.mails(other.email)
    expect(granted?.kind).toBe('administratorGranted')
    // From now on, each of these passkeys gives access to the administration.
    expect(granted?.text).toMatch(/: 2 \((?:“Phone” [\d-]{10}|— [\d-]{10}|; ){3}\)/)
    expect(granted?.text).toContain(`${testApp.origin}/settings/security`)
    expect((await testApp.mails(admin.email))[0]).toMatchObject({ kind: 'administratorAdded' })
    const [event] = await eventsAbout(other.id, 'user.role_changed')
    expect(event).toMatchObject({ actorId: admin.id, data: { from: 'user', to: 'admin', by: 'administrator' } })
    expect((await client.admin.setRole({ userId: other.id, role: 'user' })).data.user.role).toBe('user')
    expect((await client.admin.setRole({ userId: admin.id, role: 'user' })).error).toMatchObject({
      status: 400,
      code: 'YOU_CANNOT_REVOKE_YOURSELF',
    })
    const unverified = await createUnverifiedUser(testApp)
    expect((await client.admin.setRole({ userId: unverified.id, role: 'admin' })).error).toMatchObject({
      status: 403,
      code: 'EMAIL_NOT_VERIFIED',
    })
    expect((await client.admin.setRole({ userId: unverified.id, role: 'root' })).error).toMatchObject({ status: 400 })
  })

  it('are told of their account by email if the administrator says so, without the password', async () => {
    const { browser, name: actor } = await createAdministrator(testApp)
    const create = async (input: { sendEmail?: boolean }, emailVerified = true) => {
      const { email, name } = newUserData()
      await browser.trpc.admin.createUser.mutate({ email, name, password, data: { emailVerified }, ...input })
      return { email, mails: await testApp.mails(email) }
    }
    expect((await create({})).mails).toEqual([])
    expect((await create({ sendEmail: true }, false)).mails).toEqual([])
    const { email, mails } = await create({ sendEmail: true })
    expect(mails.map(({ kind }) => kind)).toEqual(['accountCreated'])
    expect(mails[0]?.text).toContain(`${actor} created an account for ${email}`)
    expect(mails[0]?.action?.link).toBe(`${testApp.origin}/sign-in?${new URLSearchParams({ email })}`)
    expect(JSON.stringify(mails)).not.toContain(password)
    const browserOfUser = testApp.browser()
    expect((await browserOfUser.post('/sign-in/email', { email, password })).status).toBe(200)
  })

  it('created as administrators keep the role, unless the mailbox owner takes over the account', async () => {
    const client = clientOf(await createAdministrator(testApp))
    const { email, name } = newUserData()
    const { data } = await client.admin.createUser({ email, name, password, role: 'admin' })
    expect(data.user).toMatchObject({ role: 'admin', emailVerified: false })
    const browser = testApp.browser()
    await browser.post('/sign-in/email', { email, password })
    // The account has been used, so that it survives a password reset by another person.
    await testApp.db.event.create({
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
    const mailbox = testApp.browser()
    await mailbox.post('/forget-password', { email, redirectTo: '/reset-password' })
    const [mail] = await testApp.mails(email)
    const token = /reset-password\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect((await mailbox.post('/reset-password', { newPassword: 'quite another phrase', token })).status).toBe(200)
    expect(await testApp.db.user.findUnique({ where: { email } })).toMatchObject({ role: 'user' })
  })

  it('are not removed for the same reasons that prevent them from deleting their account: organization or subscription', async () => {
    const client = clientOf(await createAdministrator(testApp))
    const owner = await createOrganizationOwner(testApp)
    await createMember(testApp, owner)
    expect((await client.admin.removeUser({ userId: owner.id })).error).toMatchObject({
      code: 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER',
    })
    expect(await testApp.db.user.count({ where: { id: owner.id } })).toBe(1)
  })
})

describe('races with a sign-in', () => {
  /** Signs in repeatedly, four requests at a time, until the call has been answered. */
  async function signInsDuring(own: TestApp, person: TestUser, call: () => Promise<{ status: number }>) {
    const over = new AbortController()
    const signIn = () => own.browser().post('/sign-in/email', { email: person.email, password })
    const loop = async () => {
      while (!over.signal.aborted) await signIn()
    }
    // The race has begun once one sign-in was answered.
    const first = signIn()
    const loops = [loop(), loop(), loop(), loop()]
    await first
    expect((await call()).status).toBe(200)
    over.abort()
    await Promise.all(loops)
  }

  it('no session started with the former password survives a new one', async () => {
    const own = await createTestApp()
    const admin = await createAdministrator(own)
    const person = await createUser(own)
    for (let round = 0; round < 6; round++) {
      const set = (newPassword: string) =>
        admin.browser.post('/admin/set-user-password', { userId: person.id, newPassword })
      await signInsDuring(own, person, () => set('another long phrase here'))
      expect(await own.db.session.count({ where: { userId: person.id } })).toBe(0)
      await set(password)
    }
  })

  it('no session that began before a ban is valid after it', async () => {
    const own = await createTestApp()
    const admin = await createAdministrator(own)
    const person = await createUser(own)
    for (let round = 0; round < 6; round++) {
      await signInsDuring(own, person, () => admin.browser.post('/admin/ban-user', { userId: person.id }))
      expect(await own.db.session.count({ where: { userId: person.id } })).toBe(0)
      await admin.browser.post('/admin/unban-user', { userId: person.id })
    }
  })
})

it('a removed administrator is not promoted again by the setting', async () => {
  const email = `chief.${Date.now()}@example.test`
  const own = await createTestApp({ ADMIN_EMAILS: email })
  const admin = await createAdministrator(own)
  const chief = await signUpWithFormerEmail(own, email)
  const { id } = (await chief.get('/get-session')).body.user
  expect((await own.db.user.findUnique({ where: { id } }))?.role).toBe('admin')
  expect((await admin.browser.post('/admin/remove-user', { userId: id })).status).toBe(200)
  await signUpWithFormerEmail(own, email)
  expect(await own.db.user.findUnique({ where: { email } })).toMatchObject({ role: 'user', emailVerified: true })
})

it('accepts a number as an id, as the plugin does', async () => {
  const { browser } = await createAdministrator(testApp)
  expect((await browser.post('/admin/set-role', { userId: 5, role: 'user' })).status).toBe(404)
  expect((await browser.post('/admin/list-user-sessions', { userId: 5 })).body).toEqual({ sessions: [] })
  expect((await browser.post('/admin/ban-user', { userId: {} })).status).toBe(400)
})

/** PostgreSQL's plan of a query. The tables of a test are too small for an index to be worthwhile. */
async function planOf(text: string, values: unknown[] = []): Promise<string> {
  const client = await testApp.pool.connect()
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_sort = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}

describe('the list of users', () => {
  it.each(userSorts)('sorted by %s reads an index, and does not sort the table', async (order) => {
    const column = order === 'banned' ? 'bannedAt' : order
    const plan = await planOf(`select u.* from "User" u order by u."${column}" desc, u.id desc limit 25`)
    expect(plan).toContain('Index Scan')
    // Rows that are equal in a unique column are sorted among themselves.
    expect(plan.replace('Incremental Sort', '')).not.toMatch(/Seq Scan|Sort {2}\(/)
  })

  it.each([
    // Where the database's locale is C, the unique index serves it, too.
    ['email', 'starts_with', 'User_email_(?:beginning|key)', 'person'],
    ['email', 'ends_with', 'User_email_end', 'person'],
    ['name', 'starts_with', 'User_name_beginning', 'person'],
    ['name', 'ends_with', 'User_search', 'person'],
    ['any', 'contains', 'User_search', 'person'],
    ['email', 'contains', 'User_pairs', 'q'],
    ['email', 'contains', 'User_pairs', 'zq'],
    ['email', 'contains', 'User_pairs', '@.'],
    ['name', 'contains', 'User_pairs', 'zq'],
    ['name', 'ends_with', 'User_pairs', 'z.q'],
    ['any', 'contains', 'User_pairs', 'z-q'],
  ] as const)('searched in %s by %s reads the index %s: %s', async (searchField, searchOperator, index, text) => {
    const search = ListUsers.parse({ searchField, searchOperator, searchValue: text })
    const { text: where, values } = whereOf(search, new Date())
    expect(await planOf(`select u.* from "User" u ${where}`, values)).toMatch(new RegExp(`"${index}"`))
  })

  it('counts all matches of a frequent text without computing the pairs of each', async () => {
    const search = ListUsers.parse({ searchField: 'any', searchValue: '@' })
    const { text, values } = whereOf(search, new Date(), true)
    expect(text).not.toContain('search_pairs')
    const { rows } = await testApp.pool.query<{ total: number }>(
      `select count(*)::int as total from "User" u ${text}`,
      values,
    )
    expect(rows[0]?.total).toBeGreaterThan(0)
  })

  it('searches, filters, sorts and pages', async () => {
    const own = await createTestApp()
    const client = clientOf(await createAdministrator(own), own)
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
    expect(await ids({ searchValue: '%', searchOperator: 'ends_with' })).toEqual([])
    expect(await ids({ searchValue: 'person4_', searchOperator: 'starts_with' })).toEqual([])
    const byName = { searchField: 'name', sortBy: 'createdAt' }
    expect(await ids({ ...byName, searchValue: 'PERSON_4', searchOperator: 'starts_with' })).toEqual(['p4', 'p40'])
    expect(await ids({ ...byName, searchValue: '_4%', searchOperator: 'ends_with' })).toEqual(['p4'])
    const anywhere = { searchField: 'any', sortBy: 'createdAt' }
    expect(await ids({ ...anywhere, searchValue: 'NAME9', searchOperator: 'starts_with' })).toEqual(['p9'])
    expect(await ids({ ...anywhere, searchValue: 'p9', searchOperator: 'ends_with' })).toEqual(['p9'])
    expect(await ids({ ...anywhere, searchValue: '9@EXAMPLE.test', searchOperator: 'ends_with', limit: 2 })).toEqual([
      'p9',
      'p19',
    ])
    expect(await ids({ ...anywhere, searchValue: 'ERSON9@Exam' })).toEqual(['p9'])
    expect(await ids({ ...anywhere, searchValue: 'person9@Exam%' })).toEqual([])
    expect(await ids({ searchValue: 'person9@xample' })).toEqual([])
    expect(await ids({ searchValue: '9@example', limit: 1, sortBy: 'createdAt' })).toEqual(['p9'])
    expect(await ids({ searchField: 'name', searchValue: 'person_11' })).toEqual(['p11'])
    expect(await ids({ searchField: 'any', searchValue: 'son_12' })).toEqual(['p12'])
    // Texts without three letters or digits in a row, anywhere in a name or address.
    expect((await list({ searchField: 'any', searchValue: 'Pe' })).total).toBe(40)
    expect((await list({ searchField: 'any', searchValue: '@' })).total).toBe(41)
    expect((await list({ searchField: 'any', searchValue: 'zq' })).total).toBe(0)
    expect((await list({ searchField: 'name', searchValue: 'eR' })).total).toBe(40)
    expect(await ids({ searchField: 'name', searchValue: '_39' })).toEqual(['p39'])
    expect(await ids({ searchField: 'name', searchValue: 'n_7%' })).toEqual(['p7'])
    expect(await ids({ searchField: 'name', searchValue: '9%', searchOperator: 'ends_with', limit: 1 })).toHaveLength(1)
    expect(await ids({ searchField: 'name', searchValue: '9_', searchOperator: 'ends_with' })).toEqual([])
    // The administrator's address is random, and may match too.
    const fourth = await ids({ searchValue: '4@', sortBy: 'createdAt' })
    expect(fourth.slice(0, 4)).toEqual(['p4', 'p14', 'p24', 'p34'])
    expect((await list({ searchField: 'name', searchValue: '\u001f' })).total).toBe(0)
    // Characters with a meaning in patterns are matched literally.
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

  it('caches the count of a large installation, and counts a small one exactly', async () => {
    const own = await createTestApp()
    const client = clientOf(await createAdministrator(own), own)
    const add = (from: number, to: number) =>
      own.pool.query(
        `insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role)
         select 'p' || n, 'p' || n || '@example.test', 'P', true, now(), now(), 3, 'user' from generate_series($1::int, $2::int) n`,
        [from, to],
      )
    const total = async () => (await client.admin.listUsers({ query: { limit: 1 } })).data.total
    // Whether figures are cached depends on estimates, which this test renews itself.
    for (const table of ['User', 'Session', 'Event', 'Mail'])
      await own.pool.query(`alter table "${table}" set (autovacuum_enabled = off)`)
    await add(1, 500)
    expect(await total()).toBe(501)
    expect((await client.admin.listUsers({ query: { limit: 10, offset: 600 } })).data).toMatchObject({
      users: [],
      total: 501,
    })
    await add(501, 999)
    expect(await total()).toBe(1_000)
    await add(1_000, 2_999)
    expect(await total()).toBe(3_000)
    await add(3_000, 3_000)
    own.advanceClock(31)
    expect(await total()).toBe(3_001)
    // So are the figures of the overview.
    const { browser } = await createAdministrator(own)
    const organizations = async () => (await browser.trpc.admin.overview.query()).organizations
    expect(await organizations()).toBe(0)
    await createOrganizationOwner(own)
    expect(await organizations()).toBe(1)
    await own.pool.query('analyze')
    expect(await organizations()).toBe(1)
    await createOrganizationOwner(own)
    expect(await organizations()).toBe(1)
    own.advanceClock(31)
    expect(await organizations()).toBe(2)
    // A call after a change wants current figures, and no total contradicts its page.
    const list = async (query: string, headers?: Record<string, string>) =>
      (await browser.get(`/admin/list-users?${query}`, headers)).body
    expect(await list('limit=1')).toMatchObject({ total: 3_004 })
    await createOrganizationOwner(own)
    expect(await list('limit=1')).toMatchObject({ total: 3_004 })
    expect(await list('limit=1', { 'cache-control': 'no-cache' })).toMatchObject({ total: 3_005 })
    await own.pool.query(`delete from "User" where id like 'p1%'`)
    expect(await list('limit=1')).toMatchObject({ total: 3_005 })
    const { rows } = await own.pool.query<{ count: number }>(`select count(*)::int from "User"`)
    expect(await list('limit=10&offset=2900')).toMatchObject({ users: [], total: rows[0]?.count })
    expect(await list('limit=10&offset=9000')).toMatchObject({ users: [], total: rows[0]?.count })
    await add(4_000, 4_200)
    const now = (rows[0]?.count ?? 0) + 201
    expect(await list(`limit=1&offset=${now - 1}`)).toMatchObject({ users: [{ id: expect.any(String) }], total: now })
    expect(await organizations()).toBe(2)
  })
})

import { describe, expect, it } from 'vitest'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import {
  insertMembers,
  createOrganizationOwner,
  createInvitation,
  createMember,
  newSlug,
} from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, signInElsewhere } from '../testing/test-users.ts'

const testApp = await createTestApp()
const limited = await createTestApp({ ORGANIZATION_LIMIT: '3' })
const closed = await createTestApp({ ORGANIZATION_CREATION: 'off' })

describe('creating an organization', () => {
  it('returns the organization with its owner, creates a first team, and activates it', async () => {
    const { browser, id } = await createUser(testApp)
    const slug = newSlug()
    const metadata = { plan: 'gold' }
    const { status, body } = await browser.post('/organization/create', {
      name: ' Acme ',
      slug: slug.toUpperCase(),
      logo: 'https://acme.test/logo.svg',
      metadata,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Acme', slug, logo: 'https://acme.test/logo.svg', metadata })
    expect(body.members).toMatchObject([{ userId: id, role: 'owner', organizationId: body.id }])
    expect(Object.keys(body).toSorted()).toEqual(['createdAt', 'id', 'logo', 'members', 'metadata', 'name', 'slug'])
    const teams = await browser.get('/organization/list-teams')
    expect(teams.body).toMatchObject([{ name: 'Acme', id: body.members[0].teamId, updatedAt: null }])
    // Read from the cookie cache, which the response renewed.
    expect((await browser.get('/get-session')).body.session.activeOrganizationId).toBe(body.id)
  })

  it('keeps the active organization on request, and ignores a userId in the body', async () => {
    const owner = await createOrganizationOwner(testApp)
    const other = await createUser(testApp)
    const { body } = await owner.browser.post('/organization/create', {
      name: 'Second',
      slug: newSlug(),
      keepCurrentActiveOrganization: true,
      userId: other.id,
    })
    expect(body.members[0].userId).toBe(owner.id)
    expect((await owner.browser.get('/get-session')).body.session.activeOrganizationId).toBe(owner.organization.id)
    expect((await other.browser.get('/organization/list')).body).toEqual([])
  })

  it.each([
    ['no name', { slug: 'x' }],
    ['an empty name', { name: ' ', slug: 'x' }],
    ['a long name', { name: 'x'.repeat(101), slug: 'x' }],
    ['no slug', { name: 'x' }],
    ['an empty slug', { name: 'x', slug: '' }],
    ['a slug with a dot', { name: 'x', slug: 'a.b' }],
    ['a slug with a line break', { name: 'x', slug: 'ab\n' }],
    ['a slug with the Kelvin sign', { name: 'x', slug: 'a\u212A' }],
    ['a slug of 65', { name: 'x', slug: 'a'.repeat(65) }],
    ['a logo that is a script', { name: 'x', slug: 'x', logo: 'javascript:alert(1)' }],
    ['a logo that is data', { name: 'x', slug: 'x', logo: 'data:image/svg+xml,<svg/>' }],
    ['a logo over http from elsewhere', { name: 'x', slug: 'x', logo: 'http://elsewhere.test/a.png' }],
    ['metadata that is a number', { name: 'x', slug: 'x', metadata: { a: 1 } }],
    ['metadata that is nested', { name: 'x', slug: 'x', metadata: { a: { b: 'c' } } }],
    ['metadata that is a list', { name: 'x', slug: 'x', metadata: ['a'] }],
    [
      'metadata with 51 keys',
      { name: 'x', slug: 'x', metadata: Object.fromEntries([...Array(51).keys()].map((n) => [n, 'x'])) },
    ],
    ['metadata of 17 kB', { name: 'x', slug: 'x', metadata: { a: 'x'.repeat(17_000) } }],
    ['metadata with a constructor', { name: 'x', slug: 'x', metadata: { constructor: 'x' } }],
    ['metadata with a prototype', { name: 'x', slug: 'x', metadata: JSON.parse('{"__proto__":"x"}') }],
    ['a NUL', { name: 'a\0b', slug: 'x' }],
  ])('refuses %s', async (_, input) => {
    const { browser } = await createUser(testApp)
    const { status, body } = await browser.post('/organization/create', input)
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await browser.get('/organization/list')).body).toEqual([])
  })

  it('of thirty concurrent requests for one slug, one succeeds', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => createUser(testApp)))
    const slug = newSlug()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        people[n % 3]?.browser.post('/organization/create', { name: 'Race', slug: n % 2 ? slug : slug.toUpperCase() }),
      ),
    )
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1)
    const losers = answers.filter((answer) => answer?.status !== 200)
    expect(new Set(losers.map((answer) => `${answer?.status} ${answer?.body.message}`))).toEqual(
      new Set(['400 Organization already exists']),
    )
    expect(await testApp.db.member.count({ where: { organization: { slug } } })).toBe(1)
  })

  it('enforces the membership limit, even for twenty concurrent requests', async () => {
    const { browser } = await createUser(limited)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.post('/organization/create', { name: 'Many', slug: newSlug() })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 403,
      body: { message: 'You have reached the maximum number of organizations' },
    })
  })

  it('is refused as signed out if its user is deleted at the same time', async () => {
    const person = await createUser(testApp)
    const late = await withRowLock(testApp, 'delete from "User" where id = $1', [person.id], async (release) => {
      const sent = person.browser.post('/organization/create', { name: 'Late', slug: newSlug() })
      await untilWaiting(testApp, 1)
      await release()
      return sent
    })
    expect(late).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  })

  it('a taken slug is reported even if the limit is reached', async () => {
    const { browser } = await createUser(limited)
    const slug = newSlug()
    expect((await browser.post('/organization/create', { name: 'A', slug })).status).toBe(200)
    expect(await browser.post('/organization/create', { name: 'A', slug })).toMatchObject({
      status: 400,
      body: { code: 'ORGANIZATION_ALREADY_EXISTS' },
    })
  })

  it('is refused where creating organizations is disabled', async () => {
    const { browser } = await createUser(closed)
    expect(await browser.post('/organization/create', { name: 'x', slug: newSlug() })).toMatchObject({
      status: 403,
      body: { code: 'YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION' },
    })
  })
})

describe('check-slug', () => {
  it('reports whether a slug is available', async () => {
    const { browser, organization } = await createOrganizationOwner(testApp)
    expect((await browser.post('/organization/check-slug', { slug: newSlug() })).body).toEqual({ status: true })
    const taken = await browser.post('/organization/check-slug', { slug: organization.slug.toUpperCase() })
    expect([taken.status, taken.body]).toEqual([400, { code: 'SLUG_IS_TAKEN', message: 'slug is taken' }])
    expect((await browser.post('/organization/check-slug', { slug: 'a b' })).body.code).toBe('VALIDATION_ERROR')
  })
})

describe('updating an organization', () => {
  it('changes only the given fields', async () => {
    const { browser, organization } = await createOrganizationOwner(testApp, { metadata: { a: '1', b: '2' } })
    const slug = newSlug()
    const changed = await browser.post('/organization/update', {
      data: { slug, metadata: { c: '3' }, id: 'mine', createdAt: '2000-01-01', members: [] },
    })
    expect(changed.body).toMatchObject({ id: organization.id, name: 'Acme', slug, metadata: { c: '3' } })
    const renamed = await browser.post('/organization/update', {
      data: { name: 'Ajax', logo: null, metadata: null },
      organizationId: organization.id,
    })
    expect(renamed.body).toMatchObject({ name: 'Ajax', slug, metadata: null })
    expect((await browser.post('/organization/update', { data: {} })).body).toEqual(renamed.body)
  })

  it('records the fields that have changed, not all that are sent', async () => {
    const { browser, organization } = await createOrganizationOwner(testApp)
    const { id: organizationId, name, slug } = organization
    const metadata = { region: 'eu' }
    await browser.post('/organization/update', {
      data: { name: `${name} 2`, slug, logo: null, metadata },
      organizationId,
    })
    await browser.post('/organization/update', { data: { name: `${name} 2`, slug, metadata }, organizationId })
    const { events } = await browser.trpc.organization.activity.query({ organizationId, type: 'organization.updated' })
    expect(events.map(({ data }) => data)).toEqual([{ fields: [] }, { fields: ['name', 'metadata'] }])
  })

  it('refuses in the specified order', async () => {
    const owner = await createOrganizationOwner(testApp)
    const other = await createOrganizationOwner(testApp)
    const visitor = await createUser(testApp)
    const data = { name: 'Mine now' }
    expect(await testApp.browser().post('/organization/update', { data })).toMatchObject({
      status: 401,
      body: { code: 'USER_NOT_FOUND', message: 'User not found' },
    })
    expect(await visitor.browser.post('/organization/update', { data })).toMatchObject({
      status: 400,
      body: { message: 'Organization not found' },
    })
    for (const organizationId of [owner.organization.id, 'unknown']) {
      expect(await visitor.browser.post('/organization/update', { data, organizationId })).toMatchObject({
        status: 400,
        body: { message: 'User is not a member of the organization' },
      })
    }
    const taken = { data: { slug: other.organization.slug } }
    expect(await owner.browser.post('/organization/update', taken)).toMatchObject({
      status: 400,
      body: { message: 'Organization already exists' },
    })
    expect((await owner.browser.post('/organization/update', { data: { slug: owner.organization.slug } })).status).toBe(
      200,
    )
  })
})

describe('deleting an organization', () => {
  it('deletes all dependent data and clears it from every session', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await createInvitation(owner, 'waits@example.test')
    const elsewhere = await signInElsewhere(testApp, owner)
    const { id, slug } = owner.organization
    await elsewhere.post('/organization/set-active', { organizationId: id })
    const { status, body } = await owner.browser.post('/organization/delete', { organizationId: id })
    expect([status, body.id, body.slug]).toEqual([200, id, slug])
    for (const browser of [owner.browser, elsewhere, member.browser]) {
      const session = await browser.get('/get-session?disableCookieCache=true')
      expect(session.body.session.activeOrganizationId).toBeNull()
      expect((await browser.get('/organization/list')).body).toEqual([])
    }
    expect((await owner.browser.get('/get-session')).body.session.activeOrganizationId).toBeNull()
    const where = { organizationId: id }
    const left = await Promise.all([
      testApp.db.member.count({ where }),
      testApp.db.team.count({ where }),
      testApp.db.invitation.count({ where }),
    ])
    expect(left).toEqual([0, 0, 0])
    expect(await owner.browser.post('/organization/delete', { organizationId: id })).toMatchObject({
      status: 400,
      body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' },
    })
  })

  it('of ten concurrent calls, one deletes and none is a 5xx', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => owner.browser.post('/organization/delete', { organizationId })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 400, 404].includes(status))).toBe(true)
  })
})

describe('reading organizations', () => {
  it('lists them in the order of joining, in pages on request', async () => {
    const one = await createOrganizationOwner(testApp)
    const two = await one.browser.post('/organization/create', { name: 'Two', slug: newSlug() })
    const three = await one.browser.post('/organization/create', { name: 'Three', slug: newSlug() })
    const ids = [one.organization.id, two.body.id, three.body.id]
    const list = await one.browser.get('/organization/list')
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(Object.keys(list.body[0]).toSorted()).toEqual(['createdAt', 'id', 'logo', 'metadata', 'name', 'slug'])
    const page = await one.browser.get(`/organization/list?limit=1&cursor=${ids[0]}`)
    expect(page.body.map(({ id }: { id: string }) => id)).toEqual([ids[1]])
    for (const query of ['limit=0', 'limit=x', 'limit=1&limit=2', 'cursor=%00', `cursor=${'x'.repeat(65)}`]) {
      expect(await one.browser.get(`/organization/list?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      })
      expect(await testApp.browser().get(`/organization/list?${query}`)).toMatchObject({ status: 401 })
    }
    expect((await one.browser.get('/organization/get-full-organization?organizationId=%00')).status).toBe(400)
    expect(await one.browser.trpc.organization.list.query({ limit: 1 })).toMatchObject([{ id: ids[0] }])
    expect(await one.browser.trpc.organization.getFull.query({ organizationId: ids[2] })).toEqual(
      (await one.browser.get(`/organization/get-full-organization?organizationId=${ids[2]}`)).body,
    )
  })

  it('shows an organization with all its data to its members: by id, by slug, or the active one', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const { id, slug } = owner.organization
    const active = await member.browser.get('/organization/get-full-organization')
    expect(active.body).toMatchObject({ id, slug, teams: [{ name: 'Acme' }] })
    expect(active.body.members.map((row: { userId: string }) => row.userId)).toEqual([owner.id, member.id])
    expect(active.body.members[1].user).toEqual({ id: member.id, name: member.name, email: member.email, image: null })
    expect(active.body.invitations).toMatchObject([{ email: member.email, status: 'accepted' }])
    expect(active.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(active.body.members[0].createdAt).toMatch(/Z$/)
    expect(active.text).not.toMatch(/secret|password/i)
    const bySlug = await owner.browser.get(
      `/organization/get-full-organization?organizationSlug=${slug.toUpperCase()}&organizationId=x`,
    )
    expect(bySlug.body).toEqual(active.body)
    const visitor = await createUser(testApp)
    expect((await visitor.browser.get('/organization/get-full-organization')).body).toBeNull()
    for (const query of [`organizationId=${id}`, `organizationSlug=${slug}`, 'organizationId=unknown']) {
      expect(await visitor.browser.get(`/organization/get-full-organization?${query}`)).toMatchObject({
        status: 403,
        body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' },
      })
    }
  })

  it('shows it to a member beyond the hundredth as well', async () => {
    const owner = await createOrganizationOwner(testApp)
    await insertMembers(testApp, owner.organization.id, 120)
    const { body } = await owner.browser.get('/organization/get-full-organization')
    expect(body.members).toHaveLength(121)
  })
})

describe('the active organization', () => {
  it('is set by id or slug, read and unset, and the cookie cache follows', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { id, slug } = owner.organization
    const active = async () => (await owner.browser.get('/get-session')).body.session.activeOrganizationId
    expect((await owner.browser.post('/organization/set-active', { organizationId: null })).body).toBeNull()
    expect(await active()).toBeNull()
    expect((await owner.browser.post('/organization/set-active', {})).body).toBeNull()
    const set = await owner.browser.post('/organization/set-active', { organizationSlug: slug })
    expect(set.body).toMatchObject({ id, members: [{ userId: owner.id }], teams: [{}], invitations: [] })
    expect(await active()).toBe(id)
    expect((await owner.browser.post('/organization/set-active', {})).body.id).toBe(id)
  })

  it('used last is active in a new session, as long as the user is a member', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const activeOf = async (person: typeof owner | typeof member) => {
      const elsewhere = await signInElsewhere(testApp, person)
      return (await elsewhere.get('/get-session')).body.session.activeOrganizationId
    }
    expect(await activeOf(owner)).toBe(owner.organization.id)
    expect(await activeOf(member)).toBe(owner.organization.id)
    const own = (await member.browser.post('/organization/create', { name: 'Own', slug: newSlug() })).body.id
    expect(await activeOf(member)).toBe(own)
    await member.browser.post('/organization/set-active', { organizationId: owner.organization.id })
    expect(await activeOf(member)).toBe(owner.organization.id)
    await owner.browser.post('/organization/remove-member', { memberIdOrEmail: member.email })
    expect(await activeOf(member)).toBeNull()
  })

  it('is refused for non-members, and stays unchanged', async () => {
    const owner = await createOrganizationOwner(testApp)
    const other = await createOrganizationOwner(testApp)
    for (const target of [{ organizationId: owner.organization.id }, { organizationSlug: 'nothing-here' }]) {
      expect(await other.browser.post('/organization/set-active', target)).toMatchObject({
        status: 403,
        body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' },
      })
    }
    const { body } = await other.browser.get('/get-session?disableCookieCache=true')
    expect(body.session.activeOrganizationId).toBe(other.organization.id)
  })

  it('returns the user’s membership, or null', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { body } = await owner.browser.get('/organization/get-active-member')
    expect(body).toMatchObject({ id: owner.memberId, role: 'owner', user: { email: owner.email } })
    await owner.browser.post('/organization/set-active', { organizationId: null })
    expect((await owner.browser.get('/organization/get-active-member')).body).toBeNull()
  })
})

describe('procedures of the web client', () => {
  it('organizations are searched by name or slug, with the user’s role', async () => {
    const owner = await createOrganizationOwner(testApp, { name: 'Überraschung & Söhne' })
    const admin = await createMember(testApp, owner, 'admin')
    await admin.browser.post('/organization/create', { name: 'Mine', slug: newSlug() })
    const all = await admin.browser.trpc.organization.mine.query()
    expect(all.map(({ name, role }) => [name, role])).toEqual([
      ['Mine', 'owner'],
      ['Überraschung & Söhne', 'admin'],
    ])
    expect(await admin.browser.trpc.organization.mine.query({ search: 'SÖHNE' })).toHaveLength(1)
    expect(await admin.browser.trpc.organization.mine.query({ search: '%' })).toHaveLength(0)
  })

  it('an overview contains counts, for members only', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await createInvitation(owner, 'waits@example.test')
    const { slug } = owner.organization
    const overview = await member.browser.trpc.organization.get.query({ slug })
    expect(overview).toMatchObject({
      me: { id: member.memberId, role: 'member' },
      counts: { members: 2, owners: 1, teams: 1, pendingInvitations: 1 },
      membershipLimit: 100,
    })
    const visitor = await createUser(testApp)
    await expect(visitor.browser.trpc.organization.get.query({ slug })).rejects.toThrow('User is not a member')
  })

  it('members are found by name or email address, by role and team, sorted, and page by page', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    await insertMembers(testApp, organizationId, 60)
    const admin = await createMember(testApp, owner, ['admin', 'member'])
    const ask = owner.browser.trpc.organization.members.query
    const first = await ask({ organizationId })
    expect([first.total, first.members.length]).toEqual([62, 25])
    expect(first.members[0]?.role).toBe('owner')
    const rest = await Promise.all([25, 50, 75].map((offset) => ask({ organizationId, offset })))
    const seen = [first, ...rest].flatMap(({ members }) => members.map(({ id }) => id))
    expect([seen.length, new Set(seen).size]).toEqual([62, 62])
    const names = async (more: object) =>
      (await ask({ organizationId, limit: 100, ...more })).members.map(({ user }) => user.name)
    const sorted = await names({ sort: 'name' })
    expect(await names({ sort: 'name', descending: true })).toHaveLength(62)
    expect((await names({ sort: 'name', descending: true }))[0]).toBe(sorted.at(-1))
    // From the highest role to the lowest, over several pages.
    const byRole = await Promise.all(
      [0, 20, 40, 60].map((offset) => ask({ organizationId, sort: 'role', limit: 20, offset })),
    )
    const found = byRole.flatMap(({ members }) => members)
    expect([new Set(found.map(({ id }) => id)).size, byRole[3]?.total]).toEqual([62, 62])
    expect(found.slice(0, 3).map(({ role }) => role)).toEqual(['owner', 'admin,member', 'member'])
    const lowest = await ask({ organizationId, sort: 'role', descending: true, limit: 2, offset: 60 })
    expect(lowest.members.map(({ role }) => role)).toEqual(['admin,member', 'owner'])
    const teamId = first.members[0]?.teamId ?? ''
    expect((await ask({ organizationId, teamId })).members.map(({ teamId: of }) => of)).toContain(teamId)
    expect((await ask({ organizationId, role: 'admin' })).members).toMatchObject([{ id: admin.memberId }])
    expect((await ask({ organizationId, search: admin.email.slice(2, 12).toUpperCase() })).total).toBe(1)
    const visitor = await createUser(testApp)
    await expect(visitor.browser.trpc.organization.members.query({ organizationId })).rejects.toThrow('not a member')
  })
})

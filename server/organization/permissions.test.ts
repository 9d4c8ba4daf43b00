import { beforeAll, describe, expect, it } from 'vitest'
import { can, permissions, roles, type Role } from '../../shared/permissions.ts'
import {
  createOrganizationOwner,
  createInvitation,
  createMember,
  type OrganizationOwner,
} from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createUser, newUserData, type TestUser } from '../testing/test-users.ts'

const testApp = await createTestApp()

/** Actors: each role, combinations of two, a member of another organization, and an anonymous caller. */
const actors = ['owner', 'admin', 'member', 'owner,admin', 'admin,member', 'stranger', 'nobody'] as const
type Actor = (typeof actors)[number]

let founding: OrganizationOwner
const people = new Map<Actor, TestUser>()

beforeAll(async () => {
  founding = await createOrganizationOwner(testApp)
  for (const actor of actors) {
    if (actor === 'nobody') people.set(actor, { ...newUserData(), browser: testApp.browser(), id: '' })
    else if (actor === 'stranger') people.set(actor, await createOrganizationOwner(testApp))
    else people.set(actor, await createMember(testApp, founding, actor.split(',')))
  }
})

/** One call per cell of the permission table, each on new objects, so that all cells are independent. */
const cells: Record<string, (by: TestUser, organizationId: string) => Promise<{ status: number }>> = {
  'organization update': (by, organizationId) =>
    by.browser.post('/organization/update', { data: { metadata: { by: 'me' } }, organizationId }),
  'member create': async (by, organizationId) => {
    const newcomer = await createUser(testApp)
    const { status, body } = await by.browser.post('/organization/invite-member', {
      email: newcomer.email,
      role: 'member',
      organizationId,
    })
    if (status !== 200) return { status }
    return newcomer.browser.post('/organization/accept-invitation', { invitationId: body.id })
  },
  'member update': async (by, organizationId) => {
    const { memberId } = await createMember(testApp, founding)
    return by.browser.post('/organization/update-member-role', { memberId, role: 'admin', organizationId })
  },
  'member delete': async (by, organizationId) => {
    const { memberId } = await createMember(testApp, founding)
    return by.browser.post('/organization/remove-member', { memberIdOrEmail: memberId, organizationId })
  },
  'invitation create': (by, organizationId) =>
    by.browser.post('/organization/invite-member', { email: newUserData().email, role: 'member', organizationId }),
  'invitation cancel': async (by) => {
    const invitationId = await createInvitation(founding, newUserData().email)
    return by.browser.post('/organization/cancel-invitation', { invitationId })
  },
  'team create': (by, organizationId) => by.browser.post('/organization/create-team', { name: 'New', organizationId }),
  'team update': async (by, organizationId) => {
    const { body } = await founding.browser.post('/organization/create-team', { name: 'Old', organizationId })
    return by.browser.post('/organization/update-team', { teamId: body.id, data: { name: 'New', organizationId } })
  },
  'team delete': async (by, organizationId) => {
    const { body } = await founding.browser.post('/organization/create-team', { name: 'Old', organizationId })
    return by.browser.post('/organization/remove-team', { teamId: body.id, organizationId })
  },
  'organization delete': (by, organizationId) => by.browser.post('/organization/delete', { organizationId }),
}

/** The permission table (shared/permissions.ts), repeated independently: the roles that each cell is granted to. */
const granted: Record<string, readonly Role[]> = {
  'organization update': ['owner', 'admin'],
  'organization delete': ['owner'],
  'member create': ['owner', 'admin'],
  'member update': ['owner', 'admin'],
  'member delete': ['owner', 'admin'],
  'invitation create': ['owner', 'admin'],
  'invitation cancel': ['owner', 'admin'],
  'team create': ['owner', 'admin'],
  'team update': ['owner', 'admin'],
  'team delete': ['owner', 'admin'],
}

describe('the permission table', () => {
  it('has a call for each of its cells', () => {
    expect(Object.keys(cells).toSorted()).toEqual(Object.keys(granted).toSorted())
    const table = roles.flatMap((role) =>
      Object.entries<readonly string[]>(permissions[role]).flatMap(([resource, actions]) =>
        actions.map((action) => `${resource} ${action} ${role}`),
      ),
    )
    const repeated = Object.entries(granted).flatMap(([cell, allowed]) => allowed.map((role) => `${cell} ${role}`))
    expect(table.toSorted()).toEqual(repeated.toSorted())
  })

  const matrix = Object.keys(cells).flatMap((cell) => actors.map((actor) => [cell, actor] as const))
  // Deletion by owners is tested separately below, because it would remove the organization under test.
  it.each(matrix.filter(([cell, actor]) => cell !== 'organization delete' || !actor.includes('owner')))(
    '%s by %s',
    async (cell, actor) => {
      const by = people.get(actor)
      const call = cells[cell]
      if (!by || !call) throw new Error(`No ${actor} or no call for ${cell}`)
      const [resource = '', action = ''] = cell.split(' ')
      const isGranted = actor.split(',').some((role) => grants(role, resource, action))
      const { status } = await call(by, founding.organization.id)
      const refused = actor === 'nobody' ? 401 : actor === 'stranger' && !cell.startsWith('team') ? 400 : 403
      expect(status).toBe(isGranted ? 200 : refused)
    },
  )

  it.each(['owner', 'owner,admin'] as const)('organization delete by %s', async (role) => {
    const owner = await createOrganizationOwner(testApp)
    const second = role === 'owner' ? owner : await createMember(testApp, owner, role.split(','))
    const organizationId = owner.organization.id
    expect((await second.browser.post('/organization/delete', { organizationId })).status).toBe(200)
  })
})

function grants(role: string, resource: string, action: string): boolean {
  return (granted[`${resource} ${action}`] ?? []).some((name) => name === role)
}

describe('has-permission', () => {
  const ask = (by: TestUser, body: object) => by.browser.post('/organization/has-permission', body)

  it.each(roles)('answers for %s as in the permission table', async (role) => {
    const organizationId = founding.organization.id
    for (const cell of Object.keys(granted)) {
      const [resource = '', action = ''] = cell.split(' ')
      const by = people.get(role)
      const { body } = by ? await ask(by, { permissions: { [resource]: [action] }, organizationId }) : { body: null }
      expect(body).toEqual({ error: null, success: grants(role, resource, action) })
    }
  })

  it('requires a single role that grants everything, and accepts the legacy key', async () => {
    const owner = await createOrganizationOwner(testApp)
    const admin = await createMember(testApp, owner, ['member', 'admin'])
    const all = { team: ['create', 'delete'], invitation: ['cancel'] }
    expect((await ask(admin, { permissions: all })).body.success).toBe(true)
    expect((await ask(admin, { permission: { ...all, organization: ['delete'] } })).body.success).toBe(false)
    expect((await ask(owner, { permissions: {} })).body.success).toBe(false)
    expect((await ask(owner, { permissions: { team: [] } })).body.success).toBe(false)
    expect((await ask(owner, { permissions: { nothing: ['at all'], team: ['create'] } })).body.success).toBe(false)
    expect((await ask(owner, { permissions: { constructor: ['name'] } })).body.success).toBe(false)
    for (const body of [{}, { permission: all, permissions: all }, { permissions: 'team' }]) {
      expect(await ask(owner, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    }
  })

  it('refuses without an organization or a membership', async () => {
    const visitor = await createUser(testApp)
    const permissions = { team: ['create'] }
    expect(await ask(visitor, { permissions })).toMatchObject({
      status: 400,
      body: { message: 'No active organization' },
    })
    const { id } = (await createOrganizationOwner(testApp)).organization
    expect(await ask(visitor, { permissions, organizationId: id })).toMatchObject({
      status: 401,
      body: { code: 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION' },
    })
  })
})

describe('can', () => {
  it('grants nothing to unknown role names', () => {
    for (const role of ['', 'Owner', 'owner;admin', 'constructor', '__proto__', 'toString'] as (Role | string)[]) {
      expect(can(role, 'team', 'create')).toBe(false)
    }
    expect(can(' member , admin ', 'team', 'create')).toBe(true)
  })
})

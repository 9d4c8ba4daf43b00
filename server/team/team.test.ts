import { describe, expect, it } from 'vitest'
import { createOrganizationOwner, createInvitation, createMember } from '../testing/organizations.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { createUser } from '../testing/test-users.ts'

const testApp = await createTestApp()
const lenient = await createTestApp({ ALLOW_REMOVE_LAST_TEAM: 'on' })

/** An owner without a team, so that every team can be removed. */
async function founderOutside(instance: TestApp) {
  const owner = await createOrganizationOwner(instance)
  await owner.browser.trpc.team.assign.mutate({ memberId: owner.memberId, teamId: null })
  return owner
}

describe('teams', () => {
  it('are at most a hundred, even if two are created concurrently', async () => {
    const owner = await createOrganizationOwner(testApp)
    const teams = Array.from({ length: 98 }, (_, n) => {
      return {
        id: `${owner.organization.id}${n}`,
        name: 'T',
        organizationId: owner.organization.id,
        createdAt: new Date(),
      }
    })
    await testApp.db.team.createMany({ data: teams })
    const create = () => owner.browser.post('/organization/create-team', { name: 'One more' })
    const answers = await Promise.all([create(), create(), create()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({
      code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS',
      message: 'You have reached the maximum number of teams',
    })
    expect(await testApp.db.team.count({ where: { organizationId: owner.organization.id } })).toBe(100)
  })

  it('are created, renamed and listed in order of creation', async () => {
    const owner = await createOrganizationOwner(testApp)
    const made = await owner.browser.post('/organization/create-team', { name: ' Ice cream ' })
    expect(made.body).toMatchObject({ name: 'Ice cream', organizationId: owner.organization.id, updatedAt: null })
    const teamId = made.body.id
    const renamed = await owner.browser.post('/organization/update-team', { teamId, data: { name: 'Sorbet' } })
    expect(renamed.body).toMatchObject({ id: teamId, name: 'Sorbet', createdAt: made.body.createdAt })
    expect(renamed.body.updatedAt).toMatch(/Z$/)
    const same = await owner.browser.post('/organization/update-team', { teamId, data: {} })
    expect(same.body).toEqual(renamed.body)
    const list = await owner.browser.get('/organization/list-teams')
    expect(list.body.map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Sorbet'])
    expect((await owner.browser.get(`/organization/list-teams?limit=1&cursor=${list.body[0].id}`)).body).toHaveLength(1)
  })

  it('require a name', async () => {
    const owner = await createOrganizationOwner(testApp)
    for (const data of [
      { name: '' },
      { name: '  ' },
      { name: 7 },
      { name: 'x'.repeat(101) },
      { createdAt: 1, name: '' },
    ]) {
      expect(await owner.browser.post('/organization/create-team', data)).toMatchObject({ status: 400 })
      expect(await owner.browser.post('/organization/update-team', { teamId: owner.teamId, data })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      })
    }
  })

  it('of another organization are not found, and cannot be moved', async () => {
    const owner = await createOrganizationOwner(testApp)
    const foreign = await createOrganizationOwner(testApp)
    const unknown = { status: 400, body: { message: 'Team not found' } }
    const data = { name: 'Mine now' }
    expect(await owner.browser.post('/organization/update-team', { teamId: foreign.teamId, data })).toMatchObject(
      unknown,
    )
    expect(await owner.browser.post('/organization/remove-team', { teamId: foreign.teamId })).toMatchObject(unknown)
    expect(
      await owner.browser.post('/organization/update-team', {
        teamId: owner.teamId,
        data: { name: 'Moved', organizationId: foreign.organization.id },
      }),
    ).toMatchObject({ status: 403, body: { message: 'You are not allowed to update this team' } })
    expect(
      await owner.browser.post('/organization/invite-member', {
        email: 'a@example.test',
        role: 'member',
        teamId: foreign.teamId,
      }),
    ).toMatchObject(unknown)
    await expect(
      owner.browser.trpc.team.assign.mutate({ memberId: owner.memberId, teamId: foreign.teamId }),
    ).rejects.toThrow('Team not found')
  })

  it('can be removed; their members and invitations are kept, without a team', async () => {
    const owner = await founderOutside(testApp)
    const { body: team } = await owner.browser.post('/organization/create-team', { name: 'Short-lived' })
    const member = await createMember(testApp, owner)
    await owner.browser.trpc.team.assign.mutate({ memberId: member.memberId, teamId: team.id })
    const invitationId = await createInvitation(owner, 'waits@example.test', { teamId: team.id })
    const removed = await owner.browser.post('/organization/remove-team', { teamId: team.id })
    expect(removed.body).toEqual({ message: 'Team removed successfully.' })
    expect(await testApp.db.member.findUnique({ where: { id: member.memberId } })).toMatchObject({ teamId: null })
    expect(await testApp.db.invitation.findUnique({ where: { id: invitationId } })).toMatchObject({
      teamId: null,
      status: 'pending',
    })
  })

  it('the last one stays, even if all are removed concurrently', async () => {
    const owner = await founderOutside(testApp)
    const more = await Promise.all(
      [1, 2, 3, 4].map((n) => owner.browser.post('/organization/create-team', { name: `Team ${n}` })),
    )
    const ids = [owner.teamId, ...more.map(({ body }) => body.id)]
    const answers = await Promise.all(
      [...ids, ...ids, ...ids, ...ids].map((teamId) => owner.browser.post('/organization/remove-team', { teamId })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    expect(await testApp.db.team.count({ where: { organizationId: owner.organization.id } })).toBe(1)
    const [last] = (await owner.browser.get('/organization/list-teams')).body
    expect(await owner.browser.post('/organization/remove-team', { teamId: last.id })).toMatchObject({
      status: 400,
      body: { message: 'Unable to remove last team' },
    })
  })

  it('the last one can be removed where the setting allows it; the user’s own team never', async () => {
    const owner = await createOrganizationOwner(lenient)
    expect(await owner.browser.post('/organization/remove-team', { teamId: owner.teamId })).toMatchObject({
      status: 403,
      body: { message: 'You are not allowed to delete teams in this organization' },
    })
    await owner.browser.trpc.team.assign.mutate({ memberId: owner.memberId, teamId: null })
    expect((await owner.browser.post('/organization/remove-team', { teamId: owner.teamId })).status).toBe(200)
    expect((await owner.browser.get('/organization/list-teams')).body).toEqual([])
  })

  it('need an organization and a membership', async () => {
    const owner = await createOrganizationOwner(testApp)
    const visitor = await createUser(testApp)
    const none = { status: 400, body: { message: 'No active organization' } }
    expect(await visitor.browser.post('/organization/create-team', { name: 'x' })).toMatchObject(none)
    expect(await visitor.browser.post('/organization/update-team', { teamId: 'x', data: {} })).toMatchObject(none)
    expect(await visitor.browser.post('/organization/remove-team', { teamId: 'x' })).toMatchObject(none)
    expect(await visitor.browser.get('/organization/list-teams')).toMatchObject(none)
    const organizationId = owner.organization.id
    expect(await visitor.browser.post('/organization/create-team', { name: 'x', organizationId })).toMatchObject({
      status: 403,
      body: { message: 'You are not allowed to create teams in this organization' },
    })
    expect(await visitor.browser.get(`/organization/list-teams?organizationId=${organizationId}`)).toMatchObject({
      status: 403,
      body: { message: 'You are not a member of this organization' },
    })
    // The query parameter takes precedence over the active organization.
    const mine = await createOrganizationOwner(testApp)
    expect((await mine.browser.get(`/organization/list-teams?organizationId=${organizationId}`)).status).toBe(403)
  })

  it('an administrator can assign members to them, but not owners', async () => {
    const owner = await createOrganizationOwner(testApp)
    const admin = await createMember(testApp, owner, 'admin')
    const member = await createMember(testApp, owner)
    const { assign } = admin.browser.trpc.team
    expect(await assign.mutate({ memberId: member.memberId, teamId: owner.teamId })).toMatchObject({
      teamId: owner.teamId,
    })
    await expect(assign.mutate({ memberId: owner.memberId, teamId: null })).rejects.toThrow('not allowed to update')
    await expect(member.browser.trpc.team.assign.mutate({ memberId: member.memberId, teamId: null })).rejects.toThrow(
      'not allowed to update',
    )
    await expect(
      assign.mutate({ memberId: (await createOrganizationOwner(testApp)).memberId, teamId: null }),
    ).rejects.toThrow('Member not found')
  })
})

describe('the teams table', () => {
  it('shows the number of members of each team, for members only', async () => {
    const owner = await createOrganizationOwner(testApp)
    const organizationId = owner.organization.id
    const other = await owner.browser.trpc.team.create.mutate({ name: 'A team', organizationId })
    const member = await createMember(testApp, owner)
    await owner.browser.trpc.team.assign.mutate({ organizationId, memberId: member.memberId, teamId: other.id })
    const teams = await member.browser.trpc.team.withMembers.query({ organizationId })
    expect(teams.map(({ id, memberCount }) => [id, memberCount])).toEqual([
      [other.id, 1],
      [owner.teamId, 1],
    ])
    const visitor = await createUser(testApp)
    await expect(visitor.browser.trpc.team.withMembers.query({ organizationId })).rejects.toThrow('not a member')
  })
})

import { describe, expect, it } from 'vitest'
import { untilWaiting, withRowLock } from '../testing/locks.ts'
import {
  insertMembers,
  createOrganizationOwner,
  createInvitation,
  createMember,
  secretFor,
} from '../testing/organizations.ts'
import { createTestApp } from '../testing/test-app.ts'
import {
  password,
  createUser,
  signInElsewhere,
  createUnverifiedUser,
  newUserData,
  type TestUser,
} from '../testing/test-users.ts'

const testApp = await createTestApp()
const counting = await createTestApp({ RATE_LIMIT: 'on' })
const optional = await createTestApp({ EMAIL_VERIFICATION: 'optional' })
/** A separate test application, because its clock is advanced. */
const timed = await createTestApp()

const gone = { status: 400, body: { message: 'Invitation not found' } }
const accept = ({ browser }: Pick<TestUser, 'browser'>, invitationId: string, secret?: string) =>
  browser.post('/organization/accept-invitation', { invitationId, secret })

describe('inviting', () => {
  it('stores a lower-case email address, and emails a link with a secret, of which the hash is stored', async () => {
    const owner = await createOrganizationOwner(testApp, { name: 'Acme' })
    const email = newUserData().email
    const { status, body } = await owner.browser.post('/organization/invite-member', {
      email: ` ${email.toUpperCase()} `,
      role: ['member', 'admin,member'],
      teamId: owner.teamId,
    })
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(
      ['email', 'expiresAt', 'id', 'inviterId', 'organizationId', 'role', 'status', 'teamId'].toSorted(),
    )
    expect(body).toMatchObject({
      email,
      role: 'member,admin',
      status: 'pending',
      teamId: owner.teamId,
      inviterId: owner.id,
    })
    const hours = (new Date(body.expiresAt).getTime() - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(47.9)
    expect(hours).toBeLessThan(48.1)
    const [mail] = await testApp.mails(email)
    expect(mail).toMatchObject({ kind: 'invitation', subject: `${owner.name} invited you to Acme` })
    expect(mail?.text).toContain('Member, Administrator')
    const link = new URL(mail?.action?.link ?? '')
    expect(link.pathname).toBe(`/invitation/${body.id}`)
    const secret = link.searchParams.get('secret') ?? ''
    expect(secret).toHaveLength(43)
    const row = JSON.stringify(await testApp.db.invitation.findUnique({ where: { id: body.id } }))
    expect(row).not.toContain(secret)
    expect(JSON.stringify(await testApp.db.mail.findMany({ where: { to: email } }))).not.toContain(secret)
  })

  it('uses the invitee’s language, or else the inviter’s', async () => {
    const owner = await createOrganizationOwner(testApp)
    await owner.browser.post('/update-user', { language: 6 })
    const newcomer = newUserData().email
    await createInvitation(owner, newcomer)
    expect((await testApp.mails(newcomer))[0]?.subject).toContain('hat Sie zu Acme eingeladen')
    const known = await createUser(testApp)
    await known.browser.post('/update-user', { language: 82 })
    await createInvitation(owner, known.email)
    expect((await testApp.mails(known.email))[0]?.subject).toContain('davet etti')
  })

  it('refuses in the specified order', async () => {
    const owner = await createOrganizationOwner(testApp)
    const admin = await createMember(testApp, owner, 'admin')
    const member = await createMember(testApp, owner)
    const visitor = await createUser(testApp)
    const organizationId = owner.organization.id
    const invite = (by: Pick<TestUser, 'browser'>, input: object) =>
      by.browser.post('/organization/invite-member', input)
    const input = { email: newUserData().email, role: 'member' }
    expect(await invite({ browser: testApp.browser() }, input)).toMatchObject({ status: 401 })
    expect(await invite(owner, { role: 'member' })).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(await invite(visitor, input)).toMatchObject({ status: 400, body: { message: 'Organization not found' } })
    expect(await invite(visitor, { ...input, organizationId })).toMatchObject({
      status: 400,
      body: { message: 'Member not found' },
    })
    const odd = { email: 'no address', role: 'nonsense' }
    expect(await invite(member, odd)).toMatchObject({
      status: 403,
      body: { message: 'You are not allowed to invite users to this organization' },
    })
    expect(await invite(admin, odd)).toMatchObject({ status: 400, body: { message: 'Invalid email' } })
    for (const role of ['nonsense', '', [], 'Owner', '__proto__']) {
      expect(await invite(admin, { ...input, role })).toMatchObject({ status: 400, body: { code: 'ROLE_NOT_FOUND' } })
    }
    for (const role of ['owner', 'member,owner', ['member', ' owner ']]) {
      expect(await invite(admin, { ...input, role })).toMatchObject({
        status: 403,
        body: { message: 'you are not allowed to invite user with this role' },
      })
    }
    expect(await invite(admin, { ...input, email: member.email.toUpperCase() })).toMatchObject({
      status: 400,
      body: { message: 'User is already a member of this organization' },
    })
    expect((await invite(admin, input)).status).toBe(200)
    expect(await invite(admin, { ...input, email: input.email.toUpperCase() })).toMatchObject({
      status: 400,
      body: { message: 'User is already invited to this organization' },
    })
    expect((await invite(owner, { ...input, email: newUserData().email, role: 'owner,admin' })).status).toBe(200)
  })

  it('resending reuses the row, with a new expiry, role, team and secret', async () => {
    const owner = await createOrganizationOwner(timed)
    const { email } = newUserData()
    const id = await createInvitation(owner, email)
    const former = await secretFor(timed, email)
    const before = await timed.db.invitation.findUniqueOrThrow({ where: { id } })
    timed.advanceClock(60)
    const again = await owner.browser.post('/organization/invite-member', {
      email,
      role: 'admin',
      resend: true,
      teamId: owner.teamId,
    })
    expect(again.body).toMatchObject({ id, role: 'admin', teamId: owner.teamId, status: 'pending' })
    expect(Date.parse(again.body.expiresAt)).toBeGreaterThanOrEqual(before.expiresAt.getTime() + 60_000)
    expect(await timed.mails(email)).toHaveLength(2)
    const { readByLink: read } = owner.browser.trpc.invitation
    expect(await read.mutate({ id, secret: former })).toBeNull()
    expect(await read.mutate({ id, secret: await secretFor(timed, email) })).toMatchObject({ email, state: 'pending' })
  })

  it('of thirty concurrent invitations to one address, one is stored', async () => {
    const owner = await createOrganizationOwner(testApp)
    const admin = await createMember(testApp, owner, 'admin')
    const { email } = newUserData()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        (n % 2 ? owner : admin).browser.post('/organization/invite-member', {
          email: n % 3 ? email : email.toUpperCase(),
          role: 'member',
          organizationId: owner.organization.id,
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(
      new Set([undefined, 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION']),
    )
    expect(await testApp.db.invitation.count({ where: { email } })).toBe(1)
    expect(await testApp.mails(email)).toHaveLength(1)
  })

  it('stops at a hundred pending invitations, even concurrently; expired and canceled ones do not count', async () => {
    const owner = await createOrganizationOwner(testApp)
    const { id } = owner.organization
    await testApp.pool.query(
      `insert into "Invitation" (id, "organizationId", email, role, status, "inviterId", "expiresAt", "createdAt")
       select $1 || n, $1, n || '@waits.test', 'member', (case when n <= 60 then 'pending' when n <= 80 then 'canceled' else 'pending' end)::"InvitationStatus",
         $2, case when n > 80 then now() - interval '1 hour' else now() + interval '1 day' end, now() from generate_series(1, 100) n`,
      [id, owner.id],
    )
    const invite = (n: number, more = {}) =>
      owner.browser.post('/organization/invite-member', { email: `new${n}@waits.test`, role: 'member', ...more })
    // On a busy machine, some wait too long for the organization's lock, and are told to try again.
    const untilAnswered = async (n: number): ReturnType<typeof invite> => {
      const answer = await invite(n)
      return answer.status === 503 ? untilAnswered(n) : answer
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => untilAnswered(n)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 403,
      body: { code: 'INVITATION_LIMIT_REACHED' },
    })
    // A pending invitation can be resent; an expired one counts as new.
    expect(
      (await owner.browser.post('/organization/invite-member', { email: '1@waits.test', role: 'member', resend: true }))
        .status,
    ).toBe(200)
    expect(
      (await owner.browser.post('/organization/invite-member', { email: '90@waits.test', role: 'member' })).status,
    ).toBe(403)
  })

  it('an expired invitation does not block a new one', async () => {
    const owner = await createOrganizationOwner(timed)
    const { email } = newUserData()
    const id = await createInvitation(owner, email)
    timed.advanceClock(172_801)
    expect(await createInvitation(owner, email)).toBe(id)
    expect(await timed.mails(email)).toHaveLength(2)
  })
})

describe('accepting', () => {
  it('creates a member with role and team, and activates the organization', async () => {
    const owner = await createOrganizationOwner(testApp)
    const person = await createUser(testApp)
    const invitationId = await createInvitation(owner, person.email, { role: 'admin', teamId: owner.teamId })
    const { status, body } = await accept(person, invitationId)
    expect(status).toBe(200)
    expect(body.invitation).toMatchObject({ id: invitationId, status: 'accepted' })
    expect(body.member).toMatchObject({ userId: person.id, role: 'admin', teamId: owner.teamId })
    expect((await person.browser.get('/get-session')).body.session.activeOrganizationId).toBe(owner.organization.id)
    expect((await testApp.mails(owner.email))[0]).toMatchObject({ kind: 'invitationAccepted' })
    expect((await testApp.mails(owner.email))[0]?.text).toContain(person.email.split('@')[1])
    expect(await accept(person, invitationId)).toMatchObject(gone)
  })

  it('is possible only with the invited address, verified', async () => {
    const owner = await createOrganizationOwner(optional)
    const unverified = await createUnverifiedUser(optional)
    const other = await createUser(optional)
    const invitationId = await createInvitation(owner, unverified.email)
    const notMine = { status: 403, body: { message: 'You are not the recipient of the invitation' } }
    const unverifiedRefusal = { status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } }
    const get = ({ browser }: Pick<TestUser, 'browser'>, query = '') =>
      browser.get(`/organization/get-invitation?id=${invitationId}${query}`)
    const reject = ({ browser }: Pick<TestUser, 'browser'>) =>
      browser.post('/organization/reject-invitation', { invitationId })
    const ways = [(by: Pick<TestUser, 'browser'>) => accept(by, invitationId), get, reject]
    for (const way of ways) {
      expect(await way(other)).toMatchObject(notMine)
      expect(await way(owner)).toMatchObject(notMine)
      expect(await way(unverified)).toMatchObject(unverifiedRefusal)
    }
    expect(await accept(unverified, invitationId, 'a wrong secret')).toMatchObject(unverifiedRefusal)
    const secret = await secretFor(optional, unverified.email)
    expect((await get(unverified, `&secret=${secret}`)).body).toMatchObject({
      organizationName: 'Acme',
      organizationSlug: owner.organization.slug,
      inviterEmail: owner.email,
    })
    // The emailed secret verifies the email address.
    expect((await accept(unverified, invitationId, secret)).status).toBe(200)
    expect((await unverified.browser.get('/get-session')).body.user.emailVerified).toBe(true)
  })

  it('with the secret, removes what an earlier unverified registrant left behind', async () => {
    const owner = await createOrganizationOwner(optional)
    const person = await createUnverifiedUser(optional)
    const squatter = optional.browser()
    await squatter.post('/sign-in/email', { email: person.email, password: person.password })
    await optional.db.account.create({
      data: {
        id: `squat-${person.id}`,
        providerId: 'github',
        accountId: person.id,
        userId: person.id,
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    })
    expect((await squatter.post('/api-key/create', { name: 'squat' })).status).toBe(200)
    const invitationId = await createInvitation(owner, person.email)
    await accept(person, invitationId, await secretFor(optional, person.email))
    expect(await optional.db.apiKey.count({ where: { userId: person.id } })).toBe(0)
    expect((await squatter.get('/get-session?disableCookieCache=true')).body).toBeNull()
    expect((await person.browser.get('/list-accounts')).body).toMatchObject([{ provider: 'credential' }])
  })

  it('thirty concurrent calls create one member, and the others are refused', async () => {
    const owner = await createOrganizationOwner(testApp)
    const person = await createUser(testApp)
    const invitationId = await createInvitation(owner, person.email)
    // At least two find the invitation open, and wait for the organization's lock.
    const locked = 'select from "Organization" where id = $1 for update'
    const answers = await withRowLock(testApp, locked, [owner.organization.id], async (release) => {
      const calls = Promise.all(Array.from({ length: 30 }, () => accept(person, invitationId)))
      await untilWaiting(testApp, 2)
      await release()
      return calls
    })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const late = answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.message}`)
    expect(late.every((text) => /^400 (Failed to retrieve invitation|Invitation not found)$/.test(text))).toBe(true)
    expect(late).toContain('400 Failed to retrieve invitation')
    expect(await testApp.db.member.count({ where: { userId: person.id } })).toBe(1)
    expect((await testApp.mails(owner.email)).filter(({ kind }) => kind === 'invitationAccepted')).toHaveLength(1)
  })

  it('concurrent accept, cancel and reject: one wins, and the status shows which', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await createOrganizationOwner(testApp)
      const person = await createUser(testApp)
      const invitationId = await createInvitation(owner, person.email)
      const answers = await Promise.all([
        ...Array.from({ length: 8 }, () => accept(person, invitationId)),
        ...Array.from({ length: 8 }, () => owner.browser.post('/organization/cancel-invitation', { invitationId })),
        ...Array.from({ length: 8 }, () => person.browser.post('/organization/reject-invitation', { invitationId })),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const { status } = await testApp.db.invitation.findUniqueOrThrow({ where: { id: invitationId } })
      const members = await testApp.db.member.count({ where: { userId: person.id } })
      expect(members).toBe(status === 'accepted' ? 1 : 0)
    }
  })

  it('stops at the hundredth member: of fourteen concurrent calls at 97 members, three succeed', async () => {
    const owner = await createOrganizationOwner(testApp)
    await insertMembers(testApp, owner.organization.id, 96)
    const people = await Promise.all(Array.from({ length: 14 }, () => createUser(testApp)))
    const ids = await Promise.all(people.map(({ email }) => createInvitation(owner, email)))
    const answers = await Promise.all(people.map((person, n) => accept(person, ids[n] ?? '')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 403,
      body: { message: 'Organization membership limit reached' },
    })
    expect(await testApp.db.member.count({ where: { organizationId: owner.organization.id } })).toBe(100)
    // A refused invitee can still join once there is a vacancy.
    expect(await testApp.db.invitation.count({ where: { id: { in: ids }, status: 'pending' } })).toBe(11)
  })

  it('is refused after the expiry', async () => {
    const owner = await createOrganizationOwner(timed)
    const person = await createUser(timed)
    const invitationId = await createInvitation(owner, person.email)
    timed.advanceClock(172_801)
    expect(await accept(person, invitationId)).toMatchObject(gone)
    expect(await person.browser.post('/organization/reject-invitation', { invitationId })).toMatchObject(gone)
    expect(await person.browser.get(`/organization/get-invitation?id=${invitationId}`)).toMatchObject(gone)
    expect((await owner.browser.post('/organization/cancel-invitation', { invitationId })).body.status).toBe('canceled')
  })

  it('fails if the inviter has left, or may no longer invite to that role', async () => {
    const owner = await createOrganizationOwner(testApp)
    const admin = await createMember(testApp, owner, 'admin')
    const second = await createMember(testApp, owner, 'owner')
    const guests = await Promise.all([1, 2, 3].map(() => createUser(testApp)))
    const byAdmin = { ...owner, browser: admin.browser }
    const bySecond = { ...owner, browser: second.browser }
    const [one, two, three] = guests
    if (!one || !two || !three) throw new Error('three guests')
    const ids = [
      await createInvitation(byAdmin, one.email),
      await createInvitation(byAdmin, two.email),
      await createInvitation(bySecond, three.email, { role: 'owner' }),
    ]
    const dead = { status: 400, body: { message: 'Inviter is no longer a member of the organization' } }
    await owner.browser.post('/organization/update-member-role', { memberId: admin.memberId, role: 'member' })
    await owner.browser.post('/organization/update-member-role', { memberId: second.memberId, role: 'admin' })
    expect(await accept(one, ids[0] ?? '')).toMatchObject(dead)
    expect(await accept(three, ids[2] ?? '')).toMatchObject(dead)
    await owner.browser.post('/organization/remove-member', { memberIdOrEmail: admin.memberId })
    expect(await accept(two, ids[1] ?? '')).toMatchObject(dead)
    expect(await two.browser.get(`/organization/get-invitation?id=${ids[1]}`)).toMatchObject(dead)
    expect(await two.browser.trpc.invitation.mine.query()).toEqual([])
    expect(await testApp.db.invitation.count({ where: { id: { in: ids }, status: 'pending' } })).toBe(3)
  })

  it('is refused for an existing member', async () => {
    const owner = await createOrganizationOwner(testApp)
    const person = await createUser(testApp)
    const invitationId = await createInvitation(owner, person.email)
    await testApp.db.member.create({
      data: {
        id: `other-${person.id}`,
        organizationId: owner.organization.id,
        userId: person.id,
        role: 'member',
        createdAt: new Date(),
      },
    })
    expect(await accept(person, invitationId)).toMatchObject({
      status: 400,
      body: { message: 'User is already a member of this organization' },
    })
  })
})

describe('an invitation that is sent again', () => {
  it('grants the role of the newest email, even when accepted concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await createOrganizationOwner(testApp)
      const { email } = newUserData()
      const invitationId = await createInvitation(owner, email, { role: 'admin' })
      const secret = await secretFor(testApp, email)
      const [joined] = await Promise.allSettled([
        testApp.browser().trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'Grace', password }),
        owner.browser.post('/organization/invite-member', { email, role: 'member', resend: true }),
      ])
      const [invitation] = await testApp.db.invitation.findMany({ where: { email }, orderBy: { createdAt: 'asc' } })
      const member = await testApp.db.member.findFirst({ where: { user: { email } } })
      // Either the invitee accepted first, as an administrator, or the previous secret is void.
      expect(joined.status === 'fulfilled' ? member?.role : 'none').toBe(member ? invitation?.role : 'none')
    }
  })

  it('a resend concurrent with a cancellation results in a pending invitation', async () => {
    for (let round = 0; round < 8; round++) {
      const owner = await createOrganizationOwner(testApp)
      const { email } = newUserData()
      const invitationId = await createInvitation(owner, email)
      const [again] = await Promise.all([
        owner.browser.post('/organization/invite-member', { email, role: 'member', resend: true }),
        owner.browser.post('/organization/cancel-invitation', { invitationId }),
      ])
      expect([again.status, again.body.status]).toEqual([200, 'pending'])
    }
  })

  it('keeps its link valid when the email limit of the address is reached', async () => {
    const owner = await createOrganizationOwner(counting)
    const { email } = newUserData()
    const id = await createInvitation(owner, email)
    const answers = []
    for (let n = 0; n < 6; n++) {
      answers.push(await owner.browser.post('/organization/invite-member', { email, role: 'member', resend: true }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
    const secret = await secretFor(counting, email)
    expect(await owner.browser.trpc.invitation.readByLink.mutate({ id, secret })).toMatchObject({ state: 'pending' })
  })

  it('the number of invitation emails per organization is limited', async () => {
    const owner = await createOrganizationOwner(counting)
    await counting.pool.query(
      `insert into "RateLimitCounter" (key, count, "expiresAt") values ($1, 199, now() + interval '1 hour')`,
      [`invitations:${owner.organization.id}`],
    )
    const invite = () =>
      owner.browser.post('/organization/invite-member', { email: newUserData().email, role: 'member' })
    expect((await invite()).status).toBe(200)
    expect(await invite()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  })
})

describe('rejecting, cancelling, getting and listing', () => {
  it('a rejected invitation leaves no member', async () => {
    const owner = await createOrganizationOwner(testApp)
    const person = await createUser(testApp)
    const invitationId = await createInvitation(owner, person.email)
    const { body } = await person.browser.post('/organization/reject-invitation', { invitationId })
    expect(body).toMatchObject({ invitation: { id: invitationId, status: 'rejected' }, member: null })
    expect(await testApp.db.member.count({ where: { userId: person.id } })).toBe(0)
    expect(await accept(person, invitationId)).toMatchObject(gone)
    // A new one can be sent.
    expect(await createInvitation(owner, person.email)).not.toBe(invitationId)
  })

  it('only pending invitations can be cancelled, by members with the permission', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const foreign = await createOrganizationOwner(testApp)
    const cancel = (by: Pick<TestUser, 'browser'>, invitationId: string) =>
      by.browser.post('/organization/cancel-invitation', { invitationId })
    const invitationId = await createInvitation(owner, newUserData().email)
    expect(await cancel(foreign, invitationId)).toMatchObject({ status: 400, body: { message: 'Member not found' } })
    expect(await cancel(member, invitationId)).toMatchObject({
      status: 403,
      body: { message: 'You are not allowed to cancel this invitation' },
    })
    expect(await cancel(owner, 'unknown')).toMatchObject(gone)
    expect((await cancel(owner, invitationId)).body).toMatchObject({ id: invitationId, status: 'canceled' })
    expect(await cancel(owner, invitationId)).toMatchObject(gone)
    expect(await cancel(owner, member.invitationId)).toMatchObject(gone)
  })

  it('an invitation can be read by its recipient', async () => {
    const owner = await createOrganizationOwner(testApp)
    const person = await createUser(testApp)
    const id = await createInvitation(owner, person.email)
    const { body } = await person.browser.get(`/organization/get-invitation?id=${id}`)
    expect(body).toMatchObject({ id, organizationName: 'Acme', inviterEmail: owner.email, status: 'pending' })
    expect(JSON.stringify(body)).not.toMatch(/secret/i)
    expect(await testApp.browser().get(`/organization/get-invitation?id=${id}`)).toMatchObject({
      status: 401,
      body: { code: 'NOT_AUTHENTICATED' },
    })
    expect(await person.browser.get('/organization/get-invitation')).toMatchObject({ status: 400 })
    expect(await person.browser.get('/organization/get-invitation?id=unknown')).toMatchObject(gone)
    expect(await person.browser.trpc.invitation.mine.query()).toMatchObject([
      { id, organizationName: 'Acme', inviterName: owner.name },
    ])
  })

  it('members can list them by status and page; non-members cannot', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const ids = [await createInvitation(owner, newUserData().email), await createInvitation(owner, newUserData().email)]
    await owner.browser.post('/organization/cancel-invitation', { invitationId: ids[0] })
    const all = await member.browser.get('/organization/list-invitations')
    expect(all.body.map(({ status }: { status: string }) => status)).toEqual(['accepted', 'canceled', 'pending'])
    const waiting = await owner.browser.trpc.invitation.list.query({ status: 'pending', limit: 10 })
    expect(waiting.map(({ id }) => id)).toEqual([ids[1]])
    // A cursor stays valid after its row changes status; a cursor of another organization returns nothing.
    const { list } = owner.browser.trpc.invitation
    expect((await list.query({ status: 'pending', cursor: ids[0] })).map(({ id }) => id)).toEqual([ids[1]])
    expect(
      await (await createOrganizationOwner(testApp)).browser.trpc.invitation.list.query({ cursor: ids[0] }),
    ).toEqual([])
    const visitor = await createUser(testApp)
    expect(await visitor.browser.get('/organization/list-invitations')).toMatchObject({
      status: 400,
      body: { message: 'Organization ID is required' },
    })
    const query = `organizationId=${owner.organization.id}`
    expect(await visitor.browser.get(`/organization/list-invitations?${query}`)).toMatchObject({
      status: 403,
      body: { message: 'You are not a member of this organization' },
    })
  })
})

describe('the invitations table', () => {
  it('shows the inviters and a count per status, and is searched, sorted and paged, for members only', async () => {
    const owner = await createOrganizationOwner(timed)
    const organizationId = owner.organization.id
    const emails = ['c', 'a', 'b'].map((name) => `${name}.${newUserData().email}`)
    for (const email of emails) await owner.browser.trpc.invitation.create.mutate({ email, role: 'member' })
    const { id } = await owner.browser.trpc.invitation.create.mutate({ email: newUserData().email, role: 'admin' })
    await owner.browser.trpc.invitation.cancel.mutate({ invitationId: id })
    const ask = (more: object) => owner.browser.trpc.invitation.search.query({ organizationId, ...more })
    const all = await ask({ sort: 'email', descending: false })
    expect(all.invitations.map(({ email }) => email)).toEqual(emails.toSorted())
    expect(all).toMatchObject({ total: 3, counts: { pending: 3, expired: 0, accepted: 0, rejected: 0, canceled: 1 } })
    expect(all.invitations[0]).toMatchObject({ inviterName: owner.name, role: 'member' })
    expect((await ask({})).invitations.map(({ email }) => email)).toEqual(emails.toReversed())
    const second = await ask({ sort: 'email', descending: false, limit: 2, offset: 2 })
    expect(second.invitations.map(({ email }) => email)).toEqual([emails[0]])
    expect((await ask({ search: (emails[1] ?? '').toUpperCase().slice(0, 20) })).total).toBe(1)
    expect((await ask({ search: '%' })).total).toBe(0)
    expect((await ask({ status: 'canceled' })).invitations).toMatchObject([{ id, role: 'admin' }])
    // A week later, those that were not answered are listed as expired.
    timed.advanceClock(7 * 86_400 + 1)
    const later = (await signInElsewhere(timed, owner)).trpc.invitation.search
    expect(await later.query({ organizationId })).toMatchObject({ total: 0, counts: { pending: 0, expired: 3 } })
    expect(await later.query({ organizationId, status: 'expired' })).toMatchObject({ total: 3 })
    const visitor = await createUser(timed)
    await expect(visitor.browser.trpc.invitation.search.query({ organizationId })).rejects.toThrow('not a member')
  })
})

describe('declining with the emailed link', () => {
  it('requires the secret and no session, works once, and is recorded', async () => {
    const owner = await createOrganizationOwner(testApp)
    const guest = newUserData()
    const { id } = await owner.browser.trpc.invitation.create.mutate({ email: guest.email, role: 'member' })
    const secret = await secretFor(testApp, guest.email)
    const { trpc } = testApp.browser()
    expect(await trpc.invitation.readByLink.mutate({ id, secret })).toMatchObject({
      organizationId: owner.organization.id,
      expiresAt: expect.any(String),
    })
    await expect(trpc.invitation.rejectByLink.mutate({ id, secret: 'x' })).rejects.toThrow('Invitation not found')
    const answers = await Promise.allSettled([1, 2].map(() => trpc.invitation.rejectByLink.mutate({ id, secret })))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await trpc.invitation.readByLink.mutate({ id, secret })).toMatchObject({ state: 'rejected' })
    const { events } = await owner.browser.trpc.organization.activity.query({ organizationId: owner.organization.id })
    expect(events[0]).toMatchObject({ type: 'invitation.rejected', actorId: null })
  })
})

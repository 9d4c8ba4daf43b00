import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { en } from '../mail/texts/en.ts'
import { countActiveUsers } from '../maintenance/count-active-users.ts'
import { sweep } from '../maintenance/sweep.ts'
import { createOrganizationOwner, createInvitation, createMember } from '../testing/organizations.ts'
import { customer, deliver, payment, subscription, webhookKey } from '../testing/payments.ts'
import { createTestApp } from '../testing/test-app.ts'
import {
  createAdministrator,
  createUser,
  createUnverifiedUser,
  signInElsewhere,
  newUserData,
} from '../testing/test-users.ts'

const testApp = await createTestApp({
  DODO_PAYMENTS_WEBHOOK_KEY: webhookKey,
  SMTP_URL: 'smtp://user:geheim@127.0.0.1:9',
})

describe('without a mail server', () => {
  it('no email counts as waiting', async () => {
    const testApp = await createTestApp()
    const admin = await createAdministrator(testApp)
    expect(await admin.browser.trpc.admin.overview.query()).toMatchObject({ queuedMails: null })
    expect(await admin.browser.trpc.admin.mails.query()).toMatchObject({ hasMailServer: false })
  })
})

describe('the installation', () => {
  it('is visible only to administrators', async () => {
    const person = await createUser(testApp)
    const calls = ['overview', 'organizations', 'apiKeys', 'events', 'mails', 'jobs', 'settings'] as const
    for (const call of calls) {
      await expect(person.browser.trpc.admin[call].query(undefined)).rejects.toMatchObject({
        data: { httpStatus: 403 },
      })
      await expect(testApp.browser().trpc.admin[call].query(undefined)).rejects.toMatchObject({
        data: { httpStatus: 401 },
      })
    }
    for (const path of ['delete-organization', 'set-organization-limit', 'delete-api-key', 'send-mail-again']) {
      const input = { organizationId: 'x', mailId: 'x', keyId: 'x', membershipLimit: 1 }
      expect((await person.browser.post(`/admin/${path}`, input)).status).toBe(403)
      expect((await testApp.browser().post(`/admin/${path}`, input)).status).toBe(401)
    }
    expect((await person.browser.get('/admin/get-organization?organizationId=x')).status).toBe(403)
  })

  it('reports figures of the last thirty days', async () => {
    const admin = await createAdministrator(testApp)
    const before = await admin.browser.trpc.admin.overview.query()
    const owner = await createOrganizationOwner(testApp)
    const after = await admin.browser.trpc.admin.overview.query()
    expect(after.users - before.users).toBe(1)
    expect(after.organizations - before.organizations).toBe(1)
    for (const days of [after.signUps, after.signIns, after.newOrganizations, after.mailDelayByDay])
      expect(days.length).toBe(30)
    expect((after.signUps.at(-1)?.count ?? 0) - (before.signUps.at(-1)?.count ?? 0)).toBe(1)
    // Signing out does not undo a sign-in.
    expect((after.signIns.at(-1)?.count ?? 0) - (before.signIns.at(-1)?.count ?? 0)).toBe(1)
    await owner.browser.post('/sign-out')
    expect((await admin.browser.trpc.admin.overview.query()).signIns).toEqual(after.signIns)
    expect(after.signUps.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10))
  })

  it('charts the users who were active each day, once each, also if they have signed out', async () => {
    const own = await createTestApp()
    const admin = await createAdministrator(own)
    const chart = async () => (await admin.browser.trpc.admin.overview.query()).activeUsersByDay
    expect((await chart()).map(({ count }) => count)).toEqual(Array.from({ length: 30 }, () => null))
    const person = await createUser(own)
    await signInElsewhere(own, person)
    await person.browser.post('/sign-out')
    const idle = await createUser(own)
    const before = new Date(Date.now() - 3 * 86_400_000)
    await own.db.event.deleteMany({ where: { subjectId: idle.id } })
    await own.db.session.updateMany({ where: { userId: idle.id }, data: { updatedAt: before } })
    await countActiveUsers(own.app)
    await countActiveUsers(own.app)
    const days = await chart()
    expect(days.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), count: 2 })
    // A count never falls: users may be deleted later.
    await own.db.user.delete({ where: { id: person.id } })
    await countActiveUsers(own.app)
    expect(await chart()).toEqual(days)
  })

  it('lists organizations with search, sorting and pages', async () => {
    const admin = await createAdministrator(testApp)
    const tag = `Zeta${Date.now()}`
    const owner = await createOrganizationOwner(testApp, { name: `${tag} B_x` })
    await createOrganizationOwner(testApp, { name: `${tag} A` })
    await createMember(testApp, owner)
    const { body } = await admin.browser.get(
      `/admin/list-organizations?q=${tag.toLowerCase()}&sortBy=name&sortDirection=asc`,
    )
    expect(body.total).toBe(2)
    expect(body.organizations.map(({ name, members }: { name: string; members: number }) => [name, members])).toEqual([
      [`${tag} A`, 1],
      [`${tag} B_x`, 2],
    ])
    const second = await admin.browser.get(`/admin/list-organizations?q=${tag}&limit=1&offset=1`)
    expect(second.body.organizations.length).toBe(1)
    // Characters with a meaning in a pattern are searched for literally.
    expect((await admin.browser.get(`/admin/list-organizations?q=${encodeURIComponent(`${tag} %x`)}`)).body.total).toBe(
      0,
    )
    expect((await admin.browser.get('/admin/list-organizations?limit=101')).status).toBe(400)
  })

  it('sets a maximum number of members for one organization', async () => {
    const admin = await createAdministrator(testApp)
    const owner = await createOrganizationOwner(testApp)
    const organizationId: string = owner.organization.id
    const set = (membershipLimit: unknown, id = organizationId) =>
      admin.browser.post('/admin/set-organization-limit', { organizationId: id, membershipLimit })
    const limits = async () => {
      const { body } = await admin.browser.get(`/admin/get-organization?organizationId=${organizationId}`)
      const { membershipLimit } = await owner.browser.trpc.organization.get.query({ slug: owner.organization.slug })
      return [body.membershipLimit, body.defaultMembershipLimit, membershipLimit]
    }
    expect(await limits()).toEqual([null, 100, 100])
    expect((await set(2)).body).toEqual({ status: true })
    expect(await limits()).toEqual([2, 100, 2])
    const people = await Promise.all([createUser(testApp), createUser(testApp), createUser(testApp)])
    const invitations: string[] = []
    for (const { email } of people) invitations.push(await createInvitation(owner, email))
    // Two places, one of them the owner's: of three concurrent requests, one succeeds.
    const answers = await Promise.all(
      people.map(({ browser }, index) =>
        browser.post('/organization/accept-invitation', { invitationId: invitations[index] }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
    expect(answers.find(({ status }) => status === 403)?.body.code).toBe('ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
    // Lowering the limit removes no members.
    expect((await set(1)).status).toBe(200)
    expect(await testApp.db.member.count({ where: { organizationId } })).toBe(2)
    expect((await set(null)).status).toBe(200)
    expect(await limits()).toEqual([null, 100, 100])
    for (const wrong of [0, -1, 1.5, '3', 1e9, undefined])
      expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400])
    expect((await set(3, 'nothing')).body.code).toBe('ORGANIZATION_NOT_FOUND')
    const events = await testApp.db.event.findMany({ where: { organizationId, type: 'organization.updated' } })
    expect(events.map(({ actorId, data }) => [actorId, data])).toEqual(
      Array.from({ length: 3 }, () => [admin.id, { fields: ['membershipLimit'] }]),
    )
  })

  it('shows an organization with its members and subscriptions, and deletes it unless a subscription is still charged', async () => {
    const admin = await createAdministrator(testApp)
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    await createInvitation(owner, newUserData().email)
    const organizationId: string = owner.organization.id
    const get = () => admin.browser.get(`/admin/get-organization?organizationId=${organizationId}`)
    expect((await get()).body).toMatchObject({
      id: organizationId,
      members: 2,
      teams: 1,
      pendingInvitations: 1,
      subscriptions: [],
    })
    const listed = async (query: string) => {
      const { body } = await admin.browser.get(
        `/admin/list-organization-members?organizationId=${organizationId}${query}`,
      )
      return { ...body, members: body.members.map(({ userId }: { userId: string }) => userId) }
    }
    expect(await listed('')).toEqual({ total: 2, members: [owner.id, member.id] })
    expect(await listed('&limit=1&offset=1')).toEqual({ total: 2, members: [member.id] })
    expect(await listed('&sortDirection=desc')).toEqual({ total: 2, members: [member.id, owner.id] })
    expect(await listed('&role=owner')).toEqual({ total: 1, members: [owner.id] })
    expect(await listed(`&q=${encodeURIComponent(member.email)}`)).toEqual({ total: 1, members: [member.id] })
    const refused = await owner.browser.get(`/admin/list-organization-members?organizationId=${organizationId}`)
    expect(refused.body.code).toBe('YOU_ARE_NOT_AN_ADMINISTRATOR')
    const plan = subscription({ customer: customer(owner.email, `cus_${randomUUID()}`) })
    await deliver(testApp, 'subscription.active', plan)
    await testApp.db.subscription.updateMany({
      where: { subscriptionId: plan.subscription_id },
      data: { organizationId, userId: null },
    })
    const remove = () => admin.browser.post('/admin/delete-organization', { organizationId })
    expect((await remove()).body.code).toBe('SUBSCRIPTION_MUST_END_FIRST')
    await testApp.db.subscription.deleteMany({ where: { subscriptionId: plan.subscription_id } })
    await testApp.db.session.updateMany({
      where: { userId: admin.id },
      data: { createdAt: new Date(Date.now() - 90_000_000) },
    })
    expect((await remove()).body.code).toBe('SESSION_IS_NOT_FRESH')
    await testApp.db.session.updateMany({ where: { userId: admin.id }, data: { createdAt: new Date() } })
    expect((await remove()).body).toEqual({ status: true })
    expect((await remove()).body.code).toBe('ORGANIZATION_NOT_FOUND')
    expect((await get()).body.code).toBe('ORGANIZATION_NOT_FOUND')
    const events = await testApp.db.event.findMany({ where: { organizationId, type: 'organization.deleted' } })
    expect(events).toMatchObject([{ actorId: admin.id }])
  })

  it('deletes an organization concurrently with an administrator’s change to it, without a deadlock', async () => {
    const admin = await createAdministrator(testApp)
    const codes: number[] = []
    for (let n = 0; n < 6; n++) {
      const owner = await createOrganizationOwner(testApp)
      await testApp.db.user.update({ where: { id: owner.id }, data: { role: 'admin' } })
      const organizationId: string = owner.organization.id
      const invite = () =>
        owner.browser.post('/organization/invite-member', {
          organizationId,
          role: 'member',
          email: newUserData().email,
        })
      const remove = () => admin.browser.post('/admin/delete-organization', { organizationId })
      codes.push(...(await Promise.all([invite(), remove(), invite()])).map(({ status }) => status))
    }
    expect(codes).not.toContain(503)
  })

  it('shows the purchases of a user', async () => {
    const admin = await createAdministrator(testApp)
    const person = await createUser(testApp)
    const buyer = customer(person.email, `cus_${randomUUID()}`)
    const plan = subscription({ customer: buyer })
    await deliver(testApp, 'subscription.active', plan)
    const bought = payment({ customer: buyer })
    await deliver(testApp, 'payment.succeeded', bought)
    const details = await admin.browser.trpc.admin.userDetails.query({ userId: person.id })
    expect(details.subscriptions).toMatchObject([{ id: plan.subscription_id, status: 'active' }])
    expect(details.payments).toMatchObject([
      { id: bought.payment_id, amount: bought.total_amount, currency: bought.currency, status: 'succeeded' },
    ])
  })

  it('lists the API keys of all users, which administrators find and delete', async () => {
    const admin = await createAdministrator(testApp)
    const owner = await createOrganizationOwner(testApp)
    const name = `Deploy ${Date.now()}`
    const made = async (more: object = {}) => (await owner.browser.post('/api-key/create', { name, ...more })).body
    const first = await made()
    const second = await made({ organizationId: owner.organization.id })
    const list = async (query: string) => (await admin.browser.get(`/admin/list-api-keys?${query}`)).body
    const found = await list(`q=${encodeURIComponent(name)}`)
    expect(found.total).toBe(2)
    expect(found.apiKeys).toMatchObject([
      { id: second.id, name, user: { id: owner.id, email: owner.email }, organization: { id: owner.organization.id } },
      { id: first.id, start: first.start, organization: null, lastRequest: null, enabled: true },
    ])
    expect(JSON.stringify(found)).not.toContain(first.key)
    expect((await list(`q=${owner.email.toUpperCase()}&limit=1&offset=1`)).apiKeys).toMatchObject([{ id: first.id }])
    expect((await list(`q=${first.start}`)).apiKeys.map(({ id }: { id: string }) => id)).toContain(first.id)
    expect((await list('q=%25')).total).toBe(0)
    const remove = () => admin.browser.post('/admin/delete-api-key', { keyId: first.id })
    const headers = { 'x-api-key': first.key as string }
    expect((await testApp.browser().get('/organization/list', headers)).status).toBe(200)
    expect((await remove()).body).toEqual({ status: true })
    expect((await testApp.browser().get('/organization/list', headers)).status).toBe(401)
    expect((await remove()).body.code).toBe('API_KEY_NOT_FOUND')
    const events = await testApp.db.event.findMany({ where: { subjectId: owner.id, type: 'user.api_key_deleted' } })
    expect(events).toMatchObject([{ actorId: admin.id, data: { keyId: first.id, name } }])
  })

  it('lists events of all users, newest first, by group, type, user and organization', async () => {
    const admin = await createAdministrator(testApp)
    const owner = await createOrganizationOwner(testApp)
    const list = async (query = '') => (await admin.browser.get(`/admin/list-events${query}`)).body.events
    const [newest] = await list()
    expect(newest).toMatchObject({ type: 'organization.created', actorId: owner.id, ipAddress: '127.0.0.1' })
    // Events about a user, and those that the user caused.
    const other = await createUser(testApp)
    await admin.browser.post('/admin/ban-user', { userId: other.id })
    const ofAdmin = await list(`?userId=${admin.id}`)
    type Row = { id: string; subjectId: string; actorId: string; type: string }
    expect(ofAdmin.find(({ type }: Row) => type === 'user.banned')).toMatchObject({ subjectId: other.id })
    expect(ofAdmin.every(({ subjectId, actorId }: Row) => [subjectId, actorId].includes(admin.id))).toBe(true)
    expect(ofAdmin.some(({ subjectId }: Row) => subjectId === admin.id)).toBe(true)
    expect(new Set(ofAdmin.map(({ id }: Row) => id)).size).toBe(ofAdmin.length)
    expect((await list(`?userId=${admin.id}&type=user.banned&group=user`)).length).toBe(1)
    expect(await list(`?userId=${admin.id}&organizationId=${owner.organization.id}`)).toEqual([])
    expect(new Set((await list('?type=user.signed_up')).map(({ type }: Row) => type))).toEqual(
      new Set(['user.signed_up']),
    )
    expect((await admin.browser.get('/admin/list-events?type=user.odd')).status).toBe(400)
    const own = await list(`?organizationId=${owner.organization.id}`)
    expect(own.map(({ type }: { type: string }) => type)).toEqual(['organization.created'])
    const types = (await list('?group=member')).map(({ type }: { type: string }) => type)
    expect(types.every((type: string) => type.startsWith('member.'))).toBe(true)
  })

  it('lists emails by state, without their links and codes, and sends them again', async () => {
    const admin = await createAdministrator(testApp)
    const person = await createUnverifiedUser(testApp)
    const list = async (state: string) =>
      (await admin.browser.get(`/admin/list-mails?state=${state}&limit=100`)).body.mails
    const mail = (await list('queued')).find(({ to }: { to: string }) => to === person.email)
    expect(mail).toMatchObject({ kind: 'verifyEmail', sentAt: null, rejectedAt: null })
    expect(mail.subject).toBe(en.mails.verifyEmail.subject)
    expect(mail.text).toContain(`${en.mails.verifyEmail.action}:\n••••••`)
    expect(JSON.stringify(mail)).not.toMatch(/token|sealed/)
    await testApp.browser().post('/email-otp/send-verification-otp', { email: person.email, type: 'sign-in' })
    const codes = (await list('queued')).filter(({ to }: { to: string }) => to === person.email)
    const { code } =
      (await testApp.mails(person.email)).map(({ text }) => /\b(?<code>\d{6})\b/.exec(text)?.groups)[0] ?? {}
    expect(code).toMatch(/^\d{6}$/)
    expect(JSON.stringify(codes)).not.toContain(code)
    // By recipient, in every state.
    const to = encodeURIComponent(` ${person.email.toUpperCase()}`)
    const sent = (await admin.browser.get(`/admin/list-mails?state=all&to=${to}`)).body.mails
    expect(new Set(sent.map((one: { to: string }) => one.to))).toEqual(new Set([person.email]))
    expect(sent.length).toBeGreaterThan(1)
    expect((await admin.browser.get('/admin/list-mails?state=all&to=nobody@example.test')).body.mails).toEqual([])
    // A kind of email that this version no longer has.
    await testApp.db.mail.create({
      data: { id: randomUUID(), to: 'x@example.test', kind: 'former', language: 0, data: {}, createdAt: new Date() },
    })
    expect((await list('queued'))[0]).toMatchObject({ subject: 'former', text: '' })
    expect((await admin.browser.get('/admin/list-mails')).body.hasMailServer).toBe(true)
    await testApp.db.mail.update({
      where: { id: mail.id },
      data: { rejectedAt: new Date(), failure: '550 no such mailbox' },
    })
    await testApp.pool.query('select graphile_worker.remove_job($1)', [`mail:${mail.id}`])
    expect((await list('rejected'))[0]).toMatchObject({ id: mail.id, failure: '550 no such mailbox' })
    expect((await admin.browser.post('/admin/send-mail-again', { mailId: mail.id })).body).toEqual({ status: true })
    expect((await list('queued')).some(({ id }: { id: string }) => id === mail.id)).toBe(true)
    const jobs = await admin.browser.trpc.admin.jobs.query()
    expect(jobs.some(({ task }) => task === 'deliverMail')).toBe(true)
    const { id: jobId = '' } = jobs.find(({ task }) => task === 'deliverMail') ?? {}
    const later = `update graphile_worker._private_jobs set run_at = now() + interval '1 day', attempts = 7 where id = $1`
    await testApp.pool.query(later, [jobId])
    await admin.browser.trpc.admin.runJob.mutate({ jobId })
    const due = (await admin.browser.trpc.admin.jobs.query()).find(({ id }) => id === jobId)
    expect([due?.attempts, new Date(due?.runAt ?? '') <= new Date()]).toEqual([0, true])
    await testApp.pool.query('update graphile_worker._private_jobs set locked_at = now() where id = $1', [jobId])
    await expect(admin.browser.trpc.admin.runJob.mutate({ jobId })).rejects.toThrow('Job not found')
    await expect((await createUser(testApp)).browser.trpc.admin.runJob.mutate({ jobId })).rejects.toThrow(
      'administrator',
    )
    await testApp.pool.query('update graphile_worker._private_jobs set locked_at = null where id = $1', [jobId])
    await testApp.db.mail.update({ where: { id: mail.id }, data: { sentAt: new Date() } })
    expect((await admin.browser.post('/admin/send-mail-again', { mailId: mail.id })).body.code).toBe('MAIL_NOT_FOUND')
    await sweep(testApp.app)
  })

  it('shows its settings, but no secret', async () => {
    const admin = await createAdministrator(testApp)
    const settings = await admin.browser.trpc.admin.settings.query()
    const of = (name: string) => settings.find((setting) => setting.name === name)
    // Also those that are derived from others, or unset.
    expect(of('APP_URL')?.value).toBe(testApp.origin)
    expect(of('MAIL_FROM')?.value).toContain('<no-reply@localhost>')
    expect(of('COOKIE_DOMAIN')).toMatchObject({ value: null, isSet: false })
    expect(of('AUTH_SECRET')).toEqual({ name: 'AUTH_SECRET', value: null, isSecret: true, isSet: true })
    expect(of('DODO_PAYMENTS_WEBHOOK_KEY')).toMatchObject({ value: null, isSecret: true })
    expect(of('SMTP_URL')).toMatchObject({ value: 'smtp://user:***@127.0.0.1:9', isSet: true })
    expect(of('COOKIE_CACHE_MAX_AGE')).toEqual({
      name: 'COOKIE_CACHE_MAX_AGE',
      value: '60',
      isSecret: false,
      isSet: false,
    })
    // A name alone does not make a setting secret.
    for (const name of ['WEBHOOKS_ALLOW_PRIVATE', 'RESET_PASSWORD', 'PASSWORD_MIN'])
      expect(of(name)?.isSecret).toBe(false)
    const text = JSON.stringify(settings)
    for (const secret of ['geheim', webhookKey, 'the secret of an application']) expect(text).not.toContain(secret)
  })
})

import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { eventData, eventTypes } from '../../shared/event.ts'
import { runAdminCommand } from '../admin/command.ts'
import { registerApplication, signInTo } from '../testing/applications.ts'
import { createAuthenticator } from '../testing/authenticator.ts'
import type { Browser } from '../testing/browser.ts'
import { startEmulator, providerSettings, providerUser } from '../testing/emulator.ts'
import {
  createOrganizationOwner,
  createInvitation,
  createMember,
  newSlug,
  secretFor,
} from '../testing/organizations.ts'
import {
  customer,
  deliver,
  deliverText,
  startProvider,
  payment,
  subscription,
  webhookKey,
} from '../testing/payments.ts'
import { emailedLink, createTestApp } from '../testing/test-app.ts'
import { password, createUser, createUnverifiedUser, signInElsewhere, newUserData } from '../testing/test-users.ts'
import { createTwoFactorUser } from '../testing/two-factor.ts'
import { importLines } from '../transfer/import-lines.ts'
import { createDeliverySender } from '../webhook/send-deliveries.ts'
import { newEventId } from './event-ids.ts'

const emulator = await startEmulator()
const provider = await startProvider()
const boss = 'boss@example.test'
const testApp = await createTestApp({
  ...providerSettings,
  ADMIN_EMAILS: boss,
  DODO_PAYMENTS_API_KEY: 'test',
  DODO_PAYMENTS_WEBHOOK_KEY: webhookKey,
  DODO_PAYMENTS_BASE_URL: provider.url,
})
const tokenOf = async (email: string, kind: string) =>
  new URL(await emailedLink(testApp, email, kind)).searchParams.get('token') ?? ''

/** Triggers every event type at least once. */
async function everything(): Promise<void> {
  // Accounts.
  const person = await createUser(testApp, { username: `ada_${Date.now()}` })
  await person.browser.post('/update-user', { name: 'Ada L.', username: `countess_${Date.now()}` })
  await person.browser.post('/change-password', { currentPassword: password, newPassword: 'another long sentence' })
  await person.browser.post('/forget-password', { email: person.email })
  await testApp.browser().post('/sign-in/email', { email: person.email, password: 'wrong' })
  await testApp.browser().post('/sign-in/email', { email: 'nobody@example.test', password: 'wrong' })
  const { email } = newUserData()
  await person.browser.post('/change-email', { newEmail: email })
  await person.browser.get(await emailedLink(testApp, person.email, 'confirmEmailChange'))
  await testApp.browser().post('/verify-email/reject', { token: await tokenOf(email, 'verifyEmail') })
  const link = await person.browser.post('/link-social', { provider: 'gitlab', callbackURL: '/' })
  // Installed temporarily: the payment provider stub is a real server that needs the real fetch.
  emulator.install()
  await person.browser.get(emulator.consent(link.body.url, providerUser()).callback.href)
  emulator.uninstall()
  await person.browser.post('/unlink-account', { providerId: 'gitlab' })
  const claimed = await createUnverifiedUser(testApp)
  const token = await tokenOf(claimed.email, 'verifyEmail')
  await testApp.browser().post('/verify-email/claim', { token, name: 'Owner', password: 'the sentence of the owner' })
  // Sessions.
  const other = await signInElsewhere(testApp, { ...person, password: 'another long sentence' })
  const sessions = await other.get('/list-sessions')
  const handles: string[] = sessions.body.map((session: { token: string }) => session.token)
  await other.post('/revoke-session', { token: handles.find((handle) => handle !== undefined) })
  const last = await signInElsewhere(testApp, { ...person, password: 'another long sentence' })
  await last.post('/revoke-other-sessions')
  await last.post('/sign-out')
  const leaver = await createUser(testApp)
  await leaver.browser.post('/delete-user', {})
  await leaver.browser.post('/delete-user', { password })
  // Organizations.
  const owner = await createOrganizationOwner(testApp)
  const { organization, browser } = owner
  const organizationId = organization.id
  await browser.post('/organization/update', { data: { name: 'Acme 2' }, organizationId })
  const member = await createMember(testApp, owner)
  const team = (await browser.post('/organization/create-team', { name: 'Blue', organizationId })).body
  await browser.post('/organization/update-team', { teamId: team.id, data: { name: 'Red' } })
  await browser.trpc.team.assign.mutate({ organizationId, memberId: member.memberId, teamId: team.id })
  await browser.post('/organization/remove-team', { teamId: team.id, organizationId })
  await browser.post('/organization/update-member-role', { memberId: member.memberId, role: 'admin', organizationId })
  await browser.post('/organization/remove-member', { memberIdOrEmail: member.email, organizationId })
  const guest = await createMember(testApp, owner)
  await guest.browser.post('/organization/delete', { organizationId })
  await guest.browser.post('/organization/leave', { organizationId })
  const refuser = await createUser(testApp)
  const refused = await createInvitation(owner, refuser.email)
  await createInvitation(owner, refuser.email, { resend: true })
  await refuser.browser.post('/organization/reject-invitation', { invitationId: refused })
  const canceled = await createInvitation(owner, newUserData().email)
  await browser.post('/organization/cancel-invitation', { invitationId: canceled })
  const newcomer = newUserData()
  const invitationId = await createInvitation(owner, newcomer.email)
  const secret = await secretFor(testApp, newcomer.email)
  await testApp.browser().trpc.invitation.joinByLink.mutate({ invitationId, secret, name: 'New', password })
  const newOwner = await createMember(testApp, owner)
  await browser.trpc.organization.transferOwnership.mutate({ organizationId, memberId: newOwner.memberId })
  const short = (await browser.post('/organization/create', { name: 'Short', slug: newSlug() })).body
  await browser.post('/organization/delete', { organizationId: short.id })
  // Administration and payments.
  const admin = testApp.browser()
  await admin.post('/sign-up/email', { name: 'Boss', email: boss, password })
  await admin.get(await emailedLink(testApp, boss))
  provider.answers.set('POST /checkouts', { body: { session_id: 's', checkout_url: 'https://checkout.test/s' } })
  const buying = await signInElsewhere(testApp, { ...person, password: 'another long sentence' })
  await buying.trpc.payment.createCheckout.mutate({ product_id: 'pdt_1' })
  const buyer = customer(person.email, 'cus_events')
  await deliver(testApp, 'payment.succeeded', payment({ customer: buyer }))
  provider.answers.set('POST /customers/cus_events/customer-portal/session', { body: { link: 'https://portal.test' } })
  await buying.trpc.payment.portal.mutate({})
  const unassigned = await deliver(testApp, 'payment.succeeded', payment({ customer: customer('nobody@else.test') }))
  await admin.trpc.admin.processAgain.mutate({ eventId: unassigned.id })
  await admin.trpc.admin.assign.mutate({ eventId: unassigned.id, email: person.email })
  const useless = await deliver(testApp, 'payment.succeeded', {})
  await admin.trpc.admin.dismiss.mutate({ eventId: useless.id, reason: 'A test of the provider' })
  await subscriptions(buying, person.email)
  provider.answers.set('POST /refunds', { body: { refund_id: 'ref_1' } })
  const [{ paymentId = '' } = {}] = await testApp.db.payment.findMany({ where: { status: 'succeeded' }, take: 1 })
  await admin.trpc.admin.refund.mutate({ paymentId })
  const { id: keyId } = (await buying.post('/api-key/create', { name: 'For programs' })).body
  await buying.post('/api-key/delete', { keyId })
  const application = await registerApplication(testApp)
  await signInTo(application, buying, testApp.origin)
  await buying.trpc.oauth.removeApp.mutate({ clientId: application.id })
  await deliverText(testApp, '{}', { headers: { 'webhook-signature': 'v1,AAAA' } })
  const { id: userId } = await createUser(testApp)
  await admin.post('/admin/impersonate-user', { userId })
  await admin.post('/admin/stop-impersonating')
  await admin.post('/admin/ban-user', { userId })
  await admin.post('/admin/unban-user', { userId })
  const client = { name: 'Shop', redirectUris: ['https://app.example.com/callback'] }
  const { id: clientId } = (await admin.post('/admin/create-client', client)).body
  await admin.post('/admin/update-client', { ...client, clientId, name: 'New shop' })
  await admin.post('/admin/replace-client-secret', { clientId })
  await admin.post('/admin/delete-client', { clientId })
  await endpoints(admin)
  await secondFactors(admin)
  await moveIn()
}

/** The actions of a user with an authenticator app. */
async function secondFactors(admin: Browser): Promise<void> {
  const { id: userId, browser, email, codes } = await createTwoFactorUser(testApp)
  await admin.post('/admin/remove-two-factor', { userId })
  await admin.post('/admin/cancel-two-factor-removal', { userId })
  const other = testApp.browser()
  await other.post('/sign-in/email', { email, password })
  await other.post('/two-factor/verify-backup-code', { code: codes[0] })
  await browser.post('/two-factor/generate-backup-codes', { password })
  const strict = (await browser.post('/organization/create', { name: 'Strict', slug: newSlug() })).body
  for (const graceDays of [0, null])
    await browser.post('/organization/set-second-factor', { organizationId: strict.id, graceDays })
  const authenticator = createAuthenticator(testApp.origin)
  const options = (await browser.get('/passkey/generate-register-options')).body
  const added = await browser.post('/passkey/verify-registration', {
    response: authenticator.create(options),
    name: 'Key',
  })
  const challenge = (await other.post('/passkey/generate-authenticate-options')).body
  await other.post('/passkey/verify-authentication', { response: authenticator.get(challenge, { counter: 1 }) })
  await browser.post('/passkey/delete-passkey', { id: added.body.id })
  await browser.post('/two-factor/disable', { password })
  // The session no longer has a second factor, and gets this one.
  const again = (await browser.get('/passkey/generate-register-options')).body
  await browser.post('/passkey/verify-registration', { response: createAuthenticator(testApp.origin).create(again) })
}

/** An import of a user with an organization. */
async function moveIn(): Promise<void> {
  const { email } = newUserData()
  const organization = { type: 'organization', name: 'Moved', slug: newSlug(), members: [{ email, role: 'owner' }] }
  const lines = [{ email }, organization].map((line) => JSON.stringify(line)).join('\n')
  const ctx = { ...testApp.app, now: new Date(), ipAddress: '', userAgent: '', requestId: '' }
  await importLines(ctx, Readable.from([lines]), { dryRun: false, onOutcomes: () => {} })
}

/** The webhook actions of administrators, and the disabling of an endpoint that has failed for a long time. */
async function endpoints(admin: Browser): Promise<void> {
  const { id: endpointId } = (await admin.post('/api/events/create-endpoint', { url: 'https://hooks.invalid/' })).body
  await admin.post('/api/events/update-endpoint', { endpointId, types: ['webhook.test'] })
  await admin.post('/api/events/rotate-secret', { endpointId })
  await admin.post('/api/events/send-test', { endpointId })
  // An email address that is rejected immediately.
  const long = new Date(Date.now() - 6 * 86_400_000)
  await testApp.db.webhookEndpoint.updateMany({ data: { failingSince: long, url: 'https://127.0.0.1/' } })
  const sender = createDeliverySender(testApp.app)
  await sender.start()
  await sender.idle()
  await admin.post('/api/events/update-endpoint', { endpointId, enabled: true })
  const { body } = await admin.get(`/api/events/list-deliveries?endpointId=${endpointId}`)
  await admin.post('/api/events/send-again', { deliveryId: body[0].id })
  const mail = await testApp.db.mail.findFirst({ where: { sentAt: null } })
  await admin.post('/admin/send-mail-again', { mailId: mail?.id })
  // A job in the far future, so that no worker takes it.
  const { rows } = await testApp.pool.query(
    `select id::text from graphile_worker.add_job('sweep', run_at := now() + interval '1 day')`,
  )
  await admin.trpc.admin.runJob.mutate({ jobId: rows[0].id })
  await admin.post('/api/events/delete-endpoint', { endpointId })
}

/** The changes that an owner makes to a subscription. */
async function subscriptions(browser: Browser, email: string): Promise<void> {
  const plan = subscription({ customer: customer(email) })
  const { subscription_id: subscriptionId } = plan
  await deliver(testApp, 'subscription.active', plan)
  const path = `/subscriptions/${subscriptionId}`
  for (const call of [`PATCH ${path}`, `GET ${path}`, `POST ${path}/change-plan`]) {
    provider.answers.set(call, { body: plan })
  }
  await browser.trpc.payment.cancelSubscription.mutate({ subscriptionId, feedback: 'unused' })
  await browser.trpc.payment.resumeSubscription.mutate({ subscriptionId })
  await browser.trpc.payment.changePlan.mutate({ subscriptionId, productId: 'pdt_pro', quantity: 2 })
  const { body } = await browser.post('/organization/create', { name: 'Payer', slug: newSlug() })
  await browser.trpc.payment.transferSubscription.mutate({ subscriptionId, organizationId: body.id })
}

describe('events (SEC-119)', () => {
  it('every type is recorded at its cause, with its fields, the request, and no secret', async () => {
    await everything()
    const events = await testApp.db.event.findMany({ orderBy: { id: 'asc' } })
    const seen = new Set(events.map(({ type }) => type))
    expect(eventTypes.filter((type) => !seen.has(type))).toEqual([])
    for (const event of events) {
      const type = eventTypes.find((known) => known === event.type)
      if (!type) throw new Error(`${event.type} is not in the list`)
      // The schema is strict: events have no other fields.
      expect(Object.keys(eventData[type].shape)).toEqual(expect.arrayContaining(Object.keys(Object(event.data))))
      expect(eventData[type].safeParse(event.data).error).toBeUndefined()
      // Disabling an endpoint and importing happen without a request.
      const hasRequest = !['endpoint.disabled', 'user.imported', 'organization.imported'].includes(type)
      expect(event.requestId).toMatch(hasRequest ? /^[\da-f-]{36}$/ : /^$/)
      // The mailbox owner's location is not disclosed to the user who signed up with the address.
      const isPlaceless =
        event.ipAddress === '' && ['user.claimed', 'user.rejected', 'user.email_changed'].includes(type)
      expect(isPlaceless || event.ipAddress === (hasRequest ? '127.0.0.1' : '')).toBe(true)
    }
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    const mails = await testApp.db.mail.findMany()
    const text = JSON.stringify(events)
    const hashes = await testApp.pool.query('select "tokenHash" as hash, token from "Session"')
    const secrets = [
      password,
      'another long sentence',
      ...hashes.rows.flatMap(({ hash, token }) => [hash, token]),
      ...mails.flatMap((mail) => testApp.app.outbox.read(mail).action?.link ?? []),
    ]
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('events carry the request id of the response, and each has one log line', async () => {
    const person = await createUser(testApp)
    const { headers } = await person.browser.post('/update-user', { name: 'Another' })
    const requestId = headers.get('x-request-id') ?? ''
    const found = await testApp.db.event.findMany({ where: { requestId } })
    expect(found).toMatchObject([{ type: 'user.updated', actorId: person.id, subjectId: person.id }])
    const lines = testApp.lines.filter((line) => line.includes(requestId) && line.includes('"event":"user.updated"'))
    expect(lines).toHaveLength(1)
  })

  it('a rolled-back change leaves neither an event nor a log line', async () => {
    const owner = await createOrganizationOwner(testApp)
    const before = await testApp.db.event.count()
    const lines = testApp.lines.length
    const { status } = await owner.browser.post('/organization/leave', { organizationId: owner.organization.id })
    expect(status).toBe(400)
    expect(await testApp.db.event.count()).toBe(before)
    expect(testApp.lines.slice(lines).filter((line) => line.includes('"event":"member.left"'))).toEqual([])
  })

  it('a refused permission is recorded with the user, in the log of the organization', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const organizationId = owner.organization.id
    await member.browser.post('/organization/update', { data: { name: 'Mine' }, organizationId })
    const { events } = (await owner.browser.get(`/organization/list-activity?organizationId=${organizationId}`)).body
    expect(events[0]).toMatchObject({
      type: 'permission.refused',
      actorId: member.id,
      data: { path: 'organization.update', reason: 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION' },
    })
  })
})

describe('the activity page and the audit log', () => {
  it('list the user’s own events only, filtered by group and paginated', async () => {
    const person = await createUser(testApp)
    const other = await createUser(testApp)
    for (let n = 0; n < 5; n++) await person.browser.post('/update-user', { name: `Ada ${n}` })
    await other.browser.post('/update-user', { name: 'Somebody else' })
    const list = async (query: string) => (await person.browser.get(`/list-activity${query}`)).body
    const all = await list('')
    expect(all.events.map(({ type }: { type: string }) => type)).toEqual([
      ...Array(5).fill('user.updated'),
      'user.signed_in',
      'user.email_verified',
      'user.signed_up',
    ])
    expect(all.next).toBeNull()
    const first = await list('?limit=3')
    const second = await list(`?limit=50&cursor=${first.next}`)
    const ids = [...first.events, ...second.events].map(({ id }: { id: string }) => id)
    expect(ids).toEqual(all.events.map(({ id }: { id: string }) => id))
    expect((await list('?group=team')).events).toEqual([])
    expect((await list('?type=user.signed_in')).events.map(({ type }: { type: string }) => type)).toEqual([
      'user.signed_in',
    ])
    expect((await person.browser.get('/list-activity?group=odd')).status).toBe(400)
    expect((await testApp.browser().get('/list-activity')).status).toBe(401)
  })

  it('the audit log is filtered by person and by time', async () => {
    const owner = await createOrganizationOwner(testApp)
    const admin = await createMember(testApp, owner, 'admin')
    const organizationId = owner.organization.id
    testApp.advanceClock(60)
    const from = testApp.app.clock()
    await admin.browser.post('/organization/create-team', { name: 'Blue', organizationId })
    testApp.advanceClock(60)
    const until = testApp.app.clock()
    await owner.browser.post('/organization/create-team', { name: 'Red', organizationId })
    const teams = async (filter: Record<string, string>) => {
      const query = new URLSearchParams({ organizationId, group: 'team', ...filter })
      const { status, body } = await owner.browser.get(`/organization/list-activity?${query}`)
      expect(status).toBe(200)
      return body.events.map(({ data }: { data: { name: string } }) => data.name)
    }
    expect(await teams({})).toEqual(['Red', 'Blue'])
    expect(await teams({ actorId: admin.id })).toEqual(['Blue'])
    expect(await teams({ actorId: owner.id, until: until.toISOString() })).toEqual([])
    expect(await teams({ from: from.toISOString() })).toEqual(['Red', 'Blue'])
    expect(await teams({ from: until.toISOString() })).toEqual(['Red'])
    expect(await teams({ from: from.toISOString(), until: until.toISOString() })).toEqual(['Blue'])
    expect(await teams({ actorId: 'nobody' })).toEqual([])
    const odd = await owner.browser.get(`/organization/list-activity?organizationId=${organizationId}&from=yesterday`)
    expect(odd.status).toBe(400)
  })

  it('the audit log is for owners and administrators', async () => {
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const admin = await createMember(testApp, owner, 'admin')
    const path = `/organization/list-activity?organizationId=${owner.organization.id}`
    expect((await owner.browser.get(path)).status).toBe(200)
    expect((await admin.browser.get(path)).status).toBe(200)
    expect((await member.browser.get(path)).status).toBe(403)
    expect((await (await createUser(testApp)).browser.get(path)).status).toBe(403)
  })
})

describe('the administration command', () => {
  it('lists, grants and revokes administrators, with a mail and an event', async () => {
    const own = await createTestApp()
    const person = await createUser(own)
    const run = (...args: string[]) => runAdminCommand(own.app, args)
    expect(await run('list')).toEqual({ lines: ['There are no administrators.'], status: 0 })
    expect(await run('grant', person.email.toUpperCase())).toEqual({
      lines: [`${person.email} is now an administrator.`],
      status: 0,
    })
    expect((await run('grant', person.email)).lines).toEqual([`${person.email} is already an administrator.`])
    expect((await run('list')).lines).toEqual([`${person.email}  ${person.name}`])
    expect((await run('revoke', person.email)).lines).toEqual([`${person.email} is now not an administrator.`])
    expect((await own.mails(person.email)).map(({ kind }) => kind).slice(0, 2)).toEqual([
      'administratorRevoked',
      'administratorGranted',
    ])
    expect((await run('grant', 'nobody@example.test')).status).toBe(1)
    for (const wrong of [[], ['grant'], ['grant', 'x'], ['drop', person.email], ['list', 'x']]) {
      expect((await run(...wrong)).status).toBe(2)
    }
    expect(await own.db.event.count({ where: { type: 'user.role_changed' } })).toBe(2)
  })
})

it('ids of one process are increasing, even ten thousand within a millisecond', () => {
  const now = new Date()
  const ids = Array.from({ length: 10_000 }, () => newEventId(now))
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(10_000)
  for (const id of ids.slice(0, 3))
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

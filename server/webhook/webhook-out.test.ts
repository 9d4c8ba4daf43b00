import { Resolver } from 'node:dns/promises'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { verifyWebhook } from '../../client/sdk/server.ts'
import { record } from '../event/record.ts'
import { deriveKeys } from '../foundation/crypto.ts'
import { transaction } from '../foundation/transactions.ts'
import { reencryptStored } from '../maintenance/reencrypt.ts'
import { sweep } from '../maintenance/sweep.ts'
import { createOrganizationOwner, createMember } from '../testing/organizations.ts'
import { startReceiver, type Received } from '../testing/receiver.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createAdministrator, password, createUser } from '../testing/test-users.ts'
import { assignEventSequences } from './read-events.ts'
import { createDeliverySender } from './send-deliveries.ts'

const testApp = await createTestApp({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = []
afterAll(() => Promise.all(receivers.map((one) => one.close())))

const sender = createDeliverySender(testApp.app)
/** Sends deliveries until none is due. */
async function sendAll(): Promise<void> {
  while ((await sender.start()) > 0) await sender.idle()
}

async function receiver() {
  const opened = await startReceiver(inject('receiver'))
  receivers.push(opened)
  return opened
}

let admin: Awaited<ReturnType<typeof createAdministrator>>

/** An endpoint with its own receiver. */
async function endpoint(input: object = {}) {
  const at = await receiver()
  const { status, body } = await admin.browser.post('/api/events/create-endpoint', { url: at.url, ...input })
  expect(status).toBe(200)
  const list = async () => (await admin.browser.get(`/api/events/list-deliveries?endpointId=${body.id}`)).body
  return { ...at, id: body.id, secret: body.secret, list }
}

const headersOf = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Whether a delivery has a signature by this key. The clock of this application is ahead of that of the libraries. */
function isSignedBy(key: string, { headers, body } = { headers: {}, body: '' } as Received): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headersOf(headers)
  return signatures.split(' ').includes(new Webhook(key).sign(id, new Date(Number(at) * 1000), body))
}

beforeEach(async () => {
  await testApp.db.webhookEndpoint.deleteMany()
  await testApp.db.webhookDelivery.deleteMany()
  admin = await createAdministrator(testApp)
})

describe('endpoints', () => {
  it('wait for a free slot only while a delivery is in progress', async () => {
    await sender.idle()
    // Each check would leave a promise behind that never resolves.
    expect(sender.freed()).toBeUndefined()
  })

  it('are for administrators', async () => {
    const person = await createUser(testApp)
    for (const [method, path] of [
      ['get', 'list-endpoints'],
      ['get', 'list-deliveries?endpointId=x'],
      ['get', 'get-delivery?deliveryId=x'],
      ['post', 'create-endpoint'],
      ['post', 'update-endpoint'],
      ['post', 'delete-endpoint'],
      ['post', 'rotate-secret'],
      ['post', 'send-test'],
      ['post', 'send-again'],
    ] as const) {
      const input = { endpointId: 'x', deliveryId: 'x', url: 'https://example.com' }
      const call = (browser: typeof person.browser) =>
        method === 'get' ? browser.get(`/api/events/${path}`) : browser.post(`/api/events/${path}`, input)
      expect((await call(person.browser)).status).toBe(403)
      expect((await call(testApp.browser())).status).toBe(401)
    }
    expect((await person.browser.get('/api/events')).status).toBe(403)
    expect((await testApp.browser().get('/api/events')).status).toBe(401)
  })

  it('are created, listed without their keys, changed and deleted', async () => {
    const { id, secret, url } = await endpoint({ types: ['user.signed_in'], description: ' Orders ' })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const listed = await admin.browser.get('/api/events/list-endpoints')
    expect(listed.body).toEqual([
      expect.objectContaining({ id, url, types: ['user.signed_in'], description: 'Orders', enabled: true }),
    ])
    expect(listed.text).not.toContain(secret)
    expect(JSON.stringify(await testApp.db.webhookEndpoint.findMany())).not.toContain(secret.slice(6))
    const changed = await admin.browser.post('/api/events/update-endpoint', {
      endpointId: id,
      types: [],
      enabled: false,
    })
    expect(changed.body).toMatchObject({ id, types: [], enabled: false, description: 'Orders' })
    expect((await admin.browser.post('/api/events/send-test', { endpointId: id })).body.code).toBe(
      'ENDPOINT_IS_DISABLED',
    )
    expect((await admin.browser.post('/api/events/delete-endpoint', { endpointId: id })).body).toEqual({ status: true })
    expect((await admin.browser.get('/api/events/list-endpoints')).body).toEqual([])
    for (const path of ['update-endpoint', 'delete-endpoint', 'rotate-secret', 'send-test'])
      expect((await admin.browser.post(`/api/events/${path}`, { endpointId: id })).body.code).toBe('ENDPOINT_NOT_FOUND')
    expect((await admin.browser.post('/api/events/send-again', { deliveryId: 'x.y' })).body.code).toBe(
      'DELIVERY_NOT_FOUND',
    )
  })

  it('are stored as they are called', async () => {
    const { body } = await admin.browser.post('/api/events/create-endpoint', {
      url: 'https://hooks.example.com\\@x/a b\n#c',
    })
    expect(body.url).toBe('https://hooks.example.com/@x/a%20b')
  })

  it('accept only existing types, and only https', async () => {
    const create = (input: object) =>
      admin.browser.post('/api/events/create-endpoint', { url: 'https://example.com/hook', ...input })
    expect((await create({ types: ['user.unknown'] })).status).toBe(400)
    for (const url of ['http://example.com/', 'ftp://example.com', 'https://', 'x', 'https://a:b@example.com/', ''])
      expect((await create({ url })).status).toBe(400)
    expect(await testApp.db.webhookEndpoint.count()).toBe(0)
  })

  it('are at most fifty', async () => {
    const row = {
      url: 'https://example.com',
      types: [],
      description: '',
      secret: '',
      createdBy: '',
      createdAt: new Date(),
    }
    const data = Array.from({ length: 50 }, (_, n) => ({ ...row, id: `e${n}`, isEnabled: false }))
    await testApp.db.webhookEndpoint.createMany({ data })
    const answer = await admin.browser.post('/api/events/create-endpoint', { url: 'https://example.com/' })
    expect(answer.body.code).toBe('ENDPOINT_LIMIT_REACHED')
  })

  it('need a fresh session', async () => {
    await testApp.db.session.updateMany({ data: { createdAt: new Date(Date.now() - 90_000_000) } })
    for (const path of ['create-endpoint', 'update-endpoint', 'delete-endpoint', 'rotate-secret']) {
      const answer = await admin.browser.post(`/api/events/${path}`, { endpointId: 'x', url: 'https://example.com' })
      expect(answer.body.code).toBe('SESSION_IS_NOT_FRESH')
    }
  })
})

describe('deliveries', () => {
  it('carry the event, signed so that every implementation of the standard verifies it', async () => {
    const { received, secret, list, id } = await endpoint({ types: ['member.role_changed'] })
    const owner = await createOrganizationOwner(testApp)
    const member = await createMember(testApp, owner)
    const organizationId: string = owner.organization.id
    const sent = { memberId: member.memberId, role: 'admin', organizationId }
    expect((await owner.browser.post('/organization/update-member-role', sent)).status).toBe(200)
    await sendAll()
    expect(received.length).toBe(1)
    const [first] = received
    if (!first) throw new Error('nothing was received')
    const headers = headersOf(first.headers)
    const body = JSON.parse(first.body)
    expect(body).toMatchObject({
      id: headers['webhook-id'],
      type: 'member.role_changed',
      data: {
        actorId: owner.id,
        userId: member.id,
        organizationId,
        memberId: member.memberId,
        from: 'member',
        to: 'admin',
      },
    })
    expect(Math.abs(Date.parse(body.timestamp) / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(2)
    expect(new Webhook(secret).verify(first.body, headers)).toEqual(body)
    const svix = Object.fromEntries(
      ['id', 'timestamp', 'signature'].map((n) => [`svix-${n}`, headers[`webhook-${n}`] ?? '']),
    )
    expect(new SvixWebhook(secret).verify(first.body, svix)).toEqual(body)
    await expect(Promise.resolve().then(() => verifyWebhook(first.body, headers, secret))).resolves.toEqual(body)
    expect(await list()).toEqual([
      expect.objectContaining({
        endpointId: id,
        eventId: body.id,
        attempt: 1,
        status: 'delivered',
        responseStatus: 204,
        nextTryAt: null,
      }),
    ])
  })

  it('are queued only if the event happened, and only for the selected types', async () => {
    const all = await endpoint()
    const some = await endpoint({ types: ['user.signed_out'] })
    const off = await endpoint()
    await admin.browser.post('/api/events/update-endpoint', { endpointId: off.id, enabled: false })
    const person = await createUser(testApp)
    const origin = { now: new Date(), ipAddress: '', userAgent: '', requestId: '', log: testApp.app.log }
    const failed = transaction(testApp.app, async (tx) => {
      await record(tx, origin, { type: 'user.unbanned', subjectId: person.id, data: {} })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await person.browser.post('/sign-out')
    await sendAll()
    const types = (at: typeof all) => at.events().map(({ type }) => type)
    expect(types(some)).toEqual(['user.signed_out'])
    expect(types(all)).toEqual(expect.arrayContaining(['user.signed_up', 'user.signed_in', 'user.signed_out']))
    expect(types(all)).not.toContain('user.unbanned')
    expect(types(off)).toEqual([])
    const signIn = all.events().find(({ type }) => type === 'user.signed_in')
    expect(signIn.data.userId).toBe(person.id)
    expect(JSON.stringify(all.received)).not.toContain('127.0.0.1')
  })

  it('are retried on schedule, with the same id and a new time, and given up after the last attempt', async () => {
    const { received, answerWith, id, list } = await endpoint({ types: ['webhook.test'] })
    answerWith((response) => response.writeHead(500).end(`broken ${'x'.repeat(5000)}\0`))
    await admin.browser.post('/api/events/send-test', { endpointId: id })
    for (const [n, seconds] of [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      testApp.advanceClock(seconds - 1)
      await sendAll()
      expect(received.length).toBe(n)
      testApp.advanceClock(1)
      await sendAll()
      expect(received.length).toBe(n + 1)
    }
    const [delivery] = await list()
    expect(delivery).toMatchObject({
      attempt: 8,
      status: 'failed',
      responseStatus: 500,
      nextTryAt: null,
      type: 'webhook.test',
    })
    expect(delivery.response).toMatch(/^broken x+$/)
    expect(delivery.response.length).toBe(1024)
    testApp.advanceClock(400_000)
    await sendAll()
    expect(received.length).toBe(8)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8)
    answerWith((response) => response.writeHead(200).end('ok'))
    admin = await createAdministrator(testApp)
    const again = await admin.browser.post('/api/events/send-again', { deliveryId: delivery.id })
    expect(again.body).toMatchObject({ status: 'pending', attempt: 8 })
    await sendAll()
    expect(await list()).toEqual([
      expect.objectContaining({ attempt: 9, status: 'delivered', response: 'ok', responseStatus: 200 }),
    ])
    expect(received.at(-1)?.headers['webhook-id']).toBe(delivery.eventId)
  })

  it.each([
    ['seconds', '7200', 7200],
    ['a date', () => new Date(testApp.app.clock().getTime() + 7_200_000).toUTCString(), 7200],
    ['longer than a day', '999999', 86_400],
    ['shorter than the schedule', '1', 5],
    ['the past', 'Sun, 06 Nov 1994 08:49:37 GMT', 5],
    ['nonsense', 'soon', 5],
  ])('wait as long as the receiver asks: %s', async (_, given, seconds) => {
    const { list, answerWith } = await endpoint({ types: ['organization.created'] })
    const retryAfter = typeof given === 'string' ? given : given()
    answerWith((response) => response.writeHead(429, { 'retry-after': retryAfter }).end())
    await createOrganizationOwner(testApp)
    const sentAt = testApp.app.clock().getTime()
    await sendAll()
    const [delivery] = await list()
    const waited = (Date.parse(delivery.nextTryAt) - sentAt) / 1000
    // The attempt itself takes a moment, and a date has no fractions of a second.
    expect(waited).toBeGreaterThan(seconds - 2)
    expect(waited).toBeLessThan(seconds + 60)
  })

  it('fail for any response but a 2xx, and delay no other endpoint', async () => {
    const healthy = await endpoint({ types: ['user.signed_up'] })
    const failing = await Promise.all(
      [
        (response: ServerResponse) => response.writeHead(302, { location: healthy.url }).end(),
        (response: ServerResponse) => response.writeHead(404).end(),
        (response: ServerResponse) => response.destroy(),
        // Never answers, until the deadline ends the call.
        () => {},
        // Switches to another protocol.
        (response: ServerResponse) => {
          response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
        },
        // Sends an endless response, of which only a limited part is read.
        (response: ServerResponse) => {
          response.writeHead(503)
          const more = () => void (response.destroyed || response.write('y'.repeat(70_000), more))
          more()
        },
      ].map(async (how) => {
        const at = await endpoint({ types: ['user.signed_up'] })
        at.answerWith(how)
        return at
      }),
    )
    const gone = await endpoint({ types: ['user.signed_up'] })
    await gone.close()
    const people = await Promise.all([createUser(testApp), createUser(testApp)])
    const begun = await sender.start()
    expect(begun).toBe(16)
    // The hanging endpoints have not answered yet.
    while (healthy.received.length < people.length) await wait(20)
    await sender.idle()
    const states = await Promise.all([...failing, gone].map(async (at) => (await at.list())[0]))
    expect(states.map(({ responseStatus, failure }) => responseStatus ?? failure)).toEqual([
      302,
      404,
      'UNREACHABLE',
      'TIMEOUT',
      'UNREACHABLE',
      503,
      'UNREACHABLE',
    ])
    expect(states.every(({ status }) => status === 'pending')).toBe(true)
    expect(healthy.received.length).toBe(people.length)
  })

  it('are delivered with a 2xx, regardless of its body', async () => {
    const { id, answerWith, list } = await endpoint({ types: ['webhook.test'] })
    answerWith((response) => {
      response.writeHead(200, { 'content-length': '10' }).write('cut')
      setTimeout(() => response.destroy(), 50)
    })
    await admin.browser.post('/api/events/send-test', { endpointId: id })
    await sendAll()
    expect((await list())[0]).toMatchObject({ status: 'delivered', responseStatus: 200, response: 'cut', attempt: 1 })
  })

  it('to failing endpoints leave room for the others', async () => {
    const failing = await Promise.all(Array.from({ length: 12 }, () => endpoint({ types: ['user.signed_up'] })))
    const healthy = await endpoint({ types: ['user.signed_up'] })
    const since = testApp.app.clock()
    const ids = failing.map(({ id }) => id)
    await testApp.db.webhookEndpoint.updateMany({ where: { id: { in: ids } }, data: { failingSince: since } })
    for (const { answerWith } of failing) answerWith(() => {})
    await Promise.all(Array.from({ length: 8 }, () => createUser(testApp)))
    // At most half of the places, two for each; the healthy one gets as many as it can use.
    expect(await sender.start()).toBe(16 + 8)
    while (healthy.received.length < 8) await sender.freed()
    await Promise.all(failing.map((one) => one.close()))
    await sender.idle()
  })

  it('to slow endpoints leave room for failing ones', async () => {
    const slow = await Promise.all(Array.from({ length: 6 }, () => endpoint({ types: ['user.signed_up'] })))
    for (const { answerWith } of slow) answerWith(() => {})
    await Promise.all(Array.from({ length: 8 }, () => createUser(testApp)))
    const failing = await endpoint({ types: ['webhook.test'] })
    await admin.browser.post('/api/events/send-test', { endpointId: failing.id })
    const since = testApp.app.clock()
    await testApp.db.webhookEndpoint.update({ where: { id: failing.id }, data: { failingSince: since } })
    expect(await sender.start()).toBe(28 + 1)
    while (failing.received.length < 1) await sender.freed()
    await Promise.all(slow.map((one) => one.close()))
    await sender.idle()
  })

  it('that wait for an endpoint end when it no longer receives their type', async () => {
    const { id, list, received } = await endpoint()
    await createUser(testApp)
    await admin.browser.post('/api/events/send-test', { endpointId: id })
    await admin.browser.post('/api/events/update-endpoint', { endpointId: id, types: ['user.banned'] })
    await sendAll()
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.test'])
    const signUp = (await list()).find(({ type }: { type: string }) => type === 'user.signed_up')
    expect(signUp).toMatchObject({ status: 'failed', attempt: 0 })
    await admin.browser.post('/api/events/send-again', { deliveryId: signUp.id })
    await sendAll()
    expect(received.length).toBe(2)
  })

  it('keep a concurrent change by an administrator', async () => {
    const { id, answerWith, list } = await endpoint({ types: ['webhook.test'] })
    const asked: ServerResponse[] = []
    answerWith((response) => void asked.push(response))
    const long = new Date(testApp.app.clock().getTime() - 6 * 86_400_000)
    await testApp.db.webhookEndpoint.updateMany({ data: { failingSince: long } })
    const { body } = await admin.browser.post('/api/events/send-test', { endpointId: id })
    await sender.start()
    while (asked.length === 0) await wait(20)
    await admin.browser.post('/api/events/update-endpoint', { endpointId: id, enabled: true })
    await admin.browser.post('/api/events/send-again', { deliveryId: body.id })
    asked[0]?.writeHead(500).end()
    await sender.idle()
    expect((await testApp.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).isEnabled).toBe(true)
    answerWith((response) => response.writeHead(200).end())
    await sendAll()
    expect((await list())[0]).toMatchObject({ status: 'delivered', attempt: 2 })
  })

  it('of a deleted endpoint are removed by the sweep, and no others', async () => {
    const kept = await endpoint({ types: ['webhook.test'] })
    const gone = await endpoint({ types: ['webhook.test'] })
    for (const { id } of [kept, gone]) await admin.browser.post('/api/events/send-test', { endpointId: id })
    await admin.browser.post('/api/events/delete-endpoint', { endpointId: gone.id })
    await sendAll()
    expect(gone.received.length).toBe(0)
    await sweep(testApp.app)
    expect(await testApp.db.webhookDelivery.findMany({ select: { endpointId: true } })).toEqual([
      { endpointId: kept.id },
    ])
  })

  it('contain no path of a URL, which can be secret', async () => {
    const { url } = await endpoint()
    const { host } = new URL(url)
    const [event] = await testApp.db.event.findMany({
      where: { type: 'endpoint.created' },
      orderBy: { id: 'desc' },
      take: 1,
    })
    expect(event?.data).toMatchObject({ host })
    expect(JSON.stringify(event?.data)).not.toContain('/hook')
  })

  it('carry both signatures for a day after a rotation', async () => {
    const { received, secret, id } = await endpoint({ types: ['webhook.test'] })
    const rotated = await admin.browser.post('/api/events/rotate-secret', { endpointId: id })
    expect(rotated.body).toEqual({ secret: expect.stringMatching(/^whsec_/) })
    expect(rotated.body.secret).not.toBe(secret)
    const signedBy = async (key: string) => {
      await admin.browser.post('/api/events/send-test', { endpointId: id })
      await sendAll()
      return isSignedBy(key, received.at(-1))
    }
    expect([await signedBy(secret), await signedBy(rotated.body.secret)]).toEqual([true, true])
    testApp.advanceClock(86_401)
    expect([await signedBy(secret), await signedBy(rotated.body.secret)]).toEqual([false, true])
  })

  it('are sent by several concurrent processes, each once', async () => {
    const { received, events } = await endpoint({ types: ['user.signed_up'] })
    await Promise.all(Array.from({ length: 20 }, () => createUser(testApp)))
    const processes = [
      createDeliverySender(testApp.app),
      createDeliverySender(testApp.app),
      createDeliverySender(testApp.app),
    ]
    for (let begun = 1; begun > 0;) {
      begun = (await Promise.all(processes.map((one) => one.start()))).reduce((sum, n) => sum + n, 0)
      await Promise.all(processes.map((one) => one.idle()))
    }
    expect(received.length).toBe(20)
    expect(new Set(events().map(({ id }) => id)).size).toBe(20)
  })

  it('of a process that died are sent by another one', async () => {
    const { received, id } = await endpoint({ types: ['webhook.test'] })
    await admin.browser.post('/api/events/send-test', { endpointId: id })
    // The state that an abandoned claim leaves.
    const until = new Date(testApp.app.clock().getTime() + 30_000)
    await testApp.db.webhookDelivery.updateMany({ data: { nextTryAt: until, attempt: 1 } })
    await sendAll()
    expect(received.length).toBe(0)
    testApp.advanceClock(31)
    await sendAll()
    expect(received.length).toBe(1)
  })

  it('stop after five days without a success: the endpoint is disabled, and the administrator who added it is notified', async () => {
    const { id, answerWith, received, list } = await endpoint({ types: ['webhook.test'] })
    answerWith((response) => response.writeHead(500).end())
    const test = () => admin.browser.post('/api/events/send-test', { endpointId: id })
    await test()
    await sendAll()
    testApp.advanceClock(4.9 * 86_400)
    await sendAll()
    admin.browser = (await createAdministrator(testApp)).browser
    await test()
    await sendAll()
    expect((await testApp.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).isEnabled).toBe(true)
    testApp.advanceClock(0.2 * 86_400)
    await sendAll()
    expect((await testApp.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).isEnabled).toBe(false)
    const [mail, ...others] = await testApp.mails(admin.email)
    expect(mail).toMatchObject({ kind: 'endpointDisabled', action: { link: `${testApp.origin}/admin/webhooks/${id}` } })
    expect(others.some(({ kind }) => kind === 'endpointDisabled')).toBe(false)
    expect(await testApp.db.event.count({ where: { type: 'endpoint.disabled' } })).toBe(1)
    const before = received.length
    const waiting = (await list()).filter(({ status }: { status: string }) => status === 'pending')
    expect(waiting.length).toBeGreaterThan(0)
    expect((await admin.browser.post('/api/events/send-again', { deliveryId: waiting[0].id })).body.code).toBe(
      'ENDPOINT_IS_DISABLED',
    )
    testApp.advanceClock(86_400)
    await sendAll()
    expect(received.length).toBe(before)
    answerWith((response) => response.writeHead(200).end())
    admin = await createAdministrator(testApp)
    await admin.browser.post('/api/events/update-endpoint', { endpointId: id, enabled: true })
    await sendAll()
    expect(received.length).toBeGreaterThan(before)
    expect((await list()).every(({ status }: { status: string }) => status === 'delivered')).toBe(true)
    expect((await testApp.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).failingSince).toBeNull()
  })

  it('stop when the receiver answers 410: the endpoint is disabled, and the administrator who added it is notified', async () => {
    const { id, url, answerWith, received, list } = await endpoint({ types: ['webhook.test'] })
    const isEnabled = async () => (await testApp.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).isEnabled
    // An address that was replaced during the attempt has not unsubscribed.
    answerWith((response) => {
      void testApp.db.webhookEndpoint
        .update({ where: { id }, data: { url: `${url}/new` } })
        .then(() => response.writeHead(410).end())
    })
    await admin.browser.post('/api/events/send-test', { endpointId: id })
    await sendAll()
    expect(await isEnabled()).toBe(true)
    // One that was enabled again during the attempt is used again.
    answerWith((response) => {
      void admin.browser
        .post('/api/events/update-endpoint', { endpointId: id, enabled: false })
        .then(() => admin.browser.post('/api/events/update-endpoint', { endpointId: id, enabled: true }))
        .then(() => response.writeHead(410).end())
    })
    testApp.advanceClock(6)
    await sendAll()
    expect(await isEnabled()).toBe(true)
    answerWith((response) => response.writeHead(410).end('gone'))
    testApp.advanceClock(301)
    await sendAll()
    expect(await isEnabled()).toBe(false)
    const gone = (await testApp.mails(admin.email)).filter(({ kind }) => kind === 'endpointGone')
    expect(gone).toMatchObject([{ action: { link: `${testApp.origin}/admin/webhooks/${id}` } }])
    const [event] = await testApp.db.event.findMany({ where: { type: 'endpoint.disabled' }, orderBy: { id: 'desc' } })
    expect(event?.data).toMatchObject({ endpointId: id, reason: 'gone' })
    // The delivery waits until the endpoint is enabled again.
    expect(await list()).toMatchObject([{ status: 'pending', responseStatus: 410 }])
    const before = received.length
    answerWith((response) => response.writeHead(200).end())
    testApp.advanceClock(86_400)
    await sendAll()
    expect(received.length).toBe(before)
    admin = await createAdministrator(testApp)
    await admin.browser.post('/api/events/update-endpoint', { endpointId: id, enabled: true })
    await sendAll()
    expect(received.length).toBe(before + 1)
  })

  it('are shown with the event that is sent, without the origin of its actor', async () => {
    const { id, received, list } = await endpoint({ types: ['user.signed_up'] })
    const person = await createUser(testApp)
    await sendAll()
    const [{ id: deliveryId }] = await list()
    const show = () => admin.browser.get(`/api/events/get-delivery?deliveryId=${deliveryId}`)
    const { body } = await show()
    expect(body).toMatchObject({ id: deliveryId, endpointId: id, status: 'delivered', responseStatus: 204 })
    const { timestamp: _ofAttempt, ...sent } = JSON.parse(received[0]?.body ?? '')
    expect(body.body).toMatchObject(sent)
    expect(body.body.data.userId).toBe(person.id)
    expect(JSON.stringify(body)).not.toContain('127.0.0.1')
    await testApp.db.event.delete({ where: { id: body.eventId } })
    expect((await show()).body.body).toBeNull()
    const unknown = await admin.browser.get('/api/events/get-delivery?deliveryId=unknown')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'DELIVERY_NOT_FOUND'])
  })

  it('report a lost key, and are re-encrypted after AUTH_SECRET was rotated', async () => {
    const { id, secret, received, list } = await endpoint({ types: ['webhook.test'] })
    const rotated = deriveKeys([
      'another secret of thirty-two characters',
      'the secret of an application that ends with its test',
    ])
    await reencryptStored({ ...testApp.app, keys: rotated })
    await admin.browser.post('/api/events/send-test', { endpointId: id })
    await sendAll()
    expect(received.length).toBe(0)
    expect((await list())[0]).toMatchObject({ failure: 'SECRET_LOST', status: 'pending' })
    testApp.advanceClock(6)
    const next = createDeliverySender({ ...testApp.app, keys: rotated })
    await next.start()
    await next.idle()
    expect(isSignedBy(secret, received[0])).toBe(true)
  })

  it('are deleted after a month', async () => {
    const { id } = await endpoint({ types: ['webhook.test'] })
    await admin.browser.post('/api/events/send-test', { endpointId: id })
    await sendAll()
    await sweep(testApp.app)
    expect(await testApp.db.webhookDelivery.count()).toBe(1)
    testApp.advanceClock(31 * 86_400)
    await sweep(testApp.app)
    expect(await testApp.db.webhookDelivery.count()).toBe(0)
  })
})

describe('GET /api/events', () => {
  const keyOf = async (permissions?: object) => {
    const { body } = await admin.browser.post('/api-key/create', { name: 'reader' })
    if (permissions) await testApp.db.apiKey.update({ where: { id: body.id }, data: { permissions } })
    return { 'x-api-key': body.key as string }
  }

  it('returns all events in order, page by page, for a key of an administrator', async () => {
    const headers = await keyOf()
    const reader = testApp.browser()
    const read = async (query: string) => (await reader.get(`/api/events${query}`, headers)).body.events
    const ids: string[] = []
    for (let page = ['']; page.length > 0;) {
      page = (await read(`?limit=7${ids.length > 0 ? `&after=${ids.at(-1)}` : ''}`)).map(({ id }: { id: string }) => id)
      ids.push(...page)
      if (page.length < 7) break
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(await testApp.db.event.count())
    const person = await createUser(testApp)
    await person.browser.post('/change-password', { currentPassword: password, newPassword: 'a sentence that is new' })
    const news: { type: string; data: { userId: string } }[] = await read(`?after=${ids.at(-1)}`)
    const types = news.filter(({ data }) => data.userId === person.id).map(({ type }) => type)
    expect(types.indexOf('user.signed_up')).toBeLessThan(types.indexOf('user.signed_in'))
    expect(types.at(-1)).toBe('user.password_changed')
  })

  it('misses no event that is committed late', async () => {
    const headers = await keyOf()
    const reader = testApp.browser()
    const all = async (after: string) => {
      const ids: string[] = []
      for (let last = after; ;) {
        const page = (await reader.get(`/api/events${last === '' ? '' : `?after=${last}`}`, headers)).body.events
        ids.push(...page.map(({ id }: { id: string }) => id))
        last = ids.at(-1) ?? last
        if (page.length < 100) return { ids, last }
      }
    }
    const origin = { now: testApp.app.clock(), ipAddress: '', userAgent: '', requestId: '', log: testApp.app.log }
    const event = { type: 'user.unbanned', subjectId: 'x', data: {} } as const
    let [late, early, last] = ['', '', '']
    await transaction(testApp.app, async (slow) => {
      late = await record(slow, origin, event)
      early = await transaction(testApp.app, (tx) => record(tx, origin, event))
      const seen = await all('')
      last = seen.last
      expect([seen.ids.includes(early), seen.ids.includes(late)]).toEqual([true, false])
    })
    expect((await all(last)).ids).toEqual([late])
  })

  it('keeps the order of causes, regardless of which transaction began first', async () => {
    const headers = await keyOf()
    const reader = testApp.browser()
    const { body } = await reader.get('/api/events', headers)
    expect(body.events.length).toBeGreaterThan(3)
    const origin = { now: testApp.app.clock(), ipAddress: '', userAgent: '', requestId: '', log: testApp.app.log }
    const subject = await createUser(testApp)
    let [cause, effect] = ['', '']
    await transaction(testApp.app, async (waiting) => {
      // The transaction already has a number, and then waits for the other one.
      await waiting.$executeRaw`select pg_current_xact_id()`
      cause = await transaction(testApp.app, (tx) =>
        record(tx, origin, { type: 'user.unbanned', subjectId: subject.id, data: {} }),
      )
      const earlier = { ...origin, now: new Date(origin.now.getTime() - 5_000) }
      effect = await record(waiting, earlier, { type: 'user.unbanned', subjectId: subject.id, data: {} })
    })
    const ids: string[] = []
    for (let last = ''; ;) {
      const page = (await reader.get(`/api/events${last === '' ? '' : `?after=${last}`}`, headers)).body.events
      ids.push(...page.map(({ id }: { id: string }) => id))
      last = ids.at(-1) ?? ''
      if (page.length < 100) break
    }
    expect(ids.indexOf(cause)).toBeGreaterThan(-1)
    expect(ids.indexOf(cause)).toBeLessThan(ids.indexOf(effect))
  })

  it('contains each event once, even if several readers number it concurrently', async () => {
    const headers = await keyOf()
    await Promise.all(Array.from({ length: 5 }, () => createUser(testApp)))
    await testApp.pool.query('update "Event" set sequence = null')
    const pages = await Promise.all(Array.from({ length: 6 }, () => testApp.browser().get('/api/events', headers)))
    expect(new Set(pages.map(({ text }) => text.replaceAll(/"timestamp":"[^"]*"/g, ''))).size).toBe(1)
    const { rows } = await testApp.pool.query(
      'select count(distinct sequence)::int as n, count(*)::int as all from "Event" where sequence is not null',
    )
    expect(rows[0].n).toBe(rows[0].all)
  })

  it('is numbered in advance, once there was a reader', async () => {
    await testApp.pool.query('update "Event" set sequence = null')
    const unnumbered = () => testApp.db.$queryRaw`select count(*)::int as n from "Event" where sequence is null`
    await assignEventSequences(testApp.app)
    expect(await unnumbered()).not.toEqual([{ n: 0 }])
    await testApp.browser().get('/api/events', await keyOf())
    await createUser(testApp)
    await assignEventSequences(testApp.app)
    expect(await unnumbered()).toEqual([{ n: 0 }])
  })

  it('refuses an unknown event id, and limited keys', async () => {
    const reader = testApp.browser()
    const unknown = await reader.get('/api/events?after=nothing', await keyOf())
    expect([unknown.status, unknown.body.code]).toEqual([400, 'EVENT_NOT_FOUND'])
    expect((await reader.get('/api/events?limit=101', await keyOf())).status).toBe(400)
    expect((await reader.get('/api/events', await keyOf({ member: ['create'] }))).body.code).toBe('INSUFFICIENT_SCOPE')
    expect((await reader.get('/api/events/list-endpoints', await keyOf())).body.code).toBe('INSUFFICIENT_SCOPE')
  })
})

describe('URLs', () => {
  it('on private networks are refused in every spelling', async () => {
    const strict = await createTestApp()
    const boss = await createAdministrator(strict)
    const create = (url: string) => boss.browser.post('/api/events/create-endpoint', { url })
    for (const host of [
      'localhost',
      'localhost.',
      'a.localhost',
      'printer.local',
      'metadata.google.internal',
      'intranet',
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '0.0.0.0',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fc00::1]',
      '[fe80::1]',
      '[::127.0.0.1]',
      '[100:0:0:1::1]',
      '[4000::1]',
      '168.63.129.16',
      '224.0.0.1',
      '255.255.255.255',
    ]) {
      const { status, body } = await create(`https://${host}/hook`)
      expect([host, status, body.code]).toEqual([host, 400, 'ENDPOINT_URL_IS_NOT_ALLOWED'])
    }
    const { body } = await create('https://hooks.example.com/x')
    expect(body.enabled).toBe(true)
    const moved = await boss.browser.post('/api/events/update-endpoint', { endpointId: body.id, url: 'https://[::1]/' })
    expect(moved.body.code).toBe('ENDPOINT_URL_IS_NOT_ALLOWED')
    // Endpoints stored before the setting was changed, or whose host name has changed its IP address.
    await strict.db.webhookEndpoint.updateMany({ data: { url: 'https://127.0.0.1/hook' } })
    await boss.browser.post('/api/events/send-test', { endpointId: body.id })
    const own = createDeliverySender(strict.app)
    await own.start()
    await own.idle()
    const list = await boss.browser.get(`/api/events/list-deliveries?endpointId=${body.id}`)
    expect(list.body[0]).toMatchObject({ failure: 'ADDRESS_NOT_ALLOWED', status: 'pending', response: null })
  })

  it('whose name server changes its answer to a private address receive nothing', async () => {
    const strict = await createTestApp()
    const boss = await createAdministrator(strict)
    const { url, received } = await receiver()
    const isRefused = async (addresses: string[]) => {
      const resolve = vi.spyOn(Resolver.prototype, 'resolve4')
      vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('ENODATA'))
      try {
        // A public address while the URL is checked, others afterwards.
        resolve.mockImplementationOnce(() => Promise.resolve(['93.184.215.14']))
        resolve.mockImplementation(() => Promise.resolve(addresses))
        const { port } = new URL(url)
        const { body } = await boss.browser.post('/api/events/create-endpoint', {
          url: `https://hooks.example.com:${port}/hook`,
        })
        await boss.browser.post('/api/events/send-test', { endpointId: body.id })
        const own = createDeliverySender(strict.app)
        await own.start()
        await own.idle()
        const list = await boss.browser.get(`/api/events/list-deliveries?endpointId=${body.id}`)
        return [resolve.mock.calls.length > 1, list.body[0].failure]
      } finally {
        vi.restoreAllMocks()
      }
    }
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['10.0.0.1'], ['169.254.169.254']])
      expect(await isRefused(addresses)).toEqual([true, 'ADDRESS_NOT_ALLOWED'])
    expect(received).toEqual([])
  })
})

import { expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { newUserData } from '../testing/test-users.ts'
import { readQueues } from './queues.ts'

it('what waits is counted, with the age of the oldest', async () => {
  // No jobs run here, so that nothing is sent.
  const testApp = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const read = () => readQueues(testApp.app)
  const mails = async () => (await read()).find(({ queue }) => queue === 'mails')
  const nothing = { waiting: 0, oldestSeconds: 0 }
  expect((await read()).toSorted((a, b) => (a.queue < b.queue ? -1 : 1))).toEqual([
    { queue: 'deliveries', ...nothing },
    { queue: 'jobs', ...nothing },
    { queue: 'mails', ...nothing },
    { queue: 'payments', ...nothing },
  ])
  for (let n = 0; n < 2; n++) await testApp.browser().post('/sign-up/email', newUserData())
  testApp.advanceClock(90)
  expect((await mails())?.waiting).toBe(2)
  expect((await mails())?.oldestSeconds).toBeGreaterThanOrEqual(90)
  // Others have overtaken it: only its own address delays it.
  await testApp.browser().post('/sign-up/email', newUserData())
  const newest = await testApp.db.mail.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  await testApp.db.mail.update({ where: { id: newest.id }, data: { sentAt: testApp.app.clock() } })
  expect(await mails()).toEqual({ queue: 'mails', waiting: 2, oldestSeconds: 0 })
  // No longer retried by then, although no answer was final.
  testApp.advanceClock(2 * 86_400)
  expect(await mails()).toMatchObject(nothing)
})

it('deliveries count as waiting only while their endpoint is enabled', async () => {
  const testApp = await createTestApp()
  const endpoint = {
    id: 'endpoint',
    url: 'https://receiver.test/',
    types: [],
    description: '',
    secret: '',
    createdBy: '',
  }
  await testApp.db.webhookEndpoint.create({ data: { ...endpoint, createdAt: new Date(), enabledAt: new Date() } })
  const nextTryAt = new Date(Date.now() - 60_000)
  const delivery = { id: 'event.endpoint', endpointId: 'endpoint', eventId: 'event', type: 'user.signed_up' }
  await testApp.db.webhookDelivery.create({ data: { ...delivery, nextTryAt, createdAt: nextTryAt } })
  const deliveries = async () => (await readQueues(testApp.app)).find(({ queue }) => queue === 'deliveries')
  expect((await deliveries())?.oldestSeconds).toBeGreaterThanOrEqual(60)
  await testApp.db.webhookEndpoint.updateMany({ data: { isEnabled: false } })
  expect(await deliveries()).toMatchObject({ waiting: 0 })
})

it('payment events that have been stored for a quarter of a minute wait to be applied', async () => {
  const testApp = await createTestApp()
  const payments = async () => (await readQueues(testApp.app)).find(({ queue }) => queue === 'payments')
  const receivedAt = testApp.app.clock()
  const event = { id: 'event', type: 'payment.succeeded', payload: {}, occurredAt: receivedAt, receivedAt }
  await testApp.db.paymentEvent.create({ data: event })
  expect(await payments()).toMatchObject({ waiting: 0 })
  testApp.advanceClock(60)
  expect(await payments()).toMatchObject({ waiting: 1 })
  expect((await payments())?.oldestSeconds).toBeGreaterThanOrEqual(60)
  await testApp.db.paymentEvent.update({ where: { id: 'event' }, data: { state: 'failed' } })
  expect(await payments()).toMatchObject({ waiting: 0 })
})

it('without a mail server, no email waits', async () => {
  const testApp = await createTestApp()
  await testApp.browser().post('/sign-up/email', newUserData())
  expect(await readQueues(testApp.app)).toContainEqual({ queue: 'mails', waiting: 0, oldestSeconds: 0 })
})

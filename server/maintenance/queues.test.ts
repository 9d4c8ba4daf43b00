import { expect, it } from 'vitest'
import { stranger } from '../testing/people.ts'
import { openWorld } from '../testing/world.ts'
import { readQueues } from './queues.ts'

it('what waits is counted, with the age of the oldest', async () => {
  // No jobs run here, so that nothing is sent.
  const world = await openWorld({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const read = () => readQueues(world.app)
  const mails = async () => (await read()).find(({ queue }) => queue === 'mails')
  const nothing = { waiting: 0, oldestSeconds: 0 }
  expect((await read()).toSorted((a, b) => (a.queue < b.queue ? -1 : 1))).toEqual([
    { queue: 'deliveries', ...nothing },
    { queue: 'jobs', ...nothing },
    { queue: 'mails', ...nothing },
  ])
  for (let n = 0; n < 2; n++) await world.browser().post('/sign-up/email', stranger())
  world.travel(90)
  expect((await mails())?.waiting).toBe(2)
  expect((await mails())?.oldestSeconds).toBeGreaterThanOrEqual(90)
  // Given up by then, without having been refused for ever.
  world.travel(2 * 86_400)
  expect(await mails()).toMatchObject(nothing)
})

it('without a mail server, no email waits', async () => {
  const world = await openWorld()
  await world.browser().post('/sign-up/email', stranger())
  expect(await readQueues(world.app)).toContainEqual({ queue: 'mails', waiting: 0, oldestSeconds: 0 })
})

import { expect, it } from 'vitest'
import { signedUp } from '../testing/people.ts'
import { openWorld } from '../testing/world.ts'
import { readQueues } from './queues.ts'

it('what waits is counted, with the age of the oldest', async () => {
  const world = await openWorld()
  const read = () => readQueues(world.pool, world.app.clock())
  const nothing = { waiting: 0, oldestSeconds: 0 }
  expect(await read()).toEqual(
    expect.arrayContaining([
      { queue: 'mails', ...nothing },
      { queue: 'deliveries', ...nothing },
      { queue: 'jobs', ...nothing },
    ]),
  )
  await signedUp(world)
  await signedUp(world)
  await world.db.mail.updateMany({ data: { deliveredAt: null } })
  world.travel(90)
  const mails = (await read()).find(({ queue }) => queue === 'mails')
  expect(mails?.waiting).toBe(2)
  expect(mails?.oldestSeconds).toBeGreaterThanOrEqual(90)
})

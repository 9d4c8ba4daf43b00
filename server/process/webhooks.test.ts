import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPool } from '../foundation/pool.ts'
import { startEmbeddedPostgres } from '../foundation/postgres.ts'
import { afterTestFile } from '../testing/after-test-file.ts'
import { createBrowser } from '../testing/browser.ts'
import { freePort } from '../testing/ports.ts'
import { post, start, until, useProcesses } from '../testing/processes.ts'
import { makeCertificate, startReceiver } from '../testing/receiver.ts'
import { newUserData } from '../testing/test-users.ts'

useProcesses()

it('no sent event is lost, and no stored delivery is repeated, when processes are killed', async () => {
  const data = mkdtempSync(join(tmpdir(), 'foyer-webhooks-'))
  const certificate = await makeCertificate()
  const authority = join(data, 'authority.pem')
  writeFileSync(authority, certificate.cert)
  const postgres = await startEmbeddedPostgres(join(data, 'postgres'))
  afterTestFile(() => postgres.release())
  const pool = createPool(postgres.url, { onError: () => {} })
  afterTestFile(() => pool.end())
  const receiver = await startReceiver(certificate)
  afterTestFile(() => receiver.close())
  const port = await freePort()
  const settings = {
    PORT: port,
    APP_URL: `http://localhost:${port}`,
    DATA_DIR: data,
    DATABASE_URL: postgres.url,
    EMAIL_VERIFICATION: 'optional',
    ADMIN_SECOND_FACTOR: 'off',
    WEBHOOKS_ALLOW_PRIVATE: 'on',
    NODE_EXTRA_CA_CERTS: authority,
    LOG_LEVEL: 'error',
  }
  let foyer = start(settings)
  await foyer.ready()
  const administrator = newUserData()
  await post(port, '/sign-up/email', administrator)
  await pool.query(`update "User" set role = 'admin', "emailVerified" = true where email = $1`, [administrator.email])
  const browser = createBrowser(settings.APP_URL, '/api/auth')
  await browser.post('/sign-in/email', administrator)
  const endpoint = { url: receiver.url, types: ['user.signed_up'] }
  expect((await browser.post('/api/events/create-endpoint', endpoint)).status).toBe(200)

  const idsOf = async (query: string) => new Set((await pool.query<{ id: string }>(query)).rows.map(({ id }) => id))
  const timesReceived = (id: string) => receiver.received.filter(({ headers }) => headers['webhook-id'] === id).length
  const storedDeliveries = 'select "eventId" as id from "WebhookDelivery" where "deliveredAt" is not null'
  let acknowledged = 0
  /** Deliveries that were stored before a kill, with the number of times that they had been received. */
  const settled = new Map<string, number>()
  for (let kills = 0; kills < 3; kills++) {
    // Sign-ups without end, so that the kill meets events in every state.
    const load = { isOver: false }
    const signingUp = Array.from({ length: 4 }, async () => {
      while (!load.isOver) {
        const answer = await post(port, '/sign-up/email', newUserData()).catch(() => undefined)
        if (answer?.status === 200) acknowledged++
      }
    })
    await until(async () => (await idsOf(storedDeliveries)).size >= settled.size + 8)
    foyer.child.kill('SIGKILL')
    await foyer.ended
    load.isOver = true
    await Promise.all(signingUp)
    for (const id of await idsOf(storedDeliveries)) if (!settled.has(id)) settled.set(id, timesReceived(id))
    foyer = start(settings)
    await foyer.ready()
  }
  // What a killed process had claimed is sent half a minute later.
  const open = `select e.id from "Event" e left join "WebhookDelivery" d on d."eventId" = e.id
    where e.type = 'user.signed_up' and d."deliveredAt" is null and e.id > (select min("eventId") from "WebhookDelivery")`
  await until(async () => (await idsOf(open)).size === 0)
  for (const [id, times] of settled) expect(timesReceived(id)).toBe(times)
  const delivered = await idsOf('select "eventId" as id from "WebhookDelivery"')
  expect(delivered.size).toBeGreaterThanOrEqual(acknowledged)
  for (const id of delivered) expect(timesReceived(id)).toBeGreaterThan(0)
  foyer.child.kill('SIGTERM')
  expect(await foyer.ended).toBe(0)
})

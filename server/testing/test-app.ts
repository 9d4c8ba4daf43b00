import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import { inject } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { type App, createDependencies } from '../dependencies.ts'
import { createLog } from '../foundation/log.ts'
import { createHasher } from '../foundation/password-hashing.ts'
import { afterTestFile } from './after-test-file.ts'
import { type Browser, createBrowser } from './browser.ts'
import { templateName, withDatabase } from './global-setup.ts'
import { recordRefusal } from './refusals.ts'
import { recordStatements } from './statements.ts'

/** Cheap hash parameters, to keep the tests fast. */
const cheapHash = { memoryCost: 64, timeCost: 1, parallelism: 1 }

export type TestApp = Awaited<ReturnType<typeof createTestApp>>

/**
 * The whole application on a fresh database and its own port, with an adjustable clock. Rate limits are off unless
 * `settings` enable them. `parts` overrides parts of the application. Closed automatically after the test file.
 */
export async function createTestApp(settings: Record<string, string> = {}, parts: Partial<App> = {}) {
  const databaseName = `test_app_${randomBytes(8).toString('hex')}`
  const admin = new Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`create database ${databaseName} template ${templateName} strategy file_copy`)
  const databaseUrl = withDatabase(inject('postgresUrl'), databaseName)

  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const origin = `http://localhost:${port}`
  const config = readConfig({
    APP_URL: origin,
    AUTH_SECRET: 'the secret of an application that ends with its test',
    RATE_LIMIT: 'off',
    // In most tests, administrators sign in with a password alone.
    ADMIN_SECOND_FACTOR: 'off',
    ...settings,
  })

  const lines: string[] = []
  const log = createLog('debug', {
    write(line) {
      lines.push(line)
      recordRefusal(line)
    },
  })
  const pooled = inject('pooledUrl')
  const connectedUrl = pooled === '' ? databaseUrl : withDatabase(pooled, databaseName)
  let offsetMs = 0
  const dependencies = createDependencies(config, connectedUrl, {
    secret: (config.authSecrets ?? ['']).join(','),
    log,
    connections: 6,
    hasher: createHasher({ concurrency: 2, parameters: cheapHash }),
    clock: () => new Date(Date.now() + offsetMs),
  })
  const app: App = { ...dependencies.app, ...parts }
  const { db: prisma, pool, outbox } = dependencies.app
  for (const used of [pool, dependencies.app.paymentApplyPool, dependencies.app.paymentStorePool])
    recordStatements(used)
  server.on('request', createApp(app))

  afterTestFile(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    await dependencies.close()
    await admin.query(`drop database ${databaseName} with (force)`)
    await admin.end()
  })

  return {
    app,
    db: prisma,
    pool,
    config,
    origin,
    databaseUrl,
    /** Client of the maintenance database, for tests that simulate an outage. */
    admin,
    databaseName,
    /** Log output, one JSON document per line. */
    lines,
    /** Opens a new browser without cookies. */
    browser: (): Browser => createBrowser(origin, config.basePath),
    /** Advances the application's clock. */
    advanceClock: (seconds: number) => void (offsetMs += seconds * 1000),
    /** Rendered emails to an address, newest first. */
    async mails(to: string) {
      const rows = await prisma.mail.findMany({ where: { to }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })
      return rows.map((row) => ({ kind: row.kind, language: row.language, ...outbox.read(row) }))
    },
  }
}

/** The link in the newest email to an address. */
export async function emailedLink(testApp: TestApp, address: string, kind?: string): Promise<string> {
  const mails = await testApp.mails(address)
  const link = mails.find((mail) => kind === undefined || mail.kind === kind)?.action?.link
  if (!link) throw new Error(`No mail with a link to ${address}`)
  return link
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../prisma/migrate.ts'
import { projectFolder } from '../config.ts'
import { startEmbeddedPostgres } from '../foundation/postgres.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { type Certificate, makeCertificate } from './receiver.ts'
import { clearResults } from './results.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the maintenance database; each `TestApp` clones the template database on the same server. */
    postgresUrl: string
    /** Key and certificate of the webhook receivers, trusted by all test processes. */
    receiver: Certificate
    /**
     * The URL that the test applications connect to instead, if TEST_PGBOUNCER is `transaction` or
     * `session`.
     */
    pooledUrl: string
  }
}

export const templateName = 'template_foyer'

/** Global setup: starts PostgreSQL and creates the migrated template database that every `TestApp` clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Test data needs no durability, so nothing is flushed to disk. Two files with many test applications may be open
  // concurrently.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
  clearResults()
  const configured = process.env['TEST_DATABASE_URL']
  const postgres = configured
    ? { url: configured, release: async () => {} }
    : await startEmbeddedPostgres(join(projectFolder, '.data', 'test'), settings)
  const admin = new Client({ connectionString: postgres.url })
  await admin.connect()
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database where datname like 'test\\_app\\_%' or datname = $1`,
    [templateName],
  )
  for (const { name } of rows) await admin.query(`drop database "${name}" with (force)`)
  await admin.query(`create database ${templateName}`)
  await migrate(withDatabase(postgres.url, templateName), join(projectFolder, 'prisma'))
  await admin.end()
  project.provide('postgresUrl', postgres.url)
  const mode = process.env['TEST_PGBOUNCER']
  const isMode = mode === 'transaction' || mode === 'session'
  const bouncer = isMode ? await startPgBouncer(postgres.url, mode) : undefined
  project.provide('pooledUrl', bouncer?.url('postgres') ?? '')
  const certificate = await makeCertificate()
  const file = join(projectFolder, '.data', 'test-certificate.pem')
  writeFileSync(file, certificate.cert)
  // Read by each test process when it starts.
  process.env['NODE_EXTRA_CA_CERTS'] = file
  project.provide('receiver', certificate)
  return async () => {
    await bouncer?.close()
    await postgres.release()
  }
}

export function withDatabase(url: string, name: string): string {
  return url.replace(/\/[^/?]*(\?.*)?$/, `/${name}$1`)
}

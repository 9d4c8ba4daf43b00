import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { usesTransactionPooling, createPool } from '../server/foundation/pool.ts'

/** The database is incompatible with this version of Foyer. The message states what to do. */
export class MigrationError extends Error {}

/** Arbitrary id of the advisory lock. The process that holds it migrates, all others wait for it. */
const lockId = 20_260_807

/**
 * Migrates a database to the schema of this version: Foyer's tables with prisma/migrations, the job engine's with its
 * own migrations. An advisory lock allows any number of processes to start concurrently. An up-to-date database costs
 * a few short queries.
 */
export async function migrate(url: string, prismaFolder: string): Promise<void> {
  const pool = createPool(url, { connections: 4, onError: () => {}, isWithoutTimeouts: true, name: 'foyer migrations' })
  const clients: PoolClient[] = []
  const connect = async () => {
    const client = await pool.connect()
    // Handles a connection lost between two statements: the next statement fails.
    client.on('error', () => {})
    clients.push(client)
    return client
  }
  try {
    const guard = await connect()
    const client = await connect()
    // Held by a transaction, not by a session: PgBouncer may give each transaction another connection.
    await guard.query('begin')
    await guard.query('select pg_advisory_xact_lock($1)', [lockId])
    const known = readMigrations(prismaFolder)
    const applied = await readApplied(client)
    refuseForeign(applied, known)
    const pending = known.filter(({ name }) => !applied.has(name))
    if (pending.length > 0) await applyMigrations(client, pending)
    if (!(await hasJobTables(client))) await migrateJobs(pool)
    await guard.query('commit')
  } finally {
    // Ends the transaction of the lock in any case.
    for (const one of clients) one.release(true)
    await pool.end()
  }
}

/** Name of the newest migration known to this version. */
export function newestMigration(prismaFolder: string): string | undefined {
  return readMigrations(prismaFolder).at(-1)?.name
}

/**
 * Runs the pending scripts, each in its own transaction together with its row in the migration table: a failed script
 * leaves no changes. The table has Prisma's format, so that Prisma's own tools can read it.
 */
async function applyMigrations(client: PoolClient, pending: readonly Migration[]): Promise<void> {
  await client.query(tableText)
  for (const { name, script } of pending) {
    try {
      await client.query('begin')
      await client.query(script)
      await client.query(insertText, [randomUUID(), checksumOf(script), name])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      const reason = error instanceof Error ? error.message.trim() : String(error)
      throw new MigrationError(`The database could not be brought to the schema of this version (${name}): ${reason}`)
    }
  }
}

const tableText = `
  create table if not exists _prisma_migrations (
    id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
    logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`

const insertText = `
  insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  values ($1, $2, $3, clock_timestamp(), 1)`

/** SHA-256 of a script, used to detect edits. */
function checksumOf(script: string): string {
  return createHash('sha256').update(script).digest('hex')
}

type Migration = { name: string; script: string }

/** The migrations in prisma/migrations, in order. */
export function readMigrations(prismaFolder: string): Migration[] {
  const folder = join(prismaFolder, 'migrations')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, script: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Applied migrations with the SHA-256 of their scripts, as stored in Prisma's table. */
async function readApplied(client: PoolClient): Promise<Map<string, string>> {
  const { rows } = await client
    .query<{ name: string; checksum: string }>(
      `select migration_name as name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null`,
    )
    .catch((error: unknown) => {
      if (error instanceof DatabaseError && error.code === '42P01') return { rows: [] }
      throw error
    })
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** Refuses a database that was migrated by a newer version, or whose applied migrations were edited afterwards. */
function refuseForeign(applied: Map<string, string>, known: Migration[]): void {
  const scripts = new Map(known.map(({ name, script }) => [name, script]))
  for (const [name, checksum] of applied) {
    const script = scripts.get(name)
    if (script === undefined) {
      throw new MigrationError(`The database has the migration ${name}, which this version of Foyer does not know.`)
    }
    if (checksumOf(script) !== checksum) {
      throw new MigrationError(`The migration ${name} was changed after it had been applied to this database.`)
    }
  }
}

async function hasJobTables(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('graphile_worker.migrations') is not null as found`)
  if (!rows[0]?.found) return false
  const { rows: steps } = await client.query('select max(id) as newest from graphile_worker.migrations')
  return Number(steps[0]?.newest ?? 0) >= newestJobMigration
}

/** Number of the last migration in graphile-worker 0.16.6. */
const newestJobMigration = 18

async function migrateJobs(pool: Pool): Promise<void> {
  // Loaded only when there is something to migrate: it takes a tenth of a start.
  const { makeWorkerUtils } = await import('graphile-worker')
  const utils = await makeWorkerUtils({ pgPool: pool, noPreparedStatements: usesTransactionPooling(pool) })
  await utils.migrate()
  await utils.release()
}

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'
import { makeWorkerUtils } from 'graphile-worker'
import { Client, DatabaseError, Pool } from 'pg'

/** The database does not fit this version of Foyer; the message says what to do. */
export class MigrationError extends Error {}

/** Any number of our own: the process that holds this advisory lock migrates, every other waits for it. */
const lockId = 20_260_807

/**
 * Brings a database to the schema of this version: Foyer's tables by Prisma's migrations, the job engine's by its own.
 * Runs under an advisory lock, so that any number of processes may start at once. When nothing is to be done it costs one
 * query; the engine (5 MB of WebAssembly) is only loaded for work.
 */
export async function migrate(url: string, prismaFolder: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'foyer migrations' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockId])
    const known = readMigrations(prismaFolder)
    const applied = await readApplied(client)
    refuseForeign(applied, known)
    if (known.some(({ name }) => !applied.has(name))) await applyMigrations(url, prismaFolder)
    if (!(await hasJobTables(client))) await migrateJobs(url)
  } finally {
    await client.end()
  }
}

/**
 * Writes the next migration: what leads from the schema of the last step, which each step keeps beside its SQL, to
 * schema.prisma. Any PostgreSQL will do for `url`: the engine only
 * wants to know whom it writes for. Undefined when there is no difference.
 */
export async function writeMigration(url: string, prismaFolder: string, name: string): Promise<string | undefined> {
  const schema = readSchema(prismaFolder)
  const last = readMigrations(prismaFolder).at(-1)
  const lastSchema = last && join(prismaFolder, 'migrations', last.name, 'schema.prisma')
  const { stdout: script } = await withEngine(url, prismaFolder, (engine) =>
    engine.diff({
      from: lastSchema
        ? { tag: 'schemaDatamodel', files: [{ path: schema.path, content: readFileSync(lastSchema, 'utf8') }] }
        : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters: everything,
    }),
  )
  if (!script || /^\s*-- This is an empty migration/.test(script)) return undefined
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(prismaFolder, 'migrations', `${stamp}_${name}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'migration.sql'), script)
  await writeFile(join(folder, 'schema.prisma'), schema.content)
  await writeFile(join(prismaFolder, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n')
  return folder
}

/** Name of the last step that this version knows. */
export function newestMigration(prismaFolder: string): string | undefined {
  return readMigrations(prismaFolder).at(-1)?.name
}

const everything = { externalTables: [], externalEnums: [] }

async function applyMigrations(url: string, prismaFolder: string): Promise<void> {
  try {
    const input = { migrationsList: listMigrations(prismaFolder), filters: everything }
    await withEngine(url, prismaFolder, (engine) => engine.applyMigrations(input))
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error)
    throw new MigrationError(`The database could not be brought to the schema of this version: ${reason}`)
  }
}

/** Lends Prisma's schema engine (WebAssembly), which speaks to the database through Prisma's pg adapter. */
async function withEngine<Result>(
  url: string,
  prismaFolder: string,
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const wasmPath = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm')
    .replace(/schema_engine\.js$/, 'schema_engine_bg.wasm')
  const module = new WebAssembly.Module(await readFile(wasmPath))
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  if (typeof instance.exports['__wbindgen_start'] === 'function') instance.exports['__wbindgen_start']()
  const pool = new Pool({ connectionString: url, application_name: 'foyer migrations' })
  pool.on('error', () => {})
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool))
  const { path, content } = readSchema(prismaFolder)
  try {
    const engine = await bindings.SchemaEngine.new({ datamodels: [[path, content]] }, () => {}, adapter)
    return await work(engine)
  } finally {
    await pool.end()
  }
}

type Migration = { name: string; script: string }

function readMigrations(prismaFolder: string): Migration[] {
  const folder = join(prismaFolder, 'migrations')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, script: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Finished migrations of this database with the SHA-256 of their scripts, as Prisma's own table keeps them. */
async function readApplied(client: Client): Promise<Map<string, string>> {
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

/** A database that a newer version has migrated, or whose migrations were edited afterwards, is left alone. */
function refuseForeign(applied: Map<string, string>, known: Migration[]): void {
  const scripts = new Map(known.map(({ name, script }) => [name, script]))
  for (const [name, checksum] of applied) {
    const script = scripts.get(name)
    if (script === undefined) {
      throw new MigrationError(`The database has the migration ${name}, which this version of Foyer does not know.`)
    }
    if (createHash('sha256').update(script).digest('hex') !== checksum) {
      throw new MigrationError(`The migration ${name} was changed after it had been applied to this database.`)
    }
  }
}

async function hasJobTables(client: Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('graphile_worker.migrations') is not null as found`)
  if (!rows[0]?.found) return false
  const { rows: steps } = await client.query('select max(id) as newest from graphile_worker.migrations')
  return Number(steps[0]?.newest ?? 0) >= newestJobMigration
}

/** Number of the last migration in graphile-worker 0.16.6. */
const newestJobMigration = 18

async function migrateJobs(url: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url })
  await utils.migrate()
  await utils.release()
}

function readSchema(prismaFolder: string) {
  const path = join(prismaFolder, 'schema.prisma')
  return { path, content: readFileSync(path, 'utf8') }
}

function listMigrations(prismaFolder: string): MigrationList {
  const baseDir = join(prismaFolder, 'migrations')
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations(prismaFolder).map(({ name, script }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: script } },
    })),
  }
}

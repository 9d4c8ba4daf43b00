import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import { Pool } from 'pg'
import { readMigrations } from '../prisma/migrate.ts'

// Prisma's schema engine as WebAssembly. It uses private bindings, so it is used in development only, to write
// migrations. At run time prisma/migrate.ts applies them.

/**
 * Writes the next migration: the difference between the schema of the last generated one, which is stored next to its
 * SQL, and schema.prisma. `url` may be any PostgreSQL server, because it only determines the SQL dialect. Returns
 * undefined if there is no difference.
 */
export async function writeMigration(url: string, prismaFolder: string, name: string): Promise<string | undefined> {
  const schema = readSchema(prismaFolder)
  // A migration that was written by hand, such as one of a function, has no schema: the one before it still applies.
  const lastSchema = readMigrations(prismaFolder)
    .map((one) => join(prismaFolder, 'migrations', one.name, 'schema.prisma'))
    .findLast((path) => existsSync(path))
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
  // Only the newest one is needed.
  if (lastSchema) await rm(lastSchema)
  await writeFile(join(prismaFolder, 'migrations', 'migration_lock.toml'), 'provider = "postgresql"\n')
  return folder
}

const everything = { externalTables: [], externalEnums: [] }

/** Runs `work` with Prisma's schema engine (WebAssembly), connected through Prisma's pg adapter. */
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

function readSchema(prismaFolder: string) {
  const path = join(prismaFolder, 'schema.prisma')
  return { path, content: readFileSync(path, 'utf8') }
}

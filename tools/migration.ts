import { join } from 'node:path'
import { projectFolder } from '../server/config.ts'
import { startEmbeddedPostgres } from '../server/foundation/postgres.ts'
import { writeMigration } from './schema-engine.ts'

// `npm run migration -- add_something` writes the next migration to prisma/migrations, using the embedded PostgreSQL.
const name = process.argv[2]
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Give the migration a lower-case name: npm run migration -- add_something')
  process.exit(2)
}
const postgres = await startEmbeddedPostgres(join(projectFolder, '.data', 'migration'), { fsync: 'off' })
try {
  const folder = await writeMigration(postgres.url, join(projectFolder, 'prisma'), name)
  console.log(folder ? `Wrote ${folder}` : 'No difference: the migrations already match schema.prisma.')
} finally {
  await postgres.release()
}
process.exit(0)

import cluster from 'node:cluster'
import { MigrationError } from '../prisma/migrate.ts'
import { ConfigError } from './config.ts'
import { PostgresError } from './foundation/postgres-error.ts'
import { tuneGarbageCollection } from './process/memory.ts'
import { logFailure, logWarnings } from './process/output.ts'
import { VersionMismatchError, StartError } from './process/start-error.ts'
import { supervise, runWorker } from './process/supervisor.ts'

/** Errors whose message is sufficient for the operator, without a stack trace. */
const expected = [StartError, ConfigError, PostgresError, MigrationError]

logWarnings()
tuneGarbageCollection()
await (cluster.isWorker ? runWorker() : supervise()).catch((error: unknown) => {
  const isExpected = error instanceof Error && expected.some((kind) => error instanceof kind)
  if (isExpected) logFailure(`Foyer cannot start. ${error.message}`)
  else logFailure('Foyer cannot start.', error)
  process.exit(error instanceof VersionMismatchError ? VersionMismatchError.status : 1)
})

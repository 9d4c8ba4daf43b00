import { join } from 'node:path'
import { newestMigration } from '../../prisma/migrate.ts'
import { createApp } from '../app.ts'
import { startJobs } from '../background-jobs.ts'
import { type Config, projectFolder } from '../config.ts'
import { createDependencies } from '../dependencies.ts'
import { readBuildInfo } from '../foundation/build-info.ts'
import { createLog } from '../foundation/log.ts'
import type { Metrics } from '../foundation/metrics.ts'
import { readQueues } from '../maintenance/queues.ts'
import { listen } from './listen.ts'
import { drain, type Draining, type ShutdownReason, endServer } from './shutdown.ts'

export type Stop = (reason: ShutdownReason) => Promise<void>

/** Runs one process: the application, its jobs and its sockets. Returns its metrics, and a function that stops it. */
export async function serve(
  config: Config,
  databaseUrl: string,
  secret: string,
): Promise<{ stop: Stop; metrics: Metrics | undefined }> {
  const log = createLog(config.logLevel)
  for (const warning of config.warnings) log.warn({ warning }, 'incomplete settings')
  const { app, close } = createDependencies(config, databaseUrl, { secret, log })
  app.metrics?.observeQueues(() => readQueues(app))

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  const clientFolder = join(projectFolder, 'dist', 'client')
  const draining: Draining = { isOn: false }
  const built = {
    clientFolder,
    newestMigration: newestMigration(join(projectFolder, 'prisma')),
    build: readBuildInfo(projectFolder),
    isDraining: () => draining.isOn,
  }
  const servers = await listen(createApp(app, built), config)
  const jobs = startJobs(app, config.directDatabaseUrl ?? databaseUrl)
  return {
    metrics: app.metrics,
    async stop(reason) {
      await drain(draining, servers, reason)
      await Promise.all([...servers.map(endServer), jobs.stop()])
      await close()
    },
  }
}

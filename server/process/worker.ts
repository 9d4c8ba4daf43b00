import { newestMigration } from '../../prisma/migrate.ts'
import { createApp } from '../app.ts'
import { type Config, projectFolder } from '../config.ts'
import { openDependencies } from '../dependencies.ts'
import { openLog } from '../foundation/log.ts'
import { join } from 'node:path'
import { startJobs } from '../jobs.ts'
import { listen } from './listen.ts'
import { endServer } from './shutdown.ts'

/** Runs one process: the application, its jobs and its sockets. Returns a function that stops them. */
export async function serve(config: Config, databaseUrl: string, secret: string): Promise<() => Promise<void>> {
  const log = openLog(config.logLevel)
  for (const warning of config.warnings) log.warn({ warning }, 'half configured')
  const { app, close } = openDependencies(config, databaseUrl, { secret, log })

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  const clientFolder = join(projectFolder, 'dist', 'client')
  const built = { clientFolder, newestMigration: newestMigration(join(projectFolder, 'prisma')) }
  // The first port accepts requests before all are open. A signal received meanwhile is queued until `stopOn` listens.
  const early: NodeJS.Signals[] = []
  const keep = (signal: NodeJS.Signals) => void early.push(signal)
  process.on('SIGTERM', keep)
  const servers = await listen(createApp(app, built), config)
  const jobs = startJobs(app, config.directDatabaseUrl ?? databaseUrl)
  setImmediate(() => {
    process.off('SIGTERM', keep)
    for (const signal of early) process.kill(process.pid, signal)
  })
  return async () => {
    await Promise.all([...servers.map(endServer), jobs.stop()])
    await close()
  }
}

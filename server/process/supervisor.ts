import cluster from 'node:cluster'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MigrationError, migrate } from '../../prisma/migrate.ts'
import { runAdminCommand } from '../admin/command.ts'
import { runClientCommand } from '../oauth/command.ts'
import { type Config, inheritedEnv, projectFolder, readConfig, readInherited } from '../config.ts'
import { openDependencies } from '../dependencies.ts'
import { openLog } from '../foundation/log.ts'
import { openEmbeddedPostgres } from '../foundation/postgres.ts'
import { runExportCommand, runImportCommand } from '../transfer/command.ts'
import { loadOrCreateSecret } from './secret.ts'
import { stopOn, stopOnce } from './shutdown.ts'
import { StartError } from './start-error.ts'
import { serve } from './worker.ts'

/** The primary process: opens the database, runs migrations, loads the secret, then starts one or more servers. */
export async function supervise(): Promise<void> {
  const config = readConfig()
  const dataFolder = resolve(projectFolder, config.dataFolder)
  const postgres = config.databaseUrl ? undefined : await openEmbeddedPostgres(join(dataFolder, 'postgres'))
  const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
  try {
    const secret = config.authSecrets?.join(',') ?? (await loadOrCreateSecret(dataFolder))
    await migrate(config.directDatabaseUrl ?? databaseUrl, join(projectFolder, 'prisma')).catch(explainDatabase)
    const command = commands.get(process.argv[2] ?? '')
    if (command) {
      const status = await runCommand(command, config, { databaseUrl, secret })
      await postgres?.release()
      process.exit(status)
    }
    const stop =
      config.webConcurrency === 1
        ? await serve(config, databaseUrl, secret)
        : await serveInProcesses(config.webConcurrency, databaseUrl, secret)
    announce(config)
    stopOn(async () => {
      await stop()
      await postgres?.release()
    })
  } catch (error) {
    await postgres?.release()
    throw error
  }
}

/** A worker process, started by the primary. */
export async function work(): Promise<void> {
  const config = readConfig()
  const { databaseUrl, secret } = readInherited()
  // A terminal or service manager signals every process. Only the primary reacts, and notifies the workers.
  process.on('SIGTERM', () => {})
  process.on('SIGINT', () => {})
  const stopRequested = new Promise<void>((done) =>
    process.once('message', () => done()).once('disconnect', () => done()),
  )
  const stop = await serve(config, databaseUrl, secret)
  void stopRequested.then(stopOnce(stop))
}

/** Commands on the database, by the name of their npm script. */
const commands = new Map([
  ['admin', runAdminCommand],
  ['client', runClientCommand],
  ['import', runImportCommand],
  ['export', runExportCommand],
])

/** Runs one command on the database without a server. Returns the exit status. */
async function runCommand(
  run: typeof runAdminCommand,
  config: Config,
  { databaseUrl, secret }: { databaseUrl: string; secret: string },
): Promise<number> {
  const { app, close } = openDependencies(config, databaseUrl, { secret, log: openLog('silent') })
  const { lines, status } = await run(app, process.argv.slice(3))
  for (const line of lines) console.log(line)
  await close()
  return status
}

/** Runs several worker processes that share only PostgreSQL. A worker that exits by itself is replaced. */
async function serveInProcesses(count: number, databaseUrl: string, secret: string): Promise<() => Promise<void>> {
  const environment = inheritedEnv({ databaseUrl, secret })
  let isStopping = false
  const listening = new Set<number>()
  cluster.on('listening', (worker) => void listening.add(worker.id))
  const ready = Array.from({ length: count }, () => cluster.fork(environment)).map(
    (worker) =>
      new Promise<void>((done, fail) => {
        worker.once('listening', () => done())
        worker.once('exit', () => fail(new StartError('One of its processes ended at once; its reason stands above.')))
      }),
  )
  await Promise.all(ready)
  cluster.on('exit', (worker) => {
    if (worker.exitedAfterDisconnect) return
    void wait(1_000).then(() => !isStopping && cluster.fork(environment))
  })
  return async () => {
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const ended = workers.map((worker) => new Promise((done) => worker.once('exit', done)))
    // A worker that is not listening yet would miss the message, and has accepted no requests.
    for (const worker of workers) {
      if (listening.has(worker.id)) worker.send('stop')
      else worker.process.kill('SIGKILL')
    }
    await Promise.all(ended)
  }
}

function announce(config: Config): void {
  console.log(`Foyer is open at ${config.appOrigin}`)
  if (!config.smtpUrl && config.hasDevelopmentPages) console.log(`Its mails are shown at ${config.appOrigin}/dev/mail`)
}

function explainDatabase(error: unknown): never {
  if (error instanceof MigrationError) throw error
  const reason = error instanceof Error ? error.message || error.name : String(error)
  throw new StartError(`The database at DATABASE_URL does not answer: ${reason}`)
}

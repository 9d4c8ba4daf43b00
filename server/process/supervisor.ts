import cluster, { type Worker } from 'node:cluster'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { migrate, MigrationError } from '../../prisma/migrate.ts'
import { runAdminCommand } from '../admin/command.ts'
import { type Config, type Inherited, inheritedEnv, projectFolder, readConfig, readInherited } from '../config.ts'
import { createDependencies } from '../dependencies.ts'
import { createLog } from '../foundation/log.ts'
import { startEmbeddedPostgres } from '../foundation/postgres.ts'
import { runClientCommand } from '../oauth/command.ts'
import { runExportCommand, runImportCommand } from '../transfer/command.ts'
import { identifyBuild } from './build-identity.ts'
import { allocatorSettings } from './memory.ts'
import { serveMetrics } from './metrics-server.ts'
import { logFailure, printEvent } from './output.ts'
import { loadOrCreateSecret } from './secret.ts'
import { type ShutdownReason, holdSignals, maxDrainSeconds, stopOn, stopOnce, type StopRequest } from './shutdown.ts'
import { VersionMismatchError, StartError } from './start-error.ts'
import { respondWithMetrics, collectMetrics } from './worker-metrics.ts'
import { serve } from './worker.ts'

/** The primary process: opens the database, runs migrations, loads the secret, then starts one or more servers. */
export async function supervise(): Promise<void> {
  const config = readConfig()
  // The first port accepts requests before all are open. Signals are handled once everything can be stopped.
  const release = holdSignals()
  const dataFolder = resolve(projectFolder, config.dataFolder)
  // Before the database is migrated: files that are replaced meanwhile have other migrations.
  const build = identifyBuild(projectFolder)
  if (process.argv[2] === 'admin' && !config.databaseUrl && !existsSync(join(dataFolder, 'postgres')))
    throw new StartError(`There are no users yet: DATABASE_URL is not set, and ${dataFolder} contains no database.`)
  const postgres = config.databaseUrl ? undefined : await startEmbeddedPostgres(join(dataFolder, 'postgres'))
  const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
  try {
    const secret = config.authSecrets?.join(',') ?? (await loadOrCreateSecret(dataFolder))
    await migrate(config.directDatabaseUrl ?? databaseUrl, join(projectFolder, 'prisma')).catch(explainDatabase)
    const command = commands.get(process.argv[2] ?? '')
    if (command) {
      release()
      const status = await runCommand(command, config, { databaseUrl, secret })
      await postgres?.release()
      process.exit(status)
    }
    const { drainSeconds, webConcurrency } = config
    const endWithoutWorkers = async () => {
      await postgres?.release()
      process.exit(1)
    }
    const { end, onHangup } =
      webConcurrency === 1
        ? await serveInThisProcess(config, databaseUrl, secret)
        : await serveInProcesses(config, { databaseUrl, secret, build }, () => void endWithoutWorkers())
    announce(config)
    const stop = async () => {
      await end()
      await postgres?.release()
    }
    // In a terminal, SIGHUP means that the terminal was closed.
    stopOn(stop, { drainSeconds, onHangup: process.stdin.isTTY ? undefined : onHangup })
    release()
  } catch (error) {
    await postgres?.release()
    throw error
  }
}

/** How to stop the running servers, and the action on SIGHUP, if it does not stop them. */
type Running = { end: () => Promise<void>; onHangup?: () => void }

/** Runs everything in one process. */
async function serveInThisProcess(config: Config, databaseUrl: string, secret: string): Promise<Running> {
  const { stop, metrics } = await serve(config, databaseUrl, secret)
  const { metricsPort, drainSeconds } = config
  const server = metricsPort && metrics && (await serveMetrics(metricsPort, () => metrics.registry.metrics()))
  return {
    async end() {
      await stop({ drainSeconds })
      if (server) server.close()
    },
  }
}

/** A worker process, started by the primary. */
export async function runWorker(): Promise<void> {
  const config = readConfig()
  const { databaseUrl, secret, build } = readInherited()
  // The primary process migrates the database, which has not happened for the files that have taken its place.
  if (build !== identifyBuild(projectFolder))
    throw new VersionMismatchError('A different version was installed over the running one. Restart Foyer.')
  // A terminal or service manager signals every process. Only the primary reacts, and notifies the workers.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
  const { drainSeconds } = config
  const stopped = new Promise<StopRequest>((done) => {
    process.on('message', (message) => {
      if (message === 'stop') done({ drainSeconds })
    })
    process.once('disconnect', () => done({ drainSeconds }))
  })
  const replaced = new Promise<ShutdownReason>((done) => {
    process.on('message', (message) => {
      if (message === 'retire') done({ stopped })
    })
  })
  const { stop, metrics } = await serve(config, databaseUrl, secret)
  const sendLastMetrics = metrics && respondWithMetrics(metrics.registry)
  const end = async (reason: ShutdownReason) => {
    await stop(reason)
    await sendLastMetrics?.()
  }
  void Promise.race([stopped, replaced]).then((reason) =>
    stopOnce(() => end(reason), maxDrainSeconds(reason, drainSeconds))(),
  )
}

/** Commands that work on the database, by the name of their npm script. */
const commands = new Map([
  ['admin', runAdminCommand],
  ['client', runClientCommand],
  ['import', runImportCommand],
  ['export', runExportCommand],
])

/** Runs one command on the database without starting a server. Returns the exit status. */
async function runCommand(
  run: typeof runAdminCommand,
  config: Config,
  { databaseUrl, secret }: { databaseUrl: string; secret: string },
): Promise<number> {
  const { app, close } = createDependencies(config, databaseUrl, { secret, log: createLog('silent') })
  const { lines, status } = await run(app, process.argv.slice(3))
  for (const line of lines) console.log(line)
  await close()
  return status
}

/** How long the installation may have no worker, because none can be created, before it ends. */
const maxMsWithoutWorkers = 60_000

/**
 * Runs several worker processes that share only PostgreSQL. A worker that exits by itself is replaced. SIGHUP replaces
 * all of them, one after another: the port stays open, and no request is lost.
 */
async function serveInProcesses(
  config: Config,
  { databaseUrl, secret, build }: Inherited,
  onAllWorkersLost: () => void,
): Promise<Running> {
  const environment = { ...inheritedEnv({ databaseUrl, secret, build }), ...allocatorSettings }
  let isStopping = false
  const listening = new Set<number>()
  /** Since when there has been no worker, in milliseconds of this process. */
  let noWorkersSince: number | undefined
  cluster.on('listening', (worker) => {
    listening.add(worker.id)
    noWorkersSince = undefined
  })
  const startOne = () =>
    new Promise<Worker>((done, fail) => {
      const worker = cluster.fork(environment)
      // A process that cannot be created, as without free file descriptors, reports only an error. A message to a
      // worker that has just ended reports one too, which means nothing here.
      worker.on('error', fail)
      worker.once('listening', () => done(worker))
      worker.once('exit', () => fail(new StartError('A worker process ended during startup; see the error above.')))
    })
  await Promise.all(Array.from({ length: config.webConcurrency }, startOne))
  const giveUp = () => {
    if (isStopping) return
    isStopping = true
    onAllWorkersLost()
  }
  const isMissing = () => !isStopping && liveWorkers().length < config.webConcurrency
  /** Replaces one worker, unless another call already has. Tries until it starts. */
  const replaceMissing = async () => {
    await wait(1_000)
    if (!isMissing()) return
    await startOne().catch((error: unknown) => {
      // One that ended during startup is handled by its exit.
      if (error instanceof StartError) return
      logFailure('worker not replaced', error)
      // The limit may be one of this process alone. A new one, started by the service manager, does not have it.
      if (noWorkersSince !== undefined && performance.now() - noWorkersSince > maxMsWithoutWorkers) giveUp()
      else void replaceMissing()
    })
  }
  cluster.on('exit', (_worker, status) => {
    // Another attempt would end the same way. Without workers, the service manager restarts the installation.
    if (liveWorkers().length === 0) noWorkersSince ??= performance.now()
    if (status !== VersionMismatchError.status) void replaceMissing()
    else if (liveWorkers().length === 0) giveUp()
  })
  // Those that have ended while the others were starting.
  for (let count = liveWorkers().length; count < config.webConcurrency; count++) void replaceMissing()
  process.on('uncaughtException', (error) => {
    logFailure('uncaught exception', error)
    process.exit(1)
  })
  let replacing = Promise.resolve()
  const replaceAll = async () => {
    for (const former of liveWorkers()) {
      const ended = new Promise((done) => former.once('exit', done))
      if (isStopping) return
      if (former.isDead()) continue
      await startOne()
      if (former.isConnected()) former.send('retire')
      if (!former.isDead()) await ended
    }
    // Those that could not be replaced earlier.
    while (isMissing()) await startOne()
  }
  const server = config.metricsPort && (await serveMetrics(config.metricsPort, collectMetrics()))
  return {
    onHangup() {
      replacing = replacing.then(replaceAll).catch((error: unknown) => logFailure('worker not replaced', error))
    },
    async end() {
      isStopping = true
      const workers = liveWorkers()
      const ended = workers.map((worker) => new Promise((done) => worker.once('exit', done)))
      // A worker that is not listening yet would miss the message, and has accepted no requests.
      for (const worker of workers) {
        if (listening.has(worker.id)) worker.send('stop')
        else worker.process.kill('SIGKILL')
      }
      await Promise.all(ended)
      if (server) server.close()
    },
  }
}

/** The workers whose process exists. One that could not be created stays in the list of `cluster`. */
function liveWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker?.isDead() === false)
}

function announce(config: Config): void {
  printEvent(`Foyer is ready at ${config.appOrigin}`)
  if (!config.smtpUrl && config.hasDevelopmentPages) printEvent(`Emails are shown at ${config.appOrigin}/dev/mail`)
}

function explainDatabase(error: unknown): never {
  if (error instanceof MigrationError) throw error
  const reason = error instanceof Error ? error.message || error.name : String(error)
  throw new StartError(`The database at DATABASE_URL does not answer: ${reason}`)
}

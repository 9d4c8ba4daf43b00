import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { migrate, MigrationError, newestMigration } from '../prisma/migrate.ts'
import { runAdminCommand } from './admin/command.ts'
import { bornFor, createApp } from './app.ts'
import { type Config, ConfigError, projectFolder, readConfig } from './config.ts'
import type { App } from './context.ts'
import { openHasher } from './foundation/argon2.ts'
import { deriveKeys, newSecret } from './foundation/crypto.ts'
import { openDatabase } from './foundation/db.ts'
import { openLimiter } from './foundation/limits.ts'
import { openLog, type Log } from './foundation/log.ts'
import { openOutbox } from './mail/outbox.ts'
import { openEmbeddedPostgres, PostgresError } from './foundation/postgres.ts'
import { startJobs } from './jobs.ts'

/** A graceful stop takes at most this long (REL-07). */
const stopMs = 10_000

/** The start cannot go on; the message is the one sentence that the operator reads. */
class StartError extends Error {}

/** A slow sender is cut off (SEC-88); idle connections outlive those of a proxy in front, whose default is 60 s. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 }

/** Settings that the first process hands to the others: the database it opened and the secret it keeps. */
const handedDown = { databaseUrl: 'FOYER_DATABASE_URL', secret: 'FOYER_SECRET' }

await start().catch((error: unknown) => {
  const isExpected = [StartError, ConfigError, PostgresError, MigrationError].some((kind) => error instanceof kind)
  if (isExpected && error instanceof Error) console.error(`Foyer cannot start. ${error.message}`)
  else console.error('Foyer cannot start.', error)
  process.exit(1)
})

async function start(): Promise<void> {
  const environment = process.env
  const config = readConfig(environment)
  if (cluster.isWorker) {
    const databaseUrl = environment[handedDown.databaseUrl] ?? ''
    const stop = await serve(config, databaseUrl, environment[handedDown.secret] ?? '')
    // A terminal or service manager signals every process: the first one alone decides, and tells the others.
    process.on('SIGTERM', () => {})
    process.on('SIGINT', () => {})
    const end = stopOnce(stop)
    process.on('message', end)
    process.on('disconnect', end)
    return
  }

  const dataFolder = resolve(projectFolder, config.dataFolder)
  const postgres = config.databaseUrl ? undefined : await openEmbeddedPostgres(join(dataFolder, 'postgres'))
  const databaseUrl = config.databaseUrl ?? postgres?.url ?? ''
  try {
    const secret = config.authSecrets?.join(',') ?? (await keptSecret(dataFolder))
    await migrate(databaseUrl, join(projectFolder, 'prisma')).catch(explainDatabase)
    if (process.argv[2] === 'admin') {
      const status = await administer(config, databaseUrl, secret)
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

/** `npm run admin`: one command on the database, and no server. Answers the status to exit with. */
async function administer(config: Config, databaseUrl: string, secret: string): Promise<number> {
  const { app, close } = assemble(config, databaseUrl, { secret, log: openLog('silent') })
  const { lines, status } = await runAdminCommand(app, process.argv.slice(3))
  for (const line of lines) console.log(line)
  await close()
  return status
}

/** What the whole application is made of, and how to end it. */
function assemble(config: Config, databaseUrl: string, { secret, log }: { secret: string; log: Log }) {
  const [current = '', ...former] = secret.split(',')
  const keys = deriveKeys([current, ...former])
  const { pool, prisma, close } = openDatabase(databaseUrl, {
    onError: (error) => log.warn({ message: error.message }, 'database connection lost'),
  })
  const limiter = openLimiter(pool, config.hasRateLimit)
  const { smtpUrl, mailFrom: from } = config
  const outbox = openOutbox({ storageKeys: keys.storage, smtpUrl, from, limiter })
  const hasher = openHasher({ concurrency: Math.max(1, Math.ceil(availableParallelism() / config.webConcurrency)) })
  const app: App = { config, keys, db: prisma, pool, log, hasher, limiter, outbox, clock: () => new Date() }
  return {
    app,
    async close() {
      outbox.close()
      await close()
    },
  }
}

/** One process: the application, its jobs and its sockets. Answers how to end them. */
async function serve(config: Config, databaseUrl: string, secret: string): Promise<() => Promise<void>> {
  const log = openLog(config.logLevel)
  for (const warning of config.warnings) log.warn({ warning }, 'half configured')
  const { app, close } = assemble(config, databaseUrl, { secret, log })

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  const clientFolder = join(projectFolder, 'dist', 'client')
  const built = { clientFolder, newestMigration: newestMigration(join(projectFolder, 'prisma')) }
  // The first port answers before the last one is open: a signal of that moment is kept until `stopOn` hears it.
  const early: NodeJS.Signals[] = []
  const keep = (signal: NodeJS.Signals) => void early.push(signal)
  process.on('SIGTERM', keep)
  const servers = await listen(createApp(app, built), config)
  const jobs = startJobs(app, databaseUrl)
  setImmediate(() => {
    process.off('SIGTERM', keep)
    for (const signal of early) process.kill(process.pid, signal)
  })
  return async () => {
    await Promise.all([...servers.map(endServer), jobs.stop()])
    await close()
  }
}

/** Several processes that share nothing but PostgreSQL; one that ends by itself is replaced. */
async function serveInProcesses(count: number, databaseUrl: string, secret: string): Promise<() => Promise<void>> {
  const environment = { [handedDown.databaseUrl]: databaseUrl, [handedDown.secret]: secret }
  let isStopping = false
  const ready = Array.from({ length: count }, () => cluster.fork(environment)).map(
    (worker) =>
      new Promise<void>((done, fail) => {
        worker.once('listening', () => done())
        worker.once('exit', () => fail(new StartError('One of its processes ended at once; its reason stands above.')))
      }),
  )
  await Promise.all(ready)
  cluster.on('exit', (worker) => {
    if (!isStopping && !worker.exitedAfterDisconnect) void wait(1_000).then(() => cluster.fork(environment))
  })
  return async () => {
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const ended = workers.map((worker) => new Promise((done) => worker.once('exit', done)))
    for (const worker of workers) worker.send('stop')
    await Promise.all(ended)
  }
}

/** Listens on HOST, or on both loopback addresses, or in production on every address. */
async function listen(host: ReturnType<typeof createApp>, config: Config): Promise<Server[]> {
  const hosts = config.host ? [config.host] : config.isProduction ? [undefined] : ['127.0.0.1', '::1']
  const born = bornFor(host)
  const servers: Server[] = []
  for (const address of hosts) {
    const server = createServer({ ...timeouts, ...born }, host)
    try {
      await new Promise<void>((done, fail) => server.once('error', fail).listen(config.port, address, () => done()))
      servers.push(server)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      // A machine without IPv6 has no ::1.
      if (address === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
      if (code === 'EADDRINUSE') throw new StartError(`Port ${config.port} is in use: end what uses it, or set PORT.`)
      if (code === 'EACCES') throw new StartError(`Port ${config.port} needs more rights: set PORT to 1024 or higher.`)
      if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        throw new StartError(`HOST ${address} is no address of this machine.`)
      throw error
    }
  }
  return servers
}

/** What is on its way when a stop begins is let in for so long; then no new connection is. */
const lastCallMs = 250

/** Running requests are answered, and each answer says that its connection ends; idle connections end, then the server. */
async function endServer(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  await wait(lastCallMs)
  await new Promise<void>((done) => {
    const closing = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearInterval(closing)
      done()
    })
  })
}

function stopOn(stop: () => Promise<void>): void {
  const end = stopOnce(stop)
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Ends the process gracefully; a second wish more than a second later, or the limit, ends it at once. */
function stopOnce(stop: () => Promise<void>): () => void {
  let since: number | undefined
  return () => {
    if (since !== undefined) {
      // One key press reaches npm and us: the same wish twice is one.
      if (performance.now() - since > 1_000) process.exit(1)
      return
    }
    since = performance.now()
    setTimeout(() => process.exit(1), stopMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
}

function announce(config: Config): void {
  console.log(`Foyer is open at ${config.appOrigin}`)
  if (!config.smtpUrl && config.hasDevelopmentPages) console.log(`Its mails are shown at ${config.appOrigin}/dev/mail`)
}

/** The server's secret, made once and kept in the data folder: whole or not at all, also when two start at once. */
async function keptSecret(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: 0o711 })
  const file = join(dataFolder, 'secret')
  const mine = `${file}.${process.pid}`
  await writeFile(mine, newSecret(), { mode: 0o600 })
  await link(mine, file).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
  await rm(mine, { force: true })
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) throw new StartError(`The secret in ${file} is damaged: restore it, or set AUTH_SECRET.`)
  return secret
}

function explainDatabase(error: unknown): never {
  if (error instanceof MigrationError) throw error
  const reason = error instanceof Error ? error.message || error.name : String(error)
  throw new StartError(`The database at DATABASE_URL does not answer: ${reason}`)
}

import './load-env.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, createServer } from 'vite'
import { projectFolder, readConfig } from '../server/config.ts'
import { startEmbeddedPostgres } from '../server/foundation/postgres.ts'
import { freePorts } from '../server/testing/ports.ts'

// `npm run dev`: Vite serves the client with hot reload and proxies to the server. When one of the server's sources
// changes, Vite bundles it again and it is restarted: 1 to 2.5 seconds on two cores, and twice as long if Node compiled
// each file. Vite and PostgreSQL keep running, which is why the server is a process of its own.

const config = readConfig()
const postgres = config.databaseUrl
  ? undefined
  : await startEmbeddedPostgres(resolve(projectFolder, config.dataFolder, 'postgres'))
const [port] = await freePorts(1)
const target = `http://127.0.0.1:${port}`
const configFile = join(projectFolder, 'vite.config.ts')
/** One level below the project, like `server` and `dist`. */
const bundleFolder = join(projectFolder, 'dist-dev')

/** Copied before Vite sets NODE_ENV for itself. */
const env = {
  ...process.env,
  PORT: String(port),
  HOST: '127.0.0.1',
  APP_URL: config.appOrigin,
  DATABASE_URL: config.databaseUrl ?? postgres?.url ?? '',
}

function startServer(): ChildProcess {
  return spawn(process.execPath, ['--enable-source-maps', join(bundleFolder, 'server.js')], { env, stdio: 'inherit' })
}

let server: ChildProcess | undefined
let restarting = Promise.resolve()

/** Replaces the running server. It is killed at once: no acknowledged work depends on a graceful shutdown. */
function restart(): void {
  restarting = restarting.then(() => stop('SIGKILL')).then(() => void (server = startServer()))
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  // A server that could not start, because of a mistake in a source file, has already exited.
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

const bundling = await build({
  configFile,
  mode: 'development',
  logLevel: 'warn',
  build: { ssr: '../server/main.ts', outDir: bundleFolder, emptyOutDir: false, sourcemap: true, watch: {} },
})
if (!('close' in bundling)) throw new Error('Vite does not watch the sources of the server')
// After a mistake, which Vite reports, the former server goes on until it is corrected.
bundling.on('event', ({ code }) => {
  if (code === 'BUNDLE_END') restart()
})
// Migrations run when the server starts.
watch(join(projectFolder, 'prisma', 'migrations'), { recursive: true }, restart)

/**
 * Everything that the server answers, except pages and scripts. Vite serves the sources of client/oauth below /oauth,
 * too.
 */
const served = ['/api', config.basePath, '/oauth', '/.well-known', '/.foyer', '/dev/mail', '/site.webmanifest']
const escaped = served.map((path) => path.replaceAll('.', String.raw`\.`)).join('|')
const proxied = String.raw`^(?:${escaped})(?:[/?](?!.*\.(?:tsx?|css)(?:\?|$))|$)`
const proxy = { target, changeOrigin: false, xfwd: false }
const vite = await createServer({
  configFile,
  server: { port: config.port, strictPort: true, proxy: { [proxied]: proxy } },
})
await vite.listen()
console.log(`Foyer in development: ${config.appOrigin}`)

const end = async () => {
  // First the server: npm gives this process only a moment.
  await restarting
  await stop('SIGKILL')
  await bundling.close()
  await vite.close()
  await postgres?.release()
  process.exit(0)
}
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())

import './load-env.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join, resolve } from 'node:path'
import { createServer } from 'vite'
import { projectFolder, readConfig } from '../server/config.ts'
import { openEmbeddedPostgres } from '../server/foundation/postgres.ts'
import { freePorts } from '../server/testing/ports.ts'

// `npm run dev`: Vite serves the client with hot reload and proxies to the server, which is restarted when one of its sources
// changes. PostgreSQL keeps running, so a restart takes about a second.

const config = readConfig()
const postgres = config.databaseUrl
  ? undefined
  : await openEmbeddedPostgres(resolve(projectFolder, config.dataFolder, 'postgres'))
const [port] = await freePorts(1)
const target = `http://127.0.0.1:${port}`

function startServer(): ChildProcess {
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_URL: config.appOrigin,
    DATABASE_URL: config.databaseUrl ?? postgres?.url ?? '',
  }
  return spawn(process.execPath, ['--import', 'tsx', join(projectFolder, 'server', 'main.ts')], {
    env,
    stdio: 'inherit',
  })
}

let server = startServer()
let restarting: NodeJS.Timeout | undefined

/** Debounced, because editors save a file in several writes. */
function restartSoon(): void {
  clearTimeout(restarting)
  restarting = setTimeout(() => void restart(), 100)
}

async function restart(): Promise<void> {
  const former = server
  // A server that could not start, because of a mistake in a source file, has already exited.
  const ended = hasExited(former) ? undefined : once(former, 'exit')
  // Killed immediately: no acknowledged work depends on a graceful shutdown.
  former.kill('SIGKILL')
  await ended
  if (server === former) server = startServer()
}

const hasExited = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

for (const folder of ['server', 'shared', 'prisma']) {
  watch(join(projectFolder, folder), { recursive: true }, (_event, name) => {
    if (name && !name.endsWith('.test.ts') && !name.startsWith('client')) restartSoon()
  })
}

/** Everything that the server answers, except pages and scripts. Vite serves the sources of client/oauth below /oauth, too. */
const served = ['/api', config.basePath, '/oauth', '/.well-known', '/.foyer', '/dev/mail', '/site.webmanifest']
const escaped = served.map((path) => path.replaceAll('.', String.raw`\.`)).join('|')
const proxied = String.raw`^(?:${escaped})(?:[/?](?!.*\.(?:tsx?|css)(?:\?|$))|$)`
const proxy = { target, changeOrigin: false, xfwd: false }
const vite = await createServer({
  configFile: join(projectFolder, 'vite.config.ts'),
  server: { port: config.port, strictPort: true, proxy: { [proxied]: proxy } },
})
await vite.listen()
console.log(`Foyer in development: ${config.appOrigin}`)

async function end(): Promise<void> {
  clearTimeout(restarting)
  const ended = hasExited(server) ? undefined : once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  await vite.close()
  await postgres?.release()
  process.exit(0)
}
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())

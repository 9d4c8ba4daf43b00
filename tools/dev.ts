import { spawn, type ChildProcess } from 'node:child_process'
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
  restarting = setTimeout(() => {
    server.once('exit', () => (server = startServer()))
    // Killed immediately: no acknowledged work depends on a graceful shutdown.
    server.kill('SIGKILL')
  }, 100)
}

for (const folder of ['server', 'shared', 'prisma']) {
  watch(join(projectFolder, folder), { recursive: true }, (_event, name) => {
    if (name && !name.endsWith('.test.ts') && !name.startsWith('client')) restartSoon()
  })
}

const proxy = { target, changeOrigin: false, xfwd: false }
const vite = await createServer({
  configFile: join(projectFolder, 'vite.config.ts'),
  server: { port: config.port, strictPort: true, proxy: { '/api': proxy, '/dev/mail': proxy } },
})
await vite.listen()
console.log(`Foyer in development: ${config.appOrigin}`)

async function end(): Promise<void> {
  server.removeAllListeners('exit')
  server.kill('SIGTERM')
  await new Promise((done) => server.once('exit', done))
  await vite.close()
  await postgres?.release()
  process.exit(0)
}
process.once('SIGINT', () => void end())
process.once('SIGTERM', () => void end())

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from './ports.ts'

/** Whether PgBouncer is installed on this machine. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

/**
 * PgBouncer in front of a server, on its own port, for all of its databases. Without any settings that would help its
 * clients.
 */
export async function startPgBouncer(postgresUrl: string, mode: 'transaction' | 'session' = 'transaction') {
  const { hostname, port: serverPort, username, password } = new URL(postgresUrl)
  const folder = mkdtempSync(join(tmpdir(), 'foyer-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = `host=${hostname} port=${serverPort} user=${username} password=${password}`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
max_client_conn = 2000
default_pool_size = 20
server_idle_timeout = 5
`,
  )
  // PgBouncer does not run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...nobody })
  const url = (database: string, parameters = mode === 'transaction' ? '?pgbouncer=true' : '') =>
    `postgresql://${username}@127.0.0.1:${port}/${database}${parameters}`
  for (let n = 0; n < 200; n++) {
    const client = new Client({ connectionString: url('postgres', '') })
    client.on('error', () => {})
    const isOpen = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isOpen) break
    await wait(50)
  }
  return {
    url,
    async close(): Promise<void> {
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

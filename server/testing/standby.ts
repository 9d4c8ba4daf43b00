import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { freePorts } from './ports.ts'

/**
 * Folder of a PostgreSQL installation that can run a standby, which the embedded one cannot: the newest of Debian's
 * packages.
 */
const installed = '/usr/lib/postgresql'
const version = existsSync(installed) ? readdirSync(installed).toSorted().at(-1) : undefined
const programs = join(installed, version ?? '', 'bin')
export const hasStandby = existsSync(join(programs, 'pg_basebackup'))

/** PostgreSQL does not run as root. */
function owner(): { uid?: number; gid?: number } {
  const found = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return process.getuid?.() === 0 && found ? { uid: Number(found[1]), gid: Number(found[2]) } : {}
}

/** A primary, and a standby that has all data the primary acknowledges. */
export async function startPrimaryAndStandby() {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-standby-'))
  const as = owner()
  const { uid = -1, gid = -1 } = as
  const [port = '', standbyPort = ''] = await freePorts(2)
  chownSync(folder, uid, gid)
  const run = (program: string, args: string[]) => {
    const { status, stderr } = spawnSync(join(programs, program), args, { ...as, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program}: ${stderr}`)
  }
  const running: ChildProcess[] = []
  const serve = (data: string, onPort: string, settings: string[] = []) => {
    const options = ['-k', '', '-h', '127.0.0.1', '-p', onPort, ...settings.flatMap((setting) => ['-c', setting])]
    // A separate process group, so that all of its processes can be killed together.
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
      ...as,
      detached: true,
      stdio: 'ignore',
    })
    running.push(child)
    return child
  }
  const urlOf = (onPort: string) => `postgresql://foyer@127.0.0.1:${onPort}/postgres`
  const primaryData = join(folder, 'primary')
  const standbyData = join(folder, 'standby')
  run('initdb', ['-D', primaryData, '-U', 'foyer', '-A', 'trust', '-N', '--encoding=UTF8', '--locale=C.UTF-8'])
  const primary = serve(primaryData, port, ['synchronous_standby_names=*'])
  await query(urlOf(port), 'set synchronous_commit = local; select 1')
  /** Copies a server into a folder. `-R` makes the copy a standby of it. */
  const copy = (fromPort: string, data: string) => {
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, uid, gid)
    const from = ['-h', '127.0.0.1', '-p', fromPort, '-U', 'foyer']
    run('pg_basebackup', ['-D', data, ...from, '-R', '-X', 'stream', '-c', 'fast'])
  }
  copy(port, standbyData)
  const standby = serve(standbyData, standbyPort)
  await query(urlOf(standbyPort), 'select 1')
  const kill = (child: ChildProcess) => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // The process has ended already.
    }
  }
  return {
    url: urlOf(port),
    standbyUrl: urlOf(standbyPort),
    /** Both servers, the standby first: the order does not matter. */
    bothUrl: `postgresql://foyer@127.0.0.1:${standbyPort},127.0.0.1:${port}/postgres?target_session_attrs=read-write`,
    killPrimary: () => kill(primary),
    killStandby: () => kill(standby),
    promote: () => query(urlOf(standbyPort), 'select pg_promote()'),
    /** Changes a setting, such as `name = 'value'`, for sessions that begin a moment later. */
    async configure(server: 'primary' | 'standby', setting: string) {
      const url = urlOf(server === 'primary' ? port : standbyPort)
      await query(url, `alter system set ${setting}`)
      await query(url, 'select pg_reload_conf()')
    },
    /** Another standby, of the primary or of the standby once that was promoted. Returns its URL. */
    async addStandby(from: 'primary' | 'promoted') {
      const [onPort = ''] = await freePorts(1)
      const data = join(folder, onPort)
      copy(from === 'primary' ? port : standbyPort, data)
      serve(data, onPort)
      await query(urlOf(onPort), 'select 1')
      return urlOf(onPort)
    },
    /** Starts the standby again as a standby, after it was promoted and killed. */
    async restartAsStandby() {
      const signal = join(standbyData, 'standby.signal')
      writeFileSync(signal, '')
      chownSync(signal, uid, gid)
      rmSync(join(standbyData, 'postmaster.pid'), { force: true })
      serve(standbyData, standbyPort)
      await query(urlOf(standbyPort), 'select 1')
    },
    onPrimary: (text: string) => query(urlOf(port), text),
    onStandby: (text: string) => query(urlOf(standbyPort), text),
    close() {
      for (const child of running) kill(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a statement as soon as the server answers. */
async function query(url: string, text: string): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(text)
      return
    } catch (error) {
      const isStarting = error instanceof Error && 'code' in error && /57P03|ECONNREFUSED/.test(String(error.code))
      if (!isStarting) throw error
      await wait(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

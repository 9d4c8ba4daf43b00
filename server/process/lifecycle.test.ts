import { spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '../config.ts'
import { createPool } from '../foundation/pool.ts'
import { startEmbeddedPostgres } from '../foundation/postgres.ts'
import { createBrowser } from '../testing/browser.ts'
import { hasPgBouncer, startPgBouncer } from '../testing/pgbouncer.ts'
import { freePort, freePorts } from '../testing/ports.ts'
import { folder, post, start, until, useProcesses, workersOf } from '../testing/processes.ts'
import { startSmtpServer } from '../testing/smtp.ts'
import { hasStandby, startPrimaryAndStandby } from '../testing/standby.ts'
import { newUserData } from '../testing/test-users.ts'

useProcesses()

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

const health = (port: string) => fetch(`http://127.0.0.1:${port}/api/health`)

/** The head of an answer on a connection of its own, which reaches any of the processes. */
async function headOfHealth(port: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  const head = await new Promise<string>((done, fail) =>
    socket.once('data', (data) => done(String(data))).once('error', fail),
  )
  socket.destroy()
  return head
}

/**
 * Sends calls continuously until it is stopped: reads, and sign-ups, which neither a client nor a proxy may repeat.
 * Returns how many were answered, who has signed up, and the errors.
 */
function underLoad(port: string, clients = 6) {
  const found = {
    isOver: false,
    answered: 0,
    signedUp: [] as ReturnType<typeof newUserData>[],
    failures: [] as string[],
  }
  const send = async (path: string, call: () => Promise<Response>) => {
    const answer = await call().catch((error: unknown) => {
      found.failures.push(`${path}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`)
    })
    await answer?.arrayBuffer()
    if (answer?.status === 200) found.answered++
    else if (answer) found.failures.push(`${path}: ${answer.status}`)
    return answer?.status === 200
  }
  const running = Array.from({ length: clients }, async () => {
    while (!found.isOver) {
      for (const path of ['/ok', '/get-session'])
        await send(path, () => fetch(`http://127.0.0.1:${port}/api/auth${path}`))
      const person = newUserData()
      if (await send('/sign-up/email', () => post(port, '/sign-up/email', person))) found.signedUp.push(person)
    }
  })
  return {
    found,
    async end() {
      found.isOver = true
      await Promise.all(running)
      return found
    },
  }
}

describe('a shutdown', () => {
  it('is announced to load balancers first, while requests are served', async () => {
    const port = await freePort()
    const foyer = start({ PORT: port, EMAIL_VERIFICATION: 'optional', DRAIN_SECONDS: '2', LOG_LEVEL: 'warn' })
    await foyer.ready()
    const { version, commit } = await (await health(port)).json()
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
    expect(commit).toMatch(/^[\da-f]{40}$/)
    foyer.child.kill('SIGTERM')
    await until(async () => (await health(port)).status === 503)
    expect((await (await health(port)).json()).status).toBe('draining')
    expect((await post(port, '/sign-up/email', newUserData())).status).toBe(200)
    expect(await foyer.ended).toBe(0)
    await expect(health(port)).rejects.toThrow('fetch failed')
  })

  it('is not delayed by connections without a request', async () => {
    const port = await freePort()
    const foyer = start({ PORT: port, LOG_LEVEL: 'warn' })
    await foyer.ready()
    const silent = connect(Number(port), '127.0.0.1')
    silent.on('error', () => {})
    await new Promise((done) => silent.once('connect', done))
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
  })

  it('waits for a running startup', async () => {
    const foyer = start({ PORT: await freePort(), LOG_LEVEL: 'warn', WEB_CONCURRENCY: '2' })
    // The server has begun to use the database, but is not accepting requests yet.
    await until(() => existsSync(join(folder, 'postgres', 'users', String(foyer.child.pid))))
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
  })

  it('of a single process also happens on SIGHUP', async () => {
    const port = await freePort()
    const foyer = start({ PORT: port, LOG_LEVEL: 'warn', DRAIN_SECONDS: '1' })
    await foyer.ready()
    const load = underLoad(port)
    await until(() => load.found.answered > 50)
    foyer.child.kill('SIGHUP')
    // While it drains, it answers every request.
    await until(async () => (await health(port)).status === 503)
    expect((await load.end()).failures).toEqual([])
    expect(await foyer.ended).toBe(0)
  })
})

describe('the build folder', () => {
  it('runs with production dependencies only, in less than 150 MB', async () => {
    const built = mkdtempSync(join(tmpdir(), 'build-'))
    const run = async (args: string[], cwd?: string) => {
      const child = spawn('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], ...(cwd !== undefined && { cwd }) })
      expect(await new Promise((done) => child.once('close', done))).toBe(0)
    }
    await run(['run', 'build', '--', built])
    await run(['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], built)
    const bytes = readdirSync(built, { recursive: true, encoding: 'utf8' }).map(
      (file) => lstatSync(join(built, file)).size,
    )
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150e6)
    const port = await freePort()
    const foyer = start({ PORT: port, EMAIL_VERIFICATION: 'optional', LOG_LEVEL: 'warn' }, { cwd: built })
    await foyer.ready()
    expect(await (await health(port)).json()).toMatchObject({ status: 'ok', migrations: 'ok' })
    const person = newUserData()
    expect((await post(port, '/sign-up/email', person)).status).toBe(200)
    const page = await (await fetch(`http://127.0.0.1:${port}/sign-in`)).text()
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).headers.get('content-type')).toContain('javascript')
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)

    // Workers that are replaced later keep the settings that the installation was started with.
    const pair = start({ PORT: port, WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn' }, { cwd: built })
    await pair.ready()
    writeFileSync(join(built, '.env'), 'PRODUCT_NAME=Other\nUSERNAME_MIN=abc\n')
    const former = workersOf(pair)
    pair.child.kill('SIGHUP')
    const isReplaced = (pids: string[]) => () => {
      const now = workersOf(pair)
      return now.length === 2 && now.every((pid) => !pids.includes(pid))
    }
    await until(isReplaced(former))
    expect(await (await fetch(`http://127.0.0.1:${port}/sign-in`)).text()).not.toContain('Other')
    // Nor do they run another version, whose migrations have not been applied.
    mkdirSync(join(built, 'prisma', 'migrations', '99990101000000_later'))
    writeFileSync(join(built, 'prisma', 'migrations', '99990101000000_later', 'migration.sql'), 'select 1')
    const current = workersOf(pair)
    pair.child.kill('SIGHUP')
    await until(() => pair.output().includes('different version'))
    expect(workersOf(pair)).toEqual(expect.arrayContaining(current))
    expect(await (await health(port)).json()).toMatchObject({ status: 'ok' })
    // Once none of the workers is left, the installation ends, so that the service manager starts it anew.
    for (const pid of current) process.kill(Number(pid), 'SIGKILL')
    expect(await pair.ended).toBe(1)
    rmSync(built, { recursive: true, force: true })
  })
})

describe('several processes', () => {
  it('are replaced one after another on SIGHUP, without a lost request', async () => {
    const port = await freePort()
    const settings = { WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn', EMAIL_VERIFICATION: 'optional' }
    const foyer = start({ PORT: port, ...settings })
    await foyer.ready()
    const former = workersOf(foyer)
    expect(former).toHaveLength(2)
    const load = underLoad(port)
    await until(() => load.found.answered > 50)
    foyer.child.kill('SIGHUP')
    await until(() => {
      const now = workersOf(foyer)
      return now.length === 2 && now.every((pid) => !former.includes(pid))
    })
    const before = load.found.answered
    await until(() => load.found.answered > before + 50)
    await expectNothingLost(port, await load.end())
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
  })

  it('report that they are draining if they are stopped while they are replaced', async () => {
    const port = await freePort()
    const foyer = start({ PORT: port, WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn', DRAIN_SECONDS: '2' })
    await foyer.ready()
    foyer.child.kill('SIGHUP')
    // The first one has been told to end, and is still there.
    await until(() => workersOf(foyer).length === 3)
    await until(async () => (await headOfHealth(port)).includes('Connection: close'))
    foyer.child.kill('SIGTERM')
    await until(async () => (await headOfHealth(port)).includes(' 503 '))
    await wait(500)
    const heads = await Promise.all(Array.from({ length: 12 }, () => headOfHealth(port)))
    expect(heads.filter((head) => !head.startsWith('HTTP/1.1 503 '))).toEqual([])
    expect(await foyer.ended).toBe(0)
  })

  it('are replaced later if no process can be started at the moment', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'foyer-node-'))
    const node = join(bin, 'node')
    copyFileSync(process.execPath, node)
    const port = await freePort()
    const foyer = start({ PORT: port, WEB_CONCURRENCY: '2', LOG_LEVEL: 'error' }, { node })
    await foyer.ready()
    const former = workersOf(foyer)
    renameSync(node, `${node}-updating`)
    for (const pid of former) process.kill(Number(pid), 'SIGKILL')
    await until(() => foyer.output().split('worker not replaced').length > 2)
    expect(workersOf(foyer)).toEqual([])
    renameSync(`${node}-updating`, node)
    await until(async () => (await health(port).catch(() => undefined))?.status === 200)
    await until(() => workersOf(foyer).length === 2)
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
    rmSync(bin, { recursive: true })
  })

  it.skipIf(!hasHaproxy)(
    'behind HAProxy are restarted one after another, without a lost request (skipped without HAProxy)',
    async () => {
      const [one = '', other = '', front = ''] = await freePorts(3)
      const settings = {
        AUTH_SECRET: 'one secret for both of the two starts',
        LOG_LEVEL: 'warn',
        DRAIN_SECONDS: '2',
        EMAIL_VERIFICATION: 'optional',
      }
      const open = async (port: string) => {
        const foyer = start({ PORT: port, ...settings })
        await foyer.ready()
        return foyer
      }
      const running = new Map([
        [one, await open(one)],
        [other, await open(other)],
      ])
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(
        file,
        `defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 10s
frontend front
  bind 127.0.0.1:${front}
  default_backend foyer
backend foyer
  option httpchk GET /api/health
  http-response set-header X-Server %s
  default-server check inter 200ms fall 1 rise 1
  server ${one} 127.0.0.1:${one}
  server ${other} 127.0.0.1:${other}
`,
      )
      const proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
      const isOpen = async () => (await health(front).catch(() => undefined))?.status === 200
      while (!(await isOpen())) await wait(50)
      const load = underLoad(front)
      for (const [port, foyer] of running) {
        await until(() => load.found.answered > 20)
        foyer.child.kill('SIGTERM')
        expect(await foyer.ended).toBe(0)
        running.set(port, await open(port))
        // Waits until the proxy has noticed.
        while ((await health(front)).headers.get('x-server') !== port) await wait(20)
      }
      await expectNothingLost(front, await load.end())
      proxy.kill('SIGKILL')
      for (const foyer of running.values()) foyer.child.kill('SIGTERM')
      for (const foyer of running.values()) expect(await foyer.ended).toBe(0)
    },
  )
})

/** Each call was answered, and each answered sign-up was stored: the address is taken. */
async function expectNothingLost(port: string, { failures, signedUp }: ReturnType<typeof underLoad>['found']) {
  expect(failures).toEqual([])
  expect(signedUp.length).toBeGreaterThan(5)
  const statuses: number[] = []
  // Few at a time: more than the queue for password hashing holds would be refused.
  const waiting = [...signedUp]
  const askForEach = async () => {
    for (let person = waiting.pop(); person; person = waiting.pop())
      statuses.push((await post(port, '/sign-up/email', person)).status)
  }
  await Promise.all([askForEach(), askForEach(), askForEach(), askForEach()])
  expect(statuses.filter((status) => status !== 422)).toEqual([])
}

/**
 * The series that deploy/ names, with the labels they are selected by. Calls and events appear with the first one,
 * replicas if configured.
 */
async function namedSeries(): Promise<[name: string, labels: string[]][]> {
  const files = ['alerts.yaml', 'grafana.json'].map((name) => readFile(join(projectFolder, 'deploy', name), 'utf8'))
  const text = (await Promise.all(files)).join('\n').replaceAll(String.raw`\"`, '"')
  const series = [...text.matchAll(/\b((?:foyer|process)_[a-z_]+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']): [string, string[]] => [name, labels.match(/\w+="[^"]*"/g) ?? []],
  )
  const later = /^foyer_(?:call_|http_|replica_|events_)/
  const found = series.filter(([name]) => !later.test(name))
  expect(found.length).toBeGreaterThan(10)
  return found.map(([name, labels]) => [name, labels.filter((label) => !label.startsWith('job='))])
}

describe('metrics', () => {
  it.each(['1', '2'])('of %s processes are added up on a separate port', async (count) => {
    const [port = '', metricsPort = ''] = await freePorts(2)
    const settings = { PORT: port, METRICS_PORT: metricsPort, WEB_CONCURRENCY: count, LOG_LEVEL: 'error' }
    const foyer = start({ ...settings, EMAIL_VERIFICATION: 'optional' })
    await foyer.ready()
    const read = async () => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
      expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
      return answer.text()
    }
    // Before anything has happened, every series that the dashboard and the alert rules name is there.
    const fresh = await read()
    for (const [name, labels] of await namedSeries())
      expect(fresh, `${name}{${labels.join()}}`).toMatch(
        new RegExp(`^${name}(?:\\{(?=.*${labels.join(')(?=.*')}).*\\})? `, 'm'),
      )
    const person = newUserData()
    expect((await post(port, '/sign-up/email', person)).status).toBe(200)
    for (let n = 0; n < 20; n++) await fetch(`http://127.0.0.1:${port}/api/auth/get-session`)
    await post(port, '/sign-in/email', { ...person, password: 'not this sentence' })
    expect((await post(port, '/sign-in/email', person)).status).toBe(200)
    const text = await read()
    expect(text).toContain('foyer_call_duration_seconds_count{procedure="session.get",outcome="ok"} 20')
    expect(text).toContain('foyer_call_duration_seconds_count{procedure="session.signInEmail",outcome="refused"} 1')
    expect(text).toContain('foyer_sign_ins_total{method="password",outcome="created"} 2')
    expect(text).toMatch(/^foyer_events_total\{type="user\.signed_up"\} 1$/m)
    expect(text).toMatch(new RegExp(`^foyer_workers ${count}$`, 'm'))
    expect(text).toMatch(/^foyer_queue_waiting\{queue="deliveries"\} 0$/m)
    expect(text).toMatch(/^foyer_queue_oldest_seconds\{queue="jobs"\} \d/m)
    for (const name of ['pool_connections', 'password_hashes', 'jobs_total', 'mails_total', 'webhook_deliveries_total'])
      expect(text).toContain(`foyer_${name}`)
    const lines = text.split('\n').length
    for (let n = 0; n < 240; n++) await fetch(`http://127.0.0.1:${port}/api/auth/unknown-${n}`)
    expect((await read()).split('\n').length - lines).toBeLessThan(100)
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404)
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
  })

  it('keep the counts of workers that were replaced or have died', async () => {
    const [port = '', metricsPort = ''] = await freePorts(2)
    const foyer = start({ PORT: port, METRICS_PORT: metricsPort, WEB_CONCURRENCY: '2', LOG_LEVEL: 'error' })
    await foyer.ready()
    const counted = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(
        /^foyer_call_duration_seconds_count\{procedure="session.get",outcome="ok"\} (\d+)$/m.exec(text)?.[1],
      )
    }
    const call = async (times: number) => {
      for (let n = 0; n < times; n++) await fetch(`http://127.0.0.1:${port}/api/auth/get-session`)
    }
    const replaced = async (former: string[], all: boolean) => {
      await until(() => {
        const now = workersOf(foyer)
        return (
          now.length === 2 &&
          (all ? now.every((pid) => !former.includes(pid)) : now.some((pid) => !former.includes(pid)))
        )
      })
    }
    await call(40)
    expect(await counted()).toBe(40)
    // Not scraped in between: workers report their last values when they end.
    await call(10)
    const former = workersOf(foyer)
    foyer.child.kill('SIGHUP')
    await replaced(former, true)
    expect(await counted()).toBe(50)
    await call(10)
    expect(await counted()).toBe(60)
    const [one = '', other = ''] = workersOf(foyer)
    process.kill(Number(one), 'SIGKILL')
    await replaced([one, other], false)
    expect(await counted()).toBe(60)
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
  })
})

describe('the log', () => {
  it('in production is one JSON document per line, from the first line on', async () => {
    const port = await freePort()
    const production = { NODE_ENV: 'production', AUTH_SECRET: 'a secret of thirty-two characters or more' }
    const foyer = start({ PORT: port, APP_URL: `http://localhost:${port}`, LOG_LEVEL: 'debug', ...production })
    await foyer.ready()
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const answer = await fetch(`http://127.0.0.1:${port}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { traceparent, 'content-type': 'application/json' },
      body: '{',
    })
    expect(answer.headers.get('trace-id')).toBe('4bf92f3577b34da6a3ce929d0e0e4736')
    await fetch(`http://127.0.0.1:${port}/api/auth/get-session`, { headers: { traceparent } })
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
    const lines = foyer
      .output()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.some(({ event }) => String(event).startsWith('Foyer is ready at'))).toBe(true)
    const refused = lines.find(({ status }) => status === 400)
    expect(refused?.['requestId']).toBe(answer.headers.get('x-request-id'))
    expect(
      lines.some(({ traceId, procedure }) => procedure === 'session.get' && traceId === traceparent.slice(3, 35)),
    ).toBe(true)
  })

  it('states in one document why a start fails', async () => {
    const foyer = start({ NODE_ENV: 'production', PORT: 'abc' })
    expect(await foyer.ended).toBe(1)
    const [line, ...others] = foyer.output().trim().split('\n')
    expect(others).toEqual([])
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 'fatal', event: expect.stringContaining('PORT: ') })
  })
})

describe.skipIf(!hasPgBouncer)('an installation behind PgBouncer (skipped where it is not installed)', () => {
  it.each(['with a direct URL', 'without one'])('migrates, answers calls and runs jobs %s', async (way) => {
    const data = mkdtempSync(join(tmpdir(), 'pooled-'))
    const postgres = await startEmbeddedPostgres(join(data, 'postgres'))
    const bouncer = await startPgBouncer(postgres.url)
    const port = await freePort()
    const direct = way === 'without one' ? {} : { DATABASE_DIRECT_URL: postgres.url }
    const smtp = await startSmtpServer()
    const settings = {
      SMTP_URL: smtp.url,
      DATA_DIR: data,
      WEB_CONCURRENCY: '2',
      LOG_LEVEL: 'error',
      EMAIL_VERIFICATION: 'optional',
    }
    const foyer = start({ PORT: port, DATABASE_URL: bouncer.url('postgres'), ...settings, ...direct })
    await foyer.ready()
    expect(await (await health(port)).json()).toMatchObject({ status: 'ok', migrations: 'ok' })
    const person = newUserData()
    expect((await post(port, '/sign-up/email', person)).status).toBe(200)
    expect((await post(port, '/sign-in/email', person)).status).toBe(200)
    // A job delivers the email.
    await until(() => smtp.received.length > 0)
    expect(smtp.received[0]?.to).toMatchObject({ value: [{ address: person.email }] })
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
    expect(foyer.plainOutput().filter((line) => !/^(?:Foyer is|Emails are)/.test(line))).toEqual([])
    await smtp.close()
    await bouncer.close()
    await postgres.release()
    rmSync(data, { recursive: true, force: true })
  })
})

describe.skipIf(!hasStandby)('a primary and a standby (skipped without Debian’s PostgreSQL)', () => {
  it('a promoted standby takes over, and no acknowledged write is lost', async () => {
    const servers = await startPrimaryAndStandby()
    const port = await freePort()
    const settings = { EMAIL_VERIFICATION: 'optional', AUTH_SECRET: 'one secret before and after the failover' }
    const foyer = start({ PORT: port, DATABASE_URL: servers.bothUrl, LOG_LEVEL: 'fatal', ...settings })
    await foyer.ready()
    const acknowledged: ReturnType<typeof newUserData>[] = []
    const other: number[] = []
    const state = { isOver: false }
    const load = Array.from({ length: 4 }, async () => {
      while (!state.isOver) {
        const person = newUserData()
        const { status } = await post(port, '/sign-up/email', person)
        if (status === 200) acknowledged.push(person)
        else {
          other.push(status)
          await wait(20)
        }
      }
    })
    await until(() => acknowledged.length > 20)
    servers.killPrimary()
    await until(() => other.length > 3)
    await servers.promote()
    const before = acknowledged.length
    await until(() => acknowledged.length > before + 20)
    state.isOver = true
    await Promise.all(load)
    expect(new Set(other)).toEqual(new Set([503]))
    const answers = await Promise.all(acknowledged.map((person) => post(port, '/sign-in/email', person)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
    servers.close()
  })

  it('of two servers that accept writes, the one that was promoted last is used', async () => {
    const servers = await startPrimaryAndStandby()
    // The former primary is not fenced, and still answers.
    await servers.promote()
    const ports = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const pool = createPool(servers.bothUrl, { onError: () => {} })
        const { rows } = await pool.query<{ port: string }>("select current_setting('port') as port")
        await pool.end()
        return rows[0]?.port
      }),
    )
    expect(new Set(ports)).toEqual(new Set([new URL(servers.standbyUrl).port]))
    servers.close()
  })

  it('a former primary gets no writes while the server that was promoted later does not answer', async () => {
    const servers = await startPrimaryAndStandby()
    const open = () => createPool(servers.bothUrl, { onError: () => {} })
    const portOf = async (pool: ReturnType<typeof createPool>) => {
      const { rows } = await pool.query<{ port: string }>("select current_setting('port') as port")
      return rows[0]?.port
    }
    const [formerPort, newPort] = [servers.url, servers.standbyUrl].map((url) => new URL(url).port)
    // Connected before the promotion, with a statement that is under way.
    const early = open()
    expect(await portOf(early)).toBe(formerPort)
    const underWay = early.query('select pg_sleep(3)').then(
      () => 'acknowledged',
      () => 'failed',
    )
    await servers.promote()
    const pool = open()
    // Connections that are being opened when the promotion is noticed fail at most, and do not end the process.
    const opening = Array.from({ length: 9 }, () => early.query('select pg_sleep(0.05)').catch(() => {}))
    expect(await portOf(pool)).toBe(newPort)
    await Promise.all(opening)
    // The other pool of the process has noticed it, too.
    expect(await underWay).toBe('failed')
    expect(await portOf(early)).toBe(newPort)
    // A full disk, or an operator, makes the new primary read-only: no reason to write to the former one.
    await servers.configure('standby', 'default_transaction_read_only = on')
    const meanwhile = open()
    await expect(portOf(meanwhile)).rejects.toThrow('no server in the URL matches target_session_attrs')
    await meanwhile.end()
    servers.killStandby()
    const isAnswered = () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      )
    await until(async () => !(await isAnswered()))
    for (let n = 0; n < 5; n++) expect(await isAnswered()).toBe(false)
    const late = open()
    await expect(portOf(late)).rejects.toThrow('no server in the URL matches target_session_attrs')
    await Promise.all([early.end(), pool.end(), late.end()])
    // It is there, for those that do not know better.
    const other = createPool(servers.url, { onError: () => {} })
    await other.query('select 1')
    await other.end()
    servers.close()
  })

  it('lists are read from the standby while it follows, and from the primary otherwise', async () => {
    const servers = await startPrimaryAndStandby()
    const port = await freePort()
    const urls = { DATABASE_URL: servers.url, DATABASE_REPLICA_URL: servers.standbyUrl }
    const metricsPort = await freePort()
    const settings = { METRICS_PORT: metricsPort, LOG_LEVEL: 'fatal', EMAIL_VERIFICATION: 'optional' }
    const foyer = start({ PORT: port, ...settings, ...urls })
    await foyer.ready()
    const browser = createBrowser(`http://localhost:${port}`, '/api/auth')
    const person = newUserData()
    await browser.post('/sign-up/email', person)
    await browser.post('/sign-in/email', { email: person.email, password: person.password })
    const count = async (headers: Record<string, string> = {}) =>
      (await browser.get('/list-sessions', headers)).body.length as number
    const isUsable = async () =>
      /^foyer_replica_usable 1$/m.test(await (await fetch(`http://localhost:${metricsPort}/metrics`)).text())
    let total = 1
    // The standby lags: new rows are on the primary alone, until the lag is noticed. A slow machine may take longer to
    // sign in than the lag that is allowed, and then tries once more.
    for (let seen = 0; seen !== total - 1 || total === 1;) {
      await servers.onStandby('select pg_wal_replay_resume()')
      while (!(await isUsable()) || (await count()) !== total) await wait(50)
      await servers.onStandby('select pg_wal_replay_pause()')
      await post(port, '/sign-in/email', person)
      total++
      seen = await count()
    }
    expect(await count({ 'cache-control': 'no-cache' })).toBe(total)
    while ((await count()) !== total) await wait(100)
    await servers.onStandby('select pg_wal_replay_resume()')
    const sessions = createBrowser(`http://localhost:${port}`, '/api/auth')
    await sessions.post('/sign-in/email', { email: person.email, password: person.password })
    servers.killStandby()
    expect((await browser.get('/list-sessions')).status).toBe(200)
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
    servers.close()
  })
})

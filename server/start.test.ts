import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBrowser } from './testing/browser.ts'
import { freePort, freePorts } from './testing/ports.ts'
import { begin, folder, post, start, until, useProcesses, workersOf } from './testing/processes.ts'
import { makeCertificate, startReceiver } from './testing/receiver.ts'
import { newUserData } from './testing/test-users.ts'

useProcesses()

describe('a start', () => {
  it('prints its URLs, exits with status 0 on SIGTERM, and a second start keeps all data', async () => {
    const port = await freePort()
    const person = newUserData()
    const first = start({ PORT: port, EMAIL_VERIFICATION: 'optional' })
    await first.ready()
    await until(() => first.output().includes('/dev/mail'))
    expect(first.plainOutput()).toEqual([
      `Foyer is ready at http://localhost:${port}`,
      `Emails are shown at http://localhost:${port}/dev/mail`,
    ])
    expect((await post(port, '/sign-up/email', person)).status).toBe(200)
    const inFlight = await Promise.all(Array.from({ length: 12 }, () => begin(port, '/sign-up/email', newUserData())))
    first.child.kill('SIGTERM')
    expect(await Promise.all(inFlight.map((finish) => finish()))).toEqual(Array(12).fill(200))
    expect(await first.ended).toBe(0)

    const second = start({ PORT: port, EMAIL_VERIFICATION: 'optional' })
    await second.ready()
    expect((await post(port, '/sign-in/email', person)).status).toBe(200)
    second.child.kill('SIGINT')
    expect(await second.ended).toBe(0)
  })

  it('loses no acknowledged write when it is killed (REL-01)', async () => {
    const acknowledged: ReturnType<typeof newUserData>[] = []
    const settings = { PORT: await freePort(), EMAIL_VERIFICATION: 'optional', LOG_LEVEL: 'error' }
    for (let round = 0; round < 3; round++) {
      const foyer = start(settings)
      await foyer.ready()
      const before = acknowledged.length
      const load = Array.from({ length: 6 }, async () => {
        for (;;) {
          const person = newUserData()
          const answer = await post(settings.PORT, '/sign-up/email', person).catch(() => undefined)
          if (!answer) return
          if (answer.status === 200) acknowledged.push(person)
        }
      })
      // Under load: some requests are acknowledged, six are in flight.
      await until(() => acknowledged.length >= before + 10)
      foyer.child.kill('SIGKILL')
      await Promise.all(load)
    }
    const last = start(settings)
    await last.ready()
    const answers = await Promise.all(acknowledged.map((person) => post(settings.PORT, '/sign-in/email', person)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    last.child.kill('SIGTERM')
    expect(await last.ended).toBe(0)
  })

  it('delivers every acknowledged event to its webhook, each once, although it is killed', async () => {
    const certificate = await makeCertificate()
    const file = join(folder, 'certificate.pem')
    writeFileSync(file, certificate.cert)
    const receiver = await startReceiver(certificate)
    const settings = {
      PORT: await freePort(),
      EMAIL_VERIFICATION: 'optional',
      LOG_LEVEL: 'error',
      WEBHOOKS_ALLOW_PRIVATE: 'on',
      ADMIN_EMAILS: 'boss@example.test',
      ADMIN_SECOND_FACTOR: 'off',
      NODE_EXTRA_CA_CERTS: file,
    }
    const origin = `http://localhost:${settings.PORT}`
    const first = start(settings)
    await first.ready()
    const browser = createBrowser(origin, '/api/auth')
    const boss = { ...newUserData(), email: 'boss@example.test' }
    await browser.post('/sign-up/email', boss)
    const mails = await browser.request('/dev/mail?to=boss@example.test', { headers: { accept: 'application/json' } })
    await browser.get(mails.body[0].link)
    // Administrators are promoted when they sign in after their email address is verified.
    const { password } = boss
    expect((await browser.post('/sign-in/email', { email: boss.email, password })).status).toBe(200)
    const input = { url: receiver.url, types: ['user.signed_up'] }
    expect((await browser.post('/api/events/create-endpoint', input)).status).toBe(200)
    const acknowledged: string[] = []
    let foyer = first
    for (let round = 0; round < 2; round++) {
      const before = acknowledged.length
      const load = Array.from({ length: 4 }, async () => {
        for (;;) {
          const answer = await post(settings.PORT, '/sign-up/email', newUserData()).catch(() => undefined)
          if (!answer) return
          const body = await answer.json().catch(() => undefined)
          if (answer.status === 200 && body) acknowledged.push(body.user.id)
        }
      })
      await until(() => acknowledged.length >= before + 8)
      foyer.child.kill('SIGKILL')
      await Promise.all(load)
      foyer = start(settings)
      await foyer.ready()
    }
    const told = () => receiver.events().map(({ data }) => data.userId)
    await until(() => acknowledged.every((id) => told().includes(id)))
    // A delivery whose answer was lost with the process is repeated under the same id.
    const ids = new Map(receiver.events().map(({ id, data }) => [data.userId, id]))
    expect(receiver.events().every(({ id, data }) => ids.get(data.userId) === id)).toBe(true)
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
    await receiver.close()
  })

  it('two processes share one database, and the last one stops it; they share nothing else', async () => {
    const [one = '', other = ''] = await freePorts(2)
    const settings = { EMAIL_VERIFICATION: 'optional', AUTH_SECRET: 'one secret for both of the two starts' }
    const both = [start({ PORT: one, ...settings }), start({ PORT: other, ...settings, WEB_CONCURRENCY: '2' })]
    await Promise.all(both.map((foyer) => foyer.ready()))
    const person = newUserData()
    expect((await post(one, '/sign-up/email', person)).status).toBe(200)
    expect((await post(other, '/sign-in/email', person)).status).toBe(200)
    both[0]?.child.kill('SIGTERM')
    expect(await both[0]?.ended).toBe(0)
    expect((await post(other, '/sign-in/email', person)).status).toBe(200)
    both[1]?.child.kill('SIGTERM')
    expect(await both[1]?.ended).toBe(0)
  })

  it('a stop signal to every process loses no request', async () => {
    const port = await freePort()
    const settings = { PORT: port, EMAIL_VERIFICATION: 'optional', WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn' }
    const foyer = start(settings, { isGroup: true })
    await foyer.ready()
    const inFlight = await Promise.all(Array.from({ length: 24 }, () => begin(port, '/sign-up/email', newUserData())))
    process.kill(-(foyer.child.pid ?? 0), 'SIGTERM')
    expect(await Promise.all(inFlight.map((finish) => finish()))).toEqual(Array(24).fill(200))
    expect(await foyer.ended).toBe(0)
  })

  it('a process that exits by itself is replaced', async () => {
    const port = await freePort()
    const foyer = start({ PORT: port, WEB_CONCURRENCY: '2', LOG_LEVEL: 'warn' })
    await foyer.ready()
    const workers = () => workersOf(foyer)
    const former = workers()
    expect(former).toHaveLength(2)
    process.kill(Number(former[0]), 'SIGKILL')
    const isReplaced = () => {
      const now = workers()
      return now.length === 2 && !now.includes(former[0] ?? '')
    }
    await until(isReplaced)
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
  })

  it('a corrupt secret file prints one sentence and fails', async () => {
    const data = mkdtempSync(join(tmpdir(), 'foyer-secret-'))
    writeFileSync(join(data, 'secret'), '')
    const foyer = start({ PORT: await freePort(), DATA_DIR: data })
    expect(await foyer.ended).toBe(1)
    expect(foyer.output()).toMatch(
      /^Foyer cannot start\. The secret in .+ is damaged: restore it, or set AUTH_SECRET\.\n$/,
    )
    rmSync(data, { recursive: true, force: true })
  })

  it('takes over a stale lock of a killed start', async () => {
    const data = mkdtempSync(join(tmpdir(), 'foyer-lock-'))
    mkdirSync(join(data, 'postgres'))
    writeFileSync(join(data, 'postgres', 'lock'), '')
    const foyer = start({ PORT: await freePort(), DATA_DIR: data })
    await foyer.ready()
    foyer.child.kill('SIGTERM')
    expect(await foyer.ended).toBe(0)
    rmSync(data, { recursive: true, force: true })
  })

  it('a port in use prints one sentence and fails', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => taken.once('listening', done))
    const address = taken.address()
    const port = String(typeof address === 'object' ? address?.port : 0)
    const foyer = start({ PORT: port })
    expect(await foyer.ended).toBe(1)
    expect(foyer.output()).toBe(`Foyer cannot start. Port ${port} is in use: stop the other program, or set PORT.\n`)
    taken.close()
  })

  it('an unreachable database and invalid settings print a message', async () => {
    const away = start({ PORT: await freePort(), DATABASE_URL: 'postgresql://foyer:x@127.0.0.1:1/foyer' })
    expect(await away.ended).toBe(1)
    expect(away.output()).toMatch(/^Foyer cannot start\. The database at DATABASE_URL does not answer: .+\n$/)
    const wrong = start({ PORT: 'abc', EMAIL_VERIFICATION: 'maybe', NODE_ENV: 'production', APP_URL: 'http://a.test' })
    expect(await wrong.ended).toBe(1)
    for (const name of ['PORT', 'EMAIL_VERIFICATION', 'AUTH_SECRET', 'APP_URL'])
      expect(wrong.output()).toContain(`${name}: `)
    expect(wrong.output()).not.toMatch(/\n\s+at /)
  })

  it('corrupt data print one sentence and fail', async () => {
    const data = mkdtempSync(join(tmpdir(), 'foyer-damaged-'))
    const port = await freePort()
    const first = start({ PORT: port, DATA_DIR: data })
    await first.ready()
    first.child.kill('SIGTERM')
    await first.ended
    truncateSync(join(data, 'postgres', 'data', 'global', 'pg_control'), 0)
    const second = start({ PORT: port, DATA_DIR: data })
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(
      /^Foyer cannot start\. PostgreSQL cannot use the data in .+ or set DATABASE_URL\.\n$/,
    )
    rmSync(data, { recursive: true, force: true })
  })
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { languages } from '../../shared/language.ts'
import { startJobs } from '../background-jobs.ts'
import { afterTestFile } from '../testing/after-test-file.ts'
import { createOrganizationOwner } from '../testing/organizations.ts'
import { startSmtpServer } from '../testing/smtp.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { type TestUser, createUnverifiedUser, newUserData } from '../testing/test-users.ts'
import { mailKinds } from './mail-texts.ts'
import { renderMail, sampleValues } from './templates.ts'
import { en } from './texts/en.ts'

function runJobs(testApp: TestApp): void {
  const jobs = startJobs(testApp.app, testApp.databaseUrl)
  afterTestFile(() => jobs.stop())
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await wait(50)
}

describe('values in emails', () => {
  it('that users choose contain no links, whatever they are', async () => {
    const testApp = await createTestApp()
    const owner = await createOrganizationOwner(testApp, { name: 'Visit https://evil.com/login now' })
    await owner.browser.post('/update-user', { name: 'a.evil.com' })
    const invitee = newUserData()
    const invited = { email: invitee.email, role: 'member', organizationId: owner.organization.id }
    expect((await owner.browser.post('/organization/invite-member', invited)).status).toBe(200)
    expect((await owner.browser.post('/api-key/create', { name: 'b.evil.com/key' })).status).toBe(200)
    const mails = [...(await testApp.mails(invitee.email)), ...(await testApp.mails(owner.email))]
    const found = mails.filter(({ kind }) => kind === 'invitation' || kind === 'apiKeyCreated')
    expect(found).toHaveLength(2)
    for (const { subject, text, html } of found) {
      const all = [subject, text, html].join('\n')
      expect(all).toMatch(/evil\. com/)
      expect(all).not.toMatch(/evil\.com|:\/\/evil/)
    }
  })
})

describe('delivery over SMTP', () => {
  it('an email whose delivery was interrupted by a stop is sent after the next start, regardless of its age', async () => {
    const smtp = await startSmtpServer()
    const isSilent = { now: true }
    const port = Number(new URL(smtp.url).port)
    // A proxy in between that accepts connections and at first sends nothing.
    const proxy = createServer((socket) => {
      socket.on('error', () => {})
      if (isSilent.now) return
      const server = connect(port, '127.0.0.1').on('error', () => {})
      socket.pipe(server).pipe(socket)
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    afterTestFile(() => void proxy.close())
    const address = proxy.address()
    const url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const testApp = await createTestApp({ SMTP_URL: url })
    await createUnverifiedUser(testApp)
    await testApp.pool.query(`update "Mail" set "createdAt" = now() - interval '25 hours'`)
    const jobs = startJobs(testApp.app, testApp.databaseUrl)
    await until(async () => (await testApp.db.mail.count({ where: { claimedUntil: { not: null } } })) > 0)
    await jobs.stop()
    isSilent.now = false
    runJobs(testApp)
    // The claim of the process that has ended expires.
    const count = async () => {
      const { rows } = await testApp.pool.query<{ attempts: number }>(
        `select attempts from graphile_worker.jobs where task_identifier = 'deliverMail'`,
      )
      return rows[0]?.attempts ?? 0
    }
    await until(async () => (await count()) > 1)
    testApp.advanceClock(61)
    await testApp.pool.query(`update graphile_worker._private_jobs set run_at = now() where locked_at is null`)
    await until(() => smtp.received.length > 0)
    expect(smtp.received).toHaveLength(1)
  })

  it('sends each email once and completely, and erases its link afterwards', async () => {
    const smtp = await startSmtpServer()
    const testApp = await createTestApp({ SMTP_URL: smtp.url, MAIL_FROM: 'Foyer <door@foyer.test>' })
    runJobs(testApp)
    const person = await createUnverifiedUser(testApp, { name: 'Ada "A," <b>' })
    await until(() => smtp.received.length > 0)
    const [mail] = smtp.received
    expect(mail?.from?.text).toBe('"Foyer" <door@foyer.test>')
    expect(mail?.messageId).toMatch(/^<[\w-]+@foyer\.test>$/)
    expect(mail?.to).toMatchObject({ value: [{ address: person.email, name: '' }] })
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail?.text).toContain('/api/auth/verify-email?token=')
    expect(mail?.html).toContain(en.mails.verifyEmail.action)
    expect(mail?.html).not.toMatch(/<img|src=|http:\/\/(?!localhost)|<b>/)
    await until(async () => (await testApp.db.mail.count({ where: { sentAt: null } })) === 0)
    const row = await testApp.db.mail.findFirstOrThrow({ where: { to: person.email } })
    expect(row.data).not.toHaveProperty('sealed')
    expect((await testApp.browser().request('/dev/mail')).status).toBe(404)
    await person.browser.get(/http\S+verify-email\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    expect(person.browser.jar.has('foyer.session_token')).toBe(true)
    expect(smtp.received).toHaveLength(1)
    await smtp.close()
  })

  it('retries while the server is unavailable and sends when it recovers; requests are not affected (REL-05)', async () => {
    const smtp = await startSmtpServer()
    const port = Number(new URL(smtp.url).port)
    await smtp.close()
    const testApp = await createTestApp({ SMTP_URL: smtp.url })
    runJobs(testApp)
    const people = await Promise.all(Array.from({ length: 5 }, () => createUnverifiedUser(testApp)))
    await until(async () => (await testApp.db.mail.count({ where: { failure: { not: null } } })) === 5)
    const back = await startSmtpServer(port)
    testApp.advanceClock(40)
    await testApp.app.outbox.rescheduleWaitingMails(testApp.db, testApp.app.clock())
    await until(() => back.received.length === 5)
    expect(back.received.map(({ to }) => (Array.isArray(to) ? '' : to?.text)).toSorted()).toEqual(
      people.map(({ email }) => email).toSorted(),
    )
    await back.close()
  })

  it('two workers competing for an email send it once', async () => {
    const smtp = await startSmtpServer()
    const testApp = await createTestApp({ SMTP_URL: smtp.url })
    const person = await createUnverifiedUser(testApp)
    const { id } = await testApp.db.mail.findFirstOrThrow({ where: { to: person.email } })
    const deliver = () => testApp.app.outbox.deliver(testApp.db, id, testApp.app.clock())
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, deliver))
    expect(smtp.received).toHaveLength(1)
    // The other processes retry later, because the one that claimed the email may have ended during the delivery.
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(9)
    expect(await deliver()).toBe('not due')
    await smtp.close()
  })

  it('gives up after a permanent SMTP error (5xx) and retries after a temporary one (4xx)', async () => {
    const refusing = (responseCode: number) =>
      new Promise<{ url: string; close: () => void }>((done) => {
        const server = new SMTPServer({
          authOptional: true,
          disabledCommands: ['STARTTLS'],
          onRcptTo: (_address, _session, reply) => reply(Object.assign(new Error('no'), { responseCode })),
        })
        server.listen(0, '127.0.0.1', () => {
          const address = server.server.address()
          const port = typeof address === 'object' ? address?.port : 0
          done({ url: `smtp://127.0.0.1:${port}`, close: () => server.close() })
        })
      })
    for (const [code, isFinal] of [
      [550, true],
      [450, false],
    ] as const) {
      const smtp = await refusing(code)
      const testApp = await createTestApp({ SMTP_URL: smtp.url })
      const person = await createUnverifiedUser(testApp)
      const { id } = await testApp.db.mail.findFirstOrThrow({ where: { to: person.email } })
      const outcome = await testApp.app.outbox.deliver(testApp.db, id, testApp.app.clock()).then(
        () => 'done',
        () => 'again',
      )
      const { rejectedAt } = await testApp.db.mail.findUniqueOrThrow({ where: { id } })
      expect([code, outcome, rejectedAt !== null]).toEqual([code, isFinal ? 'done' : 'again', isFinal])
      smtp.close()
    }
  })

  it('a refused sign-up stores neither an email nor a job', async () => {
    const smtp = await startSmtpServer()
    const testApp = await createTestApp({ SMTP_URL: smtp.url, EMAIL_VERIFICATION: 'optional' })
    const person = await createUnverifiedUser(testApp)
    await testApp.browser().post('/sign-up/email', { ...person, browser: undefined })
    expect(await testApp.db.mail.count()).toBe(1)
    expect((await testApp.pool.query('select count(*)::int as jobs from graphile_worker.jobs')).rows[0]?.jobs).toBe(1)
    await smtp.close()
  })
})

describe('texts', () => {
  const values = {
    name: 'Ada',
    email: 'ada@example.test',
    at: '2026-01-02T03:04:05.000Z',
    until: '2026-01-02T04:04:05.000Z',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    link: 'https://foyer.test/x',
  }

  it.each(mailKinds)('%s exists in each language, with device and time', (kind) => {
    const letters = languages.map((language) => renderMail(kind, values, language))
    expect(new Set(letters.map(({ title }) => title)).size).toBe(languages.length)
    for (const letter of letters) {
      expect(JSON.stringify(letter)).not.toMatch(/\{\w+\}|undefined|Invalid Date/)
      expect(letter.details[0]?.[1]).toContain('2026')
      expect(letter.details[1]?.[1]).toBe('Edge · Windows')
      expect(letter.subject).not.toContain('\n')
    }
  })
})

describe('the development mailbox', () => {
  it('lists the emails that would have been sent, newest first, as HTML and as JSON', async () => {
    const testApp = await createTestApp()
    const person = await createUnverifiedUser(testApp)
    const page = await testApp.browser().request('/dev/mail', { headers: { accept: 'text/html' } })
    expect(page.text).toContain(person.email)
    const list = await testApp
      .browser()
      .request(`/dev/mail?to=${person.email}`, { headers: { accept: 'application/json' } })
    expect(list.body).toMatchObject([{ to: person.email, kind: 'verifyEmail', subject: en.mails.verifyEmail.subject }])
    const mail = await testApp.browser().request(`/dev/mail/${list.body[0].id}`)
    expect(mail.text).toContain(en.mails.verifyEmail.action)
    expect(mail.headers.get('content-security-policy')).toContain("default-src 'none'")
    const statuses = ['nothing', '%00', '%'].map(
      async (id) => (await testApp.browser().request(`/dev/mail/${id}`)).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 404, 400])
  })

  it('has a sample value for every placeholder of every email', () => {
    const placeholders = [...JSON.stringify(en.mails).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(new Set(placeholders).size).toBeGreaterThan(10)
    expect(placeholders.filter((name) => !Object.hasOwn(sampleValues, name))).toEqual([])
  })

  it('previews every email in every language, with the operator’s texts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-texts-'))
    const own = { mails: { verifyEmail: { subject: 'Hallo', title: 'Hallo {name} & Co' } } }
    writeFileSync(join(folder, 'de.json'), JSON.stringify(own))
    const testApp = await createTestApp({ MAIL_TEXTS_DIR: folder, PRODUCT_NAME: 'Acme' })
    const index = await testApp.browser().request('/dev/mail/preview', { headers: { accept: 'text/html' } })
    const links = [...index.text.matchAll(/href="(\/dev\/mail\/preview\/[^"]+)"/g)].map(([, link = '']) => link)
    expect(links.length).toBe(mailKinds.length * languages.length)
    for (const link of links) {
      const { status, text } = await testApp.browser().request(link)
      expect([
        link,
        status,
        /\{\w+\}|undefined|Invalid Date|Foyer/.exec(text.replace(/<style>.*?<\/style>/s, ''))?.[0],
      ]).toEqual([link, 200, undefined])
    }
    const { text } = await testApp.browser().request('/dev/mail/preview/verifyEmail/de')
    expect(text).toContain('Hallo Ada Lovelace &amp; Co')
    expect((await testApp.browser().request('/dev/mail/preview/verifyEmail/xx')).status).toBe(404)
    await testApp
      .browser()
      .post('/sign-up/email', newUserData({ email: 'eva@example.test' }), { 'accept-language': 'de' })
    expect((await testApp.mails('eva@example.test'))[0]).toMatchObject({
      subject: 'Hallo',
      title: 'Hallo Ada Lovelace & Co',
    })
  })

  it('does not exist in production', async () => {
    const testApp = await createTestApp({ NODE_ENV: 'production' })
    await testApp.browser().post('/sign-up/email', newUserData())
    expect((await testApp.browser().request('/dev/mail')).status).toBe(404)
  })
})

describe('jobs during a database outage', () => {
  it('an outage while emails are delivered loses none, and the engine continues (REL-03)', async () => {
    // Slow enough that several deliveries are in progress when the outage starts.
    const smtp = await startSmtpServer(0, { delayMs: 300 })
    const testApp = await createTestApp({ SMTP_URL: smtp.url })
    runJobs(testApp)
    const people: TestUser[] = []
    for (let n = 0; n < 12; n++) people.push(await createUnverifiedUser(testApp))
    await until(() => smtp.received.length >= 2)
    for (let round = 0; round < 3; round++) {
      await testApp.admin.query(`alter database ${testApp.databaseName} allow_connections false`)
      await testApp.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        testApp.databaseName,
      ])
      const lines = testApp.lines.length
      await until(() => testApp.lines.slice(lines).some((line) => line.includes('job engine')))
      await testApp.admin.query(`alter database ${testApp.databaseName} allow_connections true`)
      for (let n = 0; n < 3; n++) people.push(await createUnverifiedUser(testApp))
      const received = smtp.received.length
      await until(() => smtp.received.length > received)
    }
    // Emails claimed by an interrupted delivery are retried once the claim has expired.
    testApp.advanceClock(61)
    await testApp.app.outbox.rescheduleWaitingMails(testApp.db, testApp.app.clock())
    const addresses = () => new Set(smtp.received.map((mail) => (Array.isArray(mail.to) ? '' : mail.to?.text)))
    await until(() => people.every(({ email }) => addresses().has(email)))
    expect(await testApp.db.mail.count({ where: { rejectedAt: { not: null } } })).toBe(0)
    await smtp.close()
  })

  it('the health check reports overdue jobs that nothing processes', async () => {
    const testApp = await createTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' })
    await createUnverifiedUser(testApp)
    const health = async () => (await testApp.browser().request('/api/health')).body
    expect(await health()).toMatchObject({ status: 'ok', jobs: 'ok' })
    await testApp.pool.query(`update graphile_worker._private_jobs set run_at = now() - interval '10 minutes'`)
    expect(await health()).toMatchObject({ status: 'degraded', jobs: 'stalled' })
    // A long queue does not count as stalled: a worker is processing it.
    await testApp.pool.query(`select graphile_worker.add_job('sweep')`)
    const lock = (at: string) =>
      testApp.pool.query(
        `update graphile_worker._private_jobs set locked_at = ${at}, locked_by = 'one' where run_at > now() - interval '1 minute'`,
      )
    await lock('now()')
    expect(await health()).toMatchObject({ status: 'ok', jobs: 'ok' })
    await lock(`now() - interval '10 minutes'`)
    expect(await health()).toMatchObject({ status: 'degraded', jobs: 'stalled' })
    // Jobs run, but the mail server has not accepted an email for longer than greylisting takes.
    await lock('now()')
    testApp.advanceClock(14 * 60)
    expect(await health()).toMatchObject({ status: 'ok', outbox: { status: 'ok', waiting: 1 } })
    testApp.advanceClock(2 * 60)
    expect(await health()).toMatchObject({ status: 'degraded', jobs: 'ok', outbox: { status: 'delayed' } })
    // Others were delivered meanwhile: it is the address that is at fault.
    const other = await createUnverifiedUser(testApp)
    await testApp.db.mail.updateMany({ where: { to: other.email }, data: { sentAt: testApp.app.clock() } })
    expect(await health()).toMatchObject({ status: 'ok', outbox: { status: 'ok', waiting: 1 } })
  })
})

describe('a mail server without TLS', () => {
  const sendBy = async (url: string) => {
    const testApp = await createTestApp({ SMTP_URL: url })
    await createUnverifiedUser(testApp)
    const { id } = await testApp.db.mail.findFirstOrThrow()
    return testApp.app.outbox.deliver(testApp.db, id, testApp.app.clock()).then(
      () => 'sent',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  }

  it('receives no email, unless it is local or the URL allows it', async () => {
    const smtp = await startSmtpServer(0, { host: '0.0.0.0' })
    const { port } = new URL(smtp.url)
    // Another host name of this machine represents a remote mail server.
    const elsewhere = hostname()
    expect(await sendBy(`smtp://127.0.0.1:${port}`)).toBe('sent')
    expect(await sendBy(`smtp://${elsewhere}:${port}`)).toMatch(/STARTTLS/)
    expect(smtp.received).toHaveLength(1)
    expect(await sendBy(`smtp://${elsewhere}:${port}?tls=off`)).toBe('sent')
    await smtp.close()
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { Pool } from 'pg'
import { migrate } from '../prisma/migrate.ts'
import { projectFolder } from '../server/config.ts'
import { startEmbeddedPostgres } from '../server/foundation/postgres.ts'
import { freePort } from '../server/testing/ports.ts'

// `npm run load [-- USERS SECONDS]`: seeds a database with users and twice as many sessions, then prints the throughput
// of one and of two processes. The load generator runs on the same machine and takes part of its CPU time.
const users = Number(process.argv[2] ?? 100_000)
const seconds = Math.min(60, Number(process.argv[3] ?? 8))
if (!Number.isSafeInteger(users) || users < 1000 || users > 10_000_000 || !(seconds >= 1)) {
  console.error('Usage: npm run load -- USERS (1,000 to 10,000,000) SECONDS (1 to 60)')
  process.exit(2)
}

const password = 'correct horse battery staple'
const email = 'load@example.test'
const folder = mkdtempSync(join(tmpdir(), 'foyer-load-'))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
})
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
await migrate(postgres.url, join(projectFolder, 'prisma'))
const pool = new Pool({ connectionString: postgres.url })
await seed()
for (const processes of [1, 2]) await measure(processes)
await pool.end()
await postgres.release()
process.exit(0)

/**
 * Users with a verified email address and a password, two sessions each, and an organization for every tenth of them.
 */
async function seed(): Promise<void> {
  const begun = performance.now()
  await pool.query(
    `insert into "User" (id, email, name, username, "displayUsername", "emailVerified", "createdAt", "updatedAt", language, role)
     select 'u' || n, 'u' || n || '@example.test', 'User ' || n, 'user' || n, 'user' || n, true, now(), now(), 3, 'user'
     from generate_series(1, $1::int) n`,
    [users],
  )
  await pool.query(
    `insert into "Account" (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
     select 'a' || n, 'u' || n, 'credential', 'u' || n,
       '$argon2id$v=19$m=19456,t=2,p=1$' || substr(md5(n::text), 1, 22) || '$' || substr(md5(n::text) || md5('b' || n), 1, 43), now(), now()
     from generate_series(1, $1::int) n`,
    [users],
  )
  await pool.query(
    `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
     select 's' || n, 's' || n, 's' || n, 'u' || (1 + n % $1::int), now() + interval '7 days', now(), now(), true, '', ''
     from generate_series(1, 2 * $1::int) n`,
    [users],
  )
  await pool.query(
    `insert into "Organization" (id, name, slug, "createdAt")
     select 'o' || n, 'Organization ' || n, 'o' || n, now() from generate_series(1, $1::int / 10) n`,
    [users],
  )
  await pool.query(
    `insert into "Member" (id, "organizationId", "userId", role, "createdAt")
     select 'm' || n, 'o' || n, 'u' || n, 'owner', now() from generate_series(1, $1::int / 10) n`,
    [users],
  )
  await pool.query('vacuum analyze')
  const { rows } = await pool.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  )
  const took = Math.round((performance.now() - begun) / 1000)
  console.log(
    `${users} users, ${2 * users} sessions, ${Math.floor(users / 10)} organizations: ${rows[0]?.size}, ${took} s`,
  )
}

async function measure(processes: number): Promise<void> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, ['server/start.mjs'], {
    cwd: projectFolder,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      APP_URL: origin,
      AUTH_SECRET: 'a secret for this measurement that has no value',
      PORT: port,
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      WEB_CONCURRENCY: String(processes),
      RATE_LIMIT: 'off',
      EMAIL_VERIFICATION: 'optional',
      LOG_LEVEL: 'fatal',
      DRAIN_SECONDS: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (
    !(await fetch(`${origin}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await wait(100)
  const call = (path: string, body: object) =>
    fetch(`${origin}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await call('/sign-up/email', { name: 'Load', email, password })
  const signedIn = await call('/sign-in/email', { email, password })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .find((one) => one.startsWith('foyer.session_token'))
  const headers = { cookie: cookie ?? '', origin }
  const json = { ...headers, 'content-type': 'application/json' }
  const rows: [string, autocannon.Request][] = [
    ['a session, from the database', { path: '/api/auth/get-session?disableCookieCache=true', headers }],
    ['the organizations of a user', { path: '/api/auth/organization/list', headers }],
    [
      'sign-in by password',
      { path: '/api/auth/sign-in/email', method: 'POST', headers: json, body: JSON.stringify({ email, password }) },
    ],
  ]
  for (const [name, request] of rows) {
    const result = await autocannon({ url: origin, connections: 16, duration: seconds, requests: [request] })
    const { requests, latency, non2xx, errors } = result
    const failed = non2xx + errors
    console.log(
      `${processes} ${processes === 1 ? 'process  ' : 'processes'}  ${name.padEnd(30)} ${String(Math.round(requests.average)).padStart(6)}/s  median ${latency.p50} ms  99 % ${latency.p99} ms${failed === 0 ? '' : `  ${failed} failed`}`,
    )
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
}

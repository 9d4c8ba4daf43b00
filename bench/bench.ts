import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { verifyToken } from '../client/sdk/server.ts'
import { migrate } from '../prisma/migrate.ts'
import { projectFolder } from '../server/config.ts'
import { newSecret, sha256 } from '../server/foundation/crypto.ts'
import { startEmbeddedPostgres } from '../server/foundation/postgres.ts'
import { makeAccessToken } from './access-token.ts'
import { preparePasskeys, prepareSteps } from './second-factors.ts'

// `npm run bench`: compares Foyer with a bare node:http + pg server on the same database, in interleaved rounds. It
// prints the median CPU time per request, as reported by each process, and their ratio. The throughput ratio is
// informative only, because wall time on a shared machine is unreliable.

type ServerProcess = { child: ChildProcess; port: number }
/**
 * `withPostgres` adds the CPU time of PostgreSQL's processes. `goal` is the ratio to reach (record 0011). `server` is
 * another process of Foyer than the first. `prepare` runs before the first request.
 */
type Call = {
  name: string
  server?: ServerProcess
  prepare?: () => Promise<unknown>
  foyer: RequestFactory
  bare: RequestFactory
  requests: number
  /**
   * Requests before the first round, in which V8 compiles the code of the call. By default a quarter of those of a
   * round.
   */
  warmUp?: number
  goal?: number
  withPostgres?: true
}
type RequestFactory = (n: number) => {
  path: string
  method?: 'GET' | 'POST'
  body?: unknown
  cookie?: string
  headers?: Record<string, string>
}

/** Milliseconds for one request. */
type Measured = { cpuMs: number; postgresMs: number; wallMs: number }

const KeyAnswer = z.object({ key: z.string() })
const TokenAnswer = z.object({ token: z.string() })
const AccessTokenAnswer = z.object({ access_token: z.string() })

const rounds = 7
const concurrency = 8
const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), { synchronous_commit: 'off' })
await migrate(postgres.url, join(projectFolder, 'prisma'))
const pool = new Pool({ connectionString: postgres.url })

const webhookKey = `whsec_${Buffer.from('a key for the length of one bench').toString('base64')}`
const settings = {
  DODO_PAYMENTS_API_KEY: 'bench',
  DODO_PAYMENTS_WEBHOOK_KEY: webhookKey,
  DATABASE_URL: postgres.url,
  AUTH_SECRET: 'a secret for the length of one bench run',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  EMAIL_VERIFICATION: 'required',
  // Longer than a run, because one access token is used throughout.
  TOKEN_LIFETIME: '3600',
}
const foyer = await open('foyer.mjs', { ...settings, PORT: '3177' })
const bare = await open('bare-server.ts', { ...settings })
// An installation with rate limits, as in production.
const limited = await open('foyer.mjs', { ...settings, RATE_LIMIT: 'on', PORT: '3178' })

// Kill the servers whenever the benchmark exits.
process.on('exit', () => [foyer, bare, limited].forEach(({ child }) => child.kill('SIGKILL')))

const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
const password = 'correct horse battery staple'
const email = 'bench@example.test'
const bench = { name: 'Bench', username: 'bench', email, password }
await send(foyer, { path: '/api/auth/sign-up/email', method: 'POST', body: bench })
await pool.query('update "User" set "emailVerified" = true')
await pool.query(`insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role)
  select 'u' || n, 'u' || n || '@example.test', 'U', true, now(), now(), 3, 'user' from generate_series(1, 20000) n`)
await pool.query(`insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
  select 's' || n, 's' || n, 's' || n, 'u' || (1 + n % 20000), now() + interval '7 days', now(), now(), true, '', '' from generate_series(1, 40000) n`)
await pool.query(`insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
  select 'b' || n, 'b' || n, 'b' || n, u.id, now() + interval '7 days', now(), now(), true, '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
  from generate_series(1, 200) n, "User" u where u.username = 'bench'`)
// The benchmark user is in five of 20,000 organizations, one with 100 members and 5 teams. Each of the others has invited
// another user.
await pool.query(`insert into "Organization" (id, name, slug, "createdAt")
  select 'o' || n, 'Organization ' || n, 'o' || n, now() from generate_series(1, 20000) n`)
await pool.query(`insert into "Team" (id, name, "organizationId", "createdAt")
  select 't' || n, 'Team ' || n, 'o1', now() from generate_series(1, 5) n`)
await pool.query(`insert into "Member" (id, "organizationId", "userId", role, "createdAt")
  select 'm' || n, 'o1', 'u' || n, 'member', now() from generate_series(1, 99) n`)
await pool.query(`insert into "Member" (id, "organizationId", "userId", role, "createdAt")
  select 'n' || n, 'o' || n, u.id, 'owner', now() from generate_series(1, 5) n, "User" u where u.username = 'bench'`)
await pool.query(`insert into "Member" (id, "organizationId", "userId", role, "createdAt")
  select 'k' || n, 'o' || n, 'u' || n, 'owner', now() from generate_series(6, 20000) n`)
await pool.query(`insert into "Invitation" (id, "organizationId", email, role, status, "inviterId", "expiresAt", "createdAt")
  select 'i' || n, 'o' || n, 'u' || (n - 5) || '@example.test', 'member', 'pending', 'u' || n, now() + interval '2 days', now()
  from generate_series(6, 20000) n`)
await pool.query('vacuum analyze')
const signedIn = await send(foyer, { path: '/api/auth/sign-in/email', method: 'POST', body: { email, password } })
const cookies = signedIn.cookies.map((cookie) => cookie.split(';')[0]).join('; ')
const sessionCookie = signedIn.cookies.find((cookie) => cookie.startsWith('foyer.session_token'))?.split(';')[0] ?? ''

let person = 0
const newPerson = () => ({ name: 'Ada', email: `p${process.pid}.${person++}@example.test`, password })
let made = 0
const newOrganization = () => {
  const n = made++
  return { body: { name: 'New', slug: `new-${process.pid}-${n}` }, cookie: cookieOf(1 + (n % 20_000)) }
}
let taken = 6
const nextInvitation = () => {
  const n = taken++
  return { body: { invitationId: `i${n}` }, cookie: cookieOf(n - 5) }
}
await pool.query(
  `update "Session" set "activeOrganizationId" = 'o1' where "userId" = (select id from "User" where username = 'bench')`,
)
/** The API key of a program. Below, a client of the issuer gets an opaque token. */
const apiKey = await makeKey({ name: 'bench' })
/** Several, because a quick machine reaches the 20,000 calls in ten seconds that one key may make. */
const busyKeys = await Promise.all([1, 2, 3].map(() => makeKey({ name: 'busy' })))
await pool.query(`update "ApiKey" set "rateLimitMax" = 10000000 where name = 'busy'`)
const secret = 'the secret of the client of the bench'
await pool.query(
  `insert into "OAuthClient" (id, name, "secretHash", "grantTypes", "isFirstParty", "createdAt", "updatedAt")
   values ('bench', 'Bench', $1, '{client_credentials}', true, now(), now())`,
  [sha256(secret)],
)
const ofClient = {
  authorization: `Basic ${Buffer.from(`bench:${encodeURIComponent(secret)}`).toString('base64')}`,
  'content-type': 'application/x-www-form-urlencoded',
}
const granted = await send(foyer, {
  path: '/oauth/token',
  method: 'POST',
  headers: ofClient,
  body: 'grant_type=client_credentials',
})
const introspected = new URLSearchParams({
  token: AccessTokenAnswer.parse(JSON.parse(granted.text)).access_token,
}).toString()

const accessToken = await makeAccessToken(pool, { origin: 'http://localhost:3177', cookie: sessionCookie })

// For another user, because each sign-in ends the oldest session above 250.
const nextPasskey = await preparePasskeys(pool, { userId: 'u20000', origin: 'http://localhost:3177' })
const passkeyOfBare = nextPasskey()
const nextStep = await prepareSteps(pool, settings.AUTH_SECRET)

/**
 * A session for each of 20,000 users, who create organizations and accept invitations in turn. Calls of one user would
 * wait for each other's locks, and count memberships that no user has: half of a creation's CPU time (measured).
 */
const tokensOfUsers = Array.from({ length: 20_000 }, newSecret)
await pool.query(
  `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
   select 'h' || n, 'h' || n, hash, 'u' || n, now() + interval '7 days', now(), now(), true, '', ''
   from unnest($1::text[]) with ordinality as made (hash, n)`,
  [tokensOfUsers.map(sha256)],
)
const cookieOf = (user: number) => `foyer.session_token=${tokensOfUsers[user - 1] ?? ''}`

/** Sessions that are ended, each by one request. */
const ending = Array.from({ length: 9_000 }, newSecret)
await pool.query(
  `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
   select 'e' || n, 'e' || n, hash, 'u' || (1 + n % 20000), now() + interval '7 days', now(), now(), true, '', ''
   from unnest($1::text[]) with ordinality as made (hash, n)`,
  [ending.map(sha256)],
)
const nextSession = () => ({ cookie: `foyer.session_token=${ending.pop() ?? ''}` })

let eventCount = 0
const signer = new Webhook(webhookKey)
/** One of 5,000 users in turn, as a customer. Events of one customer would wait for each other's locks. */
const knownCustomer = () => {
  const n = 1 + (eventCount % 5000)
  return { customer_id: `cus_u${n}`, email: `u${n}@example.test`, name: 'Bench' }
}
/** A signed 1.1 kB webhook event about a new payment of a customer. */
const newEvent = (path: string, customer = knownCustomer()) => {
  const id = `msg_${process.pid}_${eventCount++}`
  const at = new Date()
  const data = {
    payment_id: `pay_${id}`,
    status: 'succeeded',
    total_amount: 1999,
    currency: 'EUR',
    customer,
    billing: { country: 'DE', city: 'Berlin', state: 'BE', street: 'Allee 1', zipcode: '10115' },
    metadata: {},
    remarks: 'x'.repeat(600),
    created_at: at.toISOString(),
  }
  const body = JSON.stringify({ business_id: 'bus', type: 'payment.succeeded', timestamp: at.toISOString(), data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signer.sign(id, at, body),
  }
  return { path, method: 'POST' as const, body, headers }
}
/** A customer whom Foyer cannot assign to a user. */
const unknownCustomer = () => {
  const id = `${process.pid}_${eventCount}`
  return { customer_id: `cus_${id}`, email: `${id}@stranger.test`, name: 'Stranger' }
}

/** In the order in which they run. Each of those that write uses rows of its own. */
const calls: Call[] = [
  {
    name: 'get-session, database',
    foyer: () => ({ path: '/api/auth/get-session?disableCookieCache=true', cookie: sessionCookie }),
    bare: () => ({ path: '/session', cookie: sessionCookie }),
    requests: 4000,
    goal: 2,
  },
  {
    name: 'get-session, cookie cache',
    foyer: () => ({ path: '/api/auth/get-session', cookie: cookies }),
    bare: () => ({ path: '/cached', cookie: cookies }),
    requests: 6000,
    goal: 1.8,
  },
  {
    name: 'list-sessions (200)',
    foyer: () => ({ path: '/api/auth/list-sessions', cookie: sessionCookie }),
    bare: () => ({ path: '/list', cookie: sessionCookie }),
    requests: 400,
  },
  {
    name: 'organization/list (5)',
    foyer: () => ({ path: '/api/auth/organization/list', cookie: sessionCookie }),
    bare: () => ({ path: '/organizations', cookie: sessionCookie }),
    requests: 2000,
    goal: 2,
  },
  {
    // The call that every screen makes. At most 1.25 times the row above.
    name: 'organization/list, tRPC',
    foyer: () => ({ path: '/api/trpc/organization.list?batch=1&input=%7B%7D', cookie: sessionCookie }),
    bare: () => ({ path: '/organizations', cookie: sessionCookie }),
    requests: 2000,
  },
  {
    name: 'get-full-organization (100)',
    foyer: () => ({ path: '/api/auth/organization/get-full-organization', cookie: sessionCookie }),
    bare: () => ({ path: '/full', cookie: sessionCookie }),
    requests: 400,
    goal: 1.2,
    withPostgres: true,
  },
  {
    name: 'token for a back end',
    foyer: () => ({ path: '/api/auth/token', cookie: sessionCookie }),
    bare: () => ({ path: '/token', cookie: sessionCookie }),
    requests: 1500,
  },
  {
    name: 'organization/list, API key',
    foyer: () => ({ path: '/api/auth/organization/list', headers: { authorization: `Bearer ${apiKey}` } }),
    bare: () => ({ path: '/organizations', cookie: sessionCookie }),
    requests: 2000,
  },
  {
    name: 'organization/list, token',
    foyer: () => ({ path: '/api/auth/organization/list', headers: { authorization: `Bearer ${accessToken}` } }),
    bare: () => ({ path: '/organizations', cookie: sessionCookie }),
    requests: 2000,
  },
  {
    // 70,000 calls with three keys from one IP address: a refusal aborts the benchmark.
    name: 'the same, limits on',
    server: limited,
    foyer: (n) => ({
      path: '/api/auth/organization/list',
      headers: { authorization: `Bearer ${busyKeys[n % busyKeys.length]}` },
    }),
    bare: () => ({ path: '/organizations', cookie: sessionCookie }),
    requests: 10_000,
  },
  {
    name: 'oauth/introspect',
    foyer: () => ({ path: '/oauth/introspect', method: 'POST', headers: ofClient, body: introspected }),
    bare: () => ({ path: '/introspect', method: 'POST', body: introspected }),
    requests: 1000,
  },
  {
    name: 'forward-auth',
    foyer: () => ({
      path: '/api/forward-auth',
      cookie: sessionCookie,
      headers: {
        'x-forwarded-method': 'GET',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'localhost:3177',
        'x-forwarded-uri': '/',
      },
    }),
    bare: () => ({ path: '/session', cookie: sessionCookie }),
    requests: 4000,
  },
  {
    name: 'organization/create',
    foyer: () => ({
      path: '/api/auth/organization/create',
      method: 'POST',
      ...newOrganization(),
    }),
    bare: () => ({ path: '/create', method: 'POST', ...newOrganization() }),
    requests: 600,
    warmUp: 3000,
    goal: 3,
  },
  {
    name: 'accept-invitation',
    foyer: () => ({
      path: '/api/auth/organization/accept-invitation',
      method: 'POST',
      ...nextInvitation(),
    }),
    bare: () => ({ path: '/accept', method: 'POST', ...nextInvitation() }),
    requests: 300,
    warmUp: 3000,
    goal: 4,
  },
  {
    name: 'webhook (1.1 kB)',
    // PostgreSQL plans for the tables as they were last analyzed: for empty ones it would read all payments for each
    // event.
    prepare: async () => {
      await pool.query(`insert into "Payment" ("paymentId", status, "totalAmount", currency, "customerId", "subscriptionId", payload, "createdAt", "eventAt", "eventId")
        select 'p' || n, 'succeeded', 1999, 'EUR', 'c' || n, case when n % 2 = 0 then 's' || n / 10 end, '{}', now(), now(), 'e' || n from generate_series(1, 20000) n`)
      await pool.query('vacuum analyze')
    },
    foyer: () => newEvent('/api/webhooks/payments'),
    bare: () => newEvent('/webhook'),
    requests: 400,
    warmUp: 3000,
    goal: 2.6,
  },
  {
    name: 'webhook, 100,000 unassigned',
    prepare: () =>
      pool.query(`insert into "PaymentEvent" (id, type, "occurredAt", "receivedAt", payload, "subjectId", "customerId", "paymentId", state)
        select 'w' || n, 'payment.succeeded', now(), now(), '{}', 'w' || n, 'cus_' || n, 'w' || n, 'unassigned' from generate_series(1, 100000) n`),
    foyer: () => newEvent('/api/webhooks/payments', unknownCustomer()),
    bare: () => newEvent('/webhook', unknownCustomer()),
    requests: 400,
    warmUp: 3000,
    goal: 3,
  },
  {
    name: 'sign-out',
    foyer: () => ({ path: '/api/auth/sign-out', method: 'POST', body: {}, ...nextSession() }),
    bare: () => ({ path: '/sign-out', method: 'POST', body: {}, ...nextSession() }),
    requests: 200,
    warmUp: 3000,
    goal: 2,
  },
  {
    name: 'sign-in/email',
    foyer: () => ({ path: '/api/auth/sign-in/email', method: 'POST', body: { email, password } }),
    bare: () => ({ path: '/sign-in', method: 'POST', body: { email, password } }),
    requests: 120,
    goal: 1.08,
  },
  {
    name: 'sign-in/username',
    foyer: () => ({ path: '/api/auth/sign-in/username', method: 'POST', body: { username: 'bench', password } }),
    bare: () => ({ path: '/sign-in', method: 'POST', body: { email, password } }),
    requests: 120,
  },
  {
    name: 'sign-in by passkey',
    foyer: () => ({ path: '/api/auth/passkey/verify-authentication', method: 'POST', ...nextPasskey() }),
    bare: () => ({ path: '/passkey', method: 'POST', body: passkeyOfBare.body }),
    requests: 100,
  },
  {
    name: 'second step, TOTP',
    foyer: () => ({ path: '/api/auth/two-factor/verify-totp', method: 'POST', ...nextStep() }),
    bare: () => ({ path: '/step', method: 'POST', body: { userId: 'u1', code: '123456' } }),
    requests: 100,
  },
  {
    name: 'sign-up/email',
    foyer: () => ({ path: '/api/auth/sign-up/email', method: 'POST', body: newPerson() }),
    bare: () => ({ path: '/sign-up', method: 'POST', body: newPerson() }),
    requests: 120,
    goal: 1.15,
  },
]

console.log('call                        bare CPU    Foyer CPU   ratio   goal   throughput ratio')
const nameFilter = process.argv[2] ?? ''
for (const call of calls.filter(({ name }) => name.includes(nameFilter))) {
  const server = call.server ?? foyer
  await call.prepare?.()
  const warmUp = call.warmUp ?? Math.ceil(call.requests / 4)
  await runLoad(server, call.foyer, warmUp)
  await runLoad(bare, call.bare, warmUp)
  const pairs = []
  for (let round = 0; round < rounds; round++) {
    pairs.push({
      bare: await runLoad(bare, call.bare, call.requests),
      foyer: await runLoad(server, call.foyer, call.requests),
    })
  }
  const cpuOf = ({ cpuMs, postgresMs }: Measured) => cpuMs + (call.withPostgres ? postgresMs : 0)
  const bareCpu = median(pairs.map((pair) => cpuOf(pair.bare)))
  const foyerCpu = median(pairs.map((pair) => cpuOf(pair.foyer)))
  const ratio = median(pairs.map((pair) => cpuOf(pair.foyer) / cpuOf(pair.bare)))
  const throughput = median(pairs.map((pair) => pair.bare.wallMs / pair.foyer.wallMs))
  const cells = [
    ms(bareCpu),
    ms(foyerCpu),
    `${ratio.toFixed(2)}x`.padEnd(8),
    (call.goal === undefined ? '' : `${call.goal}x`).padEnd(7),
    `${throughput.toFixed(2)}x`,
  ]
  console.log(call.name.padEnd(28) + cells.join(''))
}
const { memory } = await readUsage(foyer)
console.log(`memory of Foyer after the run: ${Math.round((memory ?? 0) / 1e6)} MB`)

await measureVerification()

foyer.child.kill('SIGTERM')
limited.child.kill('SIGTERM')
bare.child.kill('SIGTERM')
agent.destroy()
await pool.end()
await postgres.release()
process.exit(0)

async function makeKey(body: { name: string }): Promise<string> {
  const { text } = await send(foyer, { path: '/api/auth/api-key/create', method: 'POST', body, cookie: sessionCookie })
  return KeyAnswer.parse(JSON.parse(text)).key
}

/** The cost of verifying a token in a back end with `verifyToken` of the client package: 1,000 different tokens. */
async function measureVerification(): Promise<void> {
  const issuer = `http://localhost:3177`
  // The sign-ins of the run have ended the first session.
  const fresh = await send(foyer, { path: '/api/auth/sign-in/email', method: 'POST', body: { email, password } })
  const cookie = fresh.cookies.map((one) => one.split(';')[0]).join('; ')
  const tokens: string[] = []
  while (tokens.length < 1_000) {
    const { text } = await send(foyer, { path: '/api/auth/token', cookie })
    tokens.push(TokenAnswer.parse(JSON.parse(text)).token)
  }
  for (const token of tokens.slice(0, 100)) await verifyToken(token, { issuer })
  const before = process.cpuUsage()
  for (const token of tokens) await verifyToken(token, { issuer })
  const { user, system } = process.cpuUsage(before)
  console.log(
    `verification of a token in a back end: ${((user + system) / 1000 / tokens.length).toFixed(3)} ms (goal: 0.3 ms)`,
  )
}

function ms(value: number): string {
  return `${value.toFixed(value < 1 ? 3 : 1)} ms`.padEnd(12)
}

/** Starts a server process and waits until it listens. */
function open(file: string, environment: Record<string, string>): Promise<ServerProcess> {
  const child = fork(join(projectFolder, 'bench', file), {
    env: { PATH: process.env['PATH'], ...environment },
    execArgv: file.endsWith('.ts') ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((done) => child.once('message', ({ port }: { port: number }) => done({ child, port })))
}

function readUsage({ child }: ServerProcess): Promise<{ cpu: NodeJS.CpuUsage; memory?: number }> {
  return new Promise((done) => {
    child.once('message', done)
    child.send('usage')
  })
}

/** Sends `requests` requests with a concurrency of eight. Returns CPU and wall time per request. */
async function runLoad(side: ServerProcess, nextRequest: RequestFactory, requests: number): Promise<Measured> {
  const before = await readUsage(side)
  const postgresBefore = postgresMs()
  const started = performance.now()
  let next = 0
  const worker = async () => {
    while (next < requests) await send(side, nextRequest(next++))
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const wallMs = (performance.now() - started) / requests
  const after = await readUsage(side)
  const used = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  return { cpuMs: used / 1000 / requests, postgresMs: (postgresMs() - postgresBefore) / requests, wallMs }
}

/** CPU time of PostgreSQL's processes in milliseconds, with a resolution of 10 ms. 0 without /proc. */
function postgresMs(): number {
  const leader = readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]
  if (!existsSync('/proc/self/stat')) return 0
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        return fields[1] === leader ? Number(fields[11]) + Number(fields[12]) : 0
      } catch {
        return 0
      }
    })
  return ticks.reduce((sum, used) => sum + used, 0) * 10
}

function send(
  { port }: ServerProcess,
  { path, method = 'GET', body, cookie, headers: more }: ReturnType<RequestFactory>,
) {
  const headers = {
    ...more,
    ...(cookie && { cookie, 'sec-fetch-site': 'same-origin' }),
    ...(body !== undefined && { 'content-type': more?.['content-type'] ?? 'application/json' }),
  }
  return new Promise<{ cookies: string[]; text: string }>((done, fail) => {
    const call = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => {
        if (response.statusCode === 200) done({ cookies: response.headers['set-cookie'] ?? [], text })
        else fail(new Error(`${path} answered ${response.statusCode}`))
      })
    })
    call.on('error', fail)
    call.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createHmac, createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { Client, Pool } from 'pg'

// The least that could answer: bare node:http and one prepared statement for each call, with the same hashing and signing.
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const key = Buffer.alloc(32, 7)
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const findSession = `select s.id, s.token, s."userId", s."expiresAt", s."createdAt", s."updatedAt", s."ipAddress", s."userAgent",
  s."activeOrganizationId", u.email, u.name, u.image, u."emailVerified", u."createdAt" as since, u."updatedAt" as changed, u.username,
  u."displayUsername", u.language, u.role from "Session" s join "User" u on u.id = s."userId" where s."secretHash" = $1`

const listSessions = `select l.id, l.token, l."userId", l."expiresAt", l."createdAt", l."updatedAt", l."ipAddress", l."userAgent",
  l."activeOrganizationId" from "Session" s join "Session" l on l."userId" = s."userId" where s."secretHash" = $1 order by l."createdAt", l.id`

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => void respond(request, response, text))
})

async function respond(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
  const body = await answer(request.url ?? '', request.headers.cookie ?? '', text)
  response.setHeader('content-type', 'application/json')
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function answer(url: string, cookie: string, text: string): Promise<unknown> {
  if (url.startsWith('/cached')) {
    const value = /foyer\.session_data=([^;]+)/.exec(cookie)?.[1] ?? ''
    const [until = '', body = '', signature = ''] = value.split('.')
    const expected = createHmac('sha256', key).update(`${until}.${body}`).digest('base64url')
    // Its own key signs nothing here: the work is the same, the outcome is not looked at.
    return expected === signature ? '' : Buffer.from(body, 'base64url').toString('utf8')
  }
  if (url.startsWith('/session')) {
    const secret = /foyer\.session_token=([^;]+)/.exec(cookie)?.[1] ?? ''
    const secretHash = createHash('sha256').update(secret).digest('base64url')
    const { rows } = await pool.query({ name: 'session', text: findSession, values: [secretHash] })
    return rows[0]
  }
  if (url.startsWith('/list')) {
    const secret = /foyer\.session_token=([^;]+)/.exec(cookie)?.[1] ?? ''
    const secretHash = createHash('sha256').update(secret).digest('base64url')
    const { rows } = await pool.query({ name: 'list', text: listSessions, values: [secretHash] })
    return rows
  }
  const { email, password } = JSON.parse(text)
  if (url.startsWith('/sign-in')) {
    const { rows } = await pool.query({
      name: 'user',
      text: `select u.id, a.password from "User" u join "Account" a on a."userId" = u.id where u.email = $1`,
      values: [email],
    })
    await verify(rows[0].password, password)
    const id = crypto.randomUUID()
    await pool.query({
      name: 'open',
      text: `insert into "Session" (id, token, "secretHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
        values ($1, $1, $1, $2, now() + interval '7 days', now(), now(), true, '', '')`,
      values: [id, rows[0].id],
    })
    return { id }
  }
  const stored = await hash(password, parameters)
  const id = crypto.randomUUID()
  await pool.query({
    name: 'sign-up',
    text: `with u as (insert into "User" (id, email, name, "emailVerified", "createdAt", "updatedAt", language, role)
        values ($1, $2, 'Ada', false, now(), now(), 3, 'user') returning id)
      insert into "Account" (id, "providerId", "accountId", "userId", password, "createdAt", "updatedAt")
        select $1, 'credential', $1, u.id, $3, now(), now() from u`,
    values: [id, email, stored],
  })
  return { id }
}

// Warm before it is measured, like a server that has been up for a while.
await new Client({ connectionString: process.env['DATABASE_URL'] }).end().catch(() => {})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))

import {
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify as verifySignature,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hash, verify } from '@node-rs/argon2'
import { Client, Pool } from 'pg'

// The baseline: bare node:http and one prepared statement per call, with the same hashing and signing as Foyer.
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const key = Buffer.alloc(32, 7)
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const findSession = `select s.id, s.token, s."userId", s."expiresAt", s."createdAt", s."updatedAt", s."ipAddress", s."userAgent",
  s."activeOrganizationId", u.email, u.name, u.image, u."emailVerified", u."createdAt" as since, u."updatedAt" as changed, u.username,
  u."displayUsername", u.language, u.role from "Session" s join "User" u on u.id = s."userId" where s."tokenHash" = $1`

const listSessions = `select l.id, l.token, l."userId", l."expiresAt", l."createdAt", l."updatedAt", l."ipAddress", l."userAgent",
  l."activeOrganizationId" from "Session" s join "Session" l on l."userId" = s."userId" where s."tokenHash" = $1 order by l."createdAt", l.id`

const listOrganizations = `select o.id, o.name, o.slug, o.logo, o.metadata, o."createdAt" from "Session" s
  join "Member" m on m."userId" = s."userId" join "Organization" o on o.id = m."organizationId"
  where s."tokenHash" = $1 order by m."createdAt", m.id`

const fullOrganization = `select o.id, o.name, o.slug, o.logo, o.metadata, o."createdAt",
    (select json_agg(json_build_object('id', m.id, 'organizationId', m."organizationId", 'userId', m."userId", 'role', m.role,
        'teamId', m."teamId", 'createdAt', m."createdAt",
        'user', json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'image', u.image)) order by m."createdAt", m.id)
      from "Member" m join "User" u on u.id = m."userId" where m."organizationId" = o.id) as members,
    (select json_agg(json_build_object('id', i.id, 'email', i.email, 'role', i.role, 'status', i.status) order by i."createdAt", i.id)
      from "Invitation" i where i."organizationId" = o.id) as invitations,
    (select json_agg(json_build_object('id', t.id, 'name', t.name, 'organizationId', t."organizationId", 'createdAt', t."createdAt",
        'updatedAt', t."updatedAt") order by t."createdAt", t.id) from "Team" t where t."organizationId" = o.id) as teams
  from "Session" s join "Organization" o on o.id = s."activeOrganizationId" where s."tokenHash" = $1`

const createOrganization = `with s as (select id, "userId" from "Session" where "tokenHash" = $4),
  o as (insert into "Organization" (id, name, slug, "createdAt") values ($1, $2, $3, now()) returning id),
  t as (insert into "Team" (id, name, "organizationId", "createdAt") select $1, $2, id, now() from o returning id),
  m as (insert into "Member" (id, "organizationId", "userId", role, "teamId", "createdAt")
    select $1, o.id, s."userId", 'owner', t.id, now() from o, t, s)
  update "Session" set "activeOrganizationId" = o.id from o, s where "Session".id = s.id`

const acceptInvitation = `with s as (select id, "userId" from "Session" where "tokenHash" = $3),
  i as (update "Invitation" set status = 'accepted' where id = $1 and status = 'pending' returning "organizationId", role, "teamId"),
  m as (insert into "Member" (id, "organizationId", "userId", role, "teamId", "createdAt")
    select $2, i."organizationId", s."userId", i.role, i."teamId", now() from i, s)
  update "Session" set "activeOrganizationId" = i."organizationId" from i, s where "Session".id = s.id`

const findArtifact = `select payload from "OAuthArtifact" where id = $1`
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const webhookKey = Buffer.from(process.env['DODO_PAYMENTS_WEBHOOK_KEY']?.slice(6) ?? '', 'base64')

const storeEvent = `with e as (insert into "PaymentEvent" (id, type, "occurredAt", "receivedAt", payload, "subjectId", "appliedAt")
    values ($1, $2, $3, now(), $4::jsonb, $5, now()) on conflict do nothing returning id)
  insert into "Payment" ("paymentId", status, "totalAmount", currency, "customerId", payload, "createdAt", "eventAt", "eventId")
  select $5, $6, $7::bigint, $8, $9, $4::jsonb->'data', $3::timestamptz, $3::timestamptz, e.id from e on conflict do nothing`

const findPasskey = `select "userId", "publicKey" from "Passkey" where "credentialID" = $1`
const findFactor = `select secret, "lastTimeStep" from "TwoFactor" where "userId" = $1`
const insertSession = `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
  values ($1, $1, $2, $3, now() + interval '7 days', now(), now(), true, '', '')`

async function startSession(userId: string): Promise<object> {
  const id = crypto.randomUUID()
  const tokenHash = createHash('sha256').update(id).digest('base64url')
  await pool.query({ name: 'start', text: insertSession, values: [id, tokenHash, userId] })
  return { id, userId }
}

/** The hash of the session token in a Cookie header. */
function hashOf(cookie: string): string {
  const sessionToken = /foyer\.session_token=([^;]+)/.exec(cookie)?.[1] ?? ''
  return createHash('sha256').update(sessionToken).digest('base64url')
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => void respond(request, response, text))
})

async function respond(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
  const body = await answer(request.url ?? '', request.headers, text)
  response.setHeader('content-type', 'application/json')
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function answer(url: string, headers: IncomingMessage['headers'], text: string): Promise<unknown> {
  const { cookie = '' } = headers
  if (url.startsWith('/cached')) {
    const value = /foyer\.session_data=([^;]+)/.exec(cookie)?.[1] ?? ''
    const [until = '', body = '', signature = ''] = value.split('.')
    const expected = createHmac('sha256', key).update(`${until}.${body}`).digest('base64url')
    // The key differs from Foyer's, so the signature never matches; only the amount of work matters.
    return expected === signature ? '' : Buffer.from(body, 'base64url').toString('utf8')
  }
  if (url.startsWith('/sign-out')) {
    await pool.query({ name: 'end', text: 'delete from "Session" where "tokenHash" = $1', values: [hashOf(cookie)] })
    return { success: true }
  }
  if (url.startsWith('/session')) {
    const { rows } = await pool.query({ name: 'session', text: findSession, values: [hashOf(cookie)] })
    return rows[0]
  }
  if (url.startsWith('/list')) {
    const { rows } = await pool.query({ name: 'list', text: listSessions, values: [hashOf(cookie)] })
    return rows
  }
  if (url.startsWith('/organizations')) {
    const { rows } = await pool.query({ name: 'organizations', text: listOrganizations, values: [hashOf(cookie)] })
    return rows
  }
  if (url.startsWith('/full')) {
    const { rows } = await pool.query({ name: 'full', text: fullOrganization, values: [hashOf(cookie)] })
    return rows[0]
  }
  if (url.startsWith('/create')) {
    const { name, slug } = JSON.parse(text)
    const id = crypto.randomUUID()
    await pool.query({ name: 'create', text: createOrganization, values: [id, name, slug, hashOf(cookie)] })
    return { id, name, slug }
  }
  if (url.startsWith('/accept')) {
    const { invitationId } = JSON.parse(text)
    await pool.query({
      name: 'accept',
      text: acceptInvitation,
      values: [invitationId, crypto.randomUUID(), hashOf(cookie)],
    })
    return { invitationId }
  }
  if (url.startsWith('/passkey')) {
    const { response } = JSON.parse(text)
    const data = Buffer.from(response.response.authenticatorData, 'base64url')
    const client = createHash('sha256').update(Buffer.from(response.response.clientDataJSON, 'base64url')).digest()
    const { rows } = await pool.query({ name: 'passkey', text: findPasskey, values: [response.id] })
    const point = Buffer.from(rows[0].publicKey, 'base64')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.toString('base64url', 10, 42),
      y: point.toString('base64url', 45, 77),
    }
    const signature = Buffer.from(response.response.signature, 'base64url')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    if (!verifySignature('sha256', Buffer.concat([data, client]), key, signature)) throw new Error('invalid signature')
    return startSession(rows[0].userId)
  }
  if (url.startsWith('/step')) {
    const { userId, code } = JSON.parse(text)
    await pool.query({ name: 'step', text: findFactor, values: [userId] })
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
    const mac = createHmac('sha1', key).update(counter).digest()
    // The key differs, so the code never matches; only the amount of work matters.
    if (mac.readUInt32BE((mac[19] ?? 0) & 0xf) === Number(code)) return {}
    return startSession(userId)
  }
  if (url.startsWith('/webhook')) {
    const [id, timestamp, sentSignature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      String(headers[name]),
    )
    const expected = createHmac('sha256', webhookKey).update(`${id}.${timestamp}.${text}`).digest('base64')
    if (sentSignature !== `v1,${expected}`) throw new Error('invalid signature')
    const { type, timestamp: at, data } = JSON.parse(text)
    const values = [
      id,
      type,
      at,
      text,
      data.payment_id,
      data.status,
      data.total_amount,
      data.currency,
      data.customer.customer_id,
    ]
    await pool.query({ name: 'webhook', text: storeEvent, values })
    return { received: true }
  }
  if (url.startsWith('/token')) {
    const { rows } = await pool.query({ name: 'session', text: findSession, values: [hashOf(cookie)] })
    const now = Math.floor(Date.now() / 1000)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      iss: 'http://localhost',
      aud: 'http://localhost',
      sub: rows[0].userId,
      sid: rows[0].id,
      iat: now,
      exp: now + 300,
    }
    const signed = `${encode({ alg: 'ES256', typ: 'JWT', kid: 'bench' })}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return { token: `${signed}.${signature.toString('base64url')}` }
  }
  if (url.startsWith('/introspect')) {
    const id = createHash('sha256')
      .update(`ClientCredentials:${new URLSearchParams(text).get('token')}`)
      .digest('base64url')
    const { rows } = await pool.query({ name: 'artifact', text: findArtifact, values: [id] })
    return { active: rows.length > 0, ...rows[0]?.payload }
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
      text: `insert into "Session" (id, token, "tokenHash", "userId", "expiresAt", "createdAt", "updatedAt", remembered, "ipAddress", "userAgent")
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

// Warm up before measuring, as in a server that has been running for a while.
await new Client({ connectionString: process.env['DATABASE_URL'] }).end().catch(() => {})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))

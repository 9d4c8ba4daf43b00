import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express, { Router, type NextFunction, type Request, type Response } from 'express'
import { colors, fontFamily, radius } from '../../shared/theme.ts'
import type { App } from '../context.ts'
import { cleanAddress, isLoopback } from '../foundation/address.ts'
import { Refusal } from '../foundation/refusal.ts'
import { answerJson, answerRefusal, isDecodable } from './gates.ts'

/** The pages below the base path that the specification names (section 2). */
export function basePages(): Router {
  const door = Router({ caseSensitive: true })
  door.get('/ok', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    answerJson(response, '{"ok":true}')
  })
  door.get('/error', (request, response) => {
    // Of what the query says only a code is shown, and only as text (SEC-33).
    const { error } = request.query
    const code = typeof error === 'string' && /^[\w. -]{1,64}$/.test(error) ? error : 'Unknown'
    answerPage(response, {
      title: 'Something went wrong',
      body: `<p>The sign-in could not be finished. The reason is called:</p><p class="code">${code}</p>
        <p><a href="/">Return to Application</a></p>`,
    })
  })
  return door
}

/** A job that is due for so long, and that nobody has taken, means that no job runs. */
const stalledSeconds = 120

/** Readiness: is the database there, does it have this version's tables, how long does the oldest mail wait? */
export function health(app: App, newestMigration: string | undefined) {
  return async (_request: Request, response: Response): Promise<void> => {
    response.setHeader('Cache-Control', 'no-store')
    try {
      const { rows } = await app.pool.query<{
        isMigrated: boolean
        waiting: number
        since: Date | null
        dueSeconds: number | null
      }>({
        name: 'health',
        values: [newestMigration ?? null],
        text: `select $1::text is null or exists (
            select from _prisma_migrations where migration_name = $1 and finished_at is not null) as "isMigrated",
          count(*)::int as waiting, min("createdAt") as since,
          (select extract(epoch from now() - min(run_at))::int from graphile_worker.jobs
            where run_at <= now() and locked_at is null and attempts < max_attempts) as "dueSeconds"
          from (select "createdAt" from "Mail" where "deliveredAt" is null and "givenUpAt" is null order by "createdAt" limit 1000) as waiting`,
      })
      const { isMigrated = false, waiting = 0, since = null, dueSeconds } = rows[0] ?? {}
      const seconds = since && app.outbox.delivers ? Math.round((app.clock().getTime() - since.getTime()) / 1000) : 0
      const outbox = { waiting: app.outbox.delivers ? waiting : 0, oldestSeconds: Math.max(0, seconds) }
      // Jobs are due and none of any process has taken them: mails and sweeps stand still, while requests are served.
      const jobs = (dueSeconds ?? 0) > stalledSeconds ? 'stalled' : 'ok'
      const state = !isMigrated ? 'unavailable' : jobs === 'ok' ? 'ok' : 'degraded'
      const report = { status: state, database: 'ok', migrations: isMigrated ? 'ok' : 'missing', outbox, jobs }
      answerJson(response, JSON.stringify(report), isMigrated ? 200 : 503)
    } catch {
      response.setHeader('Retry-After', '5')
      answerJson(response, JSON.stringify({ status: 'unavailable', database: 'unavailable' }), 503)
    }
  }
}

/** The development mailbox: what would have been sent. Only without an SMTP server and never in production (R42). */
export function mailbox(app: App): Router {
  const door = Router()
  door.use(loopbackOnly)
  door.get('/', async (request, response) => {
    const to = typeof request.query['to'] === 'string' ? request.query['to'] : undefined
    const where = to === undefined ? {} : { to: to.slice(0, 254).replaceAll('\0', '') }
    const rows = await app.db.mail.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 50 })
    const mails = rows.map((row) => ({ ...row, letter: app.outbox.read(row) }))
    response.setHeader('Cache-Control', 'no-store')
    if (request.accepts(['html', 'json']) === 'json') {
      const list = mails.map(({ id, kind, createdAt, letter, ...row }) => {
        const { subject, text, action } = letter
        return { id, to: row.to, kind, createdAt, subject, text, link: action?.link ?? null }
      })
      answerJson(response, JSON.stringify(list))
      return
    }
    const lines = mails.map(
      ({ id, to, createdAt, letter }) =>
        `<li><a href="/dev/mail/${id}">${escape(letter.subject)}</a><span>${escape(to)} · ${createdAt.toISOString().slice(0, 19).replace('T', ' ')} UTC</span></li>`,
    )
    answerPage(response, {
      title: 'Development mailbox',
      body: `<p>No mail leaves this machine, because SMTP_URL is not set. Here is what would have been sent, newest first.</p>
        ${lines.length > 0 ? `<ul>${lines.join('')}</ul>` : '<p class="quiet">No mail yet.</p>'}`,
    })
  })
  door.get('/:id', async (request, response) => {
    const row = await app.db.mail.findUnique({ where: { id: request.params.id.slice(0, 64).replaceAll('\0', '') } })
    if (!row) {
      answerRefusal(response, new Refusal('NOT_FOUND'))
      return
    }
    // A mail brings its styles along, as mails do; it runs no script and reaches nothing.
    const policy =
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-top-navigation-by-user-activation"
    response.setHeader('Content-Security-Policy', policy)
    answerHtml(response, app.outbox.read(row).html)
  })
  return door
}

/** What proxies add; a browser on this machine sends none of them. */
const proxyHeaders = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*)$/

/**
 * Development pages answer to this machine alone: the socket is loopback, nothing was forwarded, and the page is asked for by
 * a loopback name, because another name for this address would be another site's page reading these mails (DNS rebinding).
 */
export function loopbackOnly(request: Request, response: Response, next: NextFunction): void {
  const isForwarded = Object.keys(request.headers).some((name) => proxyHeaders.test(name))
  const isLocal = isLoopback(cleanAddress(request.socket.remoteAddress) ?? '')
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (isLocal && !isForwarded && isLoopback(host)) next()
  else answerRefusal(response, new Refusal('NOT_FOUND'))
}

/** The built client: its files for good, its page for every other path, with a nonce of its own (SEC-100). */
export function clientPages(clientFolder: string): Router {
  const door = Router()
  const page = readFileSync(join(clientFolder, 'index.html'), 'utf8').split(noncePlaceholder)
  const files = { index: false, redirect: false, dotfiles: 'ignore', etag: false, lastModified: false } as const
  door.use('/assets', express.static(join(clientFolder, 'assets'), { ...files, immutable: true, maxAge: '1y' }))
  // The page has a nonce for each answer; as a file it would have none.
  door.get('/index.html', (_request, response) => answerRefusal(response, new Refusal('NOT_FOUND')))
  door.use(express.static(clientFolder, { ...files, maxAge: '1h', setHeaders: keepPagePrivate }))
  door.use((request, response) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/\.\w+$|^\/(?:assets|api)\//.test(request.path)
    if (!isPage || !isDecodable(request.path)) {
      answerRefusal(response, new Refusal(isPage ? 'INVALID_QUERY' : 'NOT_FOUND'))
      return
    }
    const nonce = randomBytes(16).toString('base64')
    response.setHeader('Content-Security-Policy', clientPolicy(nonce))
    answerHtml(response, page.join(nonce))
  })
  return door
}

/** What vite.config.ts writes where a nonce belongs. */
const noncePlaceholder = '__NONCE__'

function clientPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function keepPagePrivate(response: Response, path: string): void {
  if (path.endsWith('.html')) response.setHeader('Cache-Control', 'no-store')
}

/** A plain page of the server's own, in Foyer's colours and without a script. */
function answerPage(response: Response, { title, body }: { title: string; body: string }): void {
  const nonce = randomBytes(16).toString('base64')
  const style = `style-src 'nonce-${nonce}'`
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; ${style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  answerHtml(
    response,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Foyer</title><style nonce="${nonce}">${pageStyle}</style></head>
<body><main><p class="mark">Foyer</p><h1>${title}</h1>${body}</main></body></html>`,
  )
}

const { light, dark } = colors
const pageStyle = `:root{color-scheme:light dark}
body{margin:0;background:${light.paper};color:${light.ink};font:15px/24px ${fontFamily}}
main{max-width:640px;margin:0 auto;padding:48px 16px}
.mark{font-size:17px;font-weight:650;margin:0 0 32px}
h1{font-size:28px;line-height:34px;font-weight:620;letter-spacing:-.015em;margin:0 0 16px}
a{color:${light.door}}
.code{display:inline-block;margin:0;padding:8px 14px;border:1px solid ${light.line};border-radius:${radius.field}px;background:${light.surface};font-weight:600;overflow-wrap:anywhere}
.quiet,li span{color:${light.quiet}}
ul{list-style:none;margin:24px 0;padding:0;border:1px solid ${light.line};border-radius:${radius.card}px;background:${light.surface}}
li{padding:12px 16px;border-top:1px solid ${light.line}}li:first-child{border-top:0}
li a{display:block;font-weight:600;text-decoration:none}li span{font-size:13px}
@media (prefers-color-scheme:dark){body{background:${dark.paper};color:${dark.ink}}a{color:${dark.door}}
.code,ul{background:${dark.surface};border-color:${dark.line}}li{border-color:${dark.line}}.quiet,li span{color:${dark.quiet}}}`

function answerHtml(response: Response, html: string): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  response.setHeader('Cache-Control', 'no-store')
  response.end(html)
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

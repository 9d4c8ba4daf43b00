import { type Response, Router } from 'express'
import { languageByCode, languages } from '../../../shared/language.ts'
import type { App } from '../../dependencies.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { layoutMail } from '../../mail/layout.ts'
import { mailKinds } from '../../mail/mail-texts.ts'
import { sampleOf } from '../../mail/templates.ts'
import { loopbackOnly } from '../middleware/loopback-only.ts'
import { sendJson, sendRefusal } from '../send.ts'
import { respondWithHtml, respondWithPage, escapeHtml } from './layout.ts'

/** The development mailbox: shows emails instead of sending them. Only without an SMTP server, never in production. */
export function devMailbox(app: App): Router {
  const routes = Router()
  routes.use(loopbackOnly)
  routes.get('/', async (request, response) => {
    const to = typeof request.query['to'] === 'string' ? request.query['to'] : undefined
    const where = to === undefined ? {} : { to: to.slice(0, 254).replaceAll('\0', '') }
    const rows = await app.db.mail.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: 50 })
    const mails = rows.map((row) => ({ ...row, mail: app.outbox.read(row) }))
    response.setHeader('Cache-Control', 'no-store')
    if (request.accepts(['html', 'json']) === 'json') {
      const list = mails.map(({ id, kind, createdAt, mail, ...row }) => {
        const { subject, text, action } = mail
        return { id, to: row.to, kind, createdAt, subject, text, link: action?.link ?? null }
      })
      sendJson(response, JSON.stringify(list))
      return
    }
    const lines = mails.map(
      ({ id, to, createdAt, mail }) =>
        `<li><a href="/dev/mail/${id}">${escapeHtml(mail.subject)}</a><span>${escapeHtml(to)} · ${createdAt.toISOString().slice(0, 19).replace('T', ' ')} UTC</span></li>`,
    )
    respondWithPage(response, app.config.brand, {
      title: 'Development mailbox',
      body: `<p>No mail leaves this machine, because SMTP_URL is not set. Here is what would have been sent, newest first. <a href="/dev/mail/preview">All emails</a></p>
        ${lines.length > 0 ? `<ul>${lines.join('')}</ul>` : '<p class="quiet">No mail yet.</p>'}`,
    })
  })
  routes.get('/preview', (_request, response) => {
    const links = (kind: string) =>
      languages
        .map(({ code, name }) => `<a href="/dev/mail/preview/${kind}/${code}" hreflang="${code}">${name}</a>`)
        .join(' · ')
    respondWithPage(response, app.config.brand, {
      title: 'All emails',
      body: `<p>Every email in every language, with values that stand for real ones and your own texts (MAIL_TEXTS_DIR).</p>
        <ul class="kinds">${mailKinds.map((kind) => `<li><strong>${kind}</strong><br>${links(kind)}</li>`).join('')}</ul>`,
    })
  })
  routes.get('/preview/:kind/:code', (request, response) => {
    const kind = mailKinds.find((known) => known === request.params.kind)
    const language = languageByCode(request.params.code)
    if (!kind || !language) {
      sendRefusal(response, new Refusal('NOT_FOUND'))
      return
    }
    const content = sampleOf(kind, language, app.config.mailTexts, app.config.appOrigin)
    respondWithMail(response, layoutMail(content, language, app.config.brand).html)
  })
  routes.get('/:id', async (request, response) => {
    const row = await app.db.mail.findUnique({ where: { id: request.params.id.slice(0, 64).replaceAll('\0', '') } })
    if (!row) {
      sendRefusal(response, new Refusal('NOT_FOUND'))
      return
    }
    respondWithMail(response, app.outbox.read(row).html)
  })
  return routes
}

/** An email has inline styles and the logo of the installation. Scripts and other requests are blocked. */
function respondWithMail(response: Response, html: string): void {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https:; frame-ancestors 'none'; sandbox allow-top-navigation-by-user-activation"
  response.setHeader('Content-Security-Policy', policy)
  respondWithHtml(response, html)
}

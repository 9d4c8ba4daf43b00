import { Router } from 'express'
import { preferredLanguage } from '../../../shared/language.ts'
import type { App } from '../../dependencies.ts'
import { sendJson } from '../send.ts'
import { respondWithPage } from './layout.ts'
import { pageTexts } from './texts.ts'

/** Pages below the base path, which are part of the REST contract (server/testing/rest-contract.ts). */
export function basePages({ config }: App): Router {
  const routes = Router({ caseSensitive: true })
  routes.get('/ok', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    sendJson(response, '{"ok":true}')
  })
  routes.get('/error', (request, response) => {
    // Only the error code from the query is shown, as plain text (SEC-33).
    const { error } = request.query
    const code = typeof error === 'string' && /^[\w. -]{1,64}$/.test(error) ? error : 'Unknown'
    const { code: language } = preferredLanguage(request.headers['accept-language'])
    const { title, text } = pageTexts[language].signInFailed
    // The link has this text in the contract, in every language.
    const body = `<p>${text}</p><p class="code">${code}</p><p><a href="/">Return to Application</a></p>`
    respondWithPage(response, config.brand, { language, title, body })
  })
  return routes
}

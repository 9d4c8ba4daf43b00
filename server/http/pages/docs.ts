import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Response, Router } from 'express'
import { projectFolder } from '../../config.ts'
import type { App } from '../../dependencies.ts'
import { describeApi } from '../openapi.ts'
import { sendLarge } from '../send.ts'
import { escapeHtml, htmlHeaders } from './layout.ts'

/** Files of Swagger UI that the page needs. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

const page = (
  product: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>API · ${escapeHtml(product)}</title><link rel="stylesheet" href="/api/docs/swagger-ui.css"><link rel="icon" href="/favicon.svg"></head>
<body><div id="api"></div><script src="/api/docs/swagger-ui-bundle.js"></script><script src="/api/docs/start.js"></script></body></html>`

const script = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })`

/** The API description, for programs at /api/openapi.json and for people at /api/docs. */
export function apiPages({ config }: App): Router {
  const routes = Router({ caseSensitive: true })
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string }
  let described: string | undefined
  const kept = {}
  routes.get('/openapi.json', async (request, response) => {
    described ??= JSON.stringify(describeApi(config, version))
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Cache-Control', 'no-cache')
    await sendLarge(request, response, described, kept)
  })
  routes.get('/docs', (_request, response) => {
    htmlHeaders(response)
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    response.end(page(config.brand.product))
  })
  routes.get('/docs/start.js', (_request, response) => {
    response.type('js').setHeader('Cache-Control', 'public, max-age=3600')
    response.end(script)
  })
  for (const name of files) routes.get(`/docs/${name}`, (_request, response) => sendFile(response, join(folder, name)))
  return routes
}

function sendFile(response: Response, path: string): void {
  response.sendFile(path, { maxAge: '1h', dotfiles: 'allow' })
}

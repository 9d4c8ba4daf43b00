import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import express, { type RequestHandler, Router, type Response } from 'express'
import type { Config } from '../../config.ts'
import { Refusal } from '../../foundation/refusal.ts'
import { isDecodable } from '../decodable.ts'
import { sendRefusal, sendLarge } from '../send.ts'
import { brandedPage, manifestOf, logoOf } from './brand.ts'
import { htmlHeaders } from './layout.ts'
import { prerenderer } from './prerendered.ts'

/**
 * Serves the built client: assets are cached permanently, all other paths return the page with a fresh nonce (SEC-100).
 */
export function clientPages(clientFolder: string, config: Config): Router {
  const routes = Router()
  const { brand } = config
  const page = brandedPage(readFileSync(join(clientFolder, 'index.html'), 'utf8'), brand)
  const prerender = prerenderer(clientFolder, config)
  const files = { index: false, redirect: false, dotfiles: 'ignore', etag: false, lastModified: false } as const
  routes.use('/assets', chooseEncoding(join(clientFolder, 'assets')))
  routes.use('/assets', express.static(join(clientFolder, 'assets'), { ...files, immutable: true, maxAge: '1y' }))
  routes.get('/site.webmanifest', (_request, response) => {
    response.type('application/manifest+json').setHeader('Cache-Control', 'public, max-age=3600')
    response.end(JSON.stringify(manifestOf(brand)))
  })
  routes.get('/favicon.svg', (_request, response) => {
    response.type('image/svg+xml').setHeader('Cache-Control', 'public, max-age=3600')
    response.end(logoOf(brand))
  })
  // The page needs a fresh nonce per response. A static file would have none.
  routes.get('/index.html', (_request, response) => sendRefusal(response, new Refusal('NOT_FOUND')))
  routes.use(chooseEncoding(clientFolder))
  routes.use(express.static(clientFolder, { ...files, maxAge: '1h', setHeaders: neverCachePages }))
  routes.use(async (request, response) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/\.\w+$|^\/(?:assets|api)\//.test(request.path)
    if (!isPage || !isDecodable(request.path)) {
      sendRefusal(response, new Refusal(isPage ? 'INVALID_QUERY' : 'NOT_FOUND'))
      return
    }
    const nonce = randomBytes(16).toString('base64')
    response.setHeader('Content-Security-Policy', clientPolicy(nonce))
    const { lang } = request.query
    const languages = typeof lang === 'string' ? lang.replaceAll(' ', ',') : request.headers['accept-language']
    const html = prerender(page, request.path, languages)
    response.vary('Accept-Language')
    htmlHeaders(response)
    await sendLarge(request, response, html.replaceAll(noncePlaceholder, nonce))
  })
  return routes
}

/** Suffixes of the compressed copies that the build writes, smallest first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Serves the compressed copy of a script or style, if the browser accepts it. */
function chooseEncoding(folder: string): RequestHandler {
  const files = new Set(existsSync(folder) ? readdirSync(folder) : [])
  return (request, response, next) => {
    const name = request.path.slice(1)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next()
      return
    }
    if (!files.has(`${name}.br`)) {
      // The compressed copies are not files in their own right.
      if (/\.(?:br|gz)$/.test(name)) sendRefusal(response, new Refusal('NOT_FOUND'))
      else next()
      return
    }
    response.vary('Accept-Encoding')
    const [encoding, suffix] = encodings.find(([candidate]) => request.acceptsEncodings(candidate)) ?? []
    if (encoding !== undefined) {
      response.setHeader('Content-Encoding', encoding)
      response.type(extname(name))
      request.url = `/${name}${suffix}`
    }
    next()
  }
}

/** Placeholder written by vite.config.ts wherever a nonce is needed. */
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

function neverCachePages(response: Response, path: string): void {
  if (path.endsWith('.html')) response.setHeader('Cache-Control', 'no-store')
}

import { createHash } from 'node:crypto'
import { type NextFunction, type Request, type RequestHandler, type Response, Router, urlencoded } from 'express'
import type { Brand } from '../../shared/brand.ts'
import { preferredLanguage } from '../../shared/language.ts'
import type { App } from '../dependencies.ts'
import { isRecord } from '../foundation/records.ts'
import { refuse } from '../foundation/refusal.ts'
import { readSignOutTarget } from '../oauth/ask-to-sign-out.ts'
import { canResume, continueInteraction } from '../oauth/continue-interaction.ts'
import { issuerOf } from '../oauth/issuer.ts'
import { runRequest } from '../oauth/load-oidc-provider.ts'
import { rememberContext } from '../oauth/read-issuer-caller.ts'
import { enforceRateLimitInMemory } from '../procedure/rate-limit.ts'
import { ignoreCredentials } from './middleware/ignore-credentials.ts'
import { onlyBelow } from './middleware/only-below.ts'
import { keySet } from './pages/key-set.ts'
import { respondWithPage, escapeHtml } from './pages/layout.ts'
import { pageTexts } from './pages/texts.ts'
import { handle, type Serve } from './respond.ts'

/** The issuer's paths, with the methods of each. */
const paths = new Map([
  ['/.well-known/openid-configuration', 'GET HEAD'],
  ['/.well-known/oauth-authorization-server', 'GET HEAD'],
  ['/oauth/authorize', 'GET POST'],
  ['/oauth/token', 'POST'],
  ['/oauth/userinfo', 'GET POST'],
  ['/oauth/introspect', 'POST'],
  ['/oauth/revoke', 'POST'],
  ['/oauth/par', 'POST'],
  ['/oauth/device', 'POST'],
  ['/oauth/end-session', 'GET POST'],
])

/** Public documents: the issuer's metadata and its keys. */
export const publicDocuments = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/oauth/jwks',
]

/** Paths that pages of other origins may call. */
const openToPages = new Set(['/oauth/token', '/oauth/userinfo', '/oauth/revoke', '/oauth/par'])
/** Paths that a browser opens. Only its cookie identifies the signed-in user. */
const isPage = (path: string) =>
  path.startsWith('/oauth/authorize') || path.startsWith('/oauth/continue/') || path === '/oauth/end-session'

/** Maximum calls of one kind in ten seconds from one network. Back ends introspect tokens for many users. */
const limit = { max: 1_000, seconds: 10 }

const form = urlencoded({ extended: false, limit: '8kb', inflate: false, parameterLimit: 40 })

/** Redirects a POST to the same request as a GET (OpenID Connect Core 1.0, 3.1.2.1). */
function redirectAsGet(request: Request, response: Response): void {
  const body: unknown = request.body
  const fields = isRecord(body) ? Object.entries(body) : []
  const query = new URLSearchParams()
  for (const [name, value] of fields) for (const one of [value].flat()) query.append(name, String(one))
  response.status(303).setHeader('Location', `${request.path}?${query.toString()}`).end()
}

const limitOf = (kind: string) => ({ key: `oauth:${kind}`, ...limit })

/** Handles a request whose context the issuer's package needs too. */
function handleForIssuer(app: App, path: string, serve: Serve) {
  return handle(app, path, (ctx, request, response) => {
    rememberContext(request, ctx)
    return serve(ctx, request, response)
  })
}

/** The endpoints of the OpenID issuer, served by `oidc-provider`, with Foyer's own checks in front. */
export function oauthRoutes(
  app: App,
  cors: (request: Request, response: Response, next: NextFunction) => void,
): RequestHandler {
  const routes = Router({ caseSensitive: true })
  const { host, protocol } = new URL(app.config.appOrigin)
  const issuer = issuerOf(app)

  routes.get('/oauth/jwks', keySet(app))
  routes.use((request, response, next) => {
    if (isPage(request.path)) ignoreCredentials(request, response, next)
    else next()
  })
  const continueRequest = handleForIssuer(app, '/oauth/continue', async (ctx, request, response) => {
    enforceRateLimitInMemory(ctx, limitOf('continue'))
    const target = await continueInteraction(ctx, String(request.params['uid']))
    response.status(303).setHeader('Location', target).end()
  })
  routes.get('/oauth/continue/:uid', continueRequest)
  const finishSignOut = handle(app, '/oauth/end-session/done', async (_ctx, request, response) => {
    const target = (await readSignOutTarget(app, request.query)) ?? refuse('NOT_FOUND')
    response.status(303).setHeader('Location', target).end()
  })
  routes.get('/oauth/end-session/done', finishSignOut)
  routes.use((request, response, next) => {
    if (openToPages.has(request.path)) cors(request, response, next)
    else next()
  })
  // A form posted from another site comes without the Lax cookie. The redirect makes the browser ask again, with the
  // cookie.
  const redirectForm = handle(app, '/oauth', async (ctx, request, response) => {
    enforceRateLimitInMemory(ctx, limitOf(request.path))
    redirectAsGet(request, response)
  })
  routes.post(/^\/oauth\/(?:authorize|end-session)$/, form, redirectForm)
  const serveIssuer = handleForIssuer(app, '/oauth', async (ctx, request, response) => {
    enforceRateLimitInMemory(ctx, limitOf(paths.has(request.path) ? request.path : 'resume'))
    const [, , , uid] = request.path.split('/')
    if (uid !== undefined && !(await canResume(ctx, uid))) {
      response.status(303).setHeader('Location', `/oauth/continue/${uid}`).end()
      return
    }
    // URLs are derived from APP_URL, regardless of the headers of a client or proxy.
    delete request.headers['x-forwarded-for']
    Object.assign(request.headers, { 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) })
    const provider = await issuer.provider()
    adjustResponse(app, request, response)
    await runRequest(() => provider.callback()(request, response))
  })
  routes.use(async (request, response, next) => {
    const methods = /^\/oauth\/authorize\/[\w-]+$/.test(request.path) ? 'GET' : paths.get(request.path)
    if (methods?.split(' ').includes(request.method)) await serveIssuer(request, response)
    else next()
  })
  return onlyBelow(['/oauth', '/.well-known'], routes)
}

/**
 * Adjusts what oidc-provider writes: pages in the installation's brand, no CORS headers of its own, and scripts allowed
 * by hash.
 */
function adjustResponse({ config }: App, request: Request, response: Response): void {
  const isPublic = request.path.startsWith('/.well-known/')
  const hasOrigin = response.hasHeader('Access-Control-Allow-Origin')
  const end = response.end.bind(response)
  const writeHead = response.writeHead.bind(response)
  const clean = () => {
    if (isPublic) {
      response.removeHeader('Cross-Origin-Resource-Policy')
      response.setHeader('Access-Control-Allow-Origin', '*')
    } else if (!hasOrigin) response.removeHeader('Access-Control-Allow-Origin')
  }
  Object.assign(response, {
    writeHead(...all: Parameters<typeof writeHead>) {
      clean()
      return writeHead(...all)
    },
    end(...all: [unknown?, ...unknown[]]) {
      clean()
      const [body] = all
      const type = String(response.getHeader('Content-Type') ?? '')
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : ''
      if (response.statusCode >= 400 && isPage(request.path) && type.startsWith('application/json')) {
        Object.assign(response, { end, writeHead })
        response.removeHeader('Content-Length')
        respondWithError(request, response, config.brand, text)
        return response
      }
      if (type.startsWith('text/html')) allowScript(response, text)
      return Reflect.apply(end, response, all)
    },
  })
}

/** The page for a request whose error cannot be returned to the application, such as one with a wrong redirect URI. */
function respondWithError(request: Request, response: Response, brand: Brand, json: string): void {
  const { code: language } = preferredLanguage(request.headers['accept-language'])
  const { error = 'server_error', error_description: description = '' } = JSON.parse(json || '{}') as Record<
    string,
    string
  >
  const { title, text, back } = pageTexts[language].invalidRequest
  respondWithPage(response, brand, {
    language,
    title,
    body: `<p>${text}</p><p class="code">${escapeHtml(error)}</p><p class="quiet" lang="en">${escapeHtml(description)}</p>
      <p><a href="/">${escapeHtml(back.replace('{{product}}', brand.product))}</a></p>`,
  })
}

/**
 * A response as a self-submitting form (OAuth 2.0 Form Post Response Mode) has one script, and posts to the
 * application.
 */
function allowScript(response: Response, html: string): void {
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? []
  if (script === undefined) return
  const hash = createHash('sha256').update(script).digest('base64')
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors 'none'`,
  )
}

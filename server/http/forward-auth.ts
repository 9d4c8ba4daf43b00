import { type RequestHandler, Router } from 'express'
import type { App } from '../dependencies.ts'
import { checkAccess, readForwardedRequest, readRule } from '../forward-auth/check-access.ts'
import { finishProxySignIn, startProxySignIn } from '../forward-auth/start-proxy-sign-in.ts'
import { enforceRateLimit } from '../procedure/rate-limit.ts'
import { ignoreCredentials } from './middleware/ignore-credentials.ts'
import { onlyBelow } from './middleware/only-below.ts'
import { pageTexts } from './pages/texts.ts'
import { handle } from './respond.ts'

const paths = ['/api/forward-auth', '/.foyer/callback']

/** Forward authentication for nginx `auth_request`, Caddy `forward_auth` and Traefik `forwardAuth`. */
export function forwardAuthRoutes(app: App): RequestHandler {
  const routes = Router({ caseSensitive: true, strict: true })

  // Credentials sent to the application are meant for the application: Foyer does not read its tokens or API keys.
  routes.use(paths, ignoreCredentials)
  // All methods: some proxies forward the method of the original request. No rate limit: a proxy asks for every file of
  // a page.
  routes.all(
    '/api/forward-auth',
    handle(app, '/api/forward-auth', async (ctx, request, response) => {
      const forwarded = readForwardedRequest(ctx, request.headers)
      const wantsPage = /\btext\/html\b/i.test(request.headers.accept ?? '')
      const access = await checkAccess(ctx, forwarded, readRule(request.query), wantsPage)
      if (access.status === 200) {
        for (const [name, value] of Object.entries(access.headers)) response.setHeader(name, value)
      } else if (access.status === 302) {
        response.setHeader('Location', access.location)
        if (access.cookie !== undefined) response.setHeader('Set-Cookie', access.cookie)
        else response.removeHeader('Set-Cookie')
      }
      // nginx accepts only 2xx, 401 and 403 from an `auth_request`. Its configuration makes the redirect.
      const isOff = request.query['redirect'] === 'off' && access.status === 302
      response.status(isOff ? 401 : access.status)
      if (access.status === 403) response.type('text').end(pageTexts[ctx.language.code].notAllowed)
      else response.end()
    }),
  )
  routes.get(
    '/api/forward-auth/start',
    handle(app, '/api/forward-auth/start', async (ctx, request, response) => {
      await enforceRateLimit(ctx, '/api/forward-auth/start')
      response.status(302).setHeader('Location', await startProxySignIn(ctx, request.query, request.originalUrl))
      response.end()
    }),
  )
  routes.get(
    '/.foyer/callback',
    handle(app, '/.foyer/callback', async (ctx, request, response) => {
      await enforceRateLimit(ctx, '/.foyer/callback')
      const { location, cookies } = await finishProxySignIn(ctx, request.headers, request.query['code'])
      response.setHeader('Set-Cookie', cookies)
      response.status(302).setHeader('Location', location)
      response.end()
    }),
  )
  return onlyBelow(['/api/forward-auth', '/.foyer'], routes)
}

import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http'
import express, { type Express } from 'express'
import type { App } from './dependencies.ts'
import type { BuildInfo } from './foundation/build-info.ts'
import { Refusal } from './foundation/refusal.ts'
import { forwardAuthRoutes } from './http/forward-auth.ts'
import { linkRoutes } from './http/links.ts'
import { cors, methods, publicPreflight } from './http/middleware/cors.ts'
import { errorHandler } from './http/middleware/error-handler.ts'
import { loopbackOnly } from './http/middleware/loopback-only.ts'
import { onlyBelow } from './http/middleware/only-below.ts'
import { requestId } from './http/middleware/request-id.ts'
import { securityHeaders } from './http/middleware/security-headers.ts'
import { oauthRoutes, publicDocuments } from './http/oauth.ts'
import { clientPages } from './http/pages/client.ts'
import { devMailbox } from './http/pages/dev-mailbox.ts'
import { apiPages } from './http/pages/docs.ts'
import { basePages } from './http/pages/error.ts'
import { health } from './http/pages/health.ts'
import { keySet } from './http/pages/key-set.ts'
import { paymentWebhookRoutes } from './http/payment-webhook.ts'
import { pictureRoutes } from './http/pictures.ts'
import { restRoutes } from './http/rest.ts'
import { sendRefusal } from './http/send.ts'
import { trpcRoutes } from './http/trpc.ts'

/** Build output: the client's folder and the newest required migration. */
type Built = {
  clientFolder?: string
  newestMigration?: string | undefined
  build?: BuildInfo
  /** Whether this process is about to end, and should get no new connections. */
  isDraining?: () => boolean
}

/** Creates the Express application: middleware and transports in the order in which they handle a request. */
export function createApp(app: App, built: Built = {}): Express {
  const { clientFolder } = built
  const { config } = app
  const host = express()
  host.disable('x-powered-by')
  host.disable('etag')
  host.enable('case sensitive routing')
  host.set('query parser', 'simple')
  host.set('trust proxy', config.proxyHops)

  // Middleware for most requests is mounted without a path: Express would match each path with a regular expression,
  // and parse the URL again for what is mounted below. The transports of calls come first, after the headers for other
  // origins.
  host.use(requestId(app.metrics), securityHeaders(app), refuseMalformedTarget)
  // Before the middleware for other origins: a proxy takes any 2xx as permission.
  host.use(forwardAuthRoutes(app))
  host.use(publicPreflight([...publicDocuments, `${config.basePath}/jwks`]))
  host.use(onlyBelow([config.basePath, '/api'], cors(app)))
  host.use(restRoutes(app))
  host.use('/api/trpc', methods, trpcRoutes(app))
  host.use(oauthRoutes(app, cors(app)))
  host.use('/api/webhooks/payments', paymentWebhookRoutes(app))
  host.get(`${config.basePath}/jwks`, keySet(app))
  host.use(config.basePath, methods, linkRoutes(app), basePages(app), notFound)
  host.get('/api/health', health(app, built))
  host.use('/api', methods, apiPages(app), pictureRoutes(app), notFound)
  if (!app.outbox.hasMailServer && config.hasDevelopmentPages) host.use('/dev/mail', devMailbox(app))
  host.use('/dev', developmentPages(config))
  // Programs probe these paths. The client's page would be a positive answer.
  host.use(['/.well-known', '/.foyer', '/oauth', '/metrics'], notFound)
  host.use(rejectMisspelledPath)
  if (clientFolder !== undefined) host.use(clientPages(clientFolder, config))
  host.use(notFound)
  host.use(errorHandler(app))
  return host
}

/**
 * Options for the HTTP server: requests and responses are created with the prototypes that Express would otherwise
 * assign to each of them. Changing a prototype per request halves the speed and makes V8 retain dead requests (measured
 * on a bare route: 167 to 88 µs of CPU, scavenges of 4.3 ms to 0.3 ms).
 */
export function serverOptions(host: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class HostRequest extends IncomingMessage {}
  class HostResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(HostRequest.prototype, host.request)
  Object.setPrototypeOf(HostResponse.prototype, host.response)
  Object.assign(host, { request: HostRequest.prototype, response: HostResponse.prototype })
  return { IncomingMessage: HostRequest, ServerResponse: HostResponse }
}

/**
 * Refuses targets with a fragment, and paths with a backslash, which no browser sends (RFC 9112, 3.2). With a fragment,
 * Express reads a backslash as a slash, and `//host` as a host. A proxy in front does not: its rules for a path would
 * not apply.
 */
function refuseMalformedTarget(request: express.Request, response: express.Response, next: express.NextFunction): void {
  if (/#|^[^?]*\\/.test(request.url)) notFound(request, response)
  else next()
}

/** The gallery of screens is served only in development. Nothing else is under /dev. */
function developmentPages({ hasDevelopmentPages }: App['config']): express.RequestHandler {
  return (request, response, next) => {
    if (hasDevelopmentPages && request.path === '/screens') loopbackOnly(request, response, next)
    else notFound(request, response)
  }
}

/** An API path in different case, or with two slashes: answering with the client's page would hide the mistake. */
function rejectMisspelledPath(request: express.Request, response: express.Response, next: express.NextFunction): void {
  if (/^\/+(?:api|oauth|\.well-known)(?:\/|$)/i.test(request.path)) notFound(request, response)
  else next()
}

function notFound(_request: express.Request, response: express.Response): void {
  sendRefusal(response, new Refusal('NOT_FOUND'))
}
